/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What a linked file may have, and kernels cannot: it needs code that runs before a program, or a
 * dynamic linker. Thread-local variables are found through register tp, which in kernels is the
 * graph. */
#include "host/driver/code/elf_read.h"

static enum sl_status refuse_symbol(const Elf64_Sym *symbol, const char *name,
                                    const struct sl_elf_report *report)
{
    if (ELF64_ST_TYPE(symbol->st_info) == STT_TLS) {
        return sl_elf_fail(report,
                           "has the thread-local variable '%s' (_Thread_local, thread_local): "
                           "lanes are no threads; use a variable of the function, or an array "
                           "with a place for each lane",
                           name);
    }
    if (ELF64_ST_TYPE(symbol->st_info) == STT_GNU_IFUNC) {
        return sl_elf_fail(report,
                           "has the indirect function '%s' (IFUNC), which code before a program "
                           "would choose: call a function directly, or through a pointer",
                           name);
    }
    return SL_OK;
}

static enum sl_status check_symbols(Elf *elf, Elf_Scn *section, const GElf_Shdr *header,
                                    const struct sl_elf_report *report)
{
    const Elf_Data *const data = elf_getdata(section, NULL);
    const size_t count = data == NULL || data->d_buf == NULL ? 0 : data->d_size / sizeof(Elf64_Sym);
    enum sl_status status = 0;

    for (size_t i = 0; status == 0 && i < count; i++) {
        const Elf64_Sym *const symbol = &((const Elf64_Sym *)data->d_buf)[i];
        const char *const name = elf_strptr(elf, header->sh_link, symbol->st_name);
        status = refuse_symbol(symbol, name == NULL ? "" : name, report);
    }
    return status;
}

/* Of symbols that were stripped, only the section tells. */
static enum sl_status check_section(const GElf_Shdr *header, const char *name,
                                    const struct sl_elf_report *report)
{
    const bool is_relocations = header->sh_type == SHT_RELA || header->sh_type == SHT_REL;

    if (header->sh_size > 0 && (header->sh_flags & SHF_TLS) != 0) {
        return sl_elf_fail(report,
                           "has thread-local variables (section %s): lanes are no threads; use "
                           "variables of functions, or arrays with a place for each lane",
                           name);
    }
    if (header->sh_size > 0 && is_relocations && (header->sh_flags & SHF_ALLOC) != 0) {
        return sl_elf_fail(report,
                           "has relocations for a dynamic linker (section %s), and nothing is "
                           "linked when the file is loaded: link it as a whole, with sluice cc",
                           name);
    }
    return SL_OK;
}

/* Calls a function for each section: symbol tables first, since they have the names. */
static enum sl_status check_pass(Elf *elf, size_t names, bool of_symbols,
                                 const struct sl_elf_report *report)
{
    Elf_Scn *section = NULL;
    enum sl_status status = 0;

    while (status == 0 && (section = elf_nextscn(elf, section)) != NULL) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) == NULL) {
            continue;
        }
        if (of_symbols && header.sh_type == SHT_SYMTAB) {
            status = check_symbols(elf, section, &header, report);
        } else if (!of_symbols) {
            const char *const name = elf_strptr(elf, names, header.sh_name);
            status = check_section(&header, name == NULL ? "?" : name, report);
        }
    }
    return status;
}

enum sl_status sl_elf_check_supported(const struct sl_elf *elf, const struct sl_elf_report *report)
{
    size_t names = 0;

    (void)elf_getshdrstrndx(elf->elf, &names);
    return check_pass(elf->elf, names, true, report) != 0
               ? SL_ERROR_USAGE
               : check_pass(elf->elf, names, false, report);
}
