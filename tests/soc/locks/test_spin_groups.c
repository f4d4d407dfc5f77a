/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Deadlocks of work-groups (sim-soc/simt/deadlock), with the front end: those who wait at a barrier
 * for one that spins; and whether a group that is not launched yet, which would help, ever can be.
 */
#include "common/asm.h"
#include "common/check.h"
#include "dispatcher/launch_forecast.h"
#include "soc/common/ndrange_machine.h"

#define COUNT(words) (sizeof(words) / sizeof((words)[0]))

static const uint32_t group[3] = {128, 1, 1}; /* of two wavefronts */

static struct ndrange_machine *create(const char *contexts)
{
    const char *const settings[] = {"gpu.cus=1", "gpu.simds=2", "lock.spin_limit=100", contexts,
                                    NULL};

    return ndrange_create(settings);
}

/* Dispatches a program over so many groups, with a word in a0, whose address it returns. */
static uint64_t dispatch(struct ndrange_machine *m, const uint32_t *words, size_t count,
                         uint32_t groups)
{
    struct ndrange_kernel kernel = {.entry = SL_KERNEL_BASE, .registers = 8, .argument_count = 1};
    const uint32_t grid[3] = {groups * group[0], 1, 1};

    kernel.argument[0] = ndrange_take(m, 64);
    ndrange_assemble(m, words, count, SIZE_MAX, 0);
    ndrange_dispatch(m, &kernel, grid, group, 0);
    return kernel.argument[0];
}

/* Wavefront 0 of the group spins, wavefront 1 is at the barrier: both are in the deadlock. */
TEST(test_barrier)
{
    const uint32_t words[] = {asm_SL_ID(T0, SL_ID_GROUP_WAVEFRONT),
                              asm_BNE(T0, ZERO, 12),
                              asm_LW(T1, A0, 0),
                              asm_BEQ(T1, ZERO, -4),
                              asm_SL_BARRIER(),
                              ASM_RET};
    struct ndrange_machine *m = create("gpu.contexts=4");
    const uint64_t word = dispatch(m, words, COUNT(words), 1);
    (void)ndrange_run(m);
    assert_int_equal(ndrange_faults(m), 2);
    assert_int_equal(m->faults[0].code, SL_FAULT_DEADLOCK);
    assert_int_equal(m->faults[0].wavefront, 0);
    assert_int_equal(m->faults[0].address, word);
    assert_int_equal(m->faults[0].pc, SL_KERNEL_BASE + 8);
    assert_int_equal(m->faults[1].code, SL_FAULT_DEADLOCK);
    assert_int_equal(m->faults[1].wavefront, 1);
    assert_int_equal(m->faults[1].address, 0);
    assert_int_equal(m->faults[1].pc, SL_KERNEL_BASE + 16);
    ndrange_destroy(m);
}

/* Group 0 waits for what group 1 stores. With contexts for both, it gets that, however long group 1
 * takes to come; with contexts for one group alone, group 1 is never launched. */
static void check_launched(const char *contexts, bool has_room)
{
    const uint32_t words[] = {asm_SL_ID(T0, SL_ID_GROUP),
                              asm_BNE(T0, ZERO, 16),
                              asm_LW(T1, A0, 0),
                              asm_BEQ(T1, ZERO, -4),
                              ASM_RET,
                              asm_ADDI(T2, ZERO, 2000),
                              asm_SL_PAUSE(T2),
                              asm_SL_PAUSE(T2),
                              asm_SW(T2, A0, 0),
                              ASM_RET};
    struct ndrange_machine *m = create(contexts);
    const uint64_t word = dispatch(m, words, COUNT(words), 2);

    assert_true(dispatcher_may_launch(&m->dispatcher));
    (void)ndrange_run(m);
    assert_int_equal(*(const uint32_t *)ndrange_at(m, word), 2000); /* in the end */
    assert_int_equal(ndrange_faults(m), has_room ? 0 : 2);
    assert_int_equal(ndrange_completions(m), 1);
    ndrange_destroy(m);
}

TEST(test_launched)
{
    check_launched("gpu.contexts=4", true);
    check_launched("gpu.contexts=2", false);
}
