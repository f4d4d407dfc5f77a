/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* An ELF file of kernels, or the firmware's: its segments and functions, once it has been checked.
 * Writes nothing outside the object: module.c copies the segments. */
#ifndef SLUICE_HOST_DRIVER_CODE_ELF_H
#define SLUICE_HOST_DRIVER_CODE_ELF_H

#include <gelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sluice/sluice.h"

#include "sluice/tasks.h"

#define SL_ELF_SEGMENTS_MAX 16

struct sl_elf_segment {
    uint64_t address;
    uint64_t bytes; /* in memory; those beyond file_bytes are zero */
    uint64_t file_bytes;
    const void *data;
    bool is_code;
    bool is_writable;
};

struct sl_elf_function {
    const char *name;
    uint64_t address;
    uint64_t bytes;
    bool is_global;
    uint32_t resident;           /* SL_KERNEL_RESIDENT; 0: it says none */
    struct sl_tasks_kernel work; /* SL_WORK; zeroes: it is none of these */
    bool is_entry; /* of its own calling convention (STO_RISCV_VARIANT_CC): nothing may call it */
};

/* Names and data live as long as the object. */
struct sl_elf {
    char *path;
    char *image; /* the whole file */
    size_t image_bytes;
    Elf *elf;
    struct sl_elf_segment segments[SL_ELF_SEGMENTS_MAX];
    size_t segment_count;
    size_t code;                       /* the executable one of the segments */
    struct sl_elf_function *functions; /* in ascending order of address; of the code alone */
    size_t function_count;
    uint64_t print_buffer;   /* address of its pointer to one (sl_printf); 0 where it has none */
    uint64_t lds_bytes;      /* of the section .lds, which work-groups have of their own */
    uint64_t routines;       /* of the channel routines (linker/kernel.ld), which lie together */
    uint64_t routines_limit; /* in the code: from here up to there; both 0 where there are none */
    uint64_t global_pointer; /* 0 where the file defines none */
};

/* Opens a file of kernels that the device can run; or the file of the firmware, whose only segment
 * is then the code that runs from RAM. Returns SL_OK; SL_ERROR_USAGE with a message that names the
 * file, what is wrong and what would be right; or SL_ERROR_MACHINE, where the system has run out of
 * something. The object need not be closed then. */
enum sl_status sl_elf_open(struct sl_elf *elf, const char *path, char *error, size_t error_bytes);
enum sl_status sl_elf_open_firmware(struct sl_elf *elf, const char *path, char *error,
                                    size_t error_bytes);

void sl_elf_close(struct sl_elf *elf);

/* The variable or constant that contains an address, by the symbol table. Returns false where there
 * is none. */
struct sl_elf_variable {
    const char *name;
    bool is_writable;
};
bool sl_elf_variable_at(const struct sl_elf *elf, uint64_t address,
                        struct sl_elf_variable *variable);

/* The function that contains an address, or NULL. */
const struct sl_elf_function *sl_elf_function_at(const struct sl_elf *elf, uint64_t address);

/* The value of a symbol of its table, or 0 where there is none. */
uint64_t sl_elf_symbol(const struct sl_elf *elf, const char *name);

#endif
