/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Trees of the Unbalanced Tree Search benchmark (docs/know/uts.md), for the host: how many children
 * a node has, in floating point as the benchmark says it, and the same as thresholds, integers that
 * lanes compare with; the nodes, counted one after the other. */
#ifndef SLUICE_WORKLOADS_UTS_TREE_H
#define SLUICE_WORKLOADS_UTS_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "workloads/uts/node.h"
#include "workloads/uts/sha1.h"

/* Of the root of a binomial tree; other nodes have UTS_CHILDREN_MAX at most. */
#define UTS_ROOT_CHILDREN_MAX 65536
/* What the host counts, before it calls a tree too large; one may have no end. */
#define UTS_NODES_MAX (1u << 24)
#define UTS_DEPTH_MAX 16384u

/* As the benchmark numbers them. */
enum uts_type { UTS_BINOMIAL, UTS_GEOMETRIC, UTS_HYBRID };
enum uts_shape { UTS_LINEAR, UTS_POLYNOMIAL, UTS_CYCLIC, UTS_FIXED };

struct uts_tree {
    enum uts_type type;   /* -t */
    enum uts_shape shape; /* -a: of a geometric tree, or part */
    uint32_t depth;       /* -d: of a geometric tree */
    uint32_t seed;        /* -r */
    uint32_t m;           /* -m: children of a binomial node that has some */
    double b;             /* -b: children of the root, expected or exact */
    double q;             /* -q: probability that a binomial node has children */
};

/* How a tree came out. */
struct uts_count {
    uint64_t nodes;
    uint64_t leaves;
    uint32_t depth; /* of the deepest node; the root's is 0 */
};

/* A node's random number, of 31 bits, and its children. */
uint32_t uts_random(const uint8_t state[SHA1_BYTES]);
uint32_t uts_children(const struct uts_tree *tree, uint32_t depth, uint32_t random);

void uts_root(const struct uts_tree *tree, uint8_t state[SHA1_BYTES]);
void uts_child(const uint8_t parent[SHA1_BYTES], uint32_t number, uint8_t state[SHA1_BYTES]);

/* How many children a node has that is so deep, but for a binomial root. */
void uts_row(const struct uts_tree *tree, uint32_t depth, struct uts_row *row);

/* Counts the nodes one after the other. NULL, or why not, as a sentence's end. */
const char *uts_walk(const struct uts_tree *tree, struct uts_count *count);

#endif
