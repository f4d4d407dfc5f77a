/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Memory system `stale`, which only tests have: as old as the contract of mem/mem.h permits.
 *
 * Each compute unit has a write-back cache without limit that holds bytes. Nothing leaves it and
 * nothing comes into it but for synchronization: a line is fetched when it is not there, a release
 * at device scope writes all dirty bytes back, an acquire drops what is clean; atomics at device
 * scope, loads and stores among them, are done at DRAM's bytes. Up to the work-group they are done
 * in the cache, and nothing is written back or dropped. Every access, fetch and synchronization
 * takes a random time, is pending until then, and takes effect at a random time before; most are
 * short, and some so long that much else happens meanwhile. Accesses of a compute unit to one line
 * keep their order. The seed is in the environment (SLUICE_STALE_SEED), so that a machine can be
 * run under many.
 *
 * One file: a copy in sim-soc/mem/stale/ and a line in a table add it to a machine, as
 * docs/look-up/memory-moesi.md
 * ("A memory system of your own") says and tests/recipe/build.sh does. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/isa.h"
#include "mem/mem.h"

#define LINE      SL_CACHE_LINE_BYTES
#define DELAY_PS  40000u /* one step of two takes less, one of four up to twice as long, ... */
#define DOUBLINGS 5u     /* ... and none more than 2^5 times as long */
#define BUCKETS   4096u
#define AGG_PS    2000u
#define CUS       64u /* the most of gpu.cus */

struct line {
    struct line *next;      /* of the bucket */
    struct line *next_held; /* of the cache's */
    uint64_t address;
    uint64_t dirty;    /* bit i: byte i */
    uint64_t order_ps; /* accesses handed in so far take effect up to here */
    uint8_t bytes[LINE];
    bool is_there; /* bytes are the line's; where some are dirty, it is */
    bool is_held;
};

struct cache {
    struct line *bucket[BUCKETS];
    struct line *held; /* all lines that are there; the next sweep lets go of others */
    struct reservations reservations;
};

extern const struct mem_ops mem_stale;

/* A request under way. */
struct step {
    struct event event;
    struct stale *stale;
    struct mem_request *request;
    bool is_sync;
    struct step *next; /* of those that are free, or under way */
    struct step *previous;
};

struct stale {
    struct mem_system base;
    struct dram dram;
    struct event_queue *event_queue;
    struct cache caches[CUS];
    struct step *free;
    struct step under_way; /* head of a ring */
    uint64_t seed;
    uint64_t random;
};

static uint64_t random_ps(struct stale *stale)
{
    stale->random = stale->random * 6364136223846793005u + 1442695040888963407u;
    const unsigned doublings = (unsigned)__builtin_ctzll(stale->random >> 56 | 1u << DOUBLINGS);
    return (stale->random >> 24 & UINT32_MAX) % ((uint64_t)DELAY_PS << doublings);
}

/* ---- steps ---- */

static void take_effect(struct event *event);

static void begin_step(struct stale *stale, struct mem_request *request, bool is_sync,
                       uint64_t time_ps)
{
    struct step *step = stale->free;

    if (step != NULL) {
        stale->free = step->next;
    } else {
        step = calloc(1, sizeof(*step));
        if (step == NULL) {
            abort();
        }
    }
    step->event = (struct event){.run = take_effect, .rank = EVENT_MEMORY};
    step->stale = stale;
    step->request = request;
    step->is_sync = is_sync;
    step->next = stale->under_way.next;
    step->previous = &stale->under_way;
    step->next->previous = step;
    step->previous->next = step;
    event_queue_insert_at(stale->event_queue, &step->event, time_ps);
}

static void end_step(struct stale *stale, struct step *step)
{
    step->next->previous = step->previous;
    step->previous->next = step->next;
    step->next = stale->free;
    stale->free = step;
}

/* ---- lines ---- */

/* NULL where the cache never had it. */
static struct line *look_up(const struct cache *cache, uint64_t address)
{
    struct line *line = cache->bucket[address / LINE % BUCKETS];

    while (line != NULL && line->address != address) {
        line = line->next;
    }
    return line;
}

static struct line *find(struct cache *cache, uint64_t address)
{
    struct line **bucket = &cache->bucket[address / LINE % BUCKETS];
    struct line *line = look_up(cache, address);

    if (line != NULL) {
        return line;
    }
    line = calloc(1, sizeof(*line));
    if (line == NULL) {
        abort();
    }
    line->address = address;
    line->next = *bucket;
    *bucket = line;
    return line;
}

/* Dirty bytes become DRAM's. */
static void write_back(struct stale *stale, struct line *line)
{
    uint8_t *memory = dram_at(&stale->dram, line->address);

    if (line->dirty == 0) {
        return;
    }
    for (unsigned i = 0; i < LINE; i++) {
        if (line->dirty >> i & 1) {
            memory[i] = line->bytes[i];
        }
    }
    line->dirty = 0;
    reservation_write(&stale->base.reservations, line->address);
}

static void fetch(struct stale *stale, struct cache *cache, struct line *line)
{
    if (!line->is_there) {
        memcpy(line->bytes, dram_at(&stale->dram, line->address), LINE);
        line->is_there = true;
    }
    if (!line->is_held) {
        line->is_held = true;
        line->next_held = cache->held;
        cache->held = line;
    }
}

typedef void line_fn(struct stale *stale, struct line *line);

static void sweep(struct stale *stale, struct cache *cache, line_fn *function)
{
    struct line **link = &cache->held;

    while (*link != NULL) {
        struct line *const line = *link;
        if (line->is_there) {
            function(stale, line);
        }
        if (line->is_there) {
            link = &line->next_held;
        } else {
            line->is_held = false;
            *link = line->next_held;
        }
    }
}

/* What is dirty stays, as the compute unit's own. */
static void drop_clean(struct stale *stale, struct line *line)
{
    if (line->dirty == 0) {
        line->is_there = false;
    } else {
        uint8_t kept[LINE];
        const uint64_t dirty = line->dirty;
        memcpy(kept, line->bytes, LINE);
        memcpy(line->bytes, dram_at(&stale->dram, line->address), LINE);
        for (unsigned i = 0; i < LINE; i++) {
            line->bytes[i] = dirty >> i & 1 ? kept[i] : line->bytes[i];
        }
    }
}

/* ---- effects ---- */

static bool is_wide(uint8_t scope)
{
    return scope == SL_SCOPE_DEVICE || scope == SL_SCOPE_SYSTEM;
}

static void perform(struct stale *stale, struct mem_request *request)
{
    struct cache *cache = &stale->caches[request->from.index];
    struct line *line = find(cache, request->address);
    struct mem_place place = {line->bytes, &cache->reservations};

    if (request->client->apply == NULL) {
        return;
    }
    if (request->atomic && is_wide(request->scope)) {
        write_back(stale, line);
        line->is_there = false;
        place =
            (struct mem_place){dram_at(&stale->dram, request->address), &stale->base.reservations};
    } else {
        fetch(stale, cache, line);
        if (request->kind != MEM_LOAD) {
            line->dirty |= request->mask[0];
        }
    }
    request->client->apply(request, &place, request->lanes);
}

/* The private segment of a wavefront that has ended is nobody's: nothing of it may come to DRAM
 * when it is another one's. */
static void forget_private(struct stale *stale, const struct mem_request *request)
{
    for (uint64_t at = 0; at < request->bytes; at += LINE) {
        struct line *line = look_up(&stale->caches[request->from.index], request->address + at);
        if (line != NULL) {
            line->dirty = 0;
            line->is_there = false;
        }
    }
}

static void synchronize(struct stale *stale, const struct mem_request *request)
{
    struct cache *cache = &stale->caches[request->from.index];

    if (request->bytes != 0) {
        forget_private(stale, request);
    }
    if (!is_wide(request->scope)) {
        return;
    }
    if (request->release) {
        sweep(stale, cache, write_back);
    }
    if (request->acquire) {
        sweep(stale, cache, drop_clean);
    }
}

static void take_effect(struct event *event)
{
    struct step *step = (struct step *)event;
    struct stale *stale = step->stale;
    struct mem_request *request = step->request;
    const uint64_t done_ps = event_queue_now_ps(stale->event_queue) + random_ps(stale);
    const bool is_sync = step->is_sync;

    end_step(stale, step);
    if (is_sync) {
        synchronize(stale, request);
    } else if (request->from.kind == MEM_CU) {
        perform(stale, request);
    }
    request->client->complete(request, done_ps);
}

/* ---- the contract ---- */

static struct mem_answer stale_access(struct mem_system *mem, struct mem_request *request)
{
    struct stale *stale = (struct stale *)mem;
    uint64_t time_ps = request->time_ps + random_ps(stale);

    if (request->client == NULL) {
        return (struct mem_answer){request->time_ps, request->time_ps + AGG_PS};
    }
    if (request->from.kind == MEM_CU) {
        struct line *line = find(&stale->caches[request->from.index], request->address);
        time_ps = time_ps > line->order_ps ? time_ps : line->order_ps;
        line->order_ps = time_ps;
    }
    begin_step(stale, request, false, time_ps);
    return (struct mem_answer){MEM_PENDING, MEM_PENDING};
}

static uint64_t stale_sync(struct mem_system *mem, struct mem_request *request)
{
    struct stale *stale = (struct stale *)mem;

    begin_step(stale, request, true, request->time_ps + random_ps(stale));
    return MEM_PENDING;
}

static void stale_settle(struct mem_system *mem)
{
    struct stale *stale = (struct stale *)mem;

    while (stale->under_way.next != &stale->under_way) {
        event_queue_remove(stale->event_queue, &stale->under_way.next->event);
        end_step(stale, stale->under_way.next);
    }
    for (uint32_t i = 0; i < CUS; i++) {
        sweep(stale, &stale->caches[i], write_back);
    }
}

static void stale_peek(const struct mem_system *mem, struct mem_requester from, uint64_t address,
                       void *bytes, size_t count)
{
    const struct stale *stale = (const struct stale *)mem;

    for (size_t i = 0; i < count; i++) {
        const uint64_t at = address + i;
        const struct line *line =
            from.kind == MEM_CU ? look_up(&stale->caches[from.index], at / LINE * LINE) : NULL;
        ((uint8_t *)bytes)[i] = line != NULL && line->is_there
                                    ? line->bytes[at % LINE]
                                    : *(const uint8_t *)dram_at(&stale->dram, at);
    }
}

static void forget_all(struct stale *stale)
{
    for (uint32_t i = 0; i < CUS; i++) {
        for (uint32_t b = 0; b < BUCKETS; b++) {
            struct line *line = stale->caches[i].bucket[b];
            while (line != NULL) {
                struct line *next = line->next;
                free(line);
                line = next;
            }
            stale->caches[i].bucket[b] = NULL;
        }
        stale->caches[i].held = NULL;
        stale->caches[i].reservations = (struct reservations){0};
    }
}

static void stale_begin(struct mem_system *mem)
{
    struct stale *stale = (struct stale *)mem;

    forget_all(stale);
    stale->under_way.next = &stale->under_way;
    stale->under_way.previous = &stale->under_way;
    stale->random = stale->seed;
    mem->counters = (struct mem_counters){0};
}

static void stale_destroy(struct mem_system *mem)
{
    struct stale *stale = (struct stale *)mem;

    stale_settle(mem);
    forget_all(stale);
    while (stale->free != NULL) {
        struct step *next = stale->free->next;
        free(stale->free);
        stale->free = next;
    }
    free(stale);
}

static struct mem_system *stale_create(const struct mem_parts *parts)
{
    struct stale *stale = calloc(1, sizeof(*stale));
    const char *seed = getenv("SLUICE_STALE_SEED");

    if (stale == NULL) {
        return NULL;
    }
    stale->base =
        (struct mem_system){.ops = &mem_stale, .line_bytes = LINE, .needs_byte_masks = true};
    stale->dram = *parts->dram;
    stale->event_queue = parts->event_queue;
    stale->seed = seed == NULL ? 1 : strtoull(seed, NULL, 10);
    stale_begin(&stale->base);
    return &stale->base;
}

const struct mem_ops mem_stale = {
    .name = "stale",
    .create = stale_create,
    .destroy = stale_destroy,
    .reset = stale_begin,
    .drain = stale_settle,
    .access = stale_access,
    .sync = stale_sync,
    .functional_read = stale_peek,
};
