/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Checks a task vector (docs/know/trees.md) before anything runs it, by the host library and by the
 * firmware. */
#ifndef SLUICE_CHECK_TASKS_TASK_VECTOR_CHECK_H
#define SLUICE_CHECK_TASKS_TASK_VECTOR_CHECK_H

#include <stddef.h>

#include "check/launch/launch_check.h"
#include "sluice/memory_map.h"

/* Launches of struct sl_trees, which the step of a refusal is one of. */
enum { SL_TREES_OF_EPOCHS, SL_TREES_OF_MAPS };

/* Constant arguments of both kernels, from a0 on. The firmware sets them. */
enum {
    SL_TREES_SHARED,    /* address of the struct sl_trees */
    SL_TREES_BASE,      /* epoch x functions: worked out once, not by each work-item */
    SL_TREES_FIRST,     /* first slot of the range */
    SL_TREES_OF,        /* functions of tasks */
    SL_TREES_VECTOR,    /* address of the vector */
    SL_TREES_CAPACITY,  /* its slots */
    SL_TREES_WORDS,     /* bytes between the words that an epoch gives back */
    SL_TREES_CONSTANTS, /* how many these are */
};

/* Bytes of the vector, of the stack, and of the log. */
static inline uint64_t sl_trees_vector_bytes(const struct sl_trees *trees)
{
    return (uint64_t)trees->capacity * sizeof(uint32_t) * (1 + (uint64_t)trees->arguments);
}

static inline uint64_t sl_trees_stack_bytes(const struct sl_trees *trees)
{
    return trees->stack_entries * (uint64_t)sizeof(struct sl_trees_epoch);
}

static inline uint64_t sl_trees_log_bytes(const struct sl_trees *trees)
{
    return trees->log_entries * (uint64_t)sizeof(struct sl_trees_log);
}

/* Bytes from one of the words that an epoch gives back to the next one. */
static inline uint64_t sl_trees_words(const struct sl_trees *trees)
{
    return (trees->flags & SL_TREES_APART) != 0
               ? SL_CACHE_LINE_BYTES
               : offsetof(struct sl_trees, join_scheduled) - offsetof(struct sl_trees, next_free);
}

/* The largest epoch whose entries have 31 bits: function + epoch x functions does not exceed it. */
static inline uint32_t sl_trees_last_epoch(uint32_t functions)
{
    return (INT32_MAX - functions) / functions;
}

/* A whole struct sl_trees in shared memory. Returns 0; or -1 with *refusal filled as for a launch,
 * with the step SL_TREES_OF_EPOCHS or SL_TREES_OF_MAPS where it is about the launch. */
int sl_trees_check(const struct sl_trees *trees, const struct sl_graph_limits *limits,
                   const struct sl_cu_shape *cu, struct sl_graph_refusal *refusal,
                   struct sl_graph_scratch *scratch);

#endif
