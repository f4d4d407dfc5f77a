/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernels of trees_random.c. */
#include "probes/trees/trees_random.h"
#include "sluice/wave/trees.h"

SL_TASKS(trees_random, node, combine, finish)
SL_MAPS(trees_random_maps, add)

/* Each work-item adds a part; those without one add nothing. */
SL_MAP(add, struct effects *, effects, uint32_t, value)
{
    const uint32_t item = sl_local_id(0);
    const uint32_t part = item == 0 ? value - (sl_group_size(0) - 1) : 1;
    (void)sl_atomic_add_u32(&effects->mapped, part);
}

/* With the values of the children that `combine` has forked. */
SL_TASK(finish, uint32_t, sum, uint32_t, first)
{
    for (uint32_t i = 0; i < AGAIN; i++) {
        sum = 31 * sum + sl_task_u32(first + i, 0);
    }
    sl_emit_u32(sum);
}

SL_TASK_DECLARE(node, uint32_t, id, uint32_t, depth, uint32_t, seed, struct effects *, effects)

static unsigned fork_nodes(uint32_t first_id, uint32_t count, uint32_t depth, uint32_t seed,
                           struct effects *effects)
{
    const unsigned first = sl_fork(sl_task_node, count);
    for (uint32_t i = 0; i < count; i++) {
        sl_task_set_u32(first + i, 0, first_id + i);
        sl_task_set_u32(first + i, 1, depth);
        sl_task_set_u32(first + i, 2, seed);
        sl_task_set_u64(first + i, 3, (uintptr_t)effects);
    }
    return first;
}

SL_TASK_FORKS_AGAIN(combine, uint32_t, id, uint32_t, depth, uint32_t, seed, struct effects *,
                    effects, uint32_t, first)
{
    const struct step step = step_of(seed, id, depth);
    uint32_t sum = step.value;
    for (uint32_t i = 0; i < step.children; i++) {
        sum = 7 * sum + sl_task_u32(first + i, 0);
    }
    if (!step.forks_again) {
        sl_emit_u32(sum);
        return;
    }
    sl_join_finish(sum, fork_nodes(child_of(id, CHILDREN), AGAIN, 0, seed, effects));
}

SL_TASK_BODY(node, uint32_t, id, uint32_t, depth, uint32_t, seed, struct effects *, effects)
{
    const struct step step = step_of(seed, id, depth);
    (void)sl_atomic_add_u32(&effects->tasks, 1);
    if (step.maps) {
        (void)sl_map_add(effects, step.value);
    }
    if (step.children == 0) {
        if (!step.is_silent) {
            sl_emit_u32(step.value);
        }
        return;
    }
    const unsigned first = fork_nodes(child_of(id, 0), step.children, depth - 1, seed, effects);
    if (!step.is_silent) {
        sl_join_combine(id, depth, seed, effects, first);
    }
}
