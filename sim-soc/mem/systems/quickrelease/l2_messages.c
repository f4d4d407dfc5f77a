/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Lines of rL2, and what leaves the L2: messages to the directory, evictions of wL2, invalidations
 * of all rL1 caches, releases. */
#include "mem/systems/quickrelease/l2.h"

#include "engine/clock.h"

/* ---- lines of rL2 ---- */

void qr_l2_release_way(struct quickrelease *qr, uint32_t index)
{
    cache_demote(&qr->tags, index);
    qr->tags.tag[index] = CACHE_NONE;
    qr->lines[index] = (struct qr_l2_line){0};
}

void qr_l2_drop(struct quickrelease *qr, uint32_t line)
{
    const uint32_t index = cache_find(&qr->tags, line);

    if (index == CACHE_NONE) {
        return;
    }
    if (qr->lines[index].is_under_way) {
        qr->lines[index].is_stale = true;
    } else {
        qr_l2_release_way(qr, index);
    }
}

void qr_drop_shared(struct quickrelease *qr, uint32_t line)
{
    for (uint32_t cu = 0; cu < qr->cus && *qr_presence(qr, line) != 0; cu++) {
        qr_l1_snoop_invalidate(&qr->l1s[cu], line);
    }
}

uint32_t qr_l2_make_way(struct quickrelease *qr, uint32_t line)
{
    const uint32_t index = cache_victim(&qr->tags, line);

    if (qr->lines[index].is_under_way) {
        return CACHE_NONE;
    }
    if (qr->tags.tag[index] != CACHE_NONE) {
        qr->base.counters.l2.evictions++;
        qr_l2_release_way(qr, index);
    }
    qr->tags.tag[index] = line;
    return index;
}

/* ---- to the directory ---- */

void qr_l2_send(struct quickrelease *qr, struct transaction *transaction, bool has_line,
                uint64_t time_ps, uint64_t there_ps)
{
    struct qr_bank *bank = qr_bank(qr, transaction->line);
    const uint64_t leave_ps = later(time_ps, bank->down_ps);

    bank->down_ps = leave_ps + (has_line ? qr->net->line_parts : 1) * qr->clock.ps;
    bank->there_ps =
        later(later(bank->there_ps, there_ps), bank->down_ps - qr->clock.ps + qr->link_ps);
    transaction->time_ps = bank->there_ps;
    transaction_queue_put(&bank->down, transaction);
    if (bank->down.first == transaction) {
        event_queue_insert_at(qr->event_queue, &bank->turn,
                              later(transaction->time_ps, bank->free_ps));
    }
}

static void invalidate_event(struct event *event)
{
    struct transaction *transaction = CONTAINER_OF(event, struct transaction, event);
    struct quickrelease *qr = transaction->kind == TRANSACTION_ATOMIC
                                  ? ((struct qr_l1 *)transaction->owner)->qr
                                  : transaction->owner;

    qr_drop_shared(qr, transaction->line);
}

/* Where none has the line or waits for it now, there is nothing to take: a read that is sent later
 * comes to the L2 behind this. */
uint64_t qr_l2_invalidate(struct quickrelease *qr, struct transaction *transaction,
                          uint64_t time_ps)
{
    const uint64_t there_ps = time_ps + qr->probe_ps;

    qr_l2_drop(qr, transaction->line);
    qr->base.counters.l1[L1D].bytes_in_probes += (uint64_t)qr->cus * MEM_PROBE_BYTES;
    if (*qr_presence(qr, transaction->line) != 0) {
        transaction->event = (struct event){.run = invalidate_event, .rank = EVENT_MEMORY};
        event_queue_insert_at(qr->event_queue, &transaction->event, there_ps);
    }
    return there_ps;
}

/* ---- wL2 ---- */

static uint64_t room_ps(struct write_cache *cache)
{
    const struct quickrelease *qr = cache->owner;

    return qr->evictions.free != NULL ? 0 : MEM_PENDING;
}

static void evict(struct write_cache *cache, uint32_t index, uint64_t time_ps)
{
    struct quickrelease *qr = cache->owner;
    struct transaction *transaction = transaction_get(&qr->evictions);

    transaction->owner = qr;
    transaction->kind = TRANSACTION_WRITE;
    write_cache_take(cache, index, transaction);
    qr->base.counters.directory.bytes_in += line_bytes_count(transaction->mask);
    write_queue_add(&qr->writes, transaction);
    qr_l2_send(qr, transaction, true, time_ps, qr_l2_invalidate(qr, transaction, time_ps));
}

void qr_l2_pass_released(struct quickrelease *qr)
{
    struct mem_request *release;

    while ((release = write_queue_released(&qr->writes)) != NULL) {
        write_cache_mark(&qr->wl3, release, later(release->priv.time_ps, qr_now_ps(qr)));
    }
}

static void passed(struct write_cache *cache, struct mem_request *release)
{
    struct quickrelease *qr = cache->owner;

    write_queue_wait(&qr->writes, release, qr_now_ps(qr) + qr->link_ps);
    qr_l2_pass_released(qr);
}

const struct write_cache_ops qr_wl2_ops = {room_ps, evict, passed};
