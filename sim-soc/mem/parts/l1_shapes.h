/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The L1 caches of a machine by the kind of requester that they serve: how many there are, how they
 * are numbered, and what the configuration says of each. Compute units have a data cache each, and
 * share their instruction cache or have one each; the aggregator has both of its own; the front end
 * has one where it accesses memory at all. */
#ifndef SLUICE_MEM_PARTS_L1_SHAPES_H
#define SLUICE_MEM_PARTS_L1_SHAPES_H

#include <stdbool.h>
#include <stdint.h>

#include "mem/access.h"
#include "mem/mem_counters.h"

struct sl_config;

/* One for each requester of a kind, or one for all. */
struct l1_numbers {
    uint32_t first[MEM_REQUESTER_KINDS + 1]; /* of each kind; the last: how many there are */
    uint32_t own[MEM_REQUESTER_KINDS];       /* 0 where they share one; else all ones */
};

/* All caches of a machine, the data caches of compute units among them or not. */
struct l1_numbers l1_numbers_of(const struct sl_config *config, bool has_cu_data);

/* The cache of a requester. */
static inline uint32_t l1_number(const struct l1_numbers *numbers, struct mem_requester from)
{
    return numbers->first[from.kind] + (from.index & numbers->own[from.kind]);
}

static inline uint32_t l1_count(const struct l1_numbers *numbers)
{
    return numbers->first[MEM_REQUESTER_KINDS];
}

struct l1_shape {
    enum l1_kind kind; /* what it is counted as */
    bool is_agg;       /* the clock is the aggregator's; else that of the compute units */
    uint32_t sets;     /* of lines of SL_CACHE_LINE_BYTES */
    uint32_t ways;
    uint32_t ports_shift; /* log2 of lines a cycle */
    uint32_t mshrs;
    uint64_t cycles; /* latency */
};

/* A cache that serves requesters of a kind. */
struct l1_shape l1_shape_of(const struct sl_config *config, enum mem_requester_kind kind);

#endif
