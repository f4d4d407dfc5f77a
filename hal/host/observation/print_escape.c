/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Kernels' text on its way to a terminal: what could steer one is shown, not done. */
#include <stdbool.h>
#include <string.h>

#include "host/observation/print.h"

#define ESCAPED_BYTES 4 /* of "\x1b" */
#define SEQUENCE_MAX  4 /* bytes of a character in UTF-8 */

/* Bytes of the UTF-8 character that begins here; 0 where none does, or it is a control. */
static size_t character(const unsigned char *text, size_t left)
{
    const unsigned char first = text[0];
    const size_t bytes = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    uint32_t code = first & (bytes == 1 ? 0x7f : 0xff >> (bytes + 1));
    static const uint32_t least[SEQUENCE_MAX + 1] = {0, 0, 0x80, 0x800, 0x10000};

    if ((first >= 0x80 && first < 0xc2) || first > 0xf4 || bytes > left) {
        return 0;
    }
    for (size_t i = 1; i < bytes; i++) {
        if ((text[i] & 0xc0) != 0x80) {
            return 0;
        }
        code = code << 6 | (text[i] & 0x3f);
    }
    const bool is_control =
        (code < 0x20 && code != '\n' && code != '\t') || (code >= 0x7f && code < 0xa0);
    const bool is_none =
        code < least[bytes] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000);
    return is_control || is_none ? 0 : bytes;
}

uint64_t sl_print_escape(FILE *out, const char *text, size_t bytes, uint64_t most, size_t *done)
{
    uint64_t written = 0;
    size_t at = 0;

    while (at < bytes) {
        const unsigned char *const here = (const unsigned char *)text + at;
        const size_t plain = character(here, bytes - at);
        const size_t shown = plain > 0 ? plain : ESCAPED_BYTES;
        if (shown > most - written) {
            break;
        }
        if (plain > 0) {
            (void)fwrite(here, 1, plain, out);
        } else {
            (void)fprintf(out, "\\x%02x", here[0]);
        }
        written += shown;
        at += plain > 0 ? plain : 1;
    }
    *done = at;
    return written;
}
