/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The list of consistency models, and what they have instructions wait for. */
#include "simt/ordering/consistency_model.h"

#include "engine/clock.h"
#include "simt/ordering/access_overlap.h"
#include "simt/ordering/issue_gate.h"
#include "sluice/config.h"

const struct order_model *order_model_of(const struct sl_config *config)
{
    static const struct order_model *const models[] = {
        [SL_GPU_CONSISTENCY_RMO] = &order_rmo,
        [SL_GPU_CONSISTENCY_SC] = &order_sc,
        [SL_GPU_CONSISTENCY_SC_WB] = &order_sc_wb,
        [SL_GPU_CONSISTENCY_TSO] = &order_tso,
    };
    const struct order_model *model = models[config->number[SL_CFG_GPU_CONSISTENCY]];
    const bool blocks = config->number[SL_CFG_GPU_RMO_LOADS] == SL_GPU_RMO_LOADS_BLOCK;

    return model == &order_rmo && blocks ? &order_rmo_block : model;
}

/* ---- what an instruction waits for ---- */

static const struct mem_instr *youngest_match(const struct mem_instr *memory)
{
    const struct wave_order *order = &memory->wave->order;
    const struct mem_instr *found = NULL;

    if (memory->lds_lanes == 0 && !mem_range_overlaps(&memory->range, &order->range)) {
        return NULL;
    }
    for (const struct mem_instr *m = order->oldest; m != NULL; m = m->next_buffered) {
        found = overlap_lanes(memory, m) ? m : found;
    }
    return found;
}

const struct mem_instr *order_awaited(const struct mem_instr *memory, enum sl_order_wait *reason)
{
    const struct wave *wave = memory->wave;
    const struct order_model *model = wave_cu(wave)->order;
    const struct mem_instr *drain = NULL;
    const struct mem_instr *match = NULL;

    *reason = SL_ORDER_WAIT_NONE;
    if (wave->order.count == 0 || memory->is_buffered) {
        return NULL;
    }
    const bool is_inside = order_is_inside(wave_cu(wave), memory);
    if (is_inside) {
        drain = model->drains(wave, memory->op, memory->lanes);
    }
    if (!is_inside || model->passes) {
        match = youngest_match(memory);
    }
    const struct mem_instr *awaited = order_younger(drain, match);
    if (awaited != NULL) {
        *reason = awaited == drain ? SL_ORDER_WAIT_DRAIN : SL_ORDER_WAIT_MATCH;
    }
    return awaited;
}

/* ---- before the issue ---- */

/* Whether the instruction waits for the buffer before it issues. Those of the load/store unit do
 * when their lanes are placed. */
static bool waits_before(const struct wave *wave, const struct simt_op *op)
{
    const bool asks =
        op->access_bytes == 0 ? op->drain >= DRAIN_BUFFER : op->class == SL_CLASS_LOCK;

    return asks && wave->order.count != 0 &&
           wave_cu(wave)->order->drains(wave, op, wave_mask(wave)) != NULL;
}

/* The instruction could have issued from a cycle on; it may from another one on. */
static uint64_t count_blocked(const struct wave *wave, uint64_t from, uint64_t to)
{
    const uint64_t cycles = to > from ? to - from : 0;

    wave_cu(wave)->counters.order_blocked_cycles += cycles;
    return cycles;
}

uint64_t order_model_ready(struct wave *wave, const struct simt_op *op, uint64_t ready)
{
    struct wave_order *order = &wave->order;
    const struct cu *cu = wave_cu(wave);

    if (ready == EVENT_QUEUE_NEVER || order->blocked_cycle == EVENT_QUEUE_NEVER) {
        return EVENT_QUEUE_NEVER;
    }
    if (order->blocked_cycle != 0) {
        const uint64_t cycles =
            count_blocked(wave, later(ready, order->blocked_from), order->blocked_cycle);
        order->held_cycle = cycles != 0 ? order->blocked_cycle : 0;
        order_gate(wave, order->blocked_cycle, SL_STALL_ORDER);
        ready = later(ready, order->blocked_cycle);
        order->blocked_cycle = 0;
    }
    if (waits_before(wave, op)) {
        if (order->drain_from == 0) {
            order->drain_from = later(later(ready, cu->event_queue->now), wave->simd->free_cycle);
        }
        return EVENT_QUEUE_NEVER;
    }
    if (order->drain_from != 0) {
        wave_cu(wave)->counters.order_drain_wait_cycles +=
            count_blocked(wave, order->drain_from, cu->event_queue->now);
        order->drain_from = 0;
        order_held(wave, cu->event_queue->now, SL_STALL_ORDER);
    }
    wave->order_is_busy = order->count != 0;
    return ready;
}

enum sl_order_wait order_waits_for(const struct wave *wave)
{
    const struct wave_order *order = &wave->order;

    if (order->waiter != NULL) {
        return order->reason;
    }
    if (order->drain_from != 0) {
        return SL_ORDER_WAIT_DRAIN;
    }
    return order->blocked_cycle == EVENT_QUEUE_NEVER ||
                   order->held_cycle > wave_cu(wave)->event_queue->now
               ? SL_ORDER_WAIT_ACCESS
               : SL_ORDER_WAIT_NONE;
}
