/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Line table for the innermost place, DIEs of inlined functions for those around it. */
#include "source_place.h"

#include <dwarf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/driver/code/debug_lines.h"

bool place_is_c(Dwarf *lines, uint64_t address)
{
    Dwarf_Die unit;
    return sl_debug_unit_at(lines, address, &unit) &&
           dwarf_srclang(&unit) != DW_LANG_Mips_Assembler;
}

struct text {
    char *out;
    size_t bytes;
    size_t length;
};

static void append(struct text *text, const char *file, uint64_t line)
{
    bool is_first = text->length == 0;
    if (file == NULL || (is_first && strstr(file, "include/sluice/") != NULL)) {
        return;
    }
    int length = snprintf(text->out + text->length, text->bytes - text->length, "%s%s:%" PRIu64,
                          is_first ? "" : ", inlined at ", file, line);
    if (length > 0 && (size_t)length < text->bytes - text->length) {
        text->length += (size_t)length;
    }
}

/* Where the function that a scope is an inlined copy of was called. */
static void append_call(struct text *text, Dwarf_Die *unit, Dwarf_Die *scope)
{
    Dwarf_Attribute attribute;
    Dwarf_Word file = 0;
    Dwarf_Word line = 0;
    Dwarf_Files *files;
    size_t count;

    if (dwarf_tag(scope) == DW_TAG_inlined_subroutine &&
        dwarf_formudata(dwarf_attr(scope, DW_AT_call_file, &attribute), &file) == 0 &&
        dwarf_formudata(dwarf_attr(scope, DW_AT_call_line, &attribute), &line) == 0 &&
        dwarf_getsrcfiles(unit, &files, &count) == 0) {
        append(text, dwarf_filesrc(files, file, NULL, NULL), line);
    }
}

void place_text(Dwarf *lines, uint64_t address, char *out, size_t bytes)
{
    struct text text = {out, bytes, 0};
    Dwarf_Die unit;
    Dwarf_Die *scopes = NULL;

    out[0] = '\0';
    if (sl_debug_unit_at(lines, address, &unit)) {
        Dwarf_Line *line = dwarf_getsrc_die(&unit, address);
        int number = 0;
        if (line != NULL && dwarf_lineno(line, &number) == 0) {
            append(&text, dwarf_linesrc(line, NULL, NULL), (uint64_t)number);
        }
        int count = dwarf_getscopes(&unit, address, &scopes);
        for (int i = 0; i < count; i++) {
            append_call(&text, &unit, &scopes[i]);
        }
        free(scopes);
    }
    if (text.length == 0) {
        (void)snprintf(out, bytes, "address 0x%" PRIx64, address);
    }
}
