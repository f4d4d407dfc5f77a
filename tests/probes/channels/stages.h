/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What the host program and the kernels of stages.c share. */
#ifndef SLUICE_PROBES_CHANNELS_STAGES_H
#define SLUICE_PROBES_CHANNELS_STAGES_H

#include <stdint.h>

#define PARTS 8 /* that each seed makes */

struct seed {
    uint32_t number;
};

struct part {
    uint32_t value;
};

/* Says what the sum is when it runs. */
struct look {
    uint64_t *sum;
};

/* What a part adds to the sum. */
static inline uint64_t weight(uint32_t value)
{
    return (uint64_t)value * value % 1000;
}

#endif
