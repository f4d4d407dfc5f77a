/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A panel as it is shown: texts, plots, tables, checks, and what failed. */
#define _GNU_SOURCE 1
#include <string.h>

#include "report/report.h"

#define FAILURES_TOLD 10

/* The runs of a point that did not end well, with what they said; those beyond the first ones are
 * counted. */
static void add_failures(const struct sweep *sweep, const json_t *point, json_t *failures,
                         size_t *count)
{
    size_t i;
    const json_t *index;

    json_array_foreach(json_object_get(point, "runs"), i, index)
    {
        json_t *const failure = sweep_failure(sweep, (size_t)json_integer_value(index));
        if (failure != NULL && ++*count <= FAILURES_TOLD) {
            json_array_append(failures, failure);
        }
        json_decref(failure);
    }
}

/* Runs, then mistakes of the panel, which have no command. */
static json_t *failures_of(const struct sweep *sweep, const json_t *points, const json_t *messages,
                           size_t *count)
{
    json_t *const failures = json_array();
    size_t i;
    const json_t *item;

    *count = 0;
    json_array_foreach(points, i, item)
    {
        add_failures(sweep, item, failures, count);
    }
    json_array_foreach(messages, i, item)
    {
        json_array_append_new(failures, json_pack("{s:O}", "message", item));
    }
    *count += json_array_size(messages);
    return failures;
}

/* The command that makes it alone: by its name, or its file where it is the user's. */
static json_t *command_of(const struct report_request *request, const struct panel *panel)
{
    json_t *const names =
        json_pack("[s]", panel_is_shipped(panel->path) ? panel->name : panel->path);
    json_t *const command = report_command(request, names);

    json_decref(names);
    return command;
}

json_t *report_panel(const struct sweep *sweep, const struct report_request *request,
                     const struct panel *panel, json_t *points, int *status)
{
    static const char *const texts[] = {"title", "source", "about", "differs"};
    json_t *const data = json_object();
    json_t *const figures = json_array();
    json_t *const messages = json_array();
    size_t count;

    report_values(sweep, request, panel, points, figures, messages);
    json_object_set_new(data, "name", json_string(panel->name));
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        json_object_set_new(data, texts[i], json_string(panel_text(panel, texts[i])));
    }
    json_object_set_new(data, "command", command_of(request, panel));
    json_object_set_new(data, "csv", json_sprintf("%s.csv", panel->name));
    json_object_set_new(data, "checks",
                        request->only == NULL ? report_checks(panel, figures) : json_array());
    json_object_set_new(data, "plots", report_plots(sweep->command, panel, points));
    json_object_set_new(data, "tables", report_tables(panel, points));
    json_object_set_new(data, "failures", failures_of(sweep, points, messages, &count));
    json_object_set_new(data, "failed", json_integer((json_int_t)count));
    if (count > 0) {
        *status = CLI_WRONG;
    }
    json_decref(figures);
    json_decref(messages);
    return data;
}
