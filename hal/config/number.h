/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A number as a user writes it, read and scaled without rounding. */
#ifndef SLUICE_NUMBER_H
#define SLUICE_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* (whole + fraction / denominator), without the sign. */
struct sl_number {
    bool negative;
    bool overflow; /* beyond 64 bits */
    uint64_t whole;
    uint64_t fraction;
    uint64_t denominator; /* a power of ten */
    const char *rest;     /* of the text, past spaces: the unit */
};

/* Reads decimal ("20", "1.5", "-3") or hexadecimal ("0x10"). False where the text does not begin
 * with a number, or its fraction has more than 17 digits. */
bool sl_number_read(const char *text, struct sl_number *number);

/* Multiplies by scale. False where the result is no whole number; beyond 64 bits sets overflow. */
bool sl_number_scale(struct sl_number *number, uint64_t scale, uint64_t *out);

#endif
