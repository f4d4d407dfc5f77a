/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Damaged kernel files: in headers, sections, symbols, debug information, code, and cut off. Each
 * is loaded and run on a machine of its own. What such a kernel computes is its own affair; host,
 * QEMU and firmware go on. */
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "attack/campaign.h"
#include "attack/damage.h"
#include "host/driver/machine/guest_memory.h"
#include "sluice/program.h"

enum { IN_HEADER, IN_SEGMENTS, IN_SECTIONS, IN_CODE, IN_SYMBOLS, IN_DWARF, IN_ALL, CUT, ROWS };

static const char *const rows[ROWS] = {
    "ELF header",     "program headers",   "section headers", "code and data",
    "symbols, names", "debug information", "anywhere",        "cut off",
};

struct image {
    uint8_t *bytes;
    size_t size;
};

static bool read_image(struct image *image)
{
    char path[4096];
    char error[512];
    struct stat info;
    if (sl_app_find_kernels("attack.elf", path, sizeof path, error, sizeof error) != 0) {
        (void)fprintf(stderr, "attack: %s\n", error);
        return false;
    }
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &info) != 0) {
        return false;
    }
    image->size = (size_t)info.st_size;
    image->bytes = malloc(image->size);
    const bool is_read =
        image->bytes != NULL && read(fd, image->bytes, image->size) == (ssize_t)image->size;
    (void)close(fd);
    return is_read;
}

/* Whether a section is of the kind that a row is about. */
static bool is_of_row(const struct image *image, const Elf64_Shdr *section, unsigned row)
{
    const Elf64_Ehdr *const header = (const Elf64_Ehdr *)(const void *)image->bytes;
    const Elf64_Shdr *const sections =
        (const Elf64_Shdr *)(const void *)(image->bytes + header->e_shoff);
    const char *const name =
        (const char *)image->bytes + sections[header->e_shstrndx].sh_offset + section->sh_name;
    if (section->sh_type == SHT_NOBITS || section->sh_size < 8) {
        return false;
    }
    switch (row) {
    case IN_CODE:
        return section->sh_type == SHT_PROGBITS && (section->sh_flags & SHF_ALLOC) != 0;
    case IN_SYMBOLS:
        return section->sh_type == SHT_SYMTAB || section->sh_type == SHT_STRTAB;
    default:
        return strncmp(name, ".debug", 6) == 0;
    }
}

/* One of the sections that a row is about. */
static void find_section(const struct image *image, unsigned row, struct rng *rng, size_t *offset,
                         size_t *bytes)
{
    const Elf64_Ehdr *const header = (const Elf64_Ehdr *)(const void *)image->bytes;
    const Elf64_Shdr *const sections =
        (const Elf64_Shdr *)(const void *)(image->bytes + header->e_shoff);
    for (unsigned tries = 0; tries < 1000; tries++) {
        const Elf64_Shdr *const section = &sections[rng_below(rng, header->e_shnum)];
        if (is_of_row(image, section, row)) {
            *offset = section->sh_offset;
            *bytes = section->sh_size;
            return;
        }
    }
}

static void damage_image(struct image *image, unsigned row, struct rng *rng)
{
    const Elf64_Ehdr header = *(const Elf64_Ehdr *)(const void *)image->bytes;
    size_t offset = 0;
    size_t bytes = image->size;
    switch (row) {
    case IN_HEADER:
        bytes = sizeof header;
        break;
    case IN_SEGMENTS:
        offset = header.e_phoff;
        bytes = (size_t)header.e_phnum * header.e_phentsize;
        break;
    case IN_SECTIONS:
        offset = header.e_shoff;
        bytes = (size_t)header.e_shnum * header.e_shentsize;
        break;
    case CUT:
        image->size = rng_below(rng, image->size);
        return;
    case IN_ALL:
        break;
    default:
        find_section(image, row, rng, &offset, &bytes);
        break;
    }
    const enum damage how = (enum damage)rng_below(rng, row == IN_ALL ? DAMAGE_WHOLE : DAMAGES);
    damage(image->bytes + offset, bytes, how, rng);
}

/* A memfd, whose path any program can open while this one lives. -1 on failure. */
static int write_image(const struct image *image)
{
    const int fd = sl_memory_file("damaged.elf");
    if (fd >= 0 && write(fd, image->bytes, image->size) != (ssize_t)image->size) {
        (void)close(fd);
        return -1;
    }
    return fd;
}

static enum outcome run_file(struct session *session, const char *path, struct rng *rng)
{
    const struct victim *const victim = &victims[rng_below(rng, victim_count)];
    enum sl_status status = session_open(session, 0, path, true);
    if (status == SL_OK) {
        status = session_make(session, victim);
    }
    if (status == SL_OK) {
        status = session_run(session);
    }
    if (status != SL_OK) {
        return session_told(session, status);
    }
    return victim->is_right(session) ? OUTCOME_RIGHT : OUTCOME_OWN;
}

static enum outcome attack_file(struct session *session, struct rng *rng, struct tally *tally,
                                uint64_t *tried)
{
    struct image image;
    char path[64];
    tally->current = (unsigned)rng_below(rng, ROWS);
    *session = (struct session){.soc = NULL};
    if (!read_image(&image)) {
        return OUTCOME_UNFIT;
    }
    damage_image(&image, tally->current, rng);
    const int fd = write_image(&image);
    free(image.bytes);
    if (fd < 0) {
        return OUTCOME_UNFIT;
    }
    (void)snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)getpid(), fd);
    *tried = 1;
    const enum outcome outcome = run_file(session, path, rng);
    session_end(session);
    session_close(session);
    (void)close(fd);
    return outcome;
}

static const char *row_of(unsigned row)
{
    return row < ROWS ? rows[row] : NULL;
}

const struct campaign campaign_files = {
    .name = "files",
    .unit = "files",
    .runs = 1000,
    .runs_per_machine = 50,
    .opens_itself = true,
    .row = row_of,
    .attack = attack_file,
};
