/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Caches that are kept coherent: accesses, misses, what others take from them. */
#include "mem/cache/coherent_caches.h"

#include "engine/clock.h"
#include "sluice/config.h"

/* ---- life ---- */

uint32_t coherent_caches_count(const struct sl_config *config)
{
    const struct l1_numbers numbers = l1_numbers_of(config, false);

    return l1_count(&numbers);
}

static bool create_cache(struct coherent_caches *coherent, struct coherent_cache *cache,
                         enum mem_requester_kind kind, const struct sl_config *config)
{
    const struct l1_shape shape = l1_shape_of(config, kind);

    cache->clock = shape.is_agg ? &coherent->agg_clock : &coherent->cu_clock;
    cache->latency_ps = shape.cycles * cache->clock->ps;
    cache->ports_shift = shape.ports_shift;
    cache->counters = &coherent->counters->l1[shape.kind];
    cache->has_data = kind == MEM_AGG || kind == MEM_FRONT;
    cache->fetches = kind == MEM_CU_CODE;
    if (!cache_create(&cache->tags, shape.sets, shape.ways) ||
        !mshrs_create(&cache->mshrs, shape.mshrs)) {
        return false;
    }
    cache->lines = calloc(cache_size(&cache->tags), sizeof(*cache->lines));
    return cache->lines != NULL && (kind != MEM_AGG || miss_causes_create(&cache->causes, config));
}

bool coherent_caches_create(struct coherent_caches *coherent, const struct sl_config *config,
                            uint32_t first_node, struct mem_counters *counters)
{
    const uint32_t *first = coherent->numbers.first;

    coherent->numbers = l1_numbers_of(config, false);
    coherent->count = l1_count(&coherent->numbers);
    coherent->counters = counters;
    coherent->cu_clock = sim_clock_of(sl_config_period_ps(config, SL_CFG_GPU_CLOCK));
    coherent->agg_clock = sim_clock_of(sl_config_period_ps(config, SL_CFG_AGG_CLOCK));
    for (unsigned kind = 0; kind < MEM_REQUESTER_KINDS; kind++) {
        for (uint32_t number = first[kind]; number < first[kind + 1]; number++) {
            struct coherent_cache *cache = &coherent->cache[number];
            cache->node = first_node + number;
            if (!create_cache(coherent, cache, (enum mem_requester_kind)kind, config)) {
                return false;
            }
        }
    }
    return true;
}

void coherent_caches_destroy(struct coherent_caches *coherent)
{
    for (uint32_t i = 0; i < coherent->count; i++) {
        cache_destroy(&coherent->cache[i].tags);
        free(coherent->cache[i].lines);
        free(coherent->cache[i].causes.noted);
        free(coherent->cache[i].mshrs.until_ps);
    }
}

void coherent_caches_reset(struct coherent_caches *coherent)
{
    for (uint32_t i = 0; i < coherent->count; i++) {
        struct coherent_cache *cache = &coherent->cache[i];
        cache_reset(&cache->tags);
        memset(cache->lines, 0, cache_size(&cache->tags) * sizeof(*cache->lines));
        calendar_reset(&cache->port, cache->clock, cache->ports_shift);
        mshrs_reset(&cache->mshrs);
        miss_causes_reset(&cache->causes);
        cache->buffered = CACHE_NONE;
    }
    memset(coherent->held, 0, sizeof(coherent->held));
}

/* ---- lines ---- */

static uint16_t *filter_of(struct coherent_caches *coherent, uint32_t line)
{
    return &coherent->held[(line ^ line >> 12) % COHERENT_FILTER];
}

static void remove_line(struct coherent_caches *coherent, struct coherent_cache *cache,
                        uint32_t index)
{
    if (cache->has_data) {
        (*filter_of(coherent, cache->tags.tag[index]))--;
    }
    cache->tags.tag[index] = CACHE_NONE;
    cache->lines[index] = (struct coherent_line){0};
    cache->buffered = CACHE_NONE;
}

/* A dirty line is sent home. */
static void supply(struct coherent_caches *coherent, struct coherent_cache *cache)
{
    cache->counters->bytes_out += SL_CACHE_LINE_BYTES;
    coherent->counters->l2.l1_bytes_in += SL_CACHE_LINE_BYTES;
}

/* Makes room for a line at a time; returns its index. */
static uint32_t make_room(struct coherent_caches *coherent, struct coherent_cache *cache,
                          uint32_t line, uint64_t time_ps)
{
    const uint32_t index = cache_victim(&cache->tags, line);
    const uint32_t victim = cache->tags.tag[index];

    if (victim != CACHE_NONE) {
        cache->counters->evictions++;
        miss_causes_note(&cache->causes, victim, MISS_CAPACITY);
        if (cache->lines[index].state == COHERENT_M) {
            const uint64_t point_ps =
                interconnect_send(coherent->net, cache->node,
                                  coherent->point->node(coherent->owner, victim, COHERENT_SHARED),
                                  true, time_ps, coherent->now_ps);
            cache->counters->write_backs++;
            supply(coherent, cache);
            coherent->point->writeback(coherent->owner, victim, point_ps);
        }
        remove_line(coherent, cache, index);
    }
    cache->tags.tag[index] = line;
    if (cache->has_data) {
        (*filter_of(coherent, line))++;
    }
    return index;
}

/* Takes a line out of the other caches, or makes it clean there. Returns when a dirty copy of one
 * is at the home, or 0. */
static uint64_t take_from(struct coherent_caches *coherent, const struct coherent_cache *but,
                          uint32_t line, bool alone, uint64_t time_ps)
{
    uint64_t point_ps = 0;

    if (*filter_of(coherent, line) == 0) {
        return 0;
    }
    for (uint32_t i = 0; i < coherent->count; i++) {
        struct coherent_cache *cache = &coherent->cache[i];
        const uint32_t index =
            cache->has_data && cache != but ? cache_find(&cache->tags, line) : CACHE_NONE;
        if (index == CACHE_NONE) {
            continue;
        }
        if (cache->lines[index].state == COHERENT_M) {
            const uint32_t point_node =
                coherent->point->node(coherent->owner, line, COHERENT_SHARED);
            const struct interconnect *net = coherent->net;
            point_ps = later(time_ps + net->ops->latency(net, point_node, cache->node),
                             cache->lines[index].ready_ps) +
                       cache->latency_ps + net->ops->latency(net, cache->node, point_node);
            cache->counters->supplied++;
            supply(coherent, cache);
            cache->lines[index].state = COHERENT_S;
        }
        if (alone) {
            cache->counters->invalidations++;
            miss_causes_note(&cache->causes, line, MISS_COHERENCE);
            remove_line(coherent, cache, index);
        }
    }
    return point_ps;
}

uint64_t coherent_caches_flush_owner(struct coherent_caches *coherent, uint32_t line,
                                     uint64_t time_ps)
{
    return take_from(coherent, NULL, line, false, time_ps);
}

void coherent_caches_invalidate(struct coherent_caches *coherent, uint32_t line)
{
    (void)take_from(coherent, NULL, line, true, 0);
}

/* ---- accesses ---- */

/* A line comes from its home, or the permission to write it. */
static uint64_t ask_point(struct coherent_caches *coherent, struct coherent_cache *cache,
                          uint32_t line, bool has_line, bool writes, uint64_t time_ps,
                          enum hit_level *served)
{
    const enum coherent_use use = cache->fetches ? COHERENT_FETCH
                                  : writes       ? COHERENT_EXCLUSIVE
                                                 : COHERENT_SHARED;
    const uint32_t point_node = coherent->point->node(coherent->owner, line, use);
    uint64_t point_ps =
        interconnect_send(coherent->net, cache->node, point_node, false, time_ps, coherent->now_ps);
    const uint64_t owned_ps = take_from(coherent, cache, line, writes, point_ps);

    if (has_line) {
        *served = HIT_UPGRADE;
        coherent->point->upgrade(coherent->owner, line, point_ps);
    } else if (owned_ps != 0) {
        *served = HIT_OTHER_L1;
        coherent->point->writeback(coherent->owner, line, owned_ps);
        point_ps = owned_ps;
        if (writes) {
            coherent->point->upgrade(coherent->owner, line, point_ps);
        }
    } else {
        point_ps = coherent->point->read(coherent->owner, line, use, point_ps, served);
    }
    if (!has_line) {
        coherent->counters->l2.l1_bytes_out += SL_CACHE_LINE_BYTES;
        cache->counters->bytes_in += SL_CACHE_LINE_BYTES;
        cache->counters->causes[miss_causes_of(&cache->causes, line, *served)]++;
    }
    return interconnect_send(coherent->net, point_node, cache->node, !has_line, point_ps,
                             coherent->now_ps);
}

static struct mem_answer miss(struct coherent_caches *coherent, struct coherent_cache *cache,
                              uint32_t line, uint32_t index, bool writes, uint64_t time_ps,
                              enum hit_level *served)
{
    const bool has_line = index != CACHE_NONE;
    uint64_t start_ps = time_ps;

    if (mshrs_free_ps(&cache->mshrs) > time_ps) {
        cache->counters->replays++;
        start_ps = calendar_take(&cache->port, mshrs_free_ps(&cache->mshrs), coherent->now_ps);
    }
    if (has_line) {
        start_ps = later(start_ps, cache->lines[index].ready_ps);
    } else {
        index = make_room(coherent, cache, line, start_ps);
    }
    const uint64_t ready_ps =
        ask_point(coherent, cache, line, has_line, writes, start_ps + cache->latency_ps, served);
    cache->lines[index] = (struct coherent_line){ready_ps, writes ? COHERENT_M : COHERENT_S};
    mshrs_take(&cache->mshrs, ready_ps);
    cache_touch(&cache->tags, index);
    return (struct mem_answer){ready_ps, ready_ps};
}

struct mem_answer coherent_caches_access(struct coherent_caches *coherent,
                                         const struct mem_request *request, enum hit_level *served)
{
    struct coherent_cache *cache = &coherent->cache[l1_number(&coherent->numbers, request->from)];
    const uint32_t line = (uint32_t)(request->address / SL_CACHE_LINE_BYTES);
    const bool writes = request->kind == MEM_STORE || request->kind == MEM_ATOMIC;
    const uint64_t time_ps = request->time_ps;

    *served = HIT_L1;
    cache->counters->accesses++;
    if (line == cache->buffered && request->from.kind == MEM_AGG_CODE) {
        cache->counters->served[HIT_L1]++;
        return (struct mem_answer){time_ps, time_ps + cache->latency_ps};
    }
    const uint64_t start_ps = calendar_take(&cache->port, time_ps, time_ps);
    coherent->now_ps = time_ps;
    const uint32_t index = cache_find(&cache->tags, line);
    struct mem_answer answer;
    if (index != CACHE_NONE && (!writes || cache->lines[index].state == COHERENT_M)) {
        const uint64_t ready_ps = cache->lines[index].ready_ps;
        *served = ready_ps > start_ps ? HIT_MERGED : HIT_L1;
        answer = (struct mem_answer){later(start_ps, ready_ps),
                                     later(start_ps + cache->latency_ps, ready_ps)};
        cache_touch(&cache->tags, index);
    } else {
        answer = miss(coherent, cache, line, index, writes, start_ps, served);
    }
    cache->buffered = *served == HIT_L1 ? line : CACHE_NONE;
    cache->counters->served[*served]++;
    return answer;
}
