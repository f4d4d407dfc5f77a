/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A profile as a page (scripts/page/panels.js): for each program plots over the cores, of time, of
 * blocked time by its parts, of cycles per dispatch, and of the cycle stack; and tables of all
 * figures.
 * What else rows differ in, policy and image, are series of bars, or small plots beside each other.
 */
#define _GNU_SOURCE 1
#include "host/observe/report/page.h"

#include <stdbool.h>
#include <string.h>

#include "host/base/cycle_stack.h"
#include "host/base/text.h"
#include "profile/points.h"

#define NAME_BYTES 512
#define DISPATCHES "gpu.dispatches"

/* ---- a row's names ---- */

static const char *core_of(const struct profile_points *points, size_t row)
{
    return profile_label(points, row, 0);
}

/* How many rows each core has; a core's follow each other. */
static size_t variants(const struct profile_points *points)
{
    return points->rows /
           json_array_size(json_object_get(json_array_get(points->varied, 0), "values"));
}

/* Its policy and image, "" where the user names neither. */
static void name_variant(const struct profile_points *points, size_t variant, char name[NAME_BYTES])
{
    name[0] = '\0';
    for (size_t axis = 1; axis < profile_axes(points); axis++) {
        sl_text_append(name, NAME_BYTES, "%s%s", axis > 1 ? ", " : "",
                       profile_label(points, variant, axis));
    }
}

/* ---- plots ---- */

/* A layer of a stack, or what bars show. */
struct series {
    const char *name;
    profile_figure *figure;
    const char *statistic;
};

/* A point of each core with this variant. */
static json_t *points_of(const struct profile_points *points, size_t program, size_t variant,
                         const struct series *series)
{
    json_t *const drawn = json_array();

    for (size_t row = variant; row < points->rows; row += variants(points)) {
        json_t *const runs = profile_runs(points, program, row);
        json_t *const figure = profile_json(runs, series->figure, series->statistic);
        json_t *const point = json_pack("{s:s}", "x", core_of(points, row));
        json_t *const y = json_object_get(figure, "value");
        json_object_set(point, "y", y != NULL ? y : figure);
        if (json_object_get(figure, "low") != NULL) {
            json_object_set(point, "low", json_object_get(figure, "low"));
            json_object_set(point, "high", json_object_get(figure, "high"));
        }
        json_array_append_new(drawn, point);
        json_decref(figure);
        json_decref(runs);
    }
    return drawn;
}

/* Whether a series of some small plot has a value. */
static bool has_values(const json_t *facets)
{
    size_t f;
    size_t i;
    size_t k;
    const json_t *facet;
    const json_t *series;
    const json_t *point;

    json_array_foreach(facets, f, facet)
    {
        json_array_foreach(json_object_get(facet, "series"), i, series)
        {
            json_array_foreach(json_object_get(series, "points"), k, point)
            {
                if (json_is_number(json_object_get(point, "y"))) {
                    return true;
                }
            }
        }
    }
    return false;
}

static json_t *plot(const char *title, const char *about, const char *kind, const char *label,
                    const char *unit, json_t *facets)
{
    json_t *const plot =
        json_pack("{s:s, s:s, s:s, s:{s:s, s:s}, s:{s:s, s:s, s:s}, s:o}", "title", title, "about",
                  about, "kind", kind, "x", "label", "core", "scale", "ordinal", "y", "label",
                  label, "unit", unit, "scale", "linear", "facets", facets);

    if (!has_values(facets)) {
        json_object_set_new(plot, "empty", json_string("its runs failed"));
    }
    return plot;
}

/* A small plot of layers for each variant. */
static json_t *stacks(const struct profile_points *points, size_t program,
                      const struct series *series, size_t count)
{
    json_t *const facets = json_array();
    char name[NAME_BYTES];

    for (size_t variant = 0; variant < variants(points); variant++) {
        json_t *const layers = json_array();
        for (size_t i = 0; i < count; i++) {
            json_array_append_new(layers,
                                  json_pack("{s:s, s:o}", "name", series[i].name, "points",
                                            points_of(points, program, variant, &series[i])));
        }
        name_variant(points, variant, name);
        json_array_append_new(facets, json_pack("{s:s, s:o}", "name", name, "series", layers));
    }
    return facets;
}

/* One plot with a bar for each variant. */
static json_t *bars(const struct profile_points *points, size_t program,
                    const struct series *series)
{
    json_t *const variants_drawn = json_array();
    char name[NAME_BYTES];

    for (size_t variant = 0; variant < variants(points); variant++) {
        name_variant(points, variant, name);
        json_array_append_new(variants_drawn,
                              json_pack("{s:s, s:o}", "name", name[0] != '\0' ? name : series->name,
                                        "points", points_of(points, program, variant, series)));
    }
    return json_pack("[{s:o}]", "series", variants_drawn);
}

static json_t *plots_of(const struct profile_points *points, size_t program)
{
    static const struct series blocked[] = {
        {"before", figure_share, FIGURE_BEFORE},
        {"between", figure_between, ""},
        {"after", figure_share, FIGURE_AFTER},
    };
    static const struct series time = {"cycles", profile_value, FIGURE_TIME};
    static const struct series cost = {"cycles", figure_cycles_per, DISPATCHES};
    static const struct series work = {"cycles", figure_work_per, DISPATCHES};
    struct series groups[SL_STACK_GROUPS];

    for (unsigned i = 0; i < SL_STACK_GROUPS; i++) {
        groups[i] = (struct series){sl_stack_groups[i], figure_group, sl_stack_groups[i]};
    }
    return json_pack(
        "[o, o, o, o, o]",
        plot("Time of the run", "", "bars", "time", "CU cycles", bars(points, program, &time)),
        plot("Time in which the GPU is blocked on the aggregator",
             "Before the first wavefront, between the first and the last, and after the last.",
             "stacked", "share of time", "%", stacks(points, program, blocked, 3)),
        plot("What the core's cycles go to", "All cycles between the run's begin and end.",
             "stacked", "share of cycles", "%", stacks(points, program, groups, SL_STACK_GROUPS)),
        plot("Aggregator cycles per dispatch", "", "bars", "per dispatch", "cycles",
             bars(points, program, &cost)),
        plot("Aggregator cycles per dispatch, of work alone",
             "Predicates, schedule, dispatch, retire and yield, without polling and without what "
             "runs have once.",
             "bars", "per dispatch", "cycles", bars(points, program, &work)));
}

/* ---- tables ---- */

static bool is_in(const struct figure_entry *entry, const char *group)
{
    return strncmp(entry->name, group, strlen(group)) == 0;
}

/* The columns that say which row it is. */
static json_t *axes_of(const struct profile_points *points)
{
    json_t *const columns = json_array();

    for (size_t axis = 0; axis < profile_axes(points); axis++) {
        json_array_append_new(columns, json_pack("{s:s}", "name", profile_axis(points, axis)));
    }
    return columns;
}

static json_t *labels_of(const struct profile_points *points, size_t row)
{
    json_t *const cells = json_array();

    for (size_t axis = 0; axis < profile_axes(points); axis++) {
        json_array_append_new(cells, json_string(profile_label(points, row, axis)));
    }
    return cells;
}

/* The figures whose names begin with the group's. */
static json_t *table_of(const struct profile_points *points, size_t program, const char *title,
                        const char *group)
{
    struct figure_entry entries[FIGURES_MAX];
    const size_t count = figures_all(entries);
    json_t *const columns = axes_of(points);
    json_t *const rows = json_array();

    for (size_t i = 0; i < count; i++) {
        if (is_in(&entries[i], group)) {
            json_array_append_new(columns, json_pack("{s:s, s:s, s:b}", "name", entries[i].words,
                                                     "unit", entries[i].unit, "number", 1));
        }
    }
    for (size_t row = 0; row < points->rows; row++) {
        json_t *const runs = profile_runs(points, program, row);
        json_t *const cells = labels_of(points, row);
        for (size_t i = 0; i < count; i++) {
            if (is_in(&entries[i], group)) {
                json_array_append_new(cells,
                                      profile_json(runs, entries[i].figure, entries[i].statistic));
            }
        }
        json_array_append_new(rows, cells);
        json_decref(runs);
    }
    return json_pack("{s:s, s:o, s:o}", "title", title, "columns", columns, "rows", rows);
}

/* A line for each of a row's most expensive functions. */
static json_t *function_table(const struct profile_points *points, size_t program)
{
    json_t *const columns = axes_of(points);
    json_t *const rows = json_array();

    json_array_append_new(columns, json_pack("{s:s}", "name", "function"));
    json_array_append_new(columns,
                          json_pack("{s:s, s:s, s:b}", "name", "cycles", "unit", "%", "number", 1));
    for (size_t row = 0; row < points->rows; row++) {
        const char *names[PROFILE_FUNCTIONS];
        json_t *const runs = profile_functions(points, program, row);
        const size_t count = profile_top_functions(runs, names);
        for (size_t i = 0; i < count; i++) {
            json_t *const cells = labels_of(points, row);
            json_array_append_new(cells, json_string(names[i]));
            json_array_append_new(cells, profile_json(runs, profile_value, names[i]));
            json_array_append_new(rows, cells);
        }
        json_decref(runs);
    }
    return json_pack("{s:s, s:o, s:o}", "title",
                     "The core's cycles by function: inlined code counts for the function that "
                     "contains it",
                     "columns", columns, "rows", rows);
}

static json_t *tables_of(const struct profile_points *points, size_t program)
{
    return json_pack(
        "[o, o, o, o, o, o, o]", table_of(points, program, "Runs", "run."),
        table_of(points, program, "Blocked time", "blocked"),
        table_of(points, program, "Aggregator cycles per thing", "cycles."),
        table_of(points, program,
                 "The same of predicates, schedule, dispatch, retire and yield "
                 "alone",
                 "work."),
        table_of(points, program, "The core's cycles by phase of the firmware", "phase."),
        table_of(points, program, "The core's cycles by what they go to", "stack."),
        function_table(points, program));
}

/* ---- the page ---- */

static json_t *panel_of(const struct profile_points *points, size_t program)
{
    const size_t runs = points->rows * points->seeds;
    char text[PROFILE_PROGRAM_BYTES];

    profile_program(points, program, text);
    json_t *const panel =
        json_pack("{s:o, s:s, s:o, s:o}", "name", json_sprintf("program-%zu", program), "title",
                  text, "plots", plots_of(points, program), "tables", tables_of(points, program));
    sweep_add_failures(points->sweep, program * runs, runs, panel);
    return panel;
}

/* The number of a key, or SL_CFG_COUNT. */
static int key_of(const char *name)
{
    int key = 0;

    while (key < SL_CFG_COUNT && strcmp(sl_config_table[key].key, name) != 0) {
        key++;
    }
    return key;
}

/* Whether a pair of a key and its value is true of a machine. */
static bool has_value(const struct sl_config *config, const json_t *pair)
{
    char value[SL_CONFIG_TEXT_MAX + 32];
    const int key = key_of(json_string_value(json_array_get(pair, 0)));

    sl_config_format((enum sl_config_key)key, config, value, sizeof value);
    return strcmp(json_string_value(json_array_get(pair, 1)), value) == 0;
}

/* Leaves of a machine what is the same in all rows. */
static void keep_common(const struct profile_points *points, json_t *machine)
{
    static struct sl_config config;

    for (size_t row = 0; row < points->rows; row++) {
        const json_t *const run = json_array_get(points->sweep->runs, row * points->seeds);
        sweep_machine(json_object_get(run, "words"), &config);
        for (size_t i = json_array_size(machine); i > 0; i--) {
            if (!has_value(&config, json_array_get(machine, i - 1))) {
                (void)json_array_remove(machine, i - 1);
            }
        }
    }
}

int profile_page(const struct profile_points *points, const struct sweep_request *request,
                 json_t *command, const char *path)
{
    char error[NAME_BYTES];
    json_t *const panels = json_array();
    json_t *const made = sweep_provenance(request, command, (unsigned)points->seeds);

    keep_common(points, json_object_get(made, "machine"));
    for (size_t program = 0; program < json_array_size(points->programs); program++) {
        json_array_append_new(panels, panel_of(points, program));
    }
    json_t *const page = json_pack("{s:s, s:o, s:o}", "title", "Sluice: what the aggregator costs",
                                   "made", made, "panels", panels);
    const int failed = sl_page_write(path, "panels", page, error, sizeof error);
    json_decref(page);
    return failed != 0 ? cli_fail(points->sweep->command, CLI_FAILED, "%s", error) : CLI_DONE;
}
