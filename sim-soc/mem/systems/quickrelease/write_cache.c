/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Write-combining caches and their synchronization FIFOs. */
#include "mem/systems/quickrelease/write_cache.h"

#include <stdlib.h>

#include "engine/clock.h"
#include "sluice/config.h"

/* ---- lines ---- */

/* A line leaves with its bytes. */
static void evict_at(struct write_cache *cache, uint32_t index, uint64_t time_ps)
{
    cache->counters->evictions++;
    cache->ops->evict(cache, index, time_ps);
}

static void evict(struct write_cache *cache, uint32_t index)
{
    evict_at(cache, index, event_queue_now_ps(cache->event_queue) + cache->tag_ps);
}

bool write_cache_send_line(struct write_cache *cache, uint32_t line, uint64_t time_ps)
{
    const uint32_t index = write_cache_find(cache, line);

    if (index == CACHE_NONE) {
        return true;
    }
    if (!write_cache_has_room(cache)) {
        return false;
    }
    evict_at(cache, index, time_ps);
    return true;
}

static void release_way(struct write_cache *cache, uint32_t index)
{
    cache->dirty_count--;
    cache->lines[index] = (struct write_line){0};
    cache_demote(&cache->tags, index);
    cache->tags.tag[index] = CACHE_NONE;
}

void write_cache_take(struct write_cache *cache, uint32_t index, struct transaction *transaction)
{
    const struct write_line *line = &cache->lines[index];

    transaction->line = cache->tags.tag[index];
    transaction->mask = line->mask;
    transaction->timing_only = line->timing_only;
    line_bytes_merge(transaction->bytes, write_cache_bytes(cache, index), line->mask);
    cache->counters->bytes_out += line_bytes_count(line->mask);
    release_way(cache, index);
}

void write_cache_forget(struct write_cache *cache, uint64_t first_line, uint64_t lines)
{
    uint32_t left = cache->dirty_count;

    for (uint32_t index = 0; left > 0; index++) {
        if (cache->lines[index].mask == 0) {
            continue;
        }
        left--;
        if (cache->tags.tag[index] - first_line < lines) {
            cache->counters->bytes_dropped += line_bytes_count(cache->lines[index].mask);
            release_way(cache, index);
        }
    }
}

/* ---- the FIFO ---- */

static struct fifo_entry *entry_at(struct write_cache *cache, uint64_t number)
{
    return &cache->ring[number & cache->ring_mask];
}

/* Index of the line of an entry that leaves, where it is there still; else the entry is stale. */
static uint32_t find_entry(struct write_cache *cache, const struct fifo_entry *entry)
{
    const uint32_t index =
        entry->line == CACHE_NONE ? CACHE_NONE : write_cache_find(cache, entry->line);

    cache->fifo_counters->stale += index == CACHE_NONE && entry->line != CACHE_NONE;
    return index;
}

/* The head leaves for one that comes. Returns false where it cannot. */
static bool make_room(struct write_cache *cache)
{
    if (cache->tail - cache->head < cache->room) {
        return true;
    }
    if (!write_cache_has_room(cache)) {
        return false;
    }
    const uint32_t index = find_entry(cache, entry_at(cache, cache->head));
    cache->fifo_counters->full++;
    cache->head++;
    if (index != CACHE_NONE) {
        evict(cache, index);
    }
    return true;
}

static void enqueue(struct write_cache *cache, uint32_t line, uint32_t wave)
{
    *entry_at(cache, cache->tail++) = (struct fifo_entry){line, wave};
    cache->fifo_counters->enqueued++;
}

bool write_cache_enqueue_atomic(struct write_cache *cache, uint32_t wave)
{
    if (!make_room(cache)) {
        return false;
    }
    enqueue(cache, CACHE_NONE, wave);
    return true;
}

/* Whether a write of a line puts it onto the FIFO. Where entries are by wavefront, one that writes
 * a line that another has made dirty needs an entry of its own. */
static bool needs_entry(const struct write_cache *cache, uint32_t index, uint32_t wave)
{
    return cache->each_write || index == CACHE_NONE || cache->lines[index].mask == 0 ||
           (cache->by_wavefront && cache->lines[index].wave != wave);
}

/* ---- writes ---- */

uint32_t write_cache_prepare(struct write_cache *cache, const struct write_note *note)
{
    uint32_t index = write_cache_find(cache, note->line);

    if (needs_entry(cache, index, note->wave) && !make_room(cache)) {
        return CACHE_NONE;
    }
    if (index != CACHE_NONE && cache->tags.tag[index] == note->line) { /* else it has left */
        return index;
    }
    index = cache_victim(&cache->tags, note->line);
    if (cache->lines[index].mask != 0) {
        if (!write_cache_has_room(cache)) {
            return CACHE_NONE;
        }
        evict(cache, index);
    }
    return index;
}

void write_cache_note(struct write_cache *cache, uint32_t index, const struct write_note *note)
{
    struct write_line *line = &cache->lines[index];

    cache->counters->writes++;
    cache->counters->combined += line->mask != 0;
    cache->counters->bytes_in += line_bytes_count(note->mask);
    cache->counters->bytes_combined += line_bytes_count(note->mask & line->mask);
    if (needs_entry(cache, index, note->wave)) {
        enqueue(cache, note->line, note->wave);
    }
    cache->dirty_count += line->mask == 0;
    cache->tags.tag[index] = note->line;
    line->mask |= note->mask;
    line->wave = note->wave;
    line->timing_only = note->carries_none;
    cache_touch(&cache->tags, index);
}

bool write_cache_put(struct write_cache *cache, const struct transaction *transaction)
{
    const struct write_note note = {
        .line = transaction->line,
        .mask = transaction->mask,
        .carries_none = transaction->timing_only,
    };
    const uint32_t index = write_cache_prepare(cache, &note);

    if (index == CACHE_NONE) {
        return false;
    }
    line_bytes_merge(write_cache_bytes(cache, index), transaction->bytes, transaction->mask);
    write_cache_note(cache, index, &note);
    return true;
}

/* ---- releases ---- */

/* The entry at the head, or, where a marker takes only those of its wavefront, the first of these:
 * but for the end of a packet, which speaks for all of its wavefronts. Returns the tail's
 * number where the marker passes. */
static uint64_t next_entry(struct write_cache *cache, const struct mem_request *marker)
{
    const bool is_own = cache->by_wavefront && marker->sync != MEM_SYNC_PACKET;
    uint64_t at = cache->head;

    while (is_own && at < marker->priv.number &&
           (entry_at(cache, at)->line == CACHE_NONE ||
            entry_at(cache, at)->wave != (uint32_t)marker->wave)) {
        at++;
    }
    return at < marker->priv.number ? at : cache->tail;
}

static void pass(struct write_cache *cache)
{
    cache->fifo_counters->released++;
    cache->ops->passed(cache, request_queue_take(&cache->markers));
}

/* Takes out an entry; those whose line has left take their cycle, too. Returns false where there is
 * no room for what would leave. */
static bool drain_entry(struct write_cache *cache, uint64_t number, uint64_t *time_ps)
{
    struct fifo_entry *entry = entry_at(cache, number);
    const uint32_t index = find_entry(cache, entry);

    if (index != CACHE_NONE) {
        if (!write_cache_has_room(cache)) {
            return false;
        }
        evict(cache, index);
    }
    *time_ps += cache->cycle_ps;
    entry->line = CACHE_NONE;
    cache->head += number == cache->head;
    return true;
}

static void drain_event(struct event *event)
{
    struct write_cache *cache = CONTAINER_OF(event, struct write_cache, drain);
    const uint64_t now = event_queue_now_ps(cache->event_queue);
    uint64_t time_ps = now;

    cache->is_stalled = false;
    while (cache->markers.first != NULL && time_ps == now) {
        const struct mem_request *marker = cache->markers.first;
        if (marker->priv.time_ps > now) {
            time_ps = marker->priv.time_ps;
            break;
        }
        const uint64_t number = next_entry(cache, marker);
        if (number == cache->tail) {
            pass(cache);
        } else if (!drain_entry(cache, number, &time_ps)) {
            const uint64_t room_ps = cache->ops->room_ps(cache);
            cache->is_stalled = room_ps == MEM_PENDING;
            time_ps = room_ps;
        }
    }
    if (cache->markers.first != NULL && !cache->is_stalled) {
        event_queue_insert_at(cache->event_queue, &cache->drain, time_ps);
    }
}

void write_cache_mark(struct write_cache *cache, struct mem_request *release, uint64_t time_ps)
{
    release->priv.number = cache->tail;
    release->priv.time_ps = time_ps;
    request_queue_put(&cache->markers, release);
    cache->fifo_counters->enqueued++;
    if (cache->markers.first == release) {
        event_queue_insert_at(cache->event_queue, &cache->drain, time_ps);
    }
}

void write_cache_resume(struct write_cache *cache)
{
    if (cache->is_stalled) {
        cache->is_stalled = false;
        event_queue_insert_at(cache->event_queue, &cache->drain,
                              event_queue_now_ps(cache->event_queue));
    }
}

/* ---- life ---- */

bool write_cache_create(struct write_cache *cache, unsigned level, const struct sl_config *config,
                        struct mem_counters *counters)
{
    static const enum sl_config_key first_keys[] = {SL_CFG_WL1_SIZE, SL_CFG_WL2_SIZE,
                                                    SL_CFG_WL3_SIZE};
    enum { KEY_SIZE, KEY_WAYS, KEY_TAG_CYCLES, KEY_CYCLES, KEY_FIFO };
    const int64_t *keys = &config->number[first_keys[level]];
    const uint32_t ways = (uint32_t)keys[KEY_WAYS];
    const uint32_t sets = (uint32_t)keys[KEY_SIZE] / (ways * LINE_BYTES);

    cache->cycle_ps = sl_config_period_ps(config, SL_CFG_GPU_CLOCK);
    cache->hit_ps = (uint64_t)keys[KEY_CYCLES] * cache->cycle_ps;
    cache->tag_ps = keys[KEY_TAG_CYCLES] == 0 ? cache->hit_ps
                                              : (uint64_t)keys[KEY_TAG_CYCLES] * cache->cycle_ps;
    cache->each_write =
        config->number[SL_CFG_QUICKRELEASE_ENQUEUE] == SL_QUICKRELEASE_ENQUEUE_STORE;
    cache->by_wavefront =
        level == 0 && config->number[SL_CFG_QUICKRELEASE_FIFO] == SL_QUICKRELEASE_FIFO_WAVEFRONT;
    cache->counters = &counters->wl[level];
    cache->fifo_counters = &counters->sfifo[level];
    cache->room = (uint32_t)keys[KEY_FIFO];
    cache->ring_mask = 1;
    while (cache->ring_mask < cache->room) {
        cache->ring_mask *= 2;
    }
    cache->ring = calloc(cache->ring_mask, sizeof(*cache->ring));
    cache->ring_mask--;
    if (cache->ring == NULL || !cache_create(&cache->tags, sets, ways)) {
        return false;
    }
    cache->lines = calloc(cache_size(&cache->tags), sizeof(*cache->lines));
    cache->bytes = calloc(cache_size(&cache->tags), LINE_BYTES);
    return cache->lines != NULL && cache->bytes != NULL;
}

void write_cache_destroy(struct write_cache *cache)
{
    free(cache->ring);
    free(cache->lines);
    free(cache->bytes);
    cache_destroy(&cache->tags);
}

void write_cache_reset(struct write_cache *cache)
{
    event_queue_remove(cache->event_queue, &cache->drain);
    cache->drain = (struct event){.run = drain_event, .rank = EVENT_MEMORY};
    cache_reset(&cache->tags);
    memset(cache->lines, 0, cache_size(&cache->tags) * sizeof(*cache->lines));
    cache->dirty_count = 0;
    cache->head = 0;
    cache->tail = 0;
    cache->markers = (struct request_queue){0};
    cache->is_stalled = false;
}
