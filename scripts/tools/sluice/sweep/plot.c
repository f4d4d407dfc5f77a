/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A page with the points of a sweep: for each program a plot of each statistic over the first
 * varied key, with a line for each value of the second, and a small plot for each combination of
 * the others. */
#define _GNU_SOURCE 1
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "common/plot_axis.h"
#include "host/base/text.h"
#include "host/base/utf8.h"
#include "host/observe/report/page.h"
#include "sluice/sluice.h"
#include "sweep/sweep.h"

#define NAME_BYTES    1024
#define FAILURES_TOLD 10

/* A plot: a statistic of the points of a program. */
struct plot {
    const struct sweep_shown *shown;
    const json_t *points;
    size_t statistic; /* its number in `shown` */
    struct plot_axis axis;
};

static const char *key_of(const struct sweep_shown *shown, size_t i)
{
    return json_string_value(json_object_get(json_array_get(shown->request->varied, i), "key"));
}

static const char *name_of(const struct plot *plot)
{
    return json_string_value(json_array_get(plot->shown->names, plot->statistic));
}

/* The keys from `first` up to `end` with a point's values: "gpu.cus=8, agg.core=simple". */
static void name_values(const struct plot *plot, const json_t *point, size_t first, size_t end,
                        char name[NAME_BYTES])
{
    const json_t *const values = json_object_get(point, "values");

    name[0] = '\0';
    for (size_t i = first; i < end; i++) {
        sl_text_append(name, NAME_BYTES, "%s%s=%s", i > first ? ", " : "", key_of(plot->shown, i),
                       json_string_value(json_array_get(values, i)));
    }
}

/* The object of an array with this name, appended where there is none. */
static json_t *named(json_t *array, const char *name, const char *list)
{
    size_t i;
    json_t *object;

    json_array_foreach(array, i, object)
    {
        if (strcmp(json_string_value(json_object_get(object, "name")), name) == 0) {
            return object;
        }
    }
    object = json_pack("{s:o, s:[]}", "name", sl_json_text(name), list);
    json_array_append_new(array, object);
    return object;
}

/* Appends a point to its line in its facet; false where it has no value there. */
static bool add_point(const struct plot *plot, const json_t *point, json_t *facets)
{
    const size_t keys = sweep_keys(plot->shown);
    const json_t *const figure = json_array_get(json_object_get(point, "figures"), plot->statistic);
    const char *const x = json_string_value(json_array_get(json_object_get(point, "values"), 0));
    char name[NAME_BYTES];

    name_values(plot, point, 2, keys, name);
    json_t *const lines = json_object_get(named(facets, name, "series"), "series");
    name_values(plot, point, 1, keys < 2 ? keys : 2, name);
    json_t *const line = named(lines, keys < 2 ? name_of(plot) : name, "points");
    json_t *const drawn =
        json_is_object(figure) ? json_copy((json_t *)(uintptr_t)figure) : json_object();
    json_t *const y = json_object_get(drawn, "value");
    json_object_set_new(drawn, "y", y != NULL ? json_incref(y) : json_null());
    (void)json_object_del(drawn, "value");
    json_object_set_new(drawn, "x", plot_axis_place(&plot->axis, x));
    json_array_append_new(json_object_get(line, "points"), drawn);
    return json_is_object(figure);
}

/* Whether all values are missing since no machine has the statistic. */
static bool is_unknown(const struct plot *plot)
{
    size_t i;
    const json_t *point;

    json_array_foreach(plot->points, i, point)
    {
        if (!json_is_string(json_array_get(json_object_get(point, "figures"), plot->statistic))) {
            return false;
        }
    }
    return true;
}

static const char *program_of(const json_t *points)
{
    return json_string_value(json_object_get(json_array_get(points, 0), "program"));
}

/* An empty plot says so in its place, and to who looks at the terminal. */
static void tell_empty(const struct plot *plot, json_t *drawn)
{
    const char *const reason = is_unknown(plot) ? "these machines have no such statistic"
                                                : "all its values are missing, since runs failed";

    (void)cli_fail(plot->shown->sweep->command, CLI_DONE,
                   "warning: --plot has nothing to draw of %s of %s: %s", name_of(plot),
                   program_of(plot->points), reason);
    json_object_set_new(drawn, "empty", json_string(reason));
}

static json_t *draw(const struct plot *plot)
{
    const struct sl_statistic_entry *const entry = sweep_statistic(name_of(plot));
    json_t *const facets = json_array();
    bool is_drawn = false;
    size_t i;
    const json_t *point;

    json_array_foreach(plot->points, i, point)
    {
        is_drawn |= add_point(plot, point, facets);
    }
    json_t *const drawn = json_pack(
        "{s:s, s:s, s:s, s:o, s:{s:s, s:s, s:s}, s:o}", "title", entry->name, "kind", "lines",
        "about", entry->sentence, "x", plot_axis_data(&plot->axis, key_of(plot->shown, 0)), "y",
        "label", entry->name, "unit", entry->unit, "scale", "linear", "facets", facets);
    if (!is_drawn) {
        tell_empty(plot, drawn);
    }
    return drawn;
}

static json_t *plots_of(const struct sweep_shown *shown, const json_t *points)
{
    json_t *const labels = sweep_labels(shown, 0);
    json_t *const plots = json_array();
    struct plot plot = {.shown = shown, .points = points};

    plot_axis_init(&plot.axis, labels, "");
    for (; plot.statistic < json_array_size(shown->names); plot.statistic++) {
        json_array_append_new(plots, draw(&plot));
    }
    json_decref(labels);
    return plots;
}

void sweep_add_failures(const struct sweep *sweep, size_t first, size_t count, json_t *panel)
{
    json_t *const failures = json_array();
    size_t failed = 0;

    for (size_t run = first; run < first + count; run++) {
        json_t *const failure = sweep_failure(sweep, run);
        if (failure != NULL && ++failed <= FAILURES_TOLD) {
            json_array_append(failures, failure);
        }
        json_decref(failure);
    }
    json_object_set_new(panel, "failures", failures);
    json_object_set_new(panel, "failed", json_integer((json_int_t)failed));
}

/* A program with its points. */
static json_t *panel_of(const struct sweep_shown *shown, size_t program, const json_t *points)
{
    const size_t count =
        json_array_size(shown->sweep->runs) / json_array_size(shown->request->programs);
    json_t *const panel =
        json_pack("{s:o, s:o, s:o, s:o, s:[o]}", "name", json_sprintf("program-%zu", program),
                  "title", json_string(program_of(points)), "source",
                  json_sprintf("All statistics: %s/results.csv", shown->sweep->folder), "plots",
                  plots_of(shown, points), "tables", sweep_table(shown, points));

    sweep_add_failures(shown->sweep, program * count, count, panel);
    return panel;
}

/* Of points that are in the order of the programs. */
static json_t *panels_of(const struct sweep_shown *shown, const json_t *points)
{
    const size_t programs = json_array_size(shown->request->programs);
    const size_t count = json_array_size(points) / programs;
    json_t *const panels = json_array();

    for (size_t program = 0; program < programs; program++) {
        json_t *const own = json_array();
        for (size_t i = 0; i < count; i++) {
            json_array_append(own, json_array_get(points, program * count + i));
        }
        json_array_append_new(panels, panel_of(shown, program, own));
        json_decref(own);
    }
    return panels;
}

int sweep_plot(const struct sweep_shown *shown, const json_t *points, json_t *command,
               const char *path)
{
    char error[NAME_BYTES];

    json_t *const page = json_pack("{s:o, s:o, s:o}", "title",
                                   json_sprintf("Sluice: a sweep of %s", key_of(shown, 0)), "made",
                                   sweep_provenance(shown->request, command, shown->seeds),
                                   "panels", panels_of(shown, points));
    const int failed = sl_page_write(path, "panels", page, error, sizeof error);
    json_decref(page);
    return failed != 0 ? cli_fail(shown->sweep->command, CLI_FAILED, "%s", error) : CLI_DONE;
}
