/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Sentences for deadlocks: each wavefront, the word that its lanes wait for, who holds that, and
 * where that one waits, so that a reader can go round the circle (docs/do/debug.md,
 * "Deadlocks"). */
#include <inttypes.h>
#include <stdio.h>

#include "host/base/text.h"
#include "host/observe/diagnose/diagnose.h"

#define PLACE_BYTES 256

void sl_text_append_deadlock(const struct sl_fault *fault, char *out, size_t bytes)
{
    sl_text_append(out, bytes, "wavefront %" PRIu64, fault->wavefront);
    if (fault->address == 0) {
        sl_text_append(out, bytes, "%s",
                       fault->holder_state == SL_HOLDER_LOOPS
                           ? " loops for ever, and changes nothing"
                           : " waits for others that never come");
    } else {
        sl_text_append(out, bytes, " waits for the %s at 0x%" PRIx64 ", which is %" PRId32,
                       fault->instruction != 0 ? "lock" : "word", fault->address,
                       (int32_t)fault->value0);
    }
}

/* ", and waits at a barrier in f (x.c:15)" */
static void append_state(const struct sl_message_context *context, const struct sl_fault *fault,
                         char *out, size_t bytes)
{
    static const char *const states[] = {
        [SL_HOLDER_ENDED] = "has ended",
        [SL_HOLDER_LOOPS] = "goes round in a loop",
        [SL_HOLDER_LANES] = "waits for other lanes of its wavefront",
        [SL_HOLDER_BARRIER] = "waits at a barrier",
        [SL_HOLDER_LOCK] = "waits for a lock",
    };
    char place[PLACE_BYTES];

    sl_text_append(out, bytes, " and %s", states[fault->holder_state]);
    if (fault->value1 != 0) {
        sl_place_text(context, fault->value1, place, sizeof place);
        sl_text_append(out, bytes, " in %s", place);
    }
}

void sl_text_append_holder(const struct sl_message_context *context, const struct sl_fault *fault,
                           char *out, size_t bytes)
{
    char place[PLACE_BYTES];

    if (fault->address == 0 || fault->holder_state == SL_HOLDER_NONE ||
        fault->holder_state > SL_HOLDER_LOCK) {
        return;
    }
    sl_text_append(out, bytes, "; lane %u of wavefront %" PRIu64 " took it", fault->holder_lane,
                   fault->holder);
    if (fault->holder_pc != 0) {
        sl_place_text(context, fault->holder_pc, place, sizeof place);
        sl_text_append(out, bytes, " in %s", place);
    }
    append_state(context, fault, out, bytes);
}

void sl_deadlock_text(const struct sl_message_context *context, const struct sl_fault *fault,
                      char *out, size_t bytes)
{
    char place[PLACE_BYTES];

    out[0] = '\0';
    sl_text_append_deadlock(fault, out, bytes);
    sl_place_text(context, fault->pc, place, sizeof place);
    sl_text_append(out, bytes, ", in %s", place);
    sl_text_append_lanes(fault->lanes, context->config, out, bytes);
    sl_text_append_holder(context, fault, out, bytes);
}
