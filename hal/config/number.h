/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A number as a user writes it, read and scaled without rounding; numbers with a fraction as texts.
 *
 * A host program may call setlocale(). All that the library writes has a point all the same, and
 * all that it reads takes one: what formats or reads a fraction goes through these functions. */
#ifndef SLUICE_NUMBER_H
#define SLUICE_NUMBER_H

#include <locale.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

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

/* Between the two, the thread has the locale "C": for libraries that format numbers themselves. */
locale_t sl_number_begin(void);
void sl_number_end(locale_t before);

/* As snprintf(), vsnprintf(), vfprintf() and strtod(). */
int sl_number_format(char *out, size_t bytes, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
int sl_number_vformat(char *out, size_t bytes, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));
int sl_number_write(FILE *file, const char *format, ...) __attribute__((format(printf, 2, 3)));
int sl_number_vwrite(FILE *file, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));
double sl_number_real(const char *text, char **end);

#endif
