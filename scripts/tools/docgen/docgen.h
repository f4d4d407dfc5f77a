/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The pages of generated documentation: each prints Markdown to standard output, made of the tables
 * that the code is made of (hal/contract, hal/config), so that it cannot say anything else. */
#ifndef SLUICE_DOCGEN_H
#define SLUICE_DOCGEN_H

#include <stdbool.h>
#include <stddef.h>

void docgen_registers(void);
void docgen_statistics(void);
void docgen_configuration(void);
void docgen_errors(void);

/* A sentence, in a cell or in running text: what Markdown would take for its own is escaped, and
 * papers/001 becomes a link with the paper's short name. */
void docgen_text(const char *text);

/* A pattern's name: a part in place of its *, of `length` characters. */
struct docgen_name {
    char text[128];
};
struct docgen_name docgen_fill(const char *pattern, const char *part, size_t length);

/* The first sentences of a text, as many as a cell has room for, and the rest: empty if all have
 * room. */
void docgen_cell(const char *text);
const char *docgen_rest(const char *text);

/* The rest, if any, as an item of the list below the table. */
void docgen_note(const char *name, const char *text);

/* Enumerations of hal/contract/codes.def, by their names without sl_ in front: the list of one's
 * values, alone or below its sentence. */
void docgen_enumerators(const char *name);
void docgen_enumeration(const char *name);

/* Those that the page of errors has; the page of registers has the others. */
bool docgen_is_error_enumeration(const char *name);

/* Calls visit for each enumeration, in the table's order. */
void docgen_each_enumeration(void (*visit)(const char *name));

#endif
