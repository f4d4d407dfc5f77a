/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The check of task vectors. Freestanding; no arithmetic on untrusted numbers can overflow. */
#include "check/tasks/task_vector_check.h"

#include <stddef.h>

#define FLAGS ((uint32_t)(SL_TREES_FORKS_AGAIN | SL_TREES_SKIP_EMPTY | SL_TREES_APART))

static int check_head(const struct sl_trees *trees, const struct sl_graph_limits *limits,
                      struct sl_graph_refusal *refusal)
{
    if (sl_refuse_place(refusal, SL_REFUSE_TREES_ADDRESS, 0, limits, (uintptr_t)trees,
                        sizeof(*trees), 64) != 0) {
        return -1;
    }
    if (trees->magic != SL_TREES_MAGIC) {
        return sl_refuse(refusal, SL_REFUSE_TREES_MAGIC, 0, trees->magic, SL_TREES_MAGIC);
    }
    if ((trees->flags & ~FLAGS) != 0) {
        return sl_refuse(refusal, SL_REFUSE_TREES_FLAGS, 0, trees->flags, trees->flags & FLAGS);
    }
    return 0;
}

static int check_numbers(const struct sl_trees *trees, struct sl_graph_refusal *refusal)
{
    const struct {
        enum sl_refusal reason;
        uint32_t value;
        uint32_t least;
        uint32_t most;
    } numbers[] = {
        {SL_REFUSE_TREES_CAPACITY, trees->capacity, 1, SL_TREES_SLOTS},
        {SL_REFUSE_TREES_ARGUMENTS, trees->arguments, 1, SL_TREES_ARGUMENTS},
        {SL_REFUSE_TREES_FUNCTIONS, trees->functions, 1, SL_TREES_FUNCTIONS},
        {SL_REFUSE_TREES_MAPS, trees->maps, 0, trees->functions - 1},
        {SL_REFUSE_TREES_FUNCTION, trees->function, 1, trees->functions},
        {SL_REFUSE_TREES_STACK, trees->stack_entries, 1, SL_TREES_EPOCHS},
    };
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        if (numbers[i].value < numbers[i].least || numbers[i].value > numbers[i].most) {
            return sl_refuse(refusal, numbers[i].reason, 0, numbers[i].value, numbers[i].most);
        }
    }
    if (trees->delay_ps > SL_TREES_DELAY_PS) {
        return sl_refuse(refusal, SL_REFUSE_TREES_DELAY, 0, trees->delay_ps, SL_TREES_DELAY_PS);
    }
    return 0;
}

/* In this order ends stay below 2^64: what is no place in the heap is refused before. */
static int check_places(const struct sl_trees *trees, const struct sl_graph_limits *limits,
                        struct sl_graph_refusal *refusal)
{
    const struct {
        uint64_t at;
        uint64_t bytes;
    } parts[] = {
        {(uintptr_t)trees, sizeof(*trees)},
        {trees->vector, sl_trees_vector_bytes(trees)},
        {trees->stack, sl_trees_stack_bytes(trees)},
        {trees->log, sl_trees_log_bytes(trees)}, /* without entries it overlaps nothing */
    };
    const size_t count = sizeof(parts) / sizeof(parts[0]);

    if (sl_refuse_place(refusal, SL_REFUSE_TREES_VECTOR, 0, limits, parts[1].at, parts[1].bytes,
                        64) != 0 ||
        sl_refuse_place(refusal, SL_REFUSE_TREES_EPOCHS, 0, limits, parts[2].at, parts[2].bytes,
                        8) != 0) {
        return -1;
    }
    if (trees->log_entries > SL_TREES_LOG) {
        return sl_refuse(refusal, SL_REFUSE_TREES_LOG, 0, trees->log_entries, SL_TREES_LOG);
    }
    if (trees->log_entries > 0 && sl_refuse_place(refusal, SL_REFUSE_TREES_LOG, 0, limits,
                                                  parts[3].at, parts[3].bytes, 8) != 0) {
        return -1;
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < i; j++) {
            if (parts[i].bytes > 0 && parts[i].at < parts[j].at + parts[j].bytes &&
                parts[j].at < parts[i].at + parts[i].bytes) {
                return sl_refuse(refusal, SL_REFUSE_TREES_OVERLAP, 0, parts[i].at, parts[j].at);
            }
        }
    }
    return 0;
}

static int check_group(const uint32_t group[3], struct sl_graph_refusal *refusal)
{
    const uint64_t items = (uint64_t)group[0] * group[1];

    if (group[0] < 1 || group[0] > SL_GROUP_ITEMS) {
        return sl_refuse(refusal, SL_REFUSE_TREES_GROUP, 0, group[0], SL_GROUP_ITEMS);
    }
    if (group[1] != 1 || group[2] != 1) {
        return sl_refuse(refusal, SL_REFUSE_TREES_GROUP, 0, group[1] != 1 ? items : group[2],
                         SL_GROUP_ITEMS);
    }
    return 0;
}

int sl_trees_check(const struct sl_trees *trees, const struct sl_graph_limits *limits,
                   const struct sl_cu_shape *cu, struct sl_graph_refusal *refusal,
                   struct sl_graph_scratch *scratch)
{
    if (check_head(trees, limits, refusal) != 0 || check_numbers(trees, refusal) != 0 ||
        check_places(trees, limits, refusal) != 0) {
        return -1;
    }
    for (uint32_t i = SL_TREES_OF_EPOCHS; i <= (trees->maps > 0 ? SL_TREES_OF_MAPS : 0u); i++) {
        const struct sl_launch *const launch = &trees->launch[i];
        int status = check_group(launch->group, refusal);
        if (status == 0) {
            status = sl_launch_check(launch, limits, cu, refusal, scratch);
        }
        if (status == 0 && launch->program != trees->launch[0].program) {
            status = sl_refuse(refusal, SL_REFUSE_TREES_PROGRAM, 0, launch->program,
                               trees->launch[0].program);
        }
        if (status != 0) {
            refusal->step = i;
            return -1;
        }
    }
    return 0;
}
