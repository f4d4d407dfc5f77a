/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The results of a sweep in two files: results.csv, which has no figure that differs between equal
 * runs, and results.jsonl, which has all of them. */
#define _GNU_SOURCE 1
#include <stdio.h>
#include <string.h>

#include "common/csv.h"
#include "host/base/atomic_file.h"
#include "host/base/text.h"
#include "host/base/utf8.h"
#include "sluice/sluice.h"
#include "sweep/sweep.h"

#define LINE_BYTES    1024
#define COMMAND_BYTES 8192
#define FAILURES_TOLD 10

/* What a run printed: its first line that does not begin with '#' (docs/look-up/options.md). */
static json_t *result_of(const struct sweep *sweep, size_t run)
{
    char path[SWEEP_PATH_MAX];
    char line[LINE_BYTES];
    json_t *result = NULL;

    sweep_path(sweep, run, "out", path);
    FILE *const file = fopen(path, "re");
    while (file != NULL && result == NULL && fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        result = line[0] != '#' ? sl_json_text(line) : NULL;
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    return result != NULL ? result : json_string("");
}

/* Of a run that is done; a run that failed has none. */
static json_t *statistics_of(const struct sweep *sweep, size_t run)
{
    json_t *const statistics = sweep_statistics(sweep, run);

    return statistics != NULL ? statistics : json_object();
}

/* {"run", "program", "settings": {key: value}, "status", "result", "statistics"}; NULL where the
 * run is not done. */
static json_t *record_of(const struct sweep *sweep, size_t run)
{
    const json_t *const planned = json_array_get(sweep->runs, run);
    const json_t *const keys = json_object_get(sweep->plan, "keys");
    json_t *const status = sweep_status(sweep, run);
    size_t i;
    json_t *key;

    if (status == NULL) {
        return NULL;
    }
    json_t *const settings = json_object();
    json_array_foreach(keys, i, key)
    {
        json_object_set(settings, json_string_value(key),
                        json_array_get(json_object_get(planned, "values"), i));
    }
    json_t *const record =
        json_pack("{s:I, s:O, s:o, s:O, s:o, s:o}", "run", (json_int_t)run, "program",
                  json_object_get(planned, "program"), "settings", settings, "status",
                  json_object_get(status, "status"), "result", result_of(sweep, run), "statistics",
                  statistics_of(sweep, run));
    json_decref(status);
    return record;
}

static bool is_of_simulator(const char *name)
{
    return strncmp(name, "sim.", 4) == 0;
}

static void print_header(FILE *file, const json_t *keys)
{
    size_t i;
    const json_t *key;

    (void)fputs("run,program", file);
    json_array_foreach(keys, i, key)
    {
        (void)fputc(',', file);
        csv_print_value(file, key);
    }
    (void)fputs(",status,result", file);
    for (int id = 0; id < SL_STAT_COUNT; id++) {
        if (!is_of_simulator(sl_statistic_table[id].name)) {
            (void)fprintf(file, ",%s", sl_statistic_table[id].name);
        }
    }
    (void)fputc('\n', file);
}

static void print_row(FILE *file, const json_t *record)
{
    const json_t *const statistics = json_object_get(record, "statistics");
    char program[LINE_BYTES];
    const char *key;
    const json_t *value;

    csv_print_value(file, json_object_get(record, "run"));
    (void)fputc(',', file);
    sweep_join(json_object_get(record, "program"), program, sizeof program);
    csv_print_text(file, program);
    json_object_foreach((json_t *)(uintptr_t)json_object_get(record, "settings"), key, value)
    {
        (void)fputc(',', file);
        csv_print_value(file, value);
    }
    (void)fputc(',', file);
    csv_print_value(file, json_object_get(record, "status"));
    (void)fputc(',', file);
    csv_print_value(file, json_object_get(record, "result"));
    for (int id = 0; id < SL_STAT_COUNT; id++) {
        if (!is_of_simulator(sl_statistic_table[id].name)) {
            (void)fputc(',', file);
            csv_print_value(file, json_object_get(statistics, sl_statistic_table[id].name));
        }
    }
    (void)fputc('\n', file);
}

static void write_files(const struct sweep *sweep, FILE *csv, FILE *lines, size_t *bad)
{
    *bad = 0;
    print_header(csv, json_object_get(sweep->plan, "keys"));
    for (size_t run = 0; run < json_array_size(sweep->runs); run++) {
        json_t *const record = record_of(sweep, run);
        if (record == NULL || json_integer_value(json_object_get(record, "status")) != 0) {
            (*bad)++;
        }
        if (record != NULL) {
            print_row(csv, record);
            (void)json_dumpf(record, lines, JSON_COMPACT);
            (void)fputc('\n', lines);
        }
        json_decref(record);
    }
}

int sweep_write_results(const struct sweep *sweep, size_t *bad)
{
    static const char *const names[] = {"results.csv", "results.jsonl"};
    struct sl_output output[2];
    int reason = 0;

    for (int i = 0; i < 2; i++) {
        char path[SWEEP_PATH_MAX + 32];
        (void)snprintf(path, sizeof path, "%s/%s", sweep->folder, names[i]);
        const int opened = sl_output_open(&output[i], path);
        reason = reason != 0 ? reason : opened;
    }
    if (reason == 0) {
        write_files(sweep, output[0].file, output[1].file, bad);
    }
    for (int i = 0; i < 2; i++) {
        reason = sl_output_close(&output[i], reason);
    }
    return reason != 0 ? cli_fail(sweep->command, CLI_FAILED, "cannot write %s and %s: %s",
                                  output[0].path, output[1].path, strerror(reason))
                       : CLI_DONE;
}

void sweep_first_words(const struct sweep *sweep, size_t run, char *line, size_t bytes)
{
    char path[SWEEP_PATH_MAX];

    sweep_path(sweep, run, "err", path);
    FILE *const file = fopen(path, "re");
    const char *got = file != NULL ? fgets(line, (int)bytes, file) : NULL;
    while (got != NULL && line[0] == '#') {
        got = fgets(line, (int)bytes, file); /* how far it was, is not why it has failed */
    }
    if (got == NULL) {
        (void)snprintf(line, bytes, "it said nothing");
    }
    line[strcspn(line, "\n")] = '\0';
    if (file != NULL) {
        (void)fclose(file);
    }
}

/* "sluice run ..." of a run's words, as a shell takes it. */
static json_t *command_of(const json_t *words)
{
    char command[COMMAND_BYTES] = "sluice run";
    size_t i;
    const json_t *word;

    json_array_foreach(words, i, word)
    {
        sl_text_append(command, sizeof command, " ");
        sl_text_append_quoted(command, sizeof command, json_string_value(word));
    }
    return sl_json_text(command);
}

json_t *sweep_failure(const struct sweep *sweep, size_t run)
{
    char line[LINE_BYTES] = "it has not come to an end";

    if (sweep_is_good(sweep, run)) {
        return NULL;
    }
    if (sweep_is_done(sweep, run)) {
        sweep_first_words(sweep, run, line, sizeof line);
    }
    return json_pack("{s:o, s:o}", "command",
                     command_of(json_object_get(json_array_get(sweep->runs, run), "words")),
                     "message", sl_json_text(line));
}

void sweep_print_failures(const struct sweep *sweep)
{
    char line[LINE_BYTES];
    unsigned told = 0;

    for (size_t run = 0; run < json_array_size(sweep->runs) && told < FAILURES_TOLD; run++) {
        json_t *const status = sweep_status(sweep, run);
        const int ended = (int)json_integer_value(json_object_get(status, "status"));
        if (status == NULL) {
            (void)cli_fail(sweep->command, CLI_FAILED, "run %zu has not come to an end", run);
        } else if (ended != 0) {
            sweep_first_words(sweep, run, line, sizeof line);
            (void)cli_fail(sweep->command, CLI_WRONG, "run %zu ended with status %d: %s", run,
                           ended, line);
        }
        told += status == NULL || ended != 0;
        json_decref(status);
    }
}
