/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Floats in kernels that are constants, or constant arguments, which come in integer registers. */
#ifndef SLUICE_PROGRAMS_FLOAT_REGISTER_H
#define SLUICE_PROGRAMS_FLOAT_REGISTER_H

#include <stdint.h>

#include "programs/common/float_argument.h"

/* As float_from_argument(), in a register that keeps it: the compiler would rather move it there
 * again wherever it is used, in inner loops too. */
static inline float float_register(uint64_t argument)
{
    float value;
    __asm__("fmv.w.x %0, %1" : "=f"(value) : "r"(argument));
    return value;
}

/* A constant, in a register without a load from memory. */
static inline float float_constant(float value)
{
    return float_register(float_to_argument(value));
}

#endif
