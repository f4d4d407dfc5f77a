/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Sequences of launches: describes one in shared memory, checks it with names and settings, gives
 * it to the firmware, and says where it was when something went wrong. */
#include "host/run/sequence.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "host/load/module.h"
#include "host/machine/machine.h"
#include "host/run/launch.h"
#include "host/run/launch_refusal.h"
#include "host/run/run.h"
#include "host/run/start.h"
#include "host/text/refusal.h"
#include "host/text/text.h"
#include "launch/sequence.h"

#define WHAT_BYTES 256

void sl_sequence_refusal_text(const struct sl_config *config,
                              const struct sl_graph_refusal *refusal, char *out, size_t bytes)
{
    if (sl_refusal_node(refusal->reason) == SL_REFUSAL_OF_SEQUENCE) {
        sl_refusal_explain(config, refusal, NULL, out, bytes);
    } else {
        sl_text_append(out, bytes, "step %" PRIu32 ": ", refusal->step);
        sl_launch_refusal_text(config, refusal, out, bytes);
    }
}

void sl_sequence_append_step(const struct sl_launched *launched,
                             const struct sl_message_agg *message, char *out, size_t bytes)
{
    const uint64_t step = message->argument[6];
    sl_text_append(out, bytes, "; step %" PRIu64, step);
    if (step < launched->count) {
        sl_text_append(out, bytes, " of 0 to %" PRIu32 ", kernel %s", launched->count - 1,
                       launched->kernels[step]);
    }
    if (message->argument[7] > 0) {
        sl_text_append(out, bytes, ", repeat %" PRIu64, message->argument[7]);
    }
}

/* Memory for so many launches, in place of the sequence before. */
static bool make_room(struct sl_soc *soc, uint32_t count)
{
    struct sl_run *const run = sl_run_of(soc);
    sl_free(soc, run->steps);
    run->steps = sl_alloc(soc, sizeof *run->steps + count * sizeof(struct sl_launch), 0);
    return run->steps != NULL;
}

static enum sl_status check(struct sl_soc *soc)
{
    const struct sl_graph_limits limits = sl_launch_limits(soc);
    const struct sl_cu_shape cu = sl_launch_shape(soc);
    struct sl_graph_scratch *const scratch = malloc(sizeof *scratch);
    struct sl_graph_refusal refusal;
    if (scratch == NULL) {
        return sl_soc_fail(soc, SL_ERROR_MACHINE, "out of memory");
    }
    const bool is_good =
        sl_sequence_check(sl_run_of(soc)->steps, &limits, &cu, &refusal, scratch) == 0;
    free(scratch);
    if (is_good) {
        return SL_OK;
    }
    char text[1024] = "";
    sl_sequence_refusal_text(sl_soc_config(soc), &refusal, text, sizeof text);
    return sl_soc_fail(soc, SL_ERROR_USAGE, "sequence of launches: %s", text);
}

const struct sl_sequence *sl_sequence_shared(const struct sl_soc *soc)
{
    return sl_run_of(soc)->steps;
}

enum sl_status sl_soc_sequence_unchecked(struct sl_soc *soc, uint64_t sequence_address)
{
    return sl_run_start_unchecked(soc, SL_HOST_SEQUENCE, sequence_address);
}

enum sl_status sl_launch_sequence(struct sl_module *module, const struct sl_launch_step *steps,
                                  unsigned count, unsigned first, unsigned last,
                                  const uint32_t *word)
{
    struct sl_soc *const soc = sl_module_soc(module);
    struct sl_run *const run = sl_run_of(soc);
    if (sl_soc_state(soc)->is_running) {
        return sl_soc_fail(soc, SL_ERROR_USAGE,
                           "sequence of launches: a graph is running: wait for its end before");
    }
    if (count < 1 || count > SL_SEQUENCE_LAUNCHES) {
        return sl_soc_fail(soc, SL_ERROR_USAGE,
                           "sequence of launches: %u launches; from 1 to %d are possible", count,
                           SL_SEQUENCE_LAUNCHES);
    }
    run->launched.count = 0;
    if (!make_room(soc, count)) {
        return SL_ERROR_USAGE; /* with sl_alloc()'s message */
    }
    *run->steps = (struct sl_sequence){.magic = SL_SEQUENCE_MAGIC,
                                       .count = count,
                                       .first = first,
                                       .last = last,
                                       .word = (uintptr_t)word};
    struct sl_launch *const launches = sl_sequence_launches(run->steps);
    for (unsigned i = 0; i < count; i++) {
        char what[WHAT_BYTES];
        (void)snprintf(what, sizeof what, "sequence of launches: step %u, kernel '%s'", i,
                       steps[i].kernel);
        if (sl_module_kernel(module, steps[i].kernel) < 0) {
            char reason[1024];
            (void)snprintf(reason, sizeof reason, "%s", sl_soc_error(soc));
            return sl_soc_fail(soc, SL_ERROR_USAGE, "%s: %s", what, reason);
        }
        const enum sl_status status =
            sl_launch_describe(module, &steps[i], what, &launches[i], &run->launched.kernels[i]);
        if (status != SL_OK) {
            return status;
        }
    }
    const enum sl_status status = check(soc);
    if (status != SL_OK) {
        return status;
    }
    run->launched.launches = launches;
    run->launched.count = count;
    return sl_run_start(soc, SL_HOST_SEQUENCE, (uintptr_t)run->steps);
}
