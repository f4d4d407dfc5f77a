/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* From a litmus file to a test; docs/do/write-litmus-tests.md has the grammar. */
#ifndef SLUICE_LITMUS_PARSE_H
#define SLUICE_LITMUS_PARSE_H

#include "litmus/scan.h"
#include "litmus/test.h"

/* Parses a text. False on an error, then `error` (LITMUS_ERROR_BYTES) says "path:line: " and what
 * is wrong with it. */
bool litmus_parse(const char *path, const char *text, struct litmus_test *test, char *error);

/* The same for a file, which may not be readable either. */
bool litmus_parse_file(const char *path, struct litmus_test *test, char *error);

#endif
