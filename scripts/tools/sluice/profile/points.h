/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What the runs of a profile say: those of a program on a core, one for each seed, together. */
#ifndef SLUICE_CLI_PROFILE_POINTS_H
#define SLUICE_CLI_PROFILE_POINTS_H

#include <jansson.h>
#include <stddef.h>

#include "common/interval.h"
#include "sweep/sweep.h"

#define PROFILE_PROGRAM_BYTES 256
#define PROFILE_CORE_WIDTH    16

/* What there is a row or a column of; the runs are in the order programs by cores by seeds. */
struct profile_points {
    const struct sweep *sweep;
    const json_t *programs;
    const json_t *cores;
    size_t seeds;
};

/* An array of their statistics, to be given back; empty where one failed. */
json_t *profile_runs(const struct profile_points *points, size_t program, size_t core);

/* A program with its arguments; `out` has PROFILE_PROGRAM_BYTES. */
void profile_program(const struct profile_points *points, size_t program, char *out);
const char *profile_core(const struct profile_points *points, size_t core);

/* A figure of a run, by a statistic's name or what such names begin with. */
typedef double profile_figure(const json_t *statistics, const char *name);

/* The statistic itself. */
double profile_value(const json_t *statistics, const char *name);

struct interval profile_interval(const json_t *runs, profile_figure *figure, const char *name);

/* Writes mean and interval: "12.3 ±0.4", or "failed". Returns how many columns they take. */
int profile_text(const json_t *runs, profile_figure *figure, const char *name, char *out,
                 size_t bytes);

/* The same in a column, with what stands beside it. */
void profile_print(const json_t *runs, profile_figure *figure, const char *name, int width,
                   const char *beside);

/* ---- tables of a row for each program and core ---- */

/* Prints a row's figures. */
typedef void profile_row(const json_t *runs);

/* Prints the title, the columns' names behind those of program and core, and the rows. */
void profile_print_rows(const struct profile_points *points, const char *title, const char *columns,
                        profile_row *row);

/* ---- core_tables.c: what the aggregator costs, and its core's cycle stack ---- */

void profile_print_costs(const struct profile_points *points);
void profile_print_stack(const struct profile_points *points);

#endif
