/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Making tag arrays. */
#include "mem/parts/cache.h"

#include <stdlib.h>

bool cache_create(struct cache *cache, uint32_t sets, uint32_t ways)
{
    uint32_t shift = ways <= 4 ? 2 : ways <= 8 ? 3 : 4;

    *cache = (struct cache){.set_mask = sets - 1, .ways = ways, .stride_shift = shift};
    size_t tag_bytes = (size_t)cache_size(cache) * sizeof(*cache->tag);
    cache->tag = aligned_alloc(64, (tag_bytes + 63) / 64 * 64);
    cache->order = malloc(sets * sizeof(*cache->order));
    if (cache->tag == NULL || cache->order == NULL) {
        cache_destroy(cache);
        return false;
    }
    cache_reset(cache);
    return true;
}

void cache_destroy(struct cache *cache)
{
    free(cache->tag);
    free(cache->order);
    *cache = (struct cache){0};
}

void cache_reset(struct cache *cache)
{
    uint64_t order = 0;

    for (uint64_t way = 0; way < cache->ways; way++) {
        order |= way << 4 * way;
    }
    memset(cache->tag, 0xff, cache_size(cache) * sizeof(*cache->tag));
    for (uint32_t set = 0; set <= cache->set_mask; set++) {
        cache->order[set] = order;
    }
}
