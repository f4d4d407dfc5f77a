/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What host program and kernels of uts.c share (docs/know/uts.md): nodes that wait to be visited,
 * how lanes know the number of a node's children, and what they count. */
#ifndef SLUICE_WORKLOADS_UTS_NODE_H
#define SLUICE_WORKLOADS_UTS_NODE_H

#include <stdint.h>

#define UTS_WORDS 5 /* of a node's state: a digest of SHA-1, whose words are big-endian */

/* A node, whose state is not known yet: that is SHA-1 of its parent's and its own number. */
struct uts_node {
    uint32_t parent[UTS_WORDS];
    uint32_t number; /* among the parent's children, from 0 */
    uint32_t depth;  /* 1 or more: the root is the host's */
};

/* The children of a node at one depth: as many as there are thresholds that its random number, with
 * the bits of `flip` inverted, is not less than. Thresholds ascend; of those that nothing reaches
 * there is at least one. */
#define UTS_CHILDREN_MAX 100u
#define UTS_THRESHOLDS   127u
#define UTS_NEVER        0x80000000u /* random numbers have 31 bits */
struct uts_row {
    uint32_t threshold[UTS_THRESHOLDS];
    uint32_t flip;
};

/* What the wavefronts of a compute unit have counted; a cache line. */
struct uts_total {
    uint64_t nodes;
    uint64_t leaves;
    uint64_t depth; /* of the deepest */
    uint64_t unused[5];
};

/* What the kernel of runtime tasks is given. */
struct uts_program {
    const struct uts_row *rows; /* of each depth */
    struct uts_total *totals;   /* of each compute unit */
};

#endif
