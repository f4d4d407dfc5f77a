/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A plot's x axis. Values that are numbers, or sizes, times or frequencies with their units, stand
 * where they belong on a linear or logarithmic axis, in the least unit that occurs. All others, and
 * those of bars, stand at equal distances in the order of the panel. */
#define _GNU_SOURCE 1
#include <math.h>
#include <string.h>

#include "config/number.h"
#include "config/units.h"
#include "host/base/text.h"
#include "report/report.h"

#define REASON_BYTES 512 /* two words of a line of the panel, and a sentence */

static const enum sl_config_type measures[] = {SL_CONFIG_TYPE_BYTES, SL_CONFIG_TYPE_TIME,
                                               SL_CONFIG_TYPE_FREQUENCY};
#define MEASURES (sizeof measures / sizeof measures[0])

/* A number with a unit of a measure, or none. */
struct quantity {
    double number;
    const struct sl_units *units; /* NULL where it has none */
    size_t unit;
};

static bool find_unit(const char *name, struct quantity *out)
{
    for (size_t m = 0; m < MEASURES; m++) {
        const struct sl_units *const units = sl_units_of(measures[m]);
        for (size_t u = 0; u < sl_units_count(units); u++) {
            if (strcmp(units->unit[u].name, name) == 0) {
                out->units = units;
                out->unit = u;
                return true;
            }
        }
    }
    return false;
}

static bool read_quantity(const char *text, struct quantity *out)
{
    char *end;

    *out = (struct quantity){.number = sl_number_real(text, &end)};
    if (end == text || !isfinite(out->number)) {
        return false;
    }
    return *end == '\0' || find_unit(end + strspn(end, " "), out);
}

/* Takes one more value onto the axis; false where its unit is none of those before it. */
static bool take(struct plot_axis *axis, const struct quantity *quantity)
{
    axis->has_other_than_positive |= quantity->number <= 0;
    if (quantity->units == NULL) {
        return true;
    }
    if (axis->units != NULL && axis->units != quantity->units) {
        return false;
    }
    axis->units = quantity->units;
    axis->is_used[quantity->unit] = true;
    return true;
}

/* The first value that cannot stand on an axis of numbers with the others, or NULL. Sizes may lack
 * their unit, which is a byte; times and frequencies may not, but for 0. */
static const char *take_all(struct plot_axis *axis, const json_t *values)
{
    const char *bare = NULL;
    size_t i;
    const json_t *value;

    json_array_foreach(values, i, value)
    {
        const char *const text = json_string_value(value);
        struct quantity quantity;
        if (!read_quantity(text, &quantity) || !take(axis, &quantity)) {
            return text;
        }
        if (quantity.units == NULL && quantity.number != 0) {
            bare = text;
        }
    }
    if (axis->units == NULL) {
        return NULL;
    }
    if (bare != NULL && !axis->units->unit_is_optional) {
        return bare;
    }
    axis->is_used[0] |= bare != NULL;
    while (!axis->is_used[axis->least]) {
        axis->least++;
    }
    return NULL;
}

static bool is_of_lines(const json_t *section)
{
    return strcmp(section_text(section, "kind"), "lines") == 0;
}

void plot_axis_init(struct plot_axis *axis, const struct panel *panel, const json_t *section)
{
    json_t *const values = panel_values(panel, section, section_text(section, "x"));

    const char *const asked = section_text_or(section, "xscale", "");
    *axis = (struct plot_axis){.scale = "ordinal", .is_ordinal = true};
    if (is_of_lines(section) && strcmp(asked, "ordinal") != 0 && json_array_size(values) > 0 &&
        take_all(axis, values) == NULL) {
        axis->is_ordinal = false;
        axis->scale = asked[0] != '\0' ? asked : axis->has_other_than_positive ? "linear" : "log";
    }
    json_decref(values);
}

json_t *plot_axis_place(const struct plot_axis *axis, const char *text)
{
    struct quantity quantity;

    if (axis->is_ordinal || !read_quantity(text, &quantity)) {
        return json_string(text);
    }
    const double scale = axis->units != NULL ? (double)axis->units->unit[quantity.unit].scale /
                                                   (double)axis->units->unit[axis->least].scale
                                             : 1;
    return json_real(quantity.number * scale);
}

json_t *plot_axis_data(const struct plot_axis *axis, const json_t *section)
{
    json_t *const data = json_pack("{s:s, s:s}", "label",
                                   section_text_or(section, "xlabel", section_text(section, "x")),
                                   "scale", axis->scale);
    json_t *const units = json_array();

    for (size_t u = axis->least; axis->units != NULL && u < sl_units_count(axis->units); u++) {
        if (axis->is_used[u]) {
            json_array_append_new(units,
                                  json_pack("[s, f]", axis->units->unit[u].name,
                                            (double)axis->units->unit[u].scale /
                                                (double)axis->units->unit[axis->least].scale));
        }
    }
    if (!axis->is_ordinal && axis->units != NULL) {
        json_object_set_new(data, "unit", json_string(axis->units->unit[axis->least].name));
        if (json_array_size(units) > 1) {
            json_object_set(data, "units", units);
        }
    }
    json_decref(units);
    return data;
}

/* Why the values of a coordinate have no place on a linear or logarithmic axis, and what has; ""
 * where they have one. */
static void tell_misfit(const char *scale, const char *x, const json_t *values, char *out,
                        size_t bytes)
{
    struct plot_axis axis = {.scale = scale};
    struct quantity quantity;
    const char *const other = take_all(&axis, values);

    out[0] = '\0';
    if (json_array_size(values) == 0) {
        sl_text_append(out, bytes, "is of numbers, and x = %s has none; ordinal takes any", x);
    } else if (other != NULL && !read_quantity(other, &quantity)) {
        sl_text_append(out, bytes, "is of numbers, and '%s' of %s is none; ordinal takes any",
                       other, x);
    } else if (other != NULL) {
        sl_text_append(
            out, bytes, "is of one measure, and '%s' of %s %s; ordinal takes any", other, x,
            quantity.units == NULL ? "lacks a unit" : "is of another than those before it");
    } else if (strcmp(scale, "log") == 0 && axis.has_other_than_positive) {
        sl_text_append(out, bytes,
                       "has no place for values of %s that are not above 0; linear or ordinal", x);
    }
}

/* One plot: an axis of numbers is of lines, and its values are such. */
static int check_scale(const struct cli_command *command, const struct panel *panel,
                       const json_t *section)
{
    const char *const scale = section_text_or(section, "xscale", "ordinal");
    const char *const x = section_text(section, "x");
    char why[REASON_BYTES] = "";

    if (strcmp(scale, "ordinal") == 0) {
        return CLI_DONE;
    }
    if (is_of_lines(section)) {
        json_t *const values = panel_values(panel, section, x);
        tell_misfit(scale, x, values, why, sizeof why);
        json_decref(values);
    } else {
        sl_text_append(why, sizeof why, "is of lines; %s are ordinal",
                       section_text(section, "kind"));
    }
    return why[0] == '\0' ? CLI_DONE
                          : cli_fail(command, CLI_USAGE, "%s: [plot %s] xscale: %s %s", panel->path,
                                     section_text(section, "name"), scale, why);
}

int report_check_axes(const struct cli_command *command, const struct panel *panel)
{
    int status = CLI_DONE;
    size_t i;
    const json_t *section;

    json_array_foreach(panel_sections(panel, "plot"), i, section)
    {
        if (status == CLI_DONE) {
            status = check_scale(command, panel, section);
        }
    }
    return status;
}
