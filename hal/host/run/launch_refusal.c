/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Sentences for refused launches (hal/launch/check.h): the value that was found, and what would be
 * right. The library's own check and the firmware's share them. */
#include "host/run/launch_refusal.h"

#include <inttypes.h>

#include "host/text/codes.h"
#include "host/text/text.h"

static void append_setting(const struct sl_config *config, enum sl_config_key key, char *out,
                           size_t bytes)
{
    sl_text_append(out, bytes, " (");
    sl_text_append_setting(config, key, out, bytes);
    sl_text_append(out, bytes, ")");
}

/* A work-group or a grid that is out of range by itself. */
static void append_shape(const struct sl_graph_refusal *refusal, char *out, size_t bytes)
{
    const char *const what = refusal->reason == SL_REFUSE_LAUNCH_GRID ? "grid" : "work-group";
    const char dimension = (char)('x' + (refusal->node < 3 ? refusal->node : 0));
    if (refusal->value == 0) {
        sl_text_append(out, bytes,
                       "the %s has no work-items in %c; a dimension that is not used is 1", what,
                       dimension);
    } else if (refusal->reason == SL_REFUSE_LAUNCH_GRID) {
        sl_text_append(out, bytes,
                       "the grid has %" PRIu64 " work-groups or more; at most %" PRIu64
                       " are possible",
                       refusal->value, refusal->limit);
    } else {
        sl_text_append(out, bytes,
                       "the work-group has %" PRIu64 " work-items; at most %" PRIu64
                       " are possible",
                       refusal->value, refusal->limit);
    }
}

void sl_launch_refusal_text(const struct sl_config *config, const struct sl_graph_refusal *refusal,
                            char *out, size_t bytes)
{
    const uint64_t value = refusal->value;
    const uint64_t limit = refusal->limit;
    switch (refusal->reason) {
    case SL_REFUSE_LAUNCH_GRID:
    case SL_REFUSE_LAUNCH_GROUP:
        append_shape(refusal, out, bytes);
        break;
    case SL_REFUSE_LAUNCH_CONTEXTS:
        sl_text_append(out, bytes,
                       "a work-group has %" PRIu64 " wavefronts, a compute unit %" PRIu64
                       " contexts",
                       value, limit);
        append_setting(config, SL_CFG_GPU_CONTEXTS, out, bytes);
        sl_text_append(out, bytes, "; make the work-group smaller");
        break;
    case SL_REFUSE_LAUNCH_REGISTERS:
        sl_text_append(out, bytes,
                       "a work-group has %" PRIu64 " wavefronts of %" PRIu32
                       " registers each, and a compute unit has registers for %" PRIu64
                       " such wavefronts",
                       value, refusal->node, limit);
        append_setting(config, SL_CFG_GPU_REGISTERS, out, bytes);
        sl_text_append(out, bytes, "; make the work-group smaller");
        break;
    case SL_REFUSE_LAUNCH_LDS:
        sl_text_append(out, bytes,
                       "a work-group needs %" PRIu64 " bytes of LDS, a compute unit has %" PRIu64,
                       value, limit);
        append_setting(config, SL_CFG_GPU_LDS, out, bytes);
        break;
    default:
        sl_text_append(out, bytes, "%s: 0x%" PRIx64 " against 0x%" PRIx64,
                       sl_refusal_sentence(refusal->reason), value, limit);
        break;
    }
}
