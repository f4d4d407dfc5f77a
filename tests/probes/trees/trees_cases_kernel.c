/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernels of trees_cases.c: programs for what papers/000 leaves open (docs/know/trees.md). */
#include "probes/trees/trees_cases.h"

#include "sluice/wave/trees.h"

#include "workloads/common/relay_kernel.h"

SL_TASKS(trees_cases, root, once, waiter, leaf, parent, again, gather)
SL_MAPS(trees_cases_maps, count)

SL_MAP(count, struct notes *, notes)
{
    (void)sl_atomic_add_u32(&notes->items, 1);
}

SL_TASK(leaf, uint32_t, value)
{
    sl_emit_u32(3 * value);
}

/* Neither joins nor emits. */
SL_TASK(once, struct notes *, notes)
{
    (void)sl_atomic_add_u32(&notes->visits, 1);
    notes->seen = notes->items;
}

/* Has its epoch run again. */
SL_TASK(waiter, uint32_t, value)
{
    sl_join_leaf(value);
}

SL_TASK(gather, uint32_t, first, uint32_t, count)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        sum += sl_task_u32(first + i, 0);
    }
    sl_emit_u32(sum);
}

/* Every other lane forks before the others, of the same wavefront, have read what their children
 * left. */
SL_TASK_FORKS_AGAIN(again, uint32_t, first, uint32_t, i)
{
    uint32_t sum = 0;
    if (i % 2 == 1) {
        sum = sl_task_u32(first, 0) + sl_task_u32(first + 1, 0);
        (void)sl_fork_leaf(1000);
    }
    __asm__ volatile("" : : : "memory"); /* loads stay behind the fork */
    if (i % 2 == 0) {
        sum = sl_task_u32(first, 0) + sl_task_u32(first + 1, 0);
    }
    sl_emit_u32(sum);
}

SL_TASK(parent, uint32_t, i)
{
    const unsigned first = sl_fork(sl_task_leaf, 2);
    sl_task_set_u32(first, 0, i);
    sl_task_set_u32(first + 1, 0, 1);
    sl_join_again(first, i);
}

SL_TASK(root, uint32_t, kind, uint32_t, count, struct notes *, notes)
{
    if (kind == RETURNS) {
        (void)sl_fork_once(notes);
        (void)sl_fork_waiter(0);
    } else if (kind == FORKS_AGAIN) {
        const unsigned first = sl_fork(sl_task_parent, count);
        for (uint32_t i = 0; i < count; i++) {
            sl_task_set_u32(first + i, 0, i);
        }
        sl_join_gather(first, count);
    } else {
        for (uint32_t i = 0; i < count; i++) {
            (void)sl_map_count(notes);
        }
        if (kind == MAPS_AND_FORKS) {
            (void)sl_fork_once(notes);
        } else {
            sl_join_once(notes);
        }
    }
}
