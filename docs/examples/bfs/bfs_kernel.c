/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Breadth-first search: a lane takes a vertex out of the frontier and puts those neighbours in to
 * which it has found a shorter way. Nobody waits for the end of a level: elements are dispatched in
 * the order in which they came, so that a way found first is hardly ever improved later. */
#include <stdbool.h>
#include <stdint.h>

#include <sluice/wave/wave.h>

#include "bfs.h"

/* Whether the distance of a vertex was larger than this one, which it is now. Most were not: a load
 * finds that out, and leaves the line in everybody's cache. */
static inline bool is_shorter(uint32_t *distance, uint32_t than)
{
    return sl_load_relaxed_u32_device(distance) > than &&
           sl_atomic_min_u32_device(distance, than) > than;
}

SL_KERNEL void bfs_kernel(int frontier, int index, const struct vertex *vertices,
                          uint32_t *distances)
{
    SL_KERNEL_RESIDENT(32);
    const struct visit visit = *(const struct visit *)sl_deq(frontier, index);
    const struct vertex *const vertex = &vertices[visit.vertex];
    const uint32_t degree = vertex->degree;
    const uint32_t distance = visit.distance + 1;
    uint64_t found = 0; /* a bit for each neighbour */
    int count = 0;

    for (uint32_t i = 0; i < degree; i++) {
        if (is_shorter(&distances[vertex->neighbour[i]], distance)) {
            found |= 1ull << i;
            count++;
        }
    }
    /* All that the wavefront has found goes into the channel at once. */
    struct visit *const made = sl_talloc_or_trap(frontier, count);
    for (int i = 0, next = 0; next < count; i++) {
        if (found >> i & 1) {
            made[next++] = (struct visit){vertex->neighbour[i], distance};
        }
    }
    sl_enq(frontier, made, count);
    sl_tfree(frontier, index);
}
