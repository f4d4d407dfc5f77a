/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Words are found by their first character. Comments are herd's, (* and *), and may be anywhere. */
#include "litmus/scan.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.';
}

void litmus_scan_fail(struct litmus_scan *scan, unsigned line, const char *format, ...)
{
    va_list arguments;

    if (!litmus_scan_failed(scan)) {
        const int length = snprintf(scan->error, LITMUS_ERROR_BYTES, "%s:%u: ", scan->path, line);
        va_start(arguments, format);
        if (length > 0 && length < LITMUS_ERROR_BYTES) {
            (void)vsnprintf(scan->error + length, LITMUS_ERROR_BYTES - (size_t)length, format,
                            arguments);
        }
        va_end(arguments);
    }
    scan->at = "";
    scan->token = LITMUS_TOKEN_END;
    scan->word[0] = '\0';
}

const char *litmus_scan_shown(const struct litmus_scan *scan)
{
    return scan->token == LITMUS_TOKEN_END ? "the end of the file" : scan->word;
}

/* Behind space and comments. */
static void skip(struct litmus_scan *scan)
{
    for (;;) {
        if (strncmp(scan->at, "(*", 2) == 0) {
            const unsigned line = scan->next_line;
            while (*scan->at != '\0' && strncmp(scan->at, "*)", 2) != 0) {
                scan->next_line += *scan->at++ == '\n';
            }
            if (*scan->at == '\0') {
                litmus_scan_fail(scan, line,
                                 "a comment begins here and never ends; end it with *)");
                return;
            }
            scan->at += 2;
        } else if (isspace((unsigned char)*scan->at)) {
            scan->next_line += *scan->at++ == '\n';
        } else {
            return;
        }
    }
}

static size_t sign_length(const char *at)
{
    if (strncmp(at, "/\\", 2) == 0 || strncmp(at, "\\/", 2) == 0) {
        return 2;
    }
    return *at != '\0' && strchr("{}()[]|;,:=~*", *at) != NULL ? 1 : 0;
}

/* Characters of the word that begins here; 0 where none does. */
static size_t measure(const char *at, enum litmus_token *token)
{
    const size_t sign = sign_length(at);
    size_t length = at[0] == '-' && isdigit((unsigned char)at[1]) ? 1 : 0;
    bool is_number = true;

    if (sign > 0) {
        *token = LITMUS_TOKEN_SIGN;
        return sign;
    }
    while (is_word(at[length])) {
        is_number = is_number && isdigit((unsigned char)at[length]);
        length++;
    }
    *token = is_number ? LITMUS_TOKEN_NUMBER : LITMUS_TOKEN_WORD;
    return length;
}

void litmus_scan_next(struct litmus_scan *scan)
{
    skip(scan);
    scan->line = scan->next_line;
    scan->word[0] = '\0';
    if (*scan->at == '\0') {
        scan->token = LITMUS_TOKEN_END;
        return;
    }
    const size_t length = measure(scan->at, &scan->token);
    if (length == 0) {
        litmus_scan_fail(scan, scan->line, "'%c' means nothing here", *scan->at);
    } else if (length >= LITMUS_WORD_BYTES) {
        litmus_scan_fail(scan, scan->line,
                         "'%.20s...' is too long; a word has %d characters at most", scan->at,
                         LITMUS_WORD_BYTES - 1);
    } else {
        memcpy(scan->word, scan->at, length);
        scan->word[length] = '\0';
        scan->at += length;
    }
}

void litmus_scan_line(struct litmus_scan *scan, char *out, unsigned bytes)
{
    const unsigned line = scan->next_line;
    size_t length = strcspn(scan->at, "\n");
    const char *from = scan->at;

    scan->at += length;
    while (length > 0 && isspace((unsigned char)*from)) {
        from++;
        length--;
    }
    while (length > 0 && isspace((unsigned char)from[length - 1])) {
        length--;
    }
    if (length >= bytes) {
        litmus_scan_fail(scan, line, "'%.20s...' is too long; a name has %u characters at most",
                         from, bytes - 1);
        length = 0;
    }
    memcpy(out, from, length);
    out[length] = '\0';
    litmus_scan_next(scan);
}

void litmus_scan_begin(struct litmus_scan *scan, const char *path, const char *text, char *error)
{
    *scan = (struct litmus_scan){.path = path, .at = text, .next_line = 1, .error = error};
    error[0] = '\0';
    litmus_scan_next(scan);
}

bool litmus_scan_is(const struct litmus_scan *scan, const char *word)
{
    return scan->token != LITMUS_TOKEN_END && strcmp(scan->word, word) == 0;
}

bool litmus_scan_take(struct litmus_scan *scan, const char *word)
{
    const bool is_it = litmus_scan_is(scan, word);

    if (is_it) {
        litmus_scan_next(scan);
    }
    return is_it;
}

void litmus_scan_expect(struct litmus_scan *scan, const char *word, const char *what)
{
    if (!litmus_scan_take(scan, word)) {
        litmus_scan_fail(scan, scan->line, "'%s' where %s belongs", litmus_scan_shown(scan), what);
    }
}

int64_t litmus_scan_number(struct litmus_scan *scan, const char *what, int64_t least, int64_t most)
{
    errno = 0;
    const int64_t value = strtoll(scan->word, NULL, 10);

    if (scan->token != LITMUS_TOKEN_NUMBER || errno != 0 || value < least || value > most) {
        litmus_scan_fail(scan, scan->line, "'%s' where %s belongs, from %" PRId64 " to %" PRId64,
                         litmus_scan_shown(scan), what, least, most);
        return least;
    }
    litmus_scan_next(scan);
    return value;
}
