/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Cells of tables. A cell has the first sentences of a text, as many as fit; the others stand in a
 * note below the table, so that no cell is wider than a screen. */
#include <stdio.h>
#include <string.h>

#include "docgen.h"

#define CELL_CHARS 120

/* Where the sentences begin that do not fit; the first one always does. */
static size_t fitting(const char *text)
{
    const size_t length = strlen(text);
    size_t end = 0;
    if (length <= CELL_CHARS) {
        return length;
    }
    for (const char *at = strstr(text, ". "); at != NULL; at = strstr(at + 1, ". ")) {
        const size_t next = (size_t)(at - text) + 1;
        if (end != 0 && next > CELL_CHARS) {
            break;
        }
        end = next;
    }
    return end != 0 ? end : length;
}

bool docgen_cell(const char *text)
{
    const size_t end = fitting(text);
    char first[1024];
    (void)snprintf(first, sizeof first, "%.*s", (int)end, text);
    docgen_text(first);
    return text[end] != '\0';
}

void docgen_note(const char *name, const char *text)
{
    const char *const rest = text + fitting(text);
    if (*rest != '\0') {
        printf("- `%s`:", name);
        docgen_text(rest);
        printf("\n");
    }
}
