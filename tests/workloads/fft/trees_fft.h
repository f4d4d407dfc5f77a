/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* How trees_fft.c and its kernel divide the work. */
#ifndef SLUICE_WORKLOADS_FFT_TREES_FFT_H
#define SLUICE_WORKLOADS_FFT_TREES_FFT_H

#include <stdint.h>

/* Points of the smallest transforms, which a task makes alone. */
#define FFT_BASE 8u

/* Parts that a combination's tasks are divided in, and these again, until a part is one task. */
#define FFT_PARTS 8u

/* Tasks that combine two blocks of `half` points: as many as have `grain` butterflies each, and at
 * least four, so that lanes next to each other share cache lines. */
static inline uint32_t fft_tasks(uint32_t half, uint32_t grain)
{
    return half > 4 * grain ? half / grain : 4;
}

#endif
