/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A panel's values: its expressions (expressions.c) are applied to the runs of each seed by
 * themselves; the spread over the seeds then gives the intervals. So a ratio of two points has an
 * interval of its own. */
#define _GNU_SOURCE 1
#include <math.h>
#include <string.h>

#include "common/interval.h"
#include "config/install_paths.h"
#include "report/expressions.h"
#include "report/report.h"

#define MESSAGES_TOLD 8
#define FIGURE_MAX    1e150 /* its square is a number, too, as intervals need it */

/* ---- what goes in ---- */

/* "gpu.cycles": 7 becomes {"gpu": {"cycles": 7}}. */
static void nest(json_t *object, const char *name, json_t *value)
{
    const char *dot;
    char part[64];

    while ((dot = strchr(name, '.')) != NULL) {
        (void)snprintf(part, sizeof part, "%.*s", (int)(dot - name), name);
        if (json_object_get(object, part) == NULL) {
            json_object_set_new(object, part, json_object());
        }
        object = json_object_get(object, part);
        name = dot + 1;
    }
    json_object_set(object, name, value);
}

/* What a run left, NULL where it failed. */
static json_t *result_of(const struct sweep *sweep, size_t run, bool with_report)
{
    const char *name;
    json_t *value;

    json_t *const statistics = sweep_is_good(sweep, run) ? sweep_statistics(sweep, run) : NULL;
    if (statistics == NULL) {
        return NULL;
    }
    json_t *const result = json_object();
    json_object_foreach(statistics, name, value)
    {
        nest(result, name, value);
    }
    json_decref(statistics);
    if (with_report) {
        json_object_set_new(result, "report", sweep_report_data(sweep, run));
    }
    return result;
}

static json_t *facts(void)
{
    char path[PATH_MAX];
    json_t *lines = NULL;

    if (sl_home_path("share/lines.json", path, sizeof path) == 0) {
        lines = json_load_file(path, 0, NULL);
    }
    return json_pack("{s:o*}", "lines", lines);
}

/* Reports are large, and a panel may have them only to share its runs with another. */
static bool uses_reports(const struct panel *panel)
{
    static const char *const kinds[] = {"value", "check"};
    bool uses = false;

    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        size_t i;
        const json_t *section;
        json_array_foreach(panel_sections(panel, kinds[k]), i, section)
        {
            uses |= strstr(section_text(section, "is"), "report") != NULL;
        }
    }
    return uses;
}

/* A failed point has its coordinates alone: values that need it are missing, others are not. */
static json_t *input_of(const struct sweep *sweep, const struct panel *panel, const json_t *points,
                        unsigned seed)
{
    const bool with_report = uses_reports(panel);
    json_t *const all = json_array();
    size_t i;
    const json_t *point;

    json_array_foreach(points, i, point)
    {
        const json_int_t run =
            json_integer_value(json_array_get(json_object_get(point, "runs"), seed));
        json_t *result = result_of(sweep, (size_t)run, with_report);
        if (result == NULL) {
            result = json_object();
        }
        json_object_set(result, "at", json_object_get(point, "at"));
        json_array_append_new(all, result);
    }
    return json_pack("{s:o, s:o}", "points", all, "facts", facts());
}

/* ---- what comes out ---- */

/* What every seed has as a number; where one has none, there is none, and its message is kept. */
struct gathered {
    double values[INTERVAL_RUNS_MAX];
    size_t count;
    bool is_missing;
    char message[EXPRESSION_MESSAGE_BYTES];
};

static void gather(struct gathered *gathered, const json_t *value)
{
    const char *const error = section_text(value, "error");
    const bool is_number = json_is_number(value);

    if (is_number && fabs(json_number_value(value)) <= FIGURE_MAX) {
        gathered->values[gathered->count++] = json_number_value(value);
        return;
    }
    gathered->is_missing = true;
    if (gathered->message[0] == '\0') {
        (void)snprintf(gathered->message, sizeof gathered->message, "%s",
                       error != NULL ? error
                       : is_number   ? "too large a number"
                                     : "no number");
    }
}

static json_t *figure_of(const struct gathered *gathered)
{
    return interval_figure(gathered->values, gathered->is_missing ? 0 : gathered->count);
}

/* A value that is missing though all runs went well is a mistake of the panel's, told once for all
 * points that it is the same of. */
static void tell(const struct panel *panel, const char *kind, const char *name,
                 const struct gathered *gathered, bool is_expected, json_t *messages)
{
    size_t i;
    const json_t *there;

    if (!gathered->is_missing || !is_expected || json_array_size(messages) >= MESSAGES_TOLD) {
        return;
    }
    json_t *const message =
        json_sprintf("%s: [%s %s]: %s", panel->name, kind, name, gathered->message);
    json_array_foreach(messages, i, there)
    {
        if (json_equal(there, message)) {
            json_decref(message);
            return;
        }
    }
    json_array_append_new(messages, message);
}

static bool is_complete(const struct sweep *sweep, const json_t *points)
{
    size_t i;
    size_t k;
    const json_t *point;
    const json_t *run;

    json_array_foreach(points, i, point)
    {
        json_array_foreach(json_object_get(point, "runs"), k, run)
        {
            if (!sweep_is_good(sweep, (size_t)json_integer_value(run))) {
                return false;
            }
        }
    }
    return true;
}

static void collect_values(const struct panel *panel, const json_t *results, bool is_expected,
                           json_t *points, json_t *messages)
{
    size_t i;
    size_t k;
    size_t seed;
    json_t *point;
    const json_t *section;
    const json_t *result;

    json_array_foreach(points, i, point)
    {
        json_t *const values = json_object();
        json_array_foreach(panel_sections(panel, "value"), k, section)
        {
            const char *const name = section_text(section, "name");
            struct gathered gathered = {.count = 0};
            if (!point_is_of(point, section)) {
                continue;
            }
            json_array_foreach(results, seed, result)
            {
                gather(&gathered,
                       json_object_get(json_array_get(json_object_get(result, "values"), i), name));
            }
            json_object_set_new(values, name, figure_of(&gathered));
            tell(panel, "value", name, &gathered, is_expected, messages);
        }
        json_object_set_new(point, "values", values);
    }
}

static void collect_checks(const struct panel *panel, const json_t *results, bool is_expected,
                           json_t *checks, json_t *messages)
{
    size_t i;
    size_t seed;
    const json_t *section;
    const json_t *result;

    json_array_foreach(panel_sections(panel, "check"), i, section)
    {
        struct gathered gathered = {.count = 0};
        json_array_foreach(results, seed, result)
        {
            gather(&gathered, json_array_get(json_object_get(result, "checks"), i));
        }
        json_array_append_new(checks, figure_of(&gathered));
        tell(panel, "check", section_text(section, "name"), &gathered, is_expected, messages);
    }
}

void report_values(const struct sweep *sweep, const struct report_request *request,
                   const struct panel *panel, json_t *points, json_t *checks, json_t *messages)
{
    struct expressions expressions;
    json_t *const results = json_array();

    expressions_open(&expressions, panel);
    for (unsigned seed = 0; seed < request->seeds; seed++) {
        json_t *const input = input_of(sweep, panel, points, seed);
        json_array_append_new(results, expressions_apply(&expressions, input));
        json_decref(input);
    }
    if (expressions.message[0] != '\0') {
        json_array_append_new(messages, json_sprintf("%s: %s", panel->name, expressions.message));
    }
    expressions_close(&expressions);
    const bool is_expected = request->only == NULL && is_complete(sweep, points);
    collect_values(panel, results, is_expected, points, messages);
    collect_checks(panel, results, is_expected, checks, messages);
    json_decref(results);
}
