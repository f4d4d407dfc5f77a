/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

#include "sections.h"

#include <string.h>

const Elf_Data *section_data(Elf *elf, const char *name)
{
    Elf_Scn *section = NULL;
    size_t names;

    if (elf_getshdrstrndx(elf, &names) != 0) {
        return NULL;
    }
    while ((section = elf_nextscn(elf, section)) != NULL) {
        GElf_Shdr header;
        const char *found =
            gelf_getshdr(section, &header) == NULL ? NULL : elf_strptr(elf, names, header.sh_name);
        if (found != NULL && strcmp(found, name) == 0) {
            const Elf_Data *const data = elf_getdata(section, NULL);
            return data != NULL && data->d_buf != NULL ? data : NULL;
        }
    }
    return NULL;
}
