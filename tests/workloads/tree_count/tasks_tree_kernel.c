/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel of tasks_tree.c: nodes and leaves are tasks of a function each. */
#include "sluice/wave/tasks.h"
#include "workloads/tree_count/tasks_tree.h"

SL_WORK_TYPES(struct tasks_tree_node, struct tasks_tree_sums, struct tasks_tree);
SL_WORK(tasks_tree, grow, end)

static inline uint64_t is_wrong(struct tasks_tree_node task)
{
    return !tasks_tree_is_right(task.key, task.depth, task.pad[0], task.pad[1], task.pad[2]);
}

SL_WORK_FUNCTION(end)
{
    lane->leaves++;
    lane->keys += task.key;
    lane->wrong += is_wrong(task);
}

SL_WORK_FUNCTION(grow)
{
    const uint32_t children = tasks_tree_children(program, task.key);

    lane->inner++;
    lane->wrong += is_wrong(task);
    for (uint32_t i = 0; i < children; i++) {
        const struct tasks_tree_node child = tasks_tree_child(task.key, task.depth, i);
        if (tasks_tree_is_leaf(program, child.key, child.depth)) {
            sl_spawn(end, child);
        } else {
            sl_spawn(grow, child);
        }
    }
}

static inline void add(uint64_t *sum, uint64_t value)
{
    const uint64_t all = sl_reduce_add(value);

    if (sl_elect()) {
        (void)sl_atomic_add_u64(sum, all);
    }
}

SL_WORK_END()
{
    add(&program->sums.inner, lane->inner);
    add(&program->sums.leaves, lane->leaves);
    add(&program->sums.keys, lane->keys);
    add(&program->sums.wrong, lane->wrong);
}
