/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Tables of the time in which the GPU is blocked on the aggregator (papers/001 section 8.3 and
 * Table 5), and of its parts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/figures.h"
#include "profile/paper.h"
#include "profile/points.h"
#include "sluice/codes.h"

#define CELL_WIDTH  20 /* the least for a column */
#define PART_WIDTH  10
#define LEAST_SHOWN 0.05 /* % of the time; less is 0.0 */

static int column_width(const char *program)
{
    const int length = (int)strlen(program);
    return length > CELL_WIDTH ? length : CELL_WIDTH;
}

/* The paper's figure of a program in a row; NULL where it has none, as of other policies and
 * firmware. */
static const char *figure_beside(const struct profile_points *points, const struct panel *paper,
                                 const char *program, size_t row)
{
    return profile_axes(points) > 1 ? NULL
                                    : paper_blocked(paper, program, profile_label(points, row, 0));
}

static bool has_figures(const struct profile_points *points, const struct panel *paper)
{
    char program[PROFILE_PROGRAM_BYTES];

    for (size_t p = 0; p < json_array_size(points->programs); p++) {
        profile_program(points, p, program);
        for (size_t row = 0; row < points->rows; row++) {
            if (figure_beside(points, paper, program, row) != NULL) {
                return true;
            }
        }
    }
    return false;
}

/* A column for each program. */
void profile_print_shares(const struct profile_points *points, const struct panel *paper)
{
    char program[PROFILE_PROGRAM_BYTES];
    char beside[32];

    printf("%% of time that the GPU is blocked on the aggregator%s\n",
           has_figures(points, paper) ? " (in brackets: core paper, Table 5, of 8 CUs)" : "");
    profile_print_axes(points);
    for (size_t p = 0; p < json_array_size(points->programs); p++) {
        profile_program(points, p, program);
        printf("  %*s", column_width(program), program);
    }
    (void)putchar('\n');
    for (size_t row = 0; row < points->rows; row++) {
        profile_print_labels(points, row);
        for (size_t p = 0; p < json_array_size(points->programs); p++) {
            json_t *const runs = profile_runs(points, p, row);
            profile_program(points, p, program);
            const char *const figure = figure_beside(points, paper, program, row);
            (void)snprintf(beside, sizeof beside, "%s%s%s", figure != NULL ? " (" : "",
                           figure != NULL ? figure : "", figure != NULL ? ")" : "");
            profile_print(runs, profile_value, FIGURE_BLOCKED, column_width(program), beside);
            json_decref(runs);
        }
        (void)putchar('\n');
    }
}

struct phase {
    const char *name;
    double share;
};

static int compare_phases(const void *left, const void *right)
{
    const double x = ((const struct phase *)left)->share;
    const double y = ((const struct phase *)right)->share;
    return (x < y) - (x > y);
}

/* What the aggregator was doing, the longest first: "poll 8.1, dispatch 2.3". */
static void print_phases(const json_t *runs)
{
    struct phase phases[SL_PHASE_COUNT];
    size_t count = 0;
    const char *name;
    json_t *value;

    json_object_foreach(json_array_get(runs, 0), name, value)
    {
        if (figure_is_between(name) && count < SL_PHASE_COUNT) {
            phases[count++] = (struct phase){name, profile_interval(runs, figure_share, name).mean};
        }
    }
    qsort(phases, count, sizeof phases[0], compare_phases);
    for (size_t i = 0; i < count && phases[i].share >= LEAST_SHOWN; i++) {
        const char *const word = phases[i].name + strlen(FIGURE_BETWEEN);
        printf("%s%.*s %.1f", i == 0 ? "  " : ", ", (int)strcspn(word, "_"), word, phases[i].share);
    }
}

static void print_parts_of(const json_t *runs)
{
    profile_print(runs, figure_share, FIGURE_BEFORE, PART_WIDTH, "");
    profile_print(runs, figure_between, "", PART_WIDTH, "");
    profile_print(runs, figure_share, FIGURE_AFTER, PART_WIDTH, "");
    print_phases(runs);
}

void profile_print_parts(const struct profile_points *points)
{
    char columns[128];

    (void)snprintf(columns, sizeof columns, "  %*s  %*s  %*s  between, by phase of the aggregator",
                   PART_WIDTH, "before", PART_WIDTH, "between", PART_WIDTH, "after");
    profile_print_rows(points,
                       "Its parts: before the first wavefront, between the first and the last, "
                       "after the last",
                       columns, profile_runs, print_parts_of);
}
