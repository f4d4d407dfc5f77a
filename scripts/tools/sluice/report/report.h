/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A report on its way from panels to pages: runs, points, values, what is shown. Each step is a
 * file; what passes between them is JSON, whose last form the page draws (scripts/page/panels.js
 * says what is in it). */
#ifndef SLUICE_CLI_REPORT_H
#define SLUICE_CLI_REPORT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "common/plot_axis.h"
#include "report/panel.h"
#include "sweep/sweep.h"

/* What the user asks for. */
struct report_request {
    json_t *panels;             /* their names or files */
    struct sweep_request sweep; /* configurations and settings for all runs */
    struct sweep_engine_options engine;
    unsigned seeds; /* runs of each point */
    json_t *only;   /* labels of programs, or NULL: all of them */
    const char *folder;
};

/* ---- points: what a panel runs (points.c) ---- */

/* Appends a panel's points to `points`: [{"at": {"runs": group, "program": label, key: value...},
 * "runs": [an index into `runs` for each seed]}...]. Its runs are appended to `runs` where they are
 * not there yet; `index` has the runs by their folders' names. Returns an exit status. */
int report_points(const struct cli_command *command, const struct report_request *request,
                  const struct panel *panel, json_t *runs, json_t *index, json_t *points);

/* ---- values: what is made of the statistics (report_values.c) ---- */

/* Computes the panel's values: for each point "values": {name: {"value", "low", "high"} or null},
 * and the checks' figures, an array of the same. `messages` gets the panel's mistakes, as texts:
 * values that are no numbers though all runs went well. */
void report_values(const struct sweep *sweep, const struct report_request *request,
                   const struct panel *panel, json_t *points, json_t *checks, json_t *messages);

/* ---- what is shown (plots.c, report_tables.c, checks.c); new references ---- */

/* A panel as the page draws it; *status becomes CLI_WRONG where something failed. */
json_t *report_panel(const struct sweep *sweep, const struct report_request *request,
                     const struct panel *panel, json_t *points, int *status);

/* "sluice report ..." with what the user asks for, of these panels (commands.c). */
json_t *report_command(const struct report_request *request, const json_t *panels);

/* What cannot be drawn is told on standard error, too. */
json_t *report_plots(const struct cli_command *command, const struct panel *panel,
                     const json_t *points);
json_t *report_tables(const struct panel *panel, const json_t *points);
json_t *report_checks(const struct panel *panel, const json_t *figures);

/* Whether what the panel's sections say of each other fits: coordinates, values, groups of runs.
 * Returns an exit status, with a message (references.c). */
int report_check_panel(const struct cli_command *command, const struct panel *panel);

/* Whether the paper's figures are of points that there are, when all of the panel's are. */
int report_check_paper(const struct cli_command *command, const struct panel *panel,
                       const json_t *points);

/* ---- the x axis of a plot (axes.c) ---- */

/* The axis of a section [plot ...], by the values that its runs vary. */
void report_axis(struct plot_axis *axis, const struct panel *panel, const json_t *section);

/* Whether each xscale fits the kind of plot and its values. Returns an exit status. */
int report_check_axes(const struct cli_command *command, const struct panel *panel);

/* ---- what those share (coordinates.c) ---- */

/* A coordinate of a point as text, "" where the point has no such one. */
const char *point_at(const json_t *point, const char *key);

/* Whether a point is of the groups of runs that a section names ("runs"); all are where it names
 * none. */
bool point_is_of(const json_t *point, const json_t *section);

/* The names of the coordinates, in order; "program" first, "runs" where there are several groups.
 */
json_t *panel_coordinates(const struct panel *panel);

/* The values of a coordinate in the groups of runs that a section is of, each once, in order:
 * texts. None of "value", which is no coordinate of points. */
json_t *panel_values(const struct panel *panel, const json_t *section, const char *coordinate);

/* What a section [paper VALUE] calls a point: the words of its coordinates, groups of runs left
 * out, "Strassen 8". */
#define PAPER_KEY_BYTES 256
void paper_key(const json_t *point, char key[PAPER_KEY_BYTES]);

/* The paper's figure for a value of a point; false where there is none. */
bool paper_figure(const struct panel *panel, const json_t *point, const char *value, double *out);

/* ---- renderings of what is shown ---- */

/* The panel's tables, checks and failures as text. */
void text_panel(const json_t *panel, FILE *out);

/* The panel's data as CSV, in `folder`. Returns an exit status. */
int csv_panel(const struct cli_command *command, const json_t *panel, const char *folder);

/* All of a report's panels as page and data in the folder, and a summary on standard output.
 * Returns an exit status. */
int report_write(const struct cli_command *command, const struct report_request *request,
                 json_t *panels);

#endif
