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

static uint32_t bytes_of(const struct hybrid_packet *packet)
{
    return (uint32_t)__builtin_popcount(packet->pieces) * packet->l1->hybrid->piece_bytes;
}

/* ---- effects ---- */

static void perform(struct hybrid_l1 *l1, struct mem_request *request, uint8_t *bytes)
{
    const struct mem_place place = {bytes, &l1->hybrid->nobodys};

    if (request->client->apply != NULL) {
        request->client->apply(request, &place, request->lanes);
    }
}

/* The bytes of a line that its compute unit has on the way to the L2. */
static void mask_stores(const struct hybrid_l1 *l1, uint32_t line, uint64_t mask[2])
{
    for (const struct hybrid_packet *packet = hybrid_store_to(l1->stores.first, line);
         packet != NULL; packet = hybrid_store_to(packet->next, line)) {
        mask[0] |= packet->mask[0];
        mask[1] |= packet->mask[1];
    }
}

static bool are_equal(const struct hybrid *hybrid, const uint8_t *a, const uint8_t *b,
                      const uint64_t mask[2])
{
    return (mask[0] == 0 || held_are_equal(a, b, mask[0])) &&
           (hybrid->line_bytes == HELD_LINE || mask[1] == 0 ||
            held_are_equal(a + HELD_LINE, b + HELD_LINE, mask[1]));
}

/* A load's bytes are others than those where all meet. What its own compute unit has written is
 * newer, not older, also when it is on its way there. */
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
    hybrid_note(l1->hybrid, request, served, done_ps);
    request->client->complete(request, done_ps);
}

/* ---- misses that are under way ---- */

static struct hybrid_packet *find_miss(const struct hybrid_misses *misses, uint32_t line)
{
    for (uint32_t i = 0; i < misses->count; i++) {
        if (misses->line[i] == line) {
            return misses->packet[i];
        }
    }
    return NULL;
}

static void add_miss(struct hybrid_misses *misses, struct hybrid_packet *packet)
{
    misses->line[misses->count] = packet->line;
    misses->packet[misses->count++] = packet;
}

static void remove_miss(struct hybrid_misses *misses, const struct hybrid_packet *packet)
{
    uint32_t at = 0;

    while (misses->packet[at] != packet) {
        at++;
    }
    misses->count--;
    misses->line[at] = misses->line[misses->count];
    misses->packet[at] = misses->packet[misses->count];
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
    struct hybrid_packet *packet =
        hybrid_take_packet(l1, hybrid_line_of(hybrid, request), HYBRID_MISS);
    packet->allocates = request->priv.number == 0;
    packet->pieces =
        (uint8_t)(packet->allocates ? hybrid->all_pieces : hybrid_pieces_of(hybrid, request->mask));
    line_fill_begin(&packet->fill, request);
    add_miss(&l1->misses, packet);
    take_mshr(l1);
    hybrid_leave(packet, now_of(l1) + hybrid->tag_ps);
    return true;
}

static struct hybrid_packet *take_for(struct hybrid_l1 *l1, struct mem_request *request,
                                      enum hybrid_packet_kind kind)
{
    struct hybrid_packet *packet =
        hybrid_take_packet(l1, hybrid_line_of(l1->hybrid, request), kind);

    packet->request = request;
    packet->mask[0] = request->mask[0];
    packet->mask[1] = request->mask[1];
    packet->pieces = (uint8_t)hybrid_pieces_of(l1->hybrid, request->mask);
    if (request->kind != MEM_LOAD) {
        counters_of(l1)->bytes_out += bytes_of(packet);
    }
    return packet;
}

/* Its bytes go to the line, where it is there, and on to the L2. */
static bool store(struct hybrid_l1 *l1, struct mem_request *request, uint32_t index)
{
    if (l1->stores_left == 0) {
        return false;
    }
    struct hybrid_packet *packet = take_for(l1, request, HYBRID_STORE);
    packet->carries_none = request->space == MEM_SAVE;
    packet->served = index != CACHE_NONE ? HIT_L1 : HIT_L2;
    if (index != CACHE_NONE) {
        perform(l1, request, hybrid_l1_bytes(l1, index));
        hybrid_merge(packet->bytes, hybrid_l1_bytes(l1, index), packet->mask);
        l1->is_written[index] = true;
        counters_of(l1)->updates++;
        cache_touch(&l1->tags, index);
    } else {
        perform(l1, request, packet->bytes);
    }
    hybrid_list_put(&l1->stores, packet);
    l1->stores_left--;
    hybrid_leave(packet, now_of(l1) + l1->hybrid->tag_ps);
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
    hybrid_leave(take_for(l1, request, HYBRID_COHERENT), now_of(l1) + l1->hybrid->tag_ps);
    return true;
}

/* Returns false where it has to come again later. */
static bool look_up(struct hybrid_l1 *l1, struct mem_request *request)
{
    const uint32_t line = hybrid_line_of(l1->hybrid, request);
    const uint32_t index = cache_find(&l1->tags, line);

    if (index == CACHE_NONE) {
        struct hybrid_packet *under_way = find_miss(&l1->misses, line);
        if (under_way != NULL) {
            request_queue_put(&under_way->fill.waiting, request);
            return true;
        }
    }
    if (hybrid_is_coherent(request)) {
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

static bool take_turn(struct turns *turns, struct mem_request *request)
{
    return look_up(CONTAINER_OF(turns, struct hybrid_l1, turns), request);
}

/* ---- what comes back ---- */

static bool is_served_by(const struct hybrid_packet *packet, const struct mem_request *request)
{
    return request->kind == MEM_LOAD && !hybrid_is_coherent(request) &&
           (hybrid_pieces_of(packet->l1->hybrid, request->mask) & ~(uint32_t)packet->pieces) == 0;
}

/* Serves those that waited for a miss, in order: loads with what has come, up to the first access
 * that it will not do for, and so many of them as waited before it became old. All others are
 * looked up. */
static void serve_waiting(struct hybrid_l1 *l1, struct hybrid_packet *packet,
                          const struct line_fill *fill)
{
    struct mem_request *request = fill->waiting.first;
    uint32_t fresh = line_fill_served(fill);
    enum hit_level served = (enum hit_level)packet->served;

    while (request != NULL) {
        struct mem_request *const next = request->priv.next;
        if (fresh > 0 && is_served_by(packet, request)) {
            fresh--;
            count_stale(l1, request, packet->bytes);
            perform(l1, request, packet->bytes);
            finish(l1, request, served, now_of(l1));
        } else {
            fresh = 0;
            if (!look_up(l1, request)) {
                request->priv.next = next;
                turns_put_back(&l1->turns, request);
                return;
            }
        }
        served = HIT_MERGED;
        request = next;
    }
}

static void filled(struct event *event)
{
    struct hybrid_packet *packet = CONTAINER_OF(event, struct hybrid_packet, event);
    struct hybrid_l1 *l1 = packet->l1;
    const struct line_fill fill = line_fill_end(&packet->fill);

    counters_of(l1)->bytes_in += bytes_of(packet);
    counters_of(l1)->bytes_in_data += bytes_of(packet);
    remove_miss(&l1->misses, packet);
    l1->misses_left++;
    if (l1->hybrid->trackers.count != 0) {
        under_way_remove(&l1->hybrid->under_way, packet);
    }
    if (packet->allocates && !fill.is_stale) {
        hybrid_l1_keep(l1, packet);
    }
    serve_waiting(l1, packet, &fill);
    hybrid_give_packet(packet);
    turns_resume(&l1->turns);
}

static void answered(struct event *event)
{
    struct hybrid_packet *packet = CONTAINER_OF(event, struct hybrid_packet, event);
    struct hybrid_l1 *l1 = packet->l1;
    struct mem_request *request = packet->request;
    const enum hit_level served = (enum hit_level)packet->served;

    if (request->kind != MEM_STORE) {
        counters_of(l1)->bytes_in += bytes_of(packet);
        counters_of(l1)->bytes_in_data += bytes_of(packet);
    }
    l1->misses_left++;
    hybrid_give_packet(packet);
    finish(l1, request, served, now_of(l1));
    turns_resume(&l1->turns);
}

static void stored(struct hybrid_packet *packet, uint64_t done_ps)
{
    struct hybrid_l1 *l1 = packet->l1;
    struct mem_request *request = packet->request;
    const enum hit_level served = (enum hit_level)packet->served;

    hybrid_list_remove(&l1->stores, packet);
    l1->stores_left++;
    hybrid_give_packet(packet);
    finish(l1, request, served, done_ps);
    turns_resume(&l1->turns);
}

const struct hybrid_l1_ops hybrid_l1_ops = {filled, answered, stored};

/* ---- life ---- */

bool hybrid_l1_create(struct hybrid_l1 *l1, struct hybrid *hybrid, uint32_t node,
                      const struct sl_config *config)
{
    const uint32_t ways = (uint32_t)config->number[SL_CFG_L1D_WAYS];

    l1->hybrid = hybrid;
    l1->node = node;
    turns_init(&l1->turns, config, hybrid->wheel, &hybrid->clock, &hybrid->base.counters.l1[L1D],
               take_turn);
    if (!cache_create(&l1->tags, hybrid->l1_lines / ways, ways)) {
        return false;
    }
    l1->bytes = calloc(cache_size(&l1->tags), hybrid->line_bytes);
    l1->is_written = calloc(cache_size(&l1->tags), sizeof(*l1->is_written));
    l1->misses.line = calloc(hybrid->misses, sizeof(*l1->misses.line));
    l1->misses.packet = calloc(hybrid->misses, sizeof(*l1->misses.packet));
    return l1->bytes != NULL && l1->is_written != NULL && l1->misses.line != NULL &&
           l1->misses.packet != NULL;
}

void hybrid_l1_destroy(struct hybrid_l1 *l1)
{
    cache_destroy(&l1->tags);
    free(l1->bytes);
    free(l1->is_written);
    free(l1->misses.line);
    free(l1->misses.packet);
}

void hybrid_l1_reset(struct hybrid_l1 *l1)
{
    turns_reset(&l1->turns);
    cache_reset(&l1->tags);
    calendar_reset(&l1->other, &l1->hybrid->clock, 0);
    l1->lines_held = 0;
    l1->misses.count = 0;
    l1->stores = (struct hybrid_list){0};
    l1->misses_left = l1->hybrid->misses;
    l1->stores_left = l1->hybrid->stores;
    l1->waves = 0;
    hybrid_l1_reside(l1, 0);
}
