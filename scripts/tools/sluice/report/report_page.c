/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A report as files: the page, which says how it was made and on which machine, and each panel's
 * data beside it. */
#define _GNU_SOURCE 1
#include "host/observe/report/page.h"

#include <stdlib.h>
#include <string.h>

#include "report/report.h"

/* What the user changed of the machine, as options. */
static json_t *changes_of(const struct report_request *request)
{
    json_t *const changes = json_array();
    size_t i;
    const json_t *text;

    json_array_foreach(request->sweep.configs, i, text)
    {
        json_array_append_new(changes, json_sprintf("--config %s", json_string_value(text)));
    }
    json_array_foreach(request->sweep.settings, i, text)
    {
        json_array_append_new(changes, json_sprintf("--set %s", json_string_value(text)));
    }
    return changes;
}

static json_t *page_of(const struct report_request *request, json_t *panels)
{
    struct sweep_request sweep = request->sweep;

    sweep.settings = json_copy(request->sweep.settings);
    sweep.varied = json_array();
    (void)sweep_add_seeds(&sweep, request->seeds);
    json_t *const made =
        sweep_provenance(&sweep, report_command(request, request->panels), request->seeds);
    json_object_set_new(made, "changed", changes_of(request));
    json_decref(sweep.settings);
    json_decref(sweep.varied);
    return json_pack("{s:s, s:o, s:o}", "title", "Sluice: the evaluation", "made", made, "panels",
                     panels);
}

/* How each panel's checks came out, for who looks at the terminal. */
static void print_summary(const json_t *panels, const char *page)
{
    static const char *const states[] = {"holds", "fails", "undecided", "unknown"};
    size_t i;
    size_t k;
    const json_t *panel;
    const json_t *check;

    printf("%-12s  %5s  %5s  %9s  %7s  %s\n", "panel", "hold", "fail", "undecided", "unknown",
           "title");
    json_array_foreach(panels, i, panel)
    {
        int counts[4] = {0};
        json_array_foreach(json_object_get(panel, "checks"), k, check)
        {
            for (int state = 0; state < 4; state++) {
                counts[state] += strcmp(section_text(check, "state"), states[state]) == 0;
            }
        }
        printf("%-12s  %5d  %5d  %9d  %7d  %s%s\n", section_text(panel, "name"), counts[0],
               counts[1], counts[2], counts[3], section_text(panel, "title"),
               json_array_size(json_object_get(panel, "failures")) > 0 ? " (runs failed)" : "");
    }
    char *const whole = realpath(page, NULL); /* for who copies it */
    printf("%s\n", whole != NULL ? whole : page);
    free(whole);
}

int report_write(const struct cli_command *command, const struct report_request *request,
                 json_t *panels)
{
    char path[SWEEP_PATH_MAX];
    char error[1024];
    int status = CLI_DONE;
    size_t i;
    const json_t *panel;

    json_array_foreach(panels, i, panel)
    {
        if (status == CLI_DONE) {
            status = csv_panel(command, panel, request->folder);
        }
    }
    (void)snprintf(path, sizeof path, "%s/index.html", request->folder);
    json_t *const data = page_of(request, json_incref(panels));
    if (status == CLI_DONE && sl_page_write(path, "panels", data, error, sizeof error) != 0) {
        status = cli_fail(command, CLI_FAILED, "%s", error);
    }
    json_decref(data);
    if (status == CLI_DONE) {
        print_summary(panels, path);
    }
    return status;
}
