/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* R-MAT graphs (docs/know/papers.md) and grids. An edge depends on its number alone, so that edges
 * are made twice, once to be counted and once to be stored. */
#include "workloads/common/search/input.h"

/* Of 100 edges of an R-MAT graph, how many are from the first half of nodes to the first, from that
 * to the second, and from the second to the first; the others are within the second. So for each
 * half, and so on. */
enum { FIRST_TO_FIRST = 45, FIRST_TO_SECOND = 15, SECOND_TO_FIRST = 15 };

struct edge {
    uint32_t from;
    uint32_t to;
    uint32_t length;
};

/* splitmix64 (docs/know/papers.md). */
static uint64_t random_bits(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static uint32_t random_below(uint64_t *state, uint32_t limit)
{
    return (uint32_t)((random_bits(state) >> 32) * limit >> 32);
}

/* The least power of two that is not below n, as its exponent. */
static unsigned bits_of(uint32_t n)
{
    unsigned bits = 0;
    while (UINT64_C(1) << bits < n) {
        bits++;
    }
    return bits;
}

static struct edge rmat_edge(const struct input *input, uint64_t *state)
{
    const unsigned bits = bits_of(input->n);
    struct edge edge;

    do {
        edge = (struct edge){0};
        for (unsigned bit = 0; bit < bits; bit++) {
            const uint32_t part = random_below(state, 100);
            const bool is_from_second = part >= FIRST_TO_FIRST + FIRST_TO_SECOND;
            const bool is_to_second =
                is_from_second ? part >= FIRST_TO_FIRST + FIRST_TO_SECOND + SECOND_TO_FIRST
                               : part >= FIRST_TO_FIRST;
            edge.from = 2 * edge.from + is_from_second;
            edge.to = 2 * edge.to + is_to_second;
        }
    } while (edge.from >= input->n || edge.to >= input->n);
    return edge;
}

/* The least width whose square holds all nodes. */
static uint32_t grid_width(uint32_t n)
{
    uint32_t width = 1;
    while ((uint64_t)width * width < n) {
        width++;
    }
    return width;
}

/* Each node has four numbers, of which those that lead out of the grid are no edges. */
static bool grid_edge(uint32_t n, uint32_t width, uint32_t i, struct edge *edge)
{
    const uint32_t from = i / 4;
    const uint32_t column = from % width;
    const bool is_inside[4] = {column > 0, column + 1 < width && from + 1 < n, from >= width,
                               n - width > from};
    const uint32_t to[4] = {from - 1, from + 1, from - width, from + width};

    *edge = (struct edge){.from = from, .to = to[i % 4]};
    return is_inside[i % 4];
}

/* Calls what is to be done with each edge. */
static void each_edge(const struct input *input, void (*visit)(void *user, struct edge edge),
                      void *user)
{
    const bool is_grid = input->kind == INPUT_GRID;
    const uint32_t width = grid_width(input->n);
    const uint32_t count = input->n * (is_grid ? 4 : input->degree);

    for (uint32_t i = 0; i < count; i++) {
        uint64_t state = (uint64_t)input->seed << 32 | i;
        struct edge edge;
        if (is_grid && !grid_edge(input->n, width, i, &edge)) {
            continue;
        }
        if (!is_grid) {
            edge = rmat_edge(input, &state);
        }
        edge.length = 1 + random_below(&state, INPUT_LENGTH_MAX);
        visit(user, edge);
    }
}

static void count_edge(void *user, struct edge edge)
{
    uint64_t *const nodes = user;
    nodes[edge.from]++;
}

uint32_t input_fill_nodes(const struct input *input, uint64_t *nodes)
{
    uint64_t edges = 0;

    for (uint32_t i = 0; i < input->n; i++) {
        nodes[i] = 0;
    }
    each_edge(input, count_edge, nodes);
    for (uint32_t i = 0; i < input->n; i++) {
        const uint64_t end = edges + nodes[i];
        nodes[i] = end << 32 | edges;
        edges = end;
    }
    return (uint32_t)edges;
}

struct fill {
    bool has_lengths;
    struct search *search; /* a node's edges are those that are stored already */
};

static void store_edge(void *user, struct edge edge)
{
    const struct fill *const fill = user;
    uint64_t *const node = &fill->search->nodes[edge.from];
    const uint32_t i = search_high(*node);

    if (fill->has_lengths) {
        ((uint64_t *)fill->search->edges)[i] = (uint64_t)edge.length << 32 | edge.to;
    } else {
        ((uint32_t *)fill->search->edges)[i] = edge.to;
    }
    *node += UINT64_C(1) << 32;
}

void input_fill_edges(const struct input *input, bool has_lengths, struct search *search)
{
    struct fill fill = {has_lengths, search};

    for (uint32_t i = 0; i < input->n; i++) {
        const uint64_t first = search_low(search->nodes[i]);
        search->nodes[i] = first << 32 | first;
    }
    each_edge(input, store_edge, &fill);
}
