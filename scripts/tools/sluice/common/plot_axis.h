/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A plot's x axis. Values that are numbers, or sizes, times or frequencies with their units, stand
 * where they belong on a linear or logarithmic axis, in the least unit that occurs. All others
 * stand at equal distances in their order. */
#ifndef SLUICE_CLI_PLOT_AXIS_H
#define SLUICE_CLI_PLOT_AXIS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "config/units.h"

struct plot_axis {
    const char *scale; /* linear, log or ordinal */
    bool is_ordinal;
    const struct sl_units *units; /* what the values have; NULL where they are plain numbers */
    bool is_used[SL_UNITS_MAX];
    size_t least; /* the unit of places */
    bool has_other_than_positive;
};

/* The axis of these values, texts. `asked` is a scale, or "" for the one that fits. */
void plot_axis_init(struct plot_axis *axis, const json_t *values, const char *asked);

/* Where a value stands: a number, or a text on an ordinal axis. */
json_t *plot_axis_place(const struct plot_axis *axis, const char *text);

/* The axis as the page takes it (scripts/page/panels.js). */
json_t *plot_axis_data(const struct plot_axis *axis, const char *label);

/* Why the values of a coordinate have no place on a linear or logarithmic axis, and what has; ""
 * where they have one. */
void plot_axis_tell_misfit(const char *scale, const char *x, const json_t *values, char *out,
                           size_t bytes);

#endif
