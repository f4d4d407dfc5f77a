/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Timing of DRAM with banks and rows: GDDR3 as papers/004 Table 6.1 has it.
 *
 * Lines are interleaved over channels, those of a channel over rows of dram.row bytes, and rows
 * over banks. A bank keeps its row open until another one is wanted: a column access of the open
 * row needs nothing more; of a bank that has none open, an activate tRCD before; of one that has
 * another row open, a precharge tRP before that, not before tRAS after that row's activate. Two
 * activates of a bank are tRC apart, two of a channel tRRD. Data are on the channel's bus tCL after
 * the access, dram.width bytes a cycle. Commands are given at edges of dram.clock.
 *
 * A channel has a queue, in which a request has a place from its arrival to the end of its
 * transfer; the next one waits outside. One that goes first takes the next place that is free,
 * before those that wait outside; these keep the times that they were told. Answers are times, so
 * each bank serves its requests in the order in which they are handed in (first come, first served;
 * banks work at the same time), and the bus and the activates what fits first. Left out: refresh,
 * turning the bus around, write recovery and the latency of writes, which is that of reads; a queue
 * that looks for requests to open rows (FR-FCFS).
 *
 * With mem.jitter a line that was read reaches its requester late, as in dram_timing.h. */
#ifndef SLUICE_MEM_DRAM_DRAM_BANKS_H
#define SLUICE_MEM_DRAM_DRAM_BANKS_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/clock.h"
#include "mem/mem_counters.h"
#include "mem/parts/bus.h"
#include "mem/parts/jitter.h"
#include "mem/parts/mshr_slots.h"

struct sl_config;

struct dram_bank {
    uint64_t row;          /* that is open, or DRAM_BANKS_CLOSED */
    uint64_t activated_ps; /* its activate */
    uint64_t column_ps;    /* the next column access, or a precharge, is not before */
};

#define DRAM_BANKS_CLOSED UINT64_MAX

struct dram_banks_channel {
    struct bus bus;
    struct bus activates; /* each keeps the next one away for tRRD */
    struct mshrs ends;    /* of the latest transfers */
    struct dram_bank *banks;
};

struct dram_banks {
    struct mem_counters *counters; /* dram_* of them */
    struct sim_clock clock;
    uint32_t channels; /* a power of two, as are the next two */
    uint32_t banks;    /* of a channel */
    uint32_t row_lines;
    uint32_t queue;
    uint64_t line_ps; /* a transfer */
    uint64_t cl_ps;
    uint64_t rp_ps;
    uint64_t rc_ps;
    uint64_t ras_ps;
    uint64_t rcd_ps;
    uint64_t rrd_ps;
    struct dram_banks_channel *channel;
    struct jitter jitter; /* of reads */
};

/* `counters` stay their owner's. Returns false when out of memory; what was made is
 * dram_banks_destroy()'s. */
bool dram_banks_create(struct dram_banks *dram, const struct sl_config *config,
                       struct mem_counters *counters);
void dram_banks_destroy(struct dram_banks *dram);
void dram_banks_reset(struct dram_banks *dram);

/* A line is read or written at a time; it can go first. Returns when its transfer is over, and for
 * a read the delay of mem.jitter, in ps. */
uint64_t dram_banks_access(struct dram_banks *dram, uint32_t line, uint64_t time_ps, bool is_write,
                           bool goes_first);

#endif
