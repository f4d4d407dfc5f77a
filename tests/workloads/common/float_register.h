/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Floats in kernels, in registers that keep them: the compiler would rather move them there again
 * wherever they are used, in inner loops too. */
#ifndef SLUICE_WORKLOADS_COMMON_FLOAT_REGISTER_H
#define SLUICE_WORKLOADS_COMMON_FLOAT_REGISTER_H

#include <stdint.h>

/* A float of these bits, the lower half. */
static inline float float_register(uint64_t bits)
{
    float value;
    __asm__("fmv.w.x %0, %1" : "=f"(value) : "r"(bits));
    return value;
}

/* A constant, without a load from memory. */
static inline float float_constant(float value)
{
    uint32_t bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    return float_register(bits);
}

#endif
