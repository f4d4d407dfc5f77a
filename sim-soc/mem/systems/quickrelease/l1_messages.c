/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Lines of rL1, and what leaves the L1 caches of a compute unit: messages, evictions of wL1,
 * releases.
 */
#include "mem/systems/quickrelease/l1.h"

#include "engine/clock.h"

/* ---- lines of rL1 ---- */

void qr_l1_release_way(struct qr_l1 *l1, uint32_t index)
{
    (*qr_presence(l1->qr, l1->tags.tag[index]))--;
    cache_demote(&l1->tags, index);
    l1->tags.tag[index] = CACHE_NONE;
    l1->lines[index] = (struct qr_l1_line){0};
}

bool qr_l1_invalidate(struct qr_l1 *l1, uint32_t line)
{
    const uint32_t index = cache_find(&l1->tags, line);

    if (index == CACHE_NONE) {
        return false;
    }
    if (l1->lines[index].fill.is_in_flight) {
        mshr_entry_invalidate(&l1->lines[index].fill);
        return false;
    }
    qr_l1_release_way(l1, index);
    return true;
}

void qr_l1_snoop_invalidate(struct qr_l1 *l1, uint32_t line)
{
    qr_l1_counters(l1)->invalidations += qr_l1_invalidate(l1, line);
}

uint32_t qr_l1_make_way(struct qr_l1 *l1, uint32_t line)
{
    const uint32_t index = cache_victim(&l1->tags, line);

    if (l1->lines[index].fill.is_in_flight) {
        return CACHE_NONE;
    }
    if (l1->tags.tag[index] != CACHE_NONE) {
        qr_l1_counters(l1)->evictions++;
        qr_l1_release_way(l1, index);
    }
    l1->tags.tag[index] = line;
    (*qr_presence(l1->qr, line))++;
    return index;
}

/* ---- what leaves ---- */

/* Also where it is so far ahead that calendars have no trace of it, it comes in order. */
void qr_l1_send(struct qr_l1 *l1, struct transaction *transaction, bool has_line, uint64_t time_ps)
{
    struct quickrelease *qr = l1->qr;
    struct qr_bank *bank = qr_bank(qr, transaction->line);
    uint64_t *turn_ps = &l1->turn_ps[transaction->line & (qr->bank_count - 1)];
    const uint64_t now_ps = qr_now_ps(qr);
    const uint64_t there_ps = interconnect_send(
        qr->net, l1->node, qr_bank_node(qr, transaction->line), has_line, time_ps, now_ps);

    *turn_ps = later(calendar_take(&bank->port, there_ps, now_ps), *turn_ps);
    transaction->owner = l1;
    transaction->event = (struct event){.run = qr->l2_turn, .rank = EVENT_MEMORY};
    event_queue_insert_at(qr->event_queue, &transaction->event, *turn_ps);
}

static uint64_t room_ps(struct write_cache *cache)
{
    return write_queue_room_ps(&((struct qr_l1 *)cache->owner)->writes);
}

/* Dirty bytes leave wL1, and the line rL1. */
static void evict(struct write_cache *cache, uint32_t index, uint64_t time_ps)
{
    struct qr_l1 *l1 = cache->owner;
    struct transaction *transaction = transaction_get(&l1->qr->transactions);

    transaction->kind = TRANSACTION_WRITE;
    transaction->request = NULL;
    write_cache_take(cache, index, transaction);
    (void)qr_l1_invalidate(l1, transaction->line);
    qr_l1_counters(l1)->bytes_out += line_bytes_count(transaction->mask);
    l1->qr->base.counters.l2.l1_bytes_in += line_bytes_count(transaction->mask);
    write_queue_add(&l1->writes, transaction);
    qr_l1_send(l1, transaction, true, time_ps);
}

void qr_l1_pass_released(struct qr_l1 *l1)
{
    struct mem_request *release;

    while ((release = write_queue_released(&l1->writes)) != NULL) {
        write_cache_mark(&l1->qr->wl2, release, later(release->priv.time_ps, qr_now_ps(l1->qr)));
    }
}

static void passed(struct write_cache *cache, struct mem_request *release)
{
    struct qr_l1 *l1 = cache->owner;
    const struct interconnect *net = l1->qr->net;

    write_queue_wait(&l1->writes, release,
                     qr_now_ps(l1->qr) + net->ops->latency(net, l1->node, qr_bank_node(l1->qr, 0)));
    qr_l1_pass_released(l1);
}

const struct write_cache_ops qr_wl1_ops = {room_ps, evict, passed};
