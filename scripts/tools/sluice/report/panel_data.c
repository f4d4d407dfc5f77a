/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A panel as it is shown: texts, plots, tables, checks, and what failed. */
#define _GNU_SOURCE 1
#include <string.h>

#include "report/report.h"

#define FAILURES_TOLD 10

/* The runs of a point that did not end well, with what they said. */
static void add_failures(const struct sweep *sweep, const json_t *point, json_t *failures)
{
    char line[1024];
    char words[4096];
    size_t i;
    const json_t *index;

    json_array_foreach(json_object_get(point, "runs"), i, index)
    {
        const size_t run = (size_t)json_integer_value(index);
        json_t *const status = sweep_status(sweep, run);
        const bool is_good =
            status != NULL && json_integer_value(json_object_get(status, "status")) == 0;
        json_decref(status);
        if (!is_good && json_array_size(failures) < FAILURES_TOLD) {
            sweep_first_words(sweep, run, line, sizeof line);
            sweep_join(json_object_get(json_array_get(sweep->runs, run), "words"), words,
                       sizeof words);
            json_array_append_new(failures,
                                  json_pack("{s:s, s:s}", "command", words, "message",
                                            status != NULL ? line : "it has not come to an end"));
        }
    }
}

static json_t *failures_of(const struct sweep *sweep, const json_t *points, const json_t *messages)
{
    json_t *const failures = json_array();
    size_t i;
    const json_t *item;

    json_array_foreach(points, i, item)
    {
        add_failures(sweep, item, failures);
    }
    json_array_foreach(messages, i, item)
    {
        json_array_append_new(failures, json_pack("{s:s, s:O}", "command", "", "message", item));
    }
    return failures;
}

json_t *report_panel(const struct sweep *sweep, const struct report_request *request,
                     const struct panel *panel, json_t *points, int *status)
{
    static const char *const texts[] = {"title", "source", "about", "differs"};
    json_t *const data = json_object();
    json_t *const figures = json_array();
    json_t *const messages = json_array();

    report_values(sweep, request, panel, points, figures, messages);
    json_object_set_new(data, "name", json_string(panel->name));
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        json_object_set_new(data, texts[i], json_string(panel_text(panel, texts[i])));
    }
    json_object_set_new(data, "command", json_sprintf("sluice report %s", panel->name));
    json_object_set_new(data, "csv", json_sprintf("%s.csv", panel->name));
    json_object_set_new(data, "checks",
                        request->only == NULL ? report_checks(panel, figures) : json_array());
    json_object_set_new(data, "plots", report_plots(panel, points));
    json_object_set_new(data, "tables", report_tables(panel, points));
    json_t *const failures = failures_of(sweep, points, messages);
    json_object_set_new(data, "failures", failures);
    if (json_array_size(failures) > 0) {
        *status = CLI_WRONG;
    }
    json_decref(figures);
    json_decref(messages);
    return data;
}
