/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Values on an axis of numbers: plain ones, or sizes, times or frequencies with their units. */
#define _GNU_SOURCE 1
#include "common/plot_axis.h"

#include <math.h>
#include <string.h>

#include "config/number.h"
#include "host/base/text.h"

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

void plot_axis_init(struct plot_axis *axis, const json_t *values, const char *asked)
{
    *axis = (struct plot_axis){.scale = "ordinal", .is_ordinal = true};
    if (strcmp(asked, "ordinal") != 0 && json_array_size(values) > 0 &&
        take_all(axis, values) == NULL) {
        axis->is_ordinal = false;
        axis->scale = asked[0] != '\0' ? asked : axis->has_other_than_positive ? "linear" : "log";
    }
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

json_t *plot_axis_data(const struct plot_axis *axis, const char *label)
{
    json_t *const data = json_pack("{s:s, s:s}", "label", label, "scale", axis->scale);
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

void plot_axis_tell_misfit(const char *scale, const char *x, const json_t *values, char *out,
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
