/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Names of functions are those of the symbol table, lines those of the debug information. */
#include "host/observe/profile/callgrind.h"

/* The line of the function proper: of the instruction, or of the call that was inlined. */
static struct sl_debug_line outer(const struct sl_code_names *names, uint64_t pc)
{
    const struct sl_debug_line outside = sl_debug_line_outside(names->lines, pc);
    return outside.path != NULL ? outside : sl_debug_line_at(names->lines, pc);
}

struct sl_debug_function sl_code_function(struct sl_code_names *names, uint64_t pc)
{
    const struct sl_elf_function *const function = sl_elf_function_at(names->elf, pc);
    if (function == NULL) {
        return (struct sl_debug_function){.path = sl_debug_line_at(names->lines, pc).path};
    }
    if (names->last != function) {
        names->last = function;
        names->last_file = outer(names, function->address).path;
    }
    return (struct sl_debug_function){.name = function->name, .path = names->last_file};
}

struct sl_debug_function sl_code_function_of_source(struct sl_code_names *names, uint64_t pc)
{
    struct sl_debug_function function = sl_debug_function_of_source(names->lines, pc);
    if (!function.is_inlined) {
        const struct sl_debug_function containing = sl_code_function(names, pc);
        function.name = function.name != NULL ? function.name : containing.name;
        function.path = containing.path;
    }
    return function;
}

struct sl_source sl_code_source(void *names, uint64_t pc)
{
    const struct sl_debug_function function = sl_code_function(names, pc);
    const struct sl_debug_line line =
        sl_debug_line_at(((const struct sl_code_names *)names)->lines, pc);
    return (struct sl_source){
        .function = function.name,
        .function_file = function.path,
        .file = line.path,
        .line = line.line,
    };
}

int sl_code_outer_line(void *names, uint64_t pc)
{
    return outer(names, pc).line;
}
