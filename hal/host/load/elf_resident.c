/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What kernels say of themselves by SL_KERNEL_RESIDENT (wave/sluice_wave.h): records in the section
 * .sluice.kernels, which is not loaded, of a place in the kernel and a number. */
#include <inttypes.h>
#include <string.h>

#include "host/load/elf_read.h"
#include "sluice/limits.h"

struct record {
    uint64_t place;
    uint64_t resident;
};

static const Elf_Data *find_records(Elf *elf)
{
    Elf_Scn *section = NULL;
    size_t names = 0;

    if (elf_getshdrstrndx(elf, &names) != 0) {
        return NULL;
    }
    while ((section = elf_nextscn(elf, section)) != NULL) {
        const Elf64_Shdr *const header = elf64_getshdr(section);
        const char *const name = header == NULL ? NULL : elf_strptr(elf, names, header->sh_name);
        if (name != NULL && strcmp(name, ".sluice.kernels") == 0) {
            return elf_getdata(section, NULL);
        }
    }
    return NULL;
}

static int take_record(struct sl_elf *elf, const struct record *record,
                       const struct sl_elf_report *report)
{
    const struct sl_elf_function *const found = sl_elf_function_at(elf, record->place);

    if (found == NULL || !found->is_entry) {
        return sl_elf_fail(report,
                           "has SL_KERNEL_RESIDENT(%" PRIu64 ") in '%s', which is no kernel: it "
                           "belongs into a function marked SL_KERNEL",
                           record->resident, found == NULL ? "?" : found->name);
    }
    if (record->resident == 0 || record->resident > SL_KERNEL_RESIDENT_MAX) {
        return sl_elf_fail(report,
                           "has SL_KERNEL_RESIDENT(%" PRIu64 ") in '%s': wavefronts in flight can "
                           "be bounded by 1 to %d",
                           record->resident, found->name, SL_KERNEL_RESIDENT_MAX);
    }
    if (found->resident != 0 && found->resident != record->resident) {
        return sl_elf_fail(report,
                           "has both SL_KERNEL_RESIDENT(%" PRIu32
                           ") and SL_KERNEL_RESIDENT(%" PRIu64 ") in '%s': one bound is possible",
                           found->resident, record->resident, found->name);
    }
    elf->functions[found - elf->functions].resident = (uint32_t)record->resident;
    return 0;
}

int sl_elf_find_resident(struct sl_elf *elf, const struct sl_elf_report *report)
{
    const Elf_Data *const data = find_records(elf->elf);

    if (data == NULL || data->d_buf == NULL) {
        return 0;
    }
    for (size_t at = 0; at + sizeof(struct record) <= data->d_size; at += sizeof(struct record)) {
        struct record record;
        memcpy(&record, (const char *)data->d_buf + at, sizeof record);
        if (take_record(elf, &record, report) != 0) {
            return -1;
        }
    }
    return 0;
}
