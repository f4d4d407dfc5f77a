/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The figures of a run that profiles show, of its statistics. */
#ifndef SLUICE_CLI_PROFILE_FIGURES_H
#define SLUICE_CLI_PROFILE_FIGURES_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#define FIGURE_TIME    "gpu.cycles"
#define FIGURE_BLOCKED "gpu.blocked_on_agg_pct"
#define FIGURE_BEFORE  "gpu.blocked.start_cycles"
#define FIGURE_AFTER   "gpu.blocked.end_cycles"
#define FIGURE_BETWEEN "gpu.blocked.between." /* and a phase of the firmware, "poll_cycles" */
#define FIGURE_PHASE   "agg.phase."           /* likewise */

/* A figure by a statistic's name, or what such names begin with. */
typedef double profile_figure(const json_t *statistics, const char *name);

/* The statistic itself. */
double profile_value(const json_t *statistics, const char *name);

/* ---- the GPU's time ---- */

/* The part of a run's time that a statistic in CU cycles is, in %. */
double figure_share(const json_t *statistics, const char *name);

/* That of all phases between the first wavefront and the last; the name says nothing. */
double figure_between(const json_t *statistics, const char *name);
bool figure_is_between(const char *name);

/* ---- what the aggregator costs ---- */

/* Its cycles per thing that a statistic counts; the same of the phases that take work to the GPU
 * and back, without polling, most of which waits, and without the phases that runs have once. 0
 * where there are no such things. */
double figure_cycles_per(const json_t *statistics, const char *name);
double figure_work_per(const json_t *statistics, const char *name);

struct figure_thing {
    const char *name;
    const char *names; /* of several */
    const char *statistic;
};

#define FIGURE_THINGS 4
extern const struct figure_thing figure_things[FIGURE_THINGS];

/* ---- the core's cycles, in % ---- */

/* By a phase's statistic; these, in order. */
#define FIGURE_PHASES 8
const char *figure_phase_name(size_t i);

/* By a class's statistic, or by a group's words. */
double figure_class(const json_t *statistics, const char *name);
double figure_group(const json_t *statistics, const char *words);

/* ---- all of them ---- */

/* A figure with its name in CSV and its unit; `words` are for tables and plots. */
struct figure_entry {
    char name[64];
    const char *words;
    const char *unit;
    profile_figure *figure;
    const char *statistic;
};

#define FIGURES_MAX 96

/* Fills the table, in order, and returns how many there are. */
size_t figures_all(struct figure_entry entries[FIGURES_MAX]);

#endif
