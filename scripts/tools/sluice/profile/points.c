/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The figures of a profile's runs, and the rows of its tables. */
#include "profile/points.h"

#include <stdio.h>
#include <string.h>

#include "common/text_table.h"

/* Every run has it. */
#define ANY "gpu.cycles"

/* Means from here on have no decimals. */
#define WHOLE 1000

static const json_t *values_of(const struct profile_points *points, size_t axis)
{
    return json_object_get(json_array_get(points->varied, axis), "values");
}

void profile_points_init(struct profile_points *points, const struct sweep *sweep,
                         const struct sweep_request *request)
{
    *points = (struct profile_points){
        .sweep = sweep, .programs = request->programs, .varied = request->varied, .rows = 1};
    points->seeds = json_array_size(values_of(points, profile_axes(points)));
    for (size_t axis = 0; axis < profile_axes(points); axis++) {
        points->rows *= json_array_size(values_of(points, axis));
    }
}

size_t profile_first_run(const struct profile_points *points, size_t program, size_t row)
{
    return (program * points->rows + row) * points->seeds;
}

json_t *profile_runs(const struct profile_points *points, size_t program, size_t row)
{
    const size_t first = profile_first_run(points, program, row);
    json_t *const runs = json_array();

    for (size_t seed = 0; seed < points->seeds; seed++) {
        json_t *const statistics = sweep_statistics(points->sweep, first + seed);
        if (json_object_get(statistics, ANY) != NULL) {
            (void)json_array_append(runs, statistics);
        }
        json_decref(statistics);
    }
    if (json_array_size(runs) < points->seeds) {
        (void)json_array_clear(runs);
    }
    return runs;
}

void profile_program(const struct profile_points *points, size_t program, char *out)
{
    sweep_join(json_array_get(points->programs, program), out, PROFILE_PROGRAM_BYTES);
}

size_t profile_axes(const struct profile_points *points)
{
    return json_array_size(points->varied) - 1;
}

const char *profile_axis(const struct profile_points *points, size_t axis)
{
    return json_string_value(json_object_get(json_array_get(points->varied, axis), "key"));
}

/* The last axis turns fastest. */
const char *profile_label(const struct profile_points *points, size_t row, size_t axis)
{
    for (size_t later = profile_axes(points) - 1; later > axis; later--) {
        row /= json_array_size(values_of(points, later));
    }
    const json_t *const values = values_of(points, axis);
    return json_string_value(json_array_get(values, row % json_array_size(values)));
}

/* A figure of each run; returns how many there are. */
static size_t collect(const json_t *runs, profile_figure *figure, const char *name,
                      double values[INTERVAL_RUNS_MAX])
{
    size_t i;
    const json_t *statistics;

    json_array_foreach(runs, i, statistics)
    {
        values[i] = figure(statistics, name);
    }
    return json_array_size(runs);
}

struct interval profile_interval(const json_t *runs, profile_figure *figure, const char *name)
{
    double values[INTERVAL_RUNS_MAX];

    return interval_of(values, collect(runs, figure, name, values));
}

json_t *profile_json(const json_t *runs, profile_figure *figure, const char *name)
{
    double values[INTERVAL_RUNS_MAX];

    return interval_figure(values, collect(runs, figure, name, values));
}

int profile_text(const json_t *runs, profile_figure *figure, const char *name, char *out,
                 size_t bytes)
{
    if (json_array_size(runs) == 0) {
        return snprintf(out, bytes, "failed");
    }
    const struct interval interval = profile_interval(runs, figure, name);
    const int decimals = interval.mean < WHOLE ? 1 : 0;
    int length = snprintf(out, bytes, "%.*f", decimals, interval.mean);
    if (json_array_size(runs) > 1) {
        length += snprintf(out + length, bytes - (size_t)length, " ±%.*f", decimals,
                           interval.high - interval.mean);
        length--; /* the sign is two bytes */
    }
    return length;
}

void profile_print(const json_t *runs, profile_figure *figure, const char *name, int width,
                   const char *beside)
{
    char text[64];
    const int columns = profile_text(runs, figure, name, text, sizeof text) + (int)strlen(beside);

    printf("  %*s%s%s", columns < width ? width - columns : 0, "", text, beside);
}

/* Of an axis: the first one's is the same in all tables of built-in cores. */
static int width_of(const struct profile_points *points, size_t axis)
{
    int width = axis == 0 ? PROFILE_CORE_WIDTH : (int)strlen(profile_axis(points, axis));
    size_t i;
    const json_t *value;

    json_array_foreach(values_of(points, axis), i, value)
    {
        const char *const text = json_string_value(value);
        const int length = text_width_of_bytes(text, (int)strlen(text));
        width = length > width ? length : width;
    }
    return width;
}

static void print_column(const struct profile_points *points, size_t axis, const char *text)
{
    const int length = text_width_of_bytes(text, (int)strlen(text));
    printf("%s%s%*s", axis > 0 ? "  " : "", text, width_of(points, axis) - length, "");
}

void profile_print_axes(const struct profile_points *points)
{
    for (size_t axis = 0; axis < profile_axes(points); axis++) {
        print_column(points, axis, profile_axis(points, axis));
    }
}

void profile_print_labels(const struct profile_points *points, size_t row)
{
    for (size_t axis = 0; axis < profile_axes(points); axis++) {
        print_column(points, axis, profile_label(points, row, axis));
    }
}

int profile_program_width(const struct profile_points *points)
{
    char program[PROFILE_PROGRAM_BYTES];
    int width = (int)strlen("program");

    for (size_t p = 0; p < json_array_size(points->programs); p++) {
        profile_program(points, p, program);
        width = (int)strlen(program) > width ? (int)strlen(program) : width;
    }
    return width;
}

void profile_print_rows(const struct profile_points *points, const char *title, const char *columns,
                        profile_made *make, profile_row *print)
{
    char program[PROFILE_PROGRAM_BYTES];
    const int width = profile_program_width(points);

    printf("\n%s\n%-*s  ", title, width, "program");
    profile_print_axes(points);
    printf("%s\n", columns);
    for (size_t p = 0; p < json_array_size(points->programs); p++) {
        profile_program(points, p, program);
        for (size_t row = 0; row < points->rows; row++) {
            json_t *const runs = make(points, p, row);
            printf("%-*s  ", width, program);
            profile_print_labels(points, row);
            print(runs);
            (void)putchar('\n');
            json_decref(runs);
        }
    }
}
