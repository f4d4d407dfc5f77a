/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What panels make of statistics. Their expressions are jq's (https://jqlang.org, libjq): a value's
 * is applied to each point, a check's to all of them, for each seed by itself; the spread over the
 * seeds then gives the intervals. So a ratio of two points has an interval of its own.
 *
 * A point is its statistics as nested objects (.gpu.cycles), its coordinates (.at["gpu.cus"]), the
 * values worked out before (.value.speedup), and .report where the runs have one. Expressions can
 * use
 *     at(key; value)  the point that differs from this one in that coordinate alone
 *     point(where)    the first point with these coordinates: point({program: "Sort"})
 *     $facts          what is known of the programs' sources (share/lines.json) */
#define _GNU_SOURCE 1
#include <jq.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/interval.h"
#include "host/machine/path.h"
#include "report/report.h"

#define MESSAGE_BYTES 256
#define MESSAGES_TOLD 8
#define FIGURE_MAX    1e150 /* its square is a number, too, as intervals need it */

/* Stands in front of each pass over the points, which are its input. */
#define PRELUDE                                                                                    \
    ". as $all"                                                                                    \
    " | def point($where): first($all[] | . as $p"                                                 \
    "     | select(all($where | to_entries[]; $p.at[.key] == .value)));"                           \
    " def at($key; $value): .at as $at | point($at + {($key): $value});\n"

/* ---- the program ---- */

/* Values pass by pass, so that one can use those before it; then the checks. What fails is an
 * object with the message. */
static char *program_of(const struct panel *panel)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *const out = open_memstream(&text, &bytes);
    size_t i;
    const json_t *section;

    if (out == NULL) {
        return NULL;
    }
    (void)fputs(".facts as $facts | .points\n", out);
    json_array_foreach(panel_sections(panel, "value"), i, section)
    {
        const char *const runs = section_text(section, "runs");
        (void)fputs("| " PRELUDE "map(", out);
        if (runs != NULL) {
            (void)fprintf(out, "if (.at.runs as $r | \"%s\" | split(\" \") | index($r)) then ",
                          runs);
        }
        (void)fprintf(out, ".value[\"%s\"] = (try ([%s\n][0]) catch {error: tostring})",
                      section_text(section, "name"), section_text(section, "is"));
        (void)fprintf(out, "%s)\n", runs != NULL ? " else . end" : "");
    }
    (void)fputs("| " PRELUDE "{values: map(.value), checks: [", out);
    json_array_foreach(panel_sections(panel, "check"), i, section)
    {
        (void)fprintf(out, "%s(try ([%s\n][0]) catch {error: tostring})", i > 0 ? ", " : "",
                      section_text(section, "is"));
    }
    (void)fputs("]}\n", out);
    return fclose(out) == 0 ? text : NULL;
}

/* jq's own words, the first of them. */
static void take_message(void *data, jv message)
{
    char *const out = data;

    if (out[0] == '\0') {
        jv text = jq_format_error(message);
        (void)snprintf(out, MESSAGE_BYTES, "%s", jv_string_value(text));
        out[strcspn(out, "\n")] = '\0';
        jv_free(text);
    } else {
        jv_free(message);
    }
}

/* Whether one expression is one, so that a message can name it: jq's places are those of the whole
 * program. */
static int check_expression(const struct cli_command *command, const struct panel *panel,
                            const json_t *section, const char *kind)
{
    char message[MESSAGE_BYTES] = "";
    char *text = NULL;
    jq_state *const jq = jq_init();

    jq_set_error_cb(jq, take_message, message);
    if (asprintf(&text, "null as $facts | " PRELUDE "[%s\n]", section_text(section, "is")) < 0) {
        text = NULL;
    }
    const int is_good = text != NULL && jq_compile(jq, text);
    free(text);
    jq_teardown((jq_state **)(uintptr_t)&jq);
    return is_good ? CLI_DONE
                   : cli_fail(command, CLI_USAGE, "%s: [%s %s] is = %s: %s", panel->path, kind,
                              section_text(section, "name"), section_text(section, "is"), message);
}

int report_check_expressions(const struct cli_command *command, const struct panel *panel)
{
    static const char *const kinds[] = {"value", "check"};

    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        size_t i;
        const json_t *section;
        json_array_foreach(panel_sections(panel, kinds[k]), i, section)
        {
            if (check_expression(command, panel, section, kinds[k]) != CLI_DONE) {
                return CLI_USAGE;
            }
        }
    }
    return CLI_DONE;
}

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
static json_t *result_of(const struct sweep *sweep, size_t run)
{
    char path[SWEEP_PATH_MAX];
    const char *name;
    json_t *value;

    sweep_path(sweep, run, "stats.json", path);
    json_t *const statistics = sweep_is_good(sweep, run) ? json_load_file(path, 0, NULL) : NULL;
    if (statistics == NULL) {
        return NULL;
    }
    json_t *const result = json_object();
    json_object_foreach(statistics, name, value)
    {
        nest(result, name, value);
    }
    json_decref(statistics);
    if (json_is_true(json_object_get(json_array_get(sweep->runs, run), "report"))) {
        sweep_path(sweep, run, "report.json", path);
        json_object_set_new(result, "report", json_load_file(path, 0, NULL));
    }
    return result;
}

static json_t *facts(void)
{
    char path[PATH_MAX];
    json_t *lines = NULL;

    if (sl_path_beside_program("../share/lines.json", path, sizeof path) == 0) {
        lines = json_load_file(path, 0, NULL);
    }
    return json_pack("{s:o*}", "lines", lines);
}

/* A failed point has its coordinates alone: values that need it are missing, others are not. */
static json_t *input_of(const struct sweep *sweep, const json_t *points, unsigned seed)
{
    json_t *const all = json_array();
    size_t i;
    const json_t *point;

    json_array_foreach(points, i, point)
    {
        const json_int_t run =
            json_integer_value(json_array_get(json_object_get(point, "runs"), seed));
        json_t *result = result_of(sweep, (size_t)run);
        if (result == NULL) {
            result = json_object();
        }
        json_object_set(result, "at", json_object_get(point, "at"));
        json_array_append_new(all, result);
    }
    return json_pack("{s:o, s:o}", "points", all, "facts", facts());
}

/* One result, as JSON; null where there is none, with what jq says of it in `message`. */
static json_t *apply(jq_state *jq, const json_t *input, char message[MESSAGE_BYTES])
{
    char *const text = json_dumps(input, JSON_COMPACT);
    json_t *result = NULL;

    jq_start(jq, text != NULL ? jv_parse(text) : jv_null(), 0);
    free(text);
    jv output = jq_next(jq);
    if (jv_is_valid(output)) {
        jv dumped = jv_dump_string(output, 0);
        /* jq writes large numbers without an exponent, which would be integers of no size */
        result = json_loads(jv_string_value(dumped), JSON_DECODE_INT_AS_REAL, NULL);
        jv_free(dumped);
    } else if (jv_invalid_has_msg(jv_copy(output))) {
        take_message(message, jv_invalid_get_msg(output));
    } else {
        jv_free(output);
    }
    return result != NULL ? result : json_null();
}

/* ---- what comes out ---- */

json_t *report_figure(const double *values, size_t count)
{
    if (count == 0) {
        return json_null();
    }
    const struct interval interval = interval_of(values, count);
    return count == 1 ? json_pack("{s:f}", "value", interval.mean)
                      : json_pack("{s:f, s:f, s:f}", "value", interval.mean, "low", interval.low,
                                  "high", interval.high);
}

/* What every seed has as a number; where one has none, there is none, and its message is kept. */
struct gathered {
    double values[INTERVAL_RUNS_MAX];
    size_t count;
    bool is_missing;
    char message[MESSAGE_BYTES];
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
    return report_figure(gathered->values, gathered->is_missing ? 0 : gathered->count);
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
    char message[MESSAGE_BYTES] = "";
    char *const text = program_of(panel);
    jq_state *jq = jq_init();
    json_t *const results = json_array();

    jq_set_error_cb(jq, take_message, message);
    const bool is_compiled = text != NULL && jq_compile(jq, text);
    for (unsigned seed = 0; seed < request->seeds && is_compiled; seed++) {
        json_t *const input = input_of(sweep, points, seed);
        json_array_append_new(results, apply(jq, input, message));
        json_decref(input);
    }
    if (message[0] != '\0') {
        json_array_append_new(messages, json_sprintf("%s: %s", panel->name, message));
    }
    jq_teardown(&jq);
    free(text);
    const bool is_expected = request->only == NULL && is_complete(sweep, points);
    collect_values(panel, results, is_expected, points, messages);
    collect_checks(panel, results, is_expected, checks, messages);
    json_decref(results);
}
