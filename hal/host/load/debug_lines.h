/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Source lines of kernel code, from its DWARF debug information. */
#ifndef SLUICE_HOST_DEBUG_LINES_H
#define SLUICE_HOST_DEBUG_LINES_H

#include <elfutils/libdw.h>
#include <stdint.h>

/* Reads an open ELF file, which has to stay open. NULL where it has no debug information. */
Dwarf *sl_debug_lines_open(Elf *elf);
void sl_debug_lines_close(Dwarf *lines);

struct sl_debug_line {
    const char *file; /* without its folder, but for sl_debug_path_*(); lives as long as the Dwarf
                         object; NULL where unknown */
    int line;
};

/* The line of an instruction; `lines` may be NULL. */
struct sl_debug_line sl_debug_line_at(Dwarf *lines, uint64_t pc);

/* The same with the file's path: from the folder in which the file was compiled where it is below
 * it. */
struct sl_debug_line sl_debug_path_at(Dwarf *lines, uint64_t pc);

/* Where the instruction is of an inlined function: the line of the function proper that calls it.
 * Otherwise its file is NULL. */
struct sl_debug_line sl_debug_line_outside(Dwarf *lines, uint64_t pc);
struct sl_debug_line sl_debug_path_outside(Dwarf *lines, uint64_t pc);

#endif
