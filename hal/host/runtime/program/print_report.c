/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Result line, table of what happened, and error messages of programs. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "config/number.h"
#include "host/base/blocked_time.h"
#include "host/base/safe_write.h"
#include "host/base/text.h"
#include "host/driver/machine/machine.h"
#include "host/runtime/run/run.h"
#include "sluice/program.h"

#define LABEL_WIDTH 22

void sl_app_result(const char *format, ...)
{
    struct sl_write_guard guard; /* nobody may read it: the run's files are still to be written */
    va_list arguments;

    sl_write_hold(&guard);
    va_start(arguments, format);
    (void)sl_number_vwrite(stdout, format, arguments);
    va_end(arguments);
    (void)putchar('\n');
    (void)fflush(stdout);
    sl_write_release(&guard);
}

bool sl_app_check(bool is_right, const char *format, ...)
{
    va_list arguments;

    if (!is_right) {
        (void)fflush(stdout);
        (void)fprintf(stderr, "%s: wrong: ", program_invocation_short_name);
        va_start(arguments, format);
        (void)sl_number_vwrite(stderr, format, arguments);
        va_end(arguments);
        (void)fputc('\n', stderr);
    }
    return is_right;
}

uint64_t sl_app_checksum(const void *data, size_t bytes)
{
    const uint8_t *const from = data;
    uint64_t sum = 14695981039346656037u;
    for (size_t i = 0; i < bytes; i++) {
        sum = (sum ^ from[i]) * 1099511628211u;
    }
    return sum;
}

void sl_app_row(const char *label, const char *format, ...)
{
    va_list arguments;
    (void)printf("# %-*s ", LABEL_WIDTH, label);
    va_start(arguments, format);
    (void)sl_number_vwrite(stdout, format, arguments);
    va_end(arguments);
    (void)putchar('\n');
}

static double mebibytes(const struct sl_soc *soc, enum sl_statistic id)
{
    return (double)sl_statistic_count(soc, id) / (1 << 20);
}

/* What the channels and the wavefronts of a graph with channel stacks held, against what they would
 * have without yield (docs/know/scheduling.md). */
static void report_memory(const struct sl_soc *soc)
{
    if (sl_statistic_count(soc, SL_STAT_MEMORY_HELP_FIRST_CHANNEL_BYTES) == 0) {
        return;
    }
    sl_app_row(
        "memory",
        "%.1f MiB of channels, %.1f MiB of wavefront state; help-first without yield: %.1f MiB and "
        "%.1f MiB",
        mebibytes(soc, SL_STAT_MEMORY_CHANNEL_BYTES),
        mebibytes(soc, SL_STAT_MEMORY_WAVEFRONT_STATE_BYTES),
        mebibytes(soc, SL_STAT_MEMORY_HELP_FIRST_CHANNEL_BYTES),
        mebibytes(soc, SL_STAT_MEMORY_HELP_FIRST_STATE_BYTES));
}

/* Busy for so much of the time, a resource is what holds back those who wait for it. */
#define BUSY_PCT 80

/* Resources that what stalls can wait for, each with how busy it was, where statistics tell. */
static double dram_busy(const struct sl_soc *soc)
{
    return sl_statistic_real(soc, SL_STAT_DRAM_UTILIZATION_PCT);
}

static double lds_busy(const struct sl_soc *soc)
{
    const double cycles = (double)sl_statistic_count(soc, SL_STAT_GPU_CYCLES) *
                          (double)sl_soc_config(soc)->number[SL_CFG_GPU_CUS];
    return cycles == 0 ? 0
                       : 100 * (double)sl_statistic_count(soc, SL_STAT_SIMT_LDS_CYCLES) / cycles;
}

static void report_stalled(const struct sl_soc *soc)
{
    static const struct {
        const char *name;
        double (*busy)(const struct sl_soc *soc);
    } resources[] = {{"DRAM", dram_busy}, {"LDS", lds_busy}};
    char text[64];
    (void)sl_number_format(text, sizeof text, "%.1f %%",
                           sl_statistic_real(soc, SL_STAT_GPU_STALLED_PCT));
    const char *separator = ": ";
    for (size_t i = 0; i < sizeof resources / sizeof resources[0]; i++) {
        const double busy = resources[i].busy(soc);
        if (busy >= BUSY_PCT) {
            sl_text_append(text, sizeof text, "%s%s %.1f %% busy", separator, resources[i].name,
                           busy);
            separator = ", ";
        }
    }
    sl_app_row("stalled", "%s", text);
}

/* Where much of the time is blocked, when it is: its parts have different causes. */
static void report_blocked(const struct sl_soc *soc)
{
    SL_HOLD(soc);
    const struct sl_blocked_time time = sl_blocked_time(soc->run->results.statistics);
    char text[96];
    (void)sl_number_format(text, sizeof text, "%.1f %%", time.pct);
    if (time.pct >= SL_BLOCKED_MUCH_PCT) {
        sl_text_append(text, sizeof text,
                       ": %.1f %% before the first wavefront, %.1f %% between, %.1f %% after",
                       time.before_pct, time.between_pct, time.after_pct);
    }
    sl_app_row("blocked on aggregator", "%s", text);
}

/* Where a profile of kernels is wanted, what all wavefronts' time went to most of all. */
static void report_reasons(const struct sl_soc *soc)
{
    struct sl_kernel_reason reasons[32];
    char text[128] = "";
    uint64_t all = 0;
    const unsigned count = sl_kernel_reasons(soc, reasons, sizeof reasons / sizeof reasons[0]);
    for (unsigned i = 0; i < count; i++) {
        all += reasons[i].cycles;
    }
    for (unsigned i = 0; i < count && i < 3; i++) {
        sl_text_append(text, sizeof text, "%s%s %.1f %%", i == 0 ? "" : ", ", reasons[i].words,
                       100 * (double)reasons[i].cycles / (double)all);
    }
    if (count > 0) {
        sl_app_row("wavefronts' time", "%s", text);
    }
}

void sl_app_table(const struct sl_soc *soc)
{
    const struct sl_config *const config = sl_soc_config(soc);
    char clock[64];
    sl_config_tell(SL_CFG_GPU_CLOCK, config, clock, sizeof clock);
    const double cycle_us = (double)sl_config_period_ps(config, SL_CFG_GPU_CLOCK) / 1e6;
    const uint64_t cycles = sl_statistic_count(soc, SL_STAT_GPU_CYCLES);

    const int64_t cus = config->number[SL_CFG_GPU_CUS];
    const int64_t lanes = config->number[SL_CFG_GPU_LANES];
    sl_app_row("machine", "%" PRId64 " CU%s, wavefronts of %" PRId64 " lane%s, %s", cus,
               cus == 1 ? "" : "s", lanes, lanes == 1 ? "" : "s", clock);
    sl_app_row("CU cycles", "%" PRIu64 " (%.3f us simulated)", cycles, (double)cycles * cycle_us);
    const uint64_t groups = sl_statistic_count(soc, SL_STAT_GPU_WORKGROUPS);
    if (groups > 0) {
        sl_app_row("work-groups", "%" PRIu64, groups);
    } else {
        sl_app_row("elements", "%" PRIu64, sl_statistic_count(soc, SL_STAT_GPU_ELEMENTS));
    }
    const uint64_t dispatches = sl_statistic_count(soc, SL_STAT_GPU_DISPATCHES);
    sl_app_row("wavefronts", "%" PRIu64 " in %" PRIu64 " dispatch%s",
               sl_statistic_count(soc, SL_STAT_GPU_WAVEFRONTS), dispatches,
               dispatches == 1 ? "" : "es");
    const uint64_t yields = sl_statistic_count(soc, SL_STAT_GPU_YIELDS);
    if (yields > 0) {
        sl_app_row("yields", "%" PRIu64 ", %" PRIu64 " bytes saved by each on average", yields,
                   sl_statistic_count(soc, SL_STAT_GPU_YIELD_BYTES) / yields);
    }
    report_memory(soc);
    sl_app_row("wave instructions", "%" PRIu64,
               sl_statistic_count(soc, SL_STAT_SIMT_WAVE_INSTRUCTIONS));
    sl_app_row("SIMD utilisation", "%.1f %%",
               sl_statistic_real(soc, SL_STAT_GPU_SIMD_UTILIZATION_PCT));
    sl_app_row("active", "%.1f %% of the time, %.1f %% of the issue slots",
               sl_statistic_real(soc, SL_STAT_GPU_ACTIVE_PCT),
               sl_statistic_real(soc, SL_STAT_GPU_ISSUE_PCT));
    report_stalled(soc);
    report_blocked(soc);
    report_reasons(soc);
    sl_app_row("aggregator", "%" PRIu64 " instructions, %.2f per cycle",
               sl_statistic_count(soc, SL_STAT_AGG_INSTRUCTIONS),
               sl_statistic_real(soc, SL_STAT_AGG_IPC));
    sl_app_row("simulator", "%.2f s, %.2f million wave instructions/s",
               sl_statistic_real(soc, SL_STAT_SIM_WALL_S),
               sl_statistic_real(soc, SL_STAT_SIM_WAVE_INSTRUCTIONS_PER_S) / 1e6);
    (void)fflush(stdout);
}

/* What is wrong with a run that is right, on standard error: losses, which the files say too, and
 * stray stores. */
static void report_warnings(const struct sl_soc *soc)
{
    const struct sl_config *const config = sl_soc_config(soc);
    char stray[1024];
    if (sl_stray_stores(soc, stray, sizeof stray) > 0) {
        (void)fprintf(stderr, "%s: %s\n", program_invocation_short_name, stray);
    }
    if (sl_timeline_lost(soc) > 0) {
        (void)fprintf(stderr,
                      "%s: the timeline '%s' ends early: %" PRIu64 " events beyond timeline.events "
                      "= %" PRId64 " were lost\n",
                      program_invocation_short_name, config->text[SL_CFG_TIMELINE_FILE],
                      sl_timeline_lost(soc), config->number[SL_CFG_TIMELINE_EVENTS]);
    }
    if (sl_profile_lost(soc) > 0) {
        (void)fprintf(stderr,
                      "%s: the profile '%s' lacks %" PRIu64 " calls that found no room; the costs "
                      "of functions and lines are complete\n",
                      program_invocation_short_name, config->text[SL_CFG_PROFILE_FILE],
                      sl_profile_lost(soc));
    }
    if (sl_kernel_profile_lost(soc) > 0) {
        (void)fprintf(stderr,
                      "%s: the profile of kernels '%s' is incomplete: it lacks %" PRIu64
                      " instructions or calls that found no room\n",
                      program_invocation_short_name, config->text[SL_CFG_KERNEL_PROFILE_FILE],
                      sl_kernel_profile_lost(soc));
    }
}

enum sl_status sl_app_report(struct sl_soc *soc, const struct sl_app_options *options)
{
    if (!options->is_quiet) {
        sl_app_table(soc);
    }
    report_warnings(soc);
    const enum sl_status statistics =
        options->stats != NULL ? sl_soc_write_statistics(soc, options->stats) : SL_OK;
    const enum sl_status status = sl_soc_write_report(soc);
    return status != SL_OK ? status : statistics;
}

static void print_line(void *user, const char *line)
{
    (void)fprintf(user, "%s\n", line);
}

static void print_race(void *user, const char *line)
{
    (void)fprintf(user, "%s: %s\n", program_invocation_short_name, line);
}

int sl_app_races(const struct sl_soc *soc, int exit_status)
{
    const uint64_t races = soc != NULL ? sl_soc_race_count(soc) : 0;
    if (races == 0) {
        return exit_status;
    }
    (void)fflush(stdout);
    sl_soc_tell_races(soc, print_race, stderr);
    (void)fprintf(stderr, "%s: %" PRIu64 " race%s, each of two source lines\n",
                  program_invocation_short_name, races, races == 1 ? "" : "s");
    return exit_status == SL_APP_RIGHT ? SL_APP_WRONG : exit_status;
}

/* debug.dump: what the device kept of the wavefronts when one faulted. */
static void report_dump(struct sl_soc *soc)
{
    const struct sl_config *const config = sl_soc_config(soc);
    if (config->number[SL_CFG_DEBUG_DUMP] != SL_DEBUG_DUMP_NONE &&
        sl_soc_dump(soc,
                    config->number[SL_CFG_DEBUG_DUMP_REGISTERS] == SL_DEBUG_DUMP_REGISTERS_TRUE,
                    print_line, stderr) != SL_OK) {
        print_line(stderr, sl_soc_error(soc));
    }
}

int sl_app_error(struct sl_soc *soc, enum sl_status status)
{
    (void)fflush(stdout);
    const char *const message = sl_soc_error(soc);
    if (message[0] != '\0') { /* else the program has told what is wrong itself */
        (void)fprintf(stderr, "%s: %s\n", program_invocation_short_name, message);
    }
    if (soc != NULL && status == SL_ERROR_MACHINE) {
        report_dump(soc);
    }
    /* Calls that return no status leave theirs with the message. */
    const bool is_usage =
        status == SL_ERROR_USAGE && (soc == NULL || soc->failure != SL_ERROR_MACHINE);
    return is_usage ? SL_APP_USAGE : SL_APP_MACHINE;
}
