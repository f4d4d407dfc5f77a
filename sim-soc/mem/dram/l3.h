/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What is behind the point of coherence: an L3 cache on the side of memory, if there is one
 * (papers/000 section 4.4.1), and DRAM. It counts the accesses to both.
 *
 * The L3 is in banks, interleaved by line, which take an access per cycle: reads, writes, and lines
 * that come from DRAM. It reads its tags first: a miss is known after l3.tag_cycles and asks DRAM
 * then, a hit has its data after l3.cycles. A line that is still on its way hits too, and is waited
 * for. Replacement is least recently used.
 *
 * papers/000 has it "writeable only in the RFO system". One that can be written takes whole lines
 * without reading DRAM, and writes them back when others replace them. Past any other one writes go
 * to DRAM, in no time; they take a slot of the bank, in which a line that is there is taken out:
 * our reading of the sentence, by which a later read of what was written comes from DRAM.
 *
 * With l3.size 0 there is none: accesses are DRAM's. Left out: a limit to misses other than DRAM's
 * queues; a read never waits for the same line's write-back, which memory controllers answer it
 * from. */
#ifndef SLUICE_MEM_DRAM_L3_H
#define SLUICE_MEM_DRAM_L3_H

#include <stdbool.h>
#include <stdint.h>

#include "mem/dram/dram_timing.h"
#include "mem/mem_counters.h"
#include "mem/parts/cache.h"
#include "mem/parts/calendar.h"

struct sl_config;

struct l3_line {
    uint64_t ready_ps; /* its data are there */
    bool is_dirty;
};

struct l3 {
    struct dram_timing *timing;
    struct mem_counters *counters; /* l3 and dram_* of them */
    bool is_writable;
    struct sim_clock clock;
    uint64_t tag_ps;
    uint64_t latency_ps;
    uint32_t bank_count; /* a power of two; 0 where there is no L3 */
    struct calendar *banks;
    struct cache tags;
    struct l3_line *lines;
};

/* Both `timing` and `counters` stay their owner's, and are there as long as it is. Returns false
 * when out of memory; what was made is l3_destroy()'s. */
bool l3_create(struct l3 *l3, const struct sl_config *config, struct dram_timing *timing,
               struct mem_counters *counters, bool is_writable);
void l3_destroy(struct l3 *l3);

/* Empties it, without a write to DRAM; DRAM's timing is its owner's to reset. */
void l3_reset(struct l3 *l3);

/* A line is read at a time; `now_ps` is the present, as in calendar.h. Returns when it leaves for
 * who asked; *is_hit, unless NULL, becomes whether the L3 had it. */
uint64_t l3_read(struct l3 *l3, uint32_t line, uint64_t time_ps, uint64_t now_ps, bool *is_hit);

/* A line, or the part of one of an L3 that cannot be written, is written at a time. Returns when
 * the write is over. */
uint64_t l3_write(struct l3 *l3, uint32_t line, uint64_t time_ps, uint64_t now_ps);

#endif
