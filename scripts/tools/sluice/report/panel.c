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

const char *section_text_or(const json_t *section, const char *key, const char *otherwise)
{
    const char *const text = section_text(section, key);
    return text != NULL ? text : otherwise;
}

const char *panel_text(const struct panel *panel, const char *key)
{
    return section_text_or(json_object_get(panel->sections, "panel"), key, "");
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
