/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What calls cost in a profile of kernels (observers/kernels/calls.c): inclusive counts of small
 * kernels, worked out by hand. An instruction issues for 4 cycles. */
#include "common/check.h"
#include "common/fixture.h"
#include "simt/context/context.h"
#include "soc/observers/kernel_costs.h"

static struct asm_code code;

/* The calls from one instruction to another. */
static const struct sl_kernel_profile_call *find_call(const struct watched *w, uint64_t site,
                                                      uint64_t callee)
{
    const struct sl_kernel_profile *profile = kernel_laws_profile(w->laws);

    for (uint64_t i = 0; i < profile->call_count; i++) {
        if (profile->calls[i].site == SL_KERNEL_BASE + 4 * site &&
            profile->calls[i].callee == SL_KERNEL_BASE + 4 * callee) {
            return &profile->calls[i];
        }
    }
    fail_msg("no call from %u to %u", (unsigned)site, (unsigned)callee);
    return NULL;
}

static void expect_call(const struct watched *w, uint64_t site, uint64_t callee, uint64_t count,
                        uint64_t wave_instructions, uint64_t lane_instructions)
{
    const struct sl_kernel_profile_call *call = find_call(w, site, callee);

    assert_int_equal(call->count, count);
    assert_int_equal(call->cost.wave_instructions, wave_instructions);
    assert_int_equal(call->cost.lane_instructions, lane_instructions);
    assert_int_equal(call->cost.cycles[SL_STALL_ISSUE], 4 * wave_instructions);
}

/* What a kernel begins and ends with that calls a function, which is at 4:
 *
 *     0 mv s1, ra   1 jal 4   2 mv ra, s1   3 ret */
#define SITE   1
#define CALLEE 4

static void put_kernel(void)
{
    asm_begin(&code);
    asm_put(&code, asm_ADDI(S1, RA, 0));
    asm_to(&code, asm_JAL(RA, 0), 1);
    asm_put(&code, asm_ADDI(RA, S1, 0));
    asm_put(&code, ASM_RET);
    asm_function(&code);
    asm_label(&code, 1);
}

/* ---- recursion ---- */

/* A function that calls itself, `depth` calls in each other, which a4 counts:
 *
 *     4 addi sp, -16   5 sd ra, (sp)   6 addi a4, -1   7 beqz a4, 9   8 jal 4
 *     9 ld ra, (sp)   10 addi sp, 16   11 ret
 *
 * The innermost call is 7 instructions, each around it 8 more. */
static struct watched recurse(uint32_t depth)
{
    struct watched w = monitor(MACHINE("gpu.cus=1", "gpu.stack=4KiB"));

    w.m->arguments[2] = depth;
    put_kernel();
    asm_put(&code, asm_ADDI(SP, SP, -16));
    asm_put(&code, asm_SD(RA, SP, 0));
    asm_put(&code, asm_ADDI(A4, A4, -1));
    asm_to(&code, asm_BEQ(A4, ZERO, 0), 2);
    asm_to(&code, asm_JAL(RA, 0), 1);
    asm_label(&code, 2);
    asm_put(&code, asm_LD(RA, SP, 0));
    asm_put(&code, asm_ADDI(SP, SP, 16));
    asm_put(&code, ASM_RET);
    (void)machine_execute(w.m, &code, 64);
    assert_int_equal(w.m->faults, 0);
    return w;
}

/* Each call has its own inclusive cost, so that recursive ones add up to more than the whole: 7 of
 * the inner one and 15 of the one around it. */
TEST(test_recursion)
{
    struct watched w = recurse(3);
    expect_call(&w, SITE, CALLEE, 1, 23, 23 * 64);
    expect_call(&w, 8, CALLEE, 2, 7 + 15, (7 + 15) * 64);
    assert_int_equal(kernel_laws_profile(w.laws)->lost_calls, 0);
    finish(&w);
}

/* Of 70 calls in each other 64 are followed, and 6 are lost; the costs of these are in those around
 * them. Call k from outside has 7 + 8 * (70 - k); from the function itself, k is 2 to 64. */
TEST(test_too_deep)
{
    struct watched w = recurse(70);
    uint64_t sum = 0;

    for (uint64_t k = 2; k <= 64; k++) {
        sum += 7 + 8 * (70 - k);
    }
    assert_int_equal(sum, 19089);
    expect_call(&w, SITE, CALLEE, 1, 7 + 8 * 69, (7 + 8 * 69) * 64);
    expect_call(&w, 8, CALLEE, 63, sum, sum * 64);
    assert_int_equal(kernel_laws_profile(w.laws)->lost_calls, 6);
    finish(&w);
}

/* ---- divergence ---- */

/* Odd lanes alone call a function, and return from it in two places:
 *
 *     0 mv s1, ra   1 andi t0, a1, 1   2 beqz t0, 4   3 jal 6   4 mv ra, s1   5 ret
 *     6 andi t1, a1, 2   7 beqz t1, 9   8 ret   9 addi   10 ret
 *
 * 32 lanes are at 6 and 7, 16 at each of the others: 5 instructions up to the last return. */
TEST(test_divergent)
{
    struct watched w = monitor(MACHINE("gpu.cus=1"));

    asm_begin(&code);
    asm_put(&code, asm_ADDI(S1, RA, 0));
    asm_put(&code, asm_ANDI(T0, A1, 1));
    asm_to(&code, asm_BEQ(T0, ZERO, 0), 1);
    asm_to(&code, asm_JAL(RA, 0), 2);
    asm_label(&code, 1);
    asm_put(&code, asm_ADDI(RA, S1, 0));
    asm_put(&code, ASM_RET);
    asm_function(&code);
    asm_label(&code, 2);
    asm_put(&code, asm_ANDI(T1, A1, 2));
    asm_to(&code, asm_BEQ(T1, ZERO, 0), 3);
    asm_put(&code, ASM_RET);
    asm_label(&code, 3);
    asm_put(&code, asm_ADDI(T1, T1, 1));
    asm_put(&code, ASM_RET);
    (void)machine_execute(w.m, &code, 64);
    assert_int_equal(w.m->faults, 0);
    expect_call(&w, 3, 6, 1, 5, 2 * 32 + 3 * 16);
    finish(&w);
}

/* Lanes call two functions from one place: one behind the other, each a call of its own.
 *
 *     0 mv s1, ra   1 andi t0, a1, 1   2 slli t0, 3   3 add t0, a2   4 jalr t0   5 mv ra, s1   6
 * ret 7 addi   8 ret       9 addi   10 addi   11 ret */
TEST(test_two_functions)
{
    struct watched w = monitor(MACHINE("gpu.cus=1"));

    asm_begin(&code);
    asm_put(&code, asm_ADDI(S1, RA, 0));
    asm_put(&code, asm_ANDI(T0, A1, 1));
    asm_put(&code, asm_SLLI(T0, T0, 3));
    asm_put(&code, asm_ADD(T0, T0, A2));
    asm_put(&code, asm_JALR(RA, T0, 0));
    asm_put(&code, asm_ADDI(RA, S1, 0));
    asm_put(&code, ASM_RET);
    for (uint32_t additions = 1; additions <= 2; additions++) {
        asm_function(&code);
        asm_repeat(&code, asm_ADDI(T1, T1, 1), additions);
        asm_put(&code, ASM_RET);
    }
    w.m->arguments[0] = SL_KERNEL_BASE + 4 * 7;
    (void)machine_execute(w.m, &code, 64);
    assert_int_equal(w.m->faults, 0);
    expect_call(&w, 4, 7, 1, 2, 2 * 32);
    expect_call(&w, 4, 9, 1, 3, 3 * 32);
    finish(&w);
}

/* ---- what breaks calls off ---- */

static struct wave *yielded;

static void on_yield(void *owner, struct wave *wave)
{
    (void)owner;
    yielded = wave;
}

/* A wavefront yields within a call and comes again: it is one call, which has all that the yield
 * takes, and nothing of the time between. */
TEST(test_yield)
{
    struct watched w = monitor(MACHINE("gpu.cus=1"));

    w.m->gpu->env.listener.wave_yielded = on_yield;
    yielded = NULL;
    put_kernel();
    asm_put(&code, asm_SL_YIELD(ZERO, ZERO));
    asm_put(&code, ASM_RET);
    machine_load(w.m, &code);
    machine_launch(w.m, 0, 0, 0, 64);
    while (yielded == NULL) {
        fixture_run(w.m->gpu, w.m->gpu->event_queue->next);
    }
    const uint64_t saved = w.m->gpu->event_queue->now;
    const uint32_t block = yielded->block;
    yield_release(yielded);
    fixture_run(w.m->gpu, 5000);
    restart_wave(&w.m->gpu->cus[0], block);
    machine_run(w.m);
    expect_call(&w, SITE, CALLEE, 1, 2, 2 * 64);
    /* It issues at 10 and is over at 14; after the restart come ret, mv and ret. */
    assert_int_equal(find_call(&w, SITE, CALLEE)->cost.cycles[SL_STALL_YIELD],
                     saved - 14 + w.m->waves[0].end_cycle - 3 * 4 - 5000);
    finish(&w);
}

/* A load from nowhere, in a call: it ends there, with two instructions. */
TEST(test_fault)
{
    struct watched w = monitor(MACHINE("gpu.cus=1"));

    put_kernel();
    asm_put(&code, asm_ADDI(T0, ZERO, 0));
    asm_put(&code, asm_LD(T1, T0, 0));
    asm_put(&code, ASM_RET);
    (void)machine_execute(w.m, &code, 64);
    assert_int_equal(w.m->faults, 1);
    const struct sl_kernel_profile_call *call = find_call(&w, SITE, CALLEE);
    assert_int_equal(call->count, 1);
    assert_int_equal(call->cost.wave_instructions, 2);
    assert_int_equal(call->cost.lane_instructions, 2 * 64);
    finish(&w);
}

/* The device is reset while a wavefront is in a call, which ends then. It was launched at 0, jal
 * issued at 6, and the instruction of the function at 10: 3 of its 4 cycles are left out. */
TEST(test_reset)
{
    struct watched w = monitor(MACHINE("gpu.cus=1"));

    put_kernel();
    asm_put(&code, asm_ADDI(T0, ZERO, 0));
    asm_put(&code, ASM_RET);
    machine_load(w.m, &code);
    machine_launch(w.m, 0, 0, 0, 64);
    fixture_run(w.m->gpu, 11);
    fixture_reset(w.m->gpu);
    kernel_laws_end_run(w.laws);
    const struct sl_kernel_profile_call *call = find_call(&w, SITE, CALLEE);
    assert_int_equal(call->count, 1);
    assert_int_equal(call->cost.wave_instructions, 1);
    assert_int_equal(call->cost.cycles[SL_STALL_ISSUE], 1);
    kernel_laws_check(w.laws);
    machine_destroy(w.m);
    kernel_laws_destroy(w.laws);
}
