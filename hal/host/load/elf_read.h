/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Reading a file, and what a message about it needs. */
#ifndef SLUICE_HOST_ELF_READ_H
#define SLUICE_HOST_ELF_READ_H

#include "host/load/elf.h"

/* Where a message about a file goes. */
struct sl_elf_report {
    const char *what; /* "kernel file" */
    const char *path;
    const char *advice; /* "; kernels are compiled and linked by ..." */
    char *error;
    size_t error_bytes;
};

/* Writes what it is, 'path' and the printf-style rest. Returns -1. */
int sl_elf_fail(const struct sl_elf_report *report, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Writes that memory is out. Returns SL_ELF_SHORT. */
int sl_elf_short(const struct sl_elf_report *report);

/* Reads a file into memory and opens it: it is a 64-bit little-endian ELF file for RISC-V. `take`
 * then takes the segments; functions and global pointer come from the symbol table. Returns 0,
 * -1 or SL_ELF_SHORT with a message; the object need not be closed then. */
int sl_elf_read(struct sl_elf *elf, const struct sl_elf_report *report,
                int (*take)(struct sl_elf *elf, const struct sl_elf_report *report));

/* Fills functions and global pointer from the symbol table. Returns 0, or -1 or SL_ELF_SHORT with a
 * message. */
int sl_elf_find_symbols(struct sl_elf *elf, const struct sl_elf_report *report);

/* Finds what kernels say of themselves. Returns 0, or -1 with a message. */
int sl_elf_find_records(struct sl_elf *elf, const struct sl_elf_report *report);

/* Whether it has nothing that kernels cannot have. Returns 0, or -1 with a message. */
int sl_elf_check_supported(const struct sl_elf *elf, const struct sl_elf_report *report);

/* Whether nothing calls an entry. Returns 0, or -1 with a message. */
int sl_elf_check_entries(const struct sl_elf *elf, const struct sl_elf_report *report);

#endif
