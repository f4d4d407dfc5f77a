/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Source places of code addresses, through inlined calls, for check-convergence. */
#ifndef SLUICE_CHECK_CONVERGENCE_SOURCE_PLACE_H
#define SLUICE_CHECK_CONVERGENCE_SOURCE_PLACE_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Writes "file.c:12" for an address: the innermost place that is not in a header of Sluice, then
 * where that was inlined, ", inlined at file.c:34". "address 0x..." without debug information. */
void place_text(Dwarf *lines, uint64_t address, char *out, size_t bytes);

/* Whether an address is of a C compilation unit. Assembly is taken as its author wrote it. */
bool place_is_c(Dwarf *lines, uint64_t address);

#endif
