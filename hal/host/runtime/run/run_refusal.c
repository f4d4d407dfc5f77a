/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Runs that are refused (hal/check/graph/graph_check.h, hal/check/launch/launch_check.h,
 * hal/check/tasks/task_vector_check.h): the library's check of what is no graph, and sentences,
 * which it shares with the firmware's: the value that was found, and what would be right. */
#include <stdbool.h>
#include <stdlib.h>

#include "check/launch/launch_check.h"
#include "check/launch/sequence_check.h"
#include "check/tasks/task_vector_check.h"
#include "host/base/text.h"
#include "host/driver/graph/graph.h"
#include "host/driver/graph/refusal_text.h"
#include "host/runtime/run/run.h"

static void append_launch(const struct sl_config *config, const struct sl_graph_refusal *refusal,
                          char *out, size_t bytes)
{
    const bool is_grid = refusal->reason == SL_REFUSE_LAUNCH_GRID;
    const bool is_shape = is_grid || refusal->reason == SL_REFUSE_LAUNCH_GROUP;
    if (is_shape && refusal->value == 0) {
        sl_text_append(
            out, bytes, "the %s has no work-items in %c; a dimension that is not used is 1",
            is_grid ? "grid" : "work-group", (char)('x' + (refusal->node < 3 ? refusal->node : 0)));
        return;
    }
    const bool is_own = sl_refusal_node(refusal->reason) == SL_REFUSAL_OF_LAUNCH;
    sl_refusal_explain(config, refusal, is_own ? NULL : "{sentence}: {value:x} against {limit:x}",
                       out, bytes);
}

void sl_run_refusal_text(const struct sl_soc *soc, uint32_t type,
                         const struct sl_graph_builder *graph,
                         const struct sl_graph_refusal *refusal, char *out, size_t bytes)
{
    if (sl_run_is_graph(type)) {
        sl_graph_refusal_text(&soc->config, graph, refusal, out, bytes);
    } else if (sl_refusal_node(refusal->reason) == SL_REFUSAL_OF_SEQUENCE ||
               sl_refusal_node(refusal->reason) == SL_REFUSAL_OF_TREES) {
        sl_refusal_explain(&soc->config, refusal, NULL, out, bytes);
    } else {
        if (type == SL_HOST_SEQUENCE) {
            sl_text_append(out, bytes, "step %u: ", refusal->step);
        } else if (type == SL_HOST_TREES) {
            sl_text_append(out, bytes, "the kernel of %s: ",
                           refusal->step == SL_TREES_OF_EPOCHS ? "epochs" : "maps");
        }
        append_launch(&soc->config, refusal, out, bytes);
    }
}

enum sl_status sl_run_check(struct sl_soc *soc, enum sl_message_host_type type,
                            const void *described, const char *what)
{
    const struct sl_graph_limits limits = sl_graph_limits_of(soc);
    const struct sl_cu_shape cu = sl_soc_cu_shape(soc);
    struct sl_graph_scratch *const scratch = malloc(sizeof *scratch);
    struct sl_graph_refusal refusal;
    if (scratch == NULL) {
        return sl_soc_fail(soc, SL_ERROR_MACHINE, "out of memory");
    }
    int status;
    switch (type) {
    case SL_HOST_SEQUENCE:
        status = sl_sequence_check(described, &limits, &cu, &refusal, scratch);
        break;
    case SL_HOST_TREES:
        status = sl_trees_check(described, &limits, &cu, &refusal, scratch);
        break;
    default:
        status = sl_launch_check(described, &limits, &cu, &refusal, scratch);
        break;
    }
    free(scratch);
    if (status == 0) {
        return SL_OK;
    }
    char text[1024] = "";
    sl_run_refusal_text(soc, type, NULL, &refusal, text, sizeof text);
    return sl_soc_fail(soc, SL_ERROR_USAGE, "%s: %s", what, text);
}
