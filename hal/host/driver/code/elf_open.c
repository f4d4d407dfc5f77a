/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Opens a file of kernels: checks it from the outside in, header, segments, LDS, entries. And the
 * firmware's, as far as names are concerned: flash has the code without them. */
#include <inttypes.h>
#include <string.h>

#include "host/driver/code/elf.h"
#include "host/driver/code/elf_read.h"
#include "sluice/limits.h"
#include "sluice/memory_map.h"

#define ADVICE "; kernels are compiled and linked by `sluice cc`"

static enum sl_status check_header(const Elf64_Ehdr *header, const struct sl_elf_report *report)
{
    if (header->e_type != ET_EXEC) {
        return sl_elf_fail(
            report, "is of ELF type %u%s; kernels are linked executables (%u)" ADVICE,
            header->e_type, header->e_type == ET_REL ? ", an object file" : "", ET_EXEC);
    }
    if ((header->e_flags & EF_RISCV_FLOAT_ABI) != EF_RISCV_FLOAT_ABI_DOUBLE ||
        (header->e_flags & EF_RISCV_RVE)) {
        return sl_elf_fail(report, "follows another ABI (ELF flags 0x%x): compile with -mabi=lp64d",
                           header->e_flags);
    }
    return SL_OK;
}

/* An executable segment is code as the device decodes it when it is loaded: whole words that nobody
 * writes, all of them in the file. */
static enum sl_status check_code(const struct sl_elf_segment *segment, const Elf64_Phdr *header,
                                 const struct sl_elf_report *report)
{
    if (header->p_flags & PF_W) {
        return sl_elf_fail(report,
                           "has a segment at 0x%" PRIx64
                           " that can be both executed and written; link with linker/kernel.ld",
                           segment->address);
    }
    if (segment->address % 4 != 0 || segment->bytes % 4 != 0 ||
        segment->bytes != segment->file_bytes) {
        return sl_elf_fail(report,
                           "has code at 0x%" PRIx64 " of %" PRIu64 " bytes, %" PRIu64
                           " of them in the file; code is whole words of 4 bytes, all in the file",
                           segment->address, segment->bytes, segment->file_bytes);
    }
    return SL_OK;
}

static enum sl_status check_segment(const struct sl_elf *elf, const struct sl_elf_segment *segment,
                                    const Elf64_Phdr *header, const struct sl_elf_report *report)
{
    if (header->p_offset > elf->image_bytes ||
        header->p_filesz > elf->image_bytes - header->p_offset) {
        return sl_elf_fail(report,
                           "is cut short: a segment ends at byte %" PRIu64 ", the file at %zu",
                           header->p_offset + header->p_filesz, elf->image_bytes);
    }
    if (segment->file_bytes > segment->bytes) {
        return sl_elf_fail(report,
                           "is corrupt: a segment at 0x%" PRIx64
                           " has more bytes in the file (%" PRIu64 ") than in memory (%" PRIu64 ")",
                           segment->address, segment->file_bytes, segment->bytes);
    }
    if (segment->address < SL_KERNEL_BASE || segment->bytes > SL_KERNEL_BYTES ||
        segment->address - SL_KERNEL_BASE > SL_KERNEL_BYTES - segment->bytes) {
        return sl_elf_fail(report,
                           "has a segment at 0x%" PRIx64 " of %" PRIu64
                           " bytes; kernels are from 0x%llx to 0x%llx: link with linker/kernel.ld",
                           segment->address, segment->bytes, SL_KERNEL_BASE,
                           SL_KERNEL_BASE + SL_KERNEL_BYTES);
    }
    for (size_t i = 0; i < elf->segment_count; i++) {
        const struct sl_elf_segment *other = &elf->segments[i];
        if (segment->address < other->address + other->bytes &&
            other->address < segment->address + segment->bytes) {
            return sl_elf_fail(report,
                               "has segments at 0x%" PRIx64 " and 0x%" PRIx64 " that overlap",
                               other->address, segment->address);
        }
    }
    return segment->is_code ? check_code(segment, header, report) : 0;
}

/* Takes a segment that is to be loaded. */
static enum sl_status take_segment(struct sl_elf *elf, const Elf64_Phdr *header,
                                   const struct sl_elf_report *report)
{
    if (elf->segment_count == SL_ELF_SEGMENTS_MAX) {
        return sl_elf_fail(report, "has more than %d segments to load; link with linker/kernel.ld",
                           SL_ELF_SEGMENTS_MAX);
    }
    struct sl_elf_segment segment = {
        .address = header->p_vaddr,
        .bytes = header->p_memsz,
        .file_bytes = header->p_filesz,
        .is_code = (header->p_flags & PF_X) != 0,
        .is_writable = (header->p_flags & PF_W) != 0,
    };
    if (check_segment(elf, &segment, header, report) != 0) {
        return SL_ERROR_USAGE;
    }
    segment.data = elf->image + header->p_offset;
    elf->segments[elf->segment_count++] = segment;
    return SL_OK;
}

static enum sl_status find_segments(struct sl_elf *elf, const struct sl_elf_report *report)
{
    size_t count = 0;
    if (elf_getphdrnum(elf->elf, &count) != 0) {
        return sl_elf_fail(report, "is corrupt: its program headers cannot be read (%s)",
                           elf_errmsg(-1));
    }
    size_t codes = 0;
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr header;
        if (gelf_getphdr(elf->elf, (int)i, &header) == NULL) {
            return sl_elf_fail(report, "is cut short: its program headers are not in it (%s)",
                               elf_errmsg(-1));
        }
        if (header.p_type != PT_LOAD || header.p_memsz == 0) {
            continue;
        }
        if (take_segment(elf, &header, report) != 0) {
            return SL_ERROR_USAGE;
        }
        if (elf->segments[elf->segment_count - 1].is_code) {
            elf->code = elf->segment_count - 1;
            codes++;
        }
    }
    if (codes != 1) {
        return sl_elf_fail(
            report,
            "has %zu executable segments; there must be exactly one: link with linker/kernel.ld",
            codes);
    }
    return SL_OK;
}

static enum sl_status find_lds(struct sl_elf *elf, const struct sl_elf_report *report)
{
    Elf_Scn *section = NULL;
    size_t names = 0;
    if (elf_getshdrstrndx(elf->elf, &names) != 0) {
        return SL_OK;
    }
    while ((section = elf_nextscn(elf->elf, section)) != NULL) {
        GElf_Shdr header;
        const char *name = gelf_getshdr(section, &header) == NULL
                               ? NULL
                               : elf_strptr(elf->elf, names, header.sh_name);
        if (name == NULL || strcmp(name, ".lds") != 0 || header.sh_size == 0) {
            continue;
        }
        if (header.sh_type != SHT_NOBITS || header.sh_addr != SL_LDS_BASE ||
            header.sh_size > SL_LDS_BYTES_MAX) {
            return sl_elf_fail(
                report,
                "has LDS variables at 0x%llx of %llu bytes; they begin at 0x%llx, have no "
                "contents, and take at most %d bytes: link with linker/kernel.ld",
                (unsigned long long)header.sh_addr, (unsigned long long)header.sh_size, SL_LDS_BASE,
                SL_LDS_BYTES_MAX);
        }
        elf->lds_bytes = header.sh_size;
    }
    return SL_OK;
}

static enum sl_status take_kernels(struct sl_elf *elf, const struct sl_elf_report *report)
{
    return check_header(elf64_getehdr(elf->elf), report) != 0 || find_segments(elf, report) != 0
               ? SL_ERROR_USAGE
               : find_lds(elf, report);
}

enum sl_status sl_elf_open(struct sl_elf *elf, const char *path, char *error, size_t error_bytes)
{
    const struct sl_elf_report report = {"kernel file", path, ADVICE, error, error_bytes};
    enum sl_status status = sl_elf_read(elf, &report, take_kernels);
    if (status == 0 &&
        (sl_elf_check_supported(elf, &report) != 0 || sl_elf_check_entries(elf, &report) != 0 ||
         sl_elf_find_records(elf, &report) != 0)) {
        sl_elf_close(elf);
        status = SL_ERROR_USAGE;
    }
    return status;
}

/* The executable segment in RAM; boot code is in flash. */
static enum sl_status take_firmware(struct sl_elf *elf, const struct sl_elf_report *report)
{
    GElf_Phdr header;
    for (int i = 0; gelf_getphdr(elf->elf, i, &header) != NULL; i++) {
        if (header.p_type == PT_LOAD && (header.p_flags & PF_X) != 0 &&
            header.p_vaddr == SL_FIRMWARE_BASE && header.p_filesz <= SL_FIRMWARE_BYTES &&
            header.p_offset <= elf->image_bytes &&
            header.p_filesz <= elf->image_bytes - header.p_offset) {
            elf->segments[0] = (struct sl_elf_segment){
                .address = header.p_vaddr,
                .bytes = header.p_filesz,
                .file_bytes = header.p_filesz,
                .data = elf->image + header.p_offset,
                .is_code = true,
            };
            elf->segment_count = 1;
            elf->code = 0;
            return SL_OK;
        }
    }
    return sl_elf_fail(report, "has no code at 0x%llx%s", SL_FIRMWARE_BASE, report->advice);
}

enum sl_status sl_elf_open_firmware(struct sl_elf *elf, const char *path, char *error,
                                    size_t error_bytes)
{
    const struct sl_elf_report report = {
        "profile.firmware: file", path,
        "; the firmware is linked with linker/firmware.ld (make flash)", error, error_bytes};
    return sl_elf_read(elf, &report, take_firmware);
}
