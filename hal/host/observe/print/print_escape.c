/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Kernels' text on its way to a terminal: what could steer one is shown, not done. */
#include <stdbool.h>
#include <string.h>

#include "host/base/utf8.h"
#include "host/observe/print/print.h"

#define ESCAPED_BYTES 4 /* of "\x1b" */

/* Bytes of the character that begins here; 0 where none does, or it is a control. */
static size_t character(const char *text, size_t left)
{
    uint32_t code;
    const size_t bytes = sl_utf8_character(text, left, &code);
    const bool is_control = bytes > 0 && sl_utf8_is_control(code) && code != '\n' && code != '\t';
    return is_control ? 0 : bytes;
}

uint64_t sl_print_escape(FILE *out, const char *text, size_t bytes, uint64_t most, size_t *done)
{
    uint64_t written = 0;
    size_t at = 0;

    while (at < bytes) {
        const char *const here = text + at;
        const size_t plain = character(here, bytes - at);
        const size_t shown = plain > 0 ? plain : ESCAPED_BYTES;
        if (shown > most - written) {
            break;
        }
        if (plain > 0) {
            (void)fwrite(here, 1, plain, out);
        } else {
            (void)fprintf(out, "\\x%02x", (unsigned char)here[0]);
        }
        written += shown;
        at += plain > 0 ? plain : 1;
    }
    *done = at;
    return written;
}
