/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* UTF-8 as RFC 3629 has it: the shortest form, no surrogates, up to U+10FFFF. */
#include "host/base/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEQUENCE_MAX  4 /* bytes of a character */
#define ESCAPED_BYTES 4 /* of "\x1b" */

size_t sl_utf8_character(const char *text, size_t bytes, uint32_t *code)
{
    static const uint32_t least[SEQUENCE_MAX + 1] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *const at = (const unsigned char *)text;
    const size_t length = at[0] < 0x80 ? 1 : at[0] >= 0xf0 ? 4 : at[0] >= 0xe0 ? 3 : 2;

    if ((at[0] >= 0x80 && at[0] < 0xc2) || at[0] > 0xf4 || length > bytes) {
        return 0;
    }
    *code = at[0] & (length == 1 ? 0x7f : 0xff >> (length + 1));
    for (size_t i = 1; i < length; i++) {
        if ((at[i] & 0xc0) != 0x80) {
            return 0;
        }
        *code = *code << 6 | (at[i] & 0x3f);
    }
    const bool is_none =
        *code < least[length] || *code > 0x10ffff || (*code >= 0xd800 && *code < 0xe000);
    return is_none ? 0 : length;
}

bool sl_utf8_is(const char *text)
{
    uint32_t code;

    while (text[0] != '\0') {
        const size_t length = sl_utf8_character(text, strlen(text), &code);
        if (length == 0) {
            return false;
        }
        text += length;
    }
    return true;
}

bool sl_utf8_is_control(uint32_t code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0);
}

/* Bytes of the character that a text begins with, which is no control; 0 for anything else. */
static size_t plain_character(const char *text, size_t bytes)
{
    uint32_t code;
    const size_t length = sl_utf8_character(text, bytes, &code);

    return length > 0 && !sl_utf8_is_control(code) ? length : 0;
}

bool sl_utf8_is_plain(const char *text)
{
    size_t left = strlen(text);

    while (left > 0) {
        const size_t length = plain_character(text, left);
        if (length == 0) {
            return false;
        }
        text += length;
        left -= length;
    }
    return true;
}

/* A text with what is no UTF-8, and controls where these are not kept, as \xNN, as much of it as
 * fits in front of `end` with a zero behind it. Returns its end. */
static char *put_escaped(char *to, const char *end, const char *text, bool keeps_controls)
{
    for (size_t left = strlen(text); left > 0 && end - to > (ptrdiff_t)ESCAPED_BYTES;) {
        uint32_t code;
        const size_t length =
            keeps_controls ? sl_utf8_character(text, left, &code) : plain_character(text, left);
        if (length > 0) {
            memcpy(to, text, length);
            to += length;
        } else {
            to += snprintf(to, ESCAPED_BYTES + 1, "\\x%02x", (unsigned char)text[0]);
        }
        text += length > 0 ? length : 1;
        left -= length > 0 ? length : 1;
    }
    return to;
}

void sl_utf8_show(const char *text, char *out, size_t bytes)
{
    *put_escaped(out, out + bytes, text, false) = '\0';
}

json_t *sl_json_text(const char *text)
{
    json_t *string = json_string(text);
    const size_t most = text != NULL ? ESCAPED_BYTES * (strlen(text) + 1) : 0;
    char *const escaped = string == NULL && text != NULL ? malloc(most) : NULL;

    if (escaped != NULL) {
        const char *const end = put_escaped(escaped, escaped + most, text, true);
        string = json_stringn(escaped, (size_t)(end - escaped));
        free(escaped);
    }
    return string;
}

int sl_json_set_new(json_t *object, const char *name, json_t *value)
{
    json_t *const key = sl_json_text(name);
    const int status = json_object_set_new(object, json_string_value(key), value);

    json_decref(key);
    return status;
}
