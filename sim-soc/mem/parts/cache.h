/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Tags of a set-associative cache with least-recently-used replacement. What is known of each line
 * besides its tag is its owner's, in an array by the index that is used here.
 *
 * A line is named by its address / line size, which has to fit 32 bits. Tags of a set lie together
 * and are compared four at a time. The order of use is a permutation: up to 16 ways in 4-bit fields
 * of one word, more as bytes. */
#ifndef SLUICE_MEM_CACHE_H
#define SLUICE_MEM_CACHE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define CACHE_WAYS_MAX    64u
#define CACHE_WAYS_PACKED 16u
#define CACHE_NONE        UINT32_MAX /* no index, and the tag of no line */

struct cache {
    uint32_t set_mask;
    uint32_t ways;
    uint32_t stride_shift; /* tags of a set take 2^stride_shift places: 4 to 64 */
    uint32_t *tag;
    uint64_t *order; /* by set: ways, most recently used first, from the lowest field; or NULL: */
    uint8_t *list;   /* the same as bytes, 2^stride_shift for each set */
};

/* Makes one of sets x ways lines, sets a power of two. Returns false when out of memory. */
bool cache_create(struct cache *cache, uint32_t sets, uint32_t ways);
void cache_destroy(struct cache *cache);

/* Cycles until the tags are known: they are read before the data, in a part of the cycles of both;
 * 0 says in all of them. */
static inline uint64_t cache_tag_cycles(int64_t tag_cycles, int64_t cycles)
{
    return (uint64_t)(tag_cycles == 0 ? cycles : tag_cycles);
}

/* Forgets all lines. */
void cache_reset(struct cache *cache);

/* The same as cache_touch(), cache_demote() and the way of cache_victim(), where the order is
 * bytes.
 */
void cache_list_touch(struct cache *cache, uint32_t index);
void cache_list_demote(struct cache *cache, uint32_t index);

/* One more than the largest index. */
static inline uint32_t cache_size(const struct cache *cache)
{
    return (cache->set_mask + 1) << cache->stride_shift;
}

typedef uint32_t cache_tags4 __attribute__((vector_size(16), aligned(16)));

/* 1 + the position of a tag among four, in one of the four, or zeros. */
static inline cache_tags4 cache_match4(const uint32_t *tags, uint32_t line, uint32_t first)
{
    const cache_tags4 position = {first, first + 1, first + 2, first + 3};
    const cache_tags4 *four = (const cache_tags4 *)__builtin_assume_aligned(tags, 16);

    return (cache_tags4)(*four == line) & position;
}

/* Index of a line, or CACHE_NONE. */
static inline uint32_t cache_find(const struct cache *cache, uint32_t line)
{
    uint32_t set = line & cache->set_mask;
    uint32_t base = set << cache->stride_shift;
    uint32_t latest =
        base + (cache->order != NULL ? (uint32_t)(cache->order[set] & 15) : cache->list[base]);

    if (cache->tag[latest] == line) {
        return latest;
    }
    cache_tags4 found = {0, 0, 0, 0};
    for (uint32_t way = 0; way < 1u << cache->stride_shift; way += 4) {
        found |= cache_match4(&cache->tag[base + way], line, way + 1);
    }
    uint64_t halves[2];
    memcpy(halves, &found, sizeof(halves));
    uint64_t both = halves[0] | halves[1];
    uint32_t position = (uint32_t)(both | both >> 32);
    return position == 0 ? CACHE_NONE : base + position - 1;
}

/* Where in the order a way is, as the shift of its field. */
static inline uint32_t cache_field(uint64_t order, uint32_t way)
{
    uint64_t differs = order ^ way * 0x1111111111111111ull;
    uint64_t zeros = (differs - 0x1111111111111111ull) & ~differs & 0x8888888888888888ull;

    return (uint32_t)__builtin_ctzll(zeros) & ~3u;
}

/* The line was used now. */
static inline void cache_touch(struct cache *cache, uint32_t index)
{
    if (__builtin_expect(cache->order == NULL, 0)) {
        cache_list_touch(cache, index);
        return;
    }
    uint64_t *order = &cache->order[index >> cache->stride_shift];
    uint32_t way = index & ((1u << cache->stride_shift) - 1);

    if ((*order & 15) == way) {
        return;
    }
    uint64_t newer = (1ull << cache_field(*order, way)) - 1;
    *order = (*order & ~(newer << 4 | 15)) | (*order & newer) << 4 | way;
}

/* The line is the first to be replaced. */
static inline void cache_demote(struct cache *cache, uint32_t index)
{
    if (__builtin_expect(cache->order == NULL, 0)) {
        cache_list_demote(cache, index);
        return;
    }
    uint64_t *order = &cache->order[index >> cache->stride_shift];
    uint64_t way = index & ((1u << cache->stride_shift) - 1);
    uint32_t last = 4 * (cache->ways - 1);
    uint64_t newer = (1ull << cache_field(*order, (uint32_t)way)) - 1;
    uint64_t older = ((1ull << last) - 1) & ~newer;

    *order = (*order & newer) | (*order >> 4 & older) | way << last;
}

/* Index of the line that a new one would replace. */
static inline uint32_t cache_victim(const struct cache *cache, uint32_t line)
{
    uint32_t set = line & cache->set_mask;
    uint32_t base = set << cache->stride_shift;

    if (__builtin_expect(cache->order == NULL, 0)) {
        return base + cache->list[base + cache->ways - 1];
    }
    return base + (uint32_t)(cache->order[set] >> 4 * (cache->ways - 1) & 15);
}

#endif
