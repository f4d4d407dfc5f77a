/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A queue of nodes that have come nearer, each of them once (Moore's algorithm). */
#include "programs/common/search/plain.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "programs/common/words.h"

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

static void find(const struct search *search, struct queue *queue, uint32_t *distance)
{
    for (uint32_t i = 0; i < queue->n; i++) {
        distance[i] = i == 0 ? 0 : NOT_REACHED;
    }
    put(queue, 0);
    while (queue->count > 0) {
        const uint32_t from = take(queue);
        const struct graph_node *const node = &search->nodes[from];
        for (uint32_t i = node->first; i < node->first + node->count; i++) {
            const uint32_t to = search->to[i];
            const uint32_t length =
                distance[from] + (search->lengths != NULL ? search->lengths[i] : 1);
            if (length < distance[to]) {
                distance[to] = length;
                put(queue, to);
            }
        }
    }
}

bool plain_distances_are_equal(const char *program, const struct search *search, uint32_t n)
{
    uint32_t *const words = calloc(3 * (size_t)n, sizeof *words);
    struct queue queue = {.n = n, .node = words, .is_in = words + n};
    uint32_t *const distance = words + 2 * (size_t)n;

    if (words == NULL) {
        (void)fprintf(stderr, "%s: no memory for %" PRIu32 " nodes\n", program, n);
        return false;
    }
    find(search, &queue, distance);
    const bool is_equal =
        words_are_equal(program, "distance of node", search->distance, distance, n);
    free(words);
    return is_equal;
}
