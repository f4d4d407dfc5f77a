/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Appending to texts. */
#include "host/text/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void sl_text_append(char *out, size_t bytes, const char *format, ...)
{
    const size_t length = strlen(out);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(out + length, bytes - length, format, arguments);
    va_end(arguments);
}

void sl_text_append_setting(const struct sl_config *config, enum sl_config_key key, char *out,
                            size_t bytes)
{
    sl_text_append(out, bytes, "%s", sl_config_table[key].key);
    if (config != NULL) {
        char value[64];
        sl_config_format(key, config, value, sizeof value);
        sl_text_append(out, bytes, " is %s", value);
    }
}
