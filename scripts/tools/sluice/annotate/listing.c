/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Functions with their source: each line that has costs, between lines that have none. Counts are
 * not rounded: those of a function's lines add up to its own, which the last row is. */
#include <string.h>

#include "annotate/annotate.h"

#define TEXT_BYTES     512
#define CONTEXT        2  /* lines around one with costs */
#define FUNCTIONS_LEFT 20 /* functions are listed up to all but this, in tenths of a percent */

#define COLUMNS "%14s %6s %12s %10s %9s %14s  %-16s "

static void print_costs(const struct annotate_output *output, const uint64_t *cost)
{
    char waves[32];
    char lanes[16];
    char lines[32];
    char l1[32];
    char l2[32];
    char cycles[32];
    char reasons[TEXT_BYTES];
    annotate_reasons_text(cost, 16, reasons, sizeof reasons);
    (void)fprintf(output->stream, COLUMNS, annotate_number(cost[SL_KERNEL_EVENT_WAVES], waves),
                  annotate_lanes(cost, lanes), annotate_number(cost[SL_KERNEL_EVENT_LINES], lines),
                  annotate_number(cost[SL_KERNEL_EVENT_L1_MISSES], l1),
                  annotate_number(cost[SL_KERNEL_EVENT_L2_MISSES], l2),
                  annotate_number(cost[SL_KERNEL_EVENT_RESIDENT], cycles), reasons);
}

static unsigned tenths_of(const struct annotate_selection *selection, const uint64_t *cost)
{
    const uint64_t total = selection->total[selection->event];
    return total == 0 ? 0
                      : (unsigned)(1000.0 * (double)cost[selection->event] / (double)total + 0.5);
}

static void print_source(const struct annotate_output *output, uint32_t line, const char *text)
{
    const unsigned front = 14 + 1 + 6 + 1 + 12 + 1 + 10 + 1 + 9 + 1 + 14 + 2 + 16 + 1 + 6;
    const int room = output->width > front ? (int)(output->width - front) : 20;
    (void)fprintf(output->stream, "%5u %.*s\n", line, output->has_colors ? room : 200, text);
}

/* A line without costs. */
static void print_between(const struct annotate_output *output, uint32_t line, const char *text)
{
    (void)fprintf(output->stream, COLUMNS, "", "", "", "", "", "", "");
    print_source(output, line, text);
}

/* The lines of source before one with costs: those behind the last one that was printed, but for
 * what is further away. */
static void print_context(const struct annotate_output *output,
                          const struct annotate_source *source, uint32_t last, uint32_t next)
{
    const uint32_t before = next > CONTEXT ? next - CONTEXT : 1;
    if (source->line_count == 0) {
        return;
    }
    uint32_t line = last + 1;
    for (; last > 0 && line <= last + CONTEXT && line < next; line++) {
        print_between(output, line, annotate_source_line(source, line));
    }
    if (last > 0 && line < before) {
        (void)fprintf(output->stream, COLUMNS "  ...\n", "", "", "", "", "", "", "");
    }
    line = line < before ? before : line;
    for (; line < next; line++) {
        print_between(output, line, annotate_source_line(source, line));
    }
}

/* What is missing where a file's text is not found; those of hal/ belong to Sluice. */
static const char *missing(const char *path)
{
    return strncmp(path, "hal/", strlen("hal/")) == 0
               ? ": a file of Sluice, not found; --source FOLDER names Sluice's source tree"
               : ": not found; --source FOLDER says where it is";
}

/* Lines of one file, of which there are `count`. */
static void print_file(const struct annotate_options *options,
                       const struct annotate_selection *selection,
                       const struct annotate_output *output, const struct sl_view_line *lines,
                       size_t count)
{
    const char *const path = selection->view->names[lines[0].file];
    struct annotate_source source;
    uint32_t last = 0;
    annotate_source_open(options, path, &source);
    (void)fprintf(output->stream, "  %s%s\n", path, source.text == NULL ? missing(path) : "");
    for (size_t i = 0; i < count; i++) {
        const char *const color = annotate_color(output, tenths_of(selection, lines[i].cost));
        print_context(output, &source, last, lines[i].line);
        (void)fputs(color, output->stream);
        print_costs(output, lines[i].cost);
        (void)fputs(color[0] != '\0' ? annotate_plain(output) : "", output->stream);
        print_source(output, lines[i].line, annotate_source_line(&source, lines[i].line));
        last = lines[i].line;
    }
    annotate_source_close(&source);
}

static void print_function(const struct annotate_options *options,
                           const struct annotate_selection *selection,
                           const struct annotate_output *output,
                           const struct sl_view_function *function)
{
    const struct sl_kernel_view *const view = selection->view;
    const uint32_t number = (uint32_t)(function - view->functions);
    const unsigned tenths = tenths_of(selection, function->cost);
    (void)fprintf(output->stream, "\n%s%s in kernel %s: %u.%u %%%s\n",
                  output->has_colors ? "\033[1m" : "", view->names[function->name],
                  view->names[view->kernels[function->kernel].name], tenths / 10, tenths % 10,
                  annotate_plain(output));
    (void)fprintf(output->stream, COLUMNS "%5s\n", "wave instr.", "lanes", "line acc.", "L1 misses",
                  "L2 misses", "cycles", "most of them", "line");
    for (size_t i = 0; i < view->line_count;) {
        size_t end = i + 1;
        while (end < view->line_count && view->lines[end].function == view->lines[i].function &&
               view->lines[end].file == view->lines[i].file) {
            end++;
        }
        if (view->lines[i].function == number) {
            print_file(options, selection, output, &view->lines[i], end - i);
        }
        i = end;
    }
    print_costs(output, function->cost);
    (void)fputs(" all\n", output->stream);
}

void annotate_listing(const struct annotate_options *options,
                      const struct annotate_selection *selection,
                      const struct annotate_output *output)
{
    uint64_t left = selection->total[selection->event];
    for (size_t i = 0; i < selection->function_count; i++) {
        const uint64_t cost = selection->sorted[i]->cost[selection->event];
        const double share =
            1000.0 * (double)left / (double)(selection->total[selection->event] + 1);
        if (options->function == NULL && i > 0 && share < FUNCTIONS_LEFT) {
            (void)fprintf(output->stream,
                          "\nThe other %zu functions have %.1f %%; --function lists one.\n",
                          selection->function_count - i, share / 10);
            break;
        }
        print_function(options, selection, output, selection->sorted[i]);
        left -= cost;
    }
}
