/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Runs of a litmus test on the accelerator alone (bare.h), as run.h has them on the whole machine.
 */
#ifndef SLUICE_LITMUS_ALONE_H
#define SLUICE_LITMUS_ALONE_H

#include "litmus/bare.h"
#include "litmus/outcomes.h"
#include "litmus/places.h"

struct litmus_alone {
    const struct sl_config *config;
    const struct litmus_test *test;
    uint64_t runs;
    uint64_t seed; /* of delays, places and what caches hold before */

    /* Changes each machine before anything runs on it; NULL: nothing does. */
    void (*change)(struct gpu *gpu);
};

/* Runs the test so often, and notes how each run ends. Where the status is not SL_OK, `error`
 * (LITMUS_BARE_ERROR_BYTES) says why. */
SL_MUST_USE enum sl_status litmus_alone_run(const struct litmus_alone *alone,
                                            struct litmus_outcomes *outcomes,
                                            struct litmus_places *places, char *error);

#endif
