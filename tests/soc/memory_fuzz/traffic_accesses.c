/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Accesses: which words of which line, what becomes of them, and what they have to find. */
#include "soc/memory_fuzz/traffic.h"

#include <stdlib.h>
#include <string.h>

#include "common/check.h"
#include "isa/isa.h"

/* ---- which ---- */

/* The first byte of some word. */
static uint32_t random_word(struct traffic *traffic)
{
    const uint32_t at = traffic_random(traffic, VERSIONS_BYTES);

    return at & ~(versions_size(at) - 1);
}

/* Words of a line: one, neighbours, some, all. */
static bool takes_word(struct traffic *traffic, uint32_t how, uint32_t word, uint32_t first,
                       uint32_t end)
{
    return how == 0   ? word == first
           : how == 1 ? word >= first && word < end
           : how == 2 ? word == first || traffic_random(traffic, 2) != 0
                      : true;
}

/* Adds the words that an access touches to its mask. Where it stores, they get versions. */
static void touch(struct traffic_unit *unit, struct traffic_access *access, bool stores)
{
    struct traffic *traffic = unit->traffic;
    const uint32_t line = (uint32_t)(access->request.address - TRAFFIC_BASE);
    const uint32_t size = versions_size(line);
    const uint32_t words = traffic->mem->line_bytes / size;
    const uint32_t how = traffic_random(traffic, 4);
    const uint32_t first = traffic_random(traffic, words);
    const uint32_t end = first + 1 + traffic_random(traffic, words - first);

    for (uint32_t word = 0; word < words; word++) {
        const uint32_t at = word * size;
        if (!takes_word(traffic, how, word, first, end)) {
            continue;
        }
        access->known[at] = traffic->versions->seen[unit->cu][line + at].made;
        if (stores) {
            access->stores[at] = versions_new(traffic->versions, line + at, unit->cu,
                                              access->load.number, &access->left);
        }
        if (!stores || access->stores[at] != 0) {
            mem_request_touch(&access->request, access->request.address + at, size);
        }
    }
}

static bool touches(const struct mem_request *request, uint32_t at)
{
    return (request->mask[at / 64] >> at % 64 & 1) != 0;
}

/* ---- what becomes of them ---- */

static void digest(struct traffic *traffic, uint64_t value)
{
    traffic->digest = (traffic->digest ^ value) * UINT64_C(0x100000001b3);
}

static void move_word(struct traffic_access *access, const struct mem_place *place, uint32_t at)
{
    uint8_t *line = place->bytes;
    struct traffic *traffic = access->traffic;
    const struct mem_request *request = &access->request;
    const uint32_t word = (uint32_t)(request->address - TRAFFIC_BASE) + at;

    if (request->kind != MEM_STORE) {
        digest(traffic, line[at]);
        if (access->is_coherent) {
            versions_check_coherent(traffic->versions, word, &access->load, access->known[at],
                                    line + at);
        } else {
            access->is_old |= versions_check_load(traffic->versions, word, &access->load,
                                                  access->known[at], line + at);
        }
    }
    if (access->step == TRAFFIC_RESERVES) {
        traffic_reserve(access, place->reservations, word);
    } else if (access->step == TRAFFIC_IS_CONDITIONAL) {
        traffic_store_conditionally(access, place->reservations, word, line + at);
    }
    if (access->stores[at] != 0) {
        versions_write(traffic->versions, word, access->stores[at], line + at);
        reservation_write(place->reservations, TRAFFIC_BASE + word);
    }
}

static void perform(struct mem_request *request, const struct mem_place *place, uint64_t lanes)
{
    struct traffic_access *access = (struct traffic_access *)request;
    struct traffic *traffic = access->traffic;
    const bool is_lost = traffic->options.fault == TRAFFIC_LOST && request->kind == MEM_STORE &&
                         traffic_random(traffic, 256) == 0;

    assert_false(traffic->is_over);
    assert_false(access->is_performed);
    assert_true(lanes == request->lanes);
    assert_non_null(place->reservations);
    assert_true(traffic_now_ps(traffic) >= request->time_ps);
    access->is_performed = true;
    versions_look(traffic->versions);
    for (uint32_t at = 0; at < traffic->mem->line_bytes && !is_lost; at++) {
        if (touches(request, at) &&
            at % versions_size((uint32_t)(request->address - TRAFFIC_BASE)) == 0) {
            move_word(access, place, at);
        }
    }
    traffic->old_loads += access->is_old;
    request->wrote_nothing = request->kind == MEM_ATOMIC && access->left == 0;
    versions_look(traffic->versions);
}

static void give_back(struct traffic_access *access)
{
    access->next = access->traffic->free;
    access->traffic->free = access;
}

static struct traffic_unit *unit_of(struct traffic_access *access)
{
    return &access->traffic->unit[access->request.from.index];
}

static void access_over(struct event *event)
{
    struct traffic_access *access = CONTAINER_OF(event, struct traffic_access, over);
    struct traffic *traffic = access->traffic;
    struct traffic_unit *unit = unit_of(access);

    if (traffic->is_over) {
        return;
    }
    versions_look(traffic->versions);
    if (access->left != 0) {
        versions_fail(traffic->versions, "store %u of %u is over, and memory lacks %u words of it",
                      access->load.number, unit->cu, access->left);
    }
    unit->pending--;
    traffic_wake(unit);
    give_back(access);
}

static void done(struct mem_request *request, uint64_t time_ps)
{
    struct traffic_access *access = (struct traffic_access *)request;
    struct traffic *traffic = access->traffic;

    assert_false(traffic->is_over);
    assert_int_equal(traffic->in_call, 0);
    assert_true(access->is_performed);
    assert_false(access->over.queued);
    assert_true(time_ps >= traffic_now_ps(traffic) && time_ps >= request->time_ps);
    versions_look(traffic->versions); /* others may follow at the same time */
    digest(traffic, time_ps);
    digest(traffic, (uint64_t)request->from.index << 32 | access->load.number);
    event_queue_insert_at(&traffic->event_queue, &access->over, time_ps);
    if (request->acquire) {
        traffic_acquire(unit_of(access), MEM_SYNC_OPERATION, request->scope, time_ps);
    }
}

static const struct mem_client client = {.apply = perform, .complete = done};
static const struct mem_client plain_client = {.complete = done};

/* ---- handing in ---- */

static struct traffic_access *take(struct traffic_unit *unit, enum mem_kind kind)
{
    struct traffic *traffic = unit->traffic;
    struct traffic_access *access = traffic->free;

    if (access == NULL) {
        access = calloc(1, sizeof *access);
        assert_non_null(access);
        access->made = traffic->made;
        traffic->made = access;
    } else {
        traffic->free = access->next;
    }
    const uint32_t lines = VERSIONS_BYTES / traffic->mem->line_bytes;
    const uint64_t line = traffic_random(traffic, lines) * traffic->mem->line_bytes;
    *access = (struct traffic_access){
        .made = access->made,
        .traffic = traffic,
        .over = {.run = access_over, .rank = EVENT_OTHER},
        .load = {unit->cu, ++unit->number, unit->acquired},
        .request = {.address = TRAFFIC_BASE + line,
                    .from = {MEM_CU, unit->cu},
                    .kind = (uint8_t)kind,
                    .scope = SL_SCOPE_WAVEFRONT,
                    .needs_global_ack = traffic_random(traffic, 2) != 0,
                    .lines = (uint16_t)(1 + traffic_random(
                                                traffic, traffic_random(traffic, 4) == 0 ? 40 : 4)),
                    .operations = (uint16_t)(4 + traffic_random(traffic, 29)),
                    .wave = unit->cu * TRAFFIC_WAVES + traffic_random(traffic, unit->waves),
                    .lanes = traffic->random | 1,
                    .client = &client},
    };
    return access;
}

static void hand_in(struct traffic_unit *unit, struct traffic_access *access)
{
    struct traffic *traffic = unit->traffic;
    struct mem_request *request = &access->request;
    const uint32_t ahead = traffic_random(traffic, 4) == 0 ? traffic_random(traffic, 4) : 0;

    request->time_ps = traffic_now_ps(traffic) + ahead * traffic->event_queue.cycle_ps;
    request->time_ps = request->time_ps < unit->time_ps ? unit->time_ps : request->time_ps;
    unit->time_ps = request->time_ps;
    unit->pending++;
    traffic->in_call++;
    const struct mem_answer answer = traffic->mem->ops->access(traffic->mem, request);
    traffic->in_call--;
    if (answer.done_ps != MEM_PENDING) {
        assert_int_equal(request->kind, MEM_FETCH); /* all others pend */
        assert_true(answer.perform_ps >= request->time_ps && answer.done_ps >= answer.perform_ps);
        event_queue_insert_at(&traffic->event_queue, &access->over, answer.done_ps);
    }
}

void traffic_access_plain(struct traffic_unit *unit)
{
    struct traffic *traffic = unit->traffic;
    const bool is_store = traffic_random(traffic, traffic->loads + 1) == 0;
    struct traffic_access *access = take(unit, is_store ? MEM_STORE : MEM_LOAD);

    touch(unit, access, is_store);
    if ((access->request.mask[0] | access->request.mask[1]) == 0) {
        give_back(access); /* its words have all versions that they can have */
        return;
    }
    traffic->accesses++;
    hand_in(unit, access);
}

void traffic_access_coherent(struct traffic_unit *unit, bool acquires, bool releases)
{
    static const enum mem_kind kinds[] = {MEM_LOAD, MEM_ATOMIC, MEM_STORE};
    struct traffic *traffic = unit->traffic;
    const uint32_t first = releases ? 1 : 0;
    const enum mem_kind kind = kinds[first + traffic_random(traffic, (acquires ? 2 : 3) - first)];
    struct traffic_access *access = take(unit, kind);
    struct mem_request *request = &access->request;
    const bool is_plain = traffic->options.fault == TRAFFIC_INCOHERENT && kind == MEM_LOAD &&
                          traffic_random(traffic, 16) == 0;

    touch(unit, access, kind == MEM_STORE || (kind == MEM_ATOMIC && traffic_random(traffic, 4)));
    if ((request->mask[0] | request->mask[1]) == 0) {
        touch(unit, access, false);
        request->kind = MEM_LOAD;
    }
    access->is_coherent = true;
    request->atomic = !is_plain;
    request->scope = (uint8_t)(SL_SCOPE_WAVEFRONT + traffic_random(traffic, 4));
    if (acquires || releases) {
        request->scope = (uint8_t)(SL_SCOPE_DEVICE + traffic_random(traffic, 2));
    }
    request->acquire = acquires;
    request->release = releases && request->kind != MEM_LOAD;
    traffic->accesses++;
    traffic->coherent_loads += request->kind == MEM_LOAD;
    traffic->operations += request->operations;
    hand_in(unit, access);
}

void traffic_access_reserved(struct traffic_unit *unit)
{
    struct traffic *traffic = unit->traffic;
    const bool reserves = unit->reserved.in == NULL || traffic_random(traffic, 4) == 0;
    struct traffic_access *access = take(unit, MEM_ATOMIC);
    struct mem_request *request = &access->request;
    const uint32_t at = reserves ? random_word(traffic) : unit->reserved.at;
    const uint32_t offset = at % traffic->mem->line_bytes;

    access->step = reserves ? TRAFFIC_RESERVES : TRAFFIC_IS_CONDITIONAL;
    access->is_coherent = true;
    access->known[offset] = traffic->versions->seen[unit->cu][at].made;
    request->address = TRAFFIC_BASE + at - offset;
    request->atomic = true;
    request->scope = SL_SCOPE_DEVICE;
    request->operations = 1;
    mem_request_touch(request, TRAFFIC_BASE + at, versions_size(at));
    traffic->accesses++;
    traffic->operations++;
    hand_in(unit, access);
}

void traffic_fetch(struct traffic_unit *unit)
{
    struct traffic_access *access = take(unit, MEM_FETCH);

    access->request.address =
        TRAFFIC_CODE + traffic_random(unit->traffic, 16) * SL_CACHE_LINE_BYTES;
    access->request.from.kind = MEM_CU_CODE;
    access->request.client = &plain_client;
    access->is_performed = true;
    hand_in(unit, access);
}

/* ---- the aggregator, and who looks from outside ---- */

/* At once, in DRAM. Its core is ahead, and behind by one reorder window. */
void traffic_aggregate(struct traffic *traffic)
{
    const uint32_t at = random_word(traffic);
    uint8_t *bytes = dram_at(&traffic->dram, TRAFFIC_BASE + at);
    bool is_store = traffic_random(traffic, 2) == 0;
    uint32_t left = 0;
    const uint8_t version = is_store ? versions_new(traffic->versions, at, TRAFFIC_AGGREGATOR,
                                                    ++traffic->aggregator_number, &left)
                                     : 0;
    struct mem_request request = {
        .time_ps = traffic_now_ps(traffic) + traffic_random(traffic, 64) * 500,
        .address = TRAFFIC_BASE + at,
        .from = {.kind = MEM_AGG},
        .kind = version != 0 ? MEM_STORE : MEM_LOAD,
    };

    versions_look(traffic->versions);
    if (version != 0) {
        versions_write(traffic->versions, at, version, bytes);
        versions_look(traffic->versions);
    }
    traffic->operations++;
    traffic->in_call++;
    const struct mem_answer answer = traffic->mem->ops->access(traffic->mem, &request);
    assert_true(answer.perform_ps >= request.time_ps && answer.done_ps >= answer.perform_ps);
    assert_int_not_equal(answer.done_ps, MEM_PENDING);
    if (version != 0) {
        reservation_write(&traffic->mem->reservations, request.address);
        if (traffic->mem->ops->notify_write != NULL) {
            traffic->mem->ops->notify_write(traffic->mem, request.address, versions_size(at));
        }
    }
    traffic->in_call--;
    digest(traffic, answer.done_ps);
}

void traffic_peek(struct traffic_unit *unit)
{
    struct traffic *traffic = unit->traffic;
    uint8_t bytes[8];

    for (unsigned i = 0; i < 16; i++) {
        const uint32_t at = random_word(traffic);
        const struct versions_load load = {unit->cu, ++unit->number, unit->acquired};
        traffic->mem->ops->functional_read(traffic->mem, (struct mem_requester){MEM_CU, unit->cu},
                                           TRAFFIC_BASE + at, bytes, versions_size(at));
        (void)versions_check_load(traffic->versions, at, &load,
                                  traffic->versions->seen[unit->cu][at].made, bytes);
    }
}
