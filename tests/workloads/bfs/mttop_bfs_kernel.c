/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel of mttop_bfs.c: a work-item goes through its share of the nodes in each step. In one
 * step work-items store to the same place only what is equal, with atomics, and nobody loads it in
 * that step. */
#include "sluice/wave/device_barrier.h"
#include "sluice/wave/wave.h"
#include "workloads/bfs/mttop_bfs.h"

/* Marks a node, whose byte is in a word with those of others: atomics are of words. */
static inline void mark(uint32_t *words, uint32_t node)
{
    (void)sl_atomic_or_u32_device(&words[node / 4], 1u << 8 * (node % 4));
}

/* Nodes of the frontier mark neighbours, of which some were reached before. */
static inline void visit(const struct search *search)
{
    for (uint32_t node = sl_global_id(0); node < search->n; node += sl_grid_size(0)) {
        if (search->is_frontier[node]) {
            const struct graph_node from = search->nodes[node];
            search->is_frontier[node] = 0;
            for (uint32_t i = from.first; i < from.first + from.count; i++) {
                mark((uint32_t *)search->is_next, search->edges[i]);
            }
        }
    }
}

/* Those that were not are the next frontier. Returns how many. */
static inline uint32_t advance(const struct search *search, uint32_t distance)
{
    uint32_t reached = 0;

    for (uint32_t node = sl_global_id(0); node < search->n; node += sl_grid_size(0)) {
        if (search->is_next[node]) {
            search->is_next[node] = 0;
            if (search->distance[node] == NOT_REACHED) {
                search->distance[node] = distance;
                search->is_frontier[node] = 1;
                reached++;
            }
        }
    }
    return reached;
}

/* All wavefronts see the same number of nodes behind a level's second barrier: nobody adds to it
 * before the first barrier of the next level. */
SL_KERNEL void bfs_search(struct sl_device_barrier *barrier, struct search *shared)
{
    const struct search search = *shared; /* in registers: stores of bytes could change the other */
    uint32_t distance = 0, before, reached = 0;

    do {
        before = reached;
        visit(&search);
        sl_device_barrier(barrier);
        const uint64_t more = sl_reduce_add(advance(&search, ++distance));
        if (sl_elect() && more > 0) {
            (void)sl_atomic_add_u32(&shared->reached, (uint32_t)more);
        }
        sl_device_barrier(barrier);
        reached = sl_load_relaxed_u32_device(&shared->reached);
    } while (reached != before);
}
