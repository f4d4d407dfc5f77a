/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The machines that gpu.consistency stands for (docs/know/memory-model.md), as far as litmus tests
 * can see them: without time. Memory is write-atomic: an operation takes effect for all threads at
 * once. A thread's next operation issues when its registers are known, in program order, and takes
 * effect then or later. A machine is two questions: what may issue, and what may take effect; any
 * sequence of answers is one that may happen, and explore.h makes all of them.
 *
 * Nothing here is the simulator's: what it does is compared with this. */
#ifndef SLUICE_LITMUS_ORDER_H
#define SLUICE_LITMUS_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "litmus/test.h"
#include "sluice/config.h"

#define LITMUS_PENDING_MAX (LITMUS_THREADS_MAX * LITMUS_OPS_MAX)

/* An operation that has issued and not taken effect: under way, or in a write buffer. */
struct litmus_pending {
    unsigned thread;
    const struct litmus_op *op;
    int64_t operand; /* of what it stores, as registers were when it issued */
    int64_t expected;
};

/* A machine at one point of a test. */
struct litmus_state {
    const struct litmus_test *test;
    unsigned next[LITMUS_THREADS_MAX]; /* operation of each thread */
    struct litmus_outcome now;         /* registers and variables */
    struct litmus_pending pending[LITMUS_PENDING_MAX];
    unsigned pending_count; /* wavefront by wavefront, in each in the order of issue */
};

struct litmus_order {
    const char *name;

    /* Whether a thread's next operation may issue, whose registers are known. Not asked of
     * branches, which issue then. */
    bool (*may_issue)(const struct litmus_state *state, unsigned thread,
                      const struct litmus_op *op);

    /* Whether what is pending may take effect, though what is listed before it has not. */
    bool (*may_perform)(const struct litmus_state *state, unsigned number);
};

extern const struct litmus_order litmus_sc;
extern const struct litmus_order litmus_sc_wb;
extern const struct litmus_order litmus_tso;
extern const struct litmus_order litmus_rmo;
extern const struct litmus_order litmus_rmo_block;

/* The machine that a configuration asks for (gpu.consistency, gpu.rmo_loads). NULL where its memory
 * is not write-atomic. */
const struct litmus_order *litmus_order_of(const struct sl_config *config);

/* Whether two threads are lanes of one wavefront. */
static inline bool litmus_same_wave(const struct litmus_test *test, unsigned a, unsigned b)
{
    return test->thread[a].group == test->thread[b].group &&
           test->thread[a].wave == test->thread[b].wave;
}

#endif
