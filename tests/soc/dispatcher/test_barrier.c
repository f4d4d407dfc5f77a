/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The barrier of a work-group: when it lets go, and what it reports where it never would.
 *
 * Work-groups of 128: two wavefronts on two SIMD units of one CU; 4 cycles per instruction. The
 * doorbell rings at cycle 0, the first wavefront is launched at 8 and the second at 9; the code
 * line is there at 10 for both. */
#include <string.h>

#include "common/check.h"
#include "common/fixture.h"
#include "soc/common/instruction_words.h"
#include "soc/common/ndrange_machine.h"

#define COUNT(words) (sizeof(words) / sizeof((words)[0]))

static const char *const one_cu[] = {"gpu.cus=1", NULL};
static const uint32_t two_waves[3] = {128, 1, 1};
static const struct ndrange_kernel kernel = {.entry = SL_KERNEL_BASE, .registers = 8};

static struct ndrange_machine *run(const uint32_t *words, size_t count, size_t branch, size_t meet,
                                   uint64_t *last)
{
    struct ndrange_machine *m = ndrange_create(one_cu);
    ndrange_assemble(m, words, count, branch, meet);
    ndrange_dispatch(m, &kernel, two_waves, two_waves, 0);
    *last = ndrange_run(m);
    assert_int_equal(m->gpu->env.activity->resident, 0);
    return m;
}

/*           wavefront 0    1
 *  sl.id             10   10   t0 = number in the group
 *  slli              14   14   t0 = 0 or 64
 *  sl.pause          18   18   gate 18 or 82
 *  sl.barrier        22   82   released at 82, goes on 4 later (gpu.barrier_cycles)
 *  ret               86   86   ends at 90 */
TEST(test_release)
{
    const uint32_t words[] = {SL_ID(T0, SL_ID_GROUP_WAVEFRONT), SLLI(T0, T0, 6), SL_PAUSE(T0),
                              SL_BARRIER, RET};
    uint64_t last;
    struct ndrange_machine *m = run(words, COUNT(words), SIZE_MAX, 0, &last);
    assert_int_equal(ndrange_faults(m), 0);
    assert_int_equal(ndrange_completions(m), 1);
    assert_int_equal(last, 90);
    assert_int_equal(m->counters.barriers, 2);
    assert_int_equal(m->counters.barrier_wait_cycles, 60);
    ndrange_destroy(m);
}

/* A dump at cycle 50 of the same: wavefront 0 is at the barrier, wavefront 1 is not. */
TEST(test_dump)
{
    const uint32_t words[] = {SL_ID(T0, SL_ID_GROUP_WAVEFRONT), SLLI(T0, T0, 6), SL_PAUSE(T0),
                              SL_BARRIER, RET};
    const uint32_t grid[3] = {128, 2, 1};
    struct ndrange_machine *m = ndrange_create(one_cu);
    ndrange_assemble(m, words, COUNT(words), SIZE_MAX, 0);
    ndrange_dispatch(m, &kernel, grid, two_waves, 0);
    fixture_run(m->gpu, 50);
    gpu_dump_all(m->gpu, false);
    assert_int_equal(m->gpu->dump.wavefronts, 4);
    uint64_t address = m->gpu->dump.first;
    for (uint32_t number = 0; number < 4; number++) {
        const struct sl_wave_state *wave = ndrange_at(m, address);
        assert_int_equal(wave->wavefront, number);
        assert_int_equal(wave->group[0], 0);
        assert_int_equal(wave->group[1], number / 2);
        assert_int_equal(wave->group[2], 0);
        assert_int_equal(wave->group_wave, number % 2);
        assert_int_equal(wave->group_waves, 2);
        assert_int_equal(wave->group_arrived, 1);
        assert_int_equal(wave->is_at_barrier, number % 2 == 0);
        address = wave->next;
    }
    assert_int_equal(address, 0);
    ndrange_destroy(m);
}

/* A release: the barrier waits for the store before it, which takes effect 10 cycles after its
 * issue (flat.cu_request) and is done 20 after. Wavefront 1 stores at 22 what wavefront 0 loads. */
TEST(test_memory)
{
    const uint32_t words[] = {
        SL_ID(T0, SL_ID_GROUP_WAVEFRONT), /* 10 */
        BEQZ(T0, 3),                      /* 14 */
        ADDI(T1, X0, 77),                 /* 18 */
        SW(T1, A0, 0),                    /* 22, done at 42 */
        SL_BARRIER,                       /* 18 and 42 */
        LW(T2, A0, 0),                    /* 46, done at 66 */
        SW(T2, A0, 4),                    /* 66, done at 86 */
        RET,                              /* 70: the end waits for the store */
    };
    struct ndrange_machine *m = ndrange_create(one_cu);
    const uint64_t out = ndrange_take(m, 64);
    struct ndrange_kernel with_out = kernel;
    with_out.argument_count = 1;
    with_out.argument[0] = out;
    ndrange_assemble(m, words, COUNT(words), SIZE_MAX, 0);
    ndrange_dispatch(m, &with_out, two_waves, two_waves, 0);
    assert_int_equal(ndrange_run(m), 87);
    assert_int_equal(ndrange_faults(m), 0);
    assert_int_equal(((const uint32_t *)ndrange_at(m, out))[1], 77);
    assert_int_equal(m->counters.barrier_wait_cycles, 42 - 18);
    ndrange_destroy(m);
}

/* Lanes that have ended do not count, nor do lanes outside the grid. */
TEST(test_ended_lanes)
{
    const uint32_t words[] = {
        SL_ID(T0, SL_ID_LANE), ANDI(T0, T0, 1), BEQZ(T0, 2), RET, SL_BARRIER, RET};
    const uint32_t grid[3] = {100, 1, 1};
    struct ndrange_machine *m = ndrange_create(one_cu);
    ndrange_assemble(m, words, COUNT(words), SIZE_MAX, 0);
    ndrange_dispatch(m, &kernel, grid, two_waves, 0);
    (void)ndrange_run(m);
    assert_int_equal(ndrange_faults(m), 0);
    assert_int_equal(ndrange_completions(m), 1);
    assert_int_equal(m->counters.barriers, 2);
    ndrange_destroy(m);
}

/* Odd lanes skip the barrier and wait behind it: each wavefront reports who is missing. */
TEST(test_divergent)
{
    const uint32_t words[] = {SL_ID(T0, SL_ID_LANE), ANDI(T0, T0, 1), BEQZ(T0, 2), SL_BARRIER, RET};
    uint64_t last;
    struct ndrange_machine *m = run(words, COUNT(words), 2, 4, &last);
    assert_int_equal(ndrange_faults(m), 2);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(m->faults[i].code, SL_FAULT_BARRIER_DIVERGENT);
        assert_int_equal(m->faults[i].wavefront, i);
        assert_int_equal(m->faults[i].lanes, 0xaaaaaaaaaaaaaaaa);
        assert_int_equal(m->faults[i].value0, 0x5555555555555555);
        assert_int_equal(m->faults[i].pc, SL_KERNEL_BASE + 12);
        assert_int_equal(m->faults[i].instruction, SL_BARRIER);
    }
    assert_int_equal(ndrange_completions(m), 1);
    ndrange_destroy(m);
}

/* Wavefront 0 waits at one barrier, wavefront 1 comes to another one: both say so. */
TEST(test_mismatched)
{
    const uint32_t words[] = {
        SL_ID(T0, SL_ID_GROUP_WAVEFRONT), BEQZ(T0, 3), SL_PAUSE(T0), SL_BARRIER, SL_BARRIER, RET};
    uint64_t last;
    struct ndrange_machine *m = run(words, COUNT(words), SIZE_MAX, 0, &last);
    assert_int_equal(ndrange_faults(m), 2);
    assert_int_equal(m->faults[0].code, SL_FAULT_BARRIER_MISMATCHED);
    assert_int_equal(m->faults[0].wavefront, 1);
    assert_int_equal(m->faults[0].pc, SL_KERNEL_BASE + 12);
    assert_int_equal(m->faults[0].value0, 0);
    assert_int_equal(m->faults[0].value1, SL_KERNEL_BASE + 16);
    assert_int_equal(m->faults[1].code, SL_FAULT_BARRIER_MISMATCHED);
    assert_int_equal(m->faults[1].wavefront, 0);
    assert_int_equal(m->faults[1].pc, SL_KERNEL_BASE + 16);
    assert_int_equal(m->faults[1].value0, 1);
    assert_int_equal(m->faults[1].value1, SL_KERNEL_BASE + 12);
    ndrange_destroy(m);
}

static void check_departed(size_t pause_of)
{
    /* Wavefront 0 comes to the barrier, wavefront 1 returns; `pause_of` is the later one. */
    const uint32_t words[] = {
        SL_ID(T0, SL_ID_GROUP_WAVEFRONT),
        SLLI(T1, T0, 7),
        pause_of == 1 ? ADDI(T1, T1, 0) : ADDI(T1, T1, -128),
        pause_of == 1 ? ADDI(X0, X0, 0) : WORD_R(0x33u, 0, 0x20, T1, X0, T1),
        SL_PAUSE(T1),
        BEQZ(T0, 2),
        RET,
        SL_BARRIER,
        RET,
    };
    uint64_t last;
    struct ndrange_machine *m = run(words, COUNT(words), SIZE_MAX, 0, &last);
    assert_int_equal(ndrange_faults(m), 1);
    assert_int_equal(m->faults[0].code, SL_FAULT_BARRIER_MISMATCHED);
    assert_int_equal(m->faults[0].wavefront, 0);
    assert_int_equal(m->faults[0].pc, SL_KERNEL_BASE + 28);
    assert_int_equal(m->faults[0].value0, 1);
    assert_int_equal(m->faults[0].value1, 0);
    ndrange_destroy(m);
}

/* A wavefront that has ended, before or after the other one came. */
TEST(test_departed)
{
    check_departed(0);
    check_departed(1);
}

/* A wavefront that faults strands the other one: two reports, the cause first, and no hang. */
TEST(test_stranded)
{
    const uint32_t words[] = {SL_ID(T0, SL_ID_GROUP_WAVEFRONT),
                              BEQZ(T0, 3),
                              SL_PAUSE(T0),
                              LW(T1, X0, 0),
                              SL_BARRIER,
                              RET};
    uint64_t last;
    struct ndrange_machine *m = run(words, COUNT(words), SIZE_MAX, 0, &last);
    assert_int_equal(ndrange_faults(m), 2);
    assert_int_equal(m->faults[0].code, SL_FAULT_ACCESS);
    assert_int_equal(m->faults[0].wavefront, 1);
    assert_int_equal(m->faults[1].code, SL_FAULT_BARRIER_MISMATCHED);
    assert_int_equal(m->faults[1].wavefront, 0);
    assert_int_equal(m->faults[1].value0, 1);
    assert_int_equal(m->faults[1].value1, SL_KERNEL_BASE + 12);
    ndrange_destroy(m);
}

/* A group of one wavefront, many times in a loop; the next launch runs after a fault. */
TEST(test_again)
{
    const uint32_t bad[] = {SL_ID(T0, SL_ID_GROUP_WAVEFRONT), BEQZ(T0, 2), RET, SL_BARRIER, RET};
    const uint32_t good[] = {SL_BARRIER, SL_BARRIER, SL_BARRIER, RET};
    const uint32_t grid[3] = {12800, 1, 1};
    uint64_t last;
    struct ndrange_machine *m = run(bad, COUNT(bad), SIZE_MAX, 0, &last);
    assert_int_equal(ndrange_faults(m), 1);
    ndrange_assemble(m, good, COUNT(good), SIZE_MAX, 0);
    ndrange_dispatch(m, &kernel, grid, two_waves, 1000);
    (void)ndrange_run(m);
    assert_int_equal(ndrange_faults(m), 1);
    assert_int_equal(ndrange_completions(m), 2);
    assert_int_equal(m->completions[1].elements, 100);
    assert_int_equal(m->completions[1].wavefronts, 200);
    assert_int_equal(m->counters.barriers, 1 + 600);
    ndrange_destroy(m);
}
