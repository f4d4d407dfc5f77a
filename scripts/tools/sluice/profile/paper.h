/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The panel that has the core paper's programs and figures (papers/001 Table 5). */
#ifndef SLUICE_CLI_PROFILE_PAPER_H
#define SLUICE_CLI_PROFILE_PAPER_H

#include "report/panel.h"

/* panel_free() in any case. Returns an exit status, with a message. */
int paper_read(const struct cli_command *command, struct panel *panel);

/* Adds the paper's programs. */
void paper_add_programs(const struct panel *panel, json_t *programs);

/* The paper's figure, as it stands there, for a program on a core, or NULL. */
const char *paper_blocked(const struct panel *panel, const char *program, const char *core);

#endif
