/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Breadth-first search, level by level (docs/quickrelease-programs.md, "qr_bfs"): the nodes of a
 * level are those whose byte in a mask is set. Two launches make a level, and repeat until one
 * reaches no node. Its kernels are qr_bfs_kernel.c. */
#include "programs/qr_bfs.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "host/sluice.h"
#include "programs/common/keys.h"
#include "programs/common/launches.h"
#include "programs/common/options.h"
#include "programs/common/program.h"
#include "programs/common/report.h"
#include "programs/common/words.h"

#define N_DEFAULT      32768
#define N_MAX          1048576
#define DEGREE_DEFAULT 6
#define DEGREE_MAX     32
#define GROUP          256

struct arguments {
    uint32_t n;
    uint32_t degree;
    uint32_t seed;
    const struct search *search; /* the machine's */
};

static const struct argp_option option_table[] = {
    {"degree", 'd', "EDGES", 0, "Edges of a node on the average, 1 to 32 (default 6)", 0},
    {"seed", 's', "NUMBER", 0, "Of the graph, which is random (default 1)", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;
    switch (key) {
    case 'd':
        arguments->degree = (uint32_t)options_number(state, "--degree", argument, 1, DEGREE_MAX);
        return 0;
    case 's':
        arguments->seed = (uint32_t)options_number(state, "--seed", argument, 0, UINT32_MAX);
        return 0;
    case ARGP_KEY_NO_ARGS:
        return 0;
    default:
        return options_n(key, argument, state, 1, N_MAX, &arguments->n);
    }
}

static const struct argp argp = {
    .options = option_table,
    .parser = parse,
    .args_doc = "[N]",
    .doc = "Search a random graph of N nodes breadth first on the simulated accelerator, level by "
           "level, and check all distances.\vN is from 1 to 1048576, 32768 where it is not given. "
           "The result is the largest distance.",
};

/* A node has 1 to 2 degree - 1 edges, to nodes at random. Returns their number. */
static uint32_t make_nodes(const struct arguments *arguments, struct node *nodes)
{
    const struct keys random = {arguments->n, KEYS_RANDOM, arguments->seed};
    uint32_t edges = 0;

    for (uint32_t i = 0; i < arguments->n; i++) {
        nodes[i].first = edges;
        nodes[i].count = 1 + (keys_at(&random, i) >> 8) % (2 * arguments->degree - 1);
        edges += nodes[i].count;
    }
    return edges;
}

/* Node 0 is reached, and the frontier. */
static struct search *make(struct sl_soc *soc, const struct arguments *arguments)
{
    const uint32_t n = arguments->n;
    const struct keys random = {n, KEYS_RANDOM, arguments->seed + 1};
    struct search *const search = sl_alloc(soc, sizeof *search, 0);
    struct node *const nodes = sl_alloc(soc, n * sizeof *nodes, 0);
    uint8_t *const masks[] = {sl_alloc(soc, n, 0), sl_alloc(soc, n, 0), sl_alloc(soc, n, 0)};
    uint32_t *const distance = sl_alloc(soc, n * sizeof *distance, 0);

    if (search == NULL || nodes == NULL || masks[0] == NULL || masks[1] == NULL ||
        masks[2] == NULL || distance == NULL) {
        return NULL;
    }
    const uint32_t count = make_nodes(arguments, nodes);
    uint32_t *const edges = sl_alloc(soc, count * sizeof *edges, 0);
    if (edges == NULL) {
        return NULL;
    }
    for (uint32_t i = 0; i < count; i++) {
        edges[i] = (keys_at(&random, i) >> 4) % n;
    }
    for (uint32_t i = 1; i < n; i++) {
        distance[i] = NOT_REACHED;
    }
    *search = (struct search){.nodes = nodes,
                              .edges = edges,
                              .is_frontier = masks[0],
                              .is_next = masks[1],
                              .is_visited = masks[2],
                              .distance = distance};
    search->is_frontier[0] = 1;
    search->is_visited[0] = 1;
    return search;
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    struct launches launches = {.soc = soc, .first = 0, .last = 1};
    uint32_t depth = 0;

    enum sl_status status = program_load(soc, "qr_bfs.elf", &launches.module);
    if (status != SL_OK) {
        return status;
    }
    const struct search *const search = make(soc, arguments);
    if (search == NULL) {
        return SL_ERROR_USAGE;
    }
    const uint64_t constants[] = {(uintptr_t)search};
    launches_add(&launches, "bfs_visit", arguments->n, GROUP, 0, constants, 1);
    launches_add(&launches, "bfs_advance", arguments->n, GROUP, 0, constants, 1);
    launches.word = &search->is_unfinished;
    status = launches_run(&launches);
    if (status == SL_OK) {
        for (uint32_t i = 0; i < arguments->n; i++) {
            const uint32_t distance = search->distance[i];
            depth = distance != NOT_REACHED && distance > depth ? distance : depth;
        }
        arguments->search = search;
        report_result("qr_bfs(%" PRIu32 ") = %" PRIu32, arguments->n, depth);
    }
    return status;
}

/* In plain C, with a list of nodes in the order in which they are reached. */
static void search_in_plain_c(const struct search *search, uint32_t n, uint32_t *distance,
                              uint32_t *list)
{
    uint32_t tail = 1;

    for (uint32_t i = 0; i < n; i++) {
        distance[i] = i == 0 ? 0 : NOT_REACHED;
    }
    list[0] = 0;
    for (uint32_t head = 0; head < tail; head++) {
        const struct node *const node = &search->nodes[list[head]];
        for (uint32_t i = node->first; i < node->first + node->count; i++) {
            const uint32_t next = search->edges[i];
            if (distance[next] == NOT_REACHED) {
                distance[next] = distance[list[head]] + 1;
                list[tail++] = next;
            }
        }
    }
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;
    const uint32_t n = arguments->n;
    uint32_t *const right = malloc(2 * (size_t)n * sizeof *right);

    if (right == NULL) {
        (void)fprintf(stderr, "qr_bfs: no memory for %" PRIu32 " nodes\n", n);
        return false;
    }
    search_in_plain_c(arguments->search, n, right, right + n);
    const bool is_equal =
        words_are_equal("qr_bfs", "distance of node", arguments->search->distance, right, n);
    free(right);
    return is_equal;
}

int main(int argc, char **argv)
{
    struct arguments arguments = {.n = N_DEFAULT, .degree = DEGREE_DEFAULT, .seed = 1};
    const struct program program = {
        .argp = &argp, .arguments = &arguments, .run = run, .is_right = is_right};

    return program_main(&program, argc, argv);
}
