/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Sentences for refused runs (hal/graph/check.h, hal/launch/check.h): the value that was found, and
 * what would be right. The library's own checks and the firmware's share them. */
#include <inttypes.h>
#include <stdbool.h>

#include "host/graph/graph.h"
#include "host/run/run.h"
#include "host/text/text.h"
#include "trees/check.h"

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

void sl_sequence_append_step(const struct sl_launched *launched,
                             const struct sl_message_agg *message, char *out, size_t bytes)
{
    const uint64_t step = message->argument[6];
    sl_text_append(out, bytes, "; step %" PRIu64, step);
    if (step < launched->count) {
        sl_text_append(out, bytes, " of 0 to %u, kernel %s", launched->count - 1,
                       launched->kernels[step]);
    }
    if (message->argument[7] > 0) {
        sl_text_append(out, bytes, ", repeat %" PRIu64, message->argument[7]);
    }
}
