/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Graph, options, result and check of programs that search. */
#include "workloads/common/search/search_main.h"

#include <inttypes.h>
#include <stdio.h>

#include "sluice/program.h"
#include "workloads/common/search/plain.h"

#define N_DEFAULT      65536
#define N_MAX          4194304
#define DEGREE_DEFAULT 8
#define DEGREE_MAX     64

struct arguments {
    const struct search_program *program;
    struct input input;
    struct search_run run;
    uint32_t reached; /* nodes */
    uint32_t longest; /* distance */
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;
    switch (key) {
    case 'd':
        arguments->input.degree =
            (uint32_t)sl_app_number(state, "--degree", argument, 1, DEGREE_MAX);
        return 0;
    case SEARCH_KEY_GRAPH:
        arguments->input.kind =
            sl_app_choice(state, "--graph", argument, "rmat", "grid") ? INPUT_GRID : INPUT_RMAT;
        return 0;
    case 's':
        arguments->input.seed = (uint32_t)sl_app_number(state, "--seed", argument, 0, UINT32_MAX);
        return 0;
    case ARGP_KEY_NO_ARGS:
        return 0;
    default:
        break;
    }
    return trees_parse_n(key, argument, state, &arguments->run.options, 1, N_MAX,
                         &arguments->input.n);
}

static bool allocate(struct sl_soc *soc, const struct input *input, bool has_lengths,
                     struct search *search, uint32_t *edges)
{
    search->nodes = sl_alloc(soc, input->n * sizeof *search->nodes, 0);
    search->distance = sl_alloc(soc, input->n * sizeof *search->distance, 0);
    if (search->nodes == NULL || search->distance == NULL) {
        return false;
    }
    *edges = input_fill_nodes(input, search->nodes);
    const size_t edge_bytes = has_lengths ? sizeof(uint64_t) : sizeof(uint32_t);
    search->edges = sl_alloc(soc, *edges > 0 ? *edges * edge_bytes : edge_bytes, 0);
    return search->edges != NULL;
}

/* In the shared heap, the searched graph, with node 0 reached; NULL where there is no room. */
static struct search *make(struct sl_soc *soc, const struct arguments *arguments, uint32_t *edges)
{
    const struct input *const input = &arguments->input;
    struct search *const search = sl_alloc(soc, sizeof *search, 0);

    if (search == NULL || !allocate(soc, input, arguments->program->has_lengths, search, edges)) {
        return NULL;
    }
    input_fill_edges(input, arguments->program->has_lengths, search);
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
    search_run->name = arguments->program->name;
    search_run->has_lengths = arguments->program->has_lengths;
    search_run->n = arguments->input.n;
    search_run->search = make(soc, arguments, &search_run->edges);
    if (search_run->search == NULL) {
        return SL_ERROR_USAGE;
    }
    const enum sl_status status = arguments->program->run(search_run);
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
    return plain_distances_are_equal(arguments->program->name, arguments->run.search,
                                     arguments->program->has_lengths, arguments->run.n);
}

int search_main(const struct search_program *program, int argc, char **argv)
{
    struct arguments arguments = {
        .program = program,
        .input = {.n = N_DEFAULT, .degree = DEGREE_DEFAULT, .seed = 1},
    };
    const struct argp argp = {
        .options = program->options, .parser = parse, .args_doc = "[N]", .doc = program->doc};
    const struct sl_app common = {
        .argp = &argp, .arguments = &arguments, .run = run, .print = print, .is_right = is_right};

    return sl_app_main(&common, argc, argv);
}
