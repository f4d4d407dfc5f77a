/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What runs leave is put together here, under names: a kernel's address and a channel's number may
 * be another one's in the next run. */
#include "host/observe/report/report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/atomic_file.h"
#include "host/observe/report/page.h"

static bool is_data(const struct sl_config *config)
{
    static const char tail[] = ".json";
    const char *const path = config->text[SL_CFG_REPORT_FILE];
    const size_t length = strlen(path);
    return length >= strlen(tail) && strcmp(path + length - strlen(tail), tail) == 0;
}

int sl_report_check(const struct sl_config *config, char *error, size_t error_bytes)
{
    return is_data(config) ? 0 : sl_page_check(error, error_bytes);
}

int sl_report_open(struct sl_run_report *report, struct sl_report *shared)
{
    *report = (struct sl_run_report){
        .shared = shared,
        .run = calloc(SL_REPORT_RUNS, sizeof *report->run),
        .channels = calloc(SL_GRAPH_CHANNELS, sizeof *report->channels),
    };
    sl_results_accumulate(&report->results);
    return report->run != NULL && report->channels != NULL ? 0 : -1;
}

void sl_report_close(struct sl_run_report *report)
{
    free(report->run);
    free(report->kernels);
    free(report->channels);
    sl_slices_close(&report->slices);
    sl_channel_sums_clear(&report->latencies);
    *report = (struct sl_run_report){.shared = NULL};
}

/* The kernel of this name; NULL when out of memory. */
static struct sl_report_total *find_kernel(struct sl_run_report *report, const char *name)
{
    for (size_t i = 0; i < report->kernel_count; i++) {
        if (strcmp(report->kernels[i].name, name) == 0) {
            return &report->kernels[i];
        }
    }
    struct sl_report_total *const more =
        realloc(report->kernels, (report->kernel_count + 1) * sizeof *more);
    if (more == NULL) {
        return NULL;
    }
    report->kernels = more;
    struct sl_report_total *const kernel = &more[report->kernel_count++];
    *kernel = (struct sl_report_total){.name = ""};
    (void)snprintf(kernel->name, sizeof kernel->name, "%s", name);
    return kernel;
}

static int take_kernels(struct sl_run_report *report, const struct sl_trace_names *names)
{
    for (uint64_t i = 0; i < report->shared->kernel_count && i < SL_REPORT_KERNELS; i++) {
        const struct sl_report_kernel *const run = &report->shared->kernels[i];
        char name[SL_REPORT_NAME_BYTES];
        names->kernel(names->owner, run->kernel, name, sizeof name);
        struct sl_report_total *const kernel = find_kernel(report, name);
        if (kernel == NULL) {
            return -1;
        }
        kernel->sum.wavefronts += run->wavefronts;
        kernel->sum.elements += run->elements;
        kernel->sum.wave_instructions += run->wave_instructions;
        kernel->sum.lane_instructions += run->lane_instructions;
        kernel->sum.resident_ps += run->resident_ps;
        kernel->sum.yields += run->yields;
        kernel->sum.restarts += run->restarts;
    }
    return 0;
}

/* A channel that another graph calls otherwise has the number for its name. */
static void take_channels(struct sl_run_report *report, const struct sl_trace_names *names)
{
    for (uint64_t i = 0; i < report->shared->run_channels && i < SL_GRAPH_CHANNELS; i++) {
        char name[SL_REPORT_NAME_BYTES];
        names->channel(names->owner, i, name, sizeof name);
        if (report->channels[i][0] != '\0' && strcmp(report->channels[i], name) != 0) {
            (void)snprintf(name, sizeof name, "channel %u", (unsigned)i);
        }
        memcpy(report->channels[i], name, sizeof name);
    }
}

int sl_report_take(struct sl_run_report *report, const uint64_t *statistics,
                   const struct sl_served *served, const struct sl_trace_names *names)
{
    sl_results_take(&report->results, statistics, served);
    if (report->runs < SL_REPORT_RUNS) {
        struct sl_report_run *const run = &report->run[report->runs];
        (void)snprintf(run->name, sizeof run->name, "%s", names->run);
        run->end_ps = report->shared->end_ps;
    }
    report->runs++;
    take_channels(report, names);
    return take_kernels(report, names);
}

void sl_report_forget(struct sl_run_report *report)
{
    struct sl_report *const shared = report->shared;
    const uint64_t first = shared->bin_ps > 0 ? shared->end_ps / shared->bin_ps + 1 : 0;
    for (uint32_t series = 0; first < SL_REPORT_BINS && series < SL_REPORT_SERIES; series++) {
        memset(&shared->series[series][first], 0,
               (SL_REPORT_BINS - first) * sizeof shared->series[series][first]);
    }
}

/* The data alone. Returns 0, or -1 with a message. */
static int write_data(const char *path, const json_t *data, char *error, size_t error_bytes)
{
    const int reason = sl_output_json(path, data, JSON_COMPACT);

    if (reason != 0) {
        (void)snprintf(error, error_bytes, "report.file: cannot write '%s': %s", path,
                       strerror(reason));
        return -1;
    }
    return 0;
}

int sl_report_write(struct sl_run_report *report, const struct sl_report_source *source,
                    char *error, size_t error_bytes)
{
    const char *const path = source->config->text[SL_CFG_REPORT_FILE];
    json_t *const data = sl_report_data(report, source, error, error_bytes);
    if (data == NULL) {
        return -1;
    }
    const int status = is_data(source->config)
                           ? write_data(path, data, error, error_bytes)
                           : sl_page_write(path, "run", data, error, error_bytes);
    json_decref(data);
    if (status == 0) {
        report->written_runs = report->runs;
        report->written_ps = report->shared->end_ps;
    }
    return status;
}
