/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Sentences for refused launches (hal/launch/check.h): the value that was found, and what would be
 * right. The library's own check and the firmware's share them. */
#include "host/run/launch_refusal.h"

#include <stdbool.h>

#include "host/text/refusal.h"
#include "host/text/text.h"

void sl_launch_refusal_text(const struct sl_config *config, const struct sl_graph_refusal *refusal,
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
