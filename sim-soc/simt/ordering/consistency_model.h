/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Consistency models (docs/know/memory-model.md; papers/000 section 3.3): what each adds to the
 * order that ordering.h keeps of all that is sent without a write buffer. A thread is a lane.
 *
 * A model has a file of its own, and is listed in consistency_model.c by its choice of
 * gpu.consistency. What it says is of instructions that are *inside*: those of which some lane
 * accesses shared memory, or, with gpu.order_private, its stack, and those that acquire or release.
 * Others only keep behind the stores of the write buffer that they overlap. */
#ifndef SLUICE_SIMT_ORDERING_CONSISTENCY_MODEL_H
#define SLUICE_SIMT_ORDERING_CONSISTENCY_MODEL_H

#include "simt/unit/mem_instr.h"
#include "simt/unit/unit.h"

struct order_model {
    const char *name;
    bool holds_back;   /* there is more to it than ordering.h */
    bool keeps_stores; /* in program order, behind all before them: each is done when its
                          acknowledgement is back, and a release waits for nothing */
    bool has_buffer;   /* for stores, which are done for the wavefront when they are in it */

    /* Whether the wavefront issues nothing from an instruction's issue until it is done. NULL: none
     * does. Not asked of stores that go into the buffer. */
    bool (*blocks)(const struct simt_op *op);

    /* The youngest store in the buffer that has to be done, whatever its addresses, before an
     * instruction of these lanes takes effect; NULL: none has to. With has_buffer only; of loads,
     * atomics, locks, and what waits for all before it. */
    const struct mem_instr *(*drains)(const struct wave *wave, const struct simt_op *op,
                                      uint64_t lanes);

    /* Whether a load passes stores of the buffer that it does not overlap. */
    bool passes;
};

extern const struct order_model order_rmo;
extern const struct order_model order_rmo_block;
extern const struct order_model order_sc;
extern const struct order_model order_sc_wb;
extern const struct order_model order_tso;

/* The model that the configuration names (gpu.consistency, gpu.rmo_loads). */
const struct order_model *order_model_of(const struct sl_config *config);

/* Whether an instruction whose lanes are placed is inside the model. */
static inline bool order_is_inside(const struct cu *cu, const struct mem_instr *memory)
{
    const uint64_t outside =
        memory->lds_lanes | (cu->shape.orders_private ? 0 : memory->private_lanes);

    return memory->lanes != outside || memory->op->acquire || memory->op->release;
}

/* ---- questions to the write buffer ---- */

/* The youngest store of which one of these lanes is active; NULL: none is in the buffer. */
const struct mem_instr *order_youngest_of(const struct wave *wave, uint64_t lanes);

/* The youngest store that releases, likewise. */
const struct mem_instr *order_youngest_release(const struct wave *wave);

/* The one of two stores, or NULL, that issued later. */
const struct mem_instr *order_younger(const struct mem_instr *a, const struct mem_instr *b);

/* What an instruction whose lanes are placed waits for before it is sent: a store of the buffer, or
 * NULL. `reason` says why. */
const struct mem_instr *order_awaited(const struct mem_instr *memory, enum sl_order_wait *reason);

/* What the model has the wavefront wait for now. */
enum sl_order_wait order_waits_for(const struct wave *wave);

/* When the next instruction, which is ready in a cycle but for the model, may issue;
 * EVENT_QUEUE_NEVER while that is not known. Counts what the model has cost. Called while
 * wave->order_is_busy, and what it says is kept to. */
uint64_t order_model_ready(struct wave *wave, const struct simt_op *op, uint64_t ready);

/* Nothing issues before a cycle, which may be EVENT_QUEUE_NEVER: not known. */
static inline void order_block(struct wave *wave, uint64_t cycle)
{
    wave->order.blocked_cycle = cycle;
    wave->order_is_busy = true;
}

#endif
