/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Order among the memory instructions of a wavefront (docs/look-up/isa.md, "Order of memory
 * accesses"): the one place that is asked whether its next instruction may issue, as far as memory
 * goes, and when a memory instruction takes effect. What is here is what rmo has, and what the
 * other models build on (consistency_model.h).
 *
 * Up to gpu.memory_ops are under way. What releases, fences among it, barriers, yields and the
 * wavefront's end wait for all before them; an access that acquires for the releases before it, so
 * that both together are sequentially consistent (papers/000 section 4.2.2); a fence that only
 * acquires for what loads before it, not for stores. What an acquire holds back is held back by
 * the wavefront's gate. Accesses to one address take effect in program order, loads too: coherent
 * memory systems are kept to that here, others keep to it once they have been handed the access, so
 * that nothing overtakes one that waits for its release. */
#ifndef SLUICE_SIMT_ORDERING_H
#define SLUICE_SIMT_ORDERING_H

#include "engine/clock.h"
#include "simt/ordering/consistency_model.h"
#include "simt/ordering/issue_gate.h"
#include "simt/unit/mem_instr.h"
#include "simt/unit/unit.h"

/* A wavefront takes a context: nothing is under way. */
void order_begin(struct wave *wave);

/* When all memory instructions so far are done, in CU cycles; EVENT_QUEUE_NEVER while that is not
 * known.
 */
static inline uint64_t order_done_cycle(const struct wave *wave)
{
    return wave->memory_pending != 0 ? EVENT_QUEUE_NEVER : wave->memory_done_cycle;
}

/* When those of them that load are done. What had a slot before its latest instruction was done
 * when that issued. */
static inline uint64_t order_read_cycle(const struct wave *wave)
{
    uint64_t done = 0;

    for (uint32_t slots = wave->memory_reads; slots != 0; slots &= slots - 1) {
        done = later(done, wave->memory_slot[__builtin_ctz(slots)]);
    }
    return done;
}

/* Whether the model has a memory instruction that releases take effect behind all before it. */
static inline bool order_keeps(const struct wave *wave, const struct simt_op *op)
{
    return op->class == SL_CLASS_STORE && wave_cu(wave)->order->keeps_stores;
}

/* The first cycle in which the wavefront's next instruction may issue; EVENT_QUEUE_NEVER while that
 * is not known: the wavefront is scheduled anew when it is. */
static inline uint64_t order_ready(const struct wave *wave, const struct simt_op *op)
{
    if (op->access_bytes == 0) {
        return op->drain == DRAIN_ALL     ? order_done_cycle(wave)
               : op->drain == DRAIN_READS ? order_read_cycle(wave)
                                          : 0;
    }
    if (wave->unissued_releases != 0) {
        return EVENT_QUEUE_NEVER;
    }
    uint64_t ready = wave->memory_slot[wave->next_memory_slot];
    if (op->acquire) {
        ready = later(ready, wave->release_done_cycle);
    }
    if (op->drain == DRAIN_ALL && !order_keeps(wave, op)) {
        ready = later(ready, order_done_cycle(wave));
    }
    return ready;
}

/* A memory instruction that goes into no write buffer takes its slot, of which there are
 * shape.memory_ops. */
static inline uint32_t order_take(struct wave *wave, const struct simt_op *op, uint32_t memory_ops)
{
    const uint32_t slot = wave->next_memory_slot;
    const uint32_t reads = op->class != SL_CLASS_STORE;

    wave->memory_reads = (wave->memory_reads & ~(1u << slot)) | reads << slot;
    wave->next_memory_slot = slot + 1 == memory_ops ? 0 : slot + 1;
    return slot;
}

/* When an instruction takes effect, whose own lines are all there in `perform_cycle`. */
uint64_t order_perform(const struct mem_instr *memory, uint64_t perform_cycle);

/* When an access of the wavefront to a line (mem_instr.lines) takes effect that is there in
 * `perform_cycle`: not before those to the line that issued before it. */
uint64_t order_behind(const struct wave *wave, uint64_t line, uint64_t perform_cycle);

/* An instruction is done in a cycle. */
static inline void order_end(const struct mem_instr *memory, uint64_t done_cycle)
{
    struct wave *wave = memory->wave;

    wave->memory_slot[memory->slot] = done_cycle;
    wave->memory_done_cycle = later(wave->memory_done_cycle, done_cycle);
    if (memory->op->release) {
        wave->release_done_cycle = done_cycle; /* the one before it was done first */
    }
}

/* Its end is not known; order_complete() follows when it is. */
static inline void order_defer(const struct mem_instr *memory)
{
    struct wave *wave = memory->wave;

    wave->memory_slot[memory->slot] = EVENT_QUEUE_NEVER;
    wave->memory_pending++;
    if (memory->op->release) {
        wave->release_done_cycle = EVENT_QUEUE_NEVER;
    }
}

static inline void order_complete(const struct mem_instr *memory, uint64_t done_cycle)
{
    memory->wave->memory_pending--;
    order_end(memory, done_cycle);
}

#endif
