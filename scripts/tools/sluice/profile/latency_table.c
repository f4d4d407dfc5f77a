/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The table of how long each channel's elements wait: from ready to dispatched, and from there to
 * the end of their wavefront (docs/do/profile.md, "Latencies"). */
#include <stdio.h>
#include <string.h>

#include "profile/points.h"

#define BEGINNING     "latency."
#define READY         ".ready_p50_ns"
#define COLUMN_WIDTH  14
#define CHANNEL_WIDTH 7 /* at least: "channel" */
#define NS_PER_US     1000

static double microseconds(const json_t *statistics, const char *name)
{
    return profile_value(statistics, name) / NS_PER_US;
}

static const struct {
    const char *name; /* behind the channel's */
    const char *words;
} columns[] = {
    {"ready_p50_ns", "ready, median"},
    {"ready_p99_ns", "99 %"},
    {"dispatched_p50_ns", "disp., median"},
    {"dispatched_p99_ns", "99 %"},
};

#define COLUMNS (sizeof columns / sizeof columns[0])

/* "latency.tasks" of "latency.tasks.ready_p50_ns"; 0 where it is no such name. */
static int channel_length(const char *statistic)
{
    const size_t length = strlen(statistic);
    const size_t end = strlen(READY);
    return strncmp(statistic, BEGINNING, strlen(BEGINNING)) == 0 && length > end &&
                   strcmp(statistic + length - end, READY) == 0
               ? (int)(length - end)
               : 0;
}

struct latency_table {
    const struct profile_points *points;
    int program_width;
    int channel_width; /* 0: no run has channels */
};

static void measure(struct latency_table *table, const json_t *runs)
{
    const char *name;
    json_t *value;

    json_object_foreach(json_array_get(runs, 0), name, value)
    {
        const int length = channel_length(name) - (int)strlen(BEGINNING);
        table->channel_width = length > table->channel_width ? length : table->channel_width;
    }
}

static void print_channel(const struct latency_table *table, const json_t *runs,
                          const char *channel, int length)
{
    char name[256];

    printf("  %-*.*s", table->channel_width, length - (int)strlen(BEGINNING),
           channel + strlen(BEGINNING));
    for (size_t i = 0; i < COLUMNS; i++) {
        (void)snprintf(name, sizeof name, "%.*s.%s", length, channel, columns[i].name);
        profile_print(runs, microseconds, name, COLUMN_WIDTH, "");
    }
}

/* A line for each channel. */
static void print_row(const struct latency_table *table, size_t program, size_t row,
                      const json_t *runs)
{
    char text[PROFILE_PROGRAM_BYTES];
    const char *name;
    json_t *value;

    profile_program(table->points, program, text);
    json_object_foreach(json_array_get(runs, 0), name, value)
    {
        const int length = channel_length(name);
        if (length > 0) {
            printf("%-*s  ", table->program_width, text);
            profile_print_labels(table->points, row);
            print_channel(table, runs, name, length);
            (void)putchar('\n');
        }
    }
}

static void print_head(const struct latency_table *table)
{
    printf("\nHow long a channel's elements are ready, and then dispatched, in us\n%-*s  ",
           table->program_width, "program");
    profile_print_axes(table->points);
    printf("  %-*s", table->channel_width, "channel");
    for (size_t i = 0; i < COLUMNS; i++) {
        printf("  %*s", COLUMN_WIDTH, columns[i].words);
    }
    (void)putchar('\n');
}

void profile_print_latencies(const struct profile_points *points)
{
    struct latency_table table = {.points = points, .program_width = profile_program_width(points)};
    const size_t count = json_array_size(points->programs) * points->rows;

    for (size_t i = 0; i < count; i++) {
        json_t *const runs = profile_runs(points, i / points->rows, i % points->rows);
        measure(&table, runs);
        json_decref(runs);
    }
    if (table.channel_width == 0) {
        return;
    }
    table.channel_width = table.channel_width > CHANNEL_WIDTH ? table.channel_width : CHANNEL_WIDTH;
    print_head(&table);
    for (size_t i = 0; i < count; i++) {
        json_t *const runs = profile_runs(points, i / points->rows, i % points->rows);
        print_row(&table, i / points->rows, i % points->rows, runs);
        json_decref(runs);
    }
}
