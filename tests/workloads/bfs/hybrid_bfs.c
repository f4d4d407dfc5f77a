/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Breadth-first search with a queue of the nodes of each level (docs/know/hybrid-programs.md,
 * "hybrid_bfs"): two launches make a level, with as many work-items as its queue has nodes, and
 * repeat until one stays empty. Its kernels are hybrid_bfs_kernel.c. */
#include "workloads/bfs/hybrid_bfs.h"

#include <inttypes.h>
#include <stdbool.h>

#include "sluice/program.h"
#include "sluice/sluice.h"
#include "workloads/common/graph.h"
#include "workloads/common/launches.h"

#define N_DEFAULT 262144
#define GROUP     256

struct arguments {
    struct graph_choice asked;
    struct search *search;
};

static const struct argp_option option_table[] = {
    GRAPH_OPTIONS,
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;

    return graph_parse(key, argument, state, &arguments->asked);
}

static const struct argp argp = {
    .options = option_table,
    .parser = parse,
    .args_doc = "[N]",
    .doc = "Search a random graph of N nodes breadth first on the simulated accelerator, with a "
           "queue of each level's nodes, and check all distances.\vN is from 1 to 1048576, 262144 "
           "where it is not given. The result is the largest distance.",
};

static bool allocate(struct sl_soc *soc, uint32_t n, struct search *search)
{
    search->nodes = sl_alloc(soc, n * sizeof *search->nodes, HYBRID_LINE);
    search->is_visited = sl_alloc(soc, n, HYBRID_LINE);
    search->distance = sl_alloc(soc, n * sizeof *search->distance, HYBRID_LINE);
    search->frontier[0].nodes = sl_alloc(soc, n * sizeof(uint32_t), HYBRID_LINE);
    search->frontier[1].nodes = sl_alloc(soc, n * sizeof(uint32_t), HYBRID_LINE);
    return search->nodes != NULL && search->is_visited != NULL && search->distance != NULL &&
           search->frontier[0].nodes != NULL && search->frontier[1].nodes != NULL;
}

/* Node 0 is reached, and the first frontier. */
static bool make(struct sl_soc *soc, struct arguments *arguments)
{
    struct search *const search = sl_alloc(soc, sizeof *search, HYBRID_LINE);

    if (search == NULL || !allocate(soc, arguments->asked.n, search)) {
        return false;
    }
    search->edges =
        graph_make(soc, &arguments->asked, (struct graph_node *)search->nodes, search->distance);
    if (search->edges == NULL) {
        return false;
    }
    search->is_visited[0] = 1;
    search->frontier[0].count = 1;
    arguments->search = search;
    return true;
}

/* Each frontier is visited, and the one that was found noted, by as many work-items as it has
 * nodes. */
static enum sl_status launch(struct sl_soc *soc, struct sl_module *module,
                             const struct search *search, uint32_t n)
{
    struct launches launches = {.soc = soc, .module = module};

    for (unsigned from = 0; from < 2; from++) {
        const uint64_t visit[] = {(uintptr_t)search, from};
        const uint64_t mark[] = {(uintptr_t)search, 1 - from};
        launches_add(&launches, "bfs_visit", n, GROUP, 0, visit, 2);
        launches_add(&launches, "bfs_mark", n, GROUP, 0, mark, 2);
        launches.steps[2 * from].grid_word = &search->frontier[from].count;
        launches.steps[2 * from + 1].grid_word = &search->frontier[1 - from].count;
    }
    launches.first = 0;
    launches.last = 3;
    launches.word = &search->frontier[0].count;
    return launches_run(&launches);
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    struct sl_module *module;

    enum sl_status status = sl_app_load(soc, "hybrid_bfs.elf", &module);
    if (status != SL_OK) {
        return status;
    }
    if (!make(soc, arguments)) {
        return SL_ERROR_USAGE;
    }
    status = launch(soc, module, arguments->search, arguments->asked.n);
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

    return graph_distances_are_right("hybrid_bfs", (const struct graph_node *)search->nodes,
                                     search->edges, arguments->asked.n, search->distance);
}

int main(int argc, char **argv)
{
    struct arguments arguments = {.asked = GRAPH_CHOICE(N_DEFAULT)};
    const struct sl_app app = {
        .argp = &argp, .arguments = &arguments, .run = run, .is_right = is_right};

    return sl_app_main(&app, argc, argv);
}
