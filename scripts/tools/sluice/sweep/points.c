/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Points of a sweep with the means of their runs, and a table of them. */
#define _GNU_SOURCE 1
#include <string.h>

#include "common/interval.h"
#include "host/base/utf8.h"
#include "sluice/sluice.h"
#include "sweep/sweep.h"

#define PROGRAM_BYTES 1024
#define LABEL_BYTES   256
#define CORE          "agg.core"

const struct sl_statistic_entry *sweep_statistic(const char *name)
{
    for (int id = 0; id < SL_STAT_COUNT; id++) {
        if (strcmp(sl_statistic_table[id].name, name) == 0) {
            return &sl_statistic_table[id];
        }
    }
    return NULL;
}

size_t sweep_keys(const struct sweep_shown *shown)
{
    return json_array_size(shown->request->varied) - (shown->seeds > 0 ? 1 : 0);
}

/* The statistics of the runs of a point, an array; empty where one failed. */
static json_t *statistics_of(const struct sweep_shown *shown, size_t first, size_t count)
{
    json_t *const runs = json_array();

    for (size_t run = first; run < first + count; run++) {
        json_t *const statistics =
            sweep_is_good(shown->sweep, run) ? sweep_statistics(shown->sweep, run) : NULL;
        if (statistics == NULL) {
            (void)json_array_clear(runs);
            break;
        }
        json_array_append_new(runs, statistics);
    }
    return runs;
}

static json_t *figure_of(const json_t *runs, const char *name)
{
    double values[INTERVAL_RUNS_MAX];
    size_t i;
    const json_t *statistics;

    json_array_foreach(runs, i, statistics)
    {
        const json_t *const value = json_object_get(statistics, name);
        if (!json_is_number(value)) {
            return json_string("");
        }
        values[i] = json_number_value(value);
    }
    return interval_figure(values, json_array_size(runs));
}

static json_t *label_of(const struct sweep_shown *shown, size_t key, const json_t *value)
{
    const json_t *const varied = json_array_get(shown->request->varied, key);
    char label[LABEL_BYTES];

    if (strcmp(json_string_value(json_object_get(varied, "key")), CORE) != 0) {
        return json_incref((json_t *)(uintptr_t)value);
    }
    sweep_core_label(shown->request, json_string_value(value), label, sizeof label);
    return json_string(label);
}

json_t *sweep_labels(const struct sweep_shown *shown, size_t key)
{
    json_t *const labels = json_array();
    size_t i;
    const json_t *value;

    json_array_foreach(json_object_get(json_array_get(shown->request->varied, key), "values"), i,
                       value)
    {
        json_array_append_new(labels, label_of(shown, key, value));
    }
    return labels;
}

/* The values of a point's first run, without the seed. */
static json_t *values_of(const struct sweep_shown *shown, const json_t *planned)
{
    json_t *const values = json_array();

    for (size_t i = 0; i < sweep_keys(shown); i++) {
        const json_t *const value = json_array_get(json_object_get(planned, "values"), i);
        json_array_append_new(values, label_of(shown, i, value));
    }
    return values;
}

json_t *sweep_points(const struct sweep_shown *shown)
{
    const size_t per_point = shown->seeds > 0 ? shown->seeds : 1;
    json_t *const points = json_array();
    char program[PROGRAM_BYTES];

    for (size_t run = 0; run < json_array_size(shown->sweep->runs); run += per_point) {
        const json_t *const planned = json_array_get(shown->sweep->runs, run);
        json_t *const runs = statistics_of(shown, run, per_point);
        json_t *const figures = json_array();
        size_t i;
        const json_t *name;

        json_array_foreach(shown->names, i, name)
        {
            json_array_append_new(figures, figure_of(runs, json_string_value(name)));
        }
        sweep_join(json_object_get(planned, "program"), program, sizeof program);
        json_array_append_new(points,
                              json_pack("{s:o, s:o, s:o}", "program", sl_json_text(program),
                                        "values", values_of(shown, planned), "figures", figures));
        json_decref(runs);
    }
    return points;
}

static json_t *columns_of(const struct sweep_shown *shown)
{
    json_t *const columns = json_pack("[{s:s}]", "name", "program");
    size_t i;
    const json_t *name;

    for (i = 0; i < sweep_keys(shown); i++) {
        const json_t *const varied = json_array_get(shown->request->varied, i);
        json_array_append_new(columns, json_pack("{s:O}", "name", json_object_get(varied, "key")));
    }
    json_array_foreach(shown->names, i, name)
    {
        const struct sl_statistic_entry *const entry = sweep_statistic(json_string_value(name));
        json_array_append_new(
            columns, json_pack("{s:O, s:s, s:b}", "name", name, "unit", entry->unit, "number", 1));
    }
    return columns;
}

json_t *sweep_table(const struct sweep_shown *shown, const json_t *points)
{
    json_t *const rows = json_array();
    size_t i;
    const json_t *point;

    json_array_foreach(points, i, point)
    {
        json_t *const row = json_pack("[O]", json_object_get(point, "program"));
        json_array_extend(row, json_object_get(point, "values"));
        json_array_extend(row, json_object_get(point, "figures"));
        json_array_append_new(rows, row);
    }
    return json_pack("{s:s, s:o, s:o}", "title", "All points", "columns", columns_of(shown), "rows",
                     rows);
}
