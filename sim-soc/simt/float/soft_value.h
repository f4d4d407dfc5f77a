/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Floating-point values unpacked from their format, and the rounding back into one. */
#ifndef SLUICE_SIMT_SOFT_VALUE_H
#define SLUICE_SIMT_SOFT_VALUE_H

#include <stdbool.h>
#include <stdint.h>

#include "isa/isa.h"

typedef unsigned __int128 soft_bits;

struct soft_format {
    unsigned bits;
    unsigned fraction; /* bits of the fraction */
    int bias;
};

extern const struct soft_format soft_single;
extern const struct soft_format soft_double;

enum soft_kind { SOFT_ZERO, SOFT_FINITE, SOFT_INFINITY, SOFT_NAN };

/* A finite value is significand * 2^exponent, or a little more where it is inexact; the significand
 * is not zero then. */
struct soft_value {
    enum soft_kind kind;
    bool sign;
    bool is_signaling;
    bool is_inexact;
    int exponent;
    soft_bits significand;
};

/* A single in a 64-bit register has ones above it; what has not is the canonical NaN. */
uint64_t soft_box(const struct soft_format *format, uint64_t bits);
uint64_t soft_unbox(const struct soft_format *format, uint64_t value);

/* The canonical NaN, boxed. */
uint64_t soft_nan(const struct soft_format *format);

struct soft_value soft_unpack(const struct soft_format *format, uint64_t bits);

/* Rounds, and boxes. Underflow is detected after rounding. */
uint64_t soft_pack(const struct soft_format *format, struct soft_value value, enum sl_rounding mode,
                   unsigned *flags);

/* Moves the significand of a finite value so that its highest bit is number `top`, which is not
 * below where it is. */
struct soft_value soft_normalize(struct soft_value value, unsigned top);

/* a + b, of exact values that are finite or zero. The mode decides on the sign of an exact zero. */
struct soft_value soft_add(struct soft_value a, struct soft_value b, enum sl_rounding mode);

/* Less than 0, 0 or greater than 0; of values that are no NaN. Zeros are equal. */
int soft_compare(struct soft_value a, struct soft_value b);

bool soft_is_subnormal(const struct soft_format *format, struct soft_value value);

/* Integers of 32 or 64 bits; 32-bit ones are sign-extended. */
uint64_t soft_to_integer(struct soft_value value, unsigned bits, bool is_signed,
                         enum sl_rounding mode, unsigned *flags);
struct soft_value soft_from_integer(uint64_t integer, bool is_signed);

#endif
