/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What a panel's sections say of each other has to be there: coordinates, values, groups of runs.
 * Told before anything runs. */
#define _GNU_SOURCE 1
#include <stdlib.h>
#include <string.h>

#include "config/nearest.h"
#include "report/expressions.h"
#include "report/report.h"

#define NAMES_MAX 64

struct checker {
    const struct cli_command *command;
    const struct panel *panel;
    json_t *names[3]; /* by enum what: what there is */
};

enum what { COORDINATE, VALUE, GROUP };

static const char *const what_names[] = {"coordinate", "value", "group of runs"};

/* Which keys of which sections name what. */
static const struct {
    const char *section;
    const char *key;
    enum what what;
    bool is_list; /* of words */
} references[] = {
    {"value", "runs", GROUP, true},          {"plot", "runs", GROUP, true},
    {"plot", "x", COORDINATE, false},        {"plot", "y", VALUE, true},
    {"plot", "series", COORDINATE, true},    {"plot", "facet", COORDINATE, false},
    {"table", "runs", GROUP, true},          {"table", "rows", COORDINATE, false},
    {"table", "columns", COORDINATE, false}, {"table", "values", VALUE, true},
    {"paper", "name", VALUE, false},
};

/* Keys that take one of some words. */
static const struct {
    const char *section;
    const char *key;
    const char *words;
} choices[] = {
    {"runs", "with", "report"},
    {"plot", "kind", "lines bars stacked"},
    {"plot", "xscale", "linear log ordinal"},
    {"plot", "yscale", "linear log"},
};

static json_t *names_of(const struct panel *panel, const char *kind)
{
    json_t *const names = json_array();
    size_t i;
    const json_t *section;

    json_array_foreach(panel_sections(panel, kind), i, section)
    {
        json_array_append(names, json_object_get(section, "name"));
    }
    return names;
}

static int check_word(const struct checker *checker, const json_t *section, size_t reference,
                      const json_t *word)
{
    const enum what what = references[reference].what;
    const char *candidates[NAMES_MAX];
    size_t count = 0;
    size_t i;
    const json_t *name;

    json_array_foreach(checker->names[what], i, name)
    {
        if (json_equal(name, word)) {
            return CLI_DONE;
        }
        if (count < NAMES_MAX) {
            candidates[count++] = json_string_value(name);
        }
    }
    const char *const near = sl_nearest(json_string_value(word), candidates, count);
    return cli_fail(checker->command, CLI_USAGE, "%s: [%s %s] %s: there is no %s '%s'%s%s%s",
                    checker->panel->path, references[reference].section,
                    section_text(section, "name"), references[reference].key, what_names[what],
                    json_string_value(word), near != NULL ? "; did you mean " : "",
                    near != NULL ? near : "", near != NULL ? "?" : "");
}

static int check_reference(const struct checker *checker, size_t reference)
{
    int status = CLI_DONE;
    size_t i;
    size_t k;
    const json_t *section;
    const json_t *word;

    json_array_foreach(panel_sections(checker->panel, references[reference].section), i, section)
    {
        const char *const text = section_text(section, references[reference].key);
        json_t *const words = references[reference].is_list || text == NULL
                                  ? sweep_split(text != NULL ? text : "", " ")
                                  : json_pack("[s]", text);
        json_array_foreach(words, k, word)
        {
            if (status == CLI_DONE) {
                status = check_word(checker, section, reference, word);
            }
        }
        json_decref(words);
    }
    return status;
}

static int check_choice(const struct checker *checker, size_t which)
{
    const char *const kind = choices[which].section;
    const char *const key = choices[which].key;
    size_t i;
    size_t k;
    const json_t *section;
    const json_t *choice;
    json_t *const words = sweep_split(choices[which].words, " ");
    int status = CLI_DONE;

    json_array_foreach(panel_sections(checker->panel, kind), i, section)
    {
        const json_t *const text = json_object_get(section, key);
        bool is_there = text == NULL;
        json_array_foreach(words, k, choice)
        {
            is_there |= json_equal(choice, text);
        }
        if (!is_there && status == CLI_DONE) {
            status = cli_fail(checker->command, CLI_USAGE, "%s: [%s %s] %s: '%s' is none of: %s",
                              checker->panel->path, kind, section_text(section, "name"), key,
                              json_string_value(text), choices[which].words);
        }
    }
    json_decref(words);
    return status;
}

static bool is_number(const char *text)
{
    char *end;

    (void)strtod(text, &end);
    return end != text && *end == '\0';
}

static int check_bounds(const struct checker *checker)
{
    size_t i;
    const json_t *section;

    json_array_foreach(panel_sections(checker->panel, "check"), i, section)
    {
        const char *const above = section_text(section, "above");
        const char *const below = section_text(section, "below");
        if (above == NULL && below == NULL) {
            return cli_fail(checker->command, CLI_USAGE,
                            "%s: [check %s] has no bound: above, below", checker->panel->path,
                            section_text(section, "name"));
        }
        if ((above != NULL && !is_number(above)) || (below != NULL && !is_number(below))) {
            return cli_fail(checker->command, CLI_USAGE, "%s: [check %s] a bound is no number",
                            checker->panel->path, section_text(section, "name"));
        }
    }
    return CLI_DONE;
}

/* The figures are numbers. */
static int check_figures(const struct checker *checker)
{
    size_t i;
    json_t *section;
    const char *key;
    json_t *figure;

    json_array_foreach(panel_sections(checker->panel, "paper"), i, section)
    {
        json_object_foreach(section, key, figure)
        {
            if (strcmp(key, "name") != 0 && !is_number(json_string_value(figure))) {
                return cli_fail(checker->command, CLI_USAGE, "%s: [paper %s] %s = %s: no number",
                                checker->panel->path, section_text(section, "name"), key,
                                json_string_value(figure));
            }
        }
    }
    return CLI_DONE;
}

int report_check_paper(const struct cli_command *command, const struct panel *panel,
                       const json_t *points)
{
    json_t *const keys = json_object();
    char own[PAPER_KEY_BYTES];
    int status = CLI_DONE;
    size_t i;
    const json_t *point;
    json_t *section;
    const char *key;
    json_t *figure;

    json_array_foreach(points, i, point)
    {
        paper_key(point, own);
        json_object_set_new(keys, own, json_true());
    }
    json_array_foreach(panel_sections(panel, "paper"), i, section)
    {
        json_object_foreach(section, key, figure)
        {
            if (status == CLI_DONE && strcmp(key, "name") != 0 &&
                json_object_get(keys, key) == NULL) {
                status = cli_fail(command, CLI_USAGE,
                                  "%s: [paper %s] %s = %s: there is no such point; one is '%s'",
                                  panel->path, section_text(section, "name"), key,
                                  json_string_value(figure), own);
            }
        }
    }
    json_decref(keys);
    return status;
}

int report_check_panel(const struct cli_command *command, const struct panel *panel)
{
    struct checker checker = {.command = command, .panel = panel};
    int status = CLI_DONE;

    checker.names[COORDINATE] = panel_coordinates(panel);
    json_array_append_new(checker.names[COORDINATE], json_string("runs"));
    json_array_append_new(checker.names[COORDINATE], json_string("value")); /* of plots: x */
    checker.names[VALUE] = names_of(panel, "value");
    checker.names[GROUP] = names_of(panel, "runs");
    for (size_t i = 0; i < sizeof references / sizeof references[0] && status == CLI_DONE; i++) {
        status = check_reference(&checker, i);
    }
    for (size_t i = 0; i < sizeof checker.names / sizeof checker.names[0]; i++) {
        json_decref(checker.names[i]);
    }
    for (size_t i = 0; i < sizeof choices / sizeof choices[0] && status == CLI_DONE; i++) {
        status = check_choice(&checker, i);
    }
    if (status == CLI_DONE) {
        status = report_check_axes(command, panel);
    }
    if (status == CLI_DONE) {
        status = check_bounds(&checker);
    }
    if (status == CLI_DONE) {
        status = check_figures(&checker);
    }
    return status == CLI_DONE ? expressions_check(command, panel) : status;
}
