/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* All lines with all their figures as CSV. */
#include <inttypes.h>

#include "annotate/annotate.h"
#include "common/csv.h"

void annotate_table(const struct annotate_options *options,
                    const struct annotate_selection *selection, FILE *stream)
{
    const struct sl_kernel_view *const view = selection->view;
    (void)fputs("kernel,function,file,line,resident_cycles,wave_instructions,lane_instructions,"
                "line_accesses,l1_misses,l2_misses",
                stream);
    for (unsigned i = 0; i < SL_STALL_COUNT; i++) {
        (void)fprintf(stream, ",cycles.%s", sl_stall_text[i].name);
    }
    (void)fputc('\n', stream);
    for (size_t i = 0; i < selection->line_count && (options->lines == 0 || i < options->lines);
         i++) {
        const struct sl_view_line *const line = selection->lines[i];
        const struct sl_view_function *const function = &view->functions[line->function];
        const uint32_t names[] = {view->kernels[function->kernel].name, function->name, line->file};
        for (unsigned name = 0; name < sizeof names / sizeof names[0]; name++) {
            csv_print_text(stream, view->names[names[name]]);
            (void)fputc(',', stream);
        }
        (void)fprintf(stream, "%" PRIu32, line->line);
        for (unsigned event = 0; event < SL_KERNEL_EVENTS; event++) {
            (void)fprintf(stream, ",%" PRIu64, line->cost[event]);
        }
        (void)fputc('\n', stream);
    }
}
