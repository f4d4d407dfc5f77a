/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Source lines of kernel code, from its DWARF debug information. */
#ifndef SLUICE_HOST_DRIVER_CODE_DEBUG_LINES_H
#define SLUICE_HOST_DRIVER_CODE_DEBUG_LINES_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

/* Reads an open ELF file, which has to stay open. NULL where it has no debug information. */
Dwarf *sl_debug_lines_open(Elf *elf);
void sl_debug_lines_close(Dwarf *lines);

/* The compilation unit of an address. False where there is none. */
bool sl_debug_unit_at(Dwarf *lines, uint64_t pc, Dwarf_Die *unit);

/* The name that a piece of debug information has. NULL where it has none, or one that is no plain
 * text: such names, as those of files, are taken for none. */
const char *sl_debug_name(Dwarf_Die *die);

/* The function proper that an address is in. False where there is none. */
bool sl_debug_function_at(Dwarf *lines, uint64_t pc, Dwarf_Die *function);

/* Names live as long as the Dwarf object; NULL where the line is not known. */
struct sl_debug_line {
    const char *path; /* from the folder in which it was compiled, where it is below that */
    const char *file; /* without its folder */
    int line;
};

/* The line of an instruction; `lines` may be NULL. */
struct sl_debug_line sl_debug_line_at(Dwarf *lines, uint64_t pc);

/* The functions that the instruction is of, from the innermost one, which may be inlined, out to
 * the function proper, each with its line: that of the instruction, or where the one before is
 * inlined. Returns how many there are, `most` at most; `lines` may be NULL. */
struct sl_debug_frame {
    const char *function; /* NULL where it has no name */
    struct sl_debug_line line;
};
int sl_debug_frames(Dwarf *lines, uint64_t pc, struct sl_debug_frame *frames, int most);

/* The function whose source the instruction is, which may be inlined into another one. Name and
 * path are NULL where they are not known; `lines` may be NULL. */
struct sl_debug_function {
    const char *name;
    const char *path; /* of the file that declares it, as in struct sl_debug_line */
    bool is_inlined;
};
struct sl_debug_function sl_debug_function_of_source(Dwarf *lines, uint64_t pc);

/* Where the instruction is of an inlined function: the line of the function proper that calls it.
 * Otherwise it is not known. */
struct sl_debug_line sl_debug_line_outside(Dwarf *lines, uint64_t pc);

#endif
