/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* All sequentially consistent executions of a litmus test (papers/002 section 2.2): interleavings
 * of its threads, each operation complete before the next one begins.
 *
 * Interleavings that differ only in the order of neighbours which do not depend on each other are
 * one execution to whoever looks, and visited once (Godefroid's sleep sets). Operations depend on
 * each other where they conflict, and where the visitor says so: for a relation that is made of
 * more than the values read. What visits is apart from what enumerates: heterogeneous races are one
 * visitor (races.h), outcomes another; ordering rules other than sequential consistency can be. */
#ifndef SLUICE_LITMUS_ENUMERATE_H
#define SLUICE_LITMUS_ENUMERATE_H

#include <stdbool.h>
#include <stdint.h>

#include "litmus/test.h"

#define LITMUS_EVENTS_MAX (LITMUS_THREADS_MAX * LITMUS_OPS_MAX)

/* An operation that was executed. Branches are none. */
struct litmus_event {
    unsigned thread;
    const struct litmus_op *op;
    bool releases;   /* as the operation says; a CAS that fails does not */
    int64_t read;    /* what the variable was */
    int64_t written; /* what it is, where the operation writes; by a CAS that fails, the same */
};

/* An execution from its beginning to some point. */
struct litmus_execution {
    const struct litmus_test *test;
    struct litmus_event event[LITMUS_EVENTS_MAX];
    unsigned count;
    unsigned next[LITMUS_THREADS_MAX]; /* each thread's next operation; op_count: it has ended */
    struct litmus_outcome outcome;     /* as things are now */
};

struct litmus_visitor {
    void *user;

    /* Whether the order of two operations of different threads matters though they do not conflict;
     * they have not been executed yet, and are asked for either way round. NULL: it never does. */
    bool (*depends)(void *user, const struct litmus_event *a, const struct litmus_event *b);

    /* The last event of an execution is new; those before it are as at the last call for them. */
    void (*event)(void *user, const struct litmus_execution *execution);

    /* An execution is complete. */
    void (*end)(void *user, const struct litmus_execution *execution);
};

/* Visits all executions, in the same order each time; returns how many there are, or 0 where there
 * are more than `limit`. */
uint64_t litmus_enumerate(const struct litmus_test *test, const struct litmus_visitor *visitor,
                          uint64_t limit);

#endif
