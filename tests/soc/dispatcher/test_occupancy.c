/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What fits on a compute unit: contexts, registers and LDS of work-groups, where they are placed,
 * and packets that never fit. Wavefronts pause for 2,000 cycles, so that all that fits is there. */
#include <string.h>

#include "common/check.h"
#include "soc/common/instruction_words.h"
#include "soc/common/ndrange_machine.h"

#define PAUSE_CYCLES 2000

/* Stores the number of the compute unit for each group, and pauses. */
static const uint32_t words[] = {
    SL_ID(T0, SL_ID_GROUP), SLLI(T0, T0, 2),
    ADD(T0, T0, A0),        SL_ID(T1, SL_ID_CU),
    SW(T1, T0, 0),          ADDI(T0, X0, PAUSE_CYCLES),
    SL_PAUSE(T0),           RET,
};

struct figures {
    uint64_t last;
    uint64_t limited_cycles[CU_RESOURCE_COUNT];
    uint32_t resident_max;
    uint32_t cu[64]; /* of each group */
};

static struct figures run(const char *const *settings, uint32_t groups, uint32_t items,
                          uint32_t registers, uint32_t lds_bytes)
{
    struct figures figures = {0};
    struct ndrange_machine *m = ndrange_create(settings);
    const uint64_t out = ndrange_take(m, sizeof figures.cu);
    const struct ndrange_kernel kernel = {
        .entry = SL_KERNEL_BASE, .registers = registers, .argument_count = 1, .argument = {out}};
    const uint32_t grid[3] = {groups * items, 1, 1};
    const uint32_t group[3] = {items, 1, 1};
    ndrange_assemble(m, words, sizeof words / sizeof words[0], SIZE_MAX, 0);
    ndrange_dispatch(m, &kernel, grid, group, lds_bytes);
    figures.last = ndrange_run(m);
    assert_int_equal(ndrange_faults(m), 0);
    assert_int_equal(ndrange_completions(m), 1);
    assert_int_equal(m->completions[0].elements, groups);
    assert_int_equal(m->counters.workgroups, groups);
    memcpy(figures.limited_cycles, m->dispatcher.counters.limited_cycles,
           sizeof figures.limited_cycles);
    figures.resident_max = m->gpu->env.activity->resident_max;
    memcpy(figures.cu, ndrange_at(m, out), sizeof figures.cu);
    ndrange_destroy(m);
    return figures;
}

static void expect_limit(const struct figures *figures, enum cu_resource limit, uint64_t resident)
{
    assert_int_equal(figures->resident_max, resident);
    for (unsigned i = 0; i < CU_RESOURCE_COUNT; i++) {
        const uint64_t cycles = figures->limited_cycles[i];
        if (i == limit) {
            assert_true(cycles > PAUSE_CYCLES - 200 && cycles < PAUSE_CYCLES + 200);
        } else {
            assert_int_equal(cycles, 0);
        }
    }
}

static const char *const one_cu[] = {"gpu.cus=1", NULL};

/* 40 contexts hold two groups of 16 wavefronts; the third does not come in part, but waits until 8
 * wavefronts have ended. */
TEST(test_contexts)
{
    const struct figures figures = run(one_cu, 3, 1024, 8, 0);
    expect_limit(&figures, CU_CONTEXTS, 40);
}

/* 512 registers in each of 4 SIMD units are 4 x 7 wavefronts of 70: seven groups of 4. */
TEST(test_registers)
{
    struct figures figures = run(one_cu, 8, 256, 70, 0);
    expect_limit(&figures, CU_REGISTERS, 28);
    /* With 51 each all 40 contexts can be used, with 52 only 36. */
    figures = run(one_cu, 10, 256, 51, 0);
    assert_int_equal(figures.resident_max, 40);
    figures = run(one_cu, 10, 256, 52, 0);
    expect_limit(&figures, CU_REGISTERS, 36);
}

/* 64 KiB are two groups of 32,768 bytes, and three of 20,000 (20,224 in whole granules). */
TEST(test_lds)
{
    struct figures figures = run(one_cu, 4, 64, 8, 32768);
    expect_limit(&figures, CU_LDS, 2);
    figures = run(one_cu, 4, 64, 8, 32769);
    assert_int_equal(figures.resident_max, 1);
    assert_true(figures.limited_cycles[CU_LDS] > 3 * (PAUSE_CYCLES - 200));
    figures = run(one_cu, 4, 64, 8, 20000);
    expect_limit(&figures, CU_LDS, 3);
}

/* Groups go to compute units in turn; one launch a cycle, wavefronts of a group one after the
 * other. */
TEST(test_placement)
{
    static const char *const three_cus[] = {"gpu.cus=3", NULL};
    const struct figures figures = run(three_cus, 7, 512, 8, 0);
    for (uint32_t i = 0; i < 7; i++) {
        assert_int_equal(figures.cu[i], i % 3);
    }
    /* The last of 56 wavefronts starts at 63, and its pause is the longest part of its life. */
    assert_true(figures.last > 63 + PAUSE_CYCLES && figures.last < 63 + PAUSE_CYCLES + 300);
    assert_int_equal(figures.resident_max, 56);
}

/* Another group's partial end frees room in pieces: a group that needs all LDS comes last, and its
 * turn is kept: a small one behind it does not overtake. */
TEST(test_in_order)
{
    struct ndrange_machine *m = ndrange_create(one_cu);
    const uint64_t out = ndrange_take(m, 64);
    const struct ndrange_kernel kernel = {
        .entry = SL_KERNEL_BASE, .registers = 8, .argument_count = 1, .argument = {out}};
    const uint32_t wavefront[3] = {64, 1, 1};
    ndrange_assemble(m, words, sizeof words / sizeof words[0], SIZE_MAX, 0);
    ndrange_dispatch(m, &kernel, wavefront, wavefront, 1024);
    ndrange_dispatch(m, &kernel, wavefront, wavefront, 65536);
    ndrange_dispatch(m, &kernel, wavefront, wavefront, 1024);
    (void)ndrange_run(m);
    assert_int_equal(ndrange_completions(m), 3);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(m->completions[i].id, i);
        assert_true(m->completions[i].time_ps / 1000 > (i + 1) * PAUSE_CYCLES);
    }
    assert_int_equal(m->gpu->env.activity->resident_max, 1);
    ndrange_destroy(m);
}

static void expect_refused(const uint32_t grid[3], const uint32_t group[3], uint32_t registers,
                           uint32_t lds_bytes, uint64_t reason)
{
    struct ndrange_machine *m = ndrange_create(one_cu);
    const struct ndrange_kernel kernel = {.entry = SL_KERNEL_BASE, .registers = registers};
    const uint32_t one[3] = {1, 1, 1};
    ndrange_assemble(m, words, sizeof words / sizeof words[0], SIZE_MAX, 0);
    ndrange_dispatch(m, &kernel, grid, group, lds_bytes);
    assert_int_equal(ndrange_faults(m), 1);
    assert_int_equal(m->faults[0].code, SL_FAULT_PACKET);
    assert_int_equal(m->faults[0].value0, reason);
    assert_int_equal(m->faults[0].dispatch, 0);
    /* The next packet is served. */
    struct ndrange_kernel good = {.entry = SL_KERNEL_BASE, .registers = 8, .argument_count = 1};
    good.argument[0] = ndrange_take(m, 64);
    ndrange_dispatch(m, &good, one, one, 0);
    (void)ndrange_run(m);
    assert_int_equal(ndrange_faults(m), 1);
    assert_int_equal(ndrange_completions(m), 1);
    ndrange_destroy(m);
}

TEST(test_never)
{
    const uint32_t large[3] = {1024, 1, 1};
    expect_refused(large, (const uint32_t[3]){32, 33, 1}, 8, 0, SL_REFUSE_LAUNCH_GROUP);
    expect_refused(large, (const uint32_t[3]){65536, 65536, 1}, 8, 0, SL_REFUSE_LAUNCH_GROUP);
    expect_refused(large, (const uint32_t[3]){64, 0, 1}, 8, 0, SL_REFUSE_LAUNCH_GROUP);
    expect_refused((const uint32_t[3]){64, 1, 0}, large, 8, 0, SL_REFUSE_LAUNCH_GRID);
    expect_refused((const uint32_t[3]){65536, 65536, 2}, (const uint32_t[3]){1, 1, 1}, 8, 0,
                   SL_REFUSE_LAUNCH_GRID);
    expect_refused(large, large, 8, 65537, SL_REFUSE_LAUNCH_LDS);
    expect_refused(large, large, 129, 0, SL_REFUSE_LAUNCH_REGISTERS); /* 3 to a SIMD unit */
    expect_refused(large, large, 513, 0, 0); /* not even one wavefront: whatever the packet */
}

/* A group of more wavefronts than there are contexts: 1,024 items of 16 lanes are 64. */
TEST(test_small_lanes)
{
    static const char *const settings[] = {"gpu.cus=1", "gpu.lanes=16", "gpu.simd_lanes=16", NULL};
    struct ndrange_machine *m = ndrange_create(settings);
    const struct ndrange_kernel kernel = {.entry = SL_KERNEL_BASE, .registers = 8};
    const uint32_t large[3] = {1024, 1, 1};
    ndrange_assemble(m, words, sizeof words / sizeof words[0], SIZE_MAX, 0);
    ndrange_dispatch(m, &kernel, large, large, 0);
    assert_int_equal(ndrange_faults(m), 1);
    assert_int_equal(m->faults[0].value0, SL_REFUSE_LAUNCH_CONTEXTS);
    ndrange_destroy(m);
    const struct figures figures = run(settings, 5, 512, 8, 0);
    assert_int_equal(figures.resident_max, 40);
}
