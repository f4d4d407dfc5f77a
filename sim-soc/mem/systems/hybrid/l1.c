/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* L1 caches of memory system `hybrid`: accesses, misses, what comes back. */
#include "mem/systems/hybrid/hybrid.h"

#include <stdlib.h>

#include "sluice/config.h"

static struct l1_counters *counters_of(struct hybrid_l1 *l1)
{
    return &l1->hybrid->base.counters.l1[L1D];
}

static uint64_t now_of(const struct hybrid_l1 *l1)
{
    return hybrid_now_ps(l1->hybrid);
}

static uint32_t bytes_of(const struct hybrid_transaction *transaction)
{
    return (uint32_t)__builtin_popcount(transaction->sectors) *
           transaction->l1->hybrid->sector_bytes;
}

/* ---- effects ---- */

static void perform(struct hybrid_l1 *l1, struct mem_request *request, uint8_t *bytes)
{
    const struct mem_place place = {bytes, &l1->hybrid->no_reservations};

    if (request->client->apply != NULL) {
        request->client->apply(request, &place, request->lanes);
    }
}

/* The bytes of a line that its compute unit has on the way to the L2. */
static void mask_stores(const struct hybrid_l1 *l1, uint32_t line, uint64_t mask[2])
{
    for (const struct hybrid_transaction *transaction = hybrid_store_to(l1->stores.first, line);
         transaction != NULL; transaction = hybrid_store_to(transaction->next, line)) {
        mask[0] |= transaction->mask[0];
        mask[1] |= transaction->mask[1];
    }
}

static bool are_equal(const struct hybrid *hybrid, const uint8_t *a, const uint8_t *b,
                      const uint64_t mask[2])
{
    return (mask[0] == 0 || line_bytes_are_equal(a, b, mask[0])) &&
           (hybrid->line_bytes == LINE_BYTES || mask[1] == 0 ||
            line_bytes_are_equal(a + LINE_BYTES, b + LINE_BYTES, mask[1]));
}

/* A load's bytes are others than those at the point of coherence. What its own compute unit has
 * written is newer, not older, also when it is on its way there. */
static void count_stale(struct hybrid_l1 *l1, const struct mem_request *request,
                        const uint8_t *bytes)
{
    struct hybrid *hybrid = l1->hybrid;
    const uint32_t line = hybrid_line_of(hybrid, request);
    const uint8_t *memory = hybrid_memory(hybrid, line);

    if (request->space != MEM_SHARED || are_equal(hybrid, bytes, memory, request->mask)) {
        return;
    }
    uint64_t own[2] = {0};
    mask_stores(l1, line, own);
    const uint64_t others[2] = {request->mask[0] & ~own[0], request->mask[1] & ~own[1]};
    hybrid->base.counters.sync.stale_reads += !are_equal(hybrid, bytes, memory, others);
}

/* Whether an access is of an instruction that allocates nothing was known when it was handed in. */
static void finish(struct hybrid_l1 *l1, struct mem_request *request, enum hit_level served,
                   uint64_t done_ps)
{
    struct l1_counters *counters = counters_of(l1);

    counters->accesses++;
    counters->served[served]++;
    counters->bypassed += request->priv.number;
    hybrid_record(l1->hybrid, request, served, done_ps);
    request->client->complete(request, done_ps);
}

/* ---- misses that are under way ---- */

static struct hybrid_transaction *find_miss(const struct hybrid_misses *misses, uint32_t line)
{
    for (uint32_t i = 0; i < misses->count; i++) {
        if (misses->line[i] == line) {
            return misses->transaction[i];
        }
    }
    return NULL;
}

static void add_miss(struct hybrid_misses *misses, struct hybrid_transaction *transaction)
{
    misses->line[misses->count] = transaction->line;
    misses->transaction[misses->count++] = transaction;
}

static void remove_miss(struct hybrid_misses *misses, const struct hybrid_transaction *transaction)
{
    uint32_t at = 0;

    while (misses->transaction[at] != transaction) {
        at++;
    }
    misses->count--;
    misses->line[at] = misses->line[misses->count];
    misses->transaction[at] = misses->transaction[misses->count];
}

static void take_mshr(struct hybrid_l1 *l1)
{
    uint64_t *most = &counters_of(l1)->mshrs_max;

    l1->misses_left--;
    *most = later(*most, l1->hybrid->misses - l1->misses_left);
}

/* ---- accesses ---- */

static void hit(struct hybrid_l1 *l1, struct mem_request *request, uint32_t index)
{
    struct l1_counters *counters = counters_of(l1);

    counters->read_hits++;
    counters->read_after_write_hits += l1->is_written[index];
    count_stale(l1, request, hybrid_l1_bytes(l1, index));
    perform(l1, request, hybrid_l1_bytes(l1, index));
    cache_touch(&l1->tags, index);
    finish(l1, request, HIT_L1, now_of(l1) + l1->hybrid->hit_ps);
}

/* The line is asked for; by an instruction that contends, only what it touches of it. */
static bool miss(struct hybrid_l1 *l1, struct mem_request *request)
{
    struct hybrid *hybrid = l1->hybrid;

    if (l1->misses_left == 0) {
        return false;
    }
    struct hybrid_transaction *transaction =
        hybrid_transaction_get(l1, hybrid_line_of(hybrid, request), HYBRID_MISS);
    transaction->allocates = request->priv.number == 0;
    transaction->sectors =
        (uint8_t)(transaction->allocates ? hybrid->all_sectors
                                         : hybrid_sectors_of(hybrid, request->mask));
    mshr_entry_begin(&transaction->fill, request);
    add_miss(&l1->misses, transaction);
    take_mshr(l1);
    hybrid_leave(transaction, now_of(l1) + hybrid->tag_ps);
    return true;
}

static struct hybrid_transaction *take_for(struct hybrid_l1 *l1, struct mem_request *request,
                                           enum hybrid_transaction_kind kind)
{
    struct hybrid_transaction *transaction =
        hybrid_transaction_get(l1, hybrid_line_of(l1->hybrid, request), kind);

    transaction->request = request;
    transaction->mask[0] = request->mask[0];
    transaction->mask[1] = request->mask[1];
    transaction->sectors = (uint8_t)hybrid_sectors_of(l1->hybrid, request->mask);
    if (request->kind != MEM_LOAD) {
        counters_of(l1)->bytes_out += bytes_of(transaction);
    }
    return transaction;
}

/* Its bytes go to the line, where it is there, and on to the L2. */
static bool store(struct hybrid_l1 *l1, struct mem_request *request, uint32_t index)
{
    if (l1->stores_left == 0) {
        return false;
    }
    struct hybrid_transaction *transaction = take_for(l1, request, HYBRID_STORE);
    transaction->timing_only = request->space == MEM_SAVE;
    transaction->hit_level = index != CACHE_NONE ? HIT_L1 : HIT_L2;
    if (index != CACHE_NONE) {
        perform(l1, request, hybrid_l1_bytes(l1, index));
        hybrid_merge(transaction->bytes, hybrid_l1_bytes(l1, index), transaction->mask);
        l1->is_written[index] = true;
        counters_of(l1)->updates++;
        cache_touch(&l1->tags, index);
    } else {
        perform(l1, request, transaction->bytes);
    }
    hybrid_list_put(&l1->stores, transaction);
    l1->stores_left--;
    hybrid_leave(transaction, now_of(l1) + l1->hybrid->tag_ps);
    return true;
}

/* A coherent operation is done at the L2; the line goes. */
static bool operate(struct hybrid_l1 *l1, struct mem_request *request, uint32_t index)
{
    if (l1->misses_left == 0) {
        return false;
    }
    if (index != CACHE_NONE) {
        hybrid_l1_lose(l1, index);
    }
    take_mshr(l1);
    hybrid_leave(take_for(l1, request, HYBRID_ATOMIC), now_of(l1) + l1->hybrid->tag_ps);
    return true;
}

/* Returns false where it has to come again later. */
static bool look_up(struct hybrid_l1 *l1, struct mem_request *request)
{
    const uint32_t line = hybrid_line_of(l1->hybrid, request);
    const uint32_t index = cache_find(&l1->tags, line);

    if (index == CACHE_NONE) {
        struct hybrid_transaction *inflight = find_miss(&l1->misses, line);
        if (inflight != NULL) {
            request_queue_put(&inflight->fill.waiting, request);
            return true;
        }
    }
    if (hybrid_is_atomic(request)) {
        return operate(l1, request, index);
    }
    if (request->kind == MEM_STORE) {
        return store(l1, request, index);
    }
    if (index == CACHE_NONE) {
        return miss(l1, request);
    }
    hit(l1, request, index);
    return true;
}

static bool take_turn(struct access_queue *accesses, struct mem_request *request)
{
    return look_up(CONTAINER_OF(accesses, struct hybrid_l1, accesses), request);
}

/* ---- what comes back ---- */

static bool is_served_by(const struct hybrid_transaction *transaction,
                         const struct mem_request *request)
{
    return request->kind == MEM_LOAD && !hybrid_is_atomic(request) &&
           (hybrid_sectors_of(transaction->l1->hybrid, request->mask) &
            ~(uint32_t)transaction->sectors) == 0;
}

/* Serves those that waited for a miss, in order: loads with what has come, up to the first access
 * that it will not do for, and so many of them as waited before it became old. All others are
 * looked up. */
static void serve_waiting(struct hybrid_l1 *l1, struct hybrid_transaction *transaction,
                          const struct mshr_entry *fill)
{
    struct mem_request *request = fill->waiting.first;
    uint32_t fresh = mshr_entry_served(fill);
    enum hit_level served = (enum hit_level)transaction->hit_level;

    while (request != NULL) {
        struct mem_request *const next = request->priv.next;
        if (fresh > 0 && is_served_by(transaction, request)) {
            fresh--;
            count_stale(l1, request, transaction->bytes);
            perform(l1, request, transaction->bytes);
            finish(l1, request, served, now_of(l1));
        } else {
            fresh = 0;
            if (!look_up(l1, request)) {
                request->priv.next = next;
                access_queue_unget(&l1->accesses, request);
                return;
            }
        }
        served = HIT_MERGED;
        request = next;
    }
}

static void filled(struct event *event)
{
    struct hybrid_transaction *transaction = CONTAINER_OF(event, struct hybrid_transaction, event);
    struct hybrid_l1 *l1 = transaction->l1;
    const struct mshr_entry fill = mshr_entry_end(&transaction->fill);

    counters_of(l1)->bytes_in += bytes_of(transaction);
    counters_of(l1)->bytes_in_data += bytes_of(transaction);
    remove_miss(&l1->misses, transaction);
    l1->misses_left++;
    if (l1->hybrid->trackers.count != 0) {
        inflight_table_remove(&l1->hybrid->inflight, transaction);
    }
    if (transaction->allocates && !fill.is_invalidated) {
        hybrid_l1_keep(l1, transaction);
    }
    serve_waiting(l1, transaction, &fill);
    hybrid_transaction_put(transaction);
    access_queue_wake(&l1->accesses);
}

static void answered(struct event *event)
{
    struct hybrid_transaction *transaction = CONTAINER_OF(event, struct hybrid_transaction, event);
    struct hybrid_l1 *l1 = transaction->l1;
    struct mem_request *request = transaction->request;
    const enum hit_level served = (enum hit_level)transaction->hit_level;

    if (request->kind != MEM_STORE) {
        counters_of(l1)->bytes_in += bytes_of(transaction);
        counters_of(l1)->bytes_in_data += bytes_of(transaction);
    }
    l1->misses_left++;
    hybrid_transaction_put(transaction);
    finish(l1, request, served, now_of(l1));
    access_queue_wake(&l1->accesses);
}

static void stored(struct hybrid_transaction *transaction, uint64_t done_ps)
{
    struct hybrid_l1 *l1 = transaction->l1;
    struct mem_request *request = transaction->request;
    const enum hit_level served = (enum hit_level)transaction->hit_level;

    hybrid_list_remove(&l1->stores, transaction);
    l1->stores_left++;
    hybrid_transaction_put(transaction);
    finish(l1, request, served, done_ps);
    access_queue_wake(&l1->accesses);
}

const struct hybrid_l1_ops hybrid_l1_ops = {filled, answered, stored};

/* ---- life ---- */

bool hybrid_l1_create(struct hybrid_l1 *l1, struct hybrid *hybrid, uint32_t node,
                      const struct sl_config *config)
{
    const uint32_t ways = (uint32_t)config->number[SL_CFG_L1D_WAYS];

    l1->hybrid = hybrid;
    l1->node = node;
    access_queue_init(&l1->accesses, config, hybrid->event_queue, &hybrid->clock,
                      &hybrid->base.counters.l1[L1D], take_turn);
    if (!cache_create(&l1->tags, hybrid->l1_lines / ways, ways)) {
        return false;
    }
    l1->bytes = calloc(cache_size(&l1->tags), hybrid->line_bytes);
    l1->is_written = calloc(cache_size(&l1->tags), sizeof(*l1->is_written));
    l1->misses.line = calloc(hybrid->misses, sizeof(*l1->misses.line));
    l1->misses.transaction = calloc(hybrid->misses, sizeof(*l1->misses.transaction));
    return l1->bytes != NULL && l1->is_written != NULL && l1->misses.line != NULL &&
           l1->misses.transaction != NULL;
}

void hybrid_l1_destroy(struct hybrid_l1 *l1)
{
    cache_destroy(&l1->tags);
    free(l1->bytes);
    free(l1->is_written);
    free(l1->misses.line);
    free(l1->misses.transaction);
}

void hybrid_l1_reset(struct hybrid_l1 *l1)
{
    access_queue_reset(&l1->accesses);
    cache_reset(&l1->tags);
    calendar_reset(&l1->other, &l1->hybrid->clock, 0);
    l1->valid_lines = 0;
    l1->misses.count = 0;
    l1->stores = (struct hybrid_list){0};
    l1->misses_left = l1->hybrid->misses;
    l1->stores_left = l1->hybrid->stores;
    l1->waves = 0;
    hybrid_l1_reside(l1, 0);
}
