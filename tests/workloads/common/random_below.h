/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Random numbers that the host and kernels draw alike. */
#ifndef SLUICE_WORKLOADS_COMMON_RANDOM_BELOW_H
#define SLUICE_WORKLOADS_COMMON_RANDOM_BELOW_H

#include <stdint.h>

/* Numerical Recipes' linear congruential generator; its upper bits: a number below `limit`. */
static inline uint32_t random_below(uint32_t *state, uint32_t limit)
{
    *state = *state * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)*state * limit >> 32);
}

#endif
