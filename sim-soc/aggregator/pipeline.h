/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What the pipelined core models, in order and out of order, have in common.
 *
 * Each instruction is timed when it comes, in O(1), against the times of those before it; nothing
 * ticks. The address of an access is known only after the instruction, so that loads, stores and
 * atomics are begun in instruction() and finished when their access comes or, where none does, at
 * the next instruction.
 *
 * Effects use the commit clock (docs/know/design.md, rule 3). A register or memory access takes
 * effect when its instruction is the oldest: not before all instructions before it have committed.
 * A load that is issued early has its latency from then on, but the value of its place in that
 * order: what this leaves out is that it could see an older value, as weak memory ordering permits.
 *
 * Atomics, fences, CSR accesses and device accesses are not speculated: they begin when they are
 * the oldest. An atomic is charged one access, whatever callbacks come for it. */
#ifndef SLUICE_AGGREGATOR_PIPELINE_H
#define SLUICE_AGGREGATOR_PIPELINE_H

#include "aggregator/core.h"
#include "aggregator/core_data_cache.h"
#include "aggregator/cycle_stack.h"
#include "aggregator/front_end.h"
#include "aggregator/slots.h"
#include "aggregator/store_queue.h"
#include "engine/clock.h"

/* The cycles in which an instruction passed the stages: for tests and traces. */
struct pipeline_times {
    uint64_t rename; /* in order: issue */
    uint64_t issue;
    uint64_t complete; /* its result is there */
    uint64_t commit;
    uint64_t freed; /* of a store: it has left the store queue */
};

#define PIPELINE_MULTIPLIERS_MAX 8

struct pipeline {
    struct agg_core base;
    struct front_end front;
    struct data_cache cache;
    struct store_queue stores;
    uint32_t width;
    uint64_t latency[AGG_CLASS_COUNT]; /* of memory classes: until the address is there */
    uint64_t device_cycles;

    struct slots commit;
    struct cycle_stack stack;
    uint64_t ready[AGG_REGISTERS]; /* cycles in which registers have their values */
    uint64_t memory_begin;         /* memory accesses are held back until then */
    uint64_t all_begin;            /* and this holds everything back */
    uint32_t multipliers;
    uint64_t divided[PIPELINE_MULTIPLIERS_MAX]; /* when each has no division: the first one first */

    struct agg_insn insn; /* the last one */
    bool unfinished;      /* it may still access memory */
    bool queued;          /* it is a store that goes from the store queue to memory */
    uint64_t effect;      /* cycle in which it is the oldest */
    struct pipeline_times times;
};

/* Returns 0, or -1 when out of memory; then and at the end pipeline_destroy(). */
int pipeline_init(struct pipeline *pipeline, const struct agg_core_ops *ops,
                  const struct sl_config *config, struct mem_system *mem);
void pipeline_destroy(struct pipeline *pipeline);
void pipeline_begin(struct pipeline *pipeline);

static inline bool agg_class_is_memory(enum agg_class class)
{
    return class == AGG_LOAD || class == AGG_STORE || class == AGG_ATOMIC;
}

/* Whether an instruction begins when it is the oldest. */
static inline bool pipeline_is_oldest_only(const struct agg_insn *insn)
{
    return insn->order != 0 || insn->class == AGG_ATOMIC;
}

/* The instruction waits for this up to a cycle. */
static inline uint64_t pipeline_wait(struct pipeline *pipeline, uint64_t earliest, uint64_t cycle,
                                     enum sl_stack_class what)
{
    cycle_stack_charge(&pipeline->stack, cycle, what);
    return later(earliest, cycle);
}

/* When one of these begins, given when its operands are there. */
static inline uint64_t pipeline_oldest(struct pipeline *pipeline, const struct agg_insn *insn,
                                       uint64_t ready)
{
    bool drains = insn->class == AGG_ATOMIC || (insn->order & AGG_ORDER_DRAIN) != 0;
    uint64_t earliest =
        drains ? pipeline_wait(pipeline, ready, pipeline->stores.empty, SL_STACK_MEMORY_ORDER)
               : ready;

    return slots_next(&pipeline->commit, earliest, pipeline->width);
}

/* The first cycle from `earliest` on in which an instruction's operands are there, and nothing in
 * front of it holds back its access or division. */
static inline uint64_t pipeline_ready(struct pipeline *pipeline, const struct agg_insn *insn,
                                      uint64_t earliest)
{
    uint64_t operands = later(pipeline->ready[insn->rs1], pipeline->ready[insn->rs2]);
    uint64_t ready = later(earliest, operands);

    if (agg_class_is_memory((enum agg_class)insn->class)) {
        return pipeline_wait(pipeline, ready, pipeline->memory_begin, SL_STACK_MEMORY_ORDER);
    }
    return insn->class == AGG_DIV ? later(ready, pipeline->divided[0]) : ready;
}

/* Begins an instruction: what the one before it did to fetch is known now. That one is finished. */
void pipeline_next(struct pipeline *pipeline, const struct agg_insn *insn);

/* It is renamed and issued in these cycles. Returns whether it is a memory instruction, which has
 * still to be finished; all others are complete then. */
bool pipeline_issued(struct pipeline *pipeline, uint64_t renamed, uint64_t issued);

/* The earliest a memory instruction that is not finished can take effect, in ps. */
uint64_t pipeline_expect(struct pipeline *pipeline);

/* The cycle in which the last instruction's access is over. None: `access` is NULL. Of a store to
 * memory, when address and data are there. */
uint64_t pipeline_perform(struct pipeline *pipeline, const struct agg_access *access);

/* Commits the last instruction, whose times up to completion are known. */
void pipeline_commit(struct pipeline *pipeline, const struct agg_access *access);

/* Lets the clock go to a cycle, for the oldest instruction to take effect; returns it in ps. */
static inline uint64_t pipeline_clock(struct pipeline *pipeline, uint64_t cycle)
{
    pipeline->effect = cycle;
    pipeline->base.time_ps = cycle * pipeline->base.cycle_ps;
    return pipeline->base.time_ps;
}

#endif
