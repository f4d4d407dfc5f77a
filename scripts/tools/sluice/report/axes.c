/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The x axes of a panel's plots. An axis of numbers is of lines; those of others are ordinal. */
#define _GNU_SOURCE 1
#include <string.h>

#include "host/base/text.h"
#include "report/report.h"

#define REASON_BYTES 512 /* two words of a line of the panel, and a sentence */

static bool is_of_lines(const json_t *section)
{
    return strcmp(section_text(section, "kind"), "lines") == 0;
}

void report_axis(struct plot_axis *axis, const struct panel *panel, const json_t *section)
{
    json_t *const values = panel_values(panel, section, section_text(section, "x"));

    plot_axis_init(axis, values,
                   is_of_lines(section) ? section_text_or(section, "xscale", "") : "ordinal");
    json_decref(values);
}

/* One plot: an axis of numbers is of lines, and its values are such. */
static int check_scale(const struct cli_command *command, const struct panel *panel,
                       const json_t *section)
{
    const char *const scale = section_text_or(section, "xscale", "ordinal");
    const char *const x = section_text(section, "x");
    char why[REASON_BYTES] = "";

    if (strcmp(scale, "ordinal") == 0) {
        return CLI_DONE;
    }
    if (is_of_lines(section)) {
        json_t *const values = panel_values(panel, section, x);
        plot_axis_tell_misfit(scale, x, values, why, sizeof why);
        json_decref(values);
    } else {
        sl_text_append(why, sizeof why, "is of lines; %s are ordinal",
                       section_text(section, "kind"));
    }
    return why[0] == '\0' ? CLI_DONE
                          : cli_fail(command, CLI_USAGE, "%s: [plot %s] xscale: %s %s", panel->path,
                                     section_text(section, "name"), scale, why);
}

int report_check_axes(const struct cli_command *command, const struct panel *panel)
{
    int status = CLI_DONE;
    size_t i;
    const json_t *section;

    json_array_foreach(panel_sections(panel, "plot"), i, section)
    {
        if (status == CLI_DONE) {
            status = check_scale(command, panel, section);
        }
    }
    return status;
}
