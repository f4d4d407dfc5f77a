/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The figures of a profile's runs, and the rows of its tables. */
#include "profile/points.h"

#include <stdio.h>
#include <string.h>

/* Every run has it. */
#define ANY "gpu.cycles"

/* Means from here on have no decimals. */
#define WHOLE 1000

json_t *profile_runs(const struct profile_points *points, size_t program, size_t core)
{
    const size_t point = program * json_array_size(points->cores) + core;
    json_t *const runs = json_array();

    for (size_t seed = 0; seed < points->seeds; seed++) {
        json_t *const statistics = sweep_statistics(points->sweep, point * points->seeds + seed);
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

const char *profile_core(const struct profile_points *points, size_t core)
{
    return json_string_value(json_array_get(points->cores, core));
}

double profile_value(const json_t *statistics, const char *name)
{
    return json_number_value(json_object_get(statistics, name));
}

struct interval profile_interval(const json_t *runs, profile_figure *figure, const char *name)
{
    double values[INTERVAL_RUNS_MAX];
    size_t i;
    const json_t *statistics;

    json_array_foreach(runs, i, statistics)
    {
        values[i] = figure(statistics, name);
    }
    return interval_of(values, json_array_size(runs));
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

void profile_print_rows(const struct profile_points *points, const char *title, const char *columns,
                        profile_row *row)
{
    char program[PROFILE_PROGRAM_BYTES];
    int width = (int)strlen("program");

    for (size_t p = 0; p < json_array_size(points->programs); p++) {
        profile_program(points, p, program);
        width = (int)strlen(program) > width ? (int)strlen(program) : width;
    }
    printf("\n%s\n%-*s  %-*s%s\n", title, width, "program", PROFILE_CORE_WIDTH, "core", columns);
    for (size_t p = 0; p < json_array_size(points->programs); p++) {
        profile_program(points, p, program);
        for (size_t c = 0; c < json_array_size(points->cores); c++) {
            json_t *const runs = profile_runs(points, p, c);
            printf("%-*s  %-*s", width, program, PROFILE_CORE_WIDTH, profile_core(points, c));
            row(runs);
            (void)putchar('\n');
            json_decref(runs);
        }
    }
}
