/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What all pages are made of: sentences, and names by patterns. */
#include <stdio.h>
#include <string.h>

#include "docgen.h"

/* The short names of papers/000 and so on, which are headings of docs/know/papers.md. */
static const struct paper {
    const char *name;
    const char *anchor;
} papers[] = {
    {"Hechtman14", "hechtman14"},     {"Orr14", "orr14"},
    {"Hower14", "hower14"},           {"Anssari12", "anssari12"},
    {"Ramamurthy11", "ramamurthy11"},
};
#define PAPERS (sizeof papers / sizeof papers[0])

/* The paper whose number the text begins with; NULL for none. */
static const struct paper *paper_at(const char *text)
{
    unsigned number;
    return sscanf(text, "papers/%3u", &number) == 1 && number < PAPERS ? &papers[number] : NULL;
}

void docgen_text(const char *text)
{
    while (*text != '\0') {
        const struct paper *const paper = paper_at(text);
        if (paper != NULL) {
            printf("[%s](../know/papers.md#%s)", paper->name, paper->anchor);
            text += strlen("papers/NNN");
            continue;
        }
        if (*text == '|' || *text == '<' || *text == '*') {
            putchar('\\');
        }
        putchar(*text++);
    }
}

struct docgen_name docgen_fill(const char *pattern, const char *part, size_t length)
{
    struct docgen_name name;
    const int head = (int)strcspn(pattern, "*");
    (void)snprintf(name.text, sizeof name.text, "%.*s%.*s%s", head, pattern, (int)length, part,
                   pattern + head + 1);
    return name;
}
