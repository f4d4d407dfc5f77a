/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Five machines, each as docs/know/memory-model.md and docs/look-up/isa.md ("Order of memory
 * accesses") say it: a question is whether anything of a kind is pending in the wavefront. */
#include "litmus/order.h"

#include <stddef.h>

/* ---- what may be pending ---- */

/* Whether an operation that is pending is one that the next operation of a thread waits for. */
typedef bool awaited(const struct litmus_pending *pending, unsigned thread,
                     const struct litmus_op *op);

static bool is_any(const struct litmus_pending *pending, unsigned thread,
                   const struct litmus_op *op)
{
    (void)pending;
    (void)thread;
    (void)op;
    return true;
}

static bool is_own(const struct litmus_pending *pending, unsigned thread,
                   const struct litmus_op *op)
{
    (void)op;
    return pending->thread == thread;
}

static bool is_own_match(const struct litmus_pending *pending, unsigned thread,
                         const struct litmus_op *op)
{
    return pending->thread == thread && pending->op->variable == op->variable;
}

static bool is_release(const struct litmus_pending *pending, unsigned thread,
                       const struct litmus_op *op)
{
    (void)thread;
    (void)op;
    return pending->op->release;
}

static bool is_acquire(const struct litmus_pending *pending, unsigned thread,
                       const struct litmus_op *op)
{
    (void)thread;
    (void)op;
    return pending->op->acquire;
}

static bool is_read(const struct litmus_pending *pending, unsigned thread,
                    const struct litmus_op *op)
{
    (void)thread;
    (void)op;
    return litmus_reads(pending->op);
}

/* A loop with branches on what it has loaded. */
static bool is_loop(const struct litmus_pending *pending, unsigned thread,
                    const struct litmus_op *op)
{
    (void)thread;
    (void)op;
    return pending->op->kind == LITMUS_CAS;
}

static bool waits(const struct litmus_state *state, unsigned thread, const struct litmus_op *op,
                  awaited *is_awaited)
{
    for (unsigned i = 0; i < state->pending_count; i++) {
        const struct litmus_pending *const pending = &state->pending[i];
        if (litmus_same_wave(state->test, pending->thread, thread) &&
            is_awaited(pending, thread, op)) {
            return true;
        }
    }
    return false;
}

/* ---- taking effect ---- */

static bool at_once(const struct litmus_state *state, unsigned number)
{
    (void)state;
    (void)number;
    return true;
}

/* A compare-and-swap loads first. What it stores then, if it does, releases; one that fails has
 * released nothing. */
static bool waits_to_release(const struct litmus_state *state, unsigned number)
{
    const struct litmus_pending *const pending = &state->pending[number];
    const struct litmus_op *const op = pending->op;
    unsigned own = 0;

    if (op->kind != LITMUS_CAS || !op->release ||
        state->now.memory[op->variable] != pending->expected) {
        return false;
    }
    for (unsigned i = 0; i < state->pending_count; i++) {
        own += litmus_same_wave(state->test, state->pending[i].thread, pending->thread);
    }
    return own > 1;
}

/* Stores leave the buffer in their order. */
static bool in_order_of_stores(const struct litmus_state *state, unsigned number)
{
    const struct litmus_pending *const pending = &state->pending[number];

    for (unsigned i = 0; i < number; i++) {
        if (pending->op->kind == LITMUS_STORE && state->pending[i].op->kind == LITMUS_STORE &&
            litmus_same_wave(state->test, state->pending[i].thread, pending->thread)) {
            return false;
        }
    }
    return !waits_to_release(state, number);
}

static bool in_order_of_variable(const struct litmus_state *state, unsigned number)
{
    const struct litmus_pending *const pending = &state->pending[number];

    for (unsigned i = 0; i < number; i++) {
        if (pending->op->variable == state->pending[i].op->variable &&
            litmus_same_wave(state->test, state->pending[i].thread, pending->thread)) {
            return false;
        }
    }
    return !waits_to_release(state, number);
}

/* ---- issue ---- */

/* Whether it releases as soon as it issues. */
static bool releases(const struct litmus_op *op)
{
    return op->release && op->kind != LITMUS_CAS;
}

static bool sc_may_issue(const struct litmus_state *state, unsigned thread,
                         const struct litmus_op *op)
{
    return !waits(state, thread, op, is_any);
}

static bool sc_wb_may_issue(const struct litmus_state *state, unsigned thread,
                            const struct litmus_op *op)
{
    if (waits(state, thread, op, is_read)) {
        return false;
    }
    if (op->kind == LITMUS_STORE || (op->kind == LITMUS_FENCE && !op->release)) {
        return true;
    }
    return !waits(state, thread, op, op->acquire || releases(op) ? is_any : is_own);
}

static bool tso_may_issue(const struct litmus_state *state, unsigned thread,
                          const struct litmus_op *op)
{
    if (waits(state, thread, op, is_read)) {
        return false;
    }
    if (op->kind == LITMUS_STORE || (op->kind == LITMUS_FENCE && !op->release)) {
        return true;
    }
    if (releases(op)) {
        return !waits(state, thread, op, is_any);
    }
    return !waits(state, thread, op, op->kind == LITMUS_LOAD ? is_own_match : is_own) &&
           !(op->acquire && waits(state, thread, op, is_release));
}

static bool rmo_may_issue(const struct litmus_state *state, unsigned thread,
                          const struct litmus_op *op)
{
    if (waits(state, thread, op, is_acquire) || waits(state, thread, op, is_loop)) {
        return false;
    }
    if (op->kind == LITMUS_FENCE && op->scope == LITMUS_WAVEFRONT) {
        return true;
    }
    if (releases(op)) {
        return !waits(state, thread, op, is_any);
    }
    if (op->kind == LITMUS_FENCE) {
        return !waits(state, thread, op, is_read);
    }
    return !op->acquire || !waits(state, thread, op, is_release);
}

static bool rmo_block_may_issue(const struct litmus_state *state, unsigned thread,
                                const struct litmus_op *op)
{
    return !waits(state, thread, op, is_read) && rmo_may_issue(state, thread, op);
}

/* ---- the machines ---- */

const struct litmus_order litmus_sc = {"sc", sc_may_issue, at_once};
const struct litmus_order litmus_sc_wb = {"sc_wb", sc_wb_may_issue, in_order_of_stores};
const struct litmus_order litmus_tso = {"tso", tso_may_issue, in_order_of_stores};
const struct litmus_order litmus_rmo = {"rmo", rmo_may_issue, in_order_of_variable};
const struct litmus_order litmus_rmo_block = {"rmo, loads block", rmo_block_may_issue,
                                              in_order_of_variable};

static bool is_write_atomic(const struct sl_config *config)
{
    switch ((enum sl_mem_system)config->number[SL_CFG_MEM_SYSTEM]) {
    case SL_MEM_SYSTEM_FLAT:
    case SL_MEM_SYSTEM_MOESI:
    case SL_MEM_SYSTEM_NOL1:
    case SL_MEM_SYSTEM_PARTITION:
        return true;
    default:
        return false;
    }
}

const struct litmus_order *litmus_order_of(const struct sl_config *config)
{
    static const struct litmus_order *const orders[] = {
        [SL_GPU_CONSISTENCY_RMO] = &litmus_rmo,
        [SL_GPU_CONSISTENCY_SC] = &litmus_sc,
        [SL_GPU_CONSISTENCY_SC_WB] = &litmus_sc_wb,
        [SL_GPU_CONSISTENCY_TSO] = &litmus_tso,
    };
    const struct litmus_order *const order = orders[config->number[SL_CFG_GPU_CONSISTENCY]];
    const bool blocks = config->number[SL_CFG_GPU_RMO_LOADS] == SL_GPU_RMO_LOADS_BLOCK;

    if (!is_write_atomic(config)) {
        return NULL;
    }
    return order == &litmus_rmo && blocks ? &litmus_rmo_block : order;
}
