/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* LDS: bank conflicts in cycles, the limit of a work-group's share, and its place.
 *
 * All cycle counts are of one CU with one wavefront of 64 lanes, 4 cycles per instruction, an ALU
 * latency of 4, 2 cycles for the code line, and the defaults of gpu.lds_*: 32 banks, latency 4. The
 * doorbell rings at cycle 0; the wavefront is launched at 8 (gpu.packet_cycles), and its line is
 * there at 10. The program's instructions and when they issue:
 *
 *     10  sl.id t0, local x
 *     14  t0 = byte address, from the lane number
 *     18  lui   t1, LDS
 *     22  add   t0, t0, t1
 *     26  lw    t2, 0(t0)     c bank cycles: takes effect at 26 + c - 1, done at 26 + c - 1 + 4
 *     29 + c  addi t2, t2, 1  (30 at least)
 *     33 + c  ret             ends 4 later: 37 + c */
#include <string.h>

#include "common/check.h"
#include "soc/common/instruction_words.h"
#include "soc/common/ndrange_machine.h"

static const char *const one_cu[] = {"gpu.cus=1", NULL};
static const uint32_t wavefront[3] = {64, 1, 1};

/* Runs `access`, whose address is in t0: there `place` has put a byte offset, computed from the
 * lane number in t0. Returns the last cycle. */
static uint64_t run(const char *const *settings, uint32_t place, uint32_t access,
                    struct cu_counters *counters)
{
    struct ndrange_machine *m = ndrange_create(settings);
    const uint32_t words[] = {
        SL_ID(T0, SL_ID_LOCAL), place, LUI(T1, LDS_UPPER), ADD(T0, T0, T1), access,
        ADDI(T2, T2, 1),        RET,
    };
    const struct ndrange_kernel kernel = {.entry = SL_KERNEL_BASE, .registers = 8};
    ndrange_assemble(m, words, sizeof words / sizeof words[0], SIZE_MAX, 0);
    ndrange_dispatch(m, &kernel, wavefront, wavefront, 65536);
    const uint64_t last = ndrange_run(m);
    assert_int_equal(ndrange_faults(m), 0);
    assert_int_equal(ndrange_completions(m), 1);
    assert_int_equal(m->completions[0].time_ps, last * 1000);
    assert_int_equal(m->counters.lds_accesses, 1);
    *counters = m->counters;
    ndrange_destroy(m);
    return last;
}

static void expect(uint32_t place, uint32_t access, uint64_t cycles, uint64_t conflict_cycles)
{
    struct cu_counters counters;
    const uint64_t last = run(one_cu, place, access, &counters);
    assert_int_equal(counters.lds_cycles, cycles);
    assert_int_equal(counters.lds_conflict_cycles, conflict_cycles);
    assert_int_equal(last, 37 + cycles);
}

/* Words side by side: 32 lanes use each bank once, twice 32 lanes. */
TEST(test_unit_stride)
{
    expect(SLLI(T0, T0, 2), LW(T2, T0, 0), 2, 0);
}

/* Every other word: 32 lanes use 16 banks twice. */
TEST(test_two_way)
{
    expect(SLLI(T0, T0, 3), LW(T2, T0, 0), 4, 2);
}

/* Nothing waits for a store's 5 to 67 cycles but the wavefront's end: the addition issues at 30,
 * the return at 34. */
TEST(test_stores)
{
    struct cu_counters counters;
    assert_int_equal(run(one_cu, SLLI(T0, T0, 3), SW(T2, T0, 0), &counters), 38);
    assert_int_equal(counters.lds_cycles, 4);
    assert_int_equal(run(one_cu, SLLI(T0, T0, 7), SW(T2, T0, 0), &counters), 26 + 63 + 4);
    assert_int_equal(counters.lds_cycles, 64);
    /* The last lane to store the same word wins: no word is stored twice. */
    assert_int_equal(run(one_cu, ANDI(T0, T0, 0), SW(T2, T0, 0), &counters), 38);
    assert_int_equal(counters.lds_cycles, 2);
}

/* 128 bytes apart: 32 lanes use one bank. 32 words need one cycle at least, twice. */
TEST(test_32_way)
{
    expect(SLLI(T0, T0, 7), LW(T2, T0, 0), 64, 62);
}

/* All lanes load one word, or four lanes each: as good as one lane. */
TEST(test_broadcast)
{
    expect(ANDI(T0, T0, 0), LW(T2, T0, 0), 2, 0);
    expect(ADDI(T0, T0, 0), LB(T2, T0, 0), 2, 0);
}

/* But atomics on one word come one after the other; on words of their own they need not. */
TEST(test_atomics)
{
    expect(ANDI(T0, T0, 0), AMOADD_W(T2, T0, T1), 64, 62);
    expect(SLLI(T0, T0, 2), AMOADD_W(T2, T0, T1), 2, 0);
}

/* 8 bytes a lane: 64 words of 32 banks, 2 cycles for 32 lanes, no conflict. */
TEST(test_double)
{
    expect(SLLI(T0, T0, 3), LD(T2, T0, 0), 4, 0);
}

/* 16 banks serve 16 lanes at a time: unit stride takes 4 times 1 cycle, and a latency of 10 comes
 * on top of the 3 that the last of them waits. */
TEST(test_settings)
{
    static const char *const settings[] = {"gpu.cus=1", "gpu.lds_banks=16", "gpu.lds_cycles=10",
                                           NULL};
    struct cu_counters counters;
    assert_int_equal(run(settings, SLLI(T0, T0, 2), LW(T2, T0, 0), &counters), 37 + 4 + 6);
    assert_int_equal(counters.lds_cycles, 4);
    assert_int_equal(counters.lds_conflict_cycles, 0);
}

/* Two wavefronts on two SIMD units, the second launched a cycle later; the line is there at 10 for
 * both, so that both come to the LDS at 26. The second waits for the first one's 64 bank cycles:
 * it loads from 26 + 64 to 26 + 127, has its value 4 later, adds at 157, ends 8 after. */
TEST(test_one_at_a_time)
{
    struct ndrange_machine *m = ndrange_create(one_cu);
    const uint32_t words[] = {
        SL_ID(T0, SL_ID_LANE),
        SLLI(T0, T0, 7),
        LUI(T1, LDS_UPPER),
        ADD(T0, T0, T1),
        LW(T2, T0, 0),
        ADDI(T2, T2, 1),
        RET,
    };
    const struct ndrange_kernel kernel = {.entry = SL_KERNEL_BASE, .registers = 8};
    const uint32_t both[3] = {128, 1, 1};
    ndrange_assemble(m, words, sizeof words / sizeof words[0], SIZE_MAX, 0);
    ndrange_dispatch(m, &kernel, both, both, 65536);
    assert_int_equal(ndrange_run(m), 26 + 127 + 4 + 8);
    assert_int_equal(m->counters.lds_cycles, 128);
    ndrange_destroy(m);
}

/* Runs one group of 64 whose lanes access offset 4 x lane + `offset`. Returns the fault. */
static struct sl_fault expect_fault(uint32_t access, uint32_t lds_bytes)
{
    struct ndrange_machine *m = ndrange_create(one_cu);
    const uint32_t words[] = {
        SL_ID(T0, SL_ID_LOCAL), SLLI(T0, T0, 2), LUI(T1, LDS_UPPER), ADD(T0, T0, T1), access, RET,
    };
    const struct ndrange_kernel kernel = {.entry = SL_KERNEL_BASE, .registers = 8};
    ndrange_assemble(m, words, sizeof words / sizeof words[0], SIZE_MAX, 0);
    ndrange_dispatch(m, &kernel, wavefront, wavefront, lds_bytes);
    (void)ndrange_run(m);
    assert_int_equal(ndrange_faults(m), 1);
    const struct sl_fault fault = m->faults[0];
    ndrange_destroy(m);
    return fault;
}

/* The limit is the group's, to the byte, though LDS is given out in larger pieces. */
TEST(test_limit)
{
    struct sl_fault fault = expect_fault(LW(T2, T0, 0), 250);
    assert_int_equal(fault.code, SL_FAULT_ACCESS);
    assert_int_equal(fault.lanes, 3ull << 62); /* lane 62 would load bytes 248 to 251 */
    assert_int_equal(fault.address, SL_LDS_BASE + 248);
    assert_int_equal(fault.value0, 250);
    assert_int_equal(fault.access_bytes, 4);
    assert_int_equal(fault.is_store, 0);
    assert_int_equal(fault.pc, SL_KERNEL_BASE + 16);

    fault = expect_fault(SW(T2, T0, -4), 256);
    assert_int_equal(fault.code, SL_FAULT_ACCESS);
    assert_int_equal(fault.lanes, 1);
    assert_int_equal(fault.address, SL_LDS_BASE - 4);
    assert_int_equal(fault.is_store, 1);

    fault = expect_fault(LW(T2, T0, 2), 256);
    assert_int_equal(fault.code, SL_FAULT_MISALIGNED);
    assert_int_equal(fault.lanes, ~0ull);

    fault = expect_fault(AMOADD_W(T2, T0, T1), 0);
    assert_int_equal(fault.code, SL_FAULT_ACCESS);
    assert_int_equal(fault.value0, 0);
}

/* Groups on one compute unit at the same time have LDS of their own, zeroed: each lane adds 1 to
 * its word with an atomic, waits until all groups are there, and stores what it finds. */
TEST(test_own_lds)
{
    struct ndrange_machine *m = ndrange_create(one_cu);
    const uint64_t out = ndrange_take(m, 640 * 4);
    const uint32_t words[] = {
        SL_ID(T0, SL_ID_LOCAL), SLLI(T0, T0, 2),
        LUI(T1, LDS_UPPER),     ADD(T0, T0, T1),
        ADDI(T1, X0, 1),        AMOADD_W(X0, T0, T1),
        ADDI(T1, X0, 2000),     SL_PAUSE(T1),
        LW(T2, T0, 0),          SL_ID(T0, SL_ID_GLOBAL),
        SLLI(T0, T0, 2),        ADD(T0, T0, A0),
        SW(T2, T0, 0),          RET,
    };
    const struct ndrange_kernel kernel = {
        .entry = SL_KERNEL_BASE, .registers = 8, .argument_count = 1, .argument = {out}};
    const uint32_t grid[3] = {640, 1, 1};
    ndrange_assemble(m, words, sizeof words / sizeof words[0], SIZE_MAX, 0);
    ndrange_dispatch(m, &kernel, grid, wavefront, 6400);
    (void)ndrange_run(m);
    assert_int_equal(ndrange_completions(m), 1);
    assert_int_equal(m->gpu->env.activity->resident_max, 10);
    for (uint32_t i = 0; i < 640; i++) {
        assert_int_equal(((const uint32_t *)ndrange_at(m, out))[i], 1);
    }
    ndrange_destroy(m);
}

/* All 64 lanes add 1.0 to one word, with a floating-point atomic that gives no result. */
TEST(test_float_atomic)
{
    struct ndrange_machine *m = ndrange_create(one_cu);
    const uint64_t out = ndrange_take(m, 64 * 4);
    const uint32_t words[] = {
        LUI(T0, LDS_UPPER), ADDI(T1, X0, 1), FCVT_S_W(1, T1), SL_FREDADD_S(T0, 1),
        ADDI(T1, X0, 500),  SL_PAUSE(T1),    LW(T2, T0, 0),   SL_ID(T0, SL_ID_GLOBAL),
        SLLI(T0, T0, 2),    ADD(T0, T0, A0), SW(T2, T0, 0),   RET,
    };
    const struct ndrange_kernel kernel = {
        .entry = SL_KERNEL_BASE, .registers = 8, .argument_count = 1, .argument = {out}};
    const uint32_t grid[3] = {64, 1, 1};
    ndrange_assemble(m, words, sizeof words / sizeof words[0], SIZE_MAX, 0);
    ndrange_dispatch(m, &kernel, grid, wavefront, 256);
    (void)ndrange_run(m);
    assert_int_equal(ndrange_completions(m), 1);
    assert_true(((const float *)ndrange_at(m, out))[63] == 64.0f);
    ndrange_destroy(m);
}
