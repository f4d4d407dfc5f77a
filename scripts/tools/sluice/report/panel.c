/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What is in a panel that has been read (read.c). */
#define _GNU_SOURCE 1
#include "report/panel.h"

#include <stdlib.h>
#include <string.h>

const char *panel_name(const char *path, char name[PANEL_NAME_BYTES])
{
    const char *const slash = strrchr(path, '/');
    const char *const file = slash != NULL ? slash + 1 : path;

    (void)snprintf(name, PANEL_NAME_BYTES, "%.*s", (int)strcspn(file, "."), file);
    return name;
}

void panel_free(struct panel *panel)
{
    json_decref(panel->sections);
    panel->sections = NULL;
}

int panel_compare(const void *a, const void *b)
{
    const long ranks =
        strtol(panel_text(a, "rank"), NULL, 10) - strtol(panel_text(b, "rank"), NULL, 10);
    return ranks != 0 ? (ranks > 0 ? 1 : -1)
                      : strcmp(((const struct panel *)a)->name, ((const struct panel *)b)->name);
}

const char *section_text(const json_t *section, const char *key)
{
    return json_string_value(json_object_get(section, key));
}

const char *panel_text(const struct panel *panel, const char *key)
{
    const char *const text = section_text(json_object_get(panel->sections, "panel"), key);
    return text != NULL ? text : "";
}

const json_t *panel_sections(const struct panel *panel, const char *kind)
{
    return json_object_get(panel->sections, kind);
}

const json_t *panel_find(const struct panel *panel, const char *kind, const char *name)
{
    size_t i;
    const json_t *section;

    json_array_foreach(panel_sections(panel, kind), i, section)
    {
        if (strcmp(section_text(section, "name"), name) == 0) {
            return section;
        }
    }
    return NULL;
}

json_t *panel_words(const char *text)
{
    json_t *const words = json_array();

    for (text += strspn(text, " "); *text != '\0'; text += strspn(text, " ")) {
        const size_t length = strcspn(text, " ");
        json_array_append_new(words, json_stringn(text, length));
        text += length;
    }
    return words;
}
