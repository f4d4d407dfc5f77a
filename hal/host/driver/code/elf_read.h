/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Reading a file, and what a message about it needs. Whatever fails returns SL_ERROR_USAGE, or
 * SL_ERROR_MACHINE where the system has run out of something, with a message. */
#ifndef SLUICE_HOST_DRIVER_CODE_ELF_READ_H
#define SLUICE_HOST_DRIVER_CODE_ELF_READ_H

#include "host/driver/code/elf.h"

/* Where a message about a file goes. */
struct sl_elf_report {
    const char *what; /* "kernel file" */
    const char *path;
    const char *advice; /* "; kernels are compiled and linked by ..." */
    char *error;
    size_t error_bytes;
};

/* Writes what it is, 'path' and the printf-style rest. Returns SL_ERROR_USAGE. */
enum sl_status sl_elf_fail(const struct sl_elf_report *report, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Writes that memory is out. Returns SL_ERROR_MACHINE. */
enum sl_status sl_elf_short(const struct sl_elf_report *report);

/* Reads a file into memory and opens it: it is a 64-bit little-endian ELF file for RISC-V. `take`
 * then takes the segments; functions and global pointer come from the symbol table. Returns
 * SL_OK, or as sl_elf_open(). */
enum sl_status sl_elf_read(struct sl_elf *elf, const struct sl_elf_report *report,
                           enum sl_status (*take)(struct sl_elf *elf,
                                                  const struct sl_elf_report *report));

/* Fills functions and global pointer from the symbol table. */
enum sl_status sl_elf_find_symbols(struct sl_elf *elf, const struct sl_elf_report *report);

/* Finds what kernels say of themselves. */
enum sl_status sl_elf_find_records(struct sl_elf *elf, const struct sl_elf_report *report);

/* Looks whether it has nothing that kernels cannot have. */
enum sl_status sl_elf_check_supported(const struct sl_elf *elf, const struct sl_elf_report *report);

/* Looks whether nothing calls an entry. */
enum sl_status sl_elf_check_entries(const struct sl_elf *elf, const struct sl_elf_report *report);

#endif
