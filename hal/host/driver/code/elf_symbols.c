/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The symbol table of a file of kernels: its functions, sorted, where the channel routines are,
 * and its global pointer. A function without a size (hand-written assembly) extends to the next
 * one. */
#include "host/driver/code/elf_read.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/utf8.h"

static Elf_Scn *find_table(Elf *elf, GElf_Shdr *header)
{
    Elf_Scn *section = NULL;
    while ((section = elf_nextscn(elf, section)) != NULL) {
        if (gelf_getshdr(section, header) != NULL && header->sh_type == SHT_SYMTAB) {
            return section;
        }
    }
    return NULL;
}

uint64_t sl_elf_symbol(const struct sl_elf *elf, const char *name)
{
    GElf_Shdr header;
    Elf_Scn *const table = find_table(elf->elf, &header);
    const Elf_Data *const data = table != NULL ? elf_getdata(table, NULL) : NULL;
    const size_t count = data != NULL ? data->d_size / sizeof(Elf64_Sym) : 0;

    for (size_t i = 0; i < count; i++) {
        const Elf64_Sym *const symbol = &((const Elf64_Sym *)data->d_buf)[i];
        const char *const found = elf_strptr(elf->elf, header.sh_link, symbol->st_name);
        if (found != NULL && strcmp(found, name) == 0) {
            return symbol->st_value;
        }
    }
    return 0;
}

/* By address; of those that begin together global ones first, then by name: the order must not
 * depend on the file's. */
static int compare_functions(const void *left, const void *right)
{
    const struct sl_elf_function *x = left;
    const struct sl_elf_function *y = right;
    if (x->address != y->address) {
        return x->address < y->address ? -1 : 1;
    }
    if (x->is_global != y->is_global) {
        return x->is_global ? -1 : 1;
    }
    return strcmp(x->name, y->name);
}

/* Whether a variable lies in one of the segments, on a multiple of its size. */
static bool is_loaded(const struct sl_elf *elf, uint64_t address, uint64_t bytes)
{
    for (size_t i = 0; i < elf->segment_count; i++) {
        const struct sl_elf_segment *segment = &elf->segments[i];
        if (!segment->is_code && address % bytes == 0 && address >= segment->address &&
            segment->bytes >= bytes && address - segment->address <= segment->bytes - bytes) {
            return true;
        }
    }
    return false;
}

static void take_symbol(struct sl_elf *elf, const Elf64_Sym *symbol, const char *name)
{
    const struct sl_elf_segment *code = &elf->segments[elf->code];
    if (symbol->st_shndx == SHN_UNDEF || name == NULL) {
        return;
    }
    if (strcmp(name, "__global_pointer$") == 0) {
        elf->global_pointer = symbol->st_value;
    }
    if (strcmp(name, "__sl_routines_begin") == 0) {
        elf->routines = symbol->st_value;
    }
    if (strcmp(name, "__sl_routines_end") == 0) {
        elf->routines_limit = symbol->st_value;
    }
    if (strcmp(name, "sl_wave_print_buffer") == 0 &&
        is_loaded(elf, symbol->st_value, sizeof(uint64_t))) {
        elf->print_buffer = symbol->st_value;
    }
    if (ELF64_ST_TYPE(symbol->st_info) == STT_FUNC && symbol->st_value >= code->address &&
        symbol->st_value - code->address < code->bytes) {
        uint64_t most = code->bytes - (symbol->st_value - code->address);
        elf->functions[elf->function_count++] = (struct sl_elf_function){
            .name = name,
            .address = symbol->st_value,
            .bytes = symbol->st_size < most ? symbol->st_size : most,
            .is_global = ELF64_ST_BIND(symbol->st_info) != STB_LOCAL,
            .is_entry = (symbol->st_other & STO_RISCV_VARIANT_CC) != 0,
        };
    }
}

/* Names go into messages, traces and profiles, to terminals and into lines of words: they have what
 * names of C, and the mangled ones of C++, are made of. */
static bool is_name(const char *text)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$@";
    const char *at = text + strspn(text, plain);

    while ((unsigned char)*at >= 0x80) {
        at++;
        at += strspn(at, plain);
    }
    return text[0] != '\0' && *at == '\0' && sl_utf8_is_plain(text);
}

static enum sl_status check_names(const struct sl_elf *elf, const struct sl_elf_report *report)
{
    char shown[128];

    for (size_t i = 0; i < elf->function_count; i++) {
        const struct sl_elf_function *const function = &elf->functions[i];
        if (!is_name(function->name)) {
            sl_utf8_show(function->name, shown, sizeof shown);
            return sl_elf_fail(report,
                               "has a function '%s' at 0x%" PRIx64 ": names have letters, digits "
                               "and _ . $ @",
                               shown, function->address);
        }
    }
    return SL_OK;
}

/* Routines that are not a piece of the code are none. */
static void check_routines(struct sl_elf *elf)
{
    const struct sl_elf_segment *const code = &elf->segments[elf->code];
    if (elf->routines < code->address || elf->routines_limit > code->address + code->bytes ||
        elf->routines >= elf->routines_limit) {
        elf->routines = 0;
        elf->routines_limit = 0;
    }
}

static void give_sizes(struct sl_elf *elf)
{
    const struct sl_elf_segment *code = &elf->segments[elf->code];
    uint64_t next = code->address + code->bytes;
    uint64_t here = next;
    for (size_t i = elf->function_count; i-- > 0;) {
        struct sl_elf_function *function = &elf->functions[i];
        if (function->address != here) {
            next = here;
            here = function->address;
        }
        if (function->bytes == 0) {
            function->bytes = next - function->address;
        }
    }
}

enum sl_status sl_elf_find_symbols(struct sl_elf *elf, const struct sl_elf_report *report)
{
    GElf_Shdr header;
    Elf_Scn *section = find_table(elf->elf, &header);
    const Elf_Data *data = section == NULL ? NULL : elf_getdata(section, NULL);
    if (data == NULL || data->d_buf == NULL) {
        return sl_elf_fail(report, "has no symbol table that can be read (stripped, or cut "
                                   "short?): functions are found by name");
    }
    size_t count = data->d_size / sizeof(Elf64_Sym);
    elf->functions = calloc(count + 1, sizeof *elf->functions);
    if (elf->functions == NULL) {
        return sl_elf_short(report);
    }
    const Elf64_Sym *symbols = data->d_buf;
    for (size_t i = 0; i < count; i++) {
        take_symbol(elf, &symbols[i], elf_strptr(elf->elf, header.sh_link, symbols[i].st_name));
    }
    if (elf->function_count == 0) {
        return sl_elf_fail(report, "has no function");
    }
    if (check_names(elf, report) != 0) {
        return SL_ERROR_USAGE;
    }
    qsort(elf->functions, elf->function_count, sizeof *elf->functions, compare_functions);
    give_sizes(elf);
    check_routines(elf);
    return SL_OK;
}

const struct sl_elf_function *sl_elf_function_at(const struct sl_elf *elf, uint64_t address)
{
    size_t low = 0;
    size_t high = elf->function_count;
    while (low < high) { /* the first that begins behind the address */
        size_t middle = low + (high - low) / 2;
        if (elf->functions[middle].address <= address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    const struct sl_elf_function *found = NULL;
    uint64_t start = low > 0 ? elf->functions[low - 1].address : 0;
    for (size_t i = low; i > 0 && elf->functions[i - 1].address == start; i--) {
        if (address - start < elf->functions[i - 1].bytes) {
            found = &elf->functions[i - 1]; /* in the end the first of those that begin here */
        }
    }
    return found;
}

static bool is_writable(const struct sl_elf *elf, uint64_t address)
{
    bool found = false;
    for (size_t i = 0; i < elf->segment_count; i++) {
        const struct sl_elf_segment *const segment = &elf->segments[i];
        found |= segment->is_writable && address >= segment->address &&
                 address - segment->address < segment->bytes;
    }
    return found;
}

bool sl_elf_variable_at(const struct sl_elf *elf, uint64_t address,
                        struct sl_elf_variable *variable)
{
    GElf_Shdr header;
    Elf_Scn *const section = elf->elf != NULL ? find_table(elf->elf, &header) : NULL;
    const Elf_Data *const data = section == NULL ? NULL : elf_getdata(section, NULL);
    const size_t count = data != NULL ? data->d_size / sizeof(Elf64_Sym) : 0;
    for (size_t i = 0; i < count; i++) {
        const Elf64_Sym *const symbol = &((const Elf64_Sym *)data->d_buf)[i];
        const char *const name = elf_strptr(elf->elf, header.sh_link, symbol->st_name);
        if (ELF64_ST_TYPE(symbol->st_info) == STT_OBJECT && symbol->st_shndx != SHN_UNDEF &&
            name != NULL && is_name(name) && address >= symbol->st_value &&
            address - symbol->st_value < symbol->st_size) {
            *variable = (struct sl_elf_variable){name, is_writable(elf, address)};
            return true;
        }
    }
    return false;
}
