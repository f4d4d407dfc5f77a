/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Types of DWARF debug information as C and C++ write them, for messages. */
#ifndef SLUICE_HOST_DRIVER_CODE_TYPE_TEXT_H
#define SLUICE_HOST_DRIVER_CODE_TYPE_TEXT_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>

/* The type that a variable, a parameter or another type is of. False where it is void. */
bool sl_type_of(Dwarf_Die *die, Dwarf_Die *type);

/* Appends a type: "const float *", "struct point", "uint32_t". What is too long is cut off. */
void sl_type_append(Dwarf_Die *type, char *out, size_t bytes);

#endif
