/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Fields of CSV (RFC 4180). */
#ifndef SLUICE_CLI_CSV_H
#define SLUICE_CLI_CSV_H

#include <jansson.h>
#include <stdio.h>

/* A field, in quotes where it needs them. */
void csv_print_text(FILE *file, const char *text);

/* A text or number; nothing where it is neither. */
void csv_print_value(FILE *file, const json_t *value);

#endif
