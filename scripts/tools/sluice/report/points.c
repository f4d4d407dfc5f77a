/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* From panels to runs. Panels that ask for the same run share it: a run's folder has a name that
 * comes from the program and its machine, so that it is found again by any report, too. */
#define _GNU_SOURCE 1
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "report/report.h"

static bool is_wanted(const struct report_request *request, const json_t *label)
{
    bool is_named = request->only == NULL;
    size_t i;
    const json_t *only;

    json_array_foreach(request->only, i, only)
    {
        is_named |= json_equal(only, label);
    }
    return is_named;
}

/* "Label: program and arguments". */
static int add_program(const struct cli_command *command, const struct report_request *request,
                       const struct panel *panel, const char *line, json_t *labels,
                       json_t *programs)
{
    const char *const colon = strchr(line, ':');
    json_t *const label = json_stringn(line, colon != NULL ? (size_t)(colon - line) : 0);

    if (colon != NULL && !is_wanted(request, label)) {
        json_decref(label);
        return CLI_DONE;
    }
    json_array_append_new(labels, label);
    if (colon == NULL || colon == line || sweep_add_program(programs, colon + 1) != 0) {
        return cli_fail(command, CLI_USAGE, "%s: program = %s: expected LABEL: PROGRAM ARGUMENT...",
                        panel->path, line);
    }
    return CLI_DONE;
}

/* "section.key: value value ..." */
static int add_varied(const struct cli_command *command, const struct panel *panel,
                      const char *line, json_t *varied)
{
    char key[128];
    const size_t length = strcspn(line, ":");

    (void)snprintf(key, sizeof key, "%.*s", (int)length, line);
    if (line[length] == '\0' ||
        sweep_add_varied(varied, key, sweep_split(line + length + 1, " ")) != 0) {
        return cli_fail(command, CLI_USAGE, "%s: vary = %s: expected section.key: VALUE VALUE...",
                        panel->path, line);
    }
    return CLI_DONE;
}

/* As the sweep's engine takes it: the panel's own settings, the user's, which win, and then what is
 * varied. */
static int request_of(const struct cli_command *command, const struct report_request *request,
                      const struct panel *panel, const json_t *section, json_t *labels,
                      struct sweep_request *sweep)
{
    size_t i;
    const json_t *line;
    int status = CLI_DONE;

    json_array_foreach(json_object_get(section, "program"), i, line)
    {
        if (status == CLI_DONE) {
            status = add_program(command, request, panel, json_string_value(line), labels,
                                 sweep->programs);
        }
    }
    json_array_foreach(json_object_get(section, "vary"), i, line)
    {
        if (status == CLI_DONE) {
            status = add_varied(command, panel, json_string_value(line), sweep->varied);
        }
    }
    json_array_extend(sweep->configs, json_object_get(section, "config"));
    json_array_extend(sweep->configs, request->sweep.configs);
    json_array_extend(sweep->settings, json_object_get(section, "set"));
    json_array_extend(sweep->settings, request->sweep.settings);
    (void)sweep_add_seeds(sweep, request->seeds);
    return status;
}

/* What tells a run from others: the program with its arguments, the machine, however it is said,
 * and what is recorded. */
static char *identity_of(const json_t *words, bool with_report)
{
    static struct sl_config config;
    char *text = NULL;
    size_t bytes = 0;
    FILE *const out = open_memstream(&text, &bytes);

    if (out == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < json_array_size(words); i++) {
        const char *const word = json_string_value(json_array_get(words, i));
        if (strcmp(word, "--set") == 0 || strcmp(word, "--config") == 0) {
            i++; /* they make the machine */
        } else {
            (void)fprintf(out, "%s\n", word);
        }
    }
    sweep_machine(words, &config);
    sweep_print_machine(&config, out);
    (void)fprintf(out, "%d\n", with_report);
    return fclose(out) == 0 ? text : NULL;
}

/* A name for its folder. */
static void name_run(const json_t *words, bool with_report, char name[SWEEP_HASH_BYTES])
{
    char *const text = identity_of(words, with_report);

    sweep_hash(text, text != NULL ? strlen(text) : 0, name);
    free(text);
}

/* The index of a run, which is appended where it is new. */
static json_t *index_of(json_t *words, bool with_report, json_t *runs, json_t *index)
{
    char name[SWEEP_HASH_BYTES];

    name_run(words, with_report, name);
    if (json_object_get(index, name) == NULL) {
        json_object_set_new(index, name, json_integer((json_int_t)json_array_size(runs)));
        json_array_append_new(runs, json_pack("{s:O, s:b, s:s}", "words", words, "report",
                                              with_report, "folder", name));
    }
    return json_incref(json_object_get(index, name));
}

/* {"runs", "program", key: value...}; the seed is no coordinate. */
static json_t *coordinates_of(const json_t *section, const json_t *label, const json_t *keys,
                              const json_t *values)
{
    json_t *const at = json_object();
    size_t i;
    const json_t *key;

    json_object_set(at, "runs", json_object_get(section, "name"));
    json_object_set(at, "program", (json_t *)(uintptr_t)label);
    json_array_foreach(keys, i, key)
    {
        if (strcmp(json_string_value(key), SWEEP_JITTER_SEED) != 0) {
            json_object_set(at, json_string_value(key), json_array_get(values, i));
        }
    }
    return at;
}

/* The plan's runs are in the order programs, values, seeds. */
static void append_points(const struct report_request *request, const json_t *section,
                          const json_t *labels, const json_t *plan, json_t *runs, json_t *index,
                          json_t *points)
{
    const char *const with = section_text(section, "with");
    const json_t *const planned = json_object_get(plan, "runs");
    const size_t per_program = json_array_size(planned) / json_array_size(labels);

    for (size_t i = 0; i < json_array_size(planned); i += request->seeds) {
        json_t *const of_seeds = json_array();
        for (size_t seed = 0; seed < request->seeds; seed++) {
            const json_t *const run = json_array_get(planned, i + seed);
            json_array_append_new(
                of_seeds, index_of(json_object_get(run, "words"), with != NULL, runs, index));
        }
        json_t *const at = coordinates_of(section, json_array_get(labels, i / per_program),
                                          json_object_get(plan, "keys"),
                                          json_object_get(json_array_get(planned, i), "values"));
        json_array_append_new(points, json_pack("{s:o, s:o}", "at", at, "runs", of_seeds));
    }
}

int report_points(const struct cli_command *command, const struct report_request *request,
                  const struct panel *panel, json_t *runs, json_t *index, json_t *points)
{
    int status = CLI_DONE;
    size_t i;
    const json_t *section;

    json_array_foreach(panel_sections(panel, "runs"), i, section)
    {
        struct sweep_request sweep;
        json_t *const labels = json_array();
        json_t *plan = NULL;

        sweep_request_init(&sweep);
        if (status == CLI_DONE) {
            status = request_of(command, request, panel, section, labels, &sweep);
        }
        if (status == CLI_DONE && json_array_size(labels) > 0) {
            plan = sweep_plan(command, &sweep);
            status = plan != NULL
                         ? CLI_DONE
                         : cli_fail(command, CLI_USAGE, "so panel %s cannot be made", panel->path);
        }
        if (plan != NULL) {
            append_points(request, section, labels, plan, runs, index, points);
        }
        json_decref(plan);
        json_decref(labels);
        sweep_request_free(&sweep);
    }
    return status;
}
