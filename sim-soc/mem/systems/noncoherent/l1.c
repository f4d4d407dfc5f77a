/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* L1 caches that hold bytes: accesses, misses, what is under way. */
#include <stdlib.h>

#include "mem/systems/noncoherent/l1.h"
#include "sluice/config.h"

/* ---- effects ---- */

/* The access takes effect on these bytes. */
static void perform(struct mem_request *request, uint8_t *bytes, struct reservations *reservations)
{
    const struct mem_place place = {bytes, reservations};

    if (request->client->apply != NULL) {
        request->client->apply(request, &place, request->lanes);
    }
}

static void finish(struct noncoherent_l1 *l1, struct mem_request *request, enum hit_level served,
                   uint64_t done_ps)
{
    struct l1_counters *counters = &l1->system->base.counters.l1[L1D];

    counters->accesses++;
    counters->served[served]++;
    noncoherent_record(l1->system, request, served, done_ps);
    request->client->complete(request, done_ps);
}

/* A load's bytes are others than those at the point of coherence. What its own compute unit has
 * written is newer, not older, also when it has left and is on its way there. */
static void count_stale(struct noncoherent_l1 *l1, const struct mem_request *request,
                        uint32_t index)
{
    struct noncoherent *system = l1->system;
    const uint32_t line = noncoherent_line_of(request);
    const uint8_t *const bytes = noncoherent_l1_bytes(l1, index);
    const uint8_t *const memory = noncoherent_memory(system, line);
    const uint64_t clean = request->mask[0] & ~l1->lines[index].dirty;

    if (request->space == MEM_SHARED && !line_bytes_are_equal(bytes, memory, clean) &&
        !line_bytes_are_equal(bytes, memory, clean & ~write_queue_mask(&l1->writes, line))) {
        system->base.counters.sync.stale_reads++;
    }
}

/* ---- accesses ---- */

/* A transaction is back, with a line, or with what was done below. */
static void filled(struct event *event);
static void answered(struct event *event);

static void take_mshr(struct noncoherent_l1 *l1)
{
    uint64_t *most = &l1->system->base.counters.l1[L1D].mshrs_max;

    l1->fills_left--;
    *most = later(*most, l1->fills - l1->fills_left);
}

/* Asks for a line that is not there, or not all of it. */
static bool begin_fill(struct noncoherent_l1 *l1, struct mem_request *request, uint32_t index)
{
    struct transaction *transaction;

    if (l1->fills_left == 0) {
        return false;
    }
    if (index == CACHE_NONE) {
        index = noncoherent_l1_make_way(l1, noncoherent_line_of(request));
        if (index == CACHE_NONE) {
            return false;
        }
    }
    mshr_entry_begin(&l1->lines[index].fill, request);
    take_mshr(l1);
    transaction = transaction_get(&l1->system->transactions);
    transaction->line = noncoherent_line_of(request);
    transaction->index = index;
    transaction->mask = LINE_ALL_BYTES;
    transaction->on_arrive = filled;
    noncoherent_send_fill(l1, transaction,
                          noncoherent_l1_leave(l1, noncoherent_l1_now_ps(l1) + l1->tag_ps));
    cache_touch(&l1->tags, index);
    return true;
}

/* The access is done further down, behind the line's dirty bytes; what is there of the line goes.
 */
static bool send_below(struct noncoherent_l1 *l1, struct mem_request *request, uint32_t index)
{
    if (l1->fills_left == 0) {
        return false;
    }
    if (index != CACHE_NONE) {
        if (l1->lines[index].dirty != 0) {
            if (!noncoherent_l1_has_room(l1)) {
                return false;
            }
            noncoherent_l1_send_dirty(l1, index, l1->lines[index].dirty,
                                      noncoherent_l1_now_ps(l1) + l1->tag_ps);
        }
        noncoherent_l1_release_way(l1, index);
    }
    struct transaction *transaction = transaction_get(&l1->system->transactions);
    transaction->line = noncoherent_line_of(request);
    transaction->mask = request->mask[0];
    transaction->request = request;
    transaction->on_arrive = answered;
    take_mshr(l1);
    noncoherent_send_below(l1, transaction,
                           noncoherent_l1_leave(l1, noncoherent_l1_now_ps(l1) + l1->tag_ps));
    return true;
}

static bool store_through(struct noncoherent_l1 *l1, struct mem_request *request, uint32_t index)
{
    if (!noncoherent_l1_has_room(l1)) {
        return false;
    }
    struct transaction *transaction = transaction_get(&l1->system->transactions);
    transaction->line = noncoherent_line_of(request);
    transaction->mask = request->mask[0];
    transaction->timing_only = request->space == MEM_SAVE;
    if (index != CACHE_NONE) {
        perform(request, noncoherent_l1_bytes(l1, index), &l1->reservations);
        line_bytes_merge(transaction->bytes, noncoherent_l1_bytes(l1, index), transaction->mask);
        l1->lines[index].is_written = true;
        cache_touch(&l1->tags, index);
    } else {
        perform(request, transaction->bytes, &l1->reservations);
    }
    noncoherent_l1_send_write(l1, transaction, request->space == MEM_PRIVATE,
                              noncoherent_l1_now_ps(l1) + l1->tag_ps);
    finish(l1, request, index != CACHE_NONE ? HIT_L1 : HIT_L2,
           noncoherent_l1_now_ps(l1) + l1->hit_ps);
    return true;
}

static bool store_combining(struct noncoherent_l1 *l1, struct mem_request *request, uint32_t index)
{
    if (index == CACHE_NONE) {
        index = noncoherent_l1_make_way(l1, noncoherent_line_of(request));
        if (index == CACHE_NONE) {
            return false;
        }
    }
    perform(request, noncoherent_l1_bytes(l1, index), &l1->reservations);
    noncoherent_l1_write_into(l1, request, index);
    cache_touch(&l1->tags, index);
    finish(l1, request, HIT_L1, noncoherent_l1_now_ps(l1) + l1->hit_ps);
    return true;
}

/* The bytes are valid. */
static void serve(struct noncoherent_l1 *l1, struct mem_request *request, uint32_t index,
                  enum hit_level served, uint64_t done_ps)
{
    struct l1_counters *counters = &l1->system->base.counters.l1[L1D];

    if (request->kind == MEM_LOAD) {
        count_stale(l1, request, index);
        counters->read_hits += served == HIT_L1;
        counters->read_after_write_hits += served == HIT_L1 && l1->lines[index].is_written;
    }
    perform(request, noncoherent_l1_bytes(l1, index), &l1->reservations);
    if (mem_kind_counted(request->kind) == MEM_ATOMIC) {
        noncoherent_l1_write_into(l1, request, index);
    }
    cache_touch(&l1->tags, index);
    finish(l1, request, served, done_ps);
}

/* An access to a line that is not under way. A load whose set has no way that it could take, since
 * their lines are under way, goes past the cache. Returns false where it has to come again later.
 */
static bool look_up(struct noncoherent_l1 *l1, struct mem_request *request, uint32_t index)
{
    const uint64_t mask = request->mask[0];

    if (l1->system->policy->where(request) == SERVICE_BELOW) {
        return send_below(l1, request, index);
    }
    if (request->kind == MEM_STORE) {
        return l1->system->policy->combines ? store_combining(l1, request, index)
                                            : store_through(l1, request, index);
    }
    if (index != CACHE_NONE && (l1->lines[index].valid & mask) == mask) {
        serve(l1, request, index, HIT_L1, noncoherent_l1_now_ps(l1) + l1->hit_ps);
        return true;
    }
    if (begin_fill(l1, request, index)) {
        return true;
    }
    return index == CACHE_NONE && request->kind == MEM_LOAD &&
           l1->lines[cache_victim(&l1->tags, noncoherent_line_of(request))].fill.is_in_flight &&
           send_below(l1, request, CACHE_NONE);
}

/* ---- in order ---- */

/* An access whose turn it is. */
static bool take_turn(struct access_queue *accesses, struct mem_request *request)
{
    struct noncoherent_l1 *l1 = CONTAINER_OF(accesses, struct noncoherent_l1, accesses);
    const uint32_t index = cache_find(&l1->tags, noncoherent_line_of(request));

    if (index != CACHE_NONE && l1->lines[index].fill.is_in_flight) {
        request_queue_put(&l1->lines[index].fill.waiting, request);
        return true;
    }
    return look_up(l1, request, index);
}

/* ---- what comes back ---- */

/* One that waited for a line. Returns false where it has to come again later. */
static bool serve_one(struct noncoherent_l1 *l1, struct mem_request *request, uint32_t index,
                      enum hit_level served, bool is_fresh)
{
    if (index != CACHE_NONE && l1->lines[index].fill.is_in_flight) {
        request_queue_put(&l1->lines[index].fill.waiting, request);
        return true;
    }
    if (is_fresh && index != CACHE_NONE && request->kind != MEM_STORE &&
        l1->system->policy->where(request) == SERVICE_L1) {
        serve(l1, request, index, served, noncoherent_l1_now_ps(l1));
        return true;
    }
    return look_up(l1, request, index);
}

/* Serves those that waited for a line, in order, `fresh` of them with the bytes that have come to
 * its way, which it may lose meanwhile. The others find them old, and the first of them asks for
 * the line anew. */
static void serve_waiting(struct noncoherent_l1 *l1, struct mem_request *request, uint32_t line,
                          uint32_t way, enum hit_level served, uint32_t fresh)
{
    while (request != NULL) {
        struct mem_request *const next = request->priv.next;
        const uint32_t index = l1->tags.tag[way] == line ? way : cache_find(&l1->tags, line);
        if (fresh == 0 && index != CACHE_NONE && !l1->lines[index].fill.is_in_flight) {
            l1->lines[index].valid = l1->lines[index].dirty;
        }
        if (!serve_one(l1, request, index, served, fresh > 0)) {
            access_queue_unget(&l1->accesses, request);
            return;
        }
        fresh -= fresh > 0;
        served = HIT_MERGED;
        request = next;
    }
}

static void filled(struct event *event)
{
    struct transaction *transaction = CONTAINER_OF(event, struct transaction, event);
    struct noncoherent_l1 *l1 = transaction->owner;
    struct noncoherent_line *line = &l1->lines[transaction->index];
    struct l1_counters *counters = &l1->system->base.counters.l1[L1D];
    const uint32_t index = transaction->index;
    const uint32_t number = transaction->line;
    const enum hit_level served = (enum hit_level)transaction->hit_level;

    /* What was valid stays: bytes that were flushed meanwhile may be older in the transaction. */
    line_bytes_merge(noncoherent_l1_bytes(l1, index), transaction->bytes, ~line->valid);
    line->valid = LINE_ALL_BYTES;
    line->is_written = line->dirty != 0;
    counters->bytes_in += LINE_BYTES;
    counters->bytes_in_data += LINE_BYTES;
    l1->fills_left++;
    transaction_put(&l1->system->transactions, transaction);

    const struct mshr_entry fill = mshr_entry_end(&line->fill);
    serve_waiting(l1, fill.waiting.first, number, index, served, mshr_entry_served(&fill));
    if (fill.is_invalidated && l1->tags.tag[index] == number && !line->fill.is_in_flight) {
        line->valid = line->dirty;
        if (line->valid == 0) {
            noncoherent_l1_release_way(l1, index);
        }
    }
    access_queue_wake(&l1->accesses);
}

static void answered(struct event *event)
{
    struct transaction *transaction = CONTAINER_OF(event, struct transaction, event);
    struct noncoherent_l1 *l1 = transaction->owner;
    struct mem_request *request = transaction->request;
    const enum hit_level served = (enum hit_level)transaction->hit_level;

    transaction->request = NULL;
    l1->fills_left++;
    transaction_put(&l1->system->transactions, transaction);
    finish(l1, request, served, noncoherent_l1_now_ps(l1));
    access_queue_wake(&l1->accesses);
}

/* ---- life ---- */

bool noncoherent_l1_create(struct noncoherent_l1 *l1, struct noncoherent *system, uint32_t node,
                           const struct sl_config *config)
{
    const uint32_t ways = (uint32_t)config->number[SL_CFG_L1D_WAYS];
    const uint32_t sets = (uint32_t)config->number[SL_CFG_L1D_SIZE] / (ways * LINE_BYTES);
    const int64_t cycles = config->number[SL_CFG_L1D_CYCLES];
    const uint64_t tag_cycles = cache_tag_cycles(config->number[SL_CFG_L1D_TAG_CYCLES], cycles);

    l1->system = system;
    l1->node = node;
    access_queue_init(&l1->accesses, config, system->event_queue, &system->clock,
                      &system->base.counters.l1[L1D], take_turn);
    l1->hit_ps = (uint64_t)cycles * l1->accesses.cycle_ps;
    l1->tag_ps = tag_cycles * l1->accesses.cycle_ps;
    l1->fills = (uint32_t)config->number[SL_CFG_L1D_MSHRS];
    if (!cache_create(&l1->tags, sets, ways) ||
        !write_queue_create(&l1->writes, (uint32_t)config->number[SL_CFG_L1D_WRITES])) {
        return false;
    }
    l1->lines = calloc(cache_size(&l1->tags), sizeof(*l1->lines));
    l1->bytes = calloc(cache_size(&l1->tags), LINE_BYTES);
    if (system->by_wavefront) {
        l1->writer = calloc((size_t)cache_size(&l1->tags) * LINE_BYTES, sizeof(*l1->writer));
    }
    return l1->lines != NULL && l1->bytes != NULL && (l1->writer != NULL || !system->by_wavefront);
}

void noncoherent_l1_destroy(struct noncoherent_l1 *l1)
{
    cache_destroy(&l1->tags);
    free(l1->lines);
    free(l1->bytes);
    free(l1->writer);
    free(l1->writes.ends.until_ps);
}

void noncoherent_l1_reset(struct noncoherent_l1 *l1)
{
    access_queue_reset(&l1->accesses);
    cache_reset(&l1->tags);
    memset(l1->lines, 0, cache_size(&l1->tags) * sizeof(*l1->lines));
    write_queue_reset(&l1->writes);
    l1->fills_left = l1->fills;
    l1->leaves_ps = 0;
    l1->private_ps = 0;
}
