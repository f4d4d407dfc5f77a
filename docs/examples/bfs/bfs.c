/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Breadth-first search in a random graph: a channel is the frontier, and its kernel puts what it
 * reaches into the same channel. Distances are checked against a search in plain C. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sluice/program.h>
#include <sluice/sluice.h>

#include "bfs.h"

#define VERTICES_DEFAULT 200000
#define VERTICES_MAX     1000000
#define SEED_DEFAULT     1
#define EDGES_OF_EACH    4 /* that a vertex chooses; others choose it */

struct search {
    uint32_t count; /* of vertices */
    uint32_t seed;
    struct vertex *vertices; /* in shared memory */
    uint32_t *distances;     /* likewise */
    uint32_t degree;         /* the largest */
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct search *const search = state->input;

    if (key == 'r') {
        search->seed = (uint32_t)sl_app_number(state, "--seed", argument, 0, UINT32_MAX);
        return 0;
    }
    if (key == ARGP_KEY_ARG && state->arg_num == 0) {
        search->count = (uint32_t)sl_app_number(state, "VERTICES", argument, 2, VERTICES_MAX);
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

static const struct argp_option options[] = {
    {"seed", 'r', "SEED", 0, "Which random graph (default: 1)", 0},
    {0},
};

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "[VERTICES]",
    .doc = "Search a random graph of VERTICES (default: 200000), breadth first, and check the "
           "distances.",
};

/* A number at random: the upper bits of a linear congruential generator. */
static uint32_t random_below(uint64_t *state, uint32_t limit)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((*state >> 32) * limit >> 32);
}

/* Makes one vertex the other's neighbour. */
static bool lead(struct search *search, uint32_t from, uint32_t to)
{
    struct vertex *const vertex = &search->vertices[from];

    if (vertex->degree == DEGREE_MAX) {
        (void)fprintf(stderr, "bfs: vertex %" PRIu32 " has more than %d neighbours; try --seed\n",
                      from, DEGREE_MAX);
        return false;
    }
    vertex->neighbour[vertex->degree++] = to;
    search->degree = vertex->degree > search->degree ? vertex->degree : search->degree;
    return true;
}

/* Makes the graph in shared memory: each vertex chooses a few others, and edges lead both ways. */
static enum sl_status make_graph(struct sl_soc *soc, struct search *search)
{
    uint64_t state = search->seed;

    search->vertices = sl_alloc(soc, search->count * sizeof *search->vertices, 0);
    search->distances = sl_alloc(soc, search->count * sizeof *search->distances, 0);
    if (search->vertices == NULL || search->distances == NULL) {
        return SL_ERROR_USAGE;
    }
    for (uint32_t v = 0; v < search->count; v++) {
        search->distances[v] = NOT_REACHED;
        for (int i = 0; i < EDGES_OF_EACH; i++) {
            const uint32_t other = random_below(&state, search->count);
            if (!lead(search, v, other) || !lead(search, other, v)) {
                return SL_ERROR_USAGE;
            }
        }
    }
    return SL_OK;
}

/* The least power of two that is not below. */
static uint32_t power_of_two(uint32_t least)
{
    uint32_t power = 1;
    while (power < least) {
        power *= 2;
    }
    return power;
}

/* One channel, whose elements its own kernel makes. A vertex is in it once, and again where its
 * distance was improved, which is rare: twice the vertices is wide enough. */
static int build(struct sl_graph_builder *graph, const struct search *search)
{
    const struct sl_channel_options options = {.name = "frontier"};
    const uint32_t demand = (SL_LANES_MAX + 1) * search->degree;
    const uint32_t most = 2 * search->count > demand ? 2 * search->count : demand;

    const int frontier =
        sl_graph_channel(graph, sizeof(struct visit), power_of_two(most), &options);
    const int kernel = sl_graph_kernel(graph, "bfs_kernel");
    sl_graph_argument(graph, kernel, 2, (uintptr_t)search->vertices);
    sl_graph_argument(graph, kernel, 3, (uintptr_t)search->distances);
    sl_graph_connect(graph, frontier, kernel);
    sl_graph_output(graph, kernel, frontier, search->degree);
    return frontier;
}

/* The largest distance, and how many vertices have one. */
static uint32_t depth(const struct search *search, uint32_t *reached)
{
    uint32_t largest = 0;

    *reached = 0;
    for (uint32_t v = 0; v < search->count; v++) {
        if (search->distances[v] != NOT_REACHED) {
            largest = search->distances[v] > largest ? search->distances[v] : largest;
            ++*reached;
        }
    }
    return largest;
}

static enum sl_status run(struct sl_soc *soc, void *arguments)
{
    struct search *const search = arguments;
    struct sl_module *module;
    struct sl_graph_builder *graph;

    enum sl_status status = sl_app_load(soc, "bfs.elf", &module);
    if (status == SL_OK) {
        status = sl_graph_create(module, &graph);
    }
    if (status == SL_OK) {
        status = make_graph(soc, search);
    }
    if (status != SL_OK) {
        return status;
    }
    const int frontier = build(graph, search);
    struct visit *const start = sl_graph_talloc(graph, frontier, 1);
    if (start == NULL) {
        return SL_ERROR_USAGE;
    }
    *start = (struct visit){.vertex = 0, .distance = 0};
    search->distances[0] = 0;
    status = sl_graph_enq(graph, frontier, start, 1);
    if (status == SL_OK) {
        status = sl_graph_execute(graph);
    }
    if (status == SL_OK) {
        status = sl_app_wait(soc, graph);
    }
    if (status == SL_OK) {
        uint32_t reached;
        const uint32_t largest = depth(search, &reached);
        sl_app_result("bfs(%" PRIu32 ") = %" PRIu32 " levels, %" PRIu32 " vertices reached",
                      search->count, largest, reached);
    }
    return status;
}

/* The search in plain C, with a queue. */
static void search_in_plain_c(const struct search *search, uint32_t *distances, uint32_t *queue)
{
    uint32_t tail = 1;

    memset(distances, 0xff, search->count * sizeof *distances);
    distances[0] = 0;
    queue[0] = 0;
    for (uint32_t head = 0; head < tail; head++) {
        const uint32_t vertex = queue[head];
        for (uint32_t i = 0; i < search->vertices[vertex].degree; i++) {
            const uint32_t neighbour = search->vertices[vertex].neighbour[i];
            if (distances[neighbour] == NOT_REACHED) {
                distances[neighbour] = distances[vertex] + 1;
                queue[tail++] = neighbour;
            }
        }
    }
}

static bool is_right(const void *arguments)
{
    const struct search *const search = arguments;
    uint32_t *const memory = malloc(2 * (size_t)search->count * sizeof *memory);
    uint32_t v = 0;

    if (memory == NULL) {
        (void)fprintf(stderr, "bfs: no memory to check the distances in\n");
        return false;
    }
    search_in_plain_c(search, memory, &memory[search->count]);
    while (v < search->count && search->distances[v] == memory[v]) {
        v++;
    }
    if (v < search->count) {
        (void)fprintf(stderr, "bfs: wrong: vertex %" PRIu32 " is at %" PRIu32 ", not %" PRIu32 "\n",
                      v, search->distances[v], memory[v]);
    }
    free(memory);
    return v == search->count;
}

int main(int argc, char **argv)
{
    struct search search = {.count = VERTICES_DEFAULT, .seed = SEED_DEFAULT};
    const struct sl_app app = {
        .argp = &argp, .arguments = &search, .run = run, .is_right = is_right};

    return sl_app_main(&app, argc, argv);
}
