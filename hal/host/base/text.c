/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Appending to texts; sentences of the codes that the parts share. */
#include "host/base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "config/number.h"

void sl_text_append(char *out, size_t bytes, const char *format, ...)
{
    const size_t length = strlen(out);
    va_list arguments;
    va_start(arguments, format);
    (void)sl_number_vformat(out + length, bytes - length, format, arguments);
    va_end(arguments);
}

void sl_text_append_quoted(char *out, size_t bytes, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "%+,-./:=@_";
    if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
        sl_text_append(out, bytes, "%s", word);
        return;
    }
    sl_text_append(out, bytes, "'");
    for (const char *at = word; *at != '\0'; at++) {
        const char one[] = {*at, '\0'};
        sl_text_append(out, bytes, "%s", *at == '\'' ? "'\\''" : one);
    }
    sl_text_append(out, bytes, "'");
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

/* One table over all enumerations that the parts share, so that messages say what the register
 * documentation says. */
static const struct {
    enum sl_code_kind kind;
    uint64_t value;
    const char *sentence;
} table[] = {
#define SL_ENUM_BEGIN(name, PREFIX, text)
#define SL_ENUM_VALUE(PREFIX, NAME, value, text) {SL_CODE_##PREFIX, value, text},
#define SL_ENUM_END(name)
#include "contract/codes.def"
#undef SL_ENUM_BEGIN
#undef SL_ENUM_VALUE
#undef SL_ENUM_END
};

const char *sl_code_sentence(enum sl_code_kind kind, uint64_t value)
{
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (table[i].kind == kind && table[i].value == value) {
            return table[i].sentence;
        }
    }
    return NULL;
}
