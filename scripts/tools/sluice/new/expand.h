/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Texts of templates: words that stand for something else, and lines that stay behind. */
#ifndef SLUICE_CLI_EXPAND_H
#define SLUICE_CLI_EXPAND_H

#include <stdio.h>

/* A word, wherever it stands, and what takes its place. The last of a table has none. */
struct expand_mark {
    const char *word;
    const char *text;
};

/* Writes the text with its marks replaced. */
void expand_text(FILE *out, const char *text, const struct expand_mark *marks);

/* The same for all lines of a file, but for those that say whose the template is: SPDX lines among
 * the first three, and the empty one behind them. */
void expand_file(FILE *out, FILE *in, const struct expand_mark *marks);

#endif
