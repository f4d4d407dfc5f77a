/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Messages, and what a user wrote in them. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "config/config_internal.h"

int sl_config_fail(char *error, size_t error_bytes, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error, error_bytes, format, arguments);
    va_end(arguments);
    return -1;
}

struct sl_quoted sl_config_quote(const char *text)
{
    static const char dots[] = "...";
    struct sl_quoted quoted;
    size_t room = sizeof quoted.text - sizeof dots;
    size_t length = 0;
    for (; text[length] != '\0' && length < room; length++) {
        unsigned char c = (unsigned char)text[length];
        quoted.text[length] = c < 0x20 || c == 0x7f ? '?' : text[length];
    }
    memcpy(quoted.text + length, text[length] == '\0' ? "" : dots,
           text[length] == '\0' ? 1 : sizeof dots);
    return quoted;
}
