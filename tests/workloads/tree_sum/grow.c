/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A binary search tree of random keys, in the order in which they come. */
#include "workloads/tree_sum/grow.h"

#include <stddef.h>

/* Puts a node where a search for its value ends; returns its depth, 0 being the root's. */
static uint32_t insert(struct tree_node *root, struct tree_node *node)
{
    struct tree_node *parent = root;
    uint32_t depth = 1;

    for (;; depth++) {
        struct tree_node **const place = &parent->child[node->value > parent->value];
        if (*place == NULL) {
            *place = node;
            return depth;
        }
        parent = *place;
    }
}

uint32_t tree_grow(struct tree_node *nodes, uint32_t n, uint64_t *sum)
{
    uint32_t key = 1;
    uint32_t deepest = 0;

    *sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        key = key * 1664525 + 1013904223;
        nodes[i].value = key >> 8;
        *sum += nodes[i].value;
        const uint32_t depth = i > 0 ? insert(nodes, &nodes[i]) : 0;
        deepest = depth > deepest ? depth : deepest;
    }
    return deepest + 1;
}
