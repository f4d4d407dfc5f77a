/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* mkflash: makes the flash image of the firmware out of its ELF file, and checks images.
 *
 *     mkflash ELF FLASH         writes FLASH, 32 MiB of mostly holes
 *     mkflash --verify FLASH    checks FLASH as the boot code does, and prints its header
 *     mkflash --inspect FLASH   prints its header, where its parts are, and its information
 *
 * Of the ELF file's loadable segments, those linked to flash go where they are linked to; those
 * linked to the firmware's region of RAM follow as the payload that the boot code copies there, and
 * then the section .sluice.information, where there is one.
 * Exit status: 0 done, 1 the file is bad, 2 the usage is wrong or FLASH is no name that can be
 * written, 3 the machine failed: its disk, its memory. */
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "host/base/atomic_file.h"
#include "host/base/image_information.h"
#include "information.h"
#include "sluice/image.h"

#define PAYLOAD_ALIGN 4096u

enum { STATUS_DONE, STATUS_WRONG, STATUS_USAGE, STATUS_FAILED };

struct image {
    uint8_t *flash;      /* SL_FLASH_BYTES */
    uint8_t *ram;        /* SL_FIRMWARE_BYTES: the payload as it will be in RAM */
    uint64_t boot_bytes; /* used at the beginning of flash */
    uint64_t ram_bytes;  /* used of ram */
    uint64_t entry;
    char *information;        /* NULL: there is none */
    size_t information_bytes; /* without what ends it */
};

__attribute__((format(printf, 2, 3))) static bool fail(const char *file, const char *format, ...)
{
    va_list arguments;
    fprintf(stderr, "mkflash: %s: ", file);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    return false;
}

/* Copies a segment to where it belongs in `region`, and notes how far that is used. */
static bool place(const char *path, const GElf_Phdr *segment, const char *file, uint64_t base,
                  uint64_t room, uint8_t *region, uint64_t *used)
{
    const uint64_t offset = segment->p_vaddr - base;
    if (segment->p_memsz > room - offset || segment->p_filesz > segment->p_memsz) {
        return fail(path, "segment at 0x%llx has %llu bytes; there are %llu up to 0x%llx",
                    (unsigned long long)segment->p_vaddr, (unsigned long long)segment->p_memsz,
                    (unsigned long long)(room - offset), (unsigned long long)(base + room));
    }
    memcpy(region + offset, file + segment->p_offset, segment->p_filesz);
    if (segment->p_filesz != 0 && offset + segment->p_filesz > *used) {
        *used = offset + segment->p_filesz;
    }
    return true;
}

static bool read_segments(const char *path, Elf *elf, struct image *image)
{
    size_t count;
    size_t file_bytes;
    const char *file = elf_rawfile(elf, &file_bytes);

    if (file == NULL || elf_getphdrnum(elf, &count) != 0) {
        return fail(path, "%s", elf_errmsg(-1));
    }
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr segment;
        if (gelf_getphdr(elf, (int)i, &segment) == NULL) {
            return fail(path, "program header %zu: %s", i, elf_errmsg(-1));
        }
        if (segment.p_type != PT_LOAD || segment.p_memsz == 0) {
            continue;
        }
        if (segment.p_offset > file_bytes || segment.p_filesz > file_bytes - segment.p_offset) {
            return fail(path, "program header %zu reaches past the end of the file", i);
        }
        bool placed;
        if (segment.p_vaddr >= SL_FLASH_BASE && segment.p_vaddr < SL_FLASH_BASE + SL_FLASH_BYTES) {
            placed = place(path, &segment, file, SL_FLASH_BASE, SL_FLASH_BYTES, image->flash,
                           &image->boot_bytes);
        } else if (segment.p_vaddr >= SL_FIRMWARE_BASE &&
                   segment.p_vaddr < SL_FIRMWARE_BASE + SL_FIRMWARE_BYTES) {
            placed = place(path, &segment, file, SL_FIRMWARE_BASE, SL_FIRMWARE_BYTES, image->ram,
                           &image->ram_bytes);
        } else {
            placed = fail(
                path,
                "segment at 0x%llx is neither in flash (0x%llx) nor in the firmware's RAM (0x%llx)",
                (unsigned long long)segment.p_vaddr, SL_FLASH_BASE, SL_FIRMWARE_BASE);
        }
        if (!placed) {
            return false;
        }
    }
    return true;
}

static bool read_information(const char *path, Elf *elf, struct image *image)
{
    size_t bytes = 0;
    const char *const text = information_find(elf, &bytes);

    if (text == NULL) {
        return true;
    }
    if (bytes > SL_INFORMATION_BYTES_MAX / 2) {
        return fail(path, "section %s has %zu bytes; at most %u are for it", SL_INFORMATION_SECTION,
                    bytes, SL_INFORMATION_BYTES_MAX / 2);
    }
    image->information = strndup(text, bytes);
    image->information_bytes = bytes;
    return image->information != NULL || fail(path, "out of memory");
}

static bool read_elf(const char *path, struct image *image)
{
    GElf_Ehdr header;
    bool done = false;

    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return fail(path, "%s", strerror(errno));
    }
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(file, ELF_C_READ, NULL);
    if (elf == NULL || gelf_getehdr(elf, &header) == NULL) {
        fail(path, "not an ELF file: %s", elf_errmsg(-1));
    } else if (header.e_machine != EM_RISCV || header.e_ident[EI_CLASS] != ELFCLASS64 ||
               header.e_type != ET_EXEC) {
        fail(path, "machine %u, class %u, type %u; a 64-bit RISC-V executable has %u, %u, %u",
             header.e_machine, header.e_ident[EI_CLASS], header.e_type, EM_RISCV, ELFCLASS64,
             ET_EXEC);
    } else {
        image->entry = header.e_entry;
        done = read_segments(path, elf, image) && read_information(path, elf, image);
    }
    elf_end(elf);
    close(file);
    return done;
}

/* Puts the information behind the payload. Boot code and payload are in image->flash; the header is
 * not. */
static bool place_information(const char *path, struct image *image, struct sl_image_header *header)
{
    const uint64_t begin = header->payload_offset + header->payload_bytes;

    if (image->information == NULL) {
        return true;
    }
    if (SL_INFORMATION_BYTES_MAX > SL_FLASH_BYTES - begin) {
        return fail(path, "no space for information behind the payload, which ends at 0x%llx",
                    (unsigned long long)begin);
    }
    char *const text = (char *)image->flash + begin;
    size_t bytes = information_put_build(text, image->flash, begin);
    memcpy(text + bytes, image->information, image->information_bytes + 1);
    bytes = (bytes + image->information_bytes + 8) & ~(size_t)7; /* a zero at least */
    header->information_offset = (uint32_t)begin;
    header->information_bytes = (uint32_t)bytes;
    header->information_crc = (uint32_t)crc32(0, (const Bytef *)text, (uInt)bytes);
    return true;
}

/* Joins boot code, header, payload and information in image->flash, and checks the result as the
 * boot code will. */
static bool assemble(const char *path, struct image *image)
{
    const uint64_t payload_bytes = (image->ram_bytes + 7) & ~7ull;
    const uint64_t payload_offset =
        (image->boot_bytes + PAYLOAD_ALIGN - 1) & ~(uint64_t)(PAYLOAD_ALIGN - 1);
    struct sl_image_defect defect;
    struct sl_image_header header = {
        .magic = SL_IMAGE_MAGIC,
        .version = SL_IMAGE_VERSION,
        .payload_offset = payload_offset,
        .payload_bytes = payload_bytes,
        .load_address = SL_FIRMWARE_BASE,
        .entry = image->entry,
    };

    if (image->boot_bytes < SL_IMAGE_HEADER_OFFSET + sizeof(header)) {
        return fail(path, "no boot code: %llu bytes are linked to flash (0x%llx)",
                    (unsigned long long)image->boot_bytes, SL_FLASH_BASE);
    }
    if (payload_offset > SL_FLASH_BYTES || payload_bytes > SL_FLASH_BYTES - payload_offset) {
        return fail(path, "boot code of %llu and payload of %llu bytes do not fit into %llu",
                    (unsigned long long)image->boot_bytes, (unsigned long long)payload_bytes,
                    SL_FLASH_BYTES);
    }
    memcpy(image->flash + payload_offset, image->ram, payload_bytes);
    if (!place_information(path, image, &header)) {
        return false;
    }
    header.payload_crc = (uint32_t)crc32(0, image->ram, (uInt)payload_bytes);
    header.header_crc =
        (uint32_t)crc32(0, (const Bytef *)&header, offsetof(struct sl_image_header, header_crc));
    memcpy(image->flash + SL_IMAGE_HEADER_OFFSET, &header, sizeof(header));
    if (sl_image_check(image->flash, &defect) != 0) {
        return fail(path, "the boot code would refuse it: %s: expected 0x%llx, found 0x%llx",
                    defect.what, (unsigned long long)defect.expected,
                    (unsigned long long)defect.found);
    }
    return true;
}

/* The image gets its name when it is whole. */
static int write_image(const char *path, const struct image *image)
{
    const struct sl_image_header *header = sl_image_header_of(image->flash);
    const uint64_t used =
        header->payload_offset + header->payload_bytes + header->information_bytes;
    struct sl_output output;

    if (sl_output_open(&output, path) == 0) {
        (void)fwrite(image->flash, 1, used, output.file);
    }
    const int reason = sl_output_close(&output, 0);
    if (reason == 0) {
        return STATUS_DONE;
    }
    fail(path, "cannot write it: %s", strerror(reason));
    return sl_target_is_of_name(reason) ? STATUS_USAGE : STATUS_FAILED;
}

static int make(const char *elf_path, const char *flash_path)
{
    struct image image = {
        .flash = calloc(1, SL_FLASH_BYTES),
        .ram = calloc(1, SL_FIRMWARE_BYTES),
    };
    int status = STATUS_FAILED;

    if (image.flash == NULL || image.ram == NULL) {
        fail(elf_path, "out of memory");
    } else {
        status = read_elf(elf_path, &image) && assemble(elf_path, &image)
                     ? write_image(flash_path, &image)
                     : STATUS_WRONG;
    }
    free(image.flash);
    free(image.ram);
    free(image.information);
    return status;
}

static bool read_image(const char *path, uint8_t *flash)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return fail(path, "%s", strerror(errno));
    }
    const size_t bytes = fread(flash, 1, SL_FLASH_BYTES, file);
    const bool is_longer = fgetc(file) != EOF;
    const bool is_failed = ferror(file) != 0;
    fclose(file);
    if (is_failed) {
        return fail(path, "cannot be read");
    }
    if (bytes == 0 || is_longer) {
        return fail(path, "%s; a flash image has 1 to %llu bytes",
                    is_longer ? "longer than the flash" : "empty", SL_FLASH_BYTES);
    }
    return true;
}

static void print_header(const struct sl_image_header *header)
{
    printf("magic           0x%016llx\n", (unsigned long long)header->magic);
    printf("version         %u\n", header->version);
    printf("header CRC-32   0x%08x\n", header->header_crc);
    printf("payload offset  0x%llx\n", (unsigned long long)header->payload_offset);
    printf("payload bytes   %llu\n", (unsigned long long)header->payload_bytes);
    printf("payload CRC-32  0x%08x\n", header->payload_crc);
    printf("load address    0x%llx\n", (unsigned long long)header->load_address);
    printf("entry           0x%llx\n", (unsigned long long)header->entry);
}

/* Where the parts that the header names lie in flash and in RAM. */
static void print_parts(const struct sl_image_header *header)
{
    const unsigned long long payload = SL_FLASH_BASE + header->payload_offset;
    printf("\nflash  0x%llx to 0x%llx  boot code and header\n", SL_FLASH_BASE, payload);
    printf("flash  0x%llx to 0x%llx  payload\n", payload,
           payload + (unsigned long long)header->payload_bytes);
    if (header->information_bytes != 0) {
        const unsigned long long information = SL_FLASH_BASE + header->information_offset;
        printf("flash  0x%llx to 0x%llx  information\n", information,
               information + header->information_bytes);
    }
    printf("RAM    0x%llx to 0x%llx  where the boot code copies it\n",
           (unsigned long long)header->load_address,
           (unsigned long long)(header->load_address + header->payload_bytes));
}

static void print_information(const uint8_t *flash)
{
    const char *text;

    putchar('\n');
    switch (sl_information_find(flash, SL_FLASH_BYTES, &text)) {
    case SL_INFORMATION_GOOD:
        information_print(text);
        break;
    case SL_INFORMATION_NONE:
        printf("no information\n");
        break;
    case SL_INFORMATION_DAMAGED:
        printf("information is damaged\n");
        break;
    }
}

static bool judge(const char *path, const uint8_t *flash)
{
    struct sl_image_defect defect;
    const int status = sl_image_check(flash, &defect);
    const char *text;

    if (status == 0 &&
        sl_information_find(flash, SL_FLASH_BYTES, &text) == SL_INFORMATION_DAMAGED) {
        return fail(path, "bad: the information's place or CRC-32 (no machine starts with it)");
    }
    if (status == 0) {
        printf("good\n");
        return true;
    }
    return fail(path, "bad: %s: expected 0x%llx, found 0x%llx (the boot code ends with status %d)",
                defect.what, (unsigned long long)defect.expected, (unsigned long long)defect.found,
                status);
}

static int show(const char *path, bool is_verify)
{
    uint8_t *flash = calloc(1, SL_FLASH_BYTES); /* zero behind the image */
    bool done = false;

    if (flash == NULL) {
        fail(path, "out of memory");
        return STATUS_FAILED;
    }
    if (read_image(path, flash)) {
        print_header(sl_image_header_of(flash));
        if (is_verify) {
            done = judge(path, flash);
        } else {
            print_parts(sl_image_header_of(flash));
            print_information(flash);
            done = true;
        }
    }
    free(flash);
    return done ? STATUS_DONE : STATUS_WRONG;
}

int main(int count, char **arguments)
{
    static const char usage[] = "usage: mkflash ELF FLASH\n"
                                "       mkflash --verify FLASH\n"
                                "       mkflash --inspect FLASH\n";

    if (count == 2 && strcmp(arguments[1], "--help") == 0) {
        fputs(usage, stdout);
        return STATUS_DONE;
    }
    const bool is_verify = count == 3 && strcmp(arguments[1], "--verify") == 0;
    const bool is_inspect = count == 3 && strcmp(arguments[1], "--inspect") == 0;
    const bool is_make = count == 3 && arguments[1][0] != '-';
    if ((!is_verify && !is_inspect && !is_make) || arguments[2][0] == '-') {
        fputs(usage, stderr);
        return STATUS_USAGE;
    }
    return is_make ? make(arguments[1], arguments[2]) : show(arguments[2], is_verify);
}
