/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Breadth-first search with a queue of the nodes of each level (docs/know/hybrid-programs.md,
 * "hybrid_bfs"): two launches make a level, with as many work-items as its queue has nodes, and
 * repeat until one stays empty. Its kernels are hybrid_bfs_kernel.c. */
#include "workloads/bfs/hybrid_bfs.h"

#include "sluice/program.h"
#include "workloads/common/graph.h"
#include "workloads/common/launches.h"

#define GROUP 256

struct arguments {
    struct graph_choice asked;
    struct search *search;
};

static const struct sl_argument table[] = {
    SL_ROWS(struct arguments, asked, graph_table),
    {0},
};

/* Node 0 is reached, and the first frontier. */
static struct search *make(struct sl_soc *soc, const struct graph_choice *asked)
{
    const uint32_t n = asked->n;
    struct search *const search = sl_app_alloc(soc, sizeof *search, HYBRID_LINE);

    search->nodes = sl_app_alloc(soc, n * sizeof *search->nodes, HYBRID_LINE);
    search->is_visited = sl_app_alloc(soc, n, HYBRID_LINE);
    search->distance = sl_app_alloc(soc, n * sizeof *search->distance, HYBRID_LINE);
    search->frontier[0].nodes = sl_app_alloc(soc, n * sizeof(uint32_t), HYBRID_LINE);
    search->frontier[1].nodes = sl_app_alloc(soc, n * sizeof(uint32_t), HYBRID_LINE);
    search->edges = graph_make(soc, asked, (struct graph_node *)search->nodes, search->distance);
    search->is_visited[0] = 1;
    search->frontier[0].count = 1;
    return search;
}

/* Each frontier is visited, and the one that was found noted, by as many work-items as it has
 * nodes. */
static enum sl_status launch(struct sl_soc *soc, const struct search *search, uint32_t n)
{
    struct launches launches = {
        .soc = soc, .module = sl_app_kernels(soc), .last = 3, .word = &search->frontier[0].count};

    for (unsigned from = 0; from < 2; from++) {
        launches_add_values(&launches, "bfs_visit", n, GROUP, 0, SL_VALUES(search, from));
        launches_add_values(&launches, "bfs_mark", n, GROUP, 0, SL_VALUES(search, 1 - from));
        launches.steps[2 * from].grid_word = &search->frontier[from].count;
        launches.steps[2 * from + 1].grid_word = &search->frontier[1 - from].count;
    }
    return launches_run(&launches);
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;

    arguments->search = make(soc, &arguments->asked);
    const enum sl_status status = launch(soc, arguments->search, arguments->asked.n);
    if (status == SL_OK) {
        sl_app_result("hybrid_bfs(%" PRIu32 ") = %" PRIu32, arguments->asked.n,
                      graph_depth(arguments->search->distance, arguments->asked.n));
    }
    return status;
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;
    const struct search *const search = arguments->search;

    return graph_distances_are_right((const struct graph_node *)search->nodes, search->edges,
                                     arguments->asked.n, search->distance);
}

static const struct sl_app app = {
    .doc = "Search a random graph of N nodes breadth first on the simulated accelerator, with a "
           "queue of each level's nodes, and check all distances.\vThe result is the largest "
           "distance.",
    .table = table,
    .arguments = &(struct arguments){.asked = GRAPH_CHOICE(262144)},
    .kernels = "hybrid_bfs.elf",
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
