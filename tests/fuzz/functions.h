/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Small functions, each of one number, that test_functions.c runs compiled for lanes and compiled
 * for the host (functions.def lists them). No function writes what another may read. */
#ifndef SLUICE_TESTS_FUZZ_FUNCTIONS_H
#define SLUICE_TESTS_FUZZ_FUNCTIONS_H

#include <stdint.h>
#include <string.h>

#define FUNCTION(name, compared) uint64_t name(uint64_t input);
#include "fuzz/functions.def"
#undef FUNCTION

/* All NaNs are alike: instruction sets differ in which one they make. */
static inline uint64_t double_bits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return value != value ? 0x7ff8000000000000u : bits;
}

static inline uint32_t float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return value != value ? 0x7fc00000u : bits;
}

static inline double from_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline float single_from(uint64_t bits)
{
    uint32_t low = (uint32_t)bits;
    float value;
    memcpy(&value, &low, sizeof value);
    return value;
}

#endif
