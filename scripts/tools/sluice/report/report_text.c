/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Panels as text: tables that line up, then what the checks found. */
#define _GNU_SOURCE 1
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/text.h"
#include "report/report.h"

#define CELL_BYTES  256
#define LINE_WIDTH  112
#define GROUPED_MAX 1e18 /* from here on the exponent says more than digits */
#define STATE_WIDTH 11   /* "undecided" and two spaces */

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

/* "2.26 ±0.05 [4.30]": half the interval, where there is one; the paper's figure in brackets. */
static void print_cell(const json_t *cell, char out[CELL_BYTES])
{
    const json_t *const value = json_object_get(cell, "value");
    const json_t *const high = json_object_get(cell, "high");
    const json_t *const paper = json_object_get(cell, "paper");
    const double figure = json_number_value(value);
    char number[64];

    if (json_is_string(cell)) {
        (void)snprintf(out, CELL_BYTES, "%s", json_string_value(cell));
        return;
    }
    print_number(figure, decimals_of(figure), number, sizeof number);
    (void)snprintf(out, CELL_BYTES, "%s", json_is_number(value) ? number : "failed");
    if (high != NULL) {
        print_number(json_number_value(high) - figure, decimals_of(figure), number, sizeof number);
        sl_text_append(out, CELL_BYTES, " ±%s", number);
    }
    if (json_is_number(paper)) {
        print_number(json_number_value(paper), decimals_of(json_number_value(paper)), number,
                     sizeof number);
        sl_text_append(out, CELL_BYTES, " [%s]", number);
    }
}

/* Characters on a terminal, of UTF-8. */
static int width_of_bytes(const char *text, int bytes)
{
    int width = 0;

    for (int i = 0; i < bytes; i++) {
        width += ((unsigned char)text[i] & 0xc0u) != 0x80u;
    }
    return width;
}

static int width_of(const char *text)
{
    return width_of_bytes(text, (int)strlen(text));
}

static int column_width(const json_t *table, size_t column)
{
    char cell[CELL_BYTES];
    size_t i;
    const json_t *row;

    const json_t *const head = json_array_get(json_object_get(table, "columns"), column);
    const int name = width_of(section_text_or(head, "name", ""));
    const int unit = width_of(section_text_or(head, "unit", ""));
    int width = name > unit ? name : unit;
    json_array_foreach(json_object_get(table, "rows"), i, row)
    {
        print_cell(json_array_get(row, column), cell);
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
        print_field(section_text_or(column, key, ""), widths[c],
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
        has |= section_text_or(column, "unit", "")[0] != '\0';
    }
    return has;
}

static void print_table(const json_t *table, FILE *out)
{
    const json_t *const columns = json_object_get(table, "columns");
    const size_t count = json_array_size(columns);
    int *const widths = calloc(count, sizeof *widths);
    char cell[CELL_BYTES];
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
            print_cell(json_array_get(row, c), cell);
            print_field(cell, widths[c],
                        json_is_true(json_object_get(json_array_get(columns, c), "number")), &space,
                        out);
        }
        (void)fputc('\n', out);
    }
    free(widths);
}

/* Words in lines behind an indentation, of which the first line has `first` in place. */
static void print_words(const char *text, const char *first, int indentation, FILE *out)
{
    int at = fprintf(out, "%-*s", indentation, first);
    bool is_begin = true;

    while (*text != '\0') {
        const int bytes = (int)strcspn(text, " ");
        const int length = width_of_bytes(text, bytes);
        if (!is_begin && at + 1 + length > LINE_WIDTH) {
            (void)fprintf(out, "\n%*s", indentation, "");
            at = indentation;
            is_begin = true;
        }
        (void)fprintf(out, "%s%.*s", is_begin ? "" : " ", bytes, text);
        at += length + (is_begin ? 0 : 1);
        is_begin = false;
        text += bytes;
        text += strspn(text, " ");
    }
    (void)fputc('\n', out);
}

/* The figure beside what was asked, and what the paper has. */
static void print_sentence(const json_t *check, FILE *out)
{
    const bool has_figure = json_object_get(check, "value") != NULL;
    const char *const unit = has_figure ? section_text(check, "unit") : "";
    const char *const paper = section_text(check, "paper");
    char cell[CELL_BYTES] = "no figure";

    if (has_figure) {
        print_cell(check, cell);
    }
    (void)fprintf(out, "%s: %s%s%s, asked %s%s%s%s", section_text(check, "says"), cell,
                  unit[0] != '\0' ? " " : "", unit, section_text(check, "asked"),
                  paper[0] != '\0' ? " (paper: " : "", paper, paper[0] != '\0' ? ")" : "");
}

static void print_check(const json_t *check, FILE *out)
{
    const char *const state = section_text(check, "state");
    const char *const why = section_text(check, "why");
    char *sentence = NULL;
    size_t bytes = 0;
    FILE *const text = open_memstream(&sentence, &bytes);

    if (text == NULL) {
        return;
    }
    print_sentence(check, text);
    (void)fclose(text);
    print_words(sentence, state, STATE_WIDTH, out);
    free(sentence);
    if (strcmp(state, "fails") == 0 && why[0] != '\0') {
        print_words(why, "", STATE_WIDTH, out);
    }
}

/* The tables that the panel asks for; all data where it asks for none. */
static void print_tables(const json_t *panel, FILE *out)
{
    const json_t *const tables = json_object_get(panel, "tables");
    const size_t count = json_array_size(tables);

    for (size_t i = 0; i < (count > 1 ? count - 1 : count); i++) {
        const json_t *const table = json_array_get(tables, i);
        const char *const title = count > 1 ? section_text(table, "title") : "";
        (void)fprintf(out, "\n%s%s", title, title[0] != '\0' ? "\n" : "");
        print_table(table, out);
    }
}

void text_panel(const json_t *panel, FILE *out)
{
    const char *const differs = section_text(panel, "differs");
    const json_t *const failures = json_object_get(panel, "failures");
    const size_t failed = (size_t)json_integer_value(json_object_get(panel, "failed"));
    size_t i;
    const json_t *item;

    (void)fprintf(out, "%s (%s)\n", section_text(panel, "title"), section_text(panel, "source"));
    print_tables(panel, out);
    if (json_array_size(json_object_get(panel, "checks")) > 0) {
        (void)fputc('\n', out);
    }
    json_array_foreach(json_object_get(panel, "checks"), i, item)
    {
        print_check(item, out);
    }
    if (differs[0] != '\0') {
        (void)fputc('\n', out);
        print_words(differs, "", 0, out);
    }
    json_array_foreach(failures, i, item)
    {
        const char *const command = section_text(item, "command");
        (void)fprintf(out, "%s%s%s: %s\n", i == 0 ? "\n" : "",
                      command != NULL ? "failed: " : "mistake", command != NULL ? command : "",
                      section_text(item, "message"));
    }
    if (failed > json_array_size(failures)) {
        (void)fprintf(out, "and %zu more\n", failed - json_array_size(failures));
    }
}
