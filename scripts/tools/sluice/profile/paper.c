/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The core paper's programs and figures, of the panel that has them. */
#include "profile/paper.h"

#include <stdio.h>
#include <string.h>

#include "sweep/sweep.h"

#define PANEL "table5"
#define VALUE "blocked"

int paper_read(const struct cli_command *command, struct panel *panel)
{
    json_t *const paths = json_array();

    *panel = (struct panel){.sections = NULL};
    int status = panel_locate(command, PANEL, paths);
    if (status == CLI_DONE) {
        status = panel_read(command, json_string_value(json_array_get(paths, 0)), panel);
    }
    json_decref(paths);
    return status;
}

/* The panel's lines "LABEL: PROGRAM ARGUMENT...". */
static const json_t *paper_programs(const struct panel *panel)
{
    return json_object_get(json_array_get(panel_sections(panel, "runs"), 0), "program");
}

/* What a line runs: behind its label, which ends at a colon. */
static const char *program_of(const json_t *line)
{
    const char *const colon = strchr(json_string_value(line), ':');
    return colon != NULL ? colon + 1 + strspn(colon + 1, " ") : "";
}

const char *paper_blocked(const struct panel *panel, const char *program, const char *core)
{
    const json_t *const figures = panel_find(panel, "paper", VALUE);
    char key[256];
    size_t i;
    const json_t *line;

    json_array_foreach(paper_programs(panel), i, line)
    {
        if (strcmp(program_of(line), program) == 0) {
            const char *const label = json_string_value(line);
            (void)snprintf(key, sizeof key, "%.*s %s", (int)strcspn(label, ":"), label, core);
            return section_text(figures, key);
        }
    }
    return NULL;
}

void paper_add_programs(const struct panel *panel, json_t *programs)
{
    size_t i;
    const json_t *line;

    json_array_foreach(paper_programs(panel), i, line)
    {
        (void)sweep_add_program(programs, program_of(line));
    }
}
