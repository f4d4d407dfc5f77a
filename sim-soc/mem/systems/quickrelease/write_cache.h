/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A write-combining cache and the synchronization FIFO beside it (papers/000 section 4.3.1): wL1,
 * wL2 or wL3.
 *
 * A line has dirty bytes and nothing else; writes make one without asking for it. Each write puts
 * the line's address onto the FIFO, or only that which makes it dirty (quickrelease.enqueue), so
 * that there is at least one entry for whatever is dirty; lines that have left before leave entries
 * behind, which are stale. Where the FIFO is full, its head leaves first, and the line goes down
 * with it. A release is a *marker* in the FIFO: from its coming on, one entry a cycle leaves until
 * the marker is the first; then it goes on to the next level. Markers are a list beside the ring of
 * entries and take no place in that, since a release cannot be refused.
 *
 * Where bytes go, and where markers, is its owner's (write_cache_ops). */
#ifndef SLUICE_MEM_SYSTEMS_QUICKRELEASE_WRITE_CACHE_H
#define SLUICE_MEM_SYSTEMS_QUICKRELEASE_WRITE_CACHE_H

#include "engine/clock.h"
#include "mem/cache/request_queue.h"
#include "mem/cache/transaction.h"
#include "mem/parts/cache.h"

struct write_cache;

struct write_cache_ops {
    /* When bytes can leave; MEM_PENDING: write_cache_resume() will be called. */
    uint64_t (*room_ps)(struct write_cache *cache);
    /* Sends a line's dirty bytes down (write_cache_take()) at a time. There is room. */
    void (*evict)(struct write_cache *cache, uint32_t index, uint64_t time_ps);
    /* All that was ahead of a release has left. */
    void (*passed)(struct write_cache *cache, struct mem_request *release);
};

struct write_line {
    uint64_t mask; /* of dirty bytes; 0: no line */
    uint32_t wave; /* that wrote last */
    bool timing_only;
};

struct fifo_entry {
    uint32_t line; /* CACHE_NONE: of an atomic, or one that has left */
    uint32_t wave;
};

struct write_cache {
    const struct write_cache_ops *ops;
    void *owner;
    struct event_queue *event_queue;
    struct cache tags;
    struct write_line *lines;
    uint8_t *bytes; /* of each line */
    uint64_t cycle_ps;
    uint64_t tag_ps;
    uint64_t hit_ps;      /* tags and data */
    uint32_t dirty_count; /* lines that there are */
    bool each_write;      /* quickrelease.enqueue=store */
    bool by_wavefront;    /* a marker takes only entries of its wavefront */

    /* The FIFO: entries by number, in a ring. */
    struct fifo_entry *ring;
    uint32_t room;
    uint32_t ring_mask;
    uint64_t head;
    uint64_t tail;
    struct request_queue markers;
    struct event drain;
    bool is_stalled; /* draining, until there is room */

    struct write_cache_counters *counters;
    struct fifo_counters *fifo_counters;
};

/* What is to be written. */
struct write_note {
    uint32_t line;
    uint32_t wave;
    uint64_t mask;
    bool carries_none;
};

/* The cache of a level, 0 to 2. Returns false when out of memory. */
bool write_cache_create(struct write_cache *cache, unsigned level, const struct sl_config *config,
                        struct mem_counters *counters);
void write_cache_destroy(struct write_cache *cache);
void write_cache_reset(struct write_cache *cache);

/* Makes a place for a write: sends down what has to leave for it. Returns the line's index, or
 * CACHE_NONE where there is no room for what would leave. */
uint32_t write_cache_prepare(struct write_cache *cache, const struct write_note *note);

/* The bytes have been written to that place. */
void write_cache_note(struct write_cache *cache, uint32_t index, const struct write_note *note);

/* Writes what a transaction carries. Returns false where there is no room for what would leave. */
bool write_cache_put(struct write_cache *cache, const struct transaction *transaction);

/* An entry without a line. Returns false where there is no room for what would leave for it. */
bool write_cache_enqueue_atomic(struct write_cache *cache, uint32_t wave);

/* Puts a line's bytes into a transaction. Nothing of it stays. */
void write_cache_take(struct write_cache *cache, uint32_t index, struct transaction *transaction);

/* A line's bytes go down at a time, where there are any. Returns false where there is no room. */
bool write_cache_send_line(struct write_cache *cache, uint32_t line, uint64_t time_ps);

/* A release comes at a time, behind all that is in the FIFO. */
void write_cache_mark(struct write_cache *cache, struct mem_request *release, uint64_t time_ps);

/* There may be room. */
void write_cache_resume(struct write_cache *cache);

/* Bytes of a range are nobody's any more. */
void write_cache_forget(struct write_cache *cache, uint64_t first_line, uint64_t lines);

static inline uint8_t *write_cache_bytes(const struct write_cache *cache, uint32_t index)
{
    return cache->bytes + (size_t)index * LINE_BYTES;
}

/* Index of a line, or CACHE_NONE, as where there is none at all. */
static inline uint32_t write_cache_find(const struct write_cache *cache, uint32_t line)
{
    return cache->dirty_count == 0 ? CACHE_NONE : cache_find(&cache->tags, line);
}

/* Whether bytes can leave now. */
static inline bool write_cache_has_room(struct write_cache *cache)
{
    return cache->ops->room_ps(cache) <= event_queue_now_ps(cache->event_queue);
}

#endif
