/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The L1 caches of a compute unit: rL1, wL1 and S-FIFO1.
 *
 * Accesses come in the order in which they were handed in, so many per cycle. What goes to a line
 * that is under way waits for it, and takes its turn behind what was there before, so accesses to
 * one line keep their order; and wL1 never has bytes of a line that is under way, since they left
 * ahead of the read. */
#include "mem/systems/quickrelease/l1.h"

#include "engine/clock.h"
#include "sluice/config.h"

static uint32_t line_of(const struct mem_request *request)
{
    return (uint32_t)(request->address / LINE_BYTES);
}

/* Bytes must be those that all see. */
static bool is_strict(const struct mem_request *request)
{
    return request->atomic;
}

/* ---- effects ---- */

/* A load takes effect on bytes that are memory's, too, where it is strict; a store on bytes of wL1,
 * where nobody has a reservation. */
static void perform(struct qr_l1 *l1, struct mem_request *request, uint8_t *bytes)
{
    struct quickrelease *qr = l1->qr;
    const struct mem_place place = {bytes, request->kind == MEM_LOAD ? &qr->base.reservations
                                                                     : &qr->no_reservations};

    if (request->client->apply != NULL) {
        request->client->apply(request, &place, request->lanes);
    }
}

static void finish(struct qr_l1 *l1, struct mem_request *request, enum hit_level served,
                   uint64_t done_ps)
{
    qr_l1_counters(l1)->accesses++;
    qr_l1_counters(l1)->served[served]++;
    qr_record(l1->qr, request, served, done_ps);
    request->client->complete(request, done_ps);
}

static void serve_load(struct qr_l1 *l1, struct mem_request *request, uint8_t *bytes,
                       enum hit_level served, uint64_t done_ps)
{
    perform(l1, request, bytes);
    finish(l1, request, served, done_ps);
}

static void count_stale(struct qr_l1 *l1, const struct mem_request *request, const uint8_t *bytes)
{
    if (request->space == MEM_SHARED &&
        !qr_is_current(l1->qr, line_of(request), bytes, request->mask[0])) {
        l1->qr->base.counters.sync.stale_reads++;
    }
}

/* ---- accesses ---- */

static void take_mshr(struct qr_l1 *l1)
{
    uint64_t *most = &qr_l1_counters(l1)->mshrs_max;

    l1->fills_left--;
    *most = later(*most, l1->qr->fills - l1->fills_left);
}

/* Asks for a line that is not there, or whose bytes here are old: it leaves rL1 where it leaves
 * wL1. */
static bool begin_fill(struct qr_l1 *l1, struct mem_request *request, uint32_t index)
{
    const uint64_t leave_ps = qr_now_ps(l1->qr) + l1->tag_ps + l1->wl1.tag_ps;

    if (l1->fills_left == 0 || !write_cache_send_line(&l1->wl1, line_of(request), leave_ps)) {
        return false;
    }
    if (index == CACHE_NONE || l1->tags.tag[index] != line_of(request)) {
        index = qr_l1_make_way(l1, line_of(request));
        if (index == CACHE_NONE) {
            return false;
        }
    }
    l1->lines[index].is_written = false;
    mshr_entry_begin(&l1->lines[index].fill, request);
    take_mshr(l1);
    struct transaction *transaction = transaction_get(&l1->qr->transactions);
    transaction->kind = TRANSACTION_READ;
    transaction->request = is_strict(request) ? request : NULL;
    transaction->line = line_of(request);
    transaction->index = index;
    transaction->mask = request->mask[0];
    transaction->needs_coherent = is_strict(request);
    qr_l1_send(l1, transaction, false, leave_ps);
    cache_touch(&l1->tags, index);
    return true;
}

/* `index`: of the line in wL1. */
static bool load_from_write_cache(struct qr_l1 *l1, struct mem_request *request, uint32_t index)
{
    struct write_cache *cache = &l1->wl1;

    if (index == CACHE_NONE || is_strict(request) ||
        (request->mask[0] & ~cache->lines[index].mask) != 0) {
        return false;
    }
    cache->counters->reads++;
    cache->counters->read_hits++;
    qr_l1_counters(l1)->read_hits++;
    qr_l1_counters(l1)->read_after_write_hits++;
    serve_load(l1, request, write_cache_bytes(cache, index), HIT_L1,
               qr_now_ps(l1->qr) + l1->tag_ps + cache->hit_ps);
    return true;
}

static bool load(struct qr_l1 *l1, struct mem_request *request, uint32_t index)
{
    if (index != CACHE_NONE && !l1->lines[index].is_written) {
        qr_l1_counters(l1)->read_hits++;
        count_stale(l1, request, qr_l1_bytes(l1, index));
        cache_touch(&l1->tags, index);
        serve_load(l1, request, qr_l1_bytes(l1, index), HIT_L1, qr_now_ps(l1->qr) + l1->hit_ps);
        return true;
    }
    const uint32_t place = write_cache_find(&l1->wl1, line_of(request));
    if (load_from_write_cache(l1, request, place)) {
        return true;
    }
    if (!begin_fill(l1, request, index)) {
        return false;
    }
    l1->wl1.counters->reads++;
    l1->wl1.counters->partial += place != CACHE_NONE;
    return true;
}

static bool store(struct qr_l1 *l1, struct mem_request *request, uint32_t index)
{
    const struct write_note note = {
        .line = line_of(request),
        .wave = (uint32_t)request->wave,
        .mask = request->mask[0],
        .carries_none = request->space == MEM_SAVE,
    };
    const uint32_t place = write_cache_prepare(&l1->wl1, &note);

    if (place == CACHE_NONE) {
        return false;
    }
    perform(l1, request, write_cache_bytes(&l1->wl1, place));
    write_cache_note(&l1->wl1, place, &note);
    index = index == CACHE_NONE ? index : cache_find(&l1->tags, note.line);
    if (index != CACHE_NONE) {
        l1->lines[index].is_written = true;
    }
    finish(l1, request, HIT_L1, qr_now_ps(l1->qr) + l1->wl1.hit_ps);
    return true;
}

/* The access is done at the directory, behind the line's dirty bytes; what is here of it goes. */
static bool send_atomic(struct qr_l1 *l1, struct mem_request *request)
{
    const uint64_t leave_ps = qr_now_ps(l1->qr) + l1->tag_ps + l1->wl1.tag_ps;

    if (l1->fills_left == 0 || !write_cache_send_line(&l1->wl1, line_of(request), leave_ps) ||
        !write_cache_enqueue_atomic(&l1->wl1, (uint32_t)request->wave)) {
        return false;
    }
    (void)qr_l1_invalidate(l1, line_of(request));
    struct transaction *transaction = transaction_get(&l1->qr->transactions);
    transaction->kind = TRANSACTION_ATOMIC;
    transaction->request = request;
    transaction->line = line_of(request);
    transaction->mask = request->mask[0];
    take_mshr(l1);
    write_queue_add(&l1->writes, transaction);
    qr_l1_send(l1, transaction, true, leave_ps);
    return true;
}

/* An access to a line that is not under way. Returns false where it has to come again later. */
static bool look_up(struct qr_l1 *l1, struct mem_request *request, uint32_t index)
{
    if (request->kind == MEM_LOAD) {
        return load(l1, request, index);
    }
    if (request->kind == MEM_STORE && !request->atomic) {
        return store(l1, request, index);
    }
    return send_atomic(l1, request);
}

/* ---- in order ---- */

/* An access whose turn it is. */
static bool take_turn(struct access_queue *accesses, struct mem_request *request)
{
    struct qr_l1 *l1 = CONTAINER_OF(accesses, struct qr_l1, accesses);
    const uint32_t index = cache_find(&l1->tags, line_of(request));

    if (index != CACHE_NONE && l1->lines[index].fill.is_in_flight) {
        request_queue_put(&l1->lines[index].fill.waiting, request);
        return true;
    }
    return look_up(l1, request, index);
}

void qr_l1_resume(struct qr_l1 *l1)
{
    qr_l1_pass_released(l1);
    write_cache_resume(&l1->wl1);
    access_queue_wake(&l1->accesses);
}

/* ---- what comes back ---- */

/* Serves those that waited for a line, in order: loads with the answer, where it will do, up to the
 * first access that is none, and so many of them as waited before the line became old. What is
 * strict is not served with a line that is old. All others are looked up. */
static void serve_waiting(struct qr_l1 *l1, struct mem_request *request, struct transaction *answer,
                          bool is_stale, uint32_t fresh)
{
    while (request != NULL) {
        struct mem_request *const next = request->priv.next;
        const uint32_t index = cache_find(&l1->tags, answer->line);
        fresh = request->kind == MEM_LOAD ? fresh : 0;
        if (index != CACHE_NONE && l1->lines[index].fill.is_in_flight) {
            request_queue_put(&l1->lines[index].fill.waiting, request);
        } else if (fresh > 0 && (!is_stale || !is_strict(request)) &&
                   qr_answers(answer, request->mask[0], is_strict(request))) {
            if (answer->full_line) {
                count_stale(l1, request, answer->bytes);
            }
            serve_load(l1, request, answer->bytes, HIT_MERGED, qr_now_ps(l1->qr));
        } else if (!look_up(l1, request, index)) {
            request->priv.next = next;
            access_queue_unget(&l1->accesses, request);
            return;
        }
        fresh -= fresh > 0;
        request = next;
    }
}

/* The one that asked is served in any case; where it is strict, it has taken effect on its way. */
static void serve_first(struct qr_l1 *l1, struct mem_request *request, struct transaction *answer)
{
    const enum hit_level served = (enum hit_level)answer->hit_level;

    if (answer->request != NULL) {
        answer->request = NULL;
        finish(l1, request, served, qr_now_ps(l1->qr));
        return;
    }
    if (answer->full_line) {
        count_stale(l1, request, answer->bytes);
    }
    serve_load(l1, request, answer->bytes, served, qr_now_ps(l1->qr));
}

void qr_l1_filled(struct event *event)
{
    struct transaction *transaction = CONTAINER_OF(event, struct transaction, event);
    struct qr_l1 *l1 = transaction->owner;
    const struct mshr_entry fill = mshr_entry_end(&l1->lines[transaction->index].fill);
    struct mem_request *const waiting = fill.waiting.first->priv.next;
    const uint32_t bytes =
        transaction->full_line ? LINE_BYTES : line_bytes_count(transaction->valid);

    qr_l1_counters(l1)->bytes_in += bytes;
    qr_l1_counters(l1)->bytes_in_data += bytes;
    l1->lines[transaction->index].is_written = false;
    if (transaction->full_line && !fill.is_invalidated) {
        memcpy(qr_l1_bytes(l1, transaction->index), transaction->bytes, LINE_BYTES);
    } else {
        qr_l1_release_way(l1, transaction->index);
    }
    l1->fills_left++;
    serve_first(l1, fill.waiting.first, transaction);
    serve_waiting(l1, waiting, transaction, fill.is_invalidated, mshr_entry_served(&fill) - 1);
    transaction_put(&l1->qr->transactions, transaction);
    qr_l1_resume(l1);
}

void qr_l1_answered(struct event *event)
{
    struct transaction *transaction = CONTAINER_OF(event, struct transaction, event);
    struct qr_l1 *l1 = transaction->owner;
    struct mem_request *request = transaction->request;
    const enum hit_level served = (enum hit_level)transaction->hit_level;

    if (request->kind != MEM_STORE) {
        qr_l1_counters(l1)->bytes_in += line_bytes_count(transaction->mask);
        qr_l1_counters(l1)->bytes_in_data += line_bytes_count(transaction->mask);
    }
    transaction->request = NULL;
    l1->fills_left++;
    transaction_put(&l1->qr->transactions, transaction);
    finish(l1, request, served, qr_now_ps(l1->qr));
    qr_l1_resume(l1);
}

/* ---- life ---- */

bool qr_l1_create(struct qr_l1 *l1, struct quickrelease *qr, uint32_t node,
                  const struct sl_config *config)
{
    const uint32_t ways = (uint32_t)config->number[SL_CFG_L1D_WAYS];
    const uint32_t sets = (uint32_t)config->number[SL_CFG_L1D_SIZE] / (ways * LINE_BYTES);
    const int64_t cycles = config->number[SL_CFG_L1D_CYCLES];
    const uint64_t tag_cycles = cache_tag_cycles(config->number[SL_CFG_L1D_TAG_CYCLES], cycles);

    l1->qr = qr;
    l1->node = node;
    access_queue_init(&l1->accesses, config, qr->event_queue, &qr->clock, qr_l1_counters(l1),
                      take_turn);
    l1->hit_ps = (uint64_t)cycles * qr->clock.ps;
    l1->tag_ps = tag_cycles * qr->clock.ps;
    l1->wl1.ops = &qr_wl1_ops;
    l1->wl1.owner = l1;
    l1->wl1.event_queue = qr->event_queue;
    if (!cache_create(&l1->tags, sets, ways) ||
        !write_queue_create(&l1->writes, (uint32_t)config->number[SL_CFG_L1D_WRITES]) ||
        !write_cache_create(&l1->wl1, 0, config, &qr->base.counters)) {
        return false;
    }
    l1->lines = calloc(cache_size(&l1->tags), sizeof(*l1->lines));
    l1->bytes = calloc(cache_size(&l1->tags), LINE_BYTES);
    return l1->lines != NULL && l1->bytes != NULL;
}

void qr_l1_destroy(struct qr_l1 *l1)
{
    cache_destroy(&l1->tags);
    write_cache_destroy(&l1->wl1);
    free(l1->lines);
    free(l1->bytes);
    free(l1->writes.ends.until_ps);
}

void qr_l1_reset(struct qr_l1 *l1)
{
    access_queue_reset(&l1->accesses);
    cache_reset(&l1->tags);
    memset(l1->lines, 0, cache_size(&l1->tags) * sizeof(*l1->lines));
    write_cache_reset(&l1->wl1);
    write_queue_reset(&l1->writes);
    l1->marked = 0;
    l1->markers_sent = 0;
    l1->markers_done = 0;
    l1->coalesced_releases = (struct request_queue){0};
    memset(l1->turn_ps, 0, sizeof(l1->turn_ps));
    l1->fills_left = l1->qr->fills;
}
