/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The report of a machine's runs (report.file; docs/do/profile.md, "The report of a run"): machine,
 * statistics, what happened over time, kernels, the firmware's functions, and what to look at
 * first. Runs stand behind each other, and all figures are those of all of them together. */
#ifndef SLUICE_HOST_OBSERVE_REPORT_H
#define SLUICE_HOST_OBSERVE_REPORT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/observe/profile/firmware_profile.h"
#include "host/observe/statistics/run_results.h"
#include "host/observe/trace/slices.h"
#include "host/observe/trace/timeline.h"

#define SL_REPORT_NAME_BYTES 160
#define SL_REPORT_RUNS       256u /* that are named; the others are counted */

/* A kernel in all runs. */
struct sl_report_total {
    char name[SL_REPORT_NAME_BYTES];
    struct sl_report_kernel sum;
};

struct sl_report_run {
    char name[SL_REPORT_NAME_BYTES];
    uint64_t end_ps; /* in the time of all */
};

struct sl_run_report {
    struct sl_report *shared; /* NULL: none is wanted */
    struct sl_results results;
    uint64_t runs;
    struct sl_report_run *run; /* of SL_REPORT_RUNS */
    struct sl_report_total *kernels;
    size_t kernel_count;
    char (*channels)[SL_REPORT_NAME_BYTES]; /* of SL_GRAPH_CHANNELS; "" where not named yet */
    struct sl_channel_sums latencies;       /* of channels */
    struct sl_slices slices;                /* without rows unless there is a timeline */
    uint64_t written_runs;
    uint64_t written_ps;
};

/* What the file needs beside it. */
struct sl_report_source {
    const struct sl_config *config;
    const struct sl_profile *profile;
    struct sl_firmware_code *code;
};

/* Whether what a page is made of is there. Returns 0, or -1 with a message. */
int sl_report_check(const struct sl_config *config, char *error, size_t error_bytes);

/* Returns 0, or -1 when out of memory: sl_report_close() is to be called in any case. */
int sl_report_open(struct sl_run_report *report, struct sl_report *shared);
void sl_report_close(struct sl_run_report *report);

/* Takes what a run has left. Returns 0, or -1 when out of memory. */
int sl_report_take(struct sl_run_report *report, const uint64_t *statistics,
                   const struct sl_served *served, const struct sl_trace_names *names);

/* The last run was not ended, and what it has left is not taken: clears it, but for the bin in
 * which it began. */
void sl_report_forget(struct sl_run_report *report);

/* Writes the file. Returns 0, or -1 with a message. */
int sl_report_write(struct sl_run_report *report, const struct sl_report_source *source,
                    char *error, size_t error_bytes);

/* ---- report_data.c, report_series.c, report_timeline.c: the data ---- */

/* NULL with a message. */
json_t *sl_report_data(const struct sl_run_report *report, const struct sl_report_source *source,
                       char *error, size_t error_bytes);

/* Bins in use. */
uint32_t sl_report_bins(const struct sl_report *shared);

/* What is over time: sets members of `data`. Returns 0, or -1 when out of memory. */
int sl_report_put_series(json_t *data, const struct sl_run_report *report);

/* The timeline: sets a member of `data`. Returns 0, or -1 when out of memory. */
int sl_report_put_timeline(json_t *data, const struct sl_slices *slices,
                           const struct sl_config *config);

/* ---- report_functions.c ---- */

/* The firmware's functions: sets members of `data`. Returns 0, or -1 when out of memory. */
int sl_report_put_functions(json_t *data, const struct sl_report_source *source);

/* ---- report_findings.c: what to look at first ---- */

/* An array, what explains most of the time first; empty where nothing stands out. NULL when out of
 * memory. */
json_t *sl_report_findings(const struct sl_run_report *report, const struct sl_config *config);

/* ---- report_blocked.c ---- */

/* What to say of a run's time in which the GPU waits for the aggregator, cut to fit. */
void sl_report_say_blocked(const uint64_t *statistics, char *out, size_t bytes);

/* ---- report_core.c: the cycle stack of the aggregator's core ---- */

/* Cycles of a class in which the GPU is blocked. */
uint64_t sl_report_blocked_cycles(const struct sl_report *shared, enum sl_stack_class what);

/* The part of the time that the GPU waits for what its core waits for most. 0: no matter. */
double sl_report_weigh_core(const uint64_t *statistics, const struct sl_report *shared);

/* What to say of it, cut to fit. */
void sl_report_say_core(const uint64_t *statistics, const struct sl_report *shared, char *out,
                        size_t bytes);

/* Sets a member of `data`. Returns 0, or -1 when out of memory. */
int sl_report_put_stack(json_t *data, const struct sl_run_report *report);

/* ---- report_gains.c: what another aggregator would gain ---- */

/* Sets a member of `data`. Returns 0, or -1 when out of memory. */
int sl_report_put_gains(json_t *data, const struct sl_run_report *report,
                        const struct sl_config *config);

#endif
