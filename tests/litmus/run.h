/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Runs of a litmus test on the machine. */
#ifndef SLUICE_LITMUS_RUN_H
#define SLUICE_LITMUS_RUN_H

#include <stdint.h>

#include "litmus/outcomes.h"
#include "litmus/places.h"
#include "litmus/test.h"
#include "sluice/sluice.h"

/* Runs the test so often, with delays and warm caches that follow from the seed, and notes how each
 * run ends. */
SL_MUST_USE enum sl_status litmus_run(struct sl_soc *soc, const struct litmus_test *test,
                                      uint64_t runs, uint64_t seed,
                                      struct litmus_outcomes *outcomes,
                                      struct litmus_places *places);

#endif
