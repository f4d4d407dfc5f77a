/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* How the wavefronts of a test begin on the accelerator alone: what is in caches before, and what
 * they do before the test's code (docs/do/write-litmus-tests.md, "Alone"). */
#ifndef SLUICE_LITMUS_SETUP_H
#define SLUICE_LITMUS_SETUP_H

#include <stdbool.h>
#include <stdint.h>

#include "litmus/test.h"

struct litmus_setup_wave {
    uint32_t loads; /* a bit for each variable that is in the L1 cache */
    uint32_t owns;  /* likewise, with the right to write it */
    uint16_t delay_cycles;
    uint16_t busy; /* stores right before the test */
};

struct litmus_setup {
    struct litmus_setup_wave wave[LITMUS_THREADS_MAX][LITMUS_THREADS_MAX]; /* by work-group */
    uint32_t late; /* a bit for each thread: behind the others of its wavefront that are not */
};

/* Chance decides, but for what the test wants warm. `may_own`: stores of what is there already may
 * come before the test. */
struct litmus_setup litmus_setup_draw(const struct litmus_test *test, bool may_own,
                                      uint64_t *random);

#endif
