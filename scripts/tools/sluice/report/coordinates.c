/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Where a point is: by group of runs, program and the values of what is varied. */
#define _GNU_SOURCE 1
#include <stdlib.h>
#include <string.h>

#include "host/base/text.h"
#include "report/report.h"

const char *point_at(const json_t *point, const char *key)
{
    return section_text_or(json_object_get(point, "at"), key, "");
}

/* Whether a section is of a group of runs: it names this one ("runs"), or none. */
static bool is_of_group(const json_t *section, const char *name)
{
    const char *const runs = section_text(section, "runs");
    json_t *const groups = sweep_split(runs != NULL ? runs : "", " ");
    bool is_of = runs == NULL;
    size_t i;
    const json_t *group;

    json_array_foreach(groups, i, group)
    {
        is_of |= strcmp(json_string_value(group), name) == 0;
    }
    json_decref(groups);
    return is_of;
}

bool point_is_of(const json_t *point, const json_t *section)
{
    return is_of_group(section, point_at(point, "runs"));
}

static void append_new(json_t *names, const char *name, size_t bytes)
{
    size_t i;
    const json_t *there;

    json_array_foreach(names, i, there)
    {
        if (json_string_length(there) == bytes &&
            strncmp(json_string_value(there), name, bytes) == 0) {
            return;
        }
    }
    json_array_append_new(names, json_stringn(name, bytes));
}

json_t *panel_coordinates(const struct panel *panel)
{
    const json_t *const groups = panel_sections(panel, "runs");
    json_t *const names = json_array();
    size_t i;
    size_t k;
    const json_t *group;
    const json_t *line;

    append_new(names, "program", strlen("program"));
    if (json_array_size(groups) > 1) {
        append_new(names, "runs", strlen("runs"));
    }
    json_array_foreach(groups, i, group)
    {
        json_array_foreach(json_object_get(group, "vary"), k, line)
        {
            const char *const text = json_string_value(line);
            append_new(names, text, strcspn(text, ":"));
        }
    }
    return names;
}

/* The labels of a group's programs, or its values of a key. */
static void append_values(const json_t *group, const char *key, json_t *values)
{
    const bool is_program = strcmp(key, "program") == 0;
    size_t i;
    size_t k;
    const json_t *line;
    const json_t *value;

    json_array_foreach(json_object_get(group, is_program ? "program" : "vary"), i, line)
    {
        const char *const text = json_string_value(line);
        const size_t length = strcspn(text, ":");
        if (is_program) {
            append_new(values, text, length);
        } else if (strlen(key) == length && strncmp(key, text, length) == 0) {
            json_t *const words = sweep_split(text + length + (text[length] == ':'), " ");
            json_array_foreach(words, k, value)
            {
                append_new(values, json_string_value(value), json_string_length(value));
            }
            json_decref(words);
        }
    }
}

json_t *panel_values(const struct panel *panel, const json_t *section, const char *coordinate)
{
    json_t *const values = json_array();
    size_t i;
    const json_t *group;

    json_array_foreach(panel_sections(panel, "runs"), i, group)
    {
        const char *const name = section_text(group, "name");
        if (!is_of_group(section, name)) {
            continue;
        }
        if (strcmp(coordinate, "runs") == 0) {
            append_new(values, name, strlen(name));
        } else {
            append_values(group, coordinate, values);
        }
    }
    return values;
}

void paper_key(const json_t *point, char key[PAPER_KEY_BYTES])
{
    const char *name;
    json_t *text;

    key[0] = '\0';
    json_object_foreach(json_object_get(point, "at"), name, text)
    {
        if (strcmp(name, "runs") != 0) {
            sl_text_append(key, PAPER_KEY_BYTES, "%s%s", key[0] != '\0' ? " " : "",
                           json_string_value(text));
        }
    }
}

bool paper_figure(const struct panel *panel, const json_t *point, const char *value, double *out)
{
    char key[PAPER_KEY_BYTES];

    paper_key(point, key);
    const char *const figure = section_text(panel_find(panel, "paper", value), key);
    if (figure == NULL) {
        return false;
    }
    *out = strtod(figure, NULL);
    return true;
}
