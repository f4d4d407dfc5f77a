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
    for (uint32_t cu = 0; cu < qr->cus && *qr_shared(qr, line) != 0; cu++) {
        qr_l1_drop(&qr->l1s[cu], line);
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

void qr_l2_send(struct quickrelease *qr, struct packet *packet, bool has_line, uint64_t time_ps,
                uint64_t there_ps)
{
    struct qr_bank *bank = qr_bank(qr, packet->line);
    const uint64_t leave_ps = later(time_ps, bank->down_ps);

    bank->down_ps = leave_ps + (has_line ? qr->net->line_parts : 1) * qr->clock.ps;
    bank->there_ps =
        later(later(bank->there_ps, there_ps), bank->down_ps - qr->clock.ps + qr->link_ps);
    packet->time_ps = bank->there_ps;
    packet_queue_put(&bank->down, packet);
    if (bank->down.first == packet) {
        wheel_insert_at(qr->wheel, &bank->turn, later(packet->time_ps, bank->free_ps));
    }
}

static void invalidate_event(struct event *event)
{
    struct packet *packet = CONTAINER_OF(event, struct packet, event);
    struct quickrelease *qr =
        packet->kind == PACKET_ATOMIC ? ((struct qr_l1 *)packet->owner)->qr : packet->owner;

    qr_drop_shared(qr, packet->line);
}

/* Where none has the line or waits for it now, there is nothing to take: a read that is sent later
 * comes to the L2 behind this. */
uint64_t qr_l2_invalidate(struct quickrelease *qr, struct packet *packet, uint64_t time_ps)
{
    const uint64_t there_ps = time_ps + qr->probe_ps;

    qr_l2_drop(qr, packet->line);
    qr->base.counters.l1[L1D].bytes_in_probes += (uint64_t)qr->cus * MEM_PROBE_BYTES;
    if (*qr_shared(qr, packet->line) != 0) {
        packet->event = (struct event){.run = invalidate_event, .rank = EVENT_MEMORY};
        wheel_insert_at(qr->wheel, &packet->event, there_ps);
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
    struct packet *packet = packets_take(&qr->evictions);

    packet->owner = qr;
    packet->kind = PACKET_WRITE;
    write_cache_take(cache, index, packet);
    qr->base.counters.directory.bytes_in += held_count(packet->mask);
    writes_add(&qr->writes, packet);
    qr_l2_send(qr, packet, true, time_ps, qr_l2_invalidate(qr, packet, time_ps));
}

void qr_l2_pass_released(struct quickrelease *qr)
{
    struct mem_request *release;

    while ((release = writes_released(&qr->writes)) != NULL) {
        write_cache_mark(&qr->wl3, release, later(release->priv.time_ps, qr_now_ps(qr)));
    }
}

static void passed(struct write_cache *cache, struct mem_request *release)
{
    struct quickrelease *qr = cache->owner;

    writes_wait(&qr->writes, release, qr_now_ps(qr) + qr->link_ps);
    qr_l2_pass_released(qr);
}

const struct write_cache_ops qr_wl2_ops = {room_ps, evict, passed};
