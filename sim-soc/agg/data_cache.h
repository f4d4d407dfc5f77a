/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The data port of the pipelined core models: accesses to the memory system, of which misses occupy
 * a miss status holding register (MSHR) from the cycle in which they begin until the data is there.
 *
 * An access that takes longer than a hit is a miss. One to a line that a miss has under way waits
 * for that. Where no MSHR is free the miss waits for the first that is; the memory system has seen
 * the request when it was issued all the same, and keeps its tags from then on. A register that an
 * older instruction will need later counts as occupied until then. */
#ifndef SLUICE_AGG_DATA_CACHE_H
#define SLUICE_AGG_DATA_CACHE_H

#include "agg/port.h"

#define DATA_CACHE_MSHRS_MAX 64

struct data_cache {
    struct agg_port port;
    uint64_t hit_cycles;
    uint32_t mshrs;      /* 0: no limit here, the core waits for each access itself */
    uint64_t busy_until; /* no miss is under way from here on */
    uint64_t begun;      /* when the last access began: it may have waited for an MSHR */
    struct mshr {
        uint64_t line;
        uint64_t done;
    } mshr[DATA_CACHE_MSHRS_MAX];
};

void data_cache_init(struct data_cache *cache, const struct sl_config *config,
                     struct mem_system *mem);
void data_cache_reset(struct data_cache *cache);

/* Makes an access in a cycle; returns the cycle in which the data is there. */
uint64_t data_cache_access(struct data_cache *cache, uint64_t cycle, uint64_t address,
                           enum mem_kind kind);

#endif
