/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Heterogeneous races, as papers/002 sections 3 and 4 define them, in executions that are
 * enumerated one event after the other.
 *
 * A scope is one of the machine: the work-group of P0, not work-groups as such. An operation that
 * acquires or releases is a synchronization operation, anything else an ordinary one; papers/002
 * has no atomics that order nothing, so these are ordinary too. Fences are releases and acquires
 * that access nothing: its order of synchronization does not ask for the same variable. */
#ifndef SLUICE_LITMUS_RACES_H
#define SLUICE_LITMUS_RACES_H

#include <stdbool.h>
#include <stdint.h>

#include "litmus/enumerate.h"

/* A model is how many relations there are, and which one a scope's synchronization is in. Two
 * operations are ordered where one of the relations orders them; each is the transitive closure of
 * program order and the orders that are in it. */
struct litmus_model {
    const char *name;
    unsigned relations;
    unsigned (*relation_of)(unsigned scope);
};

/* Scopes of a test have numbers below this. */
#define LITMUS_SCOPES (2 * LITMUS_THREADS_MAX + 2)

extern const struct litmus_model litmus_hrf_direct;
extern const struct litmus_model litmus_hrf_indirect;

/* Two operations that race. */
struct litmus_race {
    unsigned thread[2];
    const struct litmus_op *op[2];
};

struct litmus_races {
    const struct litmus_test *test;
    const struct litmus_model *model;
    bool found;
    struct litmus_race first;
    /* Events that are before this one in a relation, a bit for each. */
    uint64_t before[LITMUS_SCOPES][LITMUS_EVENTS_MAX];
};

/* The scope of an operation of a thread, as a number. */
unsigned litmus_scope_of(const struct litmus_test *test, unsigned thread,
                         const struct litmus_op *op);

/* Callbacks of struct litmus_visitor, with a struct litmus_races as `user`. */
bool litmus_races_depends(void *races, const struct litmus_event *a, const struct litmus_event *b);
void litmus_races_event(void *races, const struct litmus_execution *execution);

#endif
