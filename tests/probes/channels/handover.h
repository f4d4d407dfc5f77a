/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What host and kernels of handover.c share. */
#ifndef SLUICE_PROBES_CHANNELS_HANDOVER_H
#define SLUICE_PROBES_CHANNELS_HANDOVER_H

#include <stdint.h>

#define HANDOVER_MAKERS 16u
#define HANDOVER_GOODS  4u /* that a maker makes in a round */

struct handover_maker {
    uint64_t number;
};

struct handover_good {
    uint64_t value;
    uint64_t pauses; /* of who takes it, behind giving it back */
};

struct handover_result {
    uint64_t sum;
    uint64_t count;
};

/* Below 2^32. */
static inline uint64_t handover_value(uint64_t maker, uint64_t round, uint64_t i)
{
    return (round * HANDOVER_MAKERS + maker) * HANDOVER_GOODS + i + 1;
}

#endif
