/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Profiles, timeline, report and races of a machine's runs: memory that the simulator writes them
 * to, and the files that are made of it when a run has ended (profile.file, kernel_profile.file,
 * timeline.file, report.file, races.file).
 * Beside them is what else comes out of runs:
 *
 *     host/observe/trace/timeline.c the timeline host/observe/report/report.c, report_*.c the
 * report, and the findings in it (host/observe/report/report.h) host/observe/races/races.c,
 * host/observe/races/races_text.c, host/observe/races/races_json.c    races (debug.races)
 *     host/observe/sharing/sharing.c, sharing_*.c who shares what (mem.sharing)
 *     host/observe/statistics/run_results.c, host/observe/statistics/served_json.c statistics, and
 * their file host/observe/print/print.c, host/observe/print/print_format.c what kernels print
 *
 * The files of profiles are made in profile; trace and samples, which are written while runs are
 * on, in records. Depends on these, machine, load and messages. What the kernels and channels of a
 * run are called, it is told. */
#ifndef SLUICE_HOST_OBSERVE_RECORDER_H
#define SLUICE_HOST_OBSERVE_RECORDER_H

#include "host/driver/machine/machine.h"
#include "host/observe/profile/firmware_profile.h"
#include "host/observe/profile/kernel_profile.h"
#include "host/observe/races/races.h"
#include "host/observe/report/report.h"
#include "host/observe/sharing/sharing.h"
#include "host/observe/trace/timeline.h"
#include "host/observe/trace/trace.h"
#include "sluice/sluice.h"

struct sl_observation {
    struct sl_profile *profile; /* NULL where neither it nor a report is wanted */
    uint64_t profile_runs;
    uint64_t profile_runs_written;
    struct sl_firmware_code code;
    struct sl_kernel_profile *kernels; /* NULL where none is wanted */
    struct sl_kernel_costs kernel_costs;
    uint64_t kernel_runs_written;
    struct sl_timeline *timeline; /* NULL where none is wanted */
    size_t timeline_bytes;
    struct sl_trace trace;
    struct sl_run_report report;
    struct sl_race_list races;
    uint64_t race_runs_written;
    struct sl_sharing *sharing;          /* NULL where nobody wants to know (mem.sharing) */
    struct sl_channel_latency *channels; /* NULL where neither latencies nor a report are wanted */
    struct sl_record_trace instructions;
    struct sl_record_samples samples;
    bool is_ending; /* of the run that is on, all records are there (sl_observe_has_records()) */
    enum sl_status failed; /* why something lacks a run, first, until that is told; or SL_OK */
    char failure[SL_SOC_ERROR_BYTES];
};

/* Makes what the configuration asks for, before QEMU is started: it inherits the descriptors in the
 * machine's memory. */
enum sl_status sl_observe_open(struct sl_observation *observation, struct sl_soc *soc);

/* The firmware is in memory: that the names are its own is checked. */
enum sl_status sl_observe_booted(const struct sl_observation *observation, struct sl_soc *soc);

/* QEMU is about to be started anew, and the run that was on has brought no results: what the
 * simulator left of it is put away. Trace and samples keep what they have of it. */
void sl_observe_restart(struct sl_observation *observation);

/* A run is about to begin. */
enum sl_status sl_observe_begin(struct sl_observation *observation, struct sl_soc *soc);

/* Whether the simulator waits until this process has taken records, for which it needs the room. */
bool sl_observe_is_awaited(const struct sl_observation *observation);

/* The run that is on has ended, says the firmware: whether trace and samples have all of it. It is
 * asked before sl_observe_run(), again and again until they do. */
bool sl_observe_has_records(struct sl_observation *observation);

/* Sleeps for so long, or until that may be. */
void sl_observe_sleep(const struct sl_observation *observation, int limit_ms);

/* Whether the run waits for the reader of a trace or of samples, and whose file that is. */
bool sl_observe_unread(const struct sl_observation *observation, enum sl_config_key *key);

/* Something of a run could not be kept or written, with the message that is there; SL_OK is
 * nothing. The run has its results all the same: sl_observe_tell() says so later. */
void sl_observe_note(struct sl_observation *observation, const struct sl_soc *soc,
                     enum sl_status status);

/* What was noted first, with its message, and then forgotten. */
enum sl_status sl_observe_tell(struct sl_observation *observation, struct sl_soc *soc);

/* A run has ended with these results, trace and samples have their records, and its parts have
 * these names: the files are written, but for the timeline; the report and the profiles where much
 * has come since they were. What fails is noted. */
struct sl_observed_run {
    const struct sl_trace_names *names;
    const uint64_t *statistics;
    const struct sl_served *served;
};
void sl_observe_run(struct sl_observation *observation, struct sl_soc *soc,
                    const struct sl_observed_run *run);

/* Writes the profile of the firmware, where it lacks a run. */
enum sl_status sl_observe_profile(struct sl_observation *observation, struct sl_soc *soc);

/* Has the timeline take its name, with all runs so far. */
enum sl_status sl_observe_timeline(struct sl_observation *observation, struct sl_soc *soc);

/* Writes the profile of kernels, where it lacks a run. */
enum sl_status sl_observe_kernels(struct sl_observation *observation, struct sl_soc *soc);

/* Writes the report, where it lacks a run. */
enum sl_status sl_observe_report(struct sl_observation *observation, struct sl_soc *soc);

/* Writes the file of races, where one is wanted and lacks a run. */
enum sl_status sl_observe_races(struct sl_observation *observation, struct sl_soc *soc);

/* Allowed on a zeroed object. */
void sl_observe_close(struct sl_observation *observation);

#endif
