/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Fields of CSV (RFC 4180). */
#include "common/csv.h"

#include <string.h>

void csv_print_text(FILE *file, const char *text)
{
    if (strpbrk(text, ",\"\r\n") == NULL) {
        (void)fputs(text, file);
        return;
    }
    (void)fputc('"', file);
    for (; *text != '\0'; text++) {
        if (*text == '"') {
            (void)fputc('"', file);
        }
        (void)fputc(*text, file);
    }
    (void)fputc('"', file);
}

void csv_print_value(FILE *file, const json_t *value)
{
    if (json_is_string(value)) {
        csv_print_text(file, json_string_value(value));
    } else if (json_is_integer(value)) {
        (void)fprintf(file, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    } else if (json_is_real(value)) {
        (void)fprintf(file, "%.17g", json_real_value(value));
    }
}
