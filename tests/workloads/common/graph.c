/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Random graphs from hashed numbers, as programs are asked for; breadth-first search in plain C. */
#include "workloads/common/graph.h"

#include <stdlib.h>

#include "sluice/program.h"
#include "workloads/common/keys.h"
#include "workloads/common/words.h"

const struct sl_argument graph_table[] = {
    {"[N]", 0, SL_NUMBER, 1, 1048576, SL_INTO(struct graph_choice, n)},
    {"degree", 'd', SL_NUMBER, 1, 32, SL_INTO(struct graph_choice, degree),
     "Edges of a node on the average", "EDGES"},
    {"seed", 's', SL_SEED, 0, 0, SL_INTO(struct graph_choice, seed),
     "Of the graph, which is random"},
    {0},
};

uint32_t graph_fill_nodes(struct graph_node *nodes, uint32_t n, uint32_t degree, uint32_t seed)
{
    const struct keys random = {n, KEYS_RANDOM, seed};
    uint32_t edges = 0;

    for (uint32_t i = 0; i < n; i++) {
        nodes[i].first = edges;
        nodes[i].count = 1 + (keys_at(&random, i) >> 8) % (2 * degree - 1);
        edges += nodes[i].count;
    }
    return edges;
}

/* Makes edges lead to nodes at random. */
static void fill_edges(uint32_t *edges, uint32_t count, uint32_t n, uint32_t seed)
{
    const struct keys random = {n, KEYS_RANDOM, seed + 1};

    for (uint32_t i = 0; i < count; i++) {
        edges[i] = (keys_at(&random, i) >> 4) % n;
    }
}

uint32_t *graph_make(struct sl_soc *soc, const struct graph_choice *choice,
                     struct graph_node *nodes, uint32_t *distances)
{
    const uint32_t count = graph_fill_nodes(nodes, choice->n, choice->degree, choice->seed);
    uint32_t *const edges = sl_app_alloc(soc, count * sizeof *edges, 0);

    fill_edges(edges, count, choice->n, choice->seed);
    for (uint32_t i = 0; i < choice->n; i++) {
        distances[i] = i == 0 ? 0 : NOT_REACHED;
    }
    return edges;
}

/* With a list of nodes in the order in which they are reached. */
static void search_in_plain_c(const struct graph_node *nodes, const uint32_t *edges, uint32_t n,
                              uint32_t *distance, uint32_t *list)
{
    uint32_t tail = 1;

    for (uint32_t i = 0; i < n; i++) {
        distance[i] = i == 0 ? 0 : NOT_REACHED;
    }
    list[0] = 0;
    for (uint32_t head = 0; head < tail; head++) {
        const struct graph_node *const node = &nodes[list[head]];
        for (uint32_t i = node->first; i < node->first + node->count; i++) {
            const uint32_t next = edges[i];
            if (distance[next] == NOT_REACHED) {
                distance[next] = distance[list[head]] + 1;
                list[tail++] = next;
            }
        }
    }
}

bool graph_distances_are_right(const struct graph_node *nodes, const uint32_t *edges, uint32_t n,
                               const uint32_t *distances)
{
    uint32_t *const right = sl_app_memory(2 * (size_t)n, sizeof *right);

    search_in_plain_c(nodes, edges, n, right, right + n);
    const bool is_equal = words_are_equal("distance of node", distances, right, n);
    free(right);
    return is_equal;
}

uint32_t graph_depth(const uint32_t *distances, uint32_t n)
{
    uint32_t depth = 0;

    for (uint32_t i = 0; i < n; i++) {
        depth = distances[i] != NOT_REACHED && distances[i] > depth ? distances[i] : depth;
    }
    return depth;
}
