/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Each reason for which the firmware refuses a task vector. */
#include "check/tasks/task_vector_check.h"
#include "common/check.h"
#include "unit/firmware/firmware_trees.h"

static int setup(void **state)
{
    (void)state;
    prepare_vector();
    return 0;
}

static void expect_refused(enum sl_refusal reason, uint32_t step, uint64_t value, uint64_t limit)
{
    run_execute(&run_trees, &machine, (uintptr_t)&heap.trees, 0, &answer);
    assert_int_equal(answer.type, SL_AGG_REFUSED);
    assert_int_equal(answer.reason, reason);
    assert_int_equal(answer.argument[0], value);
    assert_int_equal(answer.argument[1], limit);
    assert_int_equal(answer.argument[6], step);
    assert_int_equal(*mock_register(SL_REG_DISPATCH_TAIL), 0);
    prepare_vector();
}

/* Both ends of a number's range. */
static void refuse_number(uint32_t *number, enum sl_refusal reason, uint32_t most)
{
    *number = 0;
    expect_refused(reason, 0, 0, most);
    *number = most + 1;
    expect_refused(reason, 0, (uint64_t)most + 1, most);
    *number = UINT32_MAX;
    expect_refused(reason, 0, UINT32_MAX, most);
}

TEST_WITH(refuses_numbers, setup, NULL)
{
    heap.trees.magic = 7;
    expect_refused(SL_REFUSE_TREES_MAGIC, 0, 7, SL_TREES_MAGIC);
    heap.trees.flags = 8 | SL_TREES_SKIP_EMPTY;
    expect_refused(SL_REFUSE_TREES_FLAGS, 0, 8 | SL_TREES_SKIP_EMPTY, SL_TREES_SKIP_EMPTY);
    refuse_number(&heap.trees.capacity, SL_REFUSE_TREES_CAPACITY, SL_TREES_SLOTS);
    refuse_number(&heap.trees.arguments, SL_REFUSE_TREES_ARGUMENTS, SL_TREES_ARGUMENTS);
    refuse_number(&heap.trees.functions, SL_REFUSE_TREES_FUNCTIONS, SL_TREES_FUNCTIONS);
    refuse_number(&heap.trees.function, SL_REFUSE_TREES_FUNCTION, 2);
    refuse_number(&heap.trees.stack_entries, SL_REFUSE_TREES_STACK, SL_TREES_EPOCHS);
    heap.trees.delay_ps = SL_TREES_DELAY_PS + UINT64_C(1);
    expect_refused(SL_REFUSE_TREES_DELAY, 0, SL_TREES_DELAY_PS + UINT64_C(1), SL_TREES_DELAY_PS);
    heap.trees.delay_ps = UINT64_MAX;
    expect_refused(SL_REFUSE_TREES_DELAY, 0, UINT64_MAX, SL_TREES_DELAY_PS);
    heap.trees.maps = 2; /* as many as functions of tasks: the entry of the last would be 0 */
    expect_refused(SL_REFUSE_TREES_MAPS, 0, 2, 1);
}

TEST_WITH(refuses_places, setup, NULL)
{
    const uint64_t vector = (uintptr_t)heap.vector;
    const uint64_t stack = (uintptr_t)heap.stack;
    const uint64_t limit = (uintptr_t)(&heap + 1);
    heap.trees.vector = vector + 4;
    expect_refused(SL_REFUSE_TREES_VECTOR, 0, vector + 4, vector);
    heap.trees.vector = UINT64_MAX - 63;
    expect_refused(SL_REFUSE_TREES_VECTOR, 0, UINT64_MAX - 63, limit);
    heap.trees.capacity = SL_TREES_SLOTS;
    expect_refused(SL_REFUSE_TREES_VECTOR, 0, vector, limit);
    heap.trees.stack = stack + 4;
    expect_refused(SL_REFUSE_TREES_EPOCHS, 0, stack + 4, stack);
    heap.trees.stack_entries = SL_TREES_EPOCHS;
    expect_refused(SL_REFUSE_TREES_EPOCHS, 0, stack, limit);
    heap.trees.vector = (uintptr_t)&heap.trees + sizeof heap.trees - 64;
    expect_refused(SL_REFUSE_TREES_OVERLAP, 0, (uintptr_t)&heap.trees + sizeof heap.trees - 64,
                   (uintptr_t)&heap.trees);
    heap.trees.stack = vector + sizeof heap.vector - 8;
    expect_refused(SL_REFUSE_TREES_OVERLAP, 0, vector + sizeof heap.vector - 8, vector);
    heap.trees.log_entries = SL_TREES_LOG + 1;
    expect_refused(SL_REFUSE_TREES_LOG, 0, SL_TREES_LOG + 1, SL_TREES_LOG);
    heap.trees.log_entries = 1;
    expect_refused(SL_REFUSE_TREES_LOG, 0, 0, (uintptr_t)&heap);
    heap.trees.log_entries = 1;
    heap.trees.log = vector;
    expect_refused(SL_REFUSE_TREES_OVERLAP, 0, vector, vector);
    machine.limits.heap_limit = (uintptr_t)&heap.trees + sizeof heap.trees - 1;
    expect_refused(SL_REFUSE_TREES_ADDRESS, 0, (uintptr_t)&heap.trees,
                   (uintptr_t)&heap.trees + sizeof heap.trees - 1);
}

TEST_WITH(refuses_launches, setup, NULL)
{
    for (uint32_t i = 0; i < 2; i++) {
        struct sl_launch *const launch = &heap.trees.launch[i];
        launch->group[0] = 0;
        expect_refused(SL_REFUSE_TREES_GROUP, i, 0, SL_GROUP_ITEMS);
        launch->group[0] = SL_GROUP_ITEMS + 1;
        expect_refused(SL_REFUSE_TREES_GROUP, i, SL_GROUP_ITEMS + 1, SL_GROUP_ITEMS);
        launch->group[1] = 2;
        expect_refused(SL_REFUSE_TREES_GROUP, i, i == 0 ? 512 : 64, SL_GROUP_ITEMS);
        launch->group[2] = 0;
        expect_refused(SL_REFUSE_TREES_GROUP, i, 0, SL_GROUP_ITEMS);
        launch->magic = 7;
        expect_refused(SL_REFUSE_LAUNCH_MAGIC, i, 7, SL_LAUNCH_MAGIC);
        launch->lds_bytes = 65537;
        expect_refused(SL_REFUSE_LAUNCH_LDS, i, 65537, 65536);
    }
    heap.trees.launch[1].program = (uintptr_t)&heap.other;
    expect_refused(SL_REFUSE_TREES_PROGRAM, 1, (uintptr_t)&heap.other, (uintptr_t)&heap.program);
}
