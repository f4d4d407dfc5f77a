/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Runs that go in steps: kernels over NDRanges, without channels, each dispatched when nothing is
 * in flight any more. */
#ifndef SLUICE_FIRMWARE_STEPS_H
#define SLUICE_FIRMWARE_STEPS_H

#include "graph/run.h"

enum step {
    STEP_NEXT, /* the run goes on: packets were dispatched, or there is another step to look at */
    STEP_COMPLETE, /* there is none */
    STEP_FAILED,   /* the answer says why */
};

/* At the beginning, and whenever nothing is in flight again: what comes next. */
typedef enum step steps_next(struct run *run, struct sl_message_agg *answer);

/* Passes until the run has ended, as struct run_kind says. Wavefronts that yield are restarted at
 * once: without channels there is nothing that they could wait for. */
enum sl_message_agg_type steps_passes(struct run *run, steps_next *next,
                                      struct sl_message_agg *answer);

#endif
