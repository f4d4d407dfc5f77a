/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What wavefronts wait for (hal/contract/stalls.def): kernels with one bottleneck each, and the
 * cycles of each reason, worked out by hand.
 *
 * What holds where a test says nothing else: 1 GHz, one wavefront, which occupies its SIMD unit for
 * 4 cycles with each instruction. It is launched at cycle 0, and its code line is there at 2: these
 * are 2 cycles of fetch at its first instruction. Results of operations are there after 4 cycles,
 * memory answers after 20. A ret issues for 4 cycles, and then nothing is left to wait for. */
#include "common/check.h"
#include "soc/observers/kernel_costs.h"

static struct asm_code code;

/* Additions to one register, with a latency of 10: issue at 2, 12, 22, 32; each but the first has
 * waited for 6 after the 4 of the one before. The ret needs nothing and issues at 36. */
TEST(test_dependency)
{
    struct watched w = monitor(MACHINE("gpu.alu_cycles=10"));
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
TEST(test_memory)
{
    struct watched w = monitor(MACHINE("flat.cu=20ns"));
    w.m->arguments[0] = machine_take(w.m, 64);
    put_load_and_use();
    (void)machine_execute(w.m, &code, 64);
    expect_load(&w, SL_STALL_MEMORY, 20);
    assert_int_equal(cost_at(&w, 0)->line_accesses, 0);
    finish(&w);
}

/* A load on memory moesi, whose line another compute unit, or this one, has loaded or stored before
 * (docs/look-up/memory-moesi.md): own L1 4, L2 22, DRAM 52, another L1 27. A latency of 4 is over
 * when the issue is; one of 10 is seen. */
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

TEST(test_own_l1)
{
    struct watched w = monitor(MACHINE("mem.system=moesi", "l1d.cycles=10"));
    run_on_moesi(&w, asm_LD(T2, A2, 0), 0);
    expect_load(&w, SL_STALL_MEMORY_L1, 10);
    assert_int_equal(cost_at(&w, 0)->line_accesses, 1);
    assert_int_equal(cost_at(&w, 0)->l1_misses, 0);
    finish(&w);
}

TEST(test_dram)
{
    struct watched w = monitor(MACHINE("mem.system=moesi"));
    run_on_moesi(&w, asm_LD(T2, A3, 0), 0);
    expect_load(&w, SL_STALL_MEMORY_DRAM, 52);
    assert_int_equal(cost_at(&w, 0)->l1_misses, 1);
    assert_int_equal(cost_at(&w, 0)->l2_misses, 1);
    finish(&w);
}

/* The other one has it modified, and sends it. */
TEST(test_other_l1)
{
    struct watched w = monitor(MACHINE("mem.system=moesi", "gpu.cus=2"));
    run_on_moesi(&w, asm_SD(ZERO, A2, 0), 1);
    expect_load(&w, SL_STALL_MEMORY_OTHER_L1, 27);
    assert_int_equal(cost_at(&w, 0)->l1_misses, 1);
    assert_int_equal(cost_at(&w, 0)->l2_misses, 0);
    finish(&w);
}

/* The L1 is two lines, of one set: after two other lines, the first one is in the L2 alone. The
 * loads of the first wavefront are three, 64 KiB apart. */
TEST(test_l2)
{
    struct watched w = monitor(MACHINE("mem.system=moesi", "l1d.size=128", "l1d.ways=2"));
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
TEST(test_no_slot)
{
    struct watched w = monitor(MACHINE("gpu.simds=1"));
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
TEST(test_memory_and_then_no_slot)
{
    struct watched w = monitor(MACHINE("gpu.simds=1", "gpu.div_passes=32"));
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
TEST(test_fetch)
{
    struct watched w = monitor(MACHINE("flat.cu_fetch=30ns"));
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
TEST(test_pause)
{
    struct watched w = monitor(MACHINE("gpu.cus=1"));
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
TEST(test_memory_queue)
{
    struct watched w = monitor(MACHINE("gpu.memory_ops=2"));
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
TEST(test_order)
{
    struct watched w = monitor(MACHINE("gpu.cus=1"));
    w.m->arguments[0] = machine_take(w.m, 64);
    asm_begin(&code);
    asm_put(&code, asm_SD(ZERO, A2, 0));
    asm_put(&code, asm_FENCE());
    asm_put(&code, ASM_RET);
    (void)machine_execute(w.m, &code, 64);
    expect(&w, 1, 1, SL_STALL_ORDER, 16);
    finish(&w);
}

/* Launches with LDS, alone or as a work-group of two wavefronts. */
static void launch_with_lds(const struct watched *w, uint32_t wavefronts)
{
    const struct group_range range = {
        .grid = {64 * wavefronts, 1, 1}, .size = {64 * wavefronts, 1, 1}, .number = {1, 1, 1}};
    const uint32_t id[3] = {0, 0, 0};
    const struct wave_launch launch = {.index_mask = UINT32_MAX, .kernel = 0x5eed};

    machine_load(w->m, &code);
    (void)cu_launch_group(&w->m->gpu->cus[0], &range, id, 4096, &launch, 0);
    machine_run(w->m);
}

/* A load of one word of LDS by all lanes takes two bank cycles, at 6 and 7, of 32 banks, and is
 * there 4 cycles after the second one, at 11; with a latency of 20 at 27. Its use has waited from
 * 10 on. */
TEST(test_lds)
{
    struct watched w = monitor(MACHINE("gpu.lds_cycles=20"));
    asm_begin(&code);
    asm_put(&code, asm_LUI(T0, SL_LDS_BASE >> 12));
    asm_put(&code, asm_LW(T1, T0, 0));
    asm_put(&code, asm_ADDI(T1, T1, 1));
    asm_put(&code, ASM_RET);
    launch_with_lds(&w, 1);
    expect(&w, 2, 1, SL_STALL_LDS, 17);
    finish(&w);
}

/* Two wavefronts on SIMD units of their own meet. Number 0 comes to the barrier at 10, number 1
 * pauses for 100 cycles before it, and comes at 114. Number 0 has waited there from 14 to 114. From
 * 114 on both wait for 10 cycles (gpu.barrier_cycles) at what is behind, of which number 1's
 * barrier issues for 4: 10 and 6.
 *
 *     2 sl.id   6 beq   10 barrier, or li   14 pause until 114   114 barrier   124 ret */
TEST(test_barrier)
{
    struct watched w = monitor(MACHINE("gpu.barrier_cycles=10"));
    asm_begin(&code);
    asm_put(&code, asm_SL_ID(T0, SL_ID_WAVEFRONT));
    asm_to(&code, asm_BEQ(T0, ZERO, 0), 1);
    asm_put(&code, asm_ADDI(T1, ZERO, 100));
    asm_put(&code, asm_SL_PAUSE(T1));
    asm_label(&code, 1);
    asm_put(&code, asm_SL_BARRIER());
    asm_put(&code, ASM_RET);
    launch_with_lds(&w, 2);
    expect(&w, 3, 1, SL_STALL_ISSUE, 0);
    const struct sl_kernel_cost *barrier = cost_at(&w, 4);
    assert_int_equal(barrier->cycles[SL_STALL_BARRIER], 100);
    assert_int_equal(barrier->cycles[SL_STALL_PAUSE], 96);
    expect(&w, 5, 2, SL_STALL_BARRIER, 10 + 6);
    assert_int_equal(w.m->counters.barrier_wait_cycles, 104);
    finish(&w);
}
