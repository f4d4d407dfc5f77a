/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Kernels of $SLUICE_BUILD/kernels in a test's own DRAM, analysed as hal/host/driver/code/module.c
 * does it. */
#ifndef SLUICE_TESTS_KERNEL_FILE_H
#define SLUICE_TESTS_KERNEL_FILE_H

#include "host/driver/code/elf.h"
#include "mem/dram.h"
#include "sluice/layouts.h"

/* Opens "name.elf" and copies its segments to their addresses. The test fails where that fails. The
 * caller closes the file. */
void kernel_file_open(struct sl_elf *elf, const char *file, const struct dram *dram);

/* Bytes of its tables. */
uint64_t kernel_file_table_bytes(const struct sl_elf *elf);

/* Computes the tables at an address in DRAM; returns what the device has to be told of the program.
 */
struct sl_program kernel_file_analyse(const struct sl_elf *elf, const struct dram *dram,
                                      uint64_t table);

/* The address of a function, and where wavefronts begin that execute it: its distance from the
 * program's code. The test fails where the file has none of this name. */
uint64_t kernel_file_function(const struct sl_elf *elf, const char *name);
uint32_t kernel_file_entry(const struct sl_elf *elf, const char *name);

#endif
