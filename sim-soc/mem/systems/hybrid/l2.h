/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The L2 of memory system `hybrid`, in time: tags, banks, atomic buffers, DRAM behind it. Bytes are
 * DRAM's.
 *
 * It writes back. A bank takes one thing a cycle. A line of which not all bytes are valid, which
 * only is where writes do not fetch (l2.write_fetch), has a bit for each that is. A miss takes one
 * of the bank's MSHRs until its line is there; a read of a line that is under way waits for it.
 *
 * Each bank has an atomic buffer (papers/003 section 3.4): the line on which it did an atomic
 * operation last, which is nowhere else, and on which it does one operation of a lane a cycle.
 * Another line's operation, or any other access to this one, puts it back into the L2 first. */
#ifndef SLUICE_MEM_SYSTEMS_HYBRID_L2_H
#define SLUICE_MEM_SYSTEMS_HYBRID_L2_H

#include "mem/dram/dram_timing.h"
#include "mem/mem.h"
#include "mem/parts/banks.h"
#include "mem/parts/cache.h"
#include "mem/parts/l2_shape.h"

/* A bit for each byte of a line of the L2. */
#define HYBRID_L2_WORDS (MEM_LINE_MAX / 64)

struct hybrid_l2_line {
    uint64_t ready_ps;
    bool is_dirty;
    bool is_whole;
};

struct atomic_buffer {
    uint32_t line; /* or CACHE_NONE */
    bool is_dirty;
    uint64_t ready_ps; /* the line is here */
    uint64_t free_ps;  /* the next operation can be done */
};

/* An access to a line of the L2, in its bank's turn. */
struct hybrid_l2_access {
    uint32_t line;
    uint64_t turn_ps;
    uint64_t owned_ps; /* when a cache that owns the line has brought it here, or 0 */
    bool allocates;    /* a read that misses */
};

struct hybrid_l2 {
    struct cache tags;
    struct hybrid_l2_line *lines;
    uint64_t (*valid)[HYBRID_L2_WORDS]; /* bytes of lines that are not whole */
    struct atomic_buffer *buffers;      /* of each bank */
    struct banks banks;
    struct sim_clock clock;
    uint64_t tag_ps;
    uint64_t hit_ps;
    uint64_t now_ps;                     /* the present, of what is in hand */
    uint64_t all_bytes[HYBRID_L2_WORDS]; /* of a line */
    bool fetches;                        /* what a write misses */
    struct dram_timing timing;
    struct mem_counters *counters;
};

/* `counters` stay their owner's. Returns false when out of memory; what was made is
 * hybrid_l2_destroy()'s. */
bool hybrid_l2_create(struct hybrid_l2 *l2, const struct sl_config *config,
                      struct mem_counters *counters);
void hybrid_l2_destroy(struct hybrid_l2 *l2);
void hybrid_l2_reset(struct hybrid_l2 *l2);

static inline uint32_t hybrid_l2_bank(const struct hybrid_l2 *l2, uint32_t line)
{
    return banks_number(&l2->banks, line);
}

/* Has the host fetch what is known of a line's set, which is looked up soon. */
static inline void hybrid_l2_prefetch(const struct hybrid_l2 *l2, uint32_t line)
{
    const uint32_t base = (line & l2->tags.set_mask) << l2->tags.stride_shift;

    __builtin_prefetch(&l2->tags.tag[base]);
    __builtin_prefetch(&l2->lines[cache_victim(&l2->tags, line)]);
}

/* When the bank of a line looks at what comes to it at a time. */
uint64_t hybrid_l2_turn(struct hybrid_l2 *l2, uint32_t line, uint64_t time_ps, uint64_t now_ps);

/* A line is read. Returns when its bytes leave; *served is by whom. */
uint64_t hybrid_l2_read(struct hybrid_l2 *l2, const struct hybrid_l2_access *access,
                        enum hit_level *served);

/* Bytes of a line are written. Returns when that is known to be done. */
uint64_t hybrid_l2_write(struct hybrid_l2 *l2, const struct hybrid_l2_access *access,
                         const uint64_t mask[HYBRID_L2_WORDS]);

/* So many operations of lanes in the bank's atomic buffer; `changes`: bytes of the line. Returns
 * when the last one's answer leaves. */
uint64_t hybrid_l2_operate(struct hybrid_l2 *l2, const struct hybrid_l2_access *access,
                           uint32_t operations, bool changes, enum hit_level *served);

/* A whole line comes from a cache that has written it. */
void hybrid_l2_put(struct hybrid_l2 *l2, uint32_t line, bool is_dirty, uint64_t time_ps);

/* Somebody else owns the line. */
void hybrid_l2_drop(struct hybrid_l2 *l2, uint32_t line);

#endif
