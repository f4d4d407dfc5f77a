/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What a file's symbols and sections name. */
#ifndef SLUICE_HOST_ELF_SYMBOLS_H
#define SLUICE_HOST_ELF_SYMBOLS_H

#include "host/load/elf_read.h"

/* Fills lds_bytes from the section headers. Returns 0, or -1 with a message. */
int sl_elf_find_lds(struct sl_elf *elf, const struct sl_elf_report *report);

/* Fills functions and global pointer from the symbol table. Returns 0, or -1 with a message. */
int sl_elf_find_symbols(struct sl_elf *elf, const struct sl_elf_report *report);

#endif
