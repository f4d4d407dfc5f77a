/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The caches that are kept coherent in a machine whose other ones are not: the aggregator's two,
 * the compute units' instruction caches, and the front end's.
 *
 * They are above the point of coherence, write back, and own what they write (MSI).
 * Their accesses are resolved when they are handed in, and get times, as in moesi/: the
 * aggregator's core computes ahead. What they hold of bytes is DRAM's, always; here is only where a
 * line would be. What compute units read and write comes to it as transactions: a line that
 * is dirty here is fetched then, and copies of one that they write are dropped. Left out: nobody
 * waits for the acknowledgement of such a drop. */
#ifndef SLUICE_MEM_CACHE_COHERENT_CACHES_H
#define SLUICE_MEM_CACHE_COHERENT_CACHES_H

#include "mem/mem.h"
#include "mem/network/network.h"
#include "mem/parts/cache.h"
#include "mem/parts/calendar.h"
#include "mem/parts/l1_shapes.h"
#include "mem/parts/miss_causes.h"
#include "mem/parts/mshr_slots.h"

/* What a line is asked for. */
enum coherent_use {
    COHERENT_SHARED,
    COHERENT_EXCLUSIVE, /* it is to be written */
    COHERENT_FETCH,     /* of an instruction of a compute unit */
};

/* The point of coherence, which is the caches' owner. */
struct coherence_point {
    /* A request is at the home at a time. Returns when the line leaves it; *served is by whom. It
     * keeps no copy that others could find where the line is asked for alone. */
    uint64_t (*read)(void *owner, uint32_t line, enum coherent_use use, uint64_t time_ps,
                     enum hit_level *served);
    /* A dirty line comes back at a time. */
    void (*writeback)(void *owner, uint32_t line, uint64_t time_ps);
    /* A cache that has the line will write it. */
    void (*upgrade)(void *owner, uint32_t line, uint64_t time_ps);
    /* The network's node for a line; for what is fetched it can be another. */
    uint32_t (*node)(void *owner, uint32_t line, enum coherent_use use);
};

enum coherent_state { COHERENT_I, COHERENT_S, COHERENT_M };

struct coherent_line {
    uint64_t ready_ps;
    uint8_t state;
};

struct coherent_cache {
    struct cache tags;
    struct coherent_line *lines;
    struct calendar port;
    struct mshrs mshrs;
    uint64_t latency_ps;
    uint32_t node; /* of the network */
    uint32_t ports_shift;
    uint32_t buffered; /* line that the last fetch hit, or CACHE_NONE */
    struct l1_counters *counters;
    const struct sim_clock *clock;
    bool has_data;
    bool fetches;              /* instructions of compute units */
    struct miss_causes causes; /* of the aggregator's data cache */
};

#define COHERENT_CACHES_MAX 67u
#define COHERENT_FILTER     4096u

struct coherent_caches {
    const struct coherence_point *point;
    void *owner;
    struct interconnect *net;
    struct mem_counters *counters;
    struct sim_clock cu_clock;
    struct sim_clock agg_clock;
    uint64_t now_ps; /* the present, of the access in hand */
    uint32_t count;
    struct l1_numbers numbers;
    struct coherent_cache cache[COHERENT_CACHES_MAX];
    uint16_t held[COHERENT_FILTER]; /* lines that data caches have, by their hash */
};

/* So many there are in a machine: nodes of its network, `first_node` on. */
uint32_t coherent_caches_count(const struct sl_config *config);

/* Returns false when out of memory. */
bool coherent_caches_create(struct coherent_caches *coherent, const struct sl_config *config,
                            uint32_t first_node, struct mem_counters *counters);
void coherent_caches_destroy(struct coherent_caches *coherent);
void coherent_caches_reset(struct coherent_caches *coherent);

/* An access of anybody but a compute unit's data. `now_ps`: the present of the calendars. */
struct mem_answer coherent_caches_access(struct coherent_caches *coherent,
                                         const struct mem_request *request, enum hit_level *served);

/* A compute unit reads a line at the home at a time. Returns when the home has the newest copy of
 * it, where one of the caches has that; else 0. */
uint64_t coherent_caches_flush_owner(struct coherent_caches *coherent, uint32_t line,
                                     uint64_t time_ps);

/* A compute unit writes the line at the home. */
void coherent_caches_invalidate(struct coherent_caches *coherent, uint32_t line);

#endif
