/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The L2: rL2, wL2 and S-FIFO2, in banks.
 *
 * What comes to a bank and finds no room to send on what has to leave for it waits, and with it all
 * that comes to the bank later. A read that misses waits for another of its line that is under way,
 * unless something has been written meanwhile: then it goes on by itself, and leaves nothing here.
 */
#include "mem/systems/quickrelease/l2.h"

#include "engine/clock.h"
#include "sluice/config.h"

/* ---- what comes from compute units ---- */

/* An answer leaves the bank at a time. */
static void answer(struct quickrelease *qr, struct transaction *transaction, bool has_line,
                   uint64_t time_ps, void (*run)(struct event *event))
{
    const struct qr_l1 *l1 = transaction->owner;
    const uint64_t there_ps = interconnect_send(qr->net, qr_bank_node(qr, transaction->line),
                                                l1->node, has_line, time_ps, qr_now_ps(qr));

    transaction->event = (struct event){.run = run, .rank = EVENT_MEMORY};
    event_queue_insert_at(qr->event_queue, &transaction->event, there_ps);
}

static void answer_read(struct quickrelease *qr, struct transaction *transaction, uint64_t time_ps)
{
    qr->base.counters.l2.l1_bytes_out +=
        transaction->full_line ? LINE_BYTES : line_bytes_count(transaction->valid);
    answer(qr, transaction, true, time_ps, qr_l1_filled);
}

static bool take_write(struct quickrelease *qr, struct transaction *transaction)
{
    struct qr_l1 *l1 = transaction->owner;

    if (transaction->mask != 0) { /* else its bytes have become nobody's */
        if (!write_cache_put(&qr->wl2, transaction)) {
            return false;
        }
        const uint32_t index = cache_find(&qr->tags, transaction->line);
        if (index != CACHE_NONE) {
            qr->lines[index].is_written = true;
        }
    }
    write_queue_remove(&l1->writes, transaction, qr_now_ps(qr));
    transaction_put(&qr->transactions, transaction);
    qr_l1_resume(l1);
    return true;
}

/* The line's dirty bytes go ahead. */
static bool take_atomic(struct quickrelease *qr, struct transaction *transaction)
{
    struct qr_l1 *l1 = transaction->owner;
    const uint64_t now_ps = qr_now_ps(qr);
    const uint64_t leave_ps = now_ps + qr->tag_ps + qr->wl2.tag_ps;

    if (!write_cache_send_line(&qr->wl2, transaction->line, leave_ps)) {
        return false;
    }
    write_queue_remove(&l1->writes, transaction, now_ps);
    qr->base.counters.directory.bytes_in +=
        transaction->request->kind == MEM_LOAD ? 0 : line_bytes_count(transaction->mask);
    write_queue_add(&qr->writes, transaction);
    qr_l2_send(qr, transaction, true, leave_ps, qr_l2_invalidate(qr, transaction, leave_ps));
    qr_l1_resume(l1);
    return true;
}

/* A read goes to the directory, or waits for one that does. Returns false where there is no room
 * for it. */
static bool ask_directory(struct quickrelease *qr, struct transaction *transaction,
                          uint64_t leave_ps)
{
    struct qr_bank *bank = qr_bank(qr, transaction->line);
    uint32_t index = cache_find(&qr->tags, transaction->line);

    if (index != CACHE_NONE && qr->lines[index].is_under_way && !qr->lines[index].is_stale) {
        transaction_queue_put(&qr->lines[index].waiting, transaction);
        return true;
    }
    if (bank->reads >= qr->mshrs) {
        return false;
    }
    bank->reads++;
    if (index == CACHE_NONE) {
        index = qr_l2_make_way(qr, transaction->line);
    } else if (qr->lines[index].is_under_way) {
        index = CACHE_NONE;
    }
    transaction->way = index;
    if (index != CACHE_NONE) {
        qr->lines[index] = (struct qr_l2_line){.is_under_way = true};
        transaction_queue_reset(&qr->lines[index].waiting);
        cache_touch(&qr->tags, index);
    }
    qr_l2_send(qr, transaction, false, leave_ps, 0);
    return true;
}

static bool take_read(struct quickrelease *qr, struct transaction *transaction)
{
    struct mem_counters *counters = &qr->base.counters;
    const uint64_t now_ps = qr_now_ps(qr);
    const uint64_t leave_ps = now_ps + qr->tag_ps + qr->wl2.tag_ps;
    const uint32_t index = cache_find(&qr->tags, transaction->line);
    const struct qr_l2_line *line = index == CACHE_NONE ? NULL : &qr->lines[index];

    transaction->hit_level = HIT_L2;
    if (line != NULL && !line->is_under_way && !line->is_written && !line->is_code) {
        counters->l2.accesses++;
        counters->l2.hits++;
        memcpy(transaction->bytes, qr_l2_bytes(qr, index), LINE_BYTES);
        transaction->full_line = true;
        qr_perform_read(qr, transaction);
        cache_touch(&qr->tags, index);
        answer_read(qr, transaction, now_ps + qr->hit_ps);
        return true;
    }
    const uint32_t place = write_cache_find(&qr->wl2, transaction->line);
    if (place != CACHE_NONE && !transaction->needs_coherent &&
        (transaction->mask & ~qr->wl2.lines[place].mask) == 0) {
        counters->l2.accesses++;
        counters->l2.hits++;
        qr->wl2.counters->reads++;
        qr->wl2.counters->read_hits++;
        memcpy(transaction->bytes, write_cache_bytes(&qr->wl2, place), LINE_BYTES);
        transaction->full_line = false;
        transaction->valid = qr->wl2.lines[place].mask;
        answer_read(qr, transaction, now_ps + qr->tag_ps + qr->wl2.hit_ps);
        return true;
    }
    if (!write_cache_send_line(&qr->wl2, transaction->line, leave_ps)) {
        return false;
    }
    qr->wl2.counters->partial += place != CACHE_NONE;
    if (!ask_directory(qr, transaction, leave_ps)) {
        return false;
    }
    counters->l2.accesses++;
    counters->l2.misses++;
    qr->wl2.counters->reads++;
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

/* ---- what waits for room ---- */

static void stall(struct qr_bank *bank, struct transaction *transaction)
{
    transaction_queue_put(&bank->stalled, transaction);
    bank->qr->stalled_banks |= UINT64_C(1) << (bank - bank->qr->banks);
}

static void take_stalled(struct event *event)
{
    struct qr_bank *bank = CONTAINER_OF(event, struct qr_bank, event);
    struct quickrelease *qr = bank->qr;
    struct transaction_queue rest = bank->stalled;
    struct transaction *transaction = transaction_queue_take(&rest);

    if (!take(qr, transaction)) {
        return; /* it is the first still */
    }
    bank->stalled = rest;
    if (rest.first == NULL) {
        transaction_queue_reset(&bank->stalled);
        qr->stalled_banks &= ~(UINT64_C(1) << (bank - qr->banks));
    } else {
        event_queue_insert_at(qr->event_queue, &bank->event, qr_now_ps(qr) + qr->clock.ps);
    }
}

static void resume_bank(struct qr_bank *bank)
{
    if (bank->stalled.first != NULL && !bank->event.queued) {
        event_queue_insert_at(bank->qr->event_queue, &bank->event, qr_now_ps(bank->qr));
    }
}

void qr_l2_resume(struct quickrelease *qr)
{
    qr_l2_pass_released(qr);
    write_cache_resume(&qr->wl2);
    for (uint64_t banks = qr->stalled_banks; banks != 0; banks &= banks - 1) {
        resume_bank(&qr->banks[__builtin_ctzll(banks)]);
    }
}

static void l2_turn(struct event *event)
{
    struct transaction *transaction = CONTAINER_OF(event, struct transaction, event);
    struct quickrelease *qr = ((struct qr_l1 *)transaction->owner)->qr;
    struct qr_bank *bank = qr_bank(qr, transaction->line);

    if (bank->stalled.first != NULL || !take(qr, transaction)) {
        stall(bank, transaction);
    }
}

/* ---- what comes back ---- */

/* Those that waited for a read get what it has brought, or have their turn again: as what is strict
 * does when something has been written meanwhile. */
static void serve_waiting(struct quickrelease *qr, struct transaction *waiting,
                          const struct transaction *answered, bool is_stale)
{
    while (waiting != NULL) {
        struct transaction *const next = waiting->queue_next;
        if (qr_answers(answered, waiting->mask, waiting->needs_coherent) &&
            (!is_stale || !waiting->needs_coherent)) {
            memcpy(waiting->bytes, answered->bytes, LINE_BYTES);
            waiting->full_line = answered->full_line;
            waiting->valid = answered->valid;
            waiting->hit_level = answered->hit_level;
            qr_perform_read(qr, waiting);
            answer_read(qr, waiting, qr_now_ps(qr));
        } else if (!take(qr, waiting)) {
            stall(qr_bank(qr, waiting->line), waiting);
        }
        waiting = next;
    }
}

static void read_filled(struct quickrelease *qr, struct transaction *transaction)
{
    struct transaction *waiting = NULL;
    bool is_stale = false;

    qr_bank(qr, transaction->line)->reads--;
    if (transaction->way != CACHE_NONE) {
        struct qr_l2_line *line = &qr->lines[transaction->way];
        waiting = line->waiting.first;
        is_stale = line->is_stale;
        line->is_under_way = false;
        if (transaction->full_line && !is_stale) {
            memcpy(qr_l2_bytes(qr, transaction->way), transaction->bytes, LINE_BYTES);
        } else {
            qr_l2_release_way(qr, transaction->way);
        }
    }
    answer_read(qr, transaction, qr_now_ps(qr));
    serve_waiting(qr, waiting, transaction, is_stale);
    resume_bank(qr_bank(qr, transaction->line));
}

void qr_l2_filled(struct event *event)
{
    struct transaction *transaction = CONTAINER_OF(event, struct transaction, event);
    struct quickrelease *qr = ((struct qr_l1 *)transaction->owner)->qr;

    if (transaction->kind == TRANSACTION_READ) {
        read_filled(qr, transaction);
    } else {
        qr->base.counters.l2.l1_bytes_out +=
            transaction->request->kind == MEM_STORE ? 0 : line_bytes_count(transaction->mask);
        answer(qr, transaction, transaction->request->kind != MEM_STORE, qr_now_ps(qr),
               qr_l1_answered);
    }
}

/* ---- code ---- */

/* Only in time: what is fetched is DRAM's bytes. */
uint64_t qr_l2_fetch(struct quickrelease *qr, uint32_t line, uint64_t time_ps,
                     enum hit_level *served)
{
    struct qr_bank *bank = qr_bank(qr, line);
    struct mem_counters *counters = &qr->base.counters;
    const uint64_t turn_ps = calendar_take(&bank->port, time_ps, time_ps);
    uint32_t index = cache_find(&qr->tags, line);

    counters->l2.accesses++;
    if (index != CACHE_NONE && !qr->lines[index].is_under_way) {
        counters->l2.hits++;
        *served = HIT_L2;
        cache_touch(&qr->tags, index);
        return later(turn_ps + qr->hit_ps, qr->lines[index].ready_ps);
    }
    counters->l2.misses++;
    *served = HIT_DRAM;
    counters->directory.bytes_out += LINE_BYTES;
    const uint64_t there_ps = turn_ps + qr->tag_ps + qr->wl2.tag_ps + qr->link_ps;
    const uint64_t ready_ps = qr_read_memory(qr, line, there_ps + qr->wl3.tag_ps) + qr->link_ps +
                              (qr->net->line_parts - 1) * qr->clock.ps;
    if (index == CACHE_NONE) {
        index = qr_l2_make_way(qr, line);
        if (index != CACHE_NONE) {
            qr->lines[index] = (struct qr_l2_line){.is_code = true, .ready_ps = ready_ps};
            cache_touch(&qr->tags, index);
        }
    }
    return ready_ps;
}

/* ---- life ---- */

bool qr_l2_create(struct quickrelease *qr, const struct sl_config *config)
{
    const uint32_t ways = (uint32_t)config->number[SL_CFG_L2_WAYS];
    const uint32_t sets = (uint32_t)config->number[SL_CFG_L2_SIZE] / (ways * LINE_BYTES);
    const int64_t cycles = config->number[SL_CFG_L2_CYCLES];
    const uint64_t tag_cycles = cache_tag_cycles(config->number[SL_CFG_L2_TAG_CYCLES], cycles);

    qr->hit_ps = (uint64_t)cycles * qr->clock.ps;
    qr->tag_ps = tag_cycles * qr->clock.ps;
    qr->link_ps = (uint64_t)config->number[SL_CFG_CROSSBAR_CYCLES] * qr->clock.ps;
    qr->bank_count = (uint32_t)config->number[SL_CFG_L2_BANKS];
    qr->mshrs = (uint32_t)config->number[SL_CFG_L2_MSHRS];
    qr->l2_turn = l2_turn;
    qr->wl2.ops = &qr_wl2_ops;
    qr->wl2.owner = qr;
    qr->wl2.event_queue = qr->event_queue;
    qr->banks = calloc(qr->bank_count, sizeof(*qr->banks));
    if (qr->banks == NULL || !cache_create(&qr->tags, sets, ways) ||
        !write_cache_create(&qr->wl2, 1, config, &qr->base.counters) ||
        !transactions_create(&qr->evictions, qr->bank_count * QR_EVICTIONS) ||
        !write_queue_create(&qr->writes, 1)) {
        return false;
    }
    qr->lines = calloc(cache_size(&qr->tags), sizeof(*qr->lines));
    qr->bytes = calloc(cache_size(&qr->tags), LINE_BYTES);
    return qr->lines != NULL && qr->bytes != NULL;
}

void qr_l2_destroy(struct quickrelease *qr)
{
    free(qr->banks);
    cache_destroy(&qr->tags);
    write_cache_destroy(&qr->wl2);
    transactions_destroy(&qr->evictions);
    free(qr->writes.ends.until_ps);
    free(qr->lines);
    free(qr->bytes);
}

static void reset_bank(struct quickrelease *qr, struct qr_bank *bank)
{
    event_queue_remove(qr->event_queue, &bank->event);
    event_queue_remove(qr->event_queue, &bank->turn);
    *bank = (struct qr_bank){.qr = qr};
    bank->event = (struct event){.run = take_stalled, .rank = EVENT_MEMORY};
    calendar_reset(&bank->port, &qr->clock, 0);
    calendar_reset(&bank->up, &qr->clock, 0);
    transaction_queue_reset(&bank->stalled);
    transaction_queue_reset(&bank->down);
}

void qr_l2_reset(struct quickrelease *qr)
{
    for (uint32_t i = 0; i < qr->bank_count; i++) {
        reset_bank(qr, &qr->banks[i]);
    }
    cache_reset(&qr->tags);
    memset(qr->lines, 0, cache_size(&qr->tags) * sizeof(*qr->lines));
    write_cache_reset(&qr->wl2);
    transactions_reset(&qr->evictions, qr->event_queue);
    write_queue_reset(&qr->writes);
    memset(qr->presence_filter, 0, sizeof(qr->presence_filter));
    qr->stalled_banks = 0;
}
