/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A table has a column for each register that some thread loads, for each variable, for what the
 * model says, and for how often it was observed. */
#include "litmus/print.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define COLUMNS_MAX  (LITMUS_THREADS_MAX * LITMUS_REGISTERS + LITMUS_VARIABLES_MAX)
#define COLUMN_BYTES 64

struct column {
    char head[COLUMN_BYTES];
    bool is_register;
    unsigned thread;
    unsigned number; /* of the register or variable */
    int width;
};

const char *litmus_print_verdict(enum litmus_verdict verdict)
{
    static const char *const texts[] = {"allowed (SC)", "allowed (racy)", "allowed (weak)",
                                        "forbidden"};

    return texts[verdict];
}

static int64_t value_in(const struct column *column, const struct litmus_outcome *outcome)
{
    return column->is_register ? outcome->reg[column->thread][column->number]
                               : outcome->memory[column->number];
}

/* As wide as its head and its widest value. */
static void measure(struct column *column, const struct litmus_outcomes *outcomes)
{
    column->width = (int)strlen(column->head);
    for (unsigned i = 0; i < outcomes->count; i++) {
        const int width =
            snprintf(NULL, 0, "%" PRId64, value_in(column, &outcomes->row[i].outcome));
        column->width = width > column->width ? width : column->width;
    }
}

static unsigned make_columns(const struct litmus_outcomes *outcomes,
                             struct column column[COLUMNS_MAX])
{
    const struct litmus_test *const test = outcomes->test;
    unsigned count = 0;

    for (unsigned thread = 0; thread < test->thread_count; thread++) {
        for (unsigned reg = 0; reg < LITMUS_REGISTERS; reg++) {
            if (test->thread[thread].registers >> reg & 1) {
                column[count] =
                    (struct column){.is_register = true, .thread = thread, .number = reg};
                (void)snprintf(column[count].head, COLUMN_BYTES, "%u:r%u", thread, reg + 1);
                measure(&column[count++], outcomes);
            }
        }
    }
    for (unsigned variable = 0; variable < test->variable_count; variable++) {
        column[count] = (struct column){.number = variable};
        (void)snprintf(column[count].head, COLUMN_BYTES, "%s", test->variable[variable].name);
        measure(&column[count++], outcomes);
    }
    return count;
}

static void print_table(const struct litmus_outcomes *outcomes)
{
    struct column column[COLUMNS_MAX];
    const unsigned columns = make_columns(outcomes, column);

    (void)printf("#");
    for (unsigned c = 0; c < columns; c++) {
        (void)printf(" %*s", column[c].width, column[c].head);
    }
    (void)printf("  %-14s  %10s\n", "model", "observed");
    for (unsigned i = 0; i < outcomes->count; i++) {
        const struct litmus_row *const row = &outcomes->row[i];
        (void)printf("#");
        for (unsigned c = 0; c < columns; c++) {
            (void)printf(" %*" PRId64, column[c].width, value_in(&column[c], &row->outcome));
        }
        (void)printf("  %-14s  %10" PRIu64 "%s\n",
                     litmus_print_verdict(litmus_outcomes_verdict(outcomes, row)), row->observed,
                     litmus_outcomes_satisfies(outcomes->test, &row->outcome) ? "  *" : "");
    }
}

static void print_order(const struct litmus_outcomes *outcomes)
{
    unsigned ordered = 0;

    for (unsigned i = 0; i < outcomes->count; i++) {
        ordered += outcomes->row[i].is_ordered;
    }
    (void)printf("# model       %s: %u outcome%s\n", outcomes->order->name, ordered,
                 ordered == 1 ? "" : "s");
}

static void print_races(const struct litmus_outcomes *outcomes, const struct litmus_model *model)
{
    const struct litmus_race *const race = &outcomes->race;

    (void)printf("# model       %s, %" PRIu64 " sequentially consistent execution%s: ", model->name,
                 outcomes->executions, outcomes->executions == 1 ? "" : "s");
    if (outcomes->is_racy) {
        (void)printf("P%u's line %u and P%u's line %u race\n", race->thread[0], race->op[0]->line,
                     race->thread[1], race->op[1]->line);
    } else {
        (void)printf("no race\n");
    }
}

static void print_places(const struct litmus_test *test, const struct litmus_places *places)
{
    (void)printf("# placement  ");
    for (unsigned i = 0; i < test->thread_count; i++) {
        const struct litmus_thread *const thread = &test->thread[i];
        (void)printf("%s P%u in work-group %u, wavefront %u, on CU %" PRIu32, i == 0 ? "" : ";", i,
                     thread->group, thread->wave, places->cu[thread->group]);
    }
    (void)printf("; and so on\n");
    if (places->crowded > 0) {
        (void)printf("# placement   not as the file wants it in %" PRIu64 " of %" PRIu64
                     " sets: work-groups share a compute unit\n",
                     places->crowded, places->sets);
    }
}

void litmus_print(const struct litmus_outcomes *outcomes, const struct litmus_model *model,
                  const struct litmus_places *places)
{
    static const char *const quantifiers[] = {"exists", "~exists", "forall"};
    uint64_t observed;
    const enum litmus_verdict verdict = litmus_outcomes_condition(outcomes, &observed);

    if (outcomes->order != NULL) {
        print_order(outcomes);
    } else {
        print_races(outcomes, model);
    }
    print_places(outcomes->test, places);
    print_table(outcomes);
    (void)printf("# condition   * %s: %s, observed in %" PRIu64 " of %" PRIu64 " runs\n",
                 quantifiers[outcomes->test->condition.quantifier], litmus_print_verdict(verdict),
                 observed, outcomes->observed);
}
