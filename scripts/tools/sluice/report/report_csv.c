/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A panel's data as CSV: a row for each point; for each value its mean, the interval's ends and the
 * paper's figure, each a column where any point has it. */
#define _GNU_SOURCE 1
#include <string.h>

#include "common/csv.h"
#include "host/base/atomic_file.h"
#include "report/report.h"

#define NAME_BYTES 256

static const char *const parts[] = {"value", "low", "high", "paper"};
#define PARTS (sizeof parts / sizeof parts[0])

static bool has_part(const json_t *rows, size_t column, const char *part)
{
    size_t i;
    const json_t *row;

    json_array_foreach(rows, i, row)
    {
        if (json_object_get(json_array_get(row, column), part) != NULL) {
            return true;
        }
    }
    return false;
}

static void print_header(FILE *file, const json_t *columns, const json_t *rows)
{
    char name[NAME_BYTES];
    size_t c;
    const json_t *column;

    json_array_foreach(columns, c, column)
    {
        const char *const key = section_text(column, "key");
        csv_print_text(file, key);
        for (size_t p = 1; p < PARTS; p++) {
            if (has_part(rows, c, parts[p])) {
                (void)snprintf(name, sizeof name, "%s_%s", key, parts[p]);
                (void)fputc(',', file);
                csv_print_text(file, name);
            }
        }
        (void)fputc(c + 1 < json_array_size(columns) ? ',' : '\n', file);
    }
}

static void print_row(FILE *file, const json_t *columns, const json_t *rows, const json_t *row)
{
    for (size_t c = 0; c < json_array_size(columns); c++) {
        const json_t *const cell = json_array_get(row, c);
        csv_print_value(file, json_is_object(cell) ? json_object_get(cell, parts[0]) : cell);
        for (size_t p = 1; p < PARTS; p++) {
            if (has_part(rows, c, parts[p])) {
                (void)fputc(',', file);
                csv_print_value(file, json_object_get(cell, parts[p]));
            }
        }
        (void)fputc(c + 1 < json_array_size(columns) ? ',' : '\n', file);
    }
}

int csv_panel(const struct cli_command *command, const json_t *panel, const char *folder)
{
    const json_t *const tables = json_object_get(panel, "tables");
    const json_t *const data = json_array_get(tables, json_array_size(tables) - 1);
    const json_t *const columns = json_object_get(data, "columns");
    const json_t *const rows = json_object_get(data, "rows");
    char path[PATH_MAX];
    struct sl_output output;
    size_t i;
    const json_t *row;

    (void)snprintf(path, sizeof path, "%s/%s", folder, section_text(panel, "csv"));
    if (sl_output_open(&output, path) == 0) {
        print_header(output.file, columns, rows);
        json_array_foreach(rows, i, row)
        {
            print_row(output.file, columns, rows, row);
        }
    }
    const int reason = sl_output_close(&output, 0);
    return reason != 0
               ? cli_fail(command, CLI_FAILED, "cannot write %s: %s", path, strerror(reason))
               : CLI_DONE;
}
