/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Cells of tables. A cell has the first sentences of a text, as many as fit; the others stand below
 * the table, so that no table is wider than a screen. */
#include <stdio.h>
#include <string.h>

#include "docgen.h"

#define CELL_CHARS 120
#define TEXT_MAX   1024

/* Length of the whole sentences that fit into a cell: the first one in any case. */
static size_t cell_length(const char *text)
{
    size_t length = strlen(text);
    while (length > CELL_CHARS) {
        size_t end = length - 1; /* the end of the sentence before the last one */
        while (end > 0 && (text[end - 1] != '.' || text[end] != ' ')) {
            end--;
        }
        if (end == 0) {
            break;
        }
        length = end;
    }
    return length;
}

void docgen_cell(const char *text)
{
    char first[TEXT_MAX];
    (void)snprintf(first, sizeof first, "%.*s", (int)cell_length(text), text);
    docgen_text(first);
}

const char *docgen_rest(const char *text)
{
    const char *const rest = text + cell_length(text);
    return *rest == ' ' ? rest + 1 : rest;
}

void docgen_note(const char *name, const char *text)
{
    const char *const rest = docgen_rest(text);
    if (*rest != '\0') {
        printf("- `%s`: ", name);
        docgen_text(rest);
        printf("\n");
    }
}
