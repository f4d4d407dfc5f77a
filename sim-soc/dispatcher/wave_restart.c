/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Restart contexts are written in the order in which wavefronts were saved; while the ring has no
 * space, those keep their contexts. Restarts are in order of their packets for each compute unit:
 * one whose compute unit is full holds back no other. Only LDS goes strictly in that order: while
 * one waits for it, nothing else takes any there, so that small demands cannot keep a large one
 * waiting for ever (docs/know/design.md, "LDS of wavefronts"). */
#include "dispatcher/wave_restart.h"

static struct sl_yield describe(const struct gpu *gpu, const struct wave *wave)
{
    return (struct sl_yield){
        .block = pool_address(&gpu->pool, wave->block),
        .wavefront = wave->number,
        .resource = (uint32_t)wave->yield_resource,
        .demand = (uint32_t)wave->yield_demand,
        .channel = wave->launch.channel,
        .dispatch = wave->launch.dispatch,
        .cu = wave->simd->cu->number,
        .bytes = wave->yield_bytes,
        .time_ps = event_queue_now_ps(gpu->event_queue),
    };
}

void restart_seen(void *owner, void *tag)
{
    struct dispatcher *dispatcher = owner;

    yield_release(tag);
    if (!dispatcher->port.is_free) {
        dispatcher_show(dispatcher);
        dispatcher_wake(dispatcher, dispatcher->gpu->event_queue->now + 1);
    }
}

void restart_flush(struct dispatcher *dispatcher)
{
    while (dispatcher->yielding_first != NULL && records_have_space(&dispatcher->yields)) {
        struct wave *wave = dispatcher->yielding_first;
        const struct sl_yield record = describe(dispatcher->gpu, wave);
        dispatcher->yielding_first = wave->next_yielding;
        records_put(&dispatcher->yields, &record, wave);
    }
    dispatcher_show(dispatcher);
    dispatcher_wake(dispatcher, dispatcher->gpu->event_queue->now + 1);
}

void restart_yielded(void *owner, struct wave *wave)
{
    struct dispatcher *dispatcher = owner;
    struct dispatcher_packet *slot = &dispatcher->packets[wave->launch.slot];

    slot->busy_cycles += dispatcher->gpu->event_queue->now;
    slot->accesses += wave->memory_count;
    wave->next_yielding = NULL;
    if (dispatcher->yielding_first == NULL) {
        dispatcher->yielding_first = wave;
    } else {
        dispatcher->yielding_last->next_yielding = wave;
    }
    dispatcher->yielding_last = wave;
    restart_flush(dispatcher);
}

bool restart_takes_yields(void *owner)
{
    const struct dispatcher *dispatcher = owner;

    return records_are_placed(&dispatcher->yields);
}

bool restart_take(struct dispatcher *dispatcher, uint64_t address)
{
    struct gpu *gpu = dispatcher->gpu;
    uint32_t block = pool_find_yielded(&gpu->pool, address);

    if (block == POOL_NONE) {
        return false;
    }
    gpu->pool.yielded[block].is_restarting = true;
    gpu->pool.yielded[block].ready_cycle = gpu->event_queue->now + dispatcher->packet_cycles;
    gpu->pool.yielded[block].next = POOL_NONE;
    if (dispatcher->restart_first == POOL_NONE) {
        dispatcher->restart_first = block;
    } else {
        gpu->pool.yielded[dispatcher->restart_last].next = block;
    }
    dispatcher->restart_last = block;
    dispatcher->restarts++;
    return true;
}

/* Whether the compute unit of a yielded wavefront has a context, registers and LDS for it now. */
static bool has_room(struct dispatcher *dispatcher, uint32_t block)
{
    const struct yielded *yielded = &dispatcher->gpu->pool.yielded[block];
    const struct cu *cu = &dispatcher->gpu->cus[yielded->cu];
    const uint32_t lds_bytes = yielded->launch.lds_bytes;

    if (lds_bytes != 0 &&
        (restart_awaits_lds(dispatcher, yielded->cu) || !lds_has_space(cu, lds_bytes))) {
        dispatcher->lds_awaited |= 1ull << yielded->cu;
        return false;
    }
    return cu_has_room(cu, yielded->launch.registers);
}

bool restart_next(struct dispatcher *dispatcher, uint64_t cycle)
{
    struct gpu *gpu = dispatcher->gpu;
    uint32_t before = POOL_NONE;
    uint32_t block = dispatcher->restart_first;

    dispatcher->lds_awaited = 0;
    while (block != POOL_NONE && gpu->pool.yielded[block].ready_cycle <= cycle) {
        uint32_t next = gpu->pool.yielded[block].next;
        if (has_room(dispatcher, block)) {
            if (before == POOL_NONE) {
                dispatcher->restart_first = next;
            } else {
                gpu->pool.yielded[before].next = next;
            }
            if (dispatcher->restart_last == block) {
                dispatcher->restart_last = before;
            }
            dispatcher->restarts--;
            const struct yielded *yielded = &gpu->pool.yielded[block];
            dispatcher->packets[yielded->launch.slot].busy_cycles -= cycle;
            restart_wave(&gpu->cus[yielded->cu], block);
            return true;
        }
        before = block;
        block = next;
    }
    return false;
}

uint64_t restart_ready_cycle(const struct dispatcher *dispatcher, uint64_t cycle)
{
    const struct gpu *gpu = dispatcher->gpu;

    for (uint32_t block = dispatcher->restart_first; block != POOL_NONE;
         block = gpu->pool.yielded[block].next) {
        if (gpu->pool.yielded[block].ready_cycle > cycle) {
            return gpu->pool.yielded[block].ready_cycle;
        }
    }
    return EVENT_QUEUE_NEVER;
}
