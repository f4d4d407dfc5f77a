/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A loaded ELF file of kernels, as the rest of the host library uses it.
 *
 *     module.c, print_buffer.c             what is made of it in shared memory
 *     elf_open.c                           files of kernels, and the firmware's (elf.h)
 *     elf_read.c, elf_symbols.c            what both are read with
 *     elf_entries.c                        that nothing calls an entry
 *     elf_records.c                        what kernels say of themselves
 *     debug_lines.c                        source lines of code
 *     prototype.c, type_text.c             what kernels are called with
 *     kernel_arguments.c, value_convert.c  what they are given, held against that
 *     lock_text.c                          what is wrong with locks in it
 *
 * Depends on machine and analysis. */
#ifndef SLUICE_HOST_DRIVER_CODE_MODULE_H
#define SLUICE_HOST_DRIVER_CODE_MODULE_H

#include "host/driver/code/debug_lines.h"
#include "host/driver/code/elf.h"
#include "host/driver/code/kernel_arguments.h"
#include "sluice/sluice.h"

struct sl_soc *sl_module_soc(const struct sl_module *module);

/* Address of the struct sl_program in shared memory. */
uint64_t sl_module_program(const struct sl_module *module);

/* What its kernels print to; NULL where they do not print. */
struct sl_print_buffer *sl_module_print_buffer(const struct sl_module *module);

/* Gives a program a buffer to print to, in the shared heap; `variable` is the address of its
 * pointer to one, or 0 where it does not print: then *buffer is NULL. SL_OK, or SL_ERROR_USAGE with
 * a message. */
SL_MUST_USE enum sl_status sl_print_buffer_attach(struct sl_soc *soc, uint64_t variable,
                                                  struct sl_print_buffer **buffer);

/* A kernel by handle (sl_module_kernel): its name; and what it is for the device, with no arguments
 * and no limits: entry, registers that it and its callees use, whether they yield,
 * the bound on its wavefronts in flight. */
const char *sl_module_kernel_name(const struct sl_module *module, int kernel);
struct sl_kernel sl_module_kernel_needs(const struct sl_module *module, int kernel);

/* What it is called with, which lives as long as the module: read once, and not known where the
 * host is out of memory. */
const struct sl_prototype *sl_module_prototype(struct sl_module *module, int kernel);

/* What it has for task queues; zeroes where it is not made for these. */
struct sl_tasks_kernel sl_module_work(const struct sl_module *module, int kernel);

/* LDS that the program's variables take in each work-group, or wavefront that has its own. */
uint64_t sl_module_lds_bytes(const struct sl_module *module);

/* LDS in all, where so many bytes follow the variables: from where sl_lds_dynamic() says on, which
 * is aligned (linker/kernel.ld). */
static inline uint32_t sl_module_lds_total(const struct sl_module *module, uint32_t dynamic_bytes)
{
    const uint64_t align = 16;
    const uint64_t declared = (sl_module_lds_bytes(module) + align - 1) & ~(align - 1);
    const uint64_t total = declared + dynamic_bytes;
    return total > UINT32_MAX ? UINT32_MAX : (uint32_t)total;
}

/* Its file's functions, and its debug information, NULL where there is none. */
const struct sl_elf *sl_module_elf(const struct sl_module *module);
Dwarf *sl_module_lines(const struct sl_module *module);

/* Describes a code address: "function (file.c:12)", "function" without debug information, or the
 * bare address outside any function. Never fails. */
void sl_module_describe(const struct sl_module *module, uint64_t pc, char *out, size_t bytes);

/* The same in parts, which live as long as the module. The function is the innermost one that is no
 * inlined function of hal/kernel's headers, which stand for an instruction each, and the line that
 * where it has the instruction, or such a function; NULL outside any function, and no file without
 * debug information. */
struct sl_code_place {
    const char *function;
    const char *path;
    const char *file; /* without its folder */
    int line;
    const char *wave; /* the outermost of those inlined in it, or NULL */
};
struct sl_code_place sl_module_place(const struct sl_module *module, uint64_t pc);

/* Frees the host's side of a module (close calls it). */
void sl_module_destroy(struct sl_module *module);

#endif
