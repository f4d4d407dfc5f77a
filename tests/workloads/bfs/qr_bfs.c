/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Breadth-first search, level by level (docs/know/quickrelease-programs.md, "qr_bfs"): the nodes of
 * a level are those whose byte in a mask is set. Two launches make a level, and repeat until one
 * reaches no node. Its kernels are qr_bfs_kernel.c. */
#include <inttypes.h>
#include <stdbool.h>

#include "sluice/program.h"
#include "sluice/sluice.h"
#include "workloads/common/graph.h"
#include "workloads/common/launches.h"

#define N_DEFAULT 32768
#define GROUP     256

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
    .doc = "Search a random graph of N nodes breadth first on the simulated accelerator, level by "
           "level, and check all distances.\vN is from 1 to 1048576, 32768 where it is not given. "
           "The result is the largest distance.",
};

static bool allocate(struct sl_soc *soc, uint32_t n, struct search *search)
{
    search->nodes = sl_alloc(soc, n * sizeof *search->nodes, 0);
    search->is_frontier = sl_alloc(soc, n, 0);
    search->reached = sl_alloc(soc, n * sizeof *search->reached, 0);
    search->is_visited = sl_alloc(soc, n, 0);
    search->distance = sl_alloc(soc, n * sizeof *search->distance, 0);
    search->is_unfinished = sl_alloc(soc, sizeof *search->is_unfinished, 0);
    return search->nodes != NULL && search->is_frontier != NULL && search->reached != NULL &&
           search->is_visited != NULL && search->distance != NULL && search->is_unfinished != NULL;
}

/* Node 0 is reached, and the frontier. */
static bool make(struct sl_soc *soc, struct arguments *arguments)
{
    const uint32_t n = arguments->asked.n;
    struct search *const search = &arguments->search;

    if (!allocate(soc, n, search)) {
        return false;
    }
    search->edges = graph_make(soc, &arguments->asked, search->nodes, search->distance);
    if (search->edges == NULL) {
        return false;
    }
    search->is_frontier[0] = 1;
    search->is_visited[0] = 1;
    return true;
}

static enum sl_status launch(struct launches *launches, const struct search *search, uint32_t n)
{
    const uint64_t visit[] = {
        (uintptr_t)search->nodes,         (uintptr_t)search->edges,
        (uintptr_t)search->is_frontier,   (uintptr_t)search->reached,
        (uintptr_t)search->is_visited,    (uintptr_t)search->distance,
        (uintptr_t)search->is_unfinished,
    };
    const uint64_t advance[] = {(uintptr_t)search->is_frontier, (uintptr_t)search->reached,
                                (uintptr_t)search->is_visited, (uintptr_t)search->distance,
                                (uintptr_t)search->is_unfinished};

    launches_add(launches, "bfs_visit", n, GROUP, 0, visit, 7);
    launches_add(launches, "bfs_advance", n, GROUP, 0, advance, 5);
    launches->first = 0;
    launches->last = 1;
    launches->word = search->is_unfinished;
    return launches_run(launches);
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    struct launches launches = {.soc = soc};

    enum sl_status status = sl_app_load(soc, "qr_bfs.elf", &launches.module);
    if (status != SL_OK) {
        return status;
    }
    if (!make(soc, arguments)) {
        return SL_ERROR_USAGE;
    }
    status = launch(&launches, &arguments->search, arguments->asked.n);
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

    return graph_distances_are_right("qr_bfs", search->nodes, search->edges, arguments->asked.n,
                                     search->distance);
}

int main(int argc, char **argv)
{
    struct arguments arguments = {.asked = GRAPH_CHOICE(N_DEFAULT)};
    const struct sl_app app = {
        .argp = &argp, .arguments = &arguments, .run = run, .is_right = is_right};

    return sl_app_main(&app, argc, argv);
}
