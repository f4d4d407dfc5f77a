/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Shortest paths between all pairs of a graph's N nodes (docs/know/consistency-programs.md,
 * "mttop_dijkstra"): Dijkstra's search from each node, a source for each work-item. Its kernel is
 * mttop_dijkstra_kernel.c. */
#include "workloads/paths/mttop_dijkstra.h"

#include <stdlib.h>
#include <string.h>

#include "sluice/program.h"
#include "workloads/common/graph.h"
#include "workloads/common/keys.h"
#include "workloads/common/paths.h"
#include "workloads/common/resident.h"
#include "workloads/common/words.h"

#define DEGREE     6 /* edges of a node on the average */
#define WEIGHT_MAX 10

struct arguments {
    uint32_t n;
    uint32_t seed;
    uint32_t groups;
    struct paths *paths; /* in the shared heap, as is what it points to */
};

static const struct sl_argument table[] = {
    {"[N]", 0, SL_NUMBER, 1, 2048, SL_INTO(struct arguments, n)},
    {"seed", 's', SL_SEED, 0, 0, SL_INTO(struct arguments, seed), "Of the graph, which is random"},
    RESIDENT_ROW(struct arguments, groups),
    {0},
};

/* Distances have rows up to a multiple of AT_ONCE, of nodes that are never reached. */
static void allocate(struct sl_soc *soc, struct paths *paths)
{
    const size_t n = paths->n;
    const size_t rows = (n + AT_ONCE - 1) / AT_ONCE * AT_ONCE;

    paths->nodes = sl_app_alloc(soc, n * sizeof *paths->nodes, 0);
    paths->distance = sl_app_alloc(soc, rows * n * sizeof *paths->distance, 0);
    paths->open = sl_app_alloc(soc, rows * n * sizeof *paths->open, 0);
    paths->eccentricity = sl_app_alloc(soc, n * sizeof *paths->eccentricity, 0);
    for (size_t i = 0; i < rows * n; i++) {
        paths->distance[i] = NOT_REACHED;
        paths->open[i] = NOT_REACHED;
    }
}

static void make_edges(struct sl_soc *soc, struct paths *paths, uint32_t seed)
{
    const struct keys random = {.pattern = KEYS_RANDOM, .seed = seed + 1};
    const uint32_t count = graph_fill_nodes(paths->nodes, paths->n, DEGREE, seed);

    paths->edges = sl_app_alloc(soc, count * sizeof *paths->edges, 0);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t word = keys_at(&random, i);
        paths->edges[i] = (struct edge){(word >> 4) % paths->n, 1 + (word >> 8) % WEIGHT_MAX};
    }
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    struct paths *const paths = sl_app_alloc(soc, sizeof *paths, 0);

    paths->n = arguments->n;
    allocate(soc, paths);
    make_edges(soc, paths, arguments->seed);
    arguments->paths = paths;
    const enum sl_status status =
        resident_run(soc, "dijkstra_all_pairs", arguments->groups, paths->n, SL_VALUES(paths));
    if (status == SL_OK) {
        sl_app_result("mttop_dijkstra(%" PRIu32 ") = %" PRIu32, paths->n, paths->diameter);
    }
    return status;
}

/* Distances in plain C, with a row for each source. */
static void search_in_plain_c(const struct paths *paths, uint32_t *distance)
{
    const size_t n = paths->n;

    for (size_t i = 0; i < n * n; i++) {
        distance[i] = i % (n + 1) == 0 ? 0 : PATHS_NONE;
    }
    for (size_t from = 0; from < n; from++) {
        const struct graph_node node = paths->nodes[from];
        for (uint32_t i = node.first; i < node.first + node.count; i++) {
            uint32_t *const direct = &distance[from * n + paths->edges[i].to];
            *direct = paths->edges[i].weight < *direct ? paths->edges[i].weight : *direct;
        }
    }
    paths_complete(distance, n);
}

/* Turns what plain C found into what is wanted: rows of nodes, their eccentricities, and in front
 * of these the diameter. */
static void arrange(const uint32_t *found, size_t n, uint32_t *distance, uint32_t *largest)
{
    memset(largest, 0, (n + 1) * sizeof *largest);
    for (size_t node = 0; node < n; node++) {
        for (size_t source = 0; source < n; source++) {
            const uint32_t length = found[source * n + node];
            distance[node * n + source] = length == PATHS_NONE ? NOT_REACHED : length;
            if (length != PATHS_NONE && length > largest[1 + node]) {
                largest[1 + node] = length;
            }
        }
        largest[0] = largest[1 + node] > largest[0] ? largest[1 + node] : largest[0];
    }
}

static bool is_right(const void *input)
{
    const struct paths *const paths = ((const struct arguments *)input)->paths;
    const size_t n = paths->n;
    uint32_t *const found = sl_app_memory(2 * n * n + n + 1, sizeof *found);
    uint32_t *const distance = found + n * n, *const largest = distance + n * n;

    search_in_plain_c(paths, found);
    arrange(found, n, distance, largest);
    const bool is_equal = words_are_equal("distance", paths->distance, distance, n * n) &&
                          words_are_equal("eccentricity", paths->eccentricity, largest + 1, n) &&
                          words_are_equal("diameter", &paths->diameter, largest, 1);
    free(found);
    return is_equal;
}

static const struct sl_app app = {
    .doc = "Find the shortest paths between all pairs of a random graph's N nodes on the simulated "
           "accelerator, and check all distances.\vThe result is the largest distance.",
    .table = table,
    .arguments = &(struct arguments){.n = 256, .seed = 1},
    .kernels = "mttop_dijkstra.elf",
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
