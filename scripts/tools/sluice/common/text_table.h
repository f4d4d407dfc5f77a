/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Tables as text whose columns line up: {"columns": [{"name", "unit", "number"}...], "rows": [[cell
 * ...]...]}, as pages take them (scripts/page/table.js). A cell is a text, or {"value", "low",
 * "high", "paper"}, of which all but the value may be left out. */
#ifndef SLUICE_CLI_TEXT_TABLE_H
#define SLUICE_CLI_TEXT_TABLE_H

#include <jansson.h>
#include <stdio.h>

#define TEXT_CELL_BYTES 256

void text_table_print(const json_t *table, FILE *out);

/* "2.26 ±0.05 [4.30]": half the interval, where there is one; the paper's figure in brackets;
 * "failed" for a value that is no number. */
void text_cell(const json_t *cell, char out[TEXT_CELL_BYTES]);

/* Characters on a terminal, of UTF-8. */
int text_width_of_bytes(const char *text, int bytes);

#endif
