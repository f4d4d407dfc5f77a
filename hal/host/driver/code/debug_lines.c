/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Address to line through libdw. Asked only when something has gone wrong, so that nothing is kept.
 */
#include "host/driver/code/debug_lines.h"

#include <dwarf.h>
#include <errno.h>
#include <error.h>
#include <pthread.h>
#include <string.h>
#include <sys/resource.h>

#include "host/base/utf8.h"
#include "sluice/sluice.h"

#define LINES_STACK_BYTES (1u << 20)
#define SCOPES_MAX        256 /* of functions inlined into each other, and blocks; others are left out */

/* libdw has no way on, and ends the process: by itself, with the status of a wrong result. */
__attribute__((noreturn)) static void end_process(void)
{
    for (;;) {
        error(SL_ERROR_MACHINE, ENOMEM, "libdw");
    }
}

Dwarf *sl_debug_lines_open(Elf *elf)
{
    Dwarf *const lines = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
    if (lines != NULL) {
        (void)dwarf_new_oom_handler(lines, end_process);
    }
    return lines;
}

void sl_debug_lines_close(Dwarf *lines)
{
    (void)dwarf_end(lines);
}

static void *read_lines(void *unit)
{
    Dwarf_Lines *lines;
    size_t count;

    (void)dwarf_getsrclines(unit, &lines, &count); /* libdw keeps them */
    return NULL;
}

/* libdw reads a unit's table of lines once, into a quarter of a mebibyte of the stack. Where stacks
 * are small (ulimit -s) it is read here, on a stack of its own. */
static bool has_lines(Dwarf_Die *unit)
{
    struct rlimit limit;
    pthread_attr_t attributes;
    pthread_t thread;

    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= LINES_STACK_BYTES) {
        return true;
    }
    if (pthread_attr_init(&attributes) != 0) {
        return false;
    }
    const bool is_begun = pthread_attr_setstacksize(&attributes, LINES_STACK_BYTES) == 0 &&
                          pthread_create(&thread, &attributes, read_lines, unit) == 0;
    (void)pthread_attr_destroy(&attributes);
    return is_begun && pthread_join(thread, NULL) == 0;
}

/* Where the range of a unit begins that contains an address; 0 where none does. */
static Dwarf_Addr range_of(Dwarf_Die *unit, uint64_t pc)
{
    Dwarf_Addr base, start, end;
    ptrdiff_t next = 0;
    while ((next = dwarf_ranges(unit, next, &base, &start, &end)) > 0) {
        if (start <= pc && pc < end) {
            return start;
        }
    }
    return 0;
}

/* The unit whose range begins closest: an assembler's is as long as its code was before the linker
 * made calls in it shorter, and reaches into the next unit's. */
static bool find_unit(Dwarf *lines, uint64_t pc, Dwarf_Die *unit)
{
    Dwarf_Addr closest = 0;
    Dwarf_CU *cu = NULL;
    Dwarf_Die one;
    while (dwarf_get_units(lines, cu, &cu, NULL, NULL, &one, NULL) == 0) {
        const Dwarf_Addr start = range_of(&one, pc);
        if (start > closest) {
            closest = start;
            *unit = one;
        }
    }
    return closest > 0;
}

/* Whether a text ends in the section that it is in. libdw sees to it in .debug_str, and not where
 * a text is in .debug_info itself. */
static bool ends_in_section(Dwarf_Die *die, const char *text)
{
    Elf *const elf = dwarf_getelf(dwarf_cu_getdwarf(die->cu));
    for (Elf_Scn *section = elf_nextscn(elf, NULL); section != NULL;
         section = elf_nextscn(elf, section)) {
        const Elf_Data *const data = elf_getdata(section, NULL);
        const uintptr_t begin = data != NULL ? (uintptr_t)data->d_buf : 0;
        if (begin != 0 && (uintptr_t)text - begin < data->d_size) {
            return memchr(text, 0, data->d_size - ((uintptr_t)text - begin)) != NULL;
        }
    }
    return false;
}

/* NULL where the attribute is none, or no text that ends. */
static const char *text_of(Dwarf_Die *die, Dwarf_Attribute *attribute)
{
    const char *const text = dwarf_formstring(attribute);
    return text != NULL && ends_in_section(die, text) ? text : NULL;
}

/* libdw reads the folder that a unit was compiled in, too. */
static bool has_good_folder(Dwarf_Die *unit)
{
    Dwarf_Attribute attribute;
    return dwarf_attr(unit, DW_AT_comp_dir, &attribute) == NULL ||
           text_of(unit, &attribute) != NULL;
}

bool sl_debug_unit_at(Dwarf *lines, uint64_t pc, Dwarf_Die *unit)
{
    return lines != NULL && find_unit(lines, pc, unit) && has_good_folder(unit) && has_lines(unit);
}

/* Kernels' files are not trusted: what could steer a terminal, or end a line, is no name. */
const char *sl_debug_name(Dwarf_Die *die)
{
    Dwarf_Attribute attribute;
    const char *const name = text_of(die, dwarf_attr_integrate(die, DW_AT_name, &attribute));
    return name != NULL && sl_utf8_is_plain(name) ? name : NULL;
}

/* A line of a file that the table of lines has under this path. */
static struct sl_debug_line line_of(Dwarf_Die *unit, const char *path, int line)
{
    Dwarf_Attribute attribute;
    const char *const folder = text_of(unit, dwarf_attr(unit, DW_AT_comp_dir, &attribute));
    const size_t length = folder == NULL ? 0 : strlen(folder);
    if (length > 0 && strncmp(path, folder, length) == 0 && path[length] == '/') {
        path += length + 1;
    }
    if (!sl_utf8_is_plain(path)) {
        return (struct sl_debug_line){0};
    }
    const char *const slash = strrchr(path, '/');
    return (struct sl_debug_line){path, slash != NULL ? slash + 1 : path, line};
}

struct sl_debug_line sl_debug_line_at(Dwarf *lines, uint64_t pc)
{
    Dwarf_Die unit;
    int number = 0;
    Dwarf_Line *const line =
        sl_debug_unit_at(lines, pc, &unit) ? dwarf_getsrc_die(&unit, pc) : NULL;
    const char *const path = line != NULL ? dwarf_linesrc(line, NULL, NULL) : NULL;
    return path != NULL && dwarf_lineno(line, &number) == 0 ? line_of(&unit, path, number)
                                                            : (struct sl_debug_line){0};
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

/* Where an inlined function is called. */
static struct sl_debug_line call_of(Dwarf_Die *unit, Dwarf_Die *inlined)
{
    Dwarf_Files *files;
    size_t file_count;
    if (dwarf_getsrcfiles(unit, &files, &file_count) != 0) {
        return (struct sl_debug_line){0};
    }
    const Dwarf_Word file = attribute_of(inlined, DW_AT_call_file);
    const char *path = file < file_count ? dwarf_filesrc(files, file, NULL, NULL) : NULL;
    return path != NULL ? line_of(unit, path, (int)attribute_of(inlined, DW_AT_call_line))
                        : (struct sl_debug_line){0};
}

/* The scopes of a unit that an instruction is in, each in the one before it, as far as there is
 * room. Returns how many there are. dwarf_getscopes() recurses as deep as the file says that they
 * are nested, and goes on from an inlined function with where that is defined. */
static int scopes_around(Dwarf_Die *unit, uint64_t pc, Dwarf_Die scopes[SCOPES_MAX])
{
    Dwarf_Die die;
    int count = 0;
    int more = dwarf_child(unit, &die);
    while (more == 0 && count < SCOPES_MAX) {
        if (dwarf_haspc(&die, pc) == 1) {
            scopes[count++] = die;
            more = dwarf_child(&scopes[count - 1], &die);
        } else {
            more = dwarf_siblingof(&die, &die);
        }
    }
    return count;
}

bool sl_debug_function_at(Dwarf *lines, uint64_t pc, Dwarf_Die *function)
{
    Dwarf_Die unit;
    Dwarf_Die scopes[SCOPES_MAX];
    int i = sl_debug_unit_at(lines, pc, &unit) ? scopes_around(&unit, pc, scopes) : 0;
    while (i > 0) {
        *function = scopes[--i];
        if (dwarf_tag(function) == DW_TAG_subprogram) {
            return true;
        }
    }
    return false;
}

int sl_debug_frames(Dwarf *lines, uint64_t pc, struct sl_debug_frame *frames, int most)
{
    Dwarf_Die unit;
    Dwarf_Die scopes[SCOPES_MAX];
    struct sl_debug_line line = sl_debug_line_at(lines, pc);
    int found = 0;
    int i = sl_debug_unit_at(lines, pc, &unit) ? scopes_around(&unit, pc, scopes) : 0;
    while (i-- > 0 && found < most) {
        const int tag = dwarf_tag(&scopes[i]);
        if (tag == DW_TAG_inlined_subroutine || tag == DW_TAG_subprogram) {
            frames[found++] = (struct sl_debug_frame){sl_debug_name(&scopes[i]), line};
        }
        if (tag == DW_TAG_subprogram) {
            break;
        }
        if (tag == DW_TAG_inlined_subroutine) {
            line = call_of(&unit, &scopes[i]);
        }
    }
    return found;
}

static struct sl_debug_function named(Dwarf_Die *unit, Dwarf_Die *function)
{
    const char *const path = dwarf_decl_file(function);
    return (struct sl_debug_function){
        .name = sl_debug_name(function),
        .path = path != NULL ? line_of(unit, path, 0).path : NULL,
        .is_inlined = dwarf_tag(function) == DW_TAG_inlined_subroutine,
    };
}

struct sl_debug_function sl_debug_function_of_source(Dwarf *lines, uint64_t pc)
{
    Dwarf_Die unit;
    Dwarf_Die scopes[SCOPES_MAX];
    int i = sl_debug_unit_at(lines, pc, &unit) ? scopes_around(&unit, pc, scopes) : 0;
    while (i-- > 0) {
        const int tag = dwarf_tag(&scopes[i]);
        if (tag == DW_TAG_inlined_subroutine || tag == DW_TAG_subprogram) {
            return named(&unit, &scopes[i]);
        }
    }
    return (struct sl_debug_function){.name = NULL};
}

struct sl_debug_line sl_debug_line_outside(Dwarf *lines, uint64_t pc)
{
    struct sl_debug_line found = {0};
    Dwarf_Die unit;
    Dwarf_Die scopes[SCOPES_MAX];
    Dwarf_Die *outermost = NULL;
    int i = sl_debug_unit_at(lines, pc, &unit) ? scopes_around(&unit, pc, scopes) : 0;
    while (i-- > 0 && dwarf_tag(&scopes[i]) != DW_TAG_subprogram) {
        if (dwarf_tag(&scopes[i]) == DW_TAG_inlined_subroutine) {
            outermost = &scopes[i];
        }
    }
    if (outermost != NULL) {
        found = call_of(&unit, outermost);
    }
    return found;
}
