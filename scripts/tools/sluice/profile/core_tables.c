/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Tables of runs and of the aggregator's cycles: how long a run takes, how many cycles a dispatch,
 * a wavefront and an element cost, and what the core's cycles go to (hal/contract/agg_stack.def),
 * by group and by class. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/cycle_stack.h"
#include "profile/figures.h"
#include "profile/points.h"

#define COST_WIDTH  14
#define PHASE_WIDTH 10
#define SHOWN       3    /* classes of a row */
#define LEAST       0.05 /* % of the cycles; less is 0.0 */

/* Of things that runs do not have, as elements of an NDRange, "-". */
static void print_of_things(const json_t *runs, profile_figure *figure)
{
    for (size_t i = 0; i < FIGURE_THINGS; i++) {
        const char *const statistic = figure_things[i].statistic;
        if (json_array_size(runs) > 0 &&
            profile_interval(runs, profile_value, statistic).mean == 0) {
            printf("  %*s", COST_WIDTH, "-");
        } else {
            profile_print(runs, figure, statistic, COST_WIDTH, "");
        }
    }
}

/* ---- runs ---- */

static void print_run(const json_t *runs)
{
    profile_print(runs, profile_value, FIGURE_TIME, COST_WIDTH, "");
    print_of_things(runs, profile_value);
}

void profile_print_runs(const struct profile_points *points)
{
    char columns[256];
    size_t length = (size_t)snprintf(columns, sizeof columns, "  %*s", COST_WIDTH, "CU cycles");

    for (size_t i = 0; i < FIGURE_THINGS; i++) {
        length += (size_t)snprintf(columns + length, sizeof columns - length, "  %*s", COST_WIDTH,
                                   figure_things[i].names);
    }
    profile_print_rows(points, "Time of the run, and what the aggregator took to the GPU", columns,
                       profile_runs, print_run);
}

/* ---- costs ---- */

static void print_costs_of(const json_t *runs)
{
    print_of_things(runs, figure_cycles_per);
    print_of_things(runs, figure_work_per);
}

void profile_print_costs(const struct profile_points *points)
{
    char columns[256] = "";
    size_t length = 0;

    for (size_t i = 0; i < 2 * FIGURE_THINGS; i++) {
        length += (size_t)snprintf(columns + length, sizeof columns - length, "  %*s", COST_WIDTH,
                                   figure_things[i % FIGURE_THINGS].name);
    }
    profile_print_rows(points,
                       "Aggregator cycles per dispatch, wavefront, element and pass; then those of "
                       "predicates, schedule, dispatch, retire and yield alone",
                       columns, profile_runs, print_costs_of);
}

/* ---- phases ---- */

static void print_phases_of(const json_t *runs)
{
    for (size_t i = 0; i < FIGURE_PHASES; i++) {
        profile_print(runs, figure_class, figure_phase_name(i), PHASE_WIDTH, "");
    }
}

void profile_print_phases(const struct profile_points *points)
{
    char columns[256] = "";
    size_t length = 0;

    for (size_t i = 0; i < FIGURE_PHASES; i++) {
        const char *const word = figure_phase_name(i) + strlen(FIGURE_PHASE);
        length += (size_t)snprintf(columns + length, sizeof columns - length, "  %*.*s",
                                   PHASE_WIDTH, (int)strcspn(word, "_"), word);
    }
    profile_print_rows(points, "% of the core's cycles, by phase of the firmware", columns,
                       profile_runs, print_phases_of);
}

/* ---- the cycle stack ---- */

static int group_width(unsigned group)
{
    const int least = 10;
    const int length = (int)strlen(sl_stack_groups[group]);
    return length > least ? length : least;
}

struct class_mean {
    const struct sl_stack_row *row;
    double mean;
};

/* Of equal ones, the one that is first in the table. */
static int compare(const void *left, const void *right)
{
    const struct class_mean *const x = left;
    const struct class_mean *const y = right;
    if (x->mean != y->mean) {
        return x->mean > y->mean ? -1 : 1;
    }
    return x->row < y->row ? -1 : 1;
}

/* Of the groups of several classes: "load, DRAM 8.4 ±0.3; device register 2.1 ±0.1". */
static void print_classes(const json_t *runs)
{
    struct class_mean classes[SL_STACK_CLASSES];
    char text[64];
    size_t count = 0;

    for (unsigned i = 0; i < SL_STACK_CLASSES && json_array_size(runs) > 0; i++) {
        const struct sl_stack_row *const row = &sl_stack_table[i];
        if (sl_stack_group_of((enum sl_stack_class)i) > SL_STACK_GROUP_BAD_SPECULATION) {
            const char *const name = sl_statistic_table[row->id].name;
            classes[count++] =
                (struct class_mean){row, profile_interval(runs, figure_class, name).mean};
        }
    }
    qsort(classes, count, sizeof classes[0], compare);
    for (size_t i = 0; i < count && i < SHOWN && classes[i].mean >= LEAST; i++) {
        const struct sl_stack_row *const row = classes[i].row;
        (void)profile_text(runs, figure_class, sl_statistic_table[row->id].name, text, sizeof text);
        printf("%s%s %s", i == 0 ? "  " : "; ", row->words, text);
    }
}

static void print_stack_of(const json_t *runs)
{
    for (unsigned group = 0; group < SL_STACK_GROUPS; group++) {
        profile_print(runs, figure_group, sl_stack_groups[group], group_width(group), "");
    }
    print_classes(runs);
}

void profile_print_stack(const struct profile_points *points)
{
    char columns[256] = "";
    size_t length = 0;

    for (unsigned group = 0; group < SL_STACK_GROUPS; group++) {
        length += (size_t)snprintf(columns + length, sizeof columns - length, "  %*s",
                                   group_width(group), sl_stack_groups[group]);
    }
    (void)snprintf(columns + length, sizeof columns - length,
                   "  largest classes of the last three");
    profile_print_rows(points, "% of the core's cycles, by what they go to", columns, profile_runs,
                       print_stack_of);
}
