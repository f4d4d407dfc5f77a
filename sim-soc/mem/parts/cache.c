/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Making tag arrays. */
#include "mem/parts/cache.h"

#include <stdlib.h>

/* The least power of two from 4 up that so many ways fit, as its logarithm. */
static uint32_t stride_shift_of(uint32_t ways)
{
    uint32_t shift = 2;

    while (1u << shift < ways) {
        shift++;
    }
    return shift;
}

bool cache_create(struct cache *cache, uint32_t sets, uint32_t ways)
{
    *cache =
        (struct cache){.set_mask = sets - 1, .ways = ways, .stride_shift = stride_shift_of(ways)};
    size_t tag_bytes = (size_t)cache_size(cache) * sizeof(*cache->tag);
    cache->tag = aligned_alloc(64, (tag_bytes + 63) / 64 * 64);
    if (ways <= CACHE_WAYS_PACKED) {
        cache->order = malloc(sets * sizeof(*cache->order));
    } else {
        cache->list = malloc(cache_size(cache));
    }
    if (cache->tag == NULL || (cache->order == NULL && cache->list == NULL)) {
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
    free(cache->list);
    *cache = (struct cache){0};
}

static void reset_packed(struct cache *cache)
{
    uint64_t order = 0;

    for (uint64_t way = 0; way < cache->ways; way++) {
        order |= way << 4 * way;
    }
    for (uint32_t set = 0; set <= cache->set_mask; set++) {
        cache->order[set] = order;
    }
}

void cache_reset(struct cache *cache)
{
    memset(cache->tag, 0xff, cache_size(cache) * sizeof(*cache->tag));
    if (cache->order != NULL) {
        reset_packed(cache);
        return;
    }
    for (uint32_t index = 0; index < cache_size(cache); index++) {
        cache->list[index] = (uint8_t)(index & ((1u << cache->stride_shift) - 1));
    }
}

/* The bytes of an index's set, and where in them its way is. */
static uint8_t *find_in_list(struct cache *cache, uint32_t index, uint8_t **set)
{
    const uint32_t way = index & ((1u << cache->stride_shift) - 1);

    *set = &cache->list[index - way];
    return memchr(*set, (int)way, cache->ways);
}

void cache_list_touch(struct cache *cache, uint32_t index)
{
    uint8_t *set;
    uint8_t *place = find_in_list(cache, index, &set);
    const uint8_t way = *place;

    memmove(set + 1, set, (size_t)(place - set));
    *set = way;
}

void cache_list_demote(struct cache *cache, uint32_t index)
{
    uint8_t *set;
    uint8_t *place = find_in_list(cache, index, &set);
    uint8_t *last = set + cache->ways - 1;
    const uint8_t way = *place;

    memmove(place, place + 1, (size_t)(last - place));
    *last = way;
}
