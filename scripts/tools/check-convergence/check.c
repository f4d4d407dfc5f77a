/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* check-convergence: finds cross-lane operations that the compiler duplicated, merged or moved
 * against the source, locks that lanes may not hold where they do, and jumps through tables
 * (docs/isa.md). usage: check-convergence [--count] KERNELS.elf...
 *
 * hal/wave leaves a record of each operation in section .sluice.sites: which label of the source it
 * belongs to. The compiler gives each inlined copy of a function labels of its own, and any other
 * copy of code the labels of the original. So:
 *   duplicated  two operations have one label
 *   merged      a call of a routine has no record of its own, because it serves two; instructions
 *               with different labels are different to the compiler, which has no reason to merge
 *               them, and one whose record is somewhere else would be found too
 *   moved       some way through the function passes the label but not the operation, or the other
 *               way round, or one of them more often (the label stands where its block begins)
 *   unknown     a cross-lane instruction in C code has no record: it was written by hand
 * What is not found: a change of the branches around an operation that leaves it and its label
 * together, such as a loop whose exit was turned around. Locks have no records: what the compiler
 * does with them is right as long as each way takes and gives back what it should, which is what is
 * checked of them, as when the file is loaded (sl_lock_check()). Constructors and destructors of
 * static variables are found too, since nothing would run them. Exit status 1 where something was
 * found, 2 where a file cannot be checked. --count prints the number of operations instead. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "flow.h"
#include "host/load/debug_lines.h"
#include "host/load/elf.h"
#include "host/load/lock_text.h"
#include "locks.h"
#include "place.h"
#include "sections.h"

#define PLACE_BYTES 1024
#define ERROR_BYTES 1024
#define TEXT_BYTES  1024

/* Opcode custom-0, but for those that do not depend on who is active: identity, pause, trap,
 * atomics, locks. */
#define CUSTOM_0 0x0bu

struct site {
    uint64_t routine; /* 0: an instruction */
    uint64_t record;  /* where the record says that it is */
    uint64_t label;
    uint64_t operation; /* where it is; 0 where it was not found */
    const char *name;   /* of the label */
    const struct sl_elf_function *function;
};

struct check {
    const char *path;
    struct sl_elf elf;
    struct flow flow;
    Dwarf *lines;
    struct site *sites;
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

static const char *what(const struct check *check, const struct site *site)
{
    const struct sl_elf_function *routine = sl_elf_function_at(&check->elf, site->routine);
    if (site->routine != 0) {
        return routine == NULL ? "call" : routine->name;
    }
    const struct sl_insn *insn = flow_insn(&check->flow, site->record);
    return insn == NULL ? "operation" : sl_insn_mnemonic((enum sl_insn_id)insn->id);
}

/* ---- records ---- */

/* A record is three addresses and a string, aligned to 8 bytes. */
static int read_records(struct check *check)
{
    const Elf_Data *data = section_data(check->elf.elf, ".sluice.sites");
    if (data == NULL) {
        return 0;
    }
    const char *bytes = data->d_buf;
    check->sites = calloc(data->d_size / 32 + 1, sizeof *check->sites);
    if (check->sites == NULL) {
        return -1;
    }
    for (size_t at = 0; at + 32 <= data->d_size;) {
        uint64_t words[3];
        memcpy(words, bytes + at, sizeof words);
        const char *name = bytes + at + sizeof words;
        size_t length = strnlen(name, data->d_size - at - sizeof words);
        check->sites[check->count++] = (struct site){
            .routine = words[0],
            .record = words[1],
            .label = words[2],
            .name = name,
            .function = sl_elf_function_at(&check->elf, words[1]),
        };
        at = (at + sizeof words + length + 1 + 7) / 8 * 8;
    }
    return 0;
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

static bool is_straight(const struct sl_insn *insn)
{
    return insn->class != SL_CLASS_BRANCH && insn->class != SL_CLASS_JUMP &&
           insn->class != SL_CLASS_TRAP && insn->class != SL_CLASS_ILLEGAL;
}

/* The call that follows a record, with nothing but straight code in between; 0 if none does. */
static uint64_t find_call(const struct check *check, const struct site *site)
{
    uint64_t at = site->record;
    for (;;) {
        const struct sl_insn *insn = flow_insn(&check->flow, at);
        if (insn == NULL) {
            return 0;
        }
        if (flow_callee(&check->flow, at) == site->routine) {
            return at;
        }
        if (!is_straight(insn)) {
            return 0;
        }
        at += insn->bytes;
    }
}

static void find_operations(struct check *check)
{
    for (size_t i = 0; i < check->count; i++) {
        struct site *site = &check->sites[i];
        if (site->routine != 0) {
            site->operation = find_call(check, site);
        } else if (is_operation(check, site->record)) {
            site->operation = site->record;
        }
        if (site->operation == 0) {
            report(check, site->record,
                   "the cross-lane operation %s is not where the source has it: the compiler "
                   "merged or moved it",
                   what(check, site));
        }
    }
}

/* By function, label, then address. */
static int compare_sites(const void *left, const void *right)
{
    const struct site *x = left;
    const struct site *y = right;
    if (x->function != y->function) {
        return x->function < y->function ? -1 : 1;
    }
    int names = strcmp(x->name, y->name);
    if (names != 0) {
        return names;
    }
    return (x->record > y->record) - (x->record < y->record);
}

static void find_duplicates(struct check *check)
{
    for (size_t i = 1; i < check->count; i++) {
        const struct site *site = &check->sites[i];
        const struct site *before = &check->sites[i - 1];
        if (site->function == before->function && strcmp(site->name, before->name) == 0) {
            report(check, site->record,
                   "the cross-lane operation %s was duplicated by the compiler", what(check, site));
        }
    }
}

static int find_moved(struct check *check)
{
    for (size_t i = 0; i < check->count; i++) {
        const struct site *site = &check->sites[i];
        if (site->operation == 0 || site->operation == site->label) {
            continue;
        }
        int once = site->function == NULL
                       ? 0
                       : flow_is_once(&check->flow, site->function, site->label, site->operation);
        if (once < 0) {
            return -1;
        }
        if (once == 0) {
            report(check, site->record,
                   "the cross-lane operation %s was moved by the compiler, or the code around it "
                   "was copied",
                   what(check, site));
        }
    }
    return 0;
}

/* How many records name an operation. */
static size_t records_of(const struct check *check, uint64_t operation)
{
    size_t count = 0;
    for (size_t i = 0; i < check->count; i++) {
        count += check->sites[i].operation == operation;
    }
    return count;
}

static bool is_routine(const struct check *check, uint64_t address)
{
    for (size_t i = 0; i < check->count; i++) {
        if (check->sites[i].routine != 0 && check->sites[i].routine == address) {
            return true;
        }
    }
    return false;
}

static void find_unrecorded(struct check *check)
{
    const struct sl_elf_segment *code = check->flow.code;
    for (uint64_t at = code->address; at < code->address + code->bytes; at += 2) {
        uint64_t callee = flow_callee(&check->flow, at);
        bool is_call = callee != 0 && is_routine(check, callee);
        if (!is_call && !is_operation(check, at)) {
            continue;
        }
        size_t records = records_of(check, at);
        if (records == 1 || !place_is_c(check->lines, at)) {
            continue;
        }
        if (records == 0) {
            report(check, at,
                   "a cross-lane operation that is not where the source has it, or was written by "
                   "hand: use the functions of sluice/wave/lanes.h and sluice/wave/wave.h");
        } else {
            report(check, at, "cross-lane operations were merged by the compiler");
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

/* The functions that a section of addresses names. */
static void find_started(struct check *check, const char *section)
{
    const Elf_Data *data = section_data(check->elf.elf, section);
    uint64_t address;

    for (size_t at = 0; data != NULL && at + sizeof address <= data->d_size; at += sizeof address) {
        memcpy(&address, (const char *)data->d_buf + at, sizeof address);
        report(check, address,
               "this would run before or behind a kernel, as what sets up a static variable of C++ "
               "does, but nothing does: give the variable a constant value (constexpr), or let the "
               "host or a kernel set it up");
    }
}

static int check_all(struct check *check)
{
    if (flow_open(&check->flow, &check->elf) != 0 || read_records(check) != 0) {
        return -1;
    }
    find_operations(check);
    if (check->count > 0) {
        qsort(check->sites, check->count, sizeof *check->sites, compare_sites);
    }
    find_duplicates(check);
    find_unrecorded(check);
    find_table_jumps(check);
    find_started(check, ".init_array");
    find_started(check, ".fini_array");
    return find_moved(check) != 0 ? -1 : find_bad_locks(check);
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
    free(check.sites);
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
