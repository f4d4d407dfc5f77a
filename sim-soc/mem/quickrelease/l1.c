/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The L1 caches of a compute unit: rL1, wL1 and S-FIFO1.
 *
 * Accesses come in the order in which they were handed in, so many per cycle. What goes to a line
 * that is under way waits for it, and takes its turn behind what was there before, so accesses to
 * one line keep their order; and wL1 never has bytes of a line that is under way, since they left
 * ahead of the read. */
#include "mem/quickrelease/quickrelease.h"

#include "time/later.h"

#define NOT_YET UINT32_MAX

static uint32_t line_of(const struct mem_request *request)
{
    return (uint32_t)(request->address / HELD_LINE);
}

static uint8_t *bytes_at(const struct qr_l1 *l1, uint32_t index)
{
    return l1->bytes + (size_t)index * HELD_LINE;
}

static struct l1_counters *counters_of(struct qr_l1 *l1)
{
    return &l1->qr->base.counters.l1[L1D];
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
                                                                     : &qr->nobodys};

    if (request->client->perform != NULL) {
        request->client->perform(request, &place, request->lanes);
    }
}

static void finish(struct qr_l1 *l1, struct mem_request *request, enum mem_served served,
                   uint64_t done_ps)
{
    qr_note(l1->qr, request, served, done_ps);
    request->client->done(request, done_ps);
}

static void serve_load(struct qr_l1 *l1, struct mem_request *request, uint8_t *bytes,
                       enum mem_served served, uint64_t done_ps)
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

/* ---- lines of rL1 ---- */

static void release_way(struct qr_l1 *l1, uint32_t index)
{
    (*qr_shared(l1->qr, l1->tags.tag[index]))--;
    cache_demote(&l1->tags, index);
    l1->tags.tag[index] = CACHE_NONE;
    l1->lines[index] = (struct qr_l1_line){0};
}

/* Those that wait for a line that is under way are served; who comes later is not. */
static void grow_old(struct qr_l1_line *line)
{
    if (line->is_stale) {
        return;
    }
    line->is_stale = true;
    line->fresh = 0;
    for (const struct mem_request *at = line->first; at != NULL; at = at->kept.next) {
        line->fresh++;
    }
}

/* Returns whether it was there. */
static bool lose(struct qr_l1 *l1, uint32_t line)
{
    const uint32_t index = cache_find(&l1->tags, line);

    if (index == CACHE_NONE) {
        return false;
    }
    if (l1->lines[index].is_under_way) {
        grow_old(&l1->lines[index]);
        return false;
    }
    release_way(l1, index);
    return true;
}

void qr_l1_drop(struct qr_l1 *l1, uint32_t line)
{
    counters_of(l1)->invalidations += lose(l1, line);
}

/* A way for a line, whose own one has left; NOT_YET where there is none. */
static uint32_t make_way(struct qr_l1 *l1, uint32_t line)
{
    const uint32_t index = cache_victim(&l1->tags, line);

    if (l1->lines[index].is_under_way) {
        return NOT_YET;
    }
    if (l1->tags.tag[index] != CACHE_NONE) {
        counters_of(l1)->evictions++;
        release_way(l1, index);
    }
    l1->tags.tag[index] = line;
    (*qr_shared(l1->qr, line))++;
    return index;
}

/* ---- what leaves ---- */

/* A message goes to the bank of its line. What left before for that bank comes there before, also
 * where it is so far ahead that calendars have no trace of it. */
static void send(struct qr_l1 *l1, struct packet *packet, bool has_line, uint64_t time_ps)
{
    struct quickrelease *qr = l1->qr;
    struct qr_bank *bank = qr_bank(qr, packet->line);
    uint64_t *turn_ps = &l1->turn_ps[packet->line & (qr->bank_count - 1)];
    const uint64_t now_ps = qr_now_ps(qr);
    const uint64_t there_ps = interconnect_send(qr->net, l1->node, qr_bank_node(qr, packet->line),
                                                has_line, time_ps, now_ps);

    *turn_ps = later(calendar_take(&bank->port, there_ps, now_ps), *turn_ps);
    packet->owner = l1;
    packet->event = (struct event){.run = qr_l2_turn, .rank = EVENT_MEMORY};
    wheel_insert_at(qr->wheel, &packet->event, *turn_ps);
}

static uint64_t room_ps(struct write_cache *cache)
{
    return writes_room_ps(&((struct qr_l1 *)cache->owner)->writes);
}

/* Dirty bytes leave wL1, and the line rL1. */
static void evict(struct write_cache *cache, uint32_t index, uint64_t time_ps)
{
    struct qr_l1 *l1 = cache->owner;
    struct packet *packet = packets_take(&l1->qr->packets);

    packet->kind = PACKET_WRITE;
    packet->request = NULL;
    write_cache_take(cache, index, packet);
    (void)lose(l1, packet->line);
    counters_of(l1)->bytes_out += held_count(packet->mask);
    writes_add(&l1->writes, packet);
    send(l1, packet, true, time_ps);
}

/* Releases whose messages have all come go on at the L2. */
static void pass_released(struct qr_l1 *l1)
{
    struct mem_request *release;

    while ((release = writes_released(&l1->writes)) != NULL) {
        write_cache_mark(&l1->qr->wl2, release, later(release->kept.time_ps, qr_now_ps(l1->qr)));
    }
}

static void passed(struct write_cache *cache, struct mem_request *release)
{
    struct qr_l1 *l1 = cache->owner;
    const struct interconnect *net = l1->qr->net;

    writes_wait(&l1->writes, release,
                qr_now_ps(l1->qr) + net->ops->latency(net, l1->node, qr_bank_node(l1->qr, 0)));
    pass_released(l1);
}

static const struct write_cache_ops ops = {room_ps, evict, passed};

/* ---- accesses ---- */

static void queue_on(struct qr_l1_line *line, struct mem_request *request)
{
    request->kept.next = NULL;
    *line->end = request;
    line->end = &request->kept.next;
}

/* Asks for a line that is not there, or whose bytes here are old. */
static bool begin_fill(struct qr_l1 *l1, struct mem_request *request)
{
    const uint64_t leave_ps = qr_now_ps(l1->qr) + l1->tag_ps + l1->written.tag_ps;

    if (l1->fills_left == 0 || !write_cache_send_line(&l1->written, line_of(request), leave_ps)) {
        return false;
    }
    uint32_t index = cache_find(&l1->tags, line_of(request));
    if (index == CACHE_NONE) {
        index = make_way(l1, line_of(request));
        if (index == NOT_YET) {
            return false;
        }
    }
    struct qr_l1_line *line = &l1->lines[index];
    *line = (struct qr_l1_line){.is_under_way = true};
    line->end = &line->first;
    queue_on(line, request);
    l1->fills_left--;
    struct packet *packet = packets_take(&l1->qr->packets);
    packet->kind = PACKET_READ;
    packet->request = is_strict(request) ? request : NULL;
    packet->line = line_of(request);
    packet->index = index;
    packet->mask = request->mask[0];
    packet->is_strict = is_strict(request);
    send(l1, packet, false, leave_ps);
    cache_touch(&l1->tags, index);
    return true;
}

static bool load_from_write_cache(struct qr_l1 *l1, struct mem_request *request)
{
    struct write_cache *cache = &l1->written;
    const uint32_t index = cache_find(&cache->tags, line_of(request));

    if (index == CACHE_NONE || is_strict(request) ||
        (request->mask[0] & ~cache->lines[index].mask) != 0) {
        return false;
    }
    cache->counters->reads++;
    cache->counters->read_hits++;
    counters_of(l1)->read_hits++;
    counters_of(l1)->read_after_write_hits++;
    serve_load(l1, request, write_cache_bytes(cache, index), SERVED_L1,
               qr_now_ps(l1->qr) + l1->tag_ps + cache->hit_ps);
    return true;
}

static bool load(struct qr_l1 *l1, struct mem_request *request, uint32_t index)
{
    if (index != CACHE_NONE && !l1->lines[index].is_written) {
        counters_of(l1)->read_hits++;
        count_stale(l1, request, bytes_at(l1, index));
        cache_touch(&l1->tags, index);
        serve_load(l1, request, bytes_at(l1, index), SERVED_L1, qr_now_ps(l1->qr) + l1->hit_ps);
        return true;
    }
    if (load_from_write_cache(l1, request)) {
        return true;
    }
    const bool is_partial = cache_find(&l1->written.tags, line_of(request)) != CACHE_NONE;
    if (!begin_fill(l1, request)) {
        return false;
    }
    l1->written.counters->reads++;
    l1->written.counters->partial += is_partial;
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
    uint64_t again_ps;
    const uint32_t place = write_cache_prepare(&l1->written, &note, &again_ps);

    if (place == CACHE_NONE) {
        return false;
    }
    perform(l1, request, write_cache_bytes(&l1->written, place));
    write_cache_note(&l1->written, place, &note);
    index = index == CACHE_NONE ? index : cache_find(&l1->tags, note.line);
    if (index != CACHE_NONE) {
        l1->lines[index].is_written = true;
    }
    finish(l1, request, SERVED_L1, qr_now_ps(l1->qr) + l1->written.hit_ps);
    return true;
}

/* The access is done at the directory, behind the line's dirty bytes; what is here of it goes. */
static bool send_atomic(struct qr_l1 *l1, struct mem_request *request)
{
    const uint64_t leave_ps = qr_now_ps(l1->qr) + l1->tag_ps + l1->written.tag_ps;

    if (l1->fills_left == 0 || !write_cache_send_line(&l1->written, line_of(request), leave_ps) ||
        !write_cache_enqueue_atomic(&l1->written, (uint32_t)request->wave)) {
        return false;
    }
    (void)lose(l1, line_of(request));
    struct packet *packet = packets_take(&l1->qr->packets);
    packet->kind = PACKET_ATOMIC;
    packet->request = request;
    packet->line = line_of(request);
    packet->mask = request->mask[0];
    l1->fills_left--;
    writes_add(&l1->writes, packet);
    send(l1, packet, true, leave_ps);
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

static void wait_for_first(struct qr_l1 *l1)
{
    if (l1->first != NULL && !l1->is_stalled && !l1->event.queued) {
        wheel_insert_at(l1->qr->wheel, &l1->event, later(l1->first->kept.time_ps, l1->free_ps));
    }
}

void qr_l1_take(struct qr_l1 *l1, struct mem_request *request)
{
    request->kept.next = NULL;
    request->kept.time_ps = request->time_ps;
    *l1->end = request;
    l1->end = &request->kept.next;
    wait_for_first(l1);
}

static struct mem_request *take_first(struct qr_l1 *l1)
{
    struct mem_request *request = l1->first;

    l1->first = request->kept.next;
    if (l1->first == NULL) {
        l1->end = &l1->first;
    }
    return request;
}

/* In front of all others; they come again when something has ended. */
static void put_back(struct qr_l1 *l1, struct mem_request *first)
{
    struct mem_request *last = first;

    while (last->kept.next != NULL) {
        last = last->kept.next;
    }
    last->kept.next = l1->first;
    if (l1->first == NULL) {
        l1->end = &last->kept.next;
    }
    l1->first = first;
    l1->is_stalled = true;
}

/* The first access that was handed in, where it can be looked up. */
static bool take_turn(struct qr_l1 *l1)
{
    struct mem_request *request = take_first(l1);
    const uint32_t index = cache_find(&l1->tags, line_of(request));

    if (index != CACHE_NONE && l1->lines[index].is_under_way) {
        queue_on(&l1->lines[index], request);
        return true;
    }
    if (look_up(l1, request, index)) {
        return true;
    }
    request->kept.next = NULL;
    put_back(l1, request);
    return false;
}

static void turn_event(struct event *event)
{
    struct qr_l1 *l1 = CONTAINER_OF(event, struct qr_l1, event);
    const uint64_t now = qr_now_ps(l1->qr);

    if (now < l1->free_ps) {
        wait_for_first(l1);
        return;
    }
    for (uint32_t port = 0; port < l1->ports; port++) {
        if (l1->first == NULL || l1->first->kept.time_ps > now) {
            break;
        }
        if (!take_turn(l1)) {
            counters_of(l1)->replays++;
            return;
        }
    }
    l1->free_ps = now + l1->qr->clock.ps;
    wait_for_first(l1);
}

void qr_l1_resume(struct qr_l1 *l1)
{
    pass_released(l1);
    write_cache_resume(&l1->written);
    if (l1->is_stalled) {
        l1->is_stalled = false;
        wait_for_first(l1);
    }
}

/* ---- what comes back ---- */

/* Serves those that waited for a line, in order: loads with the answer, where it will do, up to the
 * first access that is none, and so many of them as waited before the line became old. What is
 * strict is not served with a line that is old. All others are looked up. */
static void serve_waiting(struct qr_l1 *l1, struct mem_request *request, struct packet *answer,
                          bool is_stale, uint32_t fresh)
{
    while (request != NULL) {
        struct mem_request *const next = request->kept.next;
        const uint32_t index = cache_find(&l1->tags, answer->line);
        fresh = request->kind == MEM_LOAD ? fresh : 0;
        if (index != CACHE_NONE && l1->lines[index].is_under_way) {
            queue_on(&l1->lines[index], request);
        } else if (fresh > 0 && (!is_stale || !is_strict(request)) &&
                   qr_answers(answer, request->mask[0], is_strict(request))) {
            if (answer->is_whole) {
                count_stale(l1, request, answer->bytes);
            }
            serve_load(l1, request, answer->bytes, SERVED_MERGED, qr_now_ps(l1->qr));
        } else if (!look_up(l1, request, index)) {
            request->kept.next = next;
            put_back(l1, request);
            return;
        }
        fresh -= fresh > 0;
        request = next;
    }
}

/* The one that asked is served in any case; where it is strict, it has taken effect on its way. */
static void serve_first(struct qr_l1 *l1, struct mem_request *request, struct packet *answer)
{
    const enum mem_served served = (enum mem_served)answer->served;

    if (answer->request != NULL) {
        answer->request = NULL;
        finish(l1, request, served, qr_now_ps(l1->qr));
        return;
    }
    if (answer->is_whole) {
        count_stale(l1, request, answer->bytes);
    }
    serve_load(l1, request, answer->bytes, served, qr_now_ps(l1->qr));
}

void qr_l1_filled(struct event *event)
{
    struct packet *packet = CONTAINER_OF(event, struct packet, event);
    struct qr_l1 *l1 = packet->owner;
    const struct qr_l1_line line = l1->lines[packet->index];
    struct mem_request *const waiting = line.first->kept.next;
    const uint32_t bytes = packet->is_whole ? HELD_LINE : held_count(packet->valid);

    counters_of(l1)->bytes_in += bytes;
    counters_of(l1)->bytes_in_data += bytes;
    l1->lines[packet->index] = (struct qr_l1_line){0};
    if (packet->is_whole && !line.is_stale) {
        memcpy(bytes_at(l1, packet->index), packet->bytes, HELD_LINE);
    } else {
        release_way(l1, packet->index);
    }
    l1->fills_left++;
    serve_first(l1, line.first, packet);
    serve_waiting(l1, waiting, packet, line.is_stale, line.is_stale ? line.fresh - 1 : UINT32_MAX);
    packets_give(&l1->qr->packets, packet);
    qr_l1_resume(l1);
}

void qr_l1_answered(struct event *event)
{
    struct packet *packet = CONTAINER_OF(event, struct packet, event);
    struct qr_l1 *l1 = packet->owner;
    struct mem_request *request = packet->request;
    const enum mem_served served = (enum mem_served)packet->served;

    if (request->kind != MEM_STORE) {
        counters_of(l1)->bytes_in += held_count(packet->mask);
        counters_of(l1)->bytes_in_data += held_count(packet->mask);
    }
    packet->request = NULL;
    l1->fills_left++;
    packets_give(&l1->qr->packets, packet);
    finish(l1, request, served, qr_now_ps(l1->qr));
    qr_l1_resume(l1);
}

/* ---- life ---- */

bool qr_l1_create(struct qr_l1 *l1, struct quickrelease *qr, uint32_t node,
                  const struct sl_config *config)
{
    const uint32_t ways = (uint32_t)config->number[SL_CFG_L1D_WAYS];
    const uint32_t sets = (uint32_t)config->number[SL_CFG_L1D_SIZE] / (ways * HELD_LINE);
    const uint64_t cycles = (uint64_t)config->number[SL_CFG_L1D_CYCLES];
    const uint64_t tag_cycles = (uint64_t)config->number[SL_CFG_L1D_TAG_CYCLES];

    l1->qr = qr;
    l1->node = node;
    l1->ports = (uint32_t)config->number[SL_CFG_L1D_PORTS];
    l1->hit_ps = cycles * qr->clock.ps;
    l1->tag_ps = (tag_cycles == 0 ? cycles : tag_cycles) * qr->clock.ps;
    l1->written.ops = &ops;
    l1->written.owner = l1;
    l1->written.wheel = qr->wheel;
    if (!cache_create(&l1->tags, sets, ways) ||
        !writes_create(&l1->writes, (uint32_t)config->number[SL_CFG_L1D_WRITES]) ||
        !write_cache_create(&l1->written, 0, config, &qr->base.counters)) {
        return false;
    }
    l1->lines = calloc(cache_size(&l1->tags), sizeof(*l1->lines));
    l1->bytes = calloc(cache_size(&l1->tags), HELD_LINE);
    return l1->lines != NULL && l1->bytes != NULL;
}

void qr_l1_destroy(struct qr_l1 *l1)
{
    cache_destroy(&l1->tags);
    write_cache_destroy(&l1->written);
    free(l1->lines);
    free(l1->bytes);
    free(l1->writes.ends.until_ps);
}

void qr_l1_reset(struct qr_l1 *l1)
{
    wheel_remove(l1->qr->wheel, &l1->event);
    cache_reset(&l1->tags);
    memset(l1->lines, 0, cache_size(&l1->tags) * sizeof(*l1->lines));
    write_cache_reset(&l1->written);
    writes_reset(&l1->writes);
    memset(l1->turn_ps, 0, sizeof(l1->turn_ps));
    l1->fills_left = l1->qr->fills;
    l1->first = NULL;
    l1->end = &l1->first;
    l1->event = (struct event){.run = turn_event, .rank = EVENT_MEMORY};
    l1->free_ps = 0;
    l1->is_stalled = false;
}
