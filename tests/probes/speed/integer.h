/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What integer.c and its kernel share: the computation itself. */
#ifndef SLUICE_PROBES_SPEED_INTEGER_H
#define SLUICE_PROBES_SPEED_INTEGER_H

#include <stdint.h>

struct integer_element {
    uint64_t number;
};

/* Marsaglia's xorshift generator with the shifts 13, 7, 17, summed up. */
static inline uint64_t integer_rounds(uint64_t number, uint64_t rounds)
{
    uint64_t x = (number + 1) * 0x9e3779b97f4a7c15u;
    uint64_t sum = 0;
    for (uint64_t i = 0; i < rounds; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        sum += x;
    }
    return sum;
}

#endif
