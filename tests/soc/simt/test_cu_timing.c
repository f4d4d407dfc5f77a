/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Issue timing of compute units, in cycles that the comment of each test works out by hand.
 *
 * What holds where a test says nothing else: 1 GHz, a wavefront of 64 lanes occupies its SIMD unit
 * of 16 lanes for 4 cycles. A wavefront that is launched at cycle 0 fetches its code line until 2
 * and issues there. Results of operations are there after 4 cycles, products after 16, quotients
 * after 128; a memory access takes effect after 10 cycles and is done after 20, a compute unit
 * sends one cache line a cycle. A wavefront has ended 4 cycles after the issue of its ret, but not
 * before its memory instructions are done. */
#include "common/check.h"
#include "common/fixture.h"
#include "soc/common/machine.h"

#define ADDS 8

static struct asm_code code;

static uint64_t end_of(struct machine *m, uint32_t count)
{
    return machine_execute(m, &code, count)->end_cycle;
}

/* ADDS times t0 += 1, then ret. */
static void put_dependent_adds(void)
{
    asm_begin(&code);
    asm_repeat(&code, asm_ADDI(T0, T0, 1), ADDS);
    asm_put(&code, ASM_RET);
}

/* ADDS additions that have nothing to do with each other, then ret. */
static void put_independent_adds(void)
{
    asm_begin(&code);
    for (unsigned i = 0; i < ADDS; i++) {
        asm_put(&code, asm_ADDI(S2 + i, ZERO, 1));
    }
    asm_put(&code, ASM_RET);
}

/* Default latency: issue at 2, 6, ... 30; ret at 34; end at 38.
 * Latency 10: issue at 2, 12, ... 72; ret needs nothing and issues at 76; end at 80. */
TEST(test_dependent_adds)
{
    struct machine *m = MACHINE("gpu.alu_cycles=4");
    put_dependent_adds();
    assert_int_equal(end_of(m, 64), 38);
    assert_int_equal(m->waves[0].x[T0][63], ADDS);
    assert_int_equal(cu_wave_instructions(&m->counters), ADDS + 1);
    machine_destroy(m);

    m = MACHINE("gpu.alu_cycles=10");
    put_dependent_adds();
    assert_int_equal(end_of(m, 64), 80);
    machine_destroy(m);
}

/* Whatever the latency, one instruction every 4 cycles: ret at 34; end at 38. Half a wavefront
 * takes as long. */
TEST(test_independent_adds)
{
    struct machine *m = MACHINE("gpu.alu_cycles=10");
    put_independent_adds();
    assert_int_equal(end_of(m, 64), 38);
    machine_destroy(m);

    m = MACHINE("gpu.alu_cycles=10");
    put_independent_adds();
    assert_int_equal(end_of(m, 20), 38);
    assert_int_equal(cu_lane_instructions(&m->counters), 20 * (ADDS + 1));
    machine_destroy(m);
}

/* Launches wavefronts of the code all at cycle 0 on compute unit 0. */
static void run_many(struct machine *m, unsigned count)
{
    machine_load(m, &code);
    for (unsigned i = 0; i < count; i++) {
        machine_launch(m, 0, 0, i * 64, 64);
    }
    machine_run(m);
}

/* One SIMD unit, two wavefronts by turns: the first issues at 2, 10, ... 66 and ends at 70, the
 * other at 6, 14, ... 70 and ends at 74. */
TEST(test_two_wavefronts_on_one_simd)
{
    struct machine *m = MACHINE("gpu.simds=1");
    put_dependent_adds();
    run_many(m, 2);
    assert_int_equal(m->waves[0].end_cycle, 70);
    assert_int_equal(m->waves[1].end_cycle, 74);
    machine_destroy(m);
}

/* Latency 10: alone each would issue at 2, 12, ...; the other fills the gaps at 6, 16, ... At 76
 * the ret of the first and the last addition of the second are both ready; the first issued last
 * (72), so the second goes: ret of the first at 80, end at 84; ret of the second at 84, end at 88.
 */
TEST(test_wavefronts_hide_latency)
{
    struct machine *m = MACHINE("gpu.simds=1", "gpu.alu_cycles=10");
    put_dependent_adds();
    run_many(m, 2);
    assert_int_equal(m->waves[0].end_cycle, 84);
    assert_int_equal(m->waves[1].end_cycle, 88);
    machine_destroy(m);
}

/* Round robin over three: 9 instructions each, one every 12 cycles: wavefront i issues at 2 + 4 i,
 * ret 96 later. */
TEST(test_round_robin_of_three)
{
    struct machine *m = MACHINE("gpu.simds=1");
    put_dependent_adds();
    run_many(m, 3);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(m->waves[i].end_cycle, 2 + 4 * i + 96 + 4);
    }
    machine_destroy(m);
}

/* Four SIMD units: four wavefronts do not meet (end at 38); the fifth shares unit 0 with the first
 * (70 and 74); with eight, all share (70 and 74). */
TEST(test_wavefronts_on_four_simds)
{
    static const struct {
        unsigned count;
        uint64_t end[8];
    } cases[] = {
        {4, {38, 38, 38, 38}},
        {5, {70, 38, 38, 38, 74}},
        {8, {70, 70, 70, 70, 74, 74, 74, 74}},
    };

    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        struct machine *m = MACHINE("gpu.simds=4");
        put_dependent_adds();
        run_many(m, cases[c].count);
        for (unsigned i = 0; i < cases[c].count; i++) {
            assert_int_equal(m->waves[i].end_cycle, cases[c].end[i]);
            assert_int_equal(m->waves[i].context,
                             i); /* of the unit's: context i is on unit i % 4 */
        }
        assert_int_equal(m->gpu->env.activity->resident_max, cases[c].count);
        machine_destroy(m);
    }
}

/* mul at 2; what needs the product issues at 18; ret at 22; end at 26. Three independent additions
 * at 6, 10 and 14 change nothing; five, up to 22, do: the use at 26, ret at 30, end at 34. */
TEST(test_multiplication)
{
    static const struct {
        unsigned fill;
        uint64_t end;
    } cases[] = {{0, 26}, {3, 26}, {5, 34}};

    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        struct machine *m = MACHINE("gpu.mul_cycles=16");
        asm_begin(&code);
        asm_put(&code, asm_MUL(T0, A1, A1));
        for (unsigned i = 0; i < cases[c].fill; i++) {
            asm_put(&code, asm_ADDI(S2 + i, ZERO, 1));
        }
        asm_put(&code, asm_ADD(T1, T0, A1));
        asm_put(&code, ASM_RET);
        assert_int_equal(end_of(m, 64), cases[c].end);
        assert_int_equal(m->waves[0].x[T1][9], 90);
        machine_destroy(m);
    }
}

/* div at 2, its use at 130, ret at 134, end at 138. As second operand too. */
TEST(test_division)
{
    for (unsigned second = 0; second < 2; second++) {
        struct machine *m = MACHINE("gpu.div_cycles=128");
        asm_begin(&code);
        asm_put(&code, asm_DIVU(T0, A1, A1));
        asm_put(&code, second ? asm_ADD(T1, A1, T0) : asm_ADD(T1, T0, A1));
        asm_put(&code, ASM_RET);
        assert_int_equal(end_of(m, 64), 138);
        machine_destroy(m);
    }
}

/* Scoreboard, write after write: the addition to the quotient's register waits for 130 though it
 * does not read it; ret at 134, end at 138; the later value stays. Into x0 nothing is pending: the
 * second one, at 6; ret at 10; end at 14. */
TEST(test_write_after_write)
{
    struct machine *m = MACHINE("gpu.div_cycles=128");
    asm_begin(&code);
    asm_put(&code, asm_DIVU(T0, A1, A1));
    asm_put(&code, asm_ADDI(T0, ZERO, 5));
    asm_put(&code, ASM_RET);
    assert_int_equal(end_of(m, 64), 138);
    assert_int_equal(m->waves[0].x[T0][1], 5);
    machine_destroy(m);

    m = MACHINE("gpu.div_cycles=128");
    asm_begin(&code);
    asm_put(&code, asm_DIVU(ZERO, A1, A1));
    asm_put(&code, asm_ADDI(ZERO, ZERO, 5));
    asm_put(&code, ASM_RET);
    assert_int_equal(end_of(m, 64), 14);
    assert_int_equal(m->waves[0].x[ZERO][1], 0);
    machine_destroy(m);
}

/* pause at 2 stands back for 16 cycles: no-op at 18, ret at 22, end at 26. With 0 cycles sl.pause
 * is a no-op of 4: 2, 6, 10; end at 14. */
TEST(test_pause)
{
    for (unsigned counted = 0; counted < 2; counted++) {
        struct machine *m = MACHINE("gpu.pause_cycles=16");
        asm_begin(&code);
        asm_put(&code, counted ? asm_SL_PAUSE(ZERO) : asm_PAUSE());
        asm_put(&code, ASM_NOP);
        asm_put(&code, ASM_RET);
        assert_int_equal(end_of(m, 64), counted ? 14 : 26);
        machine_destroy(m);
    }
}

/* sl.pause takes the number of the lowest active lane, up to 4096. The registers at 2 and 6,
 * sl.pause at 10; ret at 10 + n, end at 14 + n. */
TEST(test_counted_pause)
{
    static const struct {
        int32_t cycles;
        uint64_t end;
    } cases[] = {{100, 114}, {4095, 4109}, {4096, 4110}, {2000000, 4110}, {-1, 4110}};

    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        struct machine *m = MACHINE("gpu.pause_cycles=16");
        asm_begin(&code);
        asm_li(&code, T0, cases[c].cycles);
        asm_put(&code, asm_SL_PAUSE(T0));
        asm_put(&code, ASM_RET);
        assert_int_equal(end_of(m, 64), cases[c].end);
        machine_destroy(m);
    }

    /* Lane i asks for 50 + i (2 and 6): lane 0 is asked. */
    struct machine *m = MACHINE("gpu.pause_cycles=16");
    asm_begin(&code);
    asm_put(&code, ASM_NOP);
    asm_put(&code, asm_ADDI(T0, A1, 50));
    asm_put(&code, asm_SL_PAUSE(T0));
    asm_put(&code, ASM_RET);
    assert_int_equal(end_of(m, 64), 64);
    machine_destroy(m);
}

/* Who pauses lets others go: wavefront 0 issues pause at 2 and ret at 18, end at 22. Wavefront 1,
 * on the same unit, issues additions at 6, 10, 14, then, because 18 is taken, at 22 to 38; ret at
 * 42, end at 46. */
TEST(test_pause_lets_others_go)
{
    struct machine *m = MACHINE("gpu.simds=1");
    put_dependent_adds();
    uint32_t second = asm_here(&code);
    asm_put(&code, asm_PAUSE());
    asm_put(&code, ASM_RET);
    machine_load(m, &code);
    machine_launch(m, 0, second, 0, 64);
    machine_launch(m, 0, 0, 0, 64);
    machine_run(m);
    assert_int_equal(m->waves[0].end_cycle, 22);
    assert_int_equal(m->waves[1].end_cycle, 46);
    machine_destroy(m);
}

/* Three rounds of addi, what `inside` says, pause and bne, of 40 lanes, then a pause elsewhere.
 * From one pause of the loop to the next there are four instructions, of which the second pause is
 * the last: with two such ways, 8 only wait, and none where each round stores or has an atomic. The
 * units are occupied for 4 cycles by each of the 15 instructions. */
TEST(test_waiting)
{
    const struct {
        uint32_t inside;
        uint64_t waiting;
    } cases[] = {
        {ASM_NOP, 8},
        {asm_LD(T1, A2, 0), 8},
        {asm_SD(T1, A2, 0), 0},
        {asm_AMOADD_D(T1, A1, A2), 0},
    };

    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        struct machine *m = MACHINE("gpu.pause_cycles=16");
        m->arguments[0] = machine_take(m, 64);
        asm_begin(&code);
        asm_put(&code, asm_ADDI(T0, ZERO, 3));
        asm_label(&code, 0);
        asm_put(&code, asm_ADDI(T0, T0, -1));
        asm_put(&code, cases[c].inside);
        asm_put(&code, asm_PAUSE());
        asm_to(&code, asm_BNE(T0, ZERO, 0), 0);
        asm_put(&code, asm_PAUSE());
        asm_put(&code, ASM_RET);
        (void)end_of(m, 40);
        for (unsigned lanes = 0; lanes <= SL_LANES_MAX; lanes++) {
            assert_int_equal(m->counters.waiting[lanes], lanes == 40 ? cases[c].waiting : 0);
            assert_int_equal(m->counters.instructions[lanes], lanes == 40 ? 15 : 0);
        }
        assert_int_equal(m->counters.issue_cycles, 15 * 4);
        machine_destroy(m);
    }
}

/* A line of code holds 16 instructions. The next line is asked for when the 16th issues (2 + 60 =
 * 62 with the default, which hides its 2 cycles: ret at 66, end at 70). With 10 cycles: the first
 * line at 10, the 16th instruction at 70, ret at 80, end at 84. With none, the first instruction
 * issues in the cycle after the launch: end at 69. */
TEST(test_fetch_at_a_line_change)
{
    static const char *const settings[] = {"flat.cu_fetch=2ns", "flat.cu_fetch=10ns",
                                           "flat.cu_fetch=0ns"};
    static const uint64_t ends[] = {70, 84, 69};

    for (unsigned c = 0; c < 3; c++) {
        struct machine *m = MACHINE(settings[c]);
        asm_begin(&code);
        asm_repeat(&code, ASM_NOP, 16);
        asm_put(&code, ASM_RET);
        assert_int_equal(end_of(m, 64), ends[c]);
        assert_int_equal(m->counters.fetches, 2);
        machine_destroy(m);
    }
}

/* A loop inside a line is fetched once; one over two lines twice a trip. Three trips of 3 and 18
 * instructions. */
TEST(test_fetches_of_loops)
{
    for (unsigned fill = 1; fill <= 16; fill += 15) {
        struct machine *m = MACHINE("flat.cu_fetch=2ns");
        asm_begin(&code);
        asm_put(&code, asm_ADDI(T0, ZERO, 3));
        asm_label(&code, 0);
        asm_put(&code, asm_ADDI(T0, T0, -1));
        asm_repeat(&code, ASM_NOP, fill);
        asm_to(&code, asm_BNE(T0, ZERO, 0), 0);
        asm_put(&code, ASM_RET);
        (void)end_of(m, 64);
        assert_int_equal(m->counters.fetches, fill == 1 ? 1 : 6);
        assert_int_equal(cu_wave_instructions(&m->counters), 1 + 3 * (fill + 2) + 1);
        machine_destroy(m);
    }
}

/* Occupancy is lanes / SIMD lanes, at least 1. Independent: 2 + 8 x it for ret, + it for the end.
 * Dependent: an addition every 4 cycles (the last at 30), then ret. */
TEST(test_wavefront_sizes)
{
    static const struct {
        const char *lanes;
        const char *simd_lanes;
        uint32_t count;
        uint64_t independent;
        uint64_t dependent;
    } cases[] = {
        {"gpu.lanes=32", "gpu.simd_lanes=16", 32, 20, 34},
        {"gpu.lanes=16", "gpu.simd_lanes=16", 16, 11, 32},
        {"gpu.lanes=64", "gpu.simd_lanes=32", 64, 20, 34},
        {"gpu.lanes=64", "gpu.simd_lanes=64", 64, 11, 32},
        {"gpu.lanes=64", "gpu.simd_lanes=8", 64, 74, 74},
    };

    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        struct machine *m = MACHINE(cases[c].lanes, cases[c].simd_lanes);
        put_independent_adds();
        assert_int_equal(end_of(m, cases[c].count), cases[c].independent);
        machine_destroy(m);
        m = MACHINE(cases[c].lanes, cases[c].simd_lanes);
        put_dependent_adds();
        assert_int_equal(end_of(m, cases[c].count), cases[c].dependent);
        machine_destroy(m);
    }
}

/* ld, use, ret issue at 2, 22 and 26: active for 12 cycles up to 30, stalled for 18 (0 to 2 and 6
 * to 22). Up to cycle 50 nothing is resident: blocked for 20. A second wavefront on another unit
 * sends its line a cycle later: use at 23, ret at 27, end at 31; one of them is active from 22
 * to 31. */
TEST(test_account_of_time)
{
    static const uint64_t active[] = {12, 13};
    static const uint64_t blocked[] = {20, 19};

    for (unsigned waves = 1; waves <= 2; waves++) {
        struct machine *m = MACHINE("gpu.simds=4");
        m->arguments[0] = machine_take(m, 64);
        asm_begin(&code);
        asm_put(&code, asm_LD(T0, A2, 0));
        asm_put(&code, asm_ADDI(T1, T0, 1));
        asm_put(&code, ASM_RET);
        run_many(m, waves);
        fixture_run(m->gpu, 50);
        activity_account(m->gpu->env.activity, 50);
        assert_int_equal(m->gpu->env.activity->active_cycles, active[waves - 1]);
        assert_int_equal(m->gpu->env.activity->stalled_cycles, 18);
        assert_int_equal(m->gpu->env.activity->blocked_cycles, blocked[waves - 1]);
        machine_destroy(m);
    }
}
