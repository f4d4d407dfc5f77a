/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Graph, options, result and check of programs that search. */
#include "workloads/common/search/search_main.h"

#include <stdio.h>

#include "sluice/program.h"
#include "workloads/common/search/plain.h"

struct arguments {
    const struct search_way *way;
    struct input input;
    struct search_run run;
    uint32_t reached; /* nodes */
    uint32_t longest; /* distance */
};

/* In the shared heap, the searched graph, with node 0 reached. */
static const struct search *make(struct sl_soc *soc, const struct input *input, bool has_lengths,
                                 uint32_t *edges)
{
    struct search *const search = sl_app_alloc(soc, sizeof *search, 0);

    search->nodes = sl_app_alloc(soc, input->n * sizeof *search->nodes, 0);
    search->distance = sl_app_alloc(soc, input->n * sizeof *search->distance, 0);
    *edges = input_fill_nodes(input, search->nodes);
    const size_t edge_bytes = has_lengths ? sizeof(uint64_t) : sizeof(uint32_t);
    search->edges = sl_app_alloc(soc, *edges > 0 ? *edges * edge_bytes : edge_bytes, 0);
    input_fill_edges(input, has_lengths, search);
    for (uint32_t i = 1; i < input->n; i++) {
        search->distance[i] = NOT_REACHED;
    }
    return search;
}

static void look(struct arguments *arguments)
{
    const uint32_t *const distance = arguments->run.search->distance;
    for (uint32_t i = 0; i < arguments->run.n; i++) {
        if (distance[i] != NOT_REACHED) {
            arguments->reached++;
            arguments->longest =
                distance[i] > arguments->longest ? distance[i] : arguments->longest;
        }
    }
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    struct search_run *const search_run = &arguments->run;

    search_run->soc = soc;
    search_run->n = arguments->input.n;
    search_run->search = make(soc, &arguments->input, search_run->has_lengths, &search_run->edges);
    const enum sl_status status = arguments->way->run(search_run);
    if (status == SL_OK) {
        look(arguments);
        sl_app_result("%s(%" PRIu32 ") = %" PRIu32, search_run->name, search_run->n,
                      arguments->longest);
    }
    return status;
}

static void print(const void *input)
{
    const struct arguments *const arguments = input;
    printf("# graph       %" PRIu32 " nodes, %" PRIu32 " edges; %" PRIu32 " nodes reached\n",
           arguments->run.n, arguments->run.edges, arguments->reached);
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;
    const struct search_run *const search_run = &arguments->run;

    return plain_distances_are_equal(search_run->search, search_run->has_lengths, search_run->n);
}

int search_main(const char *name, const struct search_way *way, bool has_lengths, int argc,
                char **argv)
{
    const struct sl_argument table[] = {
        {"[N]", 0, SL_NUMBER, 1, 4194304, SL_INTO(struct arguments, input.n)},
        {"degree", 'd', SL_NUMBER, 1, 64, SL_INTO(struct arguments, input.degree),
         "Edges of a node, on the average", "EDGES"},
        {"graph", 0, SL_CHOICE, 0, 0, SL_INTO(struct arguments, input.kind),
         "Kind of the graph; a grid is without --degree", "rmat|grid"},
        {"seed", 's', SL_SEED, 0, 0, SL_INTO(struct arguments, input.seed), "Of the graph"},
        SL_ROWS(struct arguments, run.options, way->table),
        {0},
    };
    struct arguments arguments = {.way = way,
                                  .input = {.n = 65536, .degree = 8, .seed = 1},
                                  .run = {.name = name, .has_lengths = has_lengths}};
    char doc[512];
    const struct sl_app app = {.doc = doc,
                               .table = table,
                               .arguments = &arguments,
                               .run = run,
                               .print = print,
                               .is_right = is_right};

    (void)snprintf(doc, sizeof doc,
                   "Find the %s from node 0 to all others of a graph of N nodes on the simulated "
                   "accelerator, by %s, and check all distances; the result is the largest.",
                   has_lengths ? "shortest paths" : "least numbers of edges", way->how);
    return sl_app_main(&app, argc, argv);
}
