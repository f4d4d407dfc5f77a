/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The first screen: what the wavefronts of each kernel do with their cycles, and the functions and
 * lines where they do it. The shares of a list add up to 100 %: what is not in it is its last row.
 */
#include <string.h>

#include "annotate/annotate.h"

#define TEXT_BYTES 512

/* Rows of lists, the one of what is left included; the smallest screen has 24 rows. */
#define KERNELS_MAX   4
#define FUNCTIONS_MAX 5
#define LINES_MAX     60
#define ROWS_MAX      (LINES_MAX + 1)
#define OTHER_ROWS    9 /* titles, spaces between, and where the shell asks again */

/* Columns in front of a name: share, and what tables have besides. */
#define SHARE_COLUMNS  9
#define BAR_COLUMNS    10
#define NAME_COLUMNS   24
#define REASON_COLUMNS 22 /* where source follows */

const char *annotate_color(const struct annotate_output *output, unsigned tenths)
{
    if (!output->has_colors || tenths < 50) {
        return "";
    }
    return tenths >= 200 ? "\033[1;31m" : "\033[33m";
}

const char *annotate_plain(const struct annotate_output *output)
{
    return output->has_colors ? "\033[0m" : "";
}

static void print_title(const char *text, const struct annotate_output *output)
{
    (void)fprintf(output->stream, "%s%s%s\n", output->has_colors ? "\033[1m" : "", text,
                  annotate_plain(output));
}

static void print_share(const struct annotate_output *output, unsigned tenths)
{
    (void)fprintf(output->stream, "%s%5u.%u%%%s ", annotate_color(output, tenths), tenths / 10,
                  tenths % 10, annotate_plain(output));
    if (output->has_colors) {
        const unsigned filled = (tenths * BAR_COLUMNS + 500) / 1000;
        for (unsigned i = 0; i < BAR_COLUMNS; i++) {
            (void)fputs(i < filled ? "\u2588" : "\u00b7", output->stream);
        }
        (void)fputc(' ', output->stream);
    }
}

static unsigned share_columns(const struct annotate_output *output)
{
    return SHARE_COLUMNS - 1 + (output->has_colors ? BAR_COLUMNS + 1 : 0);
}

/* ---- the bottleneck in a sentence ---- */

/* Without folders, which take the room of all else. */
static void place_of(const struct annotate_selection *selection, const struct sl_view_line *line,
                     char *out, size_t bytes)
{
    const char *const path = selection->view->names[line->file];
    const char *const slash = strrchr(path, '/');
    (void)snprintf(out, bytes, "%s:%u", slash != NULL ? slash + 1 : path, line->line);
}

/* The line where most of a reason's cycles are. */
static const struct sl_view_line *worst_of(const struct annotate_selection *selection,
                                           unsigned event)
{
    const struct sl_view_line *worst = NULL;
    for (size_t i = 0; i < selection->line_count; i++) {
        const struct sl_view_line *const line = selection->lines[i];
        if (worst == NULL || line->cost[event] > worst->cost[event]) {
            worst = line;
        }
    }
    return worst;
}

static double percent(uint64_t part, uint64_t whole)
{
    return whole == 0 ? 0 : 100.0 * (double)part / (double)whole;
}

static void print_bottleneck(const struct annotate_selection *selection,
                             const struct annotate_output *output)
{
    const uint64_t *const total = selection->total;
    unsigned order[SL_STALL_COUNT];
    char place[TEXT_BYTES];
    char text[2 * TEXT_BYTES];
    annotate_reasons(total, order);
    const unsigned event = SL_KERNEL_EVENT_STALL + order[0];
    const struct sl_view_line *const worst = worst_of(selection, event);
    if (worst == NULL || total[event] == 0) {
        (void)fputs("No wavefront was resident.\n", output->stream);
        return;
    }
    place_of(selection, worst, place, sizeof place);
    (void)snprintf(text, sizeof text, "The largest part is %s, %.1f %%: %.1f %% of that at %s.",
                   sl_stall_text[order[0]].words, percent(total[event], total[0]),
                   percent(worst->cost[event], total[event]), place);
    print_title(text, output);
}

static void print_head(const struct annotate_selection *selection,
                       const struct annotate_output *output)
{
    const struct sl_kernel_view *const view = selection->view;
    char cycles[32];
    char waves[32];
    char lanes[16];
    const uint64_t *const total = selection->total;
    (void)fprintf(output->stream, "%s: %s resident cycles, %s wave instructions of %s lanes\n",
                  view->command != NULL ? view->command : "?",
                  annotate_number(total[SL_KERNEL_EVENT_RESIDENT], cycles),
                  annotate_number(total[SL_KERNEL_EVENT_WAVES], waves),
                  annotate_lanes(total, lanes));
    if (view->lost != NULL) {
        (void)fprintf(output->stream, "Not complete. %s\n", view->lost);
    }
    print_bottleneck(selection, output);
}

/* ---- kernels and their stacks of cycles ---- */

/* The first `count` reasons, and the others together, in rows of `width`; behind the first row
 * each begins with a newline and `indent` spaces. Returns the rows. */
static unsigned stack_text(const uint64_t *cost, const unsigned *order, unsigned count,
                           unsigned width, unsigned indent, char *out, size_t bytes)
{
    uint64_t parts[SL_STALL_COUNT + 1] = {0};
    unsigned tenths[SL_STALL_COUNT + 1];
    unsigned rows = 1;
    unsigned column = 0;
    out[0] = '\0';
    for (unsigned i = 0; i < SL_STALL_COUNT; i++) {
        parts[i < count ? i : count] += cost[SL_KERNEL_EVENT_STALL + order[i]];
    }
    annotate_shares(parts, count + 1, tenths);
    for (unsigned i = 0; i <= count; i++) {
        char part[64];
        const char *const words = i < count ? sl_stall_text[order[i]].words : "others";
        if (parts[i] == 0) {
            continue;
        }
        const unsigned length = (unsigned)snprintf(part, sizeof part, "%s %u.%u", words,
                                                   tenths[i] / 10, tenths[i] % 10);
        const bool is_new = column > 0 && column + 2 + length > width;
        rows += is_new;
        column = is_new || column == 0 ? length : column + 2 + length;
        const size_t used = strlen(out);
        (void)snprintf(out + used, bytes - used, "%s%*s%s",
                       used == 0 ? ""
                       : is_new  ? ",\n"
                                 : ", ",
                       is_new ? (int)indent : 0, "", part);
    }
    return rows;
}

/* As many reasons as fit into so many rows. */
static unsigned print_stack(const uint64_t *cost, const struct annotate_output *output,
                            unsigned width, unsigned indent, unsigned rows_max)
{
    unsigned order[SL_STALL_COUNT];
    char text[2 * TEXT_BYTES];
    unsigned count = SL_STALL_COUNT;
    unsigned rows;
    annotate_reasons(cost, order);
    do {
        rows = stack_text(cost, order, count, width, indent, text, sizeof text);
    } while (rows > rows_max && count-- > 1);
    (void)fprintf(output->stream, "%s\n", text);
    return rows;
}

/* A list's costs: those of its rows, and what is left for the last one. Returns the rows. */
static size_t list_parts(uint64_t *parts, size_t shown, size_t count, uint64_t total)
{
    uint64_t left = total;
    for (size_t i = 0; i < shown; i++) {
        left -= parts[i];
    }
    parts[shown] = left;
    return shown < count ? shown + 1 : shown;
}

/* How many of `count` a list of so many rows names. */
static size_t named(size_t count, size_t rows)
{
    return count <= rows ? count : rows - 1;
}

static unsigned print_kernels(const struct annotate_selection *selection,
                              const struct annotate_output *output)
{
    const size_t shown = named(selection->kernel_count, KERNELS_MAX);
    const unsigned indent = share_columns(output) + 18;
    const unsigned stack_rows = selection->kernel_count <= KERNELS_MAX / 2 ? 2 : 1;
    uint64_t parts[KERNELS_MAX + 1];
    unsigned tenths[KERNELS_MAX + 1];
    unsigned rows = 0;
    for (size_t i = 0; i < shown; i++) {
        parts[i] = selection->kernels[i].cost[selection->event];
    }
    const size_t listed =
        list_parts(parts, shown, selection->kernel_count, selection->total[selection->event]);
    annotate_shares(parts, listed, tenths);
    for (size_t i = 0; i < shown; i++) {
        const struct sl_view_kernel *const kernel = &selection->kernels[i];
        print_share(output, tenths[i]);
        (void)fprintf(output->stream, "%-17.17s ", selection->view->names[kernel->name]);
        rows += print_stack(kernel->cost, output, output->width - indent, indent, stack_rows);
    }
    if (listed > shown) {
        print_share(output, tenths[shown]);
        (void)fprintf(output->stream, "%zu others\n", selection->kernel_count - shown);
        rows++;
    }
    return rows;
}

/* ---- functions and lines ---- */

/* A row: share, lanes, name, reasons, and a text of what is left of the width. */
static void print_row(const struct annotate_output *output, unsigned tenths, const uint64_t *cost,
                      const char *name, const char *text)
{
    const unsigned front = share_columns(output) + 6 + NAME_COLUMNS + 1;
    const unsigned left = output->width > front ? output->width - front : 0;
    const unsigned reasons_columns = text[0] == '\0'         ? left
                                     : left < REASON_COLUMNS ? left
                                                             : REASON_COLUMNS;
    char lanes[16];
    char reasons[TEXT_BYTES];
    const size_t length = strlen(name);
    print_share(output, tenths);
    annotate_reasons_text(cost, reasons_columns, reasons, sizeof reasons);
    (void)fprintf(output->stream, "%5s %-*s ", annotate_lanes(cost, lanes), NAME_COLUMNS,
                  length > NAME_COLUMNS ? name + length - NAME_COLUMNS : name);
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
    print_share(output, tenths);
    (void)fprintf(output->stream, "      %zu other %s%s\n", count, what, count == 1 ? "" : "s");
}

static void print_column_titles(const struct annotate_selection *selection,
                                const struct annotate_output *output, const char *name)
{
    char title[TEXT_BYTES];
    (void)snprintf(title, sizeof title, "\n%*s %5s %-*s what its wavefronts do",
                   (int)share_columns(output) - 1,
                   selection->event == SL_KERNEL_EVENT_RESIDENT ? "cycles" : "share", "lanes",
                   NAME_COLUMNS, name);
    print_title(title, output);
}

static unsigned print_functions(const struct annotate_selection *selection,
                                const struct annotate_output *output)
{
    const struct sl_kernel_view *const view = selection->view;
    const size_t shown = named(selection->function_count, FUNCTIONS_MAX);
    uint64_t parts[FUNCTIONS_MAX + 1];
    unsigned tenths[FUNCTIONS_MAX + 1];
    for (size_t i = 0; i < shown; i++) {
        parts[i] = selection->sorted[i]->cost[selection->event];
    }
    const size_t listed =
        list_parts(parts, shown, selection->function_count, selection->total[selection->event]);
    annotate_shares(parts, listed, tenths);
    print_column_titles(selection, output, "function");
    for (size_t i = 0; i < shown; i++) {
        const struct sl_view_function *const function = selection->sorted[i];
        const char *const kernel = view->names[view->kernels[function->kernel].name];
        const char *const name = view->names[function->name];
        char text[TEXT_BYTES];
        (void)snprintf(text, sizeof text, "%s%s%s", name, strcmp(kernel, name) == 0 ? "" : " of ",
                       strcmp(kernel, name) == 0 ? "" : kernel);
        text[NAME_COLUMNS] = '\0';
        print_row(output, tenths[i], function->cost, text, "");
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
    const size_t shown = named(selection->line_count, rows);
    uint64_t parts[ROWS_MAX + 1];
    unsigned tenths[ROWS_MAX + 1];
    for (size_t i = 0; i < shown; i++) {
        parts[i] = selection->lines[i]->cost[selection->event];
    }
    const size_t listed =
        list_parts(parts, shown, selection->line_count, selection->total[selection->event]);
    annotate_shares(parts, listed, tenths);
    print_column_titles(selection, output, "line");
    for (size_t i = 0; i < shown; i++) {
        char place[TEXT_BYTES];
        char text[TEXT_BYTES];
        place_of(selection, selection->lines[i], place, sizeof place);
        source_text(options, selection, selection->lines[i], text, sizeof text);
        print_row(output, tenths[i], selection->lines[i]->cost, place, text);
    }
    if (listed > shown) {
        print_left(output, tenths[shown], selection->line_count - shown, "line");
    }
}

void annotate_screen(const struct annotate_options *options,
                     const struct annotate_selection *selection,
                     const struct annotate_output *output)
{
    print_head(selection, output);
    char title[TEXT_BYTES];
    (void)snprintf(title, sizeof title, "\n%*s %-17s what its wavefronts do, in %% of their cycles",
                   (int)share_columns(output) - 1,
                   selection->event == SL_KERNEL_EVENT_RESIDENT ? "cycles" : "share", "kernel");
    print_title(title, output);
    unsigned used = print_kernels(selection, output);
    used += print_functions(selection, output);
    used += OTHER_ROWS + (selection->view->lost != NULL);
    const unsigned left = output->height > used ? output->height - used : 0;
    const unsigned rows = options->lines > 0 ? options->lines + 1 : left;
    print_lines(options, selection, output, rows > ROWS_MAX ? ROWS_MAX : rows < 2 ? 2 : rows);
}
