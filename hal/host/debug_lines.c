/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Address to line through libdw. Asked only when something has gone wrong, so that nothing is kept.
 */
#include "host/debug_lines.h"

#include <stdbool.h>
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

struct sl_debug_line sl_debug_line_at(Dwarf *lines, uint64_t pc)
{
    struct sl_debug_line found = {NULL, 0};
    Dwarf_Die unit;
    if (lines == NULL || !find_unit(lines, pc, &unit)) {
        return found;
    }
    Dwarf_Line *line = dwarf_getsrc_die(&unit, pc);
    const char *file = line == NULL ? NULL : dwarf_linesrc(line, NULL, NULL);
    if (file == NULL || dwarf_lineno(line, &found.line) != 0) {
        return (struct sl_debug_line){NULL, 0};
    }
    const char *slash = strrchr(file, '/');
    found.file = slash == NULL ? file : slash + 1;
    return found;
}
