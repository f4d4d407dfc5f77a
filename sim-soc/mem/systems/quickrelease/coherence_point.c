/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The directory, where compute units and aggregator meet: wL3 and S-FIFO3, memory behind them,
 * atomics, and the ends of releases.
 *
 * The bytes of memory are DRAM's. Each bank takes the messages of its L2 bank in their order, one a
 * cycle, as long as there is a place for a line on its way to DRAM: that is how memory that is
 * short of bandwidth holds back who writes to it. */
#include "mem/systems/quickrelease/quickrelease.h"

#include "engine/clock.h"

/* ---- wL3 ---- */

static uint64_t room_ps(struct write_cache *cache)
{
    return mshrs_free_ps(&((struct quickrelease *)cache->owner)->buffer);
}

/* Bytes become visible to all. */
static void evict(struct write_cache *cache, uint32_t index, uint64_t time_ps)
{
    struct quickrelease *qr = cache->owner;
    struct transaction transaction;

    write_cache_take(cache, index, &transaction);
    if (!transaction.timing_only) {
        line_bytes_merge(qr_memory(qr, transaction.line), transaction.bytes, transaction.mask);
        reservation_write(&qr->base.reservations, (uint64_t)transaction.line * LINE_BYTES);
    }
    coherent_caches_invalidate(&qr->coherent, transaction.line);
    (void)qr_write_memory(qr, transaction.line, time_ps);
}

static void tell_released(struct quickrelease *qr, struct mem_request *release, uint64_t over_ps)
{
    const uint64_t end_ps = later(over_ps, release->time_ps);

    qr->base.counters.sync.release_wait_ps += end_ps - release->time_ps;
    release->client->complete(release, end_ps);
}

/* A release is through: an acknowledgement goes to its wavefront, and to those that wait for it. */
static void passed(struct write_cache *cache, struct mem_request *release)
{
    struct quickrelease *qr = cache->owner;
    struct qr_l1 *l1 = &qr->l1s[release->from.index];
    const struct interconnect *net = qr->net;
    const uint64_t over_ps = later(qr->written_ps, qr_now_ps(qr)) + qr->link_ps +
                             net->ops->latency(net, qr_bank_node(qr, 0), release->from.index);

    l1->markers_done++;
    tell_released(qr, release, over_ps);
    while (l1->coalesced_releases.first != NULL &&
           l1->coalesced_releases.first->priv.number <= l1->markers_done) {
        tell_released(qr, request_queue_take(&l1->coalesced_releases), over_ps);
    }
}

static const struct write_cache_ops ops = {room_ps, evict, passed};

/* ---- messages of the L2 ---- */

/* An answer leaves the directory at a time; it takes a slot of its L2 bank. */
static void answer(struct quickrelease *qr, struct transaction *transaction, bool has_line,
                   uint64_t time_ps)
{
    struct qr_bank *bank = qr_bank(qr, transaction->line);
    const uint64_t now_ps = qr_now_ps(qr);
    uint64_t first;
    const uint64_t last = calendar_take_parts(&bank->up, sim_clock_after(&qr->clock, time_ps),
                                              now_ps, has_line ? qr->net->line_parts : 1, &first);
    const uint64_t there_ps = last * qr->clock.ps + qr->link_ps;

    transaction->event = (struct event){.run = qr_l2_filled, .rank = EVENT_MEMORY};
    event_queue_insert_at(qr->event_queue, &transaction->event,
                          calendar_take(&bank->port, there_ps, now_ps));
}

/* Memory is read at a time; a cache that is kept coherent may have the newest copy. */
static uint64_t read_line(struct quickrelease *qr, struct transaction *transaction,
                          uint64_t time_ps)
{
    const uint64_t owned_ps =
        coherent_caches_flush_owner(&qr->coherent, transaction->line, time_ps);

    transaction->hit_level = owned_ps != 0 ? HIT_OTHER_L1 : HIT_DRAM;
    return owned_ps != 0 ? owned_ps : qr_read_memory(qr, transaction->line, time_ps);
}

static bool take_read(struct quickrelease *qr, struct transaction *transaction)
{
    const uint64_t now_ps = qr_now_ps(qr);
    const uint64_t known_ps = now_ps + qr->wl3.tag_ps;
    const uint32_t place = write_cache_find(&qr->wl3, transaction->line);
    struct mem_counters *counters = &qr->base.counters;

    if (place != CACHE_NONE && !transaction->needs_coherent &&
        (transaction->mask & ~qr->wl3.lines[place].mask) == 0) {
        qr->wl3.counters->reads++;
        qr->wl3.counters->read_hits++;
        memcpy(transaction->bytes, write_cache_bytes(&qr->wl3, place), LINE_BYTES);
        transaction->full_line = false;
        transaction->valid = qr->wl3.lines[place].mask;
        transaction->hit_level = HIT_DRAM;
        counters->directory.bytes_out += line_bytes_count(transaction->valid);
        answer(qr, transaction, true, now_ps + qr->wl3.hit_ps);
        return true;
    }
    if (!write_cache_send_line(&qr->wl3, transaction->line, known_ps)) {
        return false;
    }
    qr->wl3.counters->reads++;
    qr->wl3.counters->partial += place != CACHE_NONE;
    memcpy(transaction->bytes, qr_memory(qr, transaction->line), LINE_BYTES);
    transaction->full_line = true;
    qr_perform_read(qr, transaction);
    counters->directory.bytes_out += LINE_BYTES;
    answer(qr, transaction, true, read_line(qr, transaction, known_ps));
    return true;
}

/* Its bytes may have become nobody's. */
static bool take_write(struct quickrelease *qr, struct transaction *transaction)
{
    if (transaction->mask != 0 && !write_cache_put(&qr->wl3, transaction)) {
        return false;
    }
    write_queue_remove(&qr->writes, transaction, qr_now_ps(qr));
    transaction_put(&qr->evictions, transaction);
    qr_l2_resume(qr);
    return true;
}

/* It is done on the bytes of memory, behind those of its line that were ahead of it. */
static bool take_atomic(struct quickrelease *qr, struct transaction *transaction)
{
    const struct mem_place place = {qr_memory(qr, transaction->line), &qr->base.reservations};
    struct mem_request *request = transaction->request;
    uint64_t ready_ps = qr_now_ps(qr) + qr->wl3.tag_ps;

    if (!write_cache_send_line(&qr->wl3, transaction->line, ready_ps)) {
        return false;
    }
    transaction->hit_level = HIT_DRAM;
    if (request->kind != MEM_STORE) {
        ready_ps = read_line(qr, transaction, ready_ps);
        qr->base.counters.directory.bytes_out += line_bytes_count(transaction->mask);
    }
    if (request->client->apply != NULL) {
        request->client->apply(request, &place, request->lanes);
    }
    if (!request->wrote_nothing) {
        coherent_caches_invalidate(&qr->coherent, transaction->line);
        (void)qr_write_memory(qr, transaction->line, ready_ps);
    }
    write_queue_remove(&qr->writes, transaction, qr_now_ps(qr));
    answer(qr, transaction, request->kind != MEM_STORE, ready_ps);
    qr_l2_resume(qr);
    return true;
}

static bool take(struct quickrelease *qr, struct transaction *transaction)
{
    switch (transaction->kind) {
    case TRANSACTION_READ:
        return take_read(qr, transaction);
    case TRANSACTION_WRITE:
        return take_write(qr, transaction);
    default:
        return take_atomic(qr, transaction);
    }
}

/* The first message from a bank has its turn. */
static void directory_turn(struct event *event)
{
    struct qr_bank *bank = CONTAINER_OF(event, struct qr_bank, turn);
    struct quickrelease *qr = bank->qr;
    struct transaction *transaction = bank->down.first;
    struct transaction *const next = transaction->queue_next;
    const uint64_t now_ps = qr_now_ps(qr);

    if (!take(qr, transaction)) {
        bank->free_ps = mshrs_free_ps(&qr->buffer);
        event_queue_insert_at(qr->event_queue, &bank->turn, bank->free_ps);
        return;
    }
    bank->free_ps = now_ps + qr->clock.ps;
    bank->down.first = next;
    if (next == NULL) {
        transaction_queue_reset(&bank->down);
    } else {
        event_queue_insert_at(qr->event_queue, &bank->turn, later(next->time_ps, bank->free_ps));
    }
}

/* ---- the home of caches that are kept coherent ---- */

/* Bytes that wL3 has of a line go to memory first: in time, since they are nobody's who does not
 * wait for a release. Instructions come through the L2. */
static uint64_t point_read(void *owner, uint32_t line, enum coherent_use use, uint64_t time_ps,
                           enum hit_level *served)
{
    struct quickrelease *qr = owner;

    if (use == COHERENT_FETCH) {
        return qr_l2_fetch(qr, line, time_ps, served);
    }
    uint64_t known_ps = time_ps + qr->wl3.tag_ps;
    if (write_cache_find(&qr->wl3, line) != CACHE_NONE) {
        known_ps = time_ps + qr->wl3.hit_ps;
    }
    *served = HIT_DRAM;
    return qr_read_memory(qr, line, known_ps);
}

static void point_write(void *owner, uint32_t line, uint64_t time_ps)
{
    struct quickrelease *qr = owner;

    (void)qr_write_memory(qr, line, time_ps + qr->wl3.tag_ps);
}

/* Its copies in caches for reads have gone when it stored (quickrelease_written()). */
static void point_claim(void *owner, uint32_t line, uint64_t time_ps)
{
    (void)owner;
    (void)line;
    (void)time_ps;
}

/* The directory's banks come behind those of the L2. */
static uint32_t point_node(void *owner, uint32_t line, enum coherent_use use)
{
    const struct quickrelease *qr = owner;

    return qr_bank_node(qr, line) + (use == COHERENT_FETCH ? 0 : qr->bank_count);
}

const struct coherence_point qr_coherence_point = {point_read, point_write, point_claim,
                                                   point_node};

/* ---- life ---- */

bool qr_directory_create(struct quickrelease *qr, const struct sl_config *config)
{
    qr->wl3.ops = &ops;
    qr->wl3.owner = qr;
    qr->wl3.event_queue = qr->event_queue;
    return write_cache_create(&qr->wl3, 2, config, &qr->base.counters) &&
           dram_timing_create(&qr->timing, config) &&
           l3_create(&qr->l3, config, &qr->timing, &qr->base.counters, false) &&
           mshrs_create(&qr->buffer, qr->timing.queue * qr->timing.channels);
}

void qr_directory_destroy(struct quickrelease *qr)
{
    write_cache_destroy(&qr->wl3);
    l3_destroy(&qr->l3);
    dram_timing_destroy(&qr->timing);
    free(qr->buffer.until_ps);
}

void qr_directory_reset(struct quickrelease *qr)
{
    write_cache_reset(&qr->wl3);
    l3_reset(&qr->l3);
    dram_timing_reset(&qr->timing);
    mshrs_reset(&qr->buffer);
    qr->written_ps = 0;
    for (uint32_t i = 0; i < qr->bank_count; i++) {
        qr->banks[i].turn = (struct event){.run = directory_turn, .rank = EVENT_MEMORY};
    }
}
