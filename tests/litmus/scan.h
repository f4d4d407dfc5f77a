/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The words of a litmus file, one after the other, with a look at the next one. The first error is
 * kept, and from then on there are no more words, so that whoever parses need not ask after each.
 */
#ifndef SLUICE_LITMUS_SCAN_H
#define SLUICE_LITMUS_SCAN_H

#include <stdbool.h>
#include <stdint.h>

#define LITMUS_ERROR_BYTES 512
#define LITMUS_WORD_BYTES  48

enum litmus_token {
    LITMUS_TOKEN_END,
    LITMUS_TOKEN_WORD,   /* letters, digits, '_' and '.' */
    LITMUS_TOKEN_NUMBER, /* decimal, with a sign or without */
    LITMUS_TOKEN_SIGN, /* one of { } ( ) [ ] | ; , : = ~ * or the two-letter signs of conditions */
};

struct litmus_scan {
    const char *path; /* for messages */
    const char *at;
    unsigned line; /* of the word */
    enum litmus_token token;
    char word[LITMUS_WORD_BYTES];
    unsigned next_line; /* of what `at` points to */
    char *error;        /* LITMUS_ERROR_BYTES; empty while there is none */
};

/* Begins a text. */
void litmus_scan_begin(struct litmus_scan *scan, const char *path, const char *text, char *error);

/* Goes to the next word. */
void litmus_scan_next(struct litmus_scan *scan);

/* What is left of the line, without space around it, as one word; then goes to the next word. `out`
 * has `bytes`. */
void litmus_scan_line(struct litmus_scan *scan, char *out, unsigned bytes);

/* Whether the word is this one. */
bool litmus_scan_is(const struct litmus_scan *scan, const char *word);

/* Takes the word where it is this one. */
bool litmus_scan_take(struct litmus_scan *scan, const char *word);

/* Takes this word; another one is an error, which says `what` it would have been. */
void litmus_scan_expect(struct litmus_scan *scan, const char *word, const char *what);

/* A number from `least` to `most`; anything else is an error, which says `what` it would have been.
 */
int64_t litmus_scan_number(struct litmus_scan *scan, const char *what, int64_t least, int64_t most);

/* Keeps an error, "path:line: " in front of it. */
void litmus_scan_fail(struct litmus_scan *scan, unsigned line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The word as a message shows it. */
const char *litmus_scan_shown(const struct litmus_scan *scan);

static inline bool litmus_scan_failed(const struct litmus_scan *scan)
{
    return scan->error[0] != '\0';
}

#endif
