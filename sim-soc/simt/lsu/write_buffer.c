/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Memory instructions where a consistency model holds some back
 * (simt/ordering/consistency_model.h): the write buffer of a wavefront, and the one instruction
 * that waits in front of it.
 *
 * The buffer is a FIFO of store instructions, with the addresses and values of their lanes. It
 * takes no time (papers/000 Table 3.1: perfect, instant access). The oldest store is sent, through
 * the compute unit's port as any other; when it is done the next one is, by an event, since memory
 * wants requests in the order of time. Values change, and reservations break, where it takes
 * effect. Addresses were judged when it issued, so nothing in the buffer can fault, and it drains
 * whatever becomes of the wavefront. An instruction that is not to be sent before a store is done
 * has issued, too, and nothing issues behind it meanwhile. */
#include "engine/clock.h"
#include "simt/lsu/lsu.h"
#include "simt/ordering/access_overlap.h"
#include "simt/ordering/consistency_model.h"
#include "simt/ordering/ordering.h"
#include "simt/schedule/ready.h"
#include "simt/schedule/stall.h"

/* ---- the write buffer ---- */

/* Whether a store can go into the buffer. Where the host has no memory for more, it is full. */
static bool has_room(struct cu *cu, const struct wave_order *order)
{
    const uint64_t limit = cu->shape.write_buffer;

    return order->count == 0 || ((limit == 0 || order->count < limit) && mem_instr_reserve(cu));
}

static void put(struct mem_instr *memory, uint64_t cycle)
{
    struct wave_order *order = &memory->wave->order;
    struct cu *cu = wave_cu(memory->wave);

    memory->next_buffered = NULL;
    cu->counters.order_buffered_stores++;
    order->count++;
    memory->wave->order_is_busy = true;
    cu->counters.order_buffer_max = later(cu->counters.order_buffer_max, order->count);
    if (order->count == 1) {
        order->oldest = memory;
        order->youngest = memory;
        order->range = memory->range;
        lsu_send(memory, cycle);
    } else {
        cu->mem_instrs_queued++;
        order->youngest->next_buffered = memory;
        order->youngest = memory;
        mem_range_add(&order->range, memory->range);
    }
}

/* The oldest store is done. */
static void take(struct wave *wave, uint64_t cycle)
{
    struct wave_order *order = &wave->order;
    struct cu *cu = wave_cu(wave);
    struct mem_instr *store = order->oldest;

    order->oldest = store->next_buffered;
    order->count--;
    mem_instr_give(cu, store);
    if (order->oldest == NULL) {
        order->youngest = NULL;
    } else {
        cu->mem_instrs_queued--;
        lsu_send(order->oldest, cycle);
    }
}

/* ---- in front of it ---- */

static void go(struct mem_instr *memory, uint64_t cycle)
{
    struct wave *wave = memory->wave;
    const struct cu *cu = wave_cu(wave);

    if (memory->is_buffered) {
        put(memory, cycle);
        return;
    }
    memory->slot = order_take(wave, memory->op, cu->shape.memory_ops);
    memory->blocks = order_is_inside(cu, memory) && cu->order->blocks(memory->op);
    if (memory->blocks) {
        order_block(wave, EVENT_QUEUE_NEVER);
    }
    lsu_send(memory, cycle);
}

static void count_wait(struct cu *cu, const struct wave_order *order, uint64_t cycles)
{
    cu->counters.order_blocked_cycles += cycles;
    if (order->reason == SL_ORDER_WAIT_DRAIN) {
        cu->counters.order_drain_wait_cycles += cycles;
    } else if (order->reason == SL_ORDER_WAIT_MATCH) {
        cu->counters.order_match_waits++;
        cu->counters.order_match_wait_cycles += cycles;
    }
}

/* The store that the waiting instruction waited for is done. */
static void release(struct wave *wave, uint64_t cycle)
{
    struct wave_order *order = &wave->order;
    struct mem_instr *memory = order->waiter;

    count_wait(wave_cu(wave), order, cycle - order->wait_cycle);
    stall_end(wave, SL_STALL_ORDER, cycle);
    order->waiter = NULL;
    order->blocked_from = later(order->blocked_from, cycle);
    order_block(wave, cycle);
    go(memory, cycle);
}

void ordered_drained_event(struct event *event)
{
    struct wave *wave = CONTAINER_OF(event, struct wave, order.drained);
    const bool is_awaited = wave->order.waiter != NULL && wave->order.awaited == wave->order.oldest;
    const uint64_t cycle = event->cycle; /* it is used again for the next store */

    take(wave, cycle);
    if (is_awaited) {
        release(wave, cycle);
    }
    if (wave->simd->next_cycle[wave->slot] == EVENT_QUEUE_NEVER) {
        ready_wake(wave);
    }
}

/* Not inlined where rmo's instructions issue, which have no use for it. */
__attribute__((noinline)) void write_buffer_issue(struct mem_instr *memory, uint64_t cycle)
{
    struct wave *wave = memory->wave;
    struct wave_order *order = &wave->order;
    struct cu *cu = wave_cu(wave);

    memory->is_buffered =
        cu->order->has_buffer && memory->op->class == SL_CLASS_STORE && order_is_inside(cu, memory);
    if (memory->is_buffered || order->count != 0) {
        memory->range = overlap_range(memory);
    }
    order->blocked_from = wave->simd->free_cycle;
    order->awaited = order_awaited(memory, &order->reason);
    if (memory->is_buffered && !has_room(cu, order)) {
        order->awaited = order->oldest;
        order->reason = SL_ORDER_WAIT_ROOM;
    }
    if (order->awaited == NULL) {
        go(memory, cycle);
        return;
    }
    order->waiter = memory;
    order->wait_cycle = cycle;
    order_block(wave, EVENT_QUEUE_NEVER);
}
