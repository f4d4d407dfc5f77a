/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Floats as constant arguments of kernels, which are integers of 64 bits. For host programs and
 * kernels. */
#ifndef SLUICE_PROGRAMS_FLOAT_ARGUMENT_H
#define SLUICE_PROGRAMS_FLOAT_ARGUMENT_H

#include <stdint.h>

static inline uint64_t float_to_argument(float value)
{
    uint32_t bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline float float_from_argument(uint64_t argument)
{
    const uint32_t bits = (uint32_t)argument;
    float value;
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}

#endif
