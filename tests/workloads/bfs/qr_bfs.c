/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Breadth-first search, level by level (docs/know/quickrelease-programs.md, "qr_bfs"): the nodes of
 * a level are those whose byte in a mask is set. Two launches make a level, and repeat until one
 * reaches no node. Its kernels are qr_bfs_kernel.c. */

#include "sluice/program.h"
#include "workloads/common/graph.h"
#include "workloads/common/launches.h"

#define GROUP 256

/* In the shared heap. */
struct search {
    struct graph_node *nodes;
    uint32_t *edges;         /* nodes that they lead to */
    uint8_t *is_frontier;    /* of each node: it was reached in the level before */
    uint32_t *reached;       /* not 0: it is reached in this one, at that distance */
    uint8_t *is_visited;     /* in one of them */
    uint32_t *distance;      /* from node 0, or NOT_REACHED */
    uint32_t *is_unfinished; /* a word: nodes were reached */
};

struct arguments {
    struct graph_choice asked;
    struct search search;
};

static const struct sl_argument table[] = {
    SL_ROWS(struct arguments, asked, graph_table),
    {0},
};

/* Node 0 is reached, and the frontier. */
static void make(struct sl_soc *soc, const struct graph_choice *asked, struct search *search)
{
    const uint32_t n = asked->n;

    search->nodes = sl_app_alloc(soc, n * sizeof *search->nodes, 0);
    search->is_frontier = sl_app_alloc(soc, n, 0);
    search->reached = sl_app_alloc(soc, n * sizeof *search->reached, 0);
    search->is_visited = sl_app_alloc(soc, n, 0);
    search->distance = sl_app_alloc(soc, n * sizeof *search->distance, 0);
    search->is_unfinished = sl_app_alloc(soc, sizeof *search->is_unfinished, 0);
    search->edges = graph_make(soc, asked, search->nodes, search->distance);
    search->is_frontier[0] = 1;
    search->is_visited[0] = 1;
}

static enum sl_status launch(struct sl_soc *soc, const struct search *search, uint32_t n)
{
    struct launches launches = {
        .soc = soc, .module = sl_app_kernels(soc), .last = 1, .word = search->is_unfinished};

    launches_add_values(&launches, "bfs_visit", n, GROUP, 0,
                        SL_VALUES(search->nodes, search->edges, search->is_frontier,
                                  search->reached, search->is_visited, search->distance,
                                  search->is_unfinished));
    launches_add_values(&launches, "bfs_advance", n, GROUP, 0,
                        SL_VALUES(search->is_frontier, search->reached, search->is_visited,
                                  search->distance, search->is_unfinished));
    return launches_run(&launches);
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;

    make(soc, &arguments->asked, &arguments->search);
    const enum sl_status status = launch(soc, &arguments->search, arguments->asked.n);
    if (status == SL_OK) {
        sl_app_result("qr_bfs(%" PRIu32 ") = %" PRIu32, arguments->asked.n,
                      graph_depth(arguments->search.distance, arguments->asked.n));
    }
    return status;
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;
    const struct search *const search = &arguments->search;

    return graph_distances_are_right(search->nodes, search->edges, arguments->asked.n,
                                     search->distance);
}

static const struct sl_app app = {
    .doc = "Search a random graph of N nodes breadth first on the simulated accelerator, level by "
           "level, and check all distances.\vThe result is the largest distance.",
    .table = table,
    .arguments = &(struct arguments){.asked = GRAPH_CHOICE(32768)},
    .kernels = "qr_bfs.elf",
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
