/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The data port of the pipelined core models: accesses to the memory system, of which misses occupy
 * a miss status holding register (MSHR) from the cycle in which they begin until the data is there.
 *
 * An access that takes longer than a hit is a miss. One to a line that a miss has under way waits
 * for that. Where no MSHR is free the cache takes no other access, hit or miss, until one is, as
 * gem5's: only then does the memory system see it. A register that an older instruction will need
 * later counts as occupied until then. This is the one place where the aggregator's misses are
 * counted: memory systems let it have any number under way.
 *
 * Until when registers are taken and which lines are under way is kept apart, because accesses do
 * not come in the order of their times: a register can have been given to a later miss when an
 * access comes that the line of the one before is still under way for. */
#ifndef SLUICE_AGGREGATOR_CORE_DATA_CACHE_H
#define SLUICE_AGGREGATOR_CORE_DATA_CACHE_H

#include "aggregator/core_port.h"

#define DATA_CACHE_MSHRS_MAX 64
#define DATA_CACHE_LINES     256

struct data_cache {
    struct agg_port port;
    uint64_t hit_cycles;
    uint32_t mshrs;    /* 0: no limit here, the core waits for each access itself */
    uint64_t begun;    /* when the last access began: it may have waited for an MSHR */
    uint8_t hit_level; /* of the last access, or of the miss that it waited for */
    uint64_t taken[DATA_CACHE_MSHRS_MAX]; /* until when each register is */
    struct under_way {
        uint64_t line;
        uint64_t done;
        uint8_t hit_level;
    } lines[DATA_CACHE_LINES]; /* the last miss, for each value of a line's low bits */
};

void data_cache_init(struct data_cache *cache, const struct sl_config *config,
                     struct mem_system *mem);
void data_cache_reset(struct data_cache *cache);

/* Makes an access in a cycle; returns the cycle in which the data is there. */
uint64_t data_cache_access(struct data_cache *cache, uint64_t cycle, uint64_t address,
                           enum mem_kind kind);

#endif
