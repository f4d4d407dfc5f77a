/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What host program and kernels of apriori.c share: a database of records, sets of items, and the
 * hash tree over the candidates of a round (papers/004 section 2.1).
 *
 * A set is its items in ascending order. Sets of a round have the same size, and lie one behind the
 * other. */
#ifndef SLUICE_WORKLOADS_APRIORI_TREE_H
#define SLUICE_WORKLOADS_APRIORI_TREE_H

#include <stdint.h>

#include "sluice/lock.h"

#define SET_MAX       8 /* items; what is frequent with more is not looked for */
#define NODE_CHILDREN 16
#define LEAF_MAX      8 /* candidates; of one more, a leaf becomes a node with children */

#define NODE_TAKEN 1 /* --locks atomics: the word of a lock that somebody has */

#define NO_CANDIDATE UINT32_MAX

/* A node with children leads to all of them, which lie one behind the other; one without is a leaf,
 * and has a list of candidates. The root, number 0, has children from the beginning. A leaf is
 * changed only by who has its lock; a node with children never changes again. */
struct node {
    uint32_t children; /* number of the first; 0 for a leaf */
    uint32_t first;    /* candidate, or NO_CANDIDATE */
    uint32_t count;    /* of candidates */
    sl_lock_t lock;
};

/* In shared memory. The host makes the rows of candidates to be, and takes those that are frequent
 * in the end; counters that many change have lines of their own (section 2.2.1). */
struct round {
    uint32_t size;                 /* items of a candidate */
    uint32_t frequent;             /* sets with one item less */
    const uint32_t *items;         /* of these sets, sorted */
    const uint32_t *partner_begin; /* for each set and the end: pairs of sets before its own */
    uint32_t *candidate_items;
    uint32_t *next;    /* of each candidate: the next one of its leaf, or NO_CANDIDATE */
    uint32_t *support; /* of each candidate: records that have it */
    struct node *nodes;
    uint32_t candidate_room;
    uint32_t node_room;
    const uint32_t *records;      /* items, sorted, one record behind the other */
    const uint32_t *record_begin; /* for each record and the end */
    _Alignas(64) uint32_t candidates;
    _Alignas(64) uint32_t node_count;
    _Alignas(64) uint32_t sections; /* critical sections that were executed, in all rounds */
    uint32_t idle_sections;         /* of which so many inserted nothing */
};

/* Pairs of sets of a round are dealt out to rows of so many work-items, which take pairs that lie
 * far from each other: neighbours begin with the same items, and so belong to the same leaf. */
#define ROW_ITEMS 64

static inline uint32_t row_count(uint32_t pairs)
{
    return (pairs - 1) / ROW_ITEMS + 1;
}

static inline uint32_t node_hash(uint32_t item)
{
    return item % NODE_CHILDREN;
}

#endif
