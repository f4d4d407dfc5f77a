/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* MSHRs (core_data_cache.h). */
#include "aggregator/core_data_cache.h"

#include <string.h>

#include "engine/clock.h"
#include "sluice/config.h"

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
    memset(cache->taken, 0, sizeof(cache->taken));
    memset(cache->lines, 0, sizeof(cache->lines));
}

/* The register that is free first, or one that is free in a cycle. */
static uint64_t *first_free(struct data_cache *cache, uint64_t cycle)
{
    uint64_t *first = &cache->taken[0];

    for (uint32_t i = 1; i < cache->mshrs; i++) {
        if (*first <= cycle) {
            break;
        }
        if (cache->taken[i] < *first) {
            first = &cache->taken[i];
        }
    }
    return first;
}

uint64_t data_cache_access(struct data_cache *cache, uint64_t cycle, uint64_t address,
                           enum mem_kind kind)
{
    uint64_t line = address / SL_CACHE_LINE_BYTES;
    struct under_way *under_way = &cache->lines[line % DATA_CACHE_LINES];
    uint64_t *taken = first_free(cache, cycle);
    bool merges = under_way->line == line && under_way->done > cycle;
    uint64_t begin = merges || cache->mshrs == 0 ? cycle : later(cycle, *taken);
    uint64_t latency = agg_port_access(&cache->port, begin, address, kind);

    cache->begun = begin;
    cache->hit_level = merges ? under_way->hit_level : cache->port.hit_level;
    if (merges) {
        uint64_t done = cycle + (latency < cache->hit_cycles ? latency : cache->hit_cycles);
        return later(done, under_way->done);
    }
    if (latency > cache->hit_cycles) {
        *taken = begin + latency;
        *under_way = (struct under_way){
            .line = line, .done = begin + latency, .hit_level = cache->hit_level};
    }
    return begin + latency;
}
