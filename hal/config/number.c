/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Numbers from text: integers and decimal fractions, exact, so that "0.1 ns" is 100 ps and not
 * nearly so. Fractions in texts, with a point whatever the locale. */
#define _GNU_SOURCE 1
#include "config/number.h"

#include <ctype.h>
#include <stdlib.h>

static int digit_value(char c, unsigned base)
{
    int value = -1;
    if (c >= '0' && c <= '9') {
        value = c - '0';
    } else if (c >= 'a' && c <= 'f') {
        value = c - 'a' + 10;
    } else if (c >= 'A' && c <= 'F') {
        value = c - 'A' + 10;
    }
    return value < (int)base ? value : -1;
}

static bool read_whole(const char **text, unsigned base, struct sl_number *number)
{
    const char *p = *text;
    for (; digit_value(*p, base) >= 0; p++) {
        uint64_t digit = (uint64_t)digit_value(*p, base);
        if (number->whole > (UINT64_MAX - digit) / base) {
            number->overflow = true;
        } else {
            number->whole = number->whole * base + digit;
        }
    }
    bool any = p != *text;
    *text = p;
    return any;
}

static bool read_fraction(const char **text, struct sl_number *number)
{
    const char *p = *text;
    const char *limit = p;
    for (; digit_value(*p, 10) >= 0; p++) {
        limit = *p == '0' ? limit : p + 1; /* zeros at the end say nothing */
    }
    bool any = p != *text;
    for (const char *digit = *text; digit < limit; digit++) {
        if (number->denominator >= UINT64_MAX / 100) {
            return false;
        }
        number->fraction = number->fraction * 10 + (uint64_t)digit_value(*digit, 10);
        number->denominator *= 10;
    }
    *text = p;
    return any;
}

bool sl_number_read(const char *text, struct sl_number *number)
{
    *number = (struct sl_number){.denominator = 1};
    if (*text == '-') {
        number->negative = true;
        text++;
    }
    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
        text += 2;
        if (!read_whole(&text, 16, number)) {
            return false;
        }
    } else {
        if (!read_whole(&text, 10, number)) {
            return false;
        }
        if (*text == '.') {
            text++;
            if (!read_fraction(&text, number)) {
                return false;
            }
        }
    }
    while (isspace((unsigned char)*text)) {
        text++;
    }
    number->rest = text;
    return true;
}

static uint64_t greatest_common_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        uint64_t remainder = a % b;
        a = b;
        b = remainder;
    }
    return a;
}

bool sl_number_scale(struct sl_number *number, uint64_t scale, uint64_t *out)
{
    uint64_t divisor = greatest_common_divisor(number->fraction, number->denominator);
    uint64_t fraction = number->fraction / divisor;
    uint64_t denominator = number->denominator / divisor;
    if (scale % denominator != 0) {
        return false;
    }
    uint64_t part = fraction * (scale / denominator);
    if (number->whole > (UINT64_MAX - part) / scale) {
        number->overflow = true;
    }
    *out = number->whole * scale + part;
    return true;
}

/* For all categories it is an object of libc's own: there is nothing to free, and it cannot fail.
 */
locale_t sl_number_begin(void)
{
    return uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0));
}

void sl_number_end(locale_t before)
{
    (void)uselocale(before);
}

int sl_number_vformat(char *out, size_t bytes, const char *format, va_list arguments)
{
    const locale_t before = sl_number_begin();
    const int length = vsnprintf(out, bytes, format, arguments);
    sl_number_end(before);
    return length;
}

int sl_number_format(char *out, size_t bytes, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = sl_number_vformat(out, bytes, format, arguments);
    va_end(arguments);
    return length;
}

int sl_number_vwrite(FILE *file, const char *format, va_list arguments)
{
    const locale_t before = sl_number_begin();
    const int length = vfprintf(file, format, arguments);
    sl_number_end(before);
    return length;
}

int sl_number_write(FILE *file, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = sl_number_vwrite(file, format, arguments);
    va_end(arguments);
    return length;
}

double sl_number_real(const char *text, char **end)
{
    const locale_t before = sl_number_begin();
    const double value = strtod(text, end);
    sl_number_end(before);
    return value;
}
