/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The L2 of machines in which all meet there: tags, banks, what is behind them, in time. Bytes are
 * DRAM's (noncoherent.h).
 *
 * A bank takes one thing a cycle. A line has a bit for each byte that is valid and for each that is
 * dirty: writes that are combined make bytes of a line valid without fetching it. A miss takes one
 * of the bank's MSHRs until its line is there; a read of a line that is under way waits for it. */
#ifndef SLUICE_MEM_SYSTEMS_NONCOHERENT_L2_H
#define SLUICE_MEM_SYSTEMS_NONCOHERENT_L2_H

#include "mem/dram/dram_timing.h"
#include "mem/dram/l3.h"
#include "mem/mem.h"
#include "mem/parts/banks.h"
#include "mem/parts/cache.h"
#include "mem/parts/l2_shape.h"

struct noncoherent_l2_line {
    uint64_t valid;
    uint64_t dirty;
    uint64_t ready_ps;
};

struct noncoherent_l2 {
    struct cache tags;
    struct noncoherent_l2_line *lines;
    struct banks banks;
    struct sim_clock clock;
    uint64_t tag_ps;
    uint64_t hit_ps;
    uint64_t now_ps; /* the present, of what is in hand */
    struct dram_timing timing;
    struct l3 l3;
    struct mem_counters *counters;
};

/* Returns false when out of memory. */
bool noncoherent_l2_create(struct noncoherent_l2 *l2, const struct sl_config *config,
                           struct mem_counters *counters);
void noncoherent_l2_destroy(struct noncoherent_l2 *l2);
void noncoherent_l2_reset(struct noncoherent_l2 *l2);

static inline uint32_t noncoherent_l2_bank(const struct noncoherent_l2 *l2, uint32_t line)
{
    return banks_number(&l2->banks, line);
}

/* Has the host fetch what is known of a line's set, which is looked up soon. */
static inline void noncoherent_l2_prefetch(const struct noncoherent_l2 *l2, uint32_t line)
{
    const uint32_t set = line & l2->tags.set_mask;
    const uint32_t index = cache_victim(&l2->tags, line);

    __builtin_prefetch(&l2->tags.tag[set << l2->tags.stride_shift]);
    __builtin_prefetch(&l2->lines[index]);
}

/* When the bank of a line looks at what comes to it at a time. */
uint64_t noncoherent_l2_turn(struct noncoherent_l2 *l2, uint32_t line, uint64_t time_ps,
                             uint64_t now_ps);

/* A line is read in its bank's turn. `owned_ps`: when a cache that owns it has brought it here, or
 * 0. Returns when its bytes leave; *served is by whom. */
uint64_t noncoherent_l2_read(struct noncoherent_l2 *l2, uint32_t line, uint64_t mask,
                             uint64_t time_ps, uint64_t owned_ps, enum hit_level *served);

/* Bytes are written, through to memory and to a line that is there. Returns when memory has them.
 */
uint64_t noncoherent_l2_write_through(struct noncoherent_l2 *l2, uint32_t line, uint64_t mask,
                                      uint64_t time_ps);

/* Bytes are written, and stay. Returns when they are there. */
uint64_t noncoherent_l2_combine(struct noncoherent_l2 *l2, uint32_t line, uint64_t mask,
                                uint64_t time_ps);

/* What is done on a line behind the L2, after its dirty bytes, which leave nothing of it here.
 * Returns when its bytes leave. */
uint64_t noncoherent_l2_pass(struct noncoherent_l2 *l2, uint32_t line, uint64_t time_ps);

/* Somebody else owns the line. */
void noncoherent_l2_drop(struct noncoherent_l2 *l2, uint32_t line);

/* All dirty bytes go to memory, so many tags a cycle being looked at. Returns when it has them;
 * adds to *lines how many. */
uint64_t noncoherent_l2_flush(struct noncoherent_l2 *l2, uint32_t walk, uint64_t time_ps,
                              uint64_t *lines);

/* What is clean goes. Returns how many lines. */
uint64_t noncoherent_l2_drop_clean(struct noncoherent_l2 *l2);

#endif
