/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The random trees of tasks_tree.c, which its kernel and plain C walk alike: a node has a key,
 * which says how many children it has, and which of them are leaves. */
#ifndef SLUICE_WORKLOADS_TREE_COUNT_TASKS_TREE_H
#define SLUICE_WORKLOADS_TREE_COUNT_TASKS_TREE_H

#include <stdint.h>

#define TASKS_TREE_PAD 3 /* words of a task that its way through the queues has to keep */

struct tasks_tree_node {
    uint32_t key;
    uint32_t depth;
    uint32_t pad[TASKS_TREE_PAD];
};

/* What is counted. */
struct tasks_tree_sums {
    uint64_t inner;
    uint64_t leaves;
    uint64_t keys;  /* of leaves, added up */
    uint64_t wrong; /* tasks that did not come as they were sent */
};

struct tasks_tree {
    struct tasks_tree_sums sums;
    uint32_t depth; /* of the deepest leaves */
    uint32_t fan;   /* children of a node, at most */
};

/* A 32-bit mixer: each bit of the result depends on each of the argument. */
static inline uint32_t tasks_tree_mix(uint32_t value)
{
    value ^= value >> 16;
    value *= 0x7feb352du;
    value ^= value >> 15;
    value *= 0x846ca68bu;
    return value ^ value >> 16;
}

static inline uint32_t tasks_tree_children(const struct tasks_tree *tree, uint32_t key)
{
    return (uint32_t)((uint64_t)tasks_tree_mix(key) * (tree->fan + 1) >> 32);
}

static inline struct tasks_tree_node tasks_tree_node(uint32_t key, uint32_t depth)
{
    return (struct tasks_tree_node){
        .key = key, .depth = depth, .pad = {key + 1, ~key, depth ^ key}};
}

static inline struct tasks_tree_node tasks_tree_child(uint32_t key, uint32_t depth, uint32_t number)
{
    return tasks_tree_node(tasks_tree_mix(key + number * 0x9e3779b9u), depth + 1);
}

static inline uint32_t tasks_tree_is_leaf(const struct tasks_tree *tree, uint32_t key,
                                          uint32_t depth)
{
    return depth == tree->depth || (key & 7) == 0;
}

static inline uint32_t tasks_tree_is_right(uint32_t key, uint32_t depth, uint32_t a, uint32_t b,
                                           uint32_t c)
{
    return a == key + 1 && b == ~key && c == (depth ^ key);
}

#endif
