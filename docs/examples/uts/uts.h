/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* An unbalanced tree, for host and kernel. How many children a node has follows from its digest,
 * and the digest from its parent's: nobody knows the tree before having walked it. */
#ifndef UTS_H
#define UTS_H

#include <stdint.h>

#include "sha1.h"

#define CHILDREN_MAX 40

/* The same for all nodes. */
struct tree {
    uint32_t depth; /* nodes that are so deep have no children */
    /* A node has at least n + 1 children where its random number is not below least[n]. */
    uint32_t least[CHILDREN_MAX];
};

/* A child as its parent leaves it: whoever takes it computes its digest. */
struct child {
    struct sha1_digest parent;
    uint32_t number;
    uint32_t depth;
};

/* What has been found. */
struct counts {
    uint64_t nodes;
    uint64_t leaves;
    uint64_t depth;
};

/* How many children a node has. */
static inline uint32_t children_of(const struct tree *tree, const struct sha1_digest *node,
                                   uint32_t depth)
{
    const uint32_t random = node->word[4] & INT32_MAX;
    uint32_t children = 0;

    if (depth < tree->depth) {
        while (children < CHILDREN_MAX && random >= tree->least[children]) {
            children++;
        }
    }
    return children;
}

#endif
