/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Breadth-first search, level by level (docs/know/consistency-programs.md, "mttop_bfs"): as
 * qr_bfs.c, with both steps of all levels in one launch. Its kernel is mttop_bfs_kernel.c. */

#include "workloads/bfs/mttop_bfs.h"
#include "sluice/program.h"
#include "workloads/common/graph.h"
#include "workloads/common/resident.h"

struct arguments {
    struct graph_choice asked;
    uint32_t groups;
    struct search *search; /* in the shared heap, as is what it points to */
};

static const struct sl_argument table[] = {
    SL_ROWS(struct arguments, asked, graph_table),
    RESIDENT_ROW(struct arguments, groups),
    {0},
};

/* Node 0 is reached, and the frontier. */
static struct search *make(struct sl_soc *soc, const struct graph_choice *asked)
{
    const uint32_t n = asked->n;
    struct search *const search = sl_app_alloc(soc, sizeof *search, 0);

    search->nodes = sl_app_alloc(soc, n * sizeof *search->nodes, 0);
    search->is_frontier = sl_app_alloc(soc, n, 0);
    search->is_next = sl_app_alloc(soc, (n + 3) / 4 * sizeof(uint32_t), 0);
    search->distance = sl_app_alloc(soc, n * sizeof *search->distance, 0);
    search->edges = graph_make(soc, asked, search->nodes, search->distance);
    search->is_frontier[0] = 1;
    search->n = n;
    return search;
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;

    arguments->search = make(soc, &arguments->asked);
    const enum sl_status status = resident_run(soc, "bfs_search", arguments->groups,
                                               arguments->asked.n, SL_VALUES(arguments->search));
    if (status == SL_OK) {
        sl_app_result("mttop_bfs(%" PRIu32 ") = %" PRIu32, arguments->asked.n,
                      graph_depth(arguments->search->distance, arguments->asked.n));
    }
    return status;
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;
    const struct search *const search = arguments->search;

    return graph_distances_are_right(search->nodes, search->edges, arguments->asked.n,
                                     search->distance);
}

static const struct sl_app app = {
    .doc = "Search a random graph of N nodes breadth first on the simulated accelerator, all "
           "levels in one launch, and check all distances.\vThe result is the largest distance.",
    .table = table,
    .arguments = &(struct arguments){.asked = GRAPH_CHOICE(65536)},
    .kernels = "mttop_bfs.elf",
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
