/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The passes of runs in steps. */
#include "runs/steps.h"

#include "aggregator/device.h"

/* Takes what the device has written; returns whether there was anything. */
static bool take(struct run *run)
{
    const uint32_t completed = completion_poll(&run->completion, NULL);
    uint32_t yielded = 0;

    run->dispatch.completed += completed;
    if (run->may_yield) {
        yielded = yield_resume(&run->yield, &run->dispatch);
        dispatch_ring(&run->dispatch);
    }
    run->is_drained = run_in_flight(run) == 0;
    return completed + yielded > 0;
}

/* Passes until nothing is in flight. Returns SL_AGG_COMPLETE then; else how the run has ended. */
static enum sl_message_agg_type drain(struct run *run, struct sl_message_agg *answer)
{
    run->idle_passes = 0;
    agg_phase(SL_PHASE_POLL);
    for (;;) {
        const bool is_progress = take(run);

        if (run_has_faulted(run, answer)) {
            return SL_AGG_FAULTED;
        }
        if (run->is_drained) {
            return SL_AGG_COMPLETE;
        }
        if (is_progress) {
            run->idle_passes = 0;
        } else if (run_is_silent(run, answer)) {
            return SL_AGG_FAILED;
        }
    }
}

enum sl_message_agg_type steps_passes(struct run *run, steps_next *next,
                                      struct sl_message_agg *answer)
{
    enum step step = next(run, answer);

    while (step == STEP_NEXT) {
        const enum sl_message_agg_type end = drain(run, answer);
        if (end != SL_AGG_COMPLETE) {
            return end;
        }
        step = next(run, answer);
    }
    return step == STEP_COMPLETE ? SL_AGG_COMPLETE : SL_AGG_FAILED;
}
