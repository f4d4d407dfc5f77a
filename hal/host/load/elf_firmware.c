/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Opens the firmware's file, as far as names are concerned: flash has the code without them. */
#include <string.h>

#include "host/load/elf.h"
#include "host/load/elf_read.h"
#include "host/load/elf_symbols.h"
#include "sluice/memory_map.h"

/* The executable segment in RAM; boot code is in flash. */
static int find_code(struct sl_elf *elf, const struct sl_elf_report *report)
{
    size_t count = 0;
    const Elf64_Phdr *const headers =
        elf_getphdrnum(elf->elf, &count) == 0 ? elf64_getphdr(elf->elf) : NULL;
    for (size_t i = 0; headers != NULL && i < count; i++) {
        const Elf64_Phdr *const header = &headers[i];
        if (header->p_type == PT_LOAD && (header->p_flags & PF_X) != 0 &&
            header->p_vaddr == SL_FIRMWARE_BASE && header->p_filesz <= SL_FIRMWARE_BYTES &&
            header->p_offset <= elf->image_bytes &&
            header->p_filesz <= elf->image_bytes - header->p_offset) {
            elf->segments[0] = (struct sl_elf_segment){
                .address = header->p_vaddr,
                .bytes = header->p_filesz,
                .file_bytes = header->p_filesz,
                .data = elf->image + header->p_offset,
                .is_code = true,
            };
            elf->segment_count = 1;
            elf->code = 0;
            return 0;
        }
    }
    return sl_elf_fail(report, "has no code at 0x%llx%s", SL_FIRMWARE_BASE, report->advice);
}

int sl_elf_open_firmware(struct sl_elf *elf, const char *path, char *error, size_t error_bytes)
{
    const struct sl_elf_report report = {
        "profile.firmware: file", path,
        "; the firmware is linked with linker/firmware.ld (make flash)", error, error_bytes};
    *elf = (struct sl_elf){.path = strdup(path)};
    if (elf->path == NULL) {
        return sl_elf_fail(&report, "cannot be read: out of memory");
    }
    if (sl_elf_read(elf, &report) != 0 || find_code(elf, &report) != 0 ||
        sl_elf_find_symbols(elf, &report) != 0) {
        sl_elf_close(elf);
        return -1;
    }
    return 0;
}
