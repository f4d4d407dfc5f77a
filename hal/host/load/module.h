/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A loaded ELF file of kernels, as the rest of the host library uses it.
 *
 *     module.c, print_buffer.c             what is made of it in shared memory
 *     elf_kernels.c, elf_firmware.c        files of kernels, and the firmware's (elf.h)
 *     elf_read.c, elf_symbols.c            what both are read with
 *     debug_lines.c                        source lines of code
 *
 * Depends on machine and analysis. */
#ifndef SLUICE_HOST_MODULE_H
#define SLUICE_HOST_MODULE_H

#include <stdbool.h>

#include "host/sluice.h"

struct sl_soc *sl_module_soc(const struct sl_module *module);

/* Address of the struct sl_program in shared memory. */
uint64_t sl_module_program(const struct sl_module *module);

/* What its kernels print to; NULL where they do not print. */
struct sl_print_buffer *sl_module_print_buffer(const struct sl_module *module);

/* What a kernel and its callees need: a bit for each register used
 * (host/analysis/registers_used.h), and whether they yield. */
struct sl_kernel_needs {
    uint64_t register_mask;
    bool yields;
};

/* By handle (sl_module_kernel): name, entry address, needs. */
const char *sl_module_kernel_name(const struct sl_module *module, int kernel);
uint64_t sl_module_kernel_entry(const struct sl_module *module, int kernel);
struct sl_kernel_needs sl_module_kernel_needs(const struct sl_module *module, int kernel);

/* LDS that the program's variables take in each work-group. */
uint64_t sl_module_lds_bytes(const struct sl_module *module);

/* Describes a code address: "function (file.c:12)", "function" without debug information, or the
 * bare address outside any function. Never fails. */
void sl_module_describe(const struct sl_module *module, uint64_t pc, char *out, size_t bytes);

/* Frees the host's side of a module (close calls it). */
void sl_module_destroy(struct sl_module *module);

#endif
