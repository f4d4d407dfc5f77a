/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Timing of DRAM: latency, bandwidth, channels and their queues (papers/001 Table 2: 30 ns, 20
 * GB/s).
 *
 * Lines (of the L2) are interleaved over channels. A channel has a bus, on which one takes its
 * bytes / (its part of the bandwidth), and a queue, in which a request has a place from its arrival
 * to the end of its transfer. The transfer is the last part of the latency: a read alone is done
 * `latency` after it arrived, or after its transfer where that takes longer. Writes occupy queue
 * and bus; nobody waits for them. Left out: banks, rows, refresh, turning the bus around.
 *
 * With mem.jitter a line that was read reaches its requester late by a random delay. It is added
 * behind the transfer: neither bus nor queue is held by it, so that bandwidth stays what it is. */
#ifndef SLUICE_MEM_DRAM_DRAM_TIMING_H
#define SLUICE_MEM_DRAM_DRAM_TIMING_H

#include <stdbool.h>
#include <stdint.h>

#include "mem/parts/bus.h"
#include "mem/parts/jitter.h"

struct sl_config;

struct dram_channel {
    struct bus bus;
    uint32_t next;      /* in the queue */
    uint64_t *until_ps; /* its places are taken until then, in the order in which they are used */
};

struct dram_timing {
    uint32_t channels; /* a power of two */
    uint32_t queue;
    uint64_t line_ps; /* a transfer */
    uint64_t lead_ps; /* of a read, before its transfer */
    struct dram_channel *channel;
    struct jitter jitter; /* of reads */
};

/* Returns false when out of memory. */
bool dram_timing_create(struct dram_timing *timing, const struct sl_config *config);
void dram_timing_destroy(struct dram_timing *timing);
void dram_timing_reset(struct dram_timing *timing);

/* A line is read or written at a time. Returns when its transfer is over, and for a read the delay
 * of mem.jitter, in ps. */
uint64_t dram_timing_access(struct dram_timing *timing, uint32_t line, uint64_t time_ps,
                            bool is_write);

#endif
