/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The L2 of memory system `partition`, a slice for each channel of DRAM, in front of which it is.
 *
 * It writes back, and allocates lines that are written as those that are read: a store, too, waits
 * until its line is there. A slice takes one access a cycle, and fills among them. A miss is known
 * when the tags are read, takes one of the slice's MSHRs until its line is there, and the line that
 * makes room for it goes to DRAM if it is dirty. Who comes for a line under way waits for it.
 * Bytes are DRAM's: here are tags and times. */
#ifndef SLUICE_MEM_SYSTEMS_PARTITION_L2_H
#define SLUICE_MEM_SYSTEMS_PARTITION_L2_H

#include "mem/dram/dram_banks.h"
#include "mem/mem_counters.h"
#include "mem/parts/banks.h"
#include "mem/parts/cache.h"
#include "mem/parts/l2_shape.h"

struct partition_line {
    uint64_t ready_ps;
    bool is_dirty;
};

struct partition_l2 {
    struct cache tags; /* of all slices: the lowest bits of a line's set are its channel's */
    struct partition_line *lines;
    struct banks slices;
    struct sim_clock clock;
    uint64_t tag_ps;
    uint64_t hit_ps;
    struct dram_banks dram;
    struct mem_counters *counters;
};

/* An access as it comes to its slice. */
struct partition_access {
    uint32_t line;
    bool writes;
    bool goes_first;   /* where it has to wait for DRAM */
    uint64_t time_ps;  /* in the slice */
    uint64_t now_ps;   /* the present, as in calendar.h */
    uint64_t owned_ps; /* a cache that owns the line has brought it here; 0: none does */
};

/* Returns false when out of memory; what was made is partition_l2_destroy()'s. */
bool partition_l2_create(struct partition_l2 *l2, const struct sl_config *config,
                         struct mem_counters *counters);
void partition_l2_destroy(struct partition_l2 *l2);
void partition_l2_reset(struct partition_l2 *l2);

/* The slice of a line. */
static inline uint32_t partition_l2_slice(const struct partition_l2 *l2, uint32_t line)
{
    return banks_number(&l2->slices, line);
}

/* When the slice of a line looks at what comes to it at a time. */
uint64_t partition_l2_turn(struct partition_l2 *l2, uint32_t line, uint64_t time_ps,
                           uint64_t now_ps);

/* An access in its slice's turn. Returns when it takes effect, which is when a reply can leave;
 * *served is by whom. */
uint64_t partition_l2_access(struct partition_l2 *l2, const struct partition_access *access,
                             enum hit_level *served);

/* A cache above gives a dirty line back, in its slice's turn. */
void partition_l2_put(struct partition_l2 *l2, uint32_t line, uint64_t time_ps);

/* A cache above owns the line: nothing of it stays here. */
void partition_l2_drop(struct partition_l2 *l2, uint32_t line);

#endif
