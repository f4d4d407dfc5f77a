/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The ways in which a litmus test ends: which of them the model allows, and how often each was
 * observed. */
#ifndef SLUICE_LITMUS_OUTCOMES_H
#define SLUICE_LITMUS_OUTCOMES_H

#include <stdbool.h>
#include <stdint.h>

#include "litmus/explore.h"
#include "litmus/races.h"
#include "litmus/test.h"

/* No test of the few threads and operations that a file may have that is worth running has more
 * executions. */
#define LITMUS_EXECUTIONS_MAX 200000

/* Nor has one more states, on any of the machines of order.h. */
#define LITMUS_STATES_MAX 200000

struct litmus_row {
    struct litmus_outcome outcome;
    bool is_sc;      /* of a sequentially consistent execution */
    bool is_ordered; /* of the machine that was asked */
    uint64_t observed;
};

struct litmus_outcomes {
    const struct litmus_test *test;
    struct litmus_row *row; /* in order of their values */
    unsigned count;
    unsigned capacity;
    bool is_out_of_memory;
    uint64_t executions;
    bool is_racy; /* some sequentially consistent execution has a race */
    struct litmus_race race;
    const struct litmus_order *order; /* the machine that was asked, or NULL */
    uint64_t observed;                /* of all rows */
};

/* What the model says of an outcome, or of all that satisfy the condition: the machine that was
 * asked, where one was, else races. */
enum litmus_verdict {
    LITMUS_ALLOWED_SC,    /* a sequentially consistent execution ends so */
    LITMUS_ALLOWED_RACY,  /* none does, but the test has a race: anything goes */
    LITMUS_ALLOWED_ORDER, /* none does, but one of the machine's */
    LITMUS_FORBIDDEN,     /* none of these */
};

/* Enumerates. False where there are more than LITMUS_EXECUTIONS_MAX executions, or no memory. Has
 * to be followed by litmus_outcomes_free(). */
bool litmus_outcomes_of(const struct litmus_test *test, const struct litmus_model *model,
                        struct litmus_outcomes *outcomes);

/* Asks a machine what the test may end with, after litmus_outcomes_of(). What is not
 * LITMUS_EXPLORED leaves no answer; the limit is LITMUS_STATES_MAX. */
enum litmus_explored litmus_outcomes_ask(struct litmus_outcomes *outcomes,
                                         const struct litmus_order *order);

void litmus_outcomes_free(struct litmus_outcomes *outcomes);

/* Notes that a run ended so. False: no memory. */
bool litmus_outcomes_observe(struct litmus_outcomes *outcomes,
                             const struct litmus_outcome *outcome);

enum litmus_verdict litmus_outcomes_verdict(const struct litmus_outcomes *outcomes,
                                            const struct litmus_row *row);

/* Whether an outcome is as the condition's proposition says. */
bool litmus_outcomes_satisfies(const struct litmus_test *test,
                               const struct litmus_outcome *outcome);

/* Of the outcomes that satisfy the proposition: what the model says, and how often one of them was
 * observed. */
enum litmus_verdict litmus_outcomes_condition(const struct litmus_outcomes *outcomes,
                                              uint64_t *observed);

/* Forbidden outcomes that were observed. */
uint64_t litmus_outcomes_forbidden(const struct litmus_outcomes *outcomes);

#endif
