/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A panel of a report: its sections, what they say of each other, its expressions. */
#include <stdio.h>

#include "fuzz/input/input.h"
#include "scripts/tools/sluice/report/report.h"

static const struct cli_command command = {.name = "report"};

int input_panel(const uint8_t *data, size_t bytes)
{
    struct input_file file = input_file_open(data, bytes);
    struct panel panel;
    FILE *const shown = stderr;
    FILE *const nowhere = fopen("/dev/null", "we");

    input_check(nowhere != NULL);
    stderr = nowhere;
    if (panel_read(&command, file.path, &panel) == CLI_DONE) {
        (void)report_check_panel(&command, &panel);
    }
    panel_free(&panel);
    stderr = shown;
    (void)fclose(nowhere);
    input_file_close(&file);
    return 0;
}
