/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Requests to the memory system, and events for observers. */
#include "simt/lifecycle/sync.h"

#include "simt/ordering/ordering.h"
#include "simt/schedule/ready.h"

static void observe(const struct wave *wave, const struct mem_request *request, uint64_t time_ps)
{
    const struct cu *cu = wave_cu(wave);

    if (!probe_enabled(cu->env->stream, OBS_SYNC)) {
        return;
    }
    const struct simt_stack *stack = &wave->stack;
    const uint64_t pc = stack->depth > 0 ? stack->entries[stack->depth - 1].pc : 0;
    const struct obs_event event = {
        .time_ps = time_ps,
        .kind = OBS_SYNC,
        .wave = wave_observed(wave),
        .sync =
            {
                .from = request->from,
                .sync = request->sync,
                .scope = request->scope,
                .acquire = request->acquire,
                .release = request->release,
                .place = wave->memory_count,
                .pc = cu->env->program.base + pc,
            },
    };
    probe_emit(cu->env->stream, &event);
}

static void sync_done(struct mem_request *request, uint64_t time_ps)
{
    struct wave *wave = CONTAINER_OF(request, struct wave, sync.request);

    observe(wave, request, time_ps);
    event_queue_insert(wave_cu(wave)->event_queue, &wave->sync.over,
                       event_queue_cycle_at(wave_cu(wave)->event_queue, time_ps));
}

static const struct mem_client sync_client = {.complete = sync_done};

uint64_t wave_synchronize(struct wave *wave, const struct sync_kind *kind, uint64_t cycle,
                          void (*then)(struct wave *wave, uint64_t cycle))
{
    struct cu *cu = wave_cu(wave);
    struct mem_system *mem = cu->mem;

    if (mem->ops->sync == NULL && !probe_enabled(cu->env->stream, OBS_SYNC)) {
        return cycle;
    }
    struct mem_request *request = &wave->sync.request;
    *request = (struct mem_request){
        .time_ps = cycle * cu->shape.cycle_ps,
        .from = {MEM_CU, (uint16_t)cu->number},
        .scope = kind->scope,
        .sync = (uint8_t)kind->sync,
        .acquire = kind->acquire,
        .release = kind->release,
        .dispatch = wave->launch.dispatch,
        .wave = wave->number,
        .client = &sync_client,
    };
    if (kind->ends) {
        request->address = wave->private_base;
        request->bytes = (uint32_t)(cu->shape.lanes * cu->shape.stack_bytes);
    }
    wave->sync.then = then;
    const uint64_t done_ps =
        mem->ops->sync == NULL ? request->time_ps : mem->ops->sync(mem, request);
    if (done_ps == MEM_PENDING) {
        return EVENT_QUEUE_NEVER;
    }
    observe(wave, request, done_ps);
    return event_queue_cycle_at(cu->event_queue, done_ps);
}

void sync_over_event(struct event *event)
{
    struct wave *wave = CONTAINER_OF(event, struct wave, sync.over);

    wave->sync.then(wave, event->cycle);
}

bool sync_is_over(struct wave *wave, const struct sync_kind *kind, uint64_t cycle,
                  void (*then)(struct wave *wave, uint64_t cycle))
{
    const uint64_t over = wave_synchronize(wave, kind, cycle, then);

    if (over != EVENT_QUEUE_NEVER && over > cycle) {
        wave->sync.then = then;
        event_queue_insert(wave_cu(wave)->event_queue, &wave->sync.over, over);
    }
    return over == cycle;
}

/* What it is that a wavefront waits for until a synchronization is over. */
static enum sl_stall stall_of(uint8_t sync)
{
    switch ((enum mem_sync)sync) {
    case MEM_SYNC_BARRIER:
        return SL_STALL_BARRIER;
    case MEM_SYNC_PACKET:
    case MEM_SYNC_LAUNCH:
        return SL_STALL_PACKET;
    case MEM_SYNC_YIELD:
    case MEM_SYNC_RESTART:
        return SL_STALL_YIELD;
    default:
        return SL_STALL_ORDER;
    }
}

static void let_go(struct wave *wave, uint64_t cycle)
{
    wave->pending_holds--;
    order_gate(wave, cycle, stall_of(wave->sync.request.sync));
    ready_wake(wave);
}

void wave_synchronize_and_stall(struct wave *wave, const struct sync_kind *kind, uint64_t cycle)
{
    const uint64_t over = wave_synchronize(wave, kind, cycle, let_go);

    if (over == EVENT_QUEUE_NEVER) {
        wave->pending_holds++;
    } else if (over > cycle) {
        order_gate(wave, over, stall_of((uint8_t)kind->sync));
    }
}
