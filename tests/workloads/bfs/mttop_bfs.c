/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Breadth-first search, level by level (docs/know/consistency-programs.md, "mttop_bfs"): as
 * qr_bfs.c, with both steps of all levels in one launch. Its kernel is mttop_bfs_kernel.c. */
#include <inttypes.h>
#include <stdbool.h>

#include "sluice/program.h"
#include "sluice/sluice.h"
#include "workloads/bfs/mttop_bfs.h"
#include "workloads/common/graph.h"
#include "workloads/common/resident.h"

#define N_DEFAULT 65536

struct arguments {
    struct graph_choice asked;
    uint32_t groups;
    struct search *search; /* in the shared heap, as is what it points to */
};

static const struct argp_option option_table[] = {
    GRAPH_OPTIONS,
    RESIDENT_OPTION('g'),
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;

    if (key == 'g') {
        arguments->groups = resident_groups(state, argument);
        return 0;
    }
    return graph_parse(key, argument, state, &arguments->asked);
}

static const struct argp argp = {
    .options = option_table,
    .parser = parse,
    .args_doc = "[N]",
    .doc = "Search a random graph of N nodes breadth first on the simulated accelerator, all "
           "levels in one launch, and check all distances.\vN is from 1 to 1048576, 65536 where it "
           "is not given. The result is the largest distance.",
};

static bool allocate(struct sl_soc *soc, uint32_t n, struct search *search)
{
    search->nodes = sl_alloc(soc, n * sizeof *search->nodes, 0);
    search->is_frontier = sl_alloc(soc, n, 0);
    search->is_next = sl_alloc(soc, (n + 3) / 4 * sizeof(uint32_t), 0);
    search->distance = sl_alloc(soc, n * sizeof *search->distance, 0);
    return search->nodes != NULL && search->is_frontier != NULL && search->is_next != NULL &&
           search->distance != NULL;
}

/* Node 0 is reached, and the frontier. */
static bool make(struct sl_soc *soc, struct arguments *arguments)
{
    const uint32_t n = arguments->asked.n;
    struct search *const search = sl_alloc(soc, sizeof *search, 0);

    if (search == NULL || !allocate(soc, n, search)) {
        return false;
    }
    search->edges = graph_make(soc, &arguments->asked, search->nodes, search->distance);
    if (search->edges == NULL) {
        return false;
    }
    search->is_frontier[0] = 1;
    search->n = n;
    arguments->search = search;
    return true;
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;

    if (!make(soc, arguments)) {
        return SL_ERROR_USAGE;
    }
    const uint64_t constants[] = {(uintptr_t)arguments->search};
    const enum sl_status status = resident_run(soc, "mttop_bfs.elf", "bfs_search",
                                               arguments->groups, arguments->asked.n, constants, 1);
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

    return graph_distances_are_right("mttop_bfs", search->nodes, search->edges, arguments->asked.n,
                                     search->distance);
}

int main(int argc, char **argv)
{
    struct arguments arguments = {.asked = GRAPH_CHOICE(N_DEFAULT)};
    const struct sl_app app = {
        .argp = &argp, .arguments = &arguments, .run = run, .is_right = is_right};

    return sl_app_main(&app, argc, argv);
}
