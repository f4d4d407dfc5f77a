/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What compute units do next, at random: accesses, synchronization, wavefronts that come and go. */
#include "soc/memory_fuzz/traffic.h"

#include "common/check.h"
#include "isa/isa.h"

/* Mostly at once. */
static uint64_t pause_ps(struct traffic *traffic)
{
    static const uint32_t cycles[] = {1, 1, 1, 1, 4, 8, 40, 400};

    return traffic->event_queue.cycle_ps *
           (1 + traffic_random(traffic, cycles[traffic_random(traffic, 8)]));
}

void traffic_wake(struct traffic_unit *unit)
{
    struct traffic *traffic = unit->traffic;

    if (!unit->turn.queued && unit->stage == TRAFFIC_ACTS) {
        event_queue_insert_at(&traffic->event_queue, &unit->turn,
                              traffic_now_ps(traffic) + pause_ps(traffic));
    }
}

/* ---- synchronization ---- */

static bool is_wide(unsigned scope)
{
    return scope == SL_SCOPE_DEVICE || scope == SL_SCOPE_SYSTEM;
}

static void sync_done(struct mem_request *request, uint64_t time_ps)
{
    struct traffic_unit *unit = CONTAINER_OF(request, struct traffic_unit, sync);

    assert_false(unit->traffic->is_over);
    assert_int_equal(unit->traffic->in_call, 0);
    assert_true(unit->is_syncing && !unit->synced.queued);
    assert_true(time_ps >= traffic_now_ps(unit->traffic) && time_ps >= request->time_ps);
    event_queue_insert_at(&unit->traffic->event_queue, &unit->synced, time_ps);
}

static const struct mem_client sync_client = {.complete = sync_done};

/* Tells memory; the event `synced` comes when that is over. */
static void tell(struct traffic_unit *unit, struct mem_request request)
{
    struct traffic *traffic = unit->traffic;

    request.from = (struct mem_requester){MEM_CU, unit->cu};
    request.wave = unit->cu * TRAFFIC_WAVES + traffic_random(traffic, TRAFFIC_WAVES);
    request.client = &sync_client;
    versions_look(traffic->versions);
    unit->is_syncing = true;
    unit->sync = request;
    unit->told = traffic->versions->changes;
    if (traffic->options.fault == TRAFFIC_UNTOLD && request.acquire &&
        request.sync == MEM_SYNC_FENCE && traffic_random(traffic, 4) == 0) {
        event_queue_insert_at(&traffic->event_queue, &unit->synced, request.time_ps);
        return;
    }
    traffic->in_call++;
    const uint64_t over_ps = traffic->mem->ops->sync(traffic->mem, &unit->sync);
    traffic->in_call--;
    if (over_ps != MEM_PENDING) {
        assert_true(over_ps >= request.time_ps);
        event_queue_insert_at(&traffic->event_queue, &unit->synced, over_ps);
    }
}

void traffic_acquire(struct traffic_unit *unit, enum mem_sync sync, unsigned scope,
                     uint64_t time_ps)
{
    tell(unit,
         (struct mem_request){
             .time_ps = time_ps, .sync = (uint8_t)sync, .scope = (uint8_t)scope, .acquire = true});
}

static void tell_soon(struct traffic_unit *unit, enum mem_sync sync, unsigned scope, bool acquire,
                      bool release)
{
    struct traffic *traffic = unit->traffic;

    tell(unit,
         (struct mem_request){.time_ps = traffic_now_ps(traffic) +
                                         traffic_random(traffic, 3) * traffic->event_queue.cycle_ps,
                              .sync = (uint8_t)sync,
                              .scope = (uint8_t)scope,
                              .acquire = acquire,
                              .release = release});
}

/* A wavefront ends; the last one is that of the packet. */
static void end_wave(struct traffic_unit *unit)
{
    const bool is_last = --unit->waves == 0;

    tell(unit,
         (struct mem_request){.time_ps = traffic_now_ps(unit->traffic),
                              .sync = is_last ? MEM_SYNC_PACKET : MEM_SYNC_END,
                              .scope = SL_SCOPE_DEVICE,
                              .release = is_last,
                              .address = TRAFFIC_STACK + unit->cu * (uint64_t)VERSIONS_LINE_BYTES,
                              .bytes = VERSIONS_LINE_BYTES});
    if (is_last) {
        unit->stage = TRAFFIC_ENDS;
    }
}

void traffic_begin_packet(struct traffic_unit *unit)
{
    unit->stage = TRAFFIC_BEGINS;
    unit->waves = 1;
    tell_soon(unit, MEM_SYNC_PACKET, SL_SCOPE_DEVICE, true, false);
}

static void fence(struct traffic_unit *unit)
{
    const uint32_t which = 1 + traffic_random(unit->traffic, 3);

    tell_soon(unit, MEM_SYNC_FENCE, SL_SCOPE_WORKGROUP + traffic_random(unit->traffic, 3),
              (which & 1) != 0, (which & 2) != 0);
}

/* One that comes, goes, or comes again. */
static void change_waves(struct traffic_unit *unit)
{
    const uint32_t what = traffic_random(unit->traffic, 8);

    if (what < 4 && unit->waves + unit->yielded < TRAFFIC_WAVES) {
        unit->waves++;
        tell_soon(unit, MEM_SYNC_LAUNCH, SL_SCOPE_DEVICE, false, false);
    } else if (what < 5 && unit->waves > 1) {
        unit->waves--;
        unit->yielded++;
        tell_soon(unit, MEM_SYNC_YIELD, SL_SCOPE_DEVICE, false, true);
    } else if (what < 6 && unit->yielded > 0) {
        unit->waves++;
        unit->yielded--;
        tell_soon(unit, MEM_SYNC_RESTART, SL_SCOPE_DEVICE, true, false);
    } else if (unit->waves > 1) {
        end_wave(unit);
    }
}

void traffic_synced(struct event *event)
{
    struct traffic_unit *unit = CONTAINER_OF(event, struct traffic_unit, synced);
    const struct mem_request *sync = &unit->sync;

    if (unit->traffic->is_over) {
        return;
    }
    unit->is_syncing = false;
    if (sync->acquire && is_wide(sync->scope)) {
        unit->acquired = unit->told;
    }
    if (unit->stage == TRAFFIC_ENDS) {
        unit->stage = TRAFFIC_ENDED;
    } else {
        unit->stage = TRAFFIC_ACTS;
        if (sync->sync == MEM_SYNC_OPERATION && sync->release) {
            traffic_access_coherent(unit, false, true);
        }
    }
    traffic_wake(unit);
}

/* ---- turns ---- */

static void begin_sync(struct traffic_unit *unit)
{
    struct traffic *traffic = unit->traffic;
    const uint32_t what = traffic_random(traffic, 16);

    if (what < 5) {
        unit->is_syncing = true; /* which comes with the answer */
        traffic_access_coherent(unit, true, false);
    } else if (what < 8) {
        fence(unit);
    } else if (what < 10) {
        tell_soon(unit, MEM_SYNC_OPERATION, SL_SCOPE_DEVICE, false, true);
    } else if (what < 11) {
        tell_soon(unit, MEM_SYNC_BARRIER, SL_SCOPE_WORKGROUP, traffic_random(traffic, 2) != 0,
                  false);
    } else {
        change_waves(unit);
    }
}

static void act(struct traffic_unit *unit)
{
    struct traffic *traffic = unit->traffic;
    const uint32_t what = traffic_random(traffic, 64);

    if (what < 50) {
        traffic_access_plain(unit);
    } else if (what < 55) {
        traffic_access_coherent(unit, false, false);
    } else if (what < 58) {
        traffic_access_reserved(unit);
    } else if (what < 59) {
        traffic_fetch(unit);
    } else if (!unit->is_syncing) {
        begin_sync(unit);
    }
}

/* The phase is at its end: what has yielded goes on, and all end. */
static void end(struct traffic_unit *unit)
{
    if (unit->pending > 0 || unit->is_syncing) {
        return; /* it is woken when these are over */
    }
    if (unit->yielded > 0) {
        unit->yielded--;
        unit->waves++;
        tell_soon(unit, MEM_SYNC_RESTART, SL_SCOPE_DEVICE, true, false);
        return;
    }
    if (unit->waves == 1 && unit->traffic->mem->ops->functional_read != NULL) {
        traffic_peek(unit);
    }
    end_wave(unit);
}

void traffic_turn(struct event *event)
{
    struct traffic_unit *unit = CONTAINER_OF(event, struct traffic_unit, turn);
    struct traffic *traffic = unit->traffic;

    if (traffic->is_over) {
        return;
    }
    if (traffic->accesses >= traffic->phase_end) {
        end(unit);
    } else if (unit->pending < TRAFFIC_PENDING) {
        act(unit);
        traffic_wake(unit);
    }
}
