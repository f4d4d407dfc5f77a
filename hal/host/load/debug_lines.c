/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Address to line through libdw. Asked only when something has gone wrong, so that nothing is kept.
 */
#include "host/load/debug_lines.h"

#include <dwarf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

Dwarf *sl_debug_lines_open(Elf *elf)
{
    return dwarf_begin_elf(elf, DWARF_C_READ, NULL);
}

void sl_debug_lines_close(Dwarf *lines)
{
    (void)dwarf_end(lines);
}

/* The compilation unit of an address: by the file's own index, or where it has none, by looking at
 * each. */
static bool find_unit(Dwarf *lines, uint64_t pc, Dwarf_Die *unit)
{
    if (dwarf_addrdie(lines, pc, unit) != NULL) {
        return true;
    }
    Dwarf_CU *cu = NULL;
    while (dwarf_get_units(lines, cu, &cu, NULL, NULL, unit, NULL) == 0) {
        if (dwarf_haspc(unit, pc) == 1) {
            return true;
        }
    }
    return false;
}

static struct sl_debug_line without_folder(struct sl_debug_line line)
{
    const char *slash = line.file == NULL ? NULL : strrchr(line.file, '/');
    if (slash != NULL) {
        line.file = slash + 1;
    }
    return line;
}

/* The file as the table of lines has it, and the unit of the address. */
static struct sl_debug_line find_line(Dwarf *lines, uint64_t pc, Dwarf_Die *unit)
{
    struct sl_debug_line found = {NULL, 0};
    if (lines == NULL || !find_unit(lines, pc, unit)) {
        return found;
    }
    Dwarf_Line *line = dwarf_getsrc_die(unit, pc);
    const char *file = line == NULL ? NULL : dwarf_linesrc(line, NULL, NULL);
    if (file == NULL || dwarf_lineno(line, &found.line) != 0) {
        return (struct sl_debug_line){NULL, 0};
    }
    found.file = file;
    return found;
}

struct sl_debug_line sl_debug_line_at(Dwarf *lines, uint64_t pc)
{
    Dwarf_Die unit;
    return without_folder(find_line(lines, pc, &unit));
}

/* The path from the folder in which the unit was compiled, where it is below it. */
static struct sl_debug_line without_compile_folder(struct sl_debug_line line, Dwarf_Die *unit)
{
    Dwarf_Attribute attribute;
    if (line.file == NULL) {
        return line;
    }
    const char *folder = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
    const size_t length = folder == NULL ? 0 : strlen(folder);
    if (length > 0 && strncmp(line.file, folder, length) == 0 && line.file[length] == '/') {
        line.file += length + 1;
    }
    return line;
}

struct sl_debug_line sl_debug_path_at(Dwarf *lines, uint64_t pc)
{
    Dwarf_Die unit;
    return without_compile_folder(find_line(lines, pc, &unit), &unit);
}

/* An unsigned attribute; 0, which is no file and no line, where it is missing. */
static Dwarf_Word attribute_of(Dwarf_Die *die, unsigned name)
{
    Dwarf_Attribute attribute;
    Dwarf_Word value = 0;
    if (dwarf_attr(die, name, &attribute) == NULL || dwarf_formudata(&attribute, &value) != 0) {
        return 0;
    }
    return value;
}

/* The file as the table of lines has it, and the unit of the address. */
static struct sl_debug_line find_outside(Dwarf *lines, uint64_t pc, Dwarf_Die *unit)
{
    struct sl_debug_line found = {NULL, 0};
    Dwarf_Die *scopes = NULL; /* from the innermost one */
    Dwarf_Die *outermost = NULL;
    Dwarf_Files *files;
    size_t file_count;
    if (lines == NULL || !find_unit(lines, pc, unit) ||
        dwarf_getsrcfiles(unit, &files, &file_count) != 0) {
        return found;
    }
    const int count = dwarf_getscopes(unit, pc, &scopes);
    for (int i = 0; i < count && dwarf_tag(&scopes[i]) != DW_TAG_subprogram; i++) {
        if (dwarf_tag(&scopes[i]) == DW_TAG_inlined_subroutine) {
            outermost = &scopes[i];
        }
    }
    if (outermost != NULL) {
        const Dwarf_Word file = attribute_of(outermost, DW_AT_call_file);
        found.file = file < file_count ? dwarf_filesrc(files, file, NULL, NULL) : NULL;
        found.line = (int)attribute_of(outermost, DW_AT_call_line);
    }
    free(scopes);
    return found;
}

struct sl_debug_line sl_debug_line_outside(Dwarf *lines, uint64_t pc)
{
    Dwarf_Die unit;
    return without_folder(find_outside(lines, pc, &unit));
}

struct sl_debug_line sl_debug_path_outside(Dwarf *lines, uint64_t pc)
{
    Dwarf_Die unit;
    return without_compile_folder(find_outside(lines, pc, &unit), &unit);
}
