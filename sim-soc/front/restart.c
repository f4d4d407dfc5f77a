/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Restart contexts are written in the order in which wavefronts were saved; while the ring has no
 * space, those keep their contexts. Restarts are in order of their packets for each compute unit:
 * one whose compute unit is full holds back no other. */
#include "front/restart.h"

static void write_record(const struct gpu *gpu, const struct wave *wave, struct sl_yield *record)
{
    *record = (struct sl_yield){
        .block = wave->private_base - gpu->layout.save_area_bytes,
        .wavefront = wave->number,
        .resource = (uint32_t)wave->yield_resource,
        .demand = (uint32_t)wave->yield_demand,
        .channel = wave->launch.channel,
        .dispatch = wave->launch.dispatch,
        .cu = wave->simd->cu->number,
        .bytes = wave->yield_bytes,
        .time_ps = gpu->wheel.now * gpu->shape.cycle_ps,
    };
}

void restart_flush(struct dispatcher *dispatcher)
{
    uint32_t head = (uint32_t)window_read(&dispatcher->window, SL_REG_YIELD_HEAD);

    while (dispatcher->yielding_first != NULL && dispatcher->yield_tail - head < SL_YIELD_ENTRIES) {
        struct wave *wave = dispatcher->yielding_first;
        struct sl_yield *record =
            dispatcher_ring_entry(dispatcher, SL_REG_YIELD_BASE, dispatcher->yield_tail,
                                  SL_YIELD_ENTRIES, sizeof(*record));
        if (record == NULL) {
            break;
        }
        write_record(dispatcher->gpu, wave, record);
        dispatcher->yield_tail++;
        dispatcher->yielding_first = wave->next_yielding;
        gpu_yield_release(dispatcher->gpu, wave);
    }
    dispatcher_show(dispatcher);
    dispatcher_wake(dispatcher, dispatcher->gpu->wheel.now + 1);
}

void restart_yielded(void *owner, struct wave *wave)
{
    struct dispatcher *dispatcher = owner;

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
    return dispatcher_ring_entry(owner, SL_REG_YIELD_BASE, 0, SL_YIELD_ENTRIES,
                                 sizeof(struct sl_yield)) != NULL;
}

bool restart_take(struct dispatcher *dispatcher, uint64_t address)
{
    struct gpu *gpu = dispatcher->gpu;
    uint32_t block = gpu_yielded_block(gpu, address);

    if (block == BLOCK_NONE) {
        return false;
    }
    gpu->yielded[block].is_restarting = true;
    gpu->yielded[block].ready_cycle = gpu->wheel.now + dispatcher->packet_cycles;
    gpu->yielded[block].next = BLOCK_NONE;
    if (dispatcher->restart_first == BLOCK_NONE) {
        dispatcher->restart_first = block;
    } else {
        gpu->yielded[dispatcher->restart_last].next = block;
    }
    dispatcher->restart_last = block;
    dispatcher->restarts++;
    return true;
}

bool restart_next(struct dispatcher *dispatcher, uint64_t cycle)
{
    struct gpu *gpu = dispatcher->gpu;
    uint32_t before = BLOCK_NONE;
    uint32_t block = dispatcher->restart_first;

    while (block != BLOCK_NONE && gpu->yielded[block].ready_cycle <= cycle) {
        uint32_t next = gpu->yielded[block].next;
        if (gpu_can_restart(gpu, block)) {
            if (before == BLOCK_NONE) {
                dispatcher->restart_first = next;
            } else {
                gpu->yielded[before].next = next;
            }
            if (dispatcher->restart_last == block) {
                dispatcher->restart_last = before;
            }
            dispatcher->restarts--;
            gpu_restart(gpu, block);
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

    for (uint32_t block = dispatcher->restart_first; block != BLOCK_NONE;
         block = gpu->yielded[block].next) {
        if (gpu->yielded[block].ready_cycle > cycle) {
            return gpu->yielded[block].ready_cycle;
        }
    }
    return WHEEL_NEVER;
}
