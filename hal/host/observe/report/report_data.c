/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The data of a report, one JSON object: what the page draws, and what a file of the data has
 * (docs/do/profile.md, "The report of a run"). */
#define _GNU_SOURCE 1
#include "host/observe/report/report.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/base/text.h"
#include "host/base/utf8.h"

#define COMMAND_BYTES 4096

/* The arguments that the process was started with, each with its zero. Returns how many bytes; 0
 * where they cannot be read. */
static size_t read_arguments(char *out, size_t bytes)
{
    const int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    size_t count = 0;
    ssize_t got = fd >= 0 ? 1 : 0;
    while (got > 0 && count < bytes - 1) {
        got = read(fd, out + count, bytes - 1 - count);
        count += got > 0 ? (size_t)got : 0;
    }
    if (fd >= 0) {
        (void)close(fd);
    }
    out[count] = '\0';
    return count;
}

static json_t *text_or_name(const char *text)
{
    return sl_json_text(text[0] != '\0' ? text : program_invocation_short_name);
}

static json_t *command(void)
{
    char arguments[COMMAND_BYTES];
    char text[2 * COMMAND_BYTES] = "";
    const size_t bytes = read_arguments(arguments, sizeof arguments);
    for (size_t at = 0; at < bytes; at += strlen(&arguments[at]) + 1) {
        sl_text_append(text, sizeof text, "%s", at > 0 ? " " : "");
        sl_text_append_quoted(text, sizeof text, &arguments[at]);
    }
    return text_or_name(text);
}

/* The program, and its arguments up to the first option: "cilk_fib 24". */
static json_t *title(void)
{
    char arguments[COMMAND_BYTES];
    char text[COMMAND_BYTES] = "";
    const size_t bytes = read_arguments(arguments, sizeof arguments);
    size_t at = strlen(arguments) + 1;
    sl_text_append(text, sizeof text, "%s", program_invocation_short_name);
    while (at < bytes && arguments[at] != '-') {
        sl_text_append(text, sizeof text, " %s", &arguments[at]);
        at += strlen(&arguments[at]) + 1;
    }
    return text_or_name(text);
}

/* ---- machine ---- */

static bool is_of_machine(enum sl_config_key key)
{
    static const char *const others[] = {"host.", "debug.", "profile.", "timeline.", "report."};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (strncmp(sl_config_table[key].key, others[i], strlen(others[i])) == 0) {
            return false;
        }
    }
    return sl_config_table[key].type != SL_CONFIG_TYPE_TEXT;
}

static int64_t default_of(const struct sl_config *config, enum sl_config_key key)
{
    const struct sl_config_preset *const preset = sl_config_preset_of(config, key);
    return preset != NULL ? preset->number : sl_config_table[key].initial;
}

/* A key with its value; with its default and where it was set, where it differs. `defaults` is
 * written over. */
static json_t *key_json(const struct sl_config *config, enum sl_config_key key,
                        struct sl_config *defaults)
{
    char value[SL_CONFIG_TEXT_MAX];
    char initial[SL_CONFIG_TEXT_MAX];
    const char *const name = sl_config_table[key].key;
    defaults->number[key] = default_of(config, key);
    sl_config_format(key, config, value, sizeof value);
    if (defaults->number[key] == config->number[key]) {
        return json_pack("{s:s,s:s}", "key", name, "value", value);
    }
    sl_config_format(key, defaults, initial, sizeof initial);
    return json_pack("{s:s,s:s,s:s,s:o}", "key", name, "value", value, "default", initial, "source",
                     sl_json_text(config->source[key]));
}

static json_t *machine(const struct sl_config *config)
{
    struct sl_config *const defaults = calloc(1, sizeof *defaults);
    json_t *const array = json_array();
    int failed = defaults == NULL;
    for (int i = 0; failed == 0 && i < SL_CFG_COUNT; i++) {
        const enum sl_config_key key = (enum sl_config_key)i;
        if (is_of_machine(key)) {
            failed = json_array_append_new(array, key_json(config, key, defaults));
        }
    }
    free(defaults);
    if (failed != 0) {
        json_decref(array);
        return NULL;
    }
    return array;
}

/* ---- runs and kernels ---- */

static json_t *runs(const struct sl_run_report *report)
{
    json_t *const named = json_array();
    int failed = 0;
    for (uint64_t i = 0; i < report->runs && i < SL_REPORT_RUNS; i++) {
        const struct sl_report_run *const run = &report->run[i];
        failed |=
            json_array_append_new(named, json_pack("{s:o,s:I}", "name", sl_json_text(run->name),
                                                   "end_ps", (json_int_t)run->end_ps));
    }
    if (failed != 0) {
        json_decref(named);
        return NULL;
    }
    return json_pack("{s:I,s:o}", "count", (json_int_t)report->runs, "named", named);
}

static json_t *kernels(const struct sl_run_report *report)
{
    json_t *const array = json_array();
    int failed = 0;
    for (size_t i = 0; i < report->kernel_count; i++) {
        const struct sl_report_kernel *const sum = &report->kernels[i].sum;
        failed |= json_array_append_new(
            array, json_pack("{s:o,s:I,s:I,s:I,s:I,s:I,s:I,s:I}", "name",
                             sl_json_text(report->kernels[i].name), "wavefronts",
                             (json_int_t)sum->wavefronts, "elements", (json_int_t)sum->elements,
                             "wave_instructions", (json_int_t)sum->wave_instructions,
                             "lane_instructions", (json_int_t)sum->lane_instructions, "resident_ps",
                             (json_int_t)sum->resident_ps, "yields", (json_int_t)sum->yields,
                             "restarts", (json_int_t)sum->restarts));
    }
    if (failed != 0) {
        json_decref(array);
        return NULL;
    }
    return array;
}

/* ---- all of it ---- */

static json_t *statistic_texts(void)
{
    json_t *const object = json_object();
    int failed = 0;
    for (int i = 0; i < SL_STAT_COUNT; i++) {
        const struct sl_statistic_entry *const entry = &sl_statistic_table[i];
        failed |= json_object_set_new(object, entry->name,
                                      json_pack("[s,s]", entry->unit, entry->sentence));
    }
    if (failed != 0) {
        json_decref(object);
        return NULL;
    }
    return object;
}

json_t *sl_report_data(const struct sl_run_report *report, const struct sl_report_source *source,
                       char *error, size_t error_bytes)
{
    json_t *const statistics =
        sl_results_json(&report->results, source->config, error, error_bytes);
    if (statistics == NULL) {
        return NULL;
    }
    json_t *const data = json_object();
    int failed = json_object_set_new(data, "title", title());
    failed |= json_object_set_new(data, "command", command());
    failed |= json_object_set_new(data, "runs", runs(report));
    failed |= json_object_set_new(data, "machine", machine(source->config));
    failed |= json_object_set_new(data, "findings", sl_report_findings(report, source->config));
    failed |= json_object_set_new(data, "statistics", statistics);
    failed |= json_object_set_new(data, "statistic_texts", statistic_texts());
    failed |= json_object_set_new(data, "kernels", kernels(report));
    failed |= json_object_set_new(data, "latencies", sl_channel_sums_json(&report->latencies));
    failed |= sl_report_put_functions(data, source);
    failed |= sl_report_put_stack(data, report);
    failed |= sl_report_put_gains(data, report, source->config);
    failed |= sl_report_put_series(data, report);
    if (report->slices.rows != NULL) {
        failed |= sl_report_put_timeline(data, &report->slices, source->config);
    }
    if (failed != 0) {
        (void)snprintf(error, error_bytes, "report.file: out of memory");
        json_decref(data);
        return NULL;
    }
    return data;
}
