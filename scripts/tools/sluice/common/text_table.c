/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Tables as text whose columns line up. */
#define _GNU_SOURCE 1
#include "common/text_table.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/text.h"

#define GROUPED_MAX 1e18 /* from here on the exponent says more than digits */

/* Digits behind the point, so that figures of one size line up. */
static int decimals_of(double value)
{
    const double size = fabs(value);
    return size >= 100 ? 0 : size >= 10 ? 1 : 2;
}

static void print_number(double value, int decimals, char *out, size_t bytes)
{
    const double size = fabs(value);
    char digits[64];

    if (size < 1000) {
        (void)snprintf(out, bytes, "%.*f", decimals, value);
        return;
    }
    if (size >= GROUPED_MAX) {
        (void)snprintf(out, bytes, "%.3g", value);
        return;
    }
    const int length = snprintf(digits, sizeof digits, "%.0f", size);
    size_t at = (size_t)snprintf(out, bytes, "%s", value < 0 ? "-" : "");
    for (int i = 0; i < length && at + 2 < bytes; i++) {
        at += (size_t)snprintf(out + at, bytes - at, "%s%c",
                               i > 0 && (length - i) % 3 == 0 ? "," : "", digits[i]);
    }
}

void text_cell(const json_t *cell, char out[TEXT_CELL_BYTES])
{
    const json_t *const value = json_object_get(cell, "value");
    const json_t *const high = json_object_get(cell, "high");
    const json_t *const paper = json_object_get(cell, "paper");
    const double figure = json_number_value(value);
    char number[64];

    if (json_is_string(cell)) {
        (void)snprintf(out, TEXT_CELL_BYTES, "%s", json_string_value(cell));
        return;
    }
    print_number(figure, decimals_of(figure), number, sizeof number);
    (void)snprintf(out, TEXT_CELL_BYTES, "%s", json_is_number(value) ? number : "failed");
    if (high != NULL) {
        print_number(json_number_value(high) - figure, decimals_of(figure), number, sizeof number);
        sl_text_append(out, TEXT_CELL_BYTES, " ±%s", number);
    }
    if (json_is_number(paper)) {
        print_number(json_number_value(paper), decimals_of(json_number_value(paper)), number,
                     sizeof number);
        sl_text_append(out, TEXT_CELL_BYTES, " [%s]", number);
    }
}

int text_width_of_bytes(const char *text, int bytes)
{
    int width = 0;

    for (int i = 0; i < bytes; i++) {
        width += ((unsigned char)text[i] & 0xc0u) != 0x80u;
    }
    return width;
}

static int width_of(const char *text)
{
    return text_width_of_bytes(text, (int)strlen(text));
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *const text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
}

static int column_width(const json_t *table, size_t column)
{
    char cell[TEXT_CELL_BYTES];
    size_t i;
    const json_t *row;

    const json_t *const head = json_array_get(json_object_get(table, "columns"), column);
    const int name = width_of(text_of(head, "name"));
    const int unit = width_of(text_of(head, "unit"));
    int width = name > unit ? name : unit;
    json_array_foreach(json_object_get(table, "rows"), i, row)
    {
        text_cell(json_array_get(row, column), cell);
        width = width_of(cell) > width ? width_of(cell) : width;
    }
    return width;
}

/* Numbers to the right, texts to the left. Spaces wait in *space for what follows them, so that
 * none ends a line. */
static void print_field(const char *text, int width, bool is_number, int *space, FILE *out)
{
    const int rest = width - width_of(text);

    if (text[0] != '\0') {
        (void)fprintf(out, "%*s%s", *space + (is_number ? rest : 0), "", text);
        *space = 0;
    }
    *space += (text[0] == '\0' || !is_number ? rest : 0) + 2;
}

/* A line of headings: names, or units. */
static void print_heading(const json_t *columns, const char *key, const int *widths, FILE *out)
{
    int space = 0;
    size_t c;
    const json_t *column;

    json_array_foreach(columns, c, column)
    {
        print_field(text_of(column, key), widths[c],
                    json_is_true(json_object_get(column, "number")), &space, out);
    }
    (void)fputc('\n', out);
}

static bool has_units(const json_t *columns)
{
    bool has = false;
    size_t i;
    const json_t *column;

    json_array_foreach(columns, i, column)
    {
        has |= text_of(column, "unit")[0] != '\0';
    }
    return has;
}

void text_table_print(const json_t *table, FILE *out)
{
    const json_t *const columns = json_object_get(table, "columns");
    const size_t count = json_array_size(columns);
    int *const widths = calloc(count, sizeof *widths);
    char cell[TEXT_CELL_BYTES];
    size_t i;
    const json_t *row;

    if (widths == NULL) {
        return;
    }
    for (size_t c = 0; c < count; c++) {
        widths[c] = column_width(table, c);
    }
    print_heading(columns, "name", widths, out);
    if (has_units(columns)) {
        print_heading(columns, "unit", widths, out);
    }
    json_array_foreach(json_object_get(table, "rows"), i, row)
    {
        int space = 0;
        for (size_t c = 0; c < count; c++) {
            text_cell(json_array_get(row, c), cell);
            print_field(cell, widths[c],
                        json_is_true(json_object_get(json_array_get(columns, c), "number")), &space,
                        out);
        }
        (void)fputc('\n', out);
    }
    free(widths);
}
