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

/* In the shared heap. */
struct search {
    struct node *nodes;
    uint32_t *edges;         /* nodes that they lead to */
    uint8_t *is_frontier;    /* of each node: it was reached in the level before */
    uint8_t *is_next;        /* it is reached in this one */
    uint8_t *is_visited;     /* in one of them */
    uint32_t *distance;      /* from node 0, or NOT_REACHED */
    uint32_t *is_unfinished; /* a word: nodes were reached */
};

struct arguments {
    uint32_t n;
    uint32_t degree;
    uint32_t seed;
    struct search search;
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

static bool allocate(struct sl_soc *soc, uint32_t n, struct search *search)
{
    search->nodes = sl_alloc(soc, n * sizeof *search->nodes, 0);
    search->is_frontier = sl_alloc(soc, n, 0);
    search->is_next = sl_alloc(soc, n, 0);
    search->is_visited = sl_alloc(soc, n, 0);
    search->distance = sl_alloc(soc, n * sizeof *search->distance, 0);
    search->is_unfinished = sl_alloc(soc, sizeof *search->is_unfinished, 0);
    return search->nodes != NULL && search->is_frontier != NULL && search->is_next != NULL &&
           search->is_visited != NULL && search->distance != NULL && search->is_unfinished != NULL;
}

/* Node 0 is reached, and the frontier. */
static bool make(struct sl_soc *soc, struct arguments *arguments)
{
    const uint32_t n = arguments->n;
    const struct keys random = {n, KEYS_RANDOM, arguments->seed + 1};
    struct search *const search = &arguments->search;

    if (!allocate(soc, n, search)) {
        return false;
    }
    const uint32_t count = make_nodes(arguments, search->nodes);
    search->edges = sl_alloc(soc, count * sizeof *search->edges, 0);
    if (search->edges == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        search->edges[i] = (keys_at(&random, i) >> 4) % n;
    }
    for (uint32_t i = 1; i < n; i++) {
        search->distance[i] = NOT_REACHED;
    }
    search->is_frontier[0] = 1;
    search->is_visited[0] = 1;
    return true;
}

static enum sl_status launch(struct launches *launches, const struct search *search, uint32_t n)
{
    const uint64_t visit[] = {
        (uintptr_t)search->nodes,         (uintptr_t)search->edges,
        (uintptr_t)search->is_frontier,   (uintptr_t)search->is_next,
        (uintptr_t)search->is_visited,    (uintptr_t)search->distance,
        (uintptr_t)search->is_unfinished,
    };
    const uint64_t advance[] = {(uintptr_t)search->is_frontier, (uintptr_t)search->is_next,
                                (uintptr_t)search->is_visited, (uintptr_t)search->is_unfinished};

    launches_add(launches, "bfs_visit", n, GROUP, 0, visit, 7);
    launches_add(launches, "bfs_advance", n, GROUP, 0, advance, 4);
    launches->first = 0;
    launches->last = 1;
    launches->word = search->is_unfinished;
    return launches_run(launches);
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    struct launches launches = {.soc = soc};
    uint32_t depth = 0;

    enum sl_status status = program_load(soc, "qr_bfs.elf", &launches.module);
    if (status != SL_OK) {
        return status;
    }
    if (!make(soc, arguments)) {
        return SL_ERROR_USAGE;
    }
    status = launch(&launches, &arguments->search, arguments->n);
    if (status == SL_OK) {
        for (uint32_t i = 0; i < arguments->n; i++) {
            const uint32_t distance = arguments->search.distance[i];
            depth = distance != NOT_REACHED && distance > depth ? distance : depth;
        }
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
    search_in_plain_c(&arguments->search, n, right, right + n);
    const bool is_equal =
        words_are_equal("qr_bfs", "distance of node", arguments->search.distance, right, n);
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
