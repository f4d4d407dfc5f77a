/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Registers as the host's floating-point numbers, for float_exec.c and float_exact.c. */
#ifndef SLUICE_SIMT_LANES_FLOAT_H
#define SLUICE_SIMT_LANES_FLOAT_H

#include <stdint.h>
#include <string.h>

#define CONCAT_(a, b) a##b
#define CONCAT(a, b)  CONCAT_(a, b)

#define NAN_S 0x7fc00000u
#define NAN_D 0x7ff8000000000000u

static inline float as_float(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

static inline uint32_t float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

static inline double as_double(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

static inline uint64_t double_bits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

/* A register's single; what is not boxed is a NaN. */
static inline uint32_t unbox(uint64_t value)
{
    return value >> 32 == 0xffffffffu ? (uint32_t)value : NAN_S;
}

#endif
