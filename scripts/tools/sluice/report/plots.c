/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What plots show: facets of series of points. */
#define _GNU_SOURCE 1
#include <string.h>

#include "host/base/text.h"
#include "report/report.h"

#define NAME_BYTES 512 /* of a series: several labels, of a line in the panel at most each */

/* A series is the points that agree in the coordinates that tell series from each other, of one of
 * the values. */
struct series {
    const struct panel *panel;
    const json_t *section; /* [plot ...] */
    json_t *tellers;       /* coordinates, "program" or "program runs" */
    json_t *values;        /* names of values: several make a series each */
    bool is_over_values;   /* x is not a coordinate, but which of the values it is */
    struct plot_axis axis;
    bool is_drawn;     /* there is a point with a value, or a figure of the paper's */
    bool is_ambiguous; /* a series has two values at one place */
};

/* Its name: what tells it from the others, and the value's label where there are several and the x
 * axis does not have it. */
static void name_series(const struct series *series, const json_t *point, const json_t *value,
                        char *out, size_t bytes)
{
    size_t i;
    const json_t *teller;

    out[0] = '\0';
    json_array_foreach(series->tellers, i, teller)
    {
        const char *const text = point_at(point, json_string_value(teller));
        if (text[0] != '\0') {
            sl_text_append(out, bytes, "%s%s", out[0] != '\0' ? ", " : "", text);
        }
    }
    if (!series->is_over_values && (json_array_size(series->values) > 1 || out[0] == '\0')) {
        sl_text_append(out, bytes, "%s%s", out[0] != '\0' ? ", " : "",
                       section_text(value, "label"));
    }
}

/* The object of an array with this name, appended where there is none. */
static json_t *named(json_t *array, const char *name, const char *list)
{
    size_t i;
    json_t *object;

    json_array_foreach(array, i, object)
    {
        if (strcmp(section_text(object, "name"), name) == 0) {
            return object;
        }
    }
    object = json_pack("{s:s, s:[]}", "name", name, list);
    json_array_append_new(array, object);
    return object;
}

/* Whether a series has another value at the place of this point. */
static bool has_other(const json_t *points, const json_t *drawn)
{
    size_t i;
    const json_t *point;

    json_array_foreach(points, i, point)
    {
        if (json_equal(json_object_get(point, "x"), json_object_get(drawn, "x")) &&
            !json_equal(point, drawn)) {
            return true;
        }
    }
    return false;
}

static void add_point(struct series *series, const json_t *point, const json_t *value,
                      json_t *facet)
{
    const char *const x = series->is_over_values
                              ? section_text(value, "label")
                              : point_at(point, section_text(series->section, "x"));
    const char *const name = section_text(value, "name");
    const json_t *const figure = json_object_get(json_object_get(point, "values"), name);
    char label[NAME_BYTES];
    double paper;

    if (figure == NULL || x[0] == '\0') {
        return;
    }
    series->is_drawn |= !json_is_null(figure);
    name_series(series, point, value, label, sizeof label);
    json_t *const drawn = json_object();
    json_object_set_new(drawn, "x", plot_axis_place(&series->axis, x));
    json_object_set_new(drawn, "y",
                        json_is_null(figure) ? json_null()
                                             : json_incref(json_object_get(figure, "value")));
    json_object_set(drawn, "low", json_object_get(figure, "low"));
    json_object_set(drawn, "high", json_object_get(figure, "high"));
    json_t *const list =
        json_object_get(named(json_object_get(facet, "series"), label, "points"), "points");
    series->is_ambiguous |= has_other(list, drawn);
    json_array_append_new(list, drawn);
    if (paper_figure(series->panel, point, name, &paper)) {
        series->is_drawn = true;
        json_array_append_new(
            json_object_get(named(json_object_get(facet, "paper"), label, "points"), "points"),
            json_pack("{s:o, s:f}", "x", plot_axis_place(&series->axis, x), "y", paper));
    }
}

static json_t *facet_of(json_t *facets, const char *name)
{
    json_t *const facet = named(facets, name, "series");

    if (json_object_get(facet, "paper") == NULL) {
        json_object_set_new(facet, "paper", json_array());
    }
    return facet;
}

static json_t *facets_of(struct series *series, const json_t *points)
{
    const char *const by = section_text(series->section, "facet");
    json_t *const facets = json_array();
    size_t i;
    size_t k;
    const json_t *value;
    const json_t *point;

    json_array_foreach(series->values, k, value)
    {
        const json_t *const section = panel_find(series->panel, "value", json_string_value(value));
        json_array_foreach(points, i, point)
        {
            if (point_is_of(point, series->section)) {
                add_point(series, point, section,
                          facet_of(facets, by != NULL ? point_at(point, by) : ""));
            }
        }
    }
    return facets;
}

static bool has_values(const struct series *series, const json_t *point)
{
    size_t i;
    const json_t *name;

    json_array_foreach(series->values, i, name)
    {
        if (json_object_get(json_object_get(point, "values"), json_string_value(name)) != NULL) {
            return true;
        }
    }
    return false;
}

/* Why there is nothing to draw: no points, or none with a value. */
static json_t *reason_of(const struct series *series, const json_t *points)
{
    const char *const x = section_text(series->section, "x");
    size_t i;
    const json_t *point;
    bool has_runs = false;
    bool has_place = series->is_over_values;
    bool has_value = false;

    json_array_foreach(points, i, point)
    {
        if (point_is_of(point, series->section)) {
            const bool is_placed = series->is_over_values || point_at(point, x)[0] != '\0';
            has_runs = true;
            has_place |= is_placed;
            has_value |= is_placed && has_values(series, point);
        }
    }
    if (!has_runs) {
        return json_string("--only leaves none of its runs");
    }
    if (!has_place) {
        return json_sprintf("none of its runs varies %s", x);
    }
    if (!has_value) {
        return json_sprintf("none of its runs has a value %s", section_text(series->section, "y"));
    }
    return json_string(
        "all its values are missing, since runs failed or the values are no numbers");
}

/* An empty plot says so in its place, and to who looks at the terminal. */
static void tell_empty(const struct cli_command *command, const struct series *series,
                       const json_t *points, json_t *plot)
{
    json_t *const reason = reason_of(series, points);

    (void)cli_fail(command, CLI_DONE, "warning: %s: [plot %s] has nothing to draw: %s",
                   series->panel->name, section_text(series->section, "name"),
                   json_string_value(reason));
    json_object_set_new(plot, "empty", reason);
}

static bool is_told_apart(const struct series *series, const char *coordinate)
{
    size_t i;
    const json_t *teller;
    bool is_told = strcmp(coordinate, section_text(series->section, "x")) == 0 ||
                   strcmp(coordinate, section_text_or(series->section, "facet", "")) == 0;

    json_array_foreach(series->tellers, i, teller)
    {
        is_told |= strcmp(coordinate, json_string_value(teller)) == 0;
    }
    return is_told;
}

/* Of two values of a series at one place, lines go to both, and bars show one. */
static void tell_ambiguous(const struct cli_command *command, const struct series *series)
{
    json_t *const coordinates = panel_coordinates(series->panel);
    char names[NAME_BYTES] = "";
    size_t i;
    const json_t *name;

    json_array_foreach(coordinates, i, name)
    {
        const char *const text = json_string_value(name);
        json_t *const values = panel_values(series->panel, series->section, text);
        if (json_array_size(values) > 1 && !is_told_apart(series, text)) {
            sl_text_append(names, sizeof names, "%s%s", names[0] != '\0' ? ", " : "", text);
        }
        json_decref(values);
    }
    (void)cli_fail(command, CLI_DONE,
                   "warning: %s: [plot %s] has several values of a series at one place%s%s",
                   series->panel->name, section_text(series->section, "name"),
                   names[0] != '\0' ? "; series or facet can tell them apart by " : "", names);
    json_decref(coordinates);
}

static json_t *plot_of(const struct cli_command *command, const struct panel *panel,
                       const json_t *section, const json_t *points)
{
    struct series series = {
        .panel = panel,
        .section = section,
        .tellers = sweep_split(section_text_or(section, "series", ""), " "),
        .values = sweep_split(section_text(section, "y"), " "),
        .is_over_values = strcmp(section_text(section, "x"), "value") == 0,
    };
    const json_t *const first =
        panel_find(panel, "value", json_string_value(json_array_get(series.values, 0)));
    report_axis(&series.axis, panel, section);
    json_t *const plot = json_pack(
        "{s:s, s:s, s:o, s:{s:s, s:s, s:s}, s:o}", "title", section_text(section, "title"), "kind",
        section_text(section, "kind"), "x",
        plot_axis_data(&series.axis,
                       section_text_or(section, "xlabel", section_text(section, "x"))),
        "y", "label", section_text_or(section, "ylabel", section_text(first, "label")), "unit",
        section_text_or(first, "unit", ""), "scale", section_text_or(section, "yscale", "linear"),
        "facets", facets_of(&series, points));
    if (!series.is_drawn) {
        tell_empty(command, &series, points, plot);
    }
    if (series.is_ambiguous) {
        tell_ambiguous(command, &series);
    }
    json_decref(series.tellers);
    json_decref(series.values);
    return plot;
}

json_t *report_plots(const struct cli_command *command, const struct panel *panel,
                     const json_t *points)
{
    json_t *const plots = json_array();
    size_t i;
    const json_t *section;

    json_array_foreach(panel_sections(panel, "plot"), i, section)
    {
        json_array_append_new(plots, plot_of(command, panel, section, points));
    }
    return plots;
}
