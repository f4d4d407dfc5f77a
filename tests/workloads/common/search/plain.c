/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A queue of nodes that have come nearer, each of them once (Moore's algorithm). */
#include "workloads/common/search/plain.h"

#include <stdlib.h>

#include "sluice/program.h"
#include "workloads/common/words.h"

struct queue {
    uint32_t n;
    uint32_t head;
    uint32_t count;
    uint32_t *node;  /* n, in a circle */
    uint32_t *is_in; /* of each node */
};

static void put(struct queue *queue, uint32_t node)
{
    if (!queue->is_in[node]) {
        queue->is_in[node] = 1;
        queue->node[(queue->head + queue->count++) % queue->n] = node;
    }
}

static uint32_t take(struct queue *queue)
{
    const uint32_t node = queue->node[queue->head];
    queue->head = (queue->head + 1) % queue->n;
    queue->count--;
    queue->is_in[node] = 0;
    return node;
}

static void find(const struct search *search, bool has_lengths, struct queue *queue,
                 uint32_t *distance)
{
    for (uint32_t i = 0; i < queue->n; i++) {
        distance[i] = i == 0 ? 0 : NOT_REACHED;
    }
    put(queue, 0);
    while (queue->count > 0) {
        const uint32_t from = take(queue);
        const uint64_t node = search->nodes[from];
        for (uint32_t i = search_low(node); i < search_high(node); i++) {
            const uint64_t edge = search_edge(search, has_lengths, i);
            const uint32_t to = search_low(edge);
            const uint32_t length = distance[from] + search_high(edge);
            if (length < distance[to]) {
                distance[to] = length;
                put(queue, to);
            }
        }
    }
}

bool plain_distances_are_equal(const struct search *search, bool has_lengths, uint32_t n)
{
    uint32_t *const words = sl_app_memory(3 * (size_t)n, sizeof *words);
    struct queue queue = {.n = n, .node = words, .is_in = words + n};
    uint32_t *const distance = words + 2 * (size_t)n;

    find(search, has_lengths, &queue, distance);
    const bool is_equal = words_are_equal("distance of node", search->distance, distance, n);
    free(words);
    return is_equal;
}
