/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel of mttop_dijkstra.c: a work-item searches from its source, without a queue; then
 * wavefronts look for the largest distances. */
#include "sluice/wave/device_barrier.h"
#include "sluice/wave/wave.h"
#include "workloads/paths/mttop_dijkstra.h"

struct nearest {
    uint32_t node;
    uint32_t distance;
};

static inline struct nearest nearer(struct nearest nearest, uint32_t node, uint32_t distance)
{
    if (distance < nearest.distance) {
        nearest = (struct nearest){node, distance};
    }
    return nearest;
}

/* The open node that is nearest to the source, the first of equally near ones. */
static inline struct nearest nearest_open(const uint32_t *open, uint32_t n)
{
    struct nearest nearest = {0, NOT_REACHED};

    for (uint32_t node = 0; node < n; node += AT_ONCE) {
        const uint32_t distances[AT_ONCE] = {open[0], open[n], open[2 * n], open[3 * n]};
        nearest = nearer(nearest, node, distances[0]);
        nearest = nearer(nearest, node + 1, distances[1]);
        nearest = nearer(nearest, node + 2, distances[2]);
        nearest = nearer(nearest, node + 3, distances[3]);
        open += AT_ONCE * n;
    }
    return nearest;
}

/* Columns of the source's own. A node with a distance that the search has gone on from is no longer
 * open: it cannot come nearer, since no weight is 0. */
static inline void search_from(const struct paths *paths, uint32_t source)
{
    uint32_t *const distance = paths->distance + source, *const open = paths->open + source;
    const uint32_t n = paths->n;
    struct nearest from = {source, 0};

    distance[(uint64_t)source * n] = 0;
    do {
        const struct graph_node node = paths->nodes[from.node];
        open[(uint64_t)from.node * n] = NOT_REACHED;
        for (uint32_t i = node.first; i < node.first + node.count; i++) {
            const struct edge edge = paths->edges[i];
            const uint64_t place = (uint64_t)edge.to * n;
            const uint32_t length = from.distance + edge.weight;
            if (length < distance[place]) {
                distance[place] = length;
                open[place] = length;
            }
        }
        from = nearest_open(open, n);
    } while (from.distance != NOT_REACHED);
}

/* A row for each wavefront, whose lanes load what others have found. */
static inline void measure(struct paths *paths)
{
    const uint32_t lanes = sl_lane_count(), n = paths->n;
    uint32_t most = 0;

    for (uint32_t node = sl_global_id(0) / lanes; node < n; node += sl_grid_size(0) / lanes) {
        const uint32_t *const distance = paths->distance + (uint64_t)node * n;
        uint32_t largest = 0;
        for (uint32_t source = sl_lane_id(); source < n; source += lanes) {
            const uint32_t length = distance[source];
            largest = length != NOT_REACHED && length > largest ? length : largest;
        }
        largest = (uint32_t)sl_reduce_maxu(largest);
        if (sl_elect()) {
            paths->eccentricity[node] = largest;
        }
        most = largest > most ? largest : most;
    }
    if (sl_elect()) {
        (void)sl_atomic_max_u32_device(&paths->diameter, most);
    }
}

SL_KERNEL void dijkstra_all_pairs(struct sl_device_barrier *barrier, struct paths *paths)
{
    for (uint32_t source = sl_global_id(0); source < paths->n; source += sl_grid_size(0)) {
        search_from(paths, source);
    }
    sl_device_barrier(barrier);
    measure(paths);
    sl_device_barrier(barrier);
}
