/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The first screen: below the kernels, the functions and lines where cycles are. The shares of a
 * list add up to 100 %: what is not in it is its last row. */
#include <string.h>

#include "annotate/annotate.h"

#define TEXT_BYTES 512

/* Rows of lists, the one of what is left included; the smallest screen has 24 rows. */
#define FUNCTIONS_MAX 5
#define LINES_MAX     60
#define ROWS_MAX      (LINES_MAX + 1)
#define OTHER_ROWS    9 /* titles, spaces between, and where the shell asks again */

/* Columns of names. */
#define NAME_COLUMNS     24
#define FUNCTION_COLUMNS 32
#define REASON_COLUMNS   22 /* where source follows */

/* A row: share, lanes, name, reasons, and a text of what is left of the width. */
static void print_row(const struct annotate_output *output, unsigned tenths, const uint64_t *cost,
                      const char *name, unsigned columns, const char *text)
{
    const unsigned front = annotate_share_columns(output) + 6 + columns + 1;
    const unsigned left = output->width > front ? output->width - front : 0;
    const unsigned reasons_columns = text[0] == '\0'         ? left
                                     : left < REASON_COLUMNS ? left
                                                             : REASON_COLUMNS;
    char lanes[16];
    char reasons[TEXT_BYTES];
    const size_t length = strlen(name);
    annotate_share(output, tenths);
    annotate_reasons_text(cost, reasons_columns, reasons, sizeof reasons);
    (void)fprintf(output->stream, "%5s %-*s ", annotate_lanes(cost, lanes), (int)columns,
                  length > columns ? name + length - columns : name);
    if (text[0] != '\0' && left > reasons_columns + 4) {
        (void)fprintf(output->stream, "%-*s %.*s", (int)reasons_columns, reasons,
                      (int)(left - reasons_columns - 1), text);
    } else {
        (void)fputs(reasons, output->stream);
    }
    (void)fputc('\n', output->stream);
}

static void print_left(const struct annotate_output *output, unsigned tenths, size_t count,
                       const char *what)
{
    annotate_share(output, tenths);
    (void)fprintf(output->stream, "      %zu other %s%s\n", count, what, count == 1 ? "" : "s");
}

static void print_column_titles(const struct annotate_selection *selection,
                                const struct annotate_output *output, const char *name,
                                unsigned columns)
{
    char title[TEXT_BYTES];
    (void)snprintf(title, sizeof title, "\n%*s %5s %-*s what its wavefronts do",
                   (int)annotate_share_columns(output) - 1,
                   selection->event == SL_KERNEL_EVENT_RESIDENT ? "cycles" : "share", "lanes",
                   (int)columns, name);
    annotate_title(title, output);
}

static unsigned print_functions(const struct annotate_selection *selection,
                                const struct annotate_output *output)
{
    const struct sl_kernel_view *const view = selection->view;
    const size_t shown = annotate_named(selection->function_count, FUNCTIONS_MAX);
    uint64_t parts[FUNCTIONS_MAX + 1];
    unsigned tenths[FUNCTIONS_MAX + 1];
    for (size_t i = 0; i < shown; i++) {
        parts[i] = selection->sorted[i]->cost[selection->event];
    }
    const size_t listed =
        annotate_rest(parts, shown, selection->function_count, selection->total[selection->event]);
    annotate_shares(parts, listed, tenths);
    print_column_titles(selection, output, "function", FUNCTION_COLUMNS);
    for (size_t i = 0; i < shown; i++) {
        const struct sl_view_function *const function = selection->sorted[i];
        const char *const kernel = view->names[view->kernels[function->kernel].name];
        const char *const name = view->names[function->name];
        char text[TEXT_BYTES];
        (void)snprintf(text, sizeof text, "%s%s%s", name, strcmp(kernel, name) == 0 ? "" : " of ",
                       strcmp(kernel, name) == 0 ? "" : kernel);
        text[FUNCTION_COLUMNS] = '\0';
        print_row(output, tenths[i], function->cost, text, FUNCTION_COLUMNS, "");
    }
    if (listed > shown) {
        print_left(output, tenths[shown], selection->function_count - shown, "function");
    }
    return (unsigned)listed;
}

/* The source of a line, for lists: without its indentation. */
static void source_text(const struct annotate_options *options,
                        const struct annotate_selection *selection, const struct sl_view_line *line,
                        char *out, size_t bytes)
{
    struct annotate_source source;
    annotate_source_open(options, selection->view->names[line->file], &source);
    const char *const text = annotate_source_line(&source, line->line);
    (void)snprintf(out, bytes, "%s", text + strspn(text, " \t"));
    annotate_source_close(&source);
}

static void print_lines(const struct annotate_options *options,
                        const struct annotate_selection *selection,
                        const struct annotate_output *output, size_t rows)
{
    const size_t shown = annotate_named(selection->place_count, rows);
    uint64_t parts[ROWS_MAX + 1];
    unsigned tenths[ROWS_MAX + 1];
    for (size_t i = 0; i < shown; i++) {
        parts[i] = selection->places[i].cost[selection->event];
    }
    const size_t listed =
        annotate_rest(parts, shown, selection->place_count, selection->total[selection->event]);
    annotate_shares(parts, listed, tenths);
    print_column_titles(selection, output, "line", NAME_COLUMNS);
    for (size_t i = 0; i < shown; i++) {
        char place[TEXT_BYTES];
        char text[TEXT_BYTES];
        annotate_place(selection, &selection->places[i], place, sizeof place);
        source_text(options, selection, &selection->places[i], text, sizeof text);
        print_row(output, tenths[i], selection->places[i].cost, place, NAME_COLUMNS, text);
    }
    if (listed > shown) {
        print_left(output, tenths[shown], selection->place_count - shown, "line");
    }
}

void annotate_screen(const struct annotate_options *options,
                     const struct annotate_selection *selection,
                     const struct annotate_output *output)
{
    unsigned used = annotate_stacks(selection, output);
    used += print_functions(selection, output);
    used += OTHER_ROWS + (selection->view->lost != NULL);
    const unsigned left = output->height > used ? output->height - used : 0;
    const unsigned rows = options->lines > 0 ? options->lines + 1 : left;
    print_lines(options, selection, output, rows > ROWS_MAX ? ROWS_MAX : rows < 2 ? 2 : rows);
}
