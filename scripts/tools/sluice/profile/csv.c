/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A profile as CSV (docs/look-up/command.md): the mean of each figure and the ends of its interval,
 * which are empty where there is one run; all is empty where a run failed. */
#define _GNU_SOURCE 1
#include "common/csv.h"

#include <string.h>

#include "host/base/atomic_file.h"
#include "profile/points.h"
#include "profile/rows.h"

static const char *const axes[] = {ROWS_CORE, ROWS_POLICY, ROWS_FIRMWARE};
#define AXES (sizeof axes / sizeof axes[0])

/* A row's value of an axis, "" where the user names none. */
static const char *label_of(const struct profile_points *points, size_t row, const char *name)
{
    for (size_t axis = 0; axis < profile_axes(points); axis++) {
        if (strcmp(profile_axis(points, axis), name) == 0) {
            return profile_label(points, row, axis);
        }
    }
    return "";
}

static void print_figure(FILE *file, const json_t *runs, const struct figure_entry *entry)
{
    static const char *const parts[] = {"value", "low", "high"};
    json_t *const figure = profile_json(runs, entry->figure, entry->statistic);

    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        (void)fputc(',', file);
        csv_print_value(file, json_object_get(figure, parts[i]));
    }
    json_decref(figure);
}

static void print_row(FILE *file, const struct profile_points *points, size_t program, size_t row,
                      const struct figure_entry *entries, size_t count)
{
    char text[PROFILE_PROGRAM_BYTES];
    json_t *const runs = profile_runs(points, program, row);

    profile_program(points, program, text);
    csv_print_text(file, text);
    for (size_t i = 0; i < AXES; i++) {
        (void)fputc(',', file);
        csv_print_text(file, label_of(points, row, axes[i]));
    }
    for (size_t i = 0; i < count; i++) {
        print_figure(file, runs, &entries[i]);
    }
    (void)fputc('\n', file);
    json_decref(runs);
}

static void print_all(FILE *file, const struct profile_points *points)
{
    struct figure_entry entries[FIGURES_MAX];
    const size_t count = figures_all(entries);

    (void)fputs("program", file);
    for (size_t i = 0; i < AXES; i++) {
        (void)fprintf(file, ",%s", axes[i]);
    }
    for (size_t i = 0; i < count; i++) {
        const char *const name = entries[i].name;
        (void)fprintf(file, ",%s,%s.low,%s.high", name, name, name);
    }
    (void)fputc('\n', file);
    for (size_t program = 0; program < json_array_size(points->programs); program++) {
        for (size_t row = 0; row < points->rows; row++) {
            print_row(file, points, program, row, entries, count);
        }
    }
}

int profile_csv(const struct profile_points *points, const char *path)
{
    struct sl_output output;
    int reason = sl_output_open(&output, path);

    if (reason == 0) {
        print_all(output.file, points);
    }
    reason = sl_output_close(&output, reason);
    return reason == 0 ? CLI_DONE
                       : cli_fail(points->sweep->command, CLI_FAILED, "cannot write %s: %s", path,
                                  strerror(reason));
}
