/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What kernels that print and the host that shows it agree on, beside the layouts of
 * struct sl_print_buffer and struct sl_print_record. */
#ifndef SLUICE_PRINT_H
#define SLUICE_PRINT_H

#include <stdbool.h>
#include <stdint.h>

/* The most arguments of a call. */
#define SL_PRINT_ARGUMENTS 16u

/* Whether a character between '%' and the conversion is a length. */
static inline bool sl_print_is_length(char c)
{
    return c == 'h' || c == 'l' || c == 'j' || c == 'z' || c == 't';
}

/* Arguments that a format takes, 64 bits each, at most SL_PRINT_ARGUMENTS. */
static inline uint32_t sl_print_arguments(const char *format)
{
    uint32_t count = 0;
    bool is_inside = false; /* between '%' and the conversion */

    for (const char *at = format; *at != '\0'; at++) {
        const char letter = (char)(*at | 0x20);
        if (!is_inside) {
            is_inside = *at == '%';
        } else if (*at == '%') {
            is_inside = false;
        } else if (*at == '*') {
            count++;
        } else if (letter >= 'a' && letter <= 'z' && !sl_print_is_length(*at)) {
            count++;
            is_inside = false;
        }
    }
    return count < SL_PRINT_ARGUMENTS ? count : SL_PRINT_ARGUMENTS;
}

#endif
