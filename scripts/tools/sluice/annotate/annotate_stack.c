/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The upper part of the first screen: the bottleneck in a sentence, and kernels with their stacks
 * of cycles, which add up to 100 %. */
#include <string.h>

#include "annotate/annotate.h"

#define TEXT_BYTES  512
#define KERNELS_MAX 4 /* rows, the one of what is left included */

/* ---- the bottleneck in a sentence ---- */

/* The line where most of a reason's cycles are. */
static const struct sl_view_line *worst_of(const struct annotate_selection *selection,
                                           unsigned event)
{
    const struct sl_view_line *worst = NULL;
    for (size_t i = 0; i < selection->place_count; i++) {
        const struct sl_view_line *const line = &selection->places[i];
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
    annotate_place(selection, worst, place, sizeof place);
    (void)snprintf(text, sizeof text, "The largest part is %s, %.1f %%: %.1f %% of that at %s.",
                   sl_stall_text[order[0]].words, percent(total[event], total[0]),
                   percent(worst->cost[event], total[event]), place);
    annotate_title(text, output);
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

static unsigned print_kernels(const struct annotate_selection *selection,
                              const struct annotate_output *output)
{
    const size_t shown = annotate_named(selection->kernel_count, KERNELS_MAX);
    const unsigned indent = annotate_share_columns(output) + 18;
    const unsigned stack_rows = selection->kernel_count <= KERNELS_MAX / 2 ? 2 : 1;
    uint64_t parts[KERNELS_MAX + 1];
    unsigned tenths[KERNELS_MAX + 1];
    unsigned rows = 0;
    for (size_t i = 0; i < shown; i++) {
        parts[i] = selection->kernels[i].cost[selection->event];
    }
    const size_t listed =
        annotate_rest(parts, shown, selection->kernel_count, selection->total[selection->event]);
    annotate_shares(parts, listed, tenths);
    for (size_t i = 0; i < shown; i++) {
        const struct sl_view_kernel *const kernel = &selection->kernels[i];
        annotate_share(output, tenths[i]);
        (void)fprintf(output->stream, "%-17.17s ", selection->view->names[kernel->name]);
        rows += print_stack(kernel->cost, output, output->width - indent, indent, stack_rows);
    }
    if (listed > shown) {
        annotate_share(output, tenths[shown]);
        (void)fprintf(output->stream, "%zu others\n", selection->kernel_count - shown);
        rows++;
    }
    return rows;
}

unsigned annotate_stacks(const struct annotate_selection *selection,
                         const struct annotate_output *output)
{
    print_head(selection, output);
    char title[TEXT_BYTES];
    (void)snprintf(title, sizeof title, "\n%*s %-17s what its wavefronts do, in %% of their cycles",
                   (int)annotate_share_columns(output) - 1,
                   selection->event == SL_KERNEL_EVENT_RESIDENT ? "cycles" : "share", "kernel");
    annotate_title(title, output);
    return print_kernels(selection, output);
}
