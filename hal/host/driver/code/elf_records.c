/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What kernels say of themselves, by SL_KERNEL_RESIDENT (sluice/wave/wave.h) in the section
 * .sluice.kernels, and by SL_WORK (sluice/wave/tasks.h) in .sluice.work: records of a place in the
 * kernel and a number. These sections are not loaded. */
#include <inttypes.h>
#include <string.h>

#include "host/driver/code/elf_read.h"
#include "sluice/limits.h"

struct record {
    uint64_t place;
    uint64_t number;
};

static const Elf_Data *find_section(Elf *elf, const char *wanted)
{
    Elf_Scn *section = NULL;
    size_t names = 0;

    if (elf_getshdrstrndx(elf, &names) != 0) {
        return NULL;
    }
    while ((section = elf_nextscn(elf, section)) != NULL) {
        GElf_Shdr header;
        const char *const name =
            gelf_getshdr(section, &header) == NULL ? NULL : elf_strptr(elf, names, header.sh_name);
        if (name != NULL && strcmp(name, wanted) == 0) {
            return elf_getdata(section, NULL);
        }
    }
    return NULL;
}

static enum sl_status take_resident(struct sl_elf *elf, const struct record *record,
                                    const struct sl_elf_report *report)
{
    const struct sl_elf_function *const found = sl_elf_function_at(elf, record->place);

    if (found == NULL || !found->is_entry) {
        return sl_elf_fail(report,
                           "has SL_KERNEL_RESIDENT(%" PRIu64 ") in '%s', which is no kernel: it "
                           "belongs into a function marked SL_KERNEL",
                           record->number, found == NULL ? "?" : found->name);
    }
    if (record->number == 0 || record->number > SL_KERNEL_RESIDENT_MAX) {
        return sl_elf_fail(report,
                           "has SL_KERNEL_RESIDENT(%" PRIu64 ") in '%s': wavefronts in flight can "
                           "be bounded by 1 to %d",
                           record->number, found->name, SL_KERNEL_RESIDENT_MAX);
    }
    if (found->resident != 0 && found->resident != record->number) {
        return sl_elf_fail(report,
                           "has both SL_KERNEL_RESIDENT(%" PRIu32
                           ") and SL_KERNEL_RESIDENT(%" PRIu64 ") in '%s': one bound is possible",
                           found->resident, record->number, found->name);
    }
    elf->functions[found - elf->functions].resident = (uint32_t)record->number;
    return SL_OK;
}

/* A number of bytes for each task, above the number of functions. */
static enum sl_status take_work(struct sl_elf *elf, const struct record *record,
                                const struct sl_elf_report *report)
{
    const struct sl_elf_function *const found = sl_elf_function_at(elf, record->place);
    const struct sl_tasks_kernel work = {(uint32_t)record->number,
                                         (uint32_t)(record->number >> 32)};

    if (found == NULL || !found->is_entry || work.functions == 0 ||
        work.functions > SL_TASKS_FUNCTIONS || work.task_bytes == 0 || work.task_bytes % 4 != 0 ||
        work.task_bytes > 4 * SL_TASKS_WORDS) {
        return sl_elf_fail(report,
                           "has a record of %" PRIu32 " functions over tasks of %" PRIu32
                           " bytes for '%s', which is none that SL_WORK makes",
                           work.functions, work.task_bytes, found == NULL ? "?" : found->name);
    }
    elf->functions[found - elf->functions].work = work;
    return SL_OK;
}

static enum sl_status take_all(struct sl_elf *elf, const char *section,
                               enum sl_status (*take)(struct sl_elf *elf,
                                                      const struct record *record,
                                                      const struct sl_elf_report *report),
                               const struct sl_elf_report *report)
{
    const Elf_Data *const data = find_section(elf->elf, section);

    if (data == NULL || data->d_buf == NULL) {
        return SL_OK;
    }
    for (size_t at = 0; at + sizeof(struct record) <= data->d_size; at += sizeof(struct record)) {
        struct record record;
        memcpy(&record, (const char *)data->d_buf + at, sizeof record);
        if (take(elf, &record, report) != 0) {
            return SL_ERROR_USAGE;
        }
    }
    return SL_OK;
}

enum sl_status sl_elf_find_records(struct sl_elf *elf, const struct sl_elf_report *report)
{
    return take_all(elf, ".sluice.kernels", take_resident, report) != 0
               ? SL_ERROR_USAGE
               : take_all(elf, ".sluice.work", take_work, report);
}
