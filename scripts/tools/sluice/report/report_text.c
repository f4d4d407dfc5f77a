/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Panels as text: tables that line up, then what the checks found. */
#define _GNU_SOURCE 1
#include <stdlib.h>
#include <string.h>

#include "common/text_table.h"
#include "report/report.h"

#define LINE_WIDTH  112
#define STATE_WIDTH 11 /* "undecided" and two spaces */

/* Words in lines behind an indentation, of which the first line has `first` in place. */
static void print_words(const char *text, const char *first, int indentation, FILE *out)
{
    int at = fprintf(out, "%-*s", indentation, first);
    bool is_begin = true;

    while (*text != '\0') {
        const int bytes = (int)strcspn(text, " ");
        const int length = text_width_of_bytes(text, bytes);
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
    char cell[TEXT_CELL_BYTES] = "no figure";

    if (has_figure) {
        text_cell(check, cell);
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
        text_table_print(table, out);
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
