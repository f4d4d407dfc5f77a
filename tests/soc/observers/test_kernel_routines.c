/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What wavefronts wait for in the routines of channels and in yields, and what calls cost: cycles
 * of each reason, worked out by hand. What holds where a test says nothing else is as in
 * test_kernel_stalls.c. */
#include "common/check.h"
#include "common/fixture.h"
#include "simt/context/context.h"
#include "soc/observers/kernel_costs.h"

static struct asm_code code;

static struct wave *yielded;

static void on_yield(void *owner, struct wave *wave)
{
    (void)owner;
    yielded = wave;
}

/* The yield issues at 2 and is over at 6; its wavefront leaves when it is saved, and comes again at
 * cycle 1000. All cycles of the two stays but those of instructions and of the fetch of code are of
 * the yield: at the yield itself while it saves, at the ret while it restores. */
TEST(test_yield)
{
    struct watched w = monitor(MACHINE("gpu.cus=1"));
    w.m->gpu->env.listener.wave_yielded = on_yield;
    yielded = NULL;
    asm_begin(&code);
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
    fixture_run(w.m->gpu, 1000);
    restart_wave(&w.m->gpu->cus[0], block);
    machine_run(w.m);
    assert_int_equal(cost_at(&w, 0)->cycles[SL_STALL_FETCH], 2);
    assert_int_equal(cost_at(&w, 0)->cycles[SL_STALL_YIELD], saved - 6);
    expect(&w, 1, 1, SL_STALL_YIELD, w.m->waves[0].end_cycle - 4 - 1000);
    assert_true(saved > 100);
    finish(&w);
}

/* Publication as in sl_enq: its turn has not come at 6, so it pauses at 10 for 100 cycles, and
 * looks again. What is between the issue of the pause and that of the store that releases is
 * publication, but for issues: loop of load (acquire), branch, pause, jump; it comes round once
 * more, and then the load finds what it waits for, which the test writes meanwhile.
 *
 *     2 addi   6 load, done 26   26 bne   30 pause until 130   130 j   134 load, done 154
 *     154 bne   158 store, whose issue ends the wait
 *
 * publish_wait_cycles is 158 - 30 = 128, of which the pause, j, load and bne issue for 16. The
 * first load's 16 cycles are memory's, at the branch. */
TEST(test_publication)
{
    struct watched w = monitor(MACHINE("gpu.cus=1"));
    w.m->arguments[0] = machine_take(w.m, 64);
    asm_begin(&code);
    asm_put(&code, asm_ADDI(T0, ZERO, 100));
    asm_label(&code, 1);
    asm_put(&code, asm_LD(T1, A2, 0));
    asm_to(&code, asm_BNE(T1, ZERO, 0), 2);
    asm_put(&code, asm_SL_PAUSE_TURN(T0));
    asm_to(&code, asm_JAL(ZERO, 0), 1);
    asm_label(&code, 2);
    asm_put(&code, asm_SL_STORE(ZERO, A2) | ASM_SCOPE(8, SL_SCOPE_DEVICE) | ASM_RL);
    asm_put(&code, ASM_RET);
    machine_load(w.m, &code);
    machine_launch(w.m, 0, 0, 0, 64);
    fixture_run(w.m->gpu, 60);
    *(uint64_t *)machine_at(w.m, w.m->arguments[0]) = 1;
    machine_run(w.m);
    const struct sl_kernel_cost sum = kernel_laws_sum(w.laws);
    assert_int_equal(w.m->counters.publish_wait_cycles, 128);
    assert_int_equal(sum.cycles[SL_STALL_PUBLICATION], 128 - 16);
    assert_int_equal(sum.cycles[SL_STALL_PAUSE], 0);
    assert_int_equal(cost_at(&w, 4)->cycles[SL_STALL_PUBLICATION], 96);
    assert_int_equal(cost_at(&w, 2)->cycles[SL_STALL_PUBLICATION], 16);
    assert_int_equal(cost_at(&w, 2)->cycles[SL_STALL_MEMORY], 16);
    finish(&w);
}

/* sl_talloc's loop, whose first sc is lost because there was no lr before it: sc at 2, done at 22,
 * tells so to the branch, which has waited for 16 cycles of memory. From then on it is a retry: lr
 * at 26, done at 46, sc at 30 waits for it (its operand) until 46, and the branch for that until
 * 66: twice 16 cycles less 4 of the addi in between. */
TEST(test_talloc_retry)
{
    struct watched w = monitor(MACHINE("gpu.cus=1"));
    const uint64_t channel = machine_take(w.m, sizeof(struct sl_channel));
    w.m->gpu->env.cas_base = channel;
    w.m->gpu->env.cas_limit = channel + sizeof(struct sl_channel);
    w.m->arguments[0] = channel + offsetof(struct sl_channel, data_tail);
    asm_begin(&code);
    asm_to(&code, asm_JAL(ZERO, 0), 2);
    asm_label(&code, 1);
    asm_put(&code, asm_LR_D(T1, ZERO, A2));
    asm_put(&code, asm_ADDI(T2, T1, 1));
    asm_label(&code, 2);
    asm_put(&code, asm_SC_D(T0, T2, A2));
    asm_to(&code, asm_BNE(T0, ZERO, 0), 1);
    asm_put(&code, asm_ADDI(T3, T3, 1));
    asm_put(&code, ASM_RET);
    (void)machine_execute(w.m, &code, 1);
    assert_int_equal(w.m->counters.cas_attempts, 2);
    assert_int_equal(w.m->counters.cas_failures, 1);
    assert_int_equal(cost_at(&w, 4)->cycles[SL_STALL_MEMORY], 16);
    assert_int_equal(cost_at(&w, 4)->cycles[SL_STALL_TALLOC_RETRY], 16);
    assert_int_equal(cost_at(&w, 2)->cycles[SL_STALL_TALLOC_RETRY], 16);
    EXPECT_NONE(&w, 5);
    finish(&w);
}

/* A call, twice from one place, of a function that calls another: counts, and what the calls cost
 * from their first instruction on.
 *
 *     main:   mv s1, ra; li s0, 2; 1: jal f; addi s0, -1; bnez s0, 1b; mv ra, s1; ret
 *     f:      mv s2, ra; jal g; mv ra, s2; ret
 *     g:      addi; addi; ret
 *
 * g is three instructions, f four and g's. */
TEST(test_calls)
{
    struct watched w = monitor(MACHINE("gpu.alu_cycles=10"));
    asm_begin(&code);
    asm_put(&code, asm_ADDI(S1, RA, 0));
    asm_put(&code, asm_ADDI(S0, ZERO, 2));
    asm_label(&code, 1);
    asm_to(&code, asm_JAL(RA, 0), 2);
    asm_put(&code, asm_ADDI(S0, S0, -1));
    asm_to(&code, asm_BNE(S0, ZERO, 0), 1);
    asm_put(&code, asm_ADDI(RA, S1, 0));
    asm_put(&code, ASM_RET);
    asm_function(&code);
    asm_label(&code, 2);
    asm_put(&code, asm_ADDI(S2, RA, 0));
    asm_to(&code, asm_JAL(RA, 0), 3);
    asm_put(&code, asm_ADDI(RA, S2, 0));
    asm_put(&code, ASM_RET);
    asm_function(&code);
    asm_label(&code, 3);
    asm_put(&code, asm_ADDI(T0, ZERO, 1));
    asm_put(&code, asm_ADDI(T0, T0, 1));
    asm_put(&code, ASM_RET);
    (void)machine_execute(w.m, &code, 64);
    const struct sl_kernel_profile *profile = kernel_laws_profile(w.laws);
    assert_int_equal(profile->call_count, 2);
    for (unsigned i = 0; i < 2; i++) {
        const struct sl_kernel_profile_call *call = &profile->calls[i];
        const bool is_g = call->site == SL_KERNEL_BASE + 4 * 8;
        assert_int_equal(call->site, SL_KERNEL_BASE + 4 * (is_g ? 8 : 2));
        assert_int_equal(call->callee, SL_KERNEL_BASE + 4 * (is_g ? 11 : 7));
        assert_int_equal(call->count, 2);
        assert_int_equal(call->cost.wave_instructions, is_g ? 6 : 14);
        assert_int_equal(call->cost.cycles[SL_STALL_ISSUE], is_g ? 24 : 56);
        /* g: its second addition waits for the first. */
        if (is_g) {
            assert_int_equal(call->cost.cycles[SL_STALL_DEPENDENCY], 2 * 6);
        }
    }
    finish(&w);
}
