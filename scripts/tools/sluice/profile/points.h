/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What the runs of a profile say: those of a program in a row, one for each seed, together. A row
 * is a value of each axis: a core, a policy, a firmware image (rows.h). */
#ifndef SLUICE_CLI_PROFILE_POINTS_H
#define SLUICE_CLI_PROFILE_POINTS_H

#include <jansson.h>
#include <stddef.h>

#include "common/interval.h"
#include "profile/figures.h"
#include "report/panel.h"
#include "sweep/sweep.h"

#define PROFILE_PROGRAM_BYTES 256
#define PROFILE_CORE_WIDTH    16

/* The runs are in the order programs by rows by seeds. */
struct profile_points {
    const struct sweep *sweep;
    const json_t *programs;
    const json_t *varied; /* the axes of rows, then the seeds */
    size_t rows;          /* of each program */
    size_t seeds;
};

void profile_points_init(struct profile_points *points, const struct sweep *sweep,
                         const struct sweep_request *request);

/* An array of their statistics, to be given back; empty where one failed. */
json_t *profile_runs(const struct profile_points *points, size_t program, size_t row);

/* The number of a row's first run; its others follow. */
size_t profile_first_run(const struct profile_points *points, size_t program, size_t row);

/* A program with its arguments; `out` has PROFILE_PROGRAM_BYTES. */
void profile_program(const struct profile_points *points, size_t program, char *out);

/* How many axes there are, their names, and a row's value of one. */
size_t profile_axes(const struct profile_points *points);
const char *profile_axis(const struct profile_points *points, size_t axis);
const char *profile_label(const struct profile_points *points, size_t row, size_t axis);

struct interval profile_interval(const json_t *runs, profile_figure *figure, const char *name);

/* {"value", "low", "high"} (common/interval.h); null where a run failed. */
json_t *profile_json(const json_t *runs, profile_figure *figure, const char *name);

/* Writes mean and interval: "12.3 ±0.4", or "failed". Returns how many columns they take. */
int profile_text(const json_t *runs, profile_figure *figure, const char *name, char *out,
                 size_t bytes);

/* The same in a column, with what stands beside it. */
void profile_print(const json_t *runs, profile_figure *figure, const char *name, int width,
                   const char *beside);

/* ---- tables of a row for each program, core, policy and image ---- */

/* Prints a row's figures from what is made of its runs, an array of statistics. */
typedef void profile_row(const json_t *runs);
typedef json_t *profile_made(const struct profile_points *points, size_t program, size_t row);

/* Of the column of programs. */
int profile_program_width(const struct profile_points *points);

/* Prints the names of the axes, or a row's values, in their columns. */
void profile_print_axes(const struct profile_points *points);
void profile_print_labels(const struct profile_points *points, size_t row);

/* Prints the title, the columns' names behind those of program and axes, and the rows. */
void profile_print_rows(const struct profile_points *points, const char *title, const char *columns,
                        profile_made *make, profile_row *print);

/* ---- figures as data: csv.c, page.c ---- */

/* Writes a row for each program, core, policy and image. Returns an exit status. */
int profile_csv(const struct profile_points *points, const char *path);

/* Writes a page with a panel for each program; `command` is taken over. Returns an exit status. */
int profile_page(const struct profile_points *points, const struct sweep_request *request,
                 json_t *command, const char *path);

/* ---- blocked_tables.c: the time in which the GPU is blocked ---- */

/* Beside it the paper's figures, of the panel that has them. */
void profile_print_shares(const struct profile_points *points, const struct panel *paper);
void profile_print_parts(const struct profile_points *points);

/* ---- functions.c: the firmware's most expensive functions ---- */

#define PROFILE_FUNCTIONS 8

/* An object for each run of a row: what share of the core's cycles each function has, in %; empty
 * where one failed. To be given back. */
profile_made profile_functions;

/* The most expensive ones, by mean, then name. Returns how many there are. */
size_t profile_top_functions(const json_t *runs, const char *names[PROFILE_FUNCTIONS]);

void profile_print_functions(const struct profile_points *points);

/* ---- core_tables.c: what runs take and what the aggregator costs, its phases, and its core's
 * cycle stack ---- */

void profile_print_runs(const struct profile_points *points);
void profile_print_costs(const struct profile_points *points);
void profile_print_phases(const struct profile_points *points);
void profile_print_stack(const struct profile_points *points);

/* ---- latency_table.c ---- */

/* Nothing where no run has channels. */
void profile_print_latencies(const struct profile_points *points);

#endif
