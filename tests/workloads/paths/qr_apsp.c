/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Shortest paths between all pairs of N nodes (papers/000 section 4.4.2;
 * docs/know/quickrelease-programs.md, "qr_apsp"): for each node to come from, a work-item for each
 * node to get to relaxes the edges to it. Distances go from work-item to work-item by release and
 * acquire while the kernel runs, and launches repeat, as one run, until one finds no shorter path.
 * The kernels are qr_apsp_kernel.c. */
#include "workloads/paths/qr_apsp.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "sluice/program.h"
#include "sluice/sluice.h"
#include "workloads/common/keys.h"
#include "workloads/common/launches.h"
#include "workloads/common/paths.h"
#include "workloads/common/words.h"

#define N_DEFAULT   256
#define N_MAX       1024
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

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;

    return sl_app_n(key, argument, state, 1, N_MAX, &arguments->n);
}

static const struct argp argp = {
    .parser = parse,
    .args_doc = "[N]",
    .doc =
        "Find the shortest paths between all pairs of N nodes on the simulated accelerator, and "
        "check their lengths.\vN is from 1 to 1024, 256 where it is not given. The result is the "
        "sum of all lengths.",
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

static bool make(struct sl_soc *soc, uint32_t nodes, struct paths *paths)
{
    uint32_t *const begin = sl_alloc(soc, (nodes + 1) * sizeof *begin, 0);
    struct edge *const edges = sl_alloc(soc, nodes * EDGES_BYTES, 0);
    uint32_t *const distance = sl_alloc(soc, (size_t)nodes * nodes * sizeof *distance, 0);
    struct search *const search = sl_alloc(soc, sizeof *search, 0);

    if (begin == NULL || edges == NULL || distance == NULL || search == NULL) {
        return false;
    }
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
    return true;
}

/* Two, which repeat while the second one finds shorter paths. */
static void note_launches(struct launches *launches, const struct paths *paths, uint32_t nodes)
{
    const uint32_t items[2] = {nodes, nodes};
    const uint32_t group[2] = {nodes < GROUP ? nodes : GROUP, 1};
    const uint64_t to_begin[] = {(uintptr_t)paths->search};
    const uint64_t to_relax[] = {(uintptr_t)paths->begin, (uintptr_t)paths->edges,
                                 (uintptr_t)paths->distance, (uintptr_t)paths->search};

    launches_add(launches, "apsp_begin", 1, 1, 0, to_begin, 1);
    launches_add_plane(launches, "apsp_relax", items, group, 0, to_relax, 4);
    launches->word = &paths->search->changed;
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    const size_t n = arguments->n;
    struct paths *const paths = &arguments->paths;
    struct launches launches = {.soc = soc, .first = 0, .last = 1};
    uint64_t sum = 0;

    enum sl_status status = sl_app_load(soc, "qr_apsp.elf", &launches.module);
    if (status != SL_OK) {
        return status;
    }
    if (!make(soc, arguments->n, paths)) {
        return SL_ERROR_USAGE;
    }
    note_launches(&launches, paths, arguments->n);
    status = launches_run(&launches);
    if (status == SL_OK) {
        for (size_t i = 0; i < n * n; i++) {
            sum += paths->distance[i];
        }
        sl_app_result("qr_apsp(%" PRIu32 ") = %" PRIu64, arguments->n, sum);
    }
    return status;
}

static void print_launches(const void *input)
{
    const struct arguments *const arguments = input;

    (void)printf("# %-22s %" PRIu32 " until none found a shorter path\n", "launches",
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
    uint32_t *const right = malloc(n * n * sizeof *right);

    if (right == NULL) {
        (void)fprintf(stderr, "qr_apsp: no memory for %zu nodes\n", n);
        return false;
    }
    search_in_plain_c(&arguments->paths, n, right);
    const bool is_equal =
        words_are_equal("qr_apsp", "distance", arguments->paths.distance, right, n * n);
    free(right);
    return is_equal;
}

int main(int argc, char **argv)
{
    struct arguments arguments = {.n = N_DEFAULT};
    const struct sl_app app = {.argp = &argp,
                               .arguments = &arguments,
                               .run = run,
                               .print = print_launches,
                               .is_right = is_right};

    return sl_app_main(&app, argc, argv);
}
