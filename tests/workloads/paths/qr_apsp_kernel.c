/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernels of qr_apsp.c.
 *
 * A distance is written by one work-item only, and never grows. What a work-item loads of another
 * one's may be old, but is the length of some path, so that what it makes of it is one, too:
 * results are right whatever the timing. A launch in which no distance changes has seen all of them
 * as they were when it started, and all are shortest. */
#include "sluice/wave/wave.h"
#include "workloads/paths/qr_apsp.h"

/* Before each launch that looks for shorter paths. One work-item. */
SL_KERNEL void apsp_begin(struct search *search)
{
    search->changed = 0;
    search->launches++;
}

/* Looks for shorter paths from the node with the work-item's number in y to that with its number in
 * x, over all nodes in front of it, for as long as there are any. The edges to node v are those
 * from begin[v] up to, but not with, begin[v + 1]. */
SL_KERNEL void apsp_relax(const uint32_t *begin, const struct edge *edges, uint32_t *distances,
                          struct search *search)
{
    const uint32_t node = sl_global_id(0);
    uint32_t *const distance = distances + sl_global_id(1) * sl_grid_size(0);
    const uint32_t first_edge = begin[node], end = begin[node + 1];
    const uint32_t longest = distance[node];
    uint32_t shortest = longest, before;

    do {
        before = shortest;
        for (uint32_t i = first_edge; i < end; i++) {
            const uint32_t to_there = sl_load_acquire_u32_device(&distance[edges[i].from]);
            const uint32_t length = to_there + edges[i].weight;
            shortest = length < shortest ? length : shortest;
        }
        if (shortest < before) {
            sl_store_release_u32_device(&distance[node], shortest);
        }
    } while (shortest < before);
    if (shortest < longest && sl_elect()) {
        __atomic_fetch_or(&search->changed, 1, __ATOMIC_RELAXED);
    }
}
