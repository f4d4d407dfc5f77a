/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A sorted array, searched by bisection: a test has a few dozen outcomes at most, runs of it are
 * millions. */
#include "litmus/outcomes.h"

#include <stdlib.h>
#include <string.h>

static int compare(const struct litmus_outcome *a, const struct litmus_outcome *b)
{
    const int64_t *const left = &a->reg[0][0];
    const int64_t *const right = &b->reg[0][0];

    for (unsigned i = 0; i < LITMUS_THREADS_MAX * LITMUS_REGISTERS; i++) {
        if (left[i] != right[i]) {
            return left[i] < right[i] ? -1 : 1;
        }
    }
    for (unsigned i = 0; i < LITMUS_VARIABLES_MAX; i++) {
        if (a->memory[i] != b->memory[i]) {
            return a->memory[i] < b->memory[i] ? -1 : 1;
        }
    }
    return 0;
}

static bool grow(struct litmus_outcomes *outcomes)
{
    const unsigned capacity = outcomes->capacity == 0 ? 16 : 2 * outcomes->capacity;
    struct litmus_row *const row = realloc(outcomes->row, capacity * sizeof *row);

    if (row == NULL) {
        return false;
    }
    outcomes->row = row;
    outcomes->capacity = capacity;
    return true;
}

/* The outcome's row, which is new where it has none; NULL: no memory. */
static struct litmus_row *row_of(struct litmus_outcomes *outcomes,
                                 const struct litmus_outcome *outcome)
{
    unsigned first = 0;
    unsigned end = outcomes->count;

    while (first < end) {
        const unsigned middle = first + (end - first) / 2;
        const int order = compare(&outcomes->row[middle].outcome, outcome);
        if (order == 0) {
            return &outcomes->row[middle];
        }
        if (order < 0) {
            first = middle + 1;
        } else {
            end = middle;
        }
    }
    if (outcomes->count == outcomes->capacity && !grow(outcomes)) {
        return NULL;
    }
    memmove(&outcomes->row[first + 1], &outcomes->row[first],
            (outcomes->count - first) * sizeof *outcomes->row);
    outcomes->row[first] = (struct litmus_row){.outcome = *outcome};
    outcomes->count++;
    return &outcomes->row[first];
}

static bool term_holds(const struct litmus_condition *condition, unsigned number,
                       const struct litmus_outcome *outcome)
{
    const struct litmus_term *const term = &condition->term[number];

    switch (term->kind) {
    case LITMUS_TERM_REGISTER:
        return outcome->reg[term->thread][term->reg] == term->value;
    case LITMUS_TERM_VARIABLE:
        return outcome->memory[term->variable] == term->value;
    case LITMUS_TERM_NOT:
        return !term_holds(condition, term->left, outcome);
    case LITMUS_TERM_AND:
        return term_holds(condition, term->left, outcome) &&
               term_holds(condition, term->right, outcome);
    default:
        return term_holds(condition, term->left, outcome) ||
               term_holds(condition, term->right, outcome);
    }
}

bool litmus_outcomes_satisfies(const struct litmus_test *test, const struct litmus_outcome *outcome)
{
    return term_holds(&test->condition, test->condition.root, outcome);
}

/* ---- the model ---- */

struct visit {
    struct litmus_races races; /* first: its callbacks get this */
    struct litmus_outcomes *outcomes;
};

static void end(void *user, const struct litmus_execution *execution)
{
    struct visit *const visit = user;
    struct litmus_row *const row = row_of(visit->outcomes, &execution->outcome);

    if (row == NULL) {
        visit->outcomes->is_out_of_memory = true;
    } else {
        row->is_sc = true;
    }
}

bool litmus_outcomes_of(const struct litmus_test *test, const struct litmus_model *model,
                        struct litmus_outcomes *outcomes)
{
    struct visit visit = {.races = {.test = test, .model = model}, .outcomes = outcomes};
    const struct litmus_visitor visitor = {
        .user = &visit, .depends = litmus_races_depends, .event = litmus_races_event, .end = end};

    *outcomes = (struct litmus_outcomes){.test = test};
    outcomes->executions = litmus_enumerate(test, &visitor, LITMUS_EXECUTIONS_MAX);
    outcomes->is_racy = visit.races.found;
    outcomes->race = visit.races.first;
    return outcomes->executions > 0 && !outcomes->is_out_of_memory;
}

static bool end_ordered(void *user, const struct litmus_outcome *outcome)
{
    struct litmus_row *const row = row_of(user, outcome);

    if (row != NULL) {
        row->is_ordered = true;
    }
    return row != NULL;
}

enum litmus_explored litmus_outcomes_ask(struct litmus_outcomes *outcomes,
                                         const struct litmus_order *order)
{
    outcomes->order = order;
    return litmus_explore(outcomes->test, order, LITMUS_STATES_MAX, end_ordered, outcomes);
}

void litmus_outcomes_free(struct litmus_outcomes *outcomes)
{
    free(outcomes->row);
    *outcomes = (struct litmus_outcomes){0};
}

/* Of what no sequentially consistent execution ends with, whatever the machine that was asked says
 * of it. */
static enum litmus_verdict otherwise(const struct litmus_outcomes *outcomes)
{
    return outcomes->order == NULL && outcomes->is_racy ? LITMUS_ALLOWED_RACY : LITMUS_FORBIDDEN;
}

enum litmus_verdict litmus_outcomes_verdict(const struct litmus_outcomes *outcomes,
                                            const struct litmus_row *row)
{
    if (outcomes->order != NULL && !row->is_ordered) {
        return LITMUS_FORBIDDEN;
    }
    return row->is_sc        ? LITMUS_ALLOWED_SC
           : row->is_ordered ? LITMUS_ALLOWED_ORDER
                             : otherwise(outcomes);
}

/* ---- what was observed ---- */

bool litmus_outcomes_observe(struct litmus_outcomes *outcomes, const struct litmus_outcome *outcome)
{
    struct litmus_row *const row = row_of(outcomes, outcome);

    if (row == NULL) {
        outcomes->is_out_of_memory = true;
        return false;
    }
    row->observed++;
    outcomes->observed++;
    return true;
}

enum litmus_verdict litmus_outcomes_condition(const struct litmus_outcomes *outcomes,
                                              uint64_t *observed)
{
    enum litmus_verdict verdict = otherwise(outcomes);

    *observed = 0;
    for (unsigned i = 0; i < outcomes->count; i++) {
        const struct litmus_row *const row = &outcomes->row[i];
        if (litmus_outcomes_satisfies(outcomes->test, &row->outcome)) {
            *observed += row->observed;
            const enum litmus_verdict its = litmus_outcomes_verdict(outcomes, row);
            verdict = its < verdict ? its : verdict;
        }
    }
    return verdict;
}

uint64_t litmus_outcomes_forbidden(const struct litmus_outcomes *outcomes)
{
    uint64_t forbidden = 0;

    for (unsigned i = 0; i < outcomes->count; i++) {
        if (litmus_outcomes_verdict(outcomes, &outcomes->row[i]) == LITMUS_FORBIDDEN) {
            forbidden += outcomes->row[i].observed;
        }
    }
    return forbidden;
}
