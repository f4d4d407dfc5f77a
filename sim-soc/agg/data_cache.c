/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* MSHRs (data_cache.h). */
#include "agg/data_cache.h"

#include <string.h>

#include "time/later.h"

void data_cache_init(struct data_cache *cache, const struct sl_config *config,
                     struct mem_system *mem)
{
    *cache = (struct data_cache){
        .port = agg_port_make(config, mem, MEM_AGG),
        .hit_cycles = (uint64_t)config->number[SL_CFG_CORE_HIT_CYCLES],
        .mshrs = (uint32_t)config->number[SL_CFG_CORE_MSHRS],
    };
}

void data_cache_reset(struct data_cache *cache)
{
    cache->busy_until = 0;
    memset(cache->mshr, 0, sizeof(cache->mshr));
}

/* A miss of that latency: takes the register that is free first. */
static uint64_t miss(struct data_cache *cache, uint64_t cycle, uint64_t line, uint64_t latency)
{
    struct mshr *first = &cache->mshr[0];

    if (cache->mshrs == 0) {
        return cycle + latency;
    }
    for (uint32_t i = 1; i < cache->mshrs && first->done > cycle; i++) {
        if (cache->mshr[i].done < first->done) {
            first = &cache->mshr[i];
        }
    }
    uint64_t begin = later(first->done, cycle);
    cache->begun = begin;
    first->line = line;
    first->done = begin + latency;
    cache->busy_until = later(cache->busy_until, first->done);
    return first->done;
}

uint64_t data_cache_access(struct data_cache *cache, uint64_t cycle, uint64_t address,
                           enum mem_kind kind)
{
    uint64_t line = address / SL_CACHE_LINE_BYTES;
    uint64_t latency = agg_port_access(&cache->port, cycle, address, kind);

    cache->begun = cycle;
    if (cycle < cache->busy_until) {
        for (uint32_t i = 0; i < cache->mshrs; i++) {
            if (cache->mshr[i].line == line && cache->mshr[i].done > cycle) {
                uint64_t done = cycle + (latency < cache->hit_cycles ? latency : cache->hit_cycles);
                return later(done, cache->mshr[i].done);
            }
        }
    }
    return latency > cache->hit_cycles ? miss(cache, cycle, line, latency) : cycle + latency;
}
