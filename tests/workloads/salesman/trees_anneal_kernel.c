/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel of trees_anneal.c. A round forks a tree of tasks, whose leaves are the chains; on the
 * way back each node picks the best of those below it. The continuation at the root then forks the
 * next round. */
#include "sluice/wave/trees.h"
#include "workloads/salesman/trees_anneal.h"

#define FAN_OUT 8

SL_TASKS(trees_anneal, first_round, next_round, spread, pick)

/* A chain and its length: the least of these is the best, and of equal ones the first. */
static uint64_t score(uint32_t length, uint32_t chain)
{
    return (uint64_t)length << 32 | chain;
}

SL_TASK(pick, uint32_t, first, uint32_t, count)
{
    uint64_t best = UINT64_MAX;

    for (uint32_t i = 0; i < count; i++) {
        const uint64_t of_child = sl_task_u64(first + i, 0);
        best = of_child < best ? of_child : best;
    }
    sl_emit_u64(best);
}

/* Chains from `first` to `end`, each as one child or in parts of equal size. */
SL_TASK(spread, struct anneal *, anneal, uint32_t, round, uint32_t, first, uint32_t, end, uint64_t,
        from)
{
    if (end - first == 1) {
        sl_emit_u64(score(anneal_walk(anneal, round, first, (uint32_t)from, (uint32_t)(from >> 32)),
                          first));
        return;
    }
    const uint32_t count = end - first < FAN_OUT ? end - first : FAN_OUT;
    const unsigned slot = sl_fork(sl_task_spread, count);
    for (uint32_t i = 0; i < count; i++) {
        sl_task_set_u64(slot + i, 0, (uintptr_t)anneal);
        sl_task_set_u32(slot + i, 2, round);
        sl_task_set_u32(slot + i, 3, first + (end - first) * i / count);
        sl_task_set_u32(slot + i, 4, first + (end - first) * (i + 1) / count);
        sl_task_set_u64(slot + i, 5, from);
    }
    sl_join_pick(slot, count);
}

/* `slot` has the best chain of the round before, which all begin with. */
SL_TASK_FORKS_AGAIN(next_round, struct anneal *, anneal, uint32_t, round, uint32_t, slot)
{
    const uint64_t best = sl_task_u64(slot, 0);

    if (round == anneal->rounds) {
        sl_emit_u64(best);
        return;
    }
    sl_join_next_round(anneal, round + 1, sl_fork_spread(anneal, round, 0, anneal->chains, best));
}

SL_TASK(first_round, struct anneal *, anneal, uint32_t, length)
{
    sl_join_next_round(anneal, 1, sl_fork_spread(anneal, 0, 0, anneal->chains, score(length, 0)));
}
