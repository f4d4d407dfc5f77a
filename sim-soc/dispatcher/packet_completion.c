/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A packet is complete when all its wavefronts have ended and memory has heard of it. Its slot is
 * free for another one when firmware can see its record. */
#include "dispatcher/packet_completion.h"

#include "dispatcher/packet_fetch.h"

#define PS_PER_NS 1000u

void completion_seen(void *owner, void *tag)
{
    struct dispatcher *dispatcher = owner;
    struct dispatcher_packet *slot = tag;

    slot->used = false;
    if (!dispatcher->port.is_free) {
        completion_flush(dispatcher);
    }
}

void completion_flush(struct dispatcher *dispatcher)
{
    while (dispatcher->finished_head != dispatcher->finished_tail &&
           records_have_space(&dispatcher->completions)) {
        uint32_t index = dispatcher->finished[dispatcher->finished_head++ & DISPATCHER_PACKET_MASK];
        struct dispatcher_packet *slot = &dispatcher->packets[index];
        const struct sl_completion record = {
            .id = slot->packet.id,
            .channel = slot->packet.channel,
            .elements = slot->units,
            .wavefronts = slot->wavefronts_launched,
            .time_ps = slot->complete_ps,
            .busy_ns =
                (uint32_t)(slot->busy_cycles * dispatcher->gpu->event_queue->cycle_ps / PS_PER_NS),
            .accesses = (uint32_t)slot->accesses,
        };
        records_put(&dispatcher->completions, &record, slot);
    }
    if (dispatcher->ring_head != dispatcher->ring_tail) {
        intake_take(dispatcher);
        /* The first packet of the queue may be ready: the launch looks at when. */
        dispatcher_wake(dispatcher, dispatcher->gpu->event_queue->now + 1);
    }
    dispatcher_show(dispatcher);
}

static void observe(const struct dispatcher *dispatcher, const struct dispatcher_packet *slot)
{
    if (!probe_enabled(dispatcher->port.stream, OBS_SYNC)) {
        return;
    }
    const struct obs_event event = {
        .time_ps = slot->complete_ps,
        .kind = OBS_SYNC,
        .wave =
            {
                .kernel = slot->packet.kernel,
                .dispatch = slot->packet.id,
                .channel = slot->packet.channel,
                .group = UINT32_MAX,
            },
        .sync = {.from = {.kind = MEM_FRONT}, .sync = MEM_SYNC_STEP, .scope = SL_SCOPE_DEVICE},
    };
    probe_emit(dispatcher->port.stream, &event);
}

static void complete(struct dispatcher *dispatcher, struct dispatcher_packet *slot)
{
    slot->complete_ps = dispatcher_now_ps(dispatcher);
    observe(dispatcher, slot);
    dispatcher->finished[dispatcher->finished_tail++ & DISPATCHER_PACKET_MASK] =
        (uint32_t)(slot - dispatcher->packets);
    completion_flush(dispatcher);
}

static void step_event(struct event *event)
{
    struct dispatcher_packet *slot = CONTAINER_OF(event, struct dispatcher_packet, stepped);

    slot->dispatcher->stepping--;
    complete(slot->dispatcher, slot);
}

static void step_done(struct mem_request *request, uint64_t time_ps)
{
    struct dispatcher_packet *slot = CONTAINER_OF(request, struct dispatcher_packet, step);
    struct event_queue *event_queue = slot->dispatcher->gpu->event_queue;

    event_queue_insert(event_queue, &slot->stepped, event_queue_cycle_at(event_queue, time_ps));
}

/* All wavefronts of a packet have ended. Memory is told, and the packet is complete when that is
 * over. */
static void end_packet(struct dispatcher *dispatcher, struct dispatcher_packet *slot)
{
    static const struct mem_client client = {.complete = step_done};
    struct mem_system *mem = dispatcher->gpu->mem;
    struct event_queue *event_queue = dispatcher->gpu->event_queue;

    if (mem->ops->sync == NULL) {
        complete(dispatcher, slot);
        return;
    }
    dispatcher->stepping++;
    slot->stepped = (struct event){.run = step_event, .rank = EVENT_OTHER};
    slot->step = (struct mem_request){
        .time_ps = event_queue_now_ps(event_queue),
        .from = {.kind = MEM_FRONT},
        .scope = SL_SCOPE_DEVICE,
        .sync = MEM_SYNC_STEP,
        .dispatch = slot->packet.id,
        .client = &client,
    };
    const uint64_t over_ps = mem->ops->sync(mem, &slot->step);
    if (over_ps != MEM_PENDING) {
        event_queue_insert(event_queue, &slot->stepped, event_queue_cycle_at(event_queue, over_ps));
    }
}

void completion_wave_ended(void *owner, const struct wave *wave)
{
    struct dispatcher *dispatcher = owner;
    struct dispatcher_packet *slot = &dispatcher->packets[wave->launch.slot];

    slot->wavefronts_ended++;
    slot->busy_cycles += dispatcher->gpu->event_queue->now;
    slot->accesses += wave->memory_count;
    if (slot->units_launched == slot->units &&
        slot->wavefronts_ended == slot->wavefronts_launched) {
        end_packet(dispatcher, slot);
    }
    dispatcher_show(dispatcher);
    dispatcher_wake(dispatcher, dispatcher->gpu->event_queue->now + 1);
}
