/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Checks of shape: what the paper says, as bounds of a figure. One holds, or fails, where the whole
 * interval does; what lies across a bound is not decided, for that is what the interval means. */
#define _GNU_SOURCE 1
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "report/report.h"

/* The interval, which is a point where there was one run. */
static void bounds_of(const json_t *figure, double *low, double *high)
{
    const json_t *const value = json_object_get(figure, "value");
    const json_t *const from = json_object_get(figure, "low");
    const json_t *const to = json_object_get(figure, "high");

    *low = json_number_value(from != NULL ? from : value);
    *high = json_number_value(to != NULL ? to : value);
}

static const char *state_of(const json_t *section, const json_t *figure)
{
    const char *const above = section_text(section, "above");
    const char *const below = section_text(section, "below");
    double low;
    double high;

    if (!json_is_object(figure)) {
        return "unknown";
    }
    bounds_of(figure, &low, &high);
    if ((above != NULL && high < strtod(above, NULL)) ||
        (below != NULL && low > strtod(below, NULL))) {
        return "fails";
    }
    return (above != NULL && low < strtod(above, NULL)) ||
                   (below != NULL && high > strtod(below, NULL))
               ? "undecided"
               : "holds";
}

static json_t *asked_of(const json_t *section)
{
    const char *const above = section_text(section, "above");
    const char *const below = section_text(section, "below");

    if (above != NULL && below != NULL) {
        return json_sprintf("from %s to %s", above, below);
    }
    return above != NULL ? json_sprintf("at least %s", above) : json_sprintf("at most %s", below);
}

static json_t *check_of(const json_t *section, const json_t *figure)
{
    static const char *const texts[] = {"says", "paper", "unit", "why"};
    json_t *const check =
        json_is_object(figure) ? json_copy((json_t *)(uintptr_t)figure) : json_object();

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        json_object_set_new(check, texts[i], json_string(section_text_or(section, texts[i], "")));
    }
    json_object_set_new(check, "asked", asked_of(section));
    json_object_set_new(check, "state", json_string(state_of(section, figure)));
    return check;
}

json_t *report_checks(const struct panel *panel, const json_t *figures)
{
    json_t *const checks = json_array();
    size_t i;
    const json_t *section;

    json_array_foreach(panel_sections(panel, "check"), i, section)
    {
        json_array_append_new(checks, check_of(section, json_array_get(figures, i)));
    }
    return checks;
}
