/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Breadth-first search in a random graph: a channel is the frontier, and its kernel puts what it
 * reaches into the same channel. Distances are checked against a search in plain C. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sluice/program.h>

#include "bfs.h"

#define EDGES_OF_EACH 4 /* that a vertex chooses; others choose it */

struct search {
    uint32_t count; /* of vertices */
    uint32_t seed;
    struct vertex *vertices; /* in shared memory */
    uint32_t *distances;     /* likewise */
    uint32_t degree;         /* the largest */
};

static const struct sl_argument table[] = {
    {"[VERTICES]", 0, SL_NUMBER, 2, 1000000, SL_INTO(struct search, count)},
    {"seed", 'r', SL_SEED, 0, 0, SL_INTO(struct search, seed), "Which random graph"},
    {0},
};

/* A number at random: the upper bits of a linear congruential generator. */
static uint32_t random_below(uint64_t *state, uint32_t limit)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((*state >> 32) * limit >> 32);
}

/* Makes one vertex the other's neighbour. */
static void lead(struct sl_soc *soc, struct search *search, uint32_t from, uint32_t to)
{
    struct vertex *const vertex = &search->vertices[from];

    if (vertex->degree == DEGREE_MAX) {
        (void)fprintf(stderr, "bfs: vertex %" PRIu32 " has more than %d neighbours; try --seed\n",
                      from, DEGREE_MAX);
        sl_app_end(soc, SL_ERROR_USAGE);
    }
    vertex->neighbour[vertex->degree++] = to;
    search->degree = vertex->degree > search->degree ? vertex->degree : search->degree;
}

/* Makes the graph in shared memory: each vertex chooses a few others, and edges lead both ways. */
static void make_graph(struct sl_soc *soc, struct search *search)
{
    uint64_t state = search->seed;

    search->vertices = sl_app_alloc(soc, search->count * sizeof *search->vertices, 0);
    search->distances = sl_app_alloc(soc, search->count * sizeof *search->distances, 0);
    for (uint32_t v = 0; v < search->count; v++) {
        search->distances[v] = NOT_REACHED;
        for (int i = 0; i < EDGES_OF_EACH; i++) {
            const uint32_t other = random_below(&state, search->count);
            lead(soc, search, v, other);
            lead(soc, search, other, v);
        }
    }
}

/* One channel, whose elements its own kernel makes. A vertex is in it once, and again where its
 * distance was improved, which is rare: twice the vertices is wide enough. */
static int build(struct sl_graph_builder *graph, const struct search *search)
{
    const struct sl_channel_options options = {.name = "frontier"};
    const uint32_t demand = (SL_LANES_MAX + 1) * search->degree;
    const uint32_t most = 2 * search->count > demand ? 2 * search->count : demand;

    const int frontier =
        sl_graph_channel(graph, sizeof(struct visit), sl_channel_width(most), &options);
    const int kernel = sl_graph_consumer(graph, frontier, "bfs_kernel",
                                         SL_VALUES(search->vertices, search->distances));
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
    struct sl_graph_builder *const graph = sl_app_graph(soc);

    make_graph(soc, search);
    struct visit *const start = sl_app_put(graph, build(graph, search), 1);
    *start = (struct visit){.vertex = 0, .distance = 0};
    search->distances[0] = 0;
    const enum sl_status status = sl_app_execute(graph);
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
    uint32_t *const memory = sl_app_memory(2 * (size_t)search->count, sizeof *memory);
    uint32_t v = 0;

    search_in_plain_c(search, memory, &memory[search->count]);
    while (v < search->count && search->distances[v] == memory[v]) {
        v++;
    }
    const bool is_right = v == search->count;
    (void)sl_app_check(is_right, "vertex %" PRIu32 " is at %" PRIu32 ", not %" PRIu32, v,
                       is_right ? 0 : search->distances[v], is_right ? 0 : memory[v]);
    free(memory);
    return is_right;
}

static const struct sl_app app = {
    .doc = "Search a random graph of VERTICES, breadth first, and check the distances.",
    .table = table,
    .arguments = &(struct search){.count = 200000, .seed = 1},
    .kernels = "bfs.elf",
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
