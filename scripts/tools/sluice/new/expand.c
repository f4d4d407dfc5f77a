/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Marks are few and texts short: each place is compared with each of them. */
#define _GNU_SOURCE 1
#include "new/expand.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define LICENCE_LINES 3 /* at the top: two, and perhaps the name of an interpreter in front */

static const struct expand_mark *mark_at(const char *text, const struct expand_mark *marks)
{
    for (; marks->word != NULL; marks++) {
        if (strncmp(text, marks->word, strlen(marks->word)) == 0) {
            return marks;
        }
    }
    return NULL;
}

void expand_text(FILE *out, const char *text, const struct expand_mark *marks)
{
    while (*text != '\0') {
        const struct expand_mark *const mark = mark_at(text, marks);
        if (mark != NULL) {
            (void)fputs(mark->text, out);
            text += strlen(mark->word);
        } else {
            (void)fputc(*text++, out);
        }
    }
}

static bool is_empty(const char *line)
{
    return strcmp(line, "\n") == 0 || strcmp(line, "#\n") == 0;
}

void expand_file(FILE *out, FILE *in, const struct expand_mark *marks)
{
    char *line = NULL;
    size_t bytes = 0;
    bool is_behind = false; /* the line before has stayed behind */

    for (int number = 1; getline(&line, &bytes, in) >= 0; number++) {
        const bool is_licence = number <= LICENCE_LINES && strstr(line, "SPDX-") != NULL;
        if (!is_licence && !(is_behind && is_empty(line))) {
            expand_text(out, line, marks);
        }
        is_behind = is_licence;
    }
    free(line);
}
