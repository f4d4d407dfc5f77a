/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Shortest paths between all pairs of N nodes (papers/000 section 4.4.2;
 * docs/know/quickrelease-programs.md, "qr_apsp"): for each node to come from, a work-item for each
 * node to get to relaxes the edges to it. Distances go from work-item to work-item by release and
 * acquire while the kernel runs, and launches repeat, as one run, until one finds no shorter path.
 * The kernels are qr_apsp_kernel.c. */
#include "workloads/paths/qr_apsp.h"

#include <stdlib.h>

#include "sluice/program.h"
#include "workloads/common/keys.h"
#include "workloads/common/launches.h"
#include "workloads/common/paths.h"
#include "workloads/common/words.h"

#define GROUP       256
#define DEGREE      8 /* edges to a node, at most */
#define WEIGHT_MAX  10
#define EDGES_BYTES ((size_t)DEGREE * sizeof(struct edge))

/* In shared memory. */
struct paths {
    const uint32_t *begin;    /* where the edges to each node begin, and where the last ones end */
    const struct edge *edges; /* by the node that they lead to */
    uint32_t *distance; /* from each node to each node: a row for each that a path comes from */
    struct search *search;
};

struct arguments {
    uint32_t n;
    struct paths paths;
};

static const struct sl_argument table[] = {
    {"[N]", 0, SL_NUMBER, 1, 1024, SL_INTO(struct arguments, n)},
    {0},
};

static const struct keys random_words = {.pattern = KEYS_RANDOM};

/* The first edge to a node comes from the one before it, so that all can be reached; the others
 * from anywhere. */
static struct edge edge_to(uint32_t node, uint32_t number, uint32_t nodes)
{
    const uint32_t random = keys_at(&random_words, node * DEGREE + number);

    return (struct edge){.from = (number == 0 ? node + nodes - 1 : random >> 16) % nodes,
                         .weight = 1 + (random & 0xffff) % WEIGHT_MAX};
}

static void make(struct sl_soc *soc, uint32_t nodes, struct paths *paths)
{
    uint32_t *const begin = sl_app_alloc(soc, (nodes + 1) * sizeof *begin, 0);
    struct edge *const edges = sl_app_alloc(soc, nodes * EDGES_BYTES, 0);
    uint32_t *const distance = sl_app_alloc(soc, (size_t)nodes * nodes * sizeof *distance, 0);
    struct search *const search = sl_app_alloc(soc, sizeof *search, 0);

    for (uint32_t node = 0; node < nodes; node++) {
        const uint32_t degree = 2 + keys_at(&random_words, node) % (DEGREE - 1);
        begin[node + 1] = begin[node] + degree;
        for (uint32_t i = 0; i < degree; i++) {
            edges[begin[node] + i] = edge_to(node, i, nodes);
        }
        for (uint32_t from = 0; from < nodes; from++) {
            distance[(size_t)from * nodes + node] = from == node ? 0 : PATHS_NONE;
        }
    }
    *paths = (struct paths){.begin = begin, .edges = edges, .distance = distance, .search = search};
}

/* Two, which repeat while the second one finds shorter paths. */
static enum sl_status relax(struct sl_soc *soc, const struct paths *paths, uint32_t nodes)
{
    const uint32_t items[2] = {nodes, nodes};
    const uint32_t group[2] = {nodes < GROUP ? nodes : GROUP, 1};
    struct launches launches = {
        .soc = soc, .module = sl_app_kernels(soc), .last = 1, .word = &paths->search->changed};

    launches_add_values(&launches, "apsp_begin", 1, 1, 0, SL_VALUES(paths->search));
    launches_add_plane_values(
        &launches, "apsp_relax", items, group, 0,
        SL_VALUES(paths->begin, paths->edges, paths->distance, paths->search));
    return launches_run(&launches);
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    const size_t n = arguments->n;
    struct paths *const paths = &arguments->paths;
    uint64_t sum = 0;

    make(soc, arguments->n, paths);
    const enum sl_status status = relax(soc, paths, arguments->n);
    if (status == SL_OK) {
        for (size_t i = 0; i < n * n; i++) {
            sum += paths->distance[i];
        }
        sl_app_result("qr_apsp(%" PRIu32 ") = %" PRIu64, arguments->n, sum);
    }
    return status;
}

static void print(const void *input)
{
    const struct arguments *const arguments = input;

    sl_app_row("launches", "%" PRIu32 " until none found a shorter path",
               arguments->paths.search->launches);
}

/* All distances, from those of the edges. */
static void search_in_plain_c(const struct paths *paths, size_t nodes, uint32_t *distance)
{
    for (size_t i = 0; i < nodes * nodes; i++) {
        distance[i] = i % (nodes + 1) == 0 ? 0 : PATHS_NONE;
    }
    for (size_t to = 0; to < nodes; to++) {
        for (uint32_t i = paths->begin[to]; i < paths->begin[to + 1]; i++) {
            uint32_t *const direct = &distance[paths->edges[i].from * nodes + to];
            *direct = paths->edges[i].weight < *direct ? paths->edges[i].weight : *direct;
        }
    }
    paths_complete(distance, nodes);
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;
    const size_t n = arguments->n;
    uint32_t *const right = sl_app_memory(n * n, sizeof *right);

    search_in_plain_c(&arguments->paths, n, right);
    const bool is_equal = words_are_equal("distance", arguments->paths.distance, right, n * n);
    free(right);
    return is_equal;
}

static const struct sl_app app = {
    .doc = "Find the shortest paths between all pairs of N nodes on the simulated accelerator, and "
           "check their lengths.\vThe result is the sum of all lengths.",
    .table = table,
    .arguments = &(struct arguments){.n = 256},
    .kernels = "qr_apsp.elf",
    .run = run,
    .print = print,
    .is_right = is_right,
};
SL_PROGRAM(app)
