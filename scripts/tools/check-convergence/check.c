/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* check-convergence: finds cross-lane operations that `sluice cc` has not compiled, locks that
 * lanes may not hold where they do, and jumps through tables (docs/look-up/isa.md, "Compiling
 * kernels"). usage: check-convergence [--count] KERNELS.elf...
 *
 * Each operation of hal/kernel leaves a record. The plugin of `sluice cc` compares the operations
 * that it compiles with the source, and puts their records into section .sluice.checked
 * (scripts/kernel-plugin/kept.cc). This program compares nothing again. It looks for operations
 * that the plugin has not seen:
 *   not compared  the record is in .sluice.sites, where the header puts it: the compiler had no
 *                 plugin. Only the first operation of each function is reported.
 *   unknown       a cross-lane instruction in C code, or a call of a routine that has records, has
 *                 none: it was written by hand
 * Locks have no records: what the compiler does with them is right as long as each way takes and
 * gives back what it should, which is what is checked of them, as when the file is loaded
 * (sl_lock_check()). Constructors and destructors of static variables are found too, since nothing
 * would run them. Exit status 1 where something was found, 2 where a file cannot be checked.
 * --count prints the number of operations that have records, and that of findings. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "code_flow.h"
#include "host/driver/code/debug_lines.h"
#include "host/driver/code/elf.h"
#include "host/driver/code/lock_text.h"
#include "lock_findings.h"
#include "sections.h"
#include "source_place.h"

#define PLACE_BYTES 1024
#define ERROR_BYTES 1024
#define TEXT_BYTES  1024

/* Opcode custom-0, but for those that do not depend on who is active: identity, pause, trap,
 * atomics, locks. */
#define CUSTOM_0 0x0bu

struct record {
    uint64_t routine; /* 0: an instruction */
    uint64_t address;
    bool is_compared;
};

struct check {
    const char *path;
    struct sl_elf elf;
    struct flow flow;
    Dwarf *lines;
    struct record *records; /* by address */
    size_t count;
    size_t found;
};

__attribute__((format(printf, 3, 4))) static void report(struct check *check, uint64_t address,
                                                         const char *format, ...)
{
    char place[PLACE_BYTES];
    va_list arguments;

    place_text(check->lines, address, place, sizeof place);
    (void)fprintf(stderr, "%s: ", place);
    va_start(arguments, format);
    (void)vfprintf(stderr, format, arguments);
    va_end(arguments);
    const struct sl_elf_function *function = sl_elf_function_at(&check->elf, address);
    (void)fprintf(stderr, " (%s in %s)\n", function == NULL ? "?" : function->name, check->path);
    check->found++;
}

/* ---- records ---- */

/* A record is two addresses. */
static int read_records(struct check *check, const char *section, bool is_compared)
{
    const Elf_Data *data = section_data(check->elf.elf, section);
    uint64_t words[2];
    const size_t count = data == NULL ? 0 : data->d_size / sizeof words;
    if (count == 0) {
        return 0;
    }
    struct record *records =
        realloc(check->records, (check->count + count) * sizeof *check->records);
    if (records == NULL) {
        return -1;
    }
    check->records = records;
    for (size_t i = 0; i < count; i++) {
        memcpy(words, (const char *)data->d_buf + i * sizeof words, sizeof words);
        records[check->count++] = (struct record){words[0], words[1], is_compared};
    }
    return 0;
}

static int compare_records(const void *left, const void *right)
{
    const uint64_t x = ((const struct record *)left)->address;
    const uint64_t y = ((const struct record *)right)->address;
    return (x > y) - (x < y);
}

static int read_all_records(struct check *check)
{
    if (read_records(check, ".sluice.sites", false) != 0 ||
        read_records(check, ".sluice.checked", true) != 0) {
        return -1;
    }
    if (check->count > 0) {
        qsort(check->records, check->count, sizeof *check->records, compare_records);
    }
    return 0;
}

static bool has_record(const struct check *check, uint64_t address)
{
    const struct record key = {.address = address};
    return check->count > 0 && bsearch(&key, check->records, check->count, sizeof *check->records,
                                       compare_records) != NULL;
}

static bool is_routine(const struct check *check, uint64_t address)
{
    for (size_t i = 0; i < check->count; i++) {
        if (check->records[i].routine != 0 && check->records[i].routine == address) {
            return true;
        }
    }
    return false;
}

static const char *name_of(const struct check *check, const struct record *record)
{
    const struct sl_elf_function *routine = sl_elf_function_at(&check->elf, record->routine);
    if (record->routine != 0) {
        return routine == NULL ? "call" : routine->name;
    }
    const struct sl_insn *insn = flow_insn(&check->flow, record->address);
    return insn == NULL ? "operation" : sl_insn_mnemonic((enum sl_insn_id)insn->id);
}

/* ---- operations ---- */

static bool is_operation(const struct check *check, uint64_t address)
{
    const struct sl_insn *insn = flow_insn(&check->flow, address);
    return insn != NULL && insn->class != SL_CLASS_ILLEGAL && insn->id != SL_INSN_SL_ID &&
           insn->class != SL_CLASS_PAUSE && insn->class != SL_CLASS_TRAP &&
           insn->class != SL_CLASS_AMO && insn->class != SL_CLASS_LOCK &&
           insn->class != SL_CLASS_FENCE && (flow_word(&check->flow, address) & 0x7f) == CUSTOM_0;
}

static void find_not_compared(struct check *check)
{
    const struct sl_elf_function *reported = NULL;
    for (size_t i = 0; i < check->count; i++) {
        const struct record *record = &check->records[i];
        const struct sl_elf_function *function = sl_elf_function_at(&check->elf, record->address);
        if (record->is_compared || (function != NULL && function == reported)) {
            continue;
        }
        report(check, record->address,
               "the cross-lane operation %s was not compiled by sluice cc, which keeps lanes "
               "together where the source has them together: compile this file with it",
               name_of(check, record));
        reported = function;
    }
}

/* Whether a call of a routine that has records is at an address, and has none. Its record is in
 * front of the call: of the first instruction, where it is a pair. */
static bool is_unrecorded_call(const struct check *check, uint64_t address)
{
    const uint64_t callee = flow_callee(&check->flow, address);
    return callee != 0 && is_routine(check, callee) && !has_record(check, address) &&
           !has_record(check, address - 4);
}

static void find_unrecorded(struct check *check)
{
    const struct sl_elf_segment *code = check->flow.code;
    for (uint64_t at = code->address; at < code->address + code->bytes; at += 2) {
        bool is_unrecorded = is_operation(check, at) && !has_record(check, at);
        if ((is_unrecorded || is_unrecorded_call(check, at)) && place_is_c(check->lines, at)) {
            report(check, at,
                   "a cross-lane operation that was written by hand: use the functions of "
                   "sluice/wave/lanes.h and sluice/wave/wave.h");
        }
    }
}

/* ---- locks ---- */

static int find_bad_locks(struct check *check)
{
    struct sl_lock_finding *findings = NULL;
    size_t count = 0;
    char text[TEXT_BYTES];

    if (locks_find(&check->elf, &findings, &count) != 0) {
        return -1;
    }
    for (size_t i = 0; i < count; i++) {
        sl_lock_text(&check->elf, check->lines, &findings[i], text, sizeof text);
        report(check, findings[i].address, "%s", text);
    }
    free(findings);
    return 0;
}

/* ---- jumps through tables ---- */

/* Whether a function is one that nobody can compile again: of GCC's own library, the division of
 * long double has a table. Its lanes meet where it returns. */
static bool is_of_compiler(const struct sl_elf_function *function)
{
    return strcmp(function->name, "__divtf3") == 0;
}

static void find_table_jumps(struct check *check)
{
    for (size_t i = 0; i < check->elf.function_count; i++) {
        const struct sl_elf_function *function = &check->elf.functions[i];
        const uint64_t end = function->address + function->bytes;
        for (uint64_t at = function->address; at < end && !is_of_compiler(function); at += 2) {
            const struct sl_insn *insn = flow_insn(&check->flow, at);
            if (insn != NULL && flow_is_table_jump(&check->flow, function, at)) {
                report(check, at,
                       "a jump through a table, behind which lanes that part meet no more before "
                       "the function returns: compile it with sluice cc, which makes none (or with "
                       "-fno-jump-tables)");
            }
        }
    }
}

/* ---- what would run before a kernel ---- */

/* Whether a section is of this name, or of it and a priority: ".init_array.00200". */
static bool is_named(const char *section, const char *name)
{
    const size_t length = strlen(name);
    return strncmp(section, name, length) == 0 &&
           (section[length] == '\0' || section[length] == '.');
}

static bool is_any_of(const char *section, const char *const *names)
{
    while (*names != NULL && !is_named(section, *names)) {
        names++;
    }
    return *names != NULL;
}

static void report_started(struct check *check, uint64_t address)
{
    report(check, address,
           "this would run before or behind a kernel, as what sets up a static variable of C++ "
           "does, but nothing does: give the variable a constant value (constexpr), or let the "
           "host or a kernel set it up");
}

/* The functions that a section of addresses names. */
static void find_started_by(struct check *check, const Elf_Data *data)
{
    uint64_t address;

    for (size_t at = 0; data != NULL && data->d_buf != NULL && at + sizeof address <= data->d_size;
         at += sizeof address) {
        memcpy(&address, (const char *)data->d_buf + at, sizeof address);
        report_started(check, address);
    }
}

static void find_started(struct check *check)
{
    static const char *const of_addresses[] = {".preinit_array", ".init_array", ".fini_array",
                                               ".ctors",         ".dtors",      NULL};
    static const char *const of_code[] = {".init", ".fini", NULL};
    Elf_Scn *section = NULL;
    size_t names = 0;

    (void)elf_getshdrstrndx(check->elf.elf, &names);
    while ((section = elf_nextscn(check->elf.elf, section)) != NULL) {
        GElf_Shdr header;
        const char *const name = gelf_getshdr(section, &header) == NULL
                                     ? NULL
                                     : elf_strptr(check->elf.elf, names, header.sh_name);
        if (name != NULL && is_any_of(name, of_addresses)) {
            find_started_by(check, elf_getdata(section, NULL));
        } else if (name != NULL && is_any_of(name, of_code) && header.sh_size > 0) {
            report_started(check, header.sh_addr);
        }
    }
}

static int check_all(struct check *check)
{
    if (flow_open(&check->flow, &check->elf) != 0 || read_all_records(check) != 0) {
        return -1;
    }
    find_not_compared(check);
    find_unrecorded(check);
    find_table_jumps(check);
    find_started(check);
    return find_bad_locks(check);
}

/* Returns the exit status. */
static int check_file(const char *path, bool only_counts)
{
    struct check check = {.path = path};
    char error[ERROR_BYTES];

    if (sl_elf_open(&check.elf, path, error, sizeof error) != 0) {
        (void)fprintf(stderr, "check-convergence: %s\n", error);
        return 2;
    }
    check.lines = sl_debug_lines_open(check.elf.elf);
    int status = check_all(&check);
    if (status != 0) {
        (void)fprintf(stderr, "check-convergence: '%s': out of memory\n", path);
    }
    if (only_counts) {
        printf("%zu %zu\n", check.count, check.found);
    }
    sl_debug_lines_close(check.lines);
    flow_close(&check.flow);
    free(check.records);
    sl_elf_close(&check.elf);
    if (status != 0) {
        return 2;
    }
    return check.found > 0 ? 1 : 0;
}

int main(int argc, char **argv)
{
    bool only_counts = argc > 1 && strcmp(argv[1], "--count") == 0;
    int status = 0;

    if (argc < 2 + only_counts) {
        (void)fprintf(stderr, "usage: check-convergence [--count] KERNELS.elf...\n");
        return 2;
    }
    for (int i = 1 + only_counts; i < argc; i++) {
        int one = check_file(argv[i], only_counts);
        status = one > status ? one : status;
    }
    return status;
}
