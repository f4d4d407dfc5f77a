/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Panels: what to run, what to make of the figures, how to draw it and what it should show. Each is
 * a file (docs/do/reproduce-a-paper.md, "How to write a panel"); a folder of them is a report. */
#ifndef SLUICE_CLI_PANEL_H
#define SLUICE_CLI_PANEL_H

#include <jansson.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

#include "common/command.h"

#define PANEL_NAME_BYTES 64

struct panel {
    char name[PANEL_NAME_BYTES];
    char path[PATH_MAX];
    /* The file's sections: {"panel": {key: value}, "runs": [{"name": ..., key: value}...], ...}. A
     * value is text, or an array where its key may be repeated. */
    json_t *sections;
};

/* Reads a file and checks what can be checked without running anything. Returns an exit status,
 * with a message that names file, line and what would be right where it is not CLI_DONE.
 * panel_free() in any case. */
int panel_read(const struct cli_command *command, const char *path, struct panel *panel);
void panel_free(struct panel *panel);

/* A panel's name, that of its file without folder and ending; lives in `name`. */
const char *panel_name(const char *path, char name[PANEL_NAME_BYTES]);

/* The order of two panels in a report, for qsort(): by rank, then by name. */
int panel_compare(const void *a, const void *b);

/* A text of the section [panel], "" where it is not there. */
const char *panel_text(const struct panel *panel, const char *key);

/* A text of another section, or NULL, or what stands for one that is not there. */
const char *section_text(const json_t *section, const char *key);
const char *section_text_or(const json_t *section, const char *key, const char *otherwise);

/* The sections of a kind ("runs", "value", ...); never NULL. */
const json_t *panel_sections(const struct panel *panel, const char *kind);

/* The section of a kind with a name, or NULL. */
const json_t *panel_find(const struct panel *panel, const char *kind, const char *name);

/* Which panels a name stands for: a file, a panel, or a folder of panels. Appends their paths to
 * `paths`. An unknown name is refused with the nearest one. */
int panel_locate(const struct cli_command *command, const char *name, json_t *paths);

/* Whether a panel's path is one that its name stands for, not a file of the user's. */
bool panel_is_shipped(const char *path);

/* A line for each panel there is: name and title, by folders. All are checked. */
int panel_list(const struct cli_command *command, FILE *out);

#endif
