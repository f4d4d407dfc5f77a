/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Names of functions are those of the symbol table, lines those of the debug information. */
#include "host/driver/code/debug_lines.h"
#include "host/observe/profile/callgrind.h"

/* The line of the function proper: of the instruction, or of the call that was inlined. */
static struct sl_debug_line outer(const struct sl_code_names *names, uint64_t pc)
{
    const struct sl_debug_line outside = sl_debug_line_outside(names->lines, pc);
    return outside.path != NULL ? outside : sl_debug_line_at(names->lines, pc);
}

struct sl_source sl_code_source(void *argument, uint64_t pc)
{
    struct sl_code_names *const names = argument;
    const struct sl_elf_function *const function = sl_elf_function_at(names->elf, pc);
    const struct sl_debug_line line = sl_debug_line_at(names->lines, pc);
    struct sl_source source = {.file = line.path, .line = line.line};
    if (function == NULL) {
        source.function_file = line.path;
        return source;
    }
    source.function = function->name;
    if (names->last != function) {
        names->last = function;
        names->last_file = outer(names, function->address).path;
    }
    source.function_file = names->last_file;
    return source;
}

int sl_code_outer_line(void *names, uint64_t pc)
{
    return outer(names, pc).line;
}
