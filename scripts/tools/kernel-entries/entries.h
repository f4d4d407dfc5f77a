/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The entries in one file of assembly that GCC wrote. */
#ifndef SLUICE_KERNEL_ENTRIES_ENTRIES_H
#define SLUICE_KERNEL_ENTRIES_ENTRIES_H

#include <stdio.h>

/* Writes the assembly in `text`, which is compiled with -dP, to a stream: without the comments of
 * -dP, and with entries that save no registers. Changes `text`. Returns 0, or -1 when out of
 * memory; whether writing succeeded, the stream says. */
int entries_write(char *text, FILE *out);

#endif
