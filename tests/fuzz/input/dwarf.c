/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A file with debug information, which need be no good file of kernels otherwise: what is said of
 * the first instructions of kernel code. */
#include <libelf.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/input/input.h"
#include "host/driver/code/debug_lines.h"
#include "host/driver/code/prototype.h"
#include "sluice/memory_map.h"

#define CODE_BYTES 256u
#define FRAMES     16

static void describe(Dwarf *lines, uint64_t pc)
{
    struct sl_debug_frame frames[FRAMES];
    char list[256] = "";
    const struct sl_prototype prototype = sl_prototype_at(lines, pc);

    sl_prototype_append(&prototype, list, sizeof list);
    input_check(sl_debug_frames(lines, pc, frames, FRAMES) <= FRAMES);
    (void)sl_debug_line_at(lines, pc);
    (void)sl_debug_line_outside(lines, pc);
    (void)sl_debug_function_of_source(lines, pc);
}

int input_dwarf(const uint8_t *data, size_t bytes)
{
    char *const image = malloc(bytes > 0 ? bytes : 1); /* which elf_memory() may change */

    input_check(image != NULL);
    memcpy(image, data, bytes);
    (void)elf_version(EV_CURRENT);
    Elf *const elf = elf_memory(image, bytes);
    Dwarf *const lines = elf != NULL ? sl_debug_lines_open(elf) : NULL;
    if (lines != NULL) {
        for (uint64_t offset = 0; offset < CODE_BYTES; offset += 8) {
            describe(lines, SL_KERNEL_BASE + offset);
        }
        sl_debug_lines_close(lines);
    }
    (void)elf_end(elf);
    free(image);
    return 0;
}
