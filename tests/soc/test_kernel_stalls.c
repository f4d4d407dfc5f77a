/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What wavefronts wait for (hal/regs/stalls.def): kernels with one bottleneck each, and the cycles
 * of each reason, worked out by hand.
 *
 * What holds where a test says nothing else: 1 GHz, one wavefront, which occupies its SIMD unit for
 * 4 cycles with each instruction. It is launched at cycle 0, and its code line is there at 2: these
 * are 2 cycles of fetch at its first instruction. Results of operations are there after 4 cycles,
 * memory answers after 20. A ret issues for 4 cycles, and then nothing is left to wait for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "common/fixture.h"
#include "common/kernel_laws.h"
#include "simt/save/save.h"
#include "soc/machine.h"

static struct asm_code code;

/* A machine whose wavefronts are profiled. */
struct watched {
    struct machine *m;
    struct kernel_laws *laws;
};

static struct watched watch(struct machine *m)
{
    return (struct watched){m, kernel_laws_create(m->gpu, &m->config)};
}

static void finish(struct watched *w)
{
    kernel_laws_end_run(w->laws);
    kernel_laws_check(w->laws);
    machine_destroy(w->m);
    kernel_laws_destroy(w->laws);
}

static const struct sl_kernel_cost *cost_at(const struct watched *w, unsigned instruction)
{
    const struct sl_kernel_profile *profile = kernel_laws_profile(w->laws);

    for (uint64_t i = 0; i < profile->row_count; i++) {
        if (profile->rows[i].pc == SL_KERNEL_BASE + 4 * instruction) {
            assert_int_equal(profile->rows[i].kernel, 0x5eed);
            return &profile->rows[i].cost;
        }
    }
    fail_msg("instruction %u has no row", instruction);
    return NULL;
}

/* An instruction of so many executions waits so long for one thing, and for nothing else. */
static void expect(const struct watched *w, unsigned instruction, uint64_t executions,
                   enum sl_stall stall, uint64_t cycles)
{
    const struct sl_kernel_cost *cost = cost_at(w, instruction);

    assert_int_equal(cost->wave_instructions, executions);
    assert_int_equal(cost->cycles[SL_STALL_ISSUE], 4 * executions);
    for (unsigned other = SL_STALL_ISSUE + 1; other < SL_STALL_COUNT; other++) {
        if (cost->cycles[other] != (other == stall ? cycles : 0)) {
            fail_msg("instruction %u: %llu cycles of reason %u", instruction,
                     (unsigned long long)cost->cycles[other], other);
        }
    }
}

#define EXPECT_NONE(w, instruction) expect(w, instruction, 1, SL_STALL_ISSUE, 0)

/* Additions to one register, with a latency of 10: issue at 2, 12, 22, 32; each but the first has
 * waited for 6 after the 4 of the one before. The ret needs nothing and issues at 36. */
static void test_dependency(void **state)
{
    (void)state;
    struct watched w = watch(MACHINE("gpu.alu_cycles=10"));
    asm_begin(&code);
    asm_repeat(&code, asm_ADDI(T0, T0, 1), 4);
    asm_put(&code, ASM_RET);
    assert_int_equal(machine_execute(w.m, &code, 64)->end_cycle, 40);
    expect(&w, 0, 1, SL_STALL_FETCH, 2);
    for (unsigned i = 1; i < 4; i++) {
        expect(&w, i, 1, SL_STALL_DEPENDENCY, 6);
    }
    EXPECT_NONE(&w, 4);
    finish(&w);
}

/* A use of a load, right behind one that takes `latency` from its issue. */
static void expect_load(struct watched *w, enum sl_stall stall, uint64_t latency)
{
    expect(w, 1, 1, stall, latency - 4);
    EXPECT_NONE(w, 2);
}

static void put_load_and_use(void)
{
    asm_begin(&code);
    asm_put(&code, asm_LD(T0, A2, 0));
    asm_put(&code, asm_ADDI(T1, T0, 1));
    asm_put(&code, ASM_RET);
}

/* Memory flat: the load at 2 is done at 22; the use has waited from 6 on. No L1 has been asked. */
static void test_memory(void **state)
{
    (void)state;
    struct watched w = watch(MACHINE("flat.cu=20ns"));
    w.m->arguments[0] = machine_take(w.m, 64);
    put_load_and_use();
    (void)machine_execute(w.m, &code, 64);
    expect_load(&w, SL_STALL_MEMORY, 20);
    assert_int_equal(cost_at(&w, 0)->line_accesses, 0);
    finish(&w);
}

/* A load on memory moesi, whose line another compute unit, or this one, has loaded or stored before
 * (docs/memory.md): own L1 4, L2 22, DRAM 52, another L1 27. A latency of 4 is over when the issue
 * is; one of 10 is seen. */
static void run_on_moesi(struct watched *w, uint32_t first, uint32_t cu)
{
    w->m->arguments[0] = machine_take(w->m, 64);
    w->m->arguments[1] = machine_take(w->m, 64);
    asm_begin(&code);
    asm_put(&code, asm_LD(T0, A2, 0));
    asm_put(&code, asm_ADDI(T1, T0, 1));
    asm_put(&code, ASM_RET);
    asm_put(&code, first);
    asm_put(&code, ASM_RET);
    machine_load(w->m, &code);
    machine_launch(w->m, cu, 12, 0, 64);
    machine_run(w->m);
    machine_launch(w->m, 0, 0, 0, 64);
    machine_run(w->m);
}

static void test_own_l1(void **state)
{
    (void)state;
    struct watched w = watch(MACHINE("mem.system=moesi", "l1d.cycles=10"));
    run_on_moesi(&w, asm_LD(T2, A2, 0), 0);
    expect_load(&w, SL_STALL_MEMORY_L1, 10);
    assert_int_equal(cost_at(&w, 0)->line_accesses, 1);
    assert_int_equal(cost_at(&w, 0)->l1_misses, 0);
    finish(&w);
}

static void test_dram(void **state)
{
    (void)state;
    struct watched w = watch(MACHINE("mem.system=moesi"));
    run_on_moesi(&w, asm_LD(T2, A3, 0), 0);
    expect_load(&w, SL_STALL_MEMORY_DRAM, 52);
    assert_int_equal(cost_at(&w, 0)->l1_misses, 1);
    assert_int_equal(cost_at(&w, 0)->l2_misses, 1);
    finish(&w);
}

/* The other one has it modified, and sends it. */
static void test_other_l1(void **state)
{
    (void)state;
    struct watched w = watch(MACHINE("mem.system=moesi", "gpu.cus=2"));
    run_on_moesi(&w, asm_SD(ZERO, A2, 0), 1);
    expect_load(&w, SL_STALL_MEMORY_OTHER_L1, 27);
    assert_int_equal(cost_at(&w, 0)->l1_misses, 1);
    assert_int_equal(cost_at(&w, 0)->l2_misses, 0);
    finish(&w);
}

/* The L1 is two lines, of one set: after two other lines, the first one is in the L2 alone. The
 * loads of the first wavefront are three, 64 KiB apart. */
static void test_l2(void **state)
{
    (void)state;
    struct watched w = watch(MACHINE("mem.system=moesi", "l1d.size=128", "l1d.ways=2"));
    w.m->arguments[0] = machine_take(w.m, 256 * 1024);
    asm_begin(&code);
    asm_put(&code, asm_LD(T0, A2, 0));
    asm_put(&code, asm_ADDI(T1, T0, 1));
    asm_put(&code, ASM_RET);
    asm_put(&code, asm_LUI(T1, 16));
    asm_put(&code, asm_LD(T0, A2, 0));
    asm_put(&code, asm_ADD(T2, A2, T1));
    asm_put(&code, asm_LD(T0, T2, 0));
    asm_put(&code, asm_ADD(T2, T2, T1));
    asm_put(&code, asm_LD(T0, T2, 0));
    asm_put(&code, ASM_RET);
    machine_load(w.m, &code);
    machine_launch(w.m, 0, 12, 0, 64);
    machine_run(w.m);
    machine_launch(w.m, 0, 0, 0, 64);
    machine_run(w.m);
    expect_load(&w, SL_STALL_MEMORY_L2, 22);
    finish(&w);
}

/* Two wavefronts on one SIMD unit, three additions each that wait for nothing: they issue in turns,
 * at 2, 6, 10... up to 30. Each instruction of the second one, and all but the first of the first,
 * have waited for the 4 cycles of the other's. */
static void test_no_slot(void **state)
{
    (void)state;
    struct watched w = watch(MACHINE("gpu.simds=1"));
    asm_begin(&code);
    for (unsigned i = 0; i < 3; i++) {
        asm_put(&code, asm_ADDI(S2 + i, ZERO, 1));
    }
    asm_put(&code, ASM_RET);
    machine_load(w.m, &code);
    machine_launch(w.m, 0, 0, 0, 64);
    machine_launch(w.m, 0, 0, 64, 64);
    machine_run(w.m);
    assert_int_equal(w.m->waves[1].end_cycle, 34);
    assert_int_equal(cost_at(&w, 0)->cycles[SL_STALL_FETCH], 2 + 2);
    assert_int_equal(cost_at(&w, 0)->cycles[SL_STALL_NO_SLOT], 4);
    for (unsigned i = 1; i < 4; i++) {
        expect(&w, i, 2, SL_STALL_NO_SLOT, 8);
    }
    finish(&w);
}

/* Two waits between two issues: the load of the first wavefront, at 2, is there at 22; the other
 * wavefront's division, issued at 6 with 32 passes, occupies the SIMD unit until 134. The use has
 * waited from 6 to 22 for memory, and to 134 for a slot. */
static void test_memory_and_then_no_slot(void **state)
{
    (void)state;
    struct watched w = watch(MACHINE("gpu.simds=1", "gpu.div_passes=32"));
    w.m->arguments[0] = machine_take(w.m, 64);
    put_load_and_use();
    asm_put(&code, asm_DIV(T0, A1, A1));
    asm_put(&code, ASM_RET);
    machine_load(w.m, &code);
    machine_launch(w.m, 0, 0, 0, 64);
    machine_launch(w.m, 0, 12, 0, 64);
    machine_run(w.m);
    const struct sl_kernel_cost *use = cost_at(&w, 1);
    assert_int_equal(use->cycles[SL_STALL_MEMORY], 16);
    assert_int_equal(use->cycles[SL_STALL_NO_SLOT], 134 - 22);
    assert_int_equal(cost_at(&w, 3)->cycles[SL_STALL_ISSUE], 128);
    finish(&w);
}

/* The code line behind the first one: 14 instructions issue from 2 to 54, the jump behind them at
 * 58; the line that it goes to, asked for then, is there at 60 or, with a latency of 30, at 88. */
static void test_fetch(void **state)
{
    (void)state;
    struct watched w = watch(MACHINE("flat.cu_fetch=30ns"));
    asm_begin(&code);
    asm_repeat(&code, ASM_NOP, 14);
    asm_to(&code, asm_JAL(ZERO, 0), 1);
    asm_put(&code, ASM_NOP);
    asm_label(&code, 1);
    asm_put(&code, ASM_RET);
    (void)machine_execute(w.m, &code, 64);
    expect(&w, 0, 1, SL_STALL_FETCH, 30);
    expect(&w, 16, 1, SL_STALL_FETCH, 26);
    finish(&w);
}

/* sl.pause at 6, after li at 2, stands back until 106: 96 cycles at what is behind it. */
static void test_pause(void **state)
{
    (void)state;
    struct watched w = watch(MACHINE("gpu.cus=1"));
    asm_begin(&code);
    asm_put(&code, asm_ADDI(T0, ZERO, 100));
    asm_put(&code, asm_SL_PAUSE(T0));
    asm_put(&code, ASM_RET);
    (void)machine_execute(w.m, &code, 64);
    EXPECT_NONE(&w, 1);
    expect(&w, 2, 1, SL_STALL_PAUSE, 96);
    finish(&w);
}

/* With two memory instructions under way at the most, the third of three independent loads, ready
 * at 10, issues when the first one is done, at 22. All are in flight when the ret has issued: the
 * last one, at 22, is done at 42, 12 cycles after the end of the ret at 30. */
static void test_memory_queue(void **state)
{
    (void)state;
    struct watched w = watch(MACHINE("gpu.memory_ops=2"));
    w.m->arguments[0] = machine_take(w.m, 64);
    asm_begin(&code);
    asm_put(&code, asm_LD(T0, A2, 0));
    asm_put(&code, asm_LD(T1, A2, 8));
    asm_put(&code, asm_LD(T2, A2, 16));
    asm_put(&code, ASM_RET);
    assert_int_equal(machine_execute(w.m, &code, 64)->end_cycle, 42);
    EXPECT_NONE(&w, 1);
    expect(&w, 2, 1, SL_STALL_MEMORY_QUEUE, 12);
    expect(&w, 3, 1, SL_STALL_DRAIN, 12);
    finish(&w);
}

/* A fence behind a store at 2, which is done at 22: 16 cycles. */
static void test_order(void **state)
{
    (void)state;
    struct watched w = watch(MACHINE("gpu.cus=1"));
    w.m->arguments[0] = machine_take(w.m, 64);
    asm_begin(&code);
    asm_put(&code, asm_SD(ZERO, A2, 0));
    asm_put(&code, asm_FENCE());
    asm_put(&code, ASM_RET);
    (void)machine_execute(w.m, &code, 64);
    expect(&w, 1, 1, SL_STALL_ORDER, 16);
    finish(&w);
}

static struct wave *yielded;

static void on_yield(void *owner, struct wave *wave)
{
    (void)owner;
    yielded = wave;
}

/* The yield issues at 2 and is over at 6; its wavefront leaves when it is saved, and comes again at
 * cycle 1000. All cycles of the two stays but those of instructions and of the fetch of code are of
 * the yield: at the yield itself while it saves, at the ret while it restores. */
static void test_yield(void **state)
{
    (void)state;
    struct watched w = watch(MACHINE("gpu.cus=1"));
    w.m->gpu->env.listener.wave_yielded = on_yield;
    yielded = NULL;
    asm_begin(&code);
    asm_put(&code, asm_SL_YIELD(ZERO, ZERO));
    asm_put(&code, ASM_RET);
    machine_load(w.m, &code);
    machine_launch(w.m, 0, 0, 0, 64);
    while (yielded == NULL) {
        fixture_run(w.m->gpu, w.m->gpu->wheel->next);
    }
    const uint64_t saved = w.m->gpu->wheel->now;
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
static void test_publication(void **state)
{
    (void)state;
    struct watched w = watch(MACHINE("gpu.cus=1"));
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
static void test_talloc_retry(void **state)
{
    (void)state;
    struct watched w = watch(MACHINE("gpu.cus=1"));
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
static void test_calls(void **state)
{
    (void)state;
    struct watched w = watch(MACHINE("gpu.alu_cycles=10"));
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dependency),   cmocka_unit_test(test_memory),
        cmocka_unit_test(test_own_l1),       cmocka_unit_test(test_l2),
        cmocka_unit_test(test_other_l1),     cmocka_unit_test(test_dram),
        cmocka_unit_test(test_no_slot),      cmocka_unit_test(test_memory_and_then_no_slot),
        cmocka_unit_test(test_fetch),        cmocka_unit_test(test_pause),
        cmocka_unit_test(test_memory_queue), cmocka_unit_test(test_order),
        cmocka_unit_test(test_yield),        cmocka_unit_test(test_publication),
        cmocka_unit_test(test_talloc_retry), cmocka_unit_test(test_calls),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
