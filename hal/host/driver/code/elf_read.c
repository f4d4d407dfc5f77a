/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Reads the file as a whole, so that one that is changed or cut short while it is in use does no
 * harm, and checks what every file has to be. */
#include "host/driver/code/elf_read.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/driver/machine/paths.h"

static enum sl_status read_all(int fd, struct sl_elf *elf, const struct sl_elf_report *report)
{
    struct stat status;
    if (fstat(fd, &status) != 0) {
        return sl_elf_fail(report, "cannot be read: %s", strerror(errno));
    }
    if (!S_ISREG(status.st_mode)) {
        return sl_elf_fail(report, "is not a regular file%s", report->advice);
    }
    elf->image_bytes = (size_t)status.st_size;
    elf->image = malloc(elf->image_bytes + 1);
    if (elf->image == NULL) {
        return sl_elf_short(report);
    }
    size_t have = 0;
    while (have < elf->image_bytes) {
        ssize_t got = read(fd, elf->image + have, elf->image_bytes - have);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return sl_elf_fail(report, "cannot be read: %s",
                               got < 0 ? strerror(errno) : "it became shorter");
        }
        have += (size_t)got;
    }
    return SL_OK;
}

static enum sl_status read_file(struct sl_elf *elf, const struct sl_elf_report *report)
{
    /* One that is no regular file could block. */
    int fd = open(report->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) {
        const int reason = errno;
        (void)sl_elf_fail(report, "cannot be opened: %s", strerror(reason));
        return sl_path_status(reason);
    }
    enum sl_status status = read_all(fd, elf, report);
    close(fd);
    return status;
}

static enum sl_status check_identity(const struct sl_elf *elf, const struct sl_elf_report *report)
{
    const char *image = elf->image;
    if (elf->image_bytes < SELFMAG || memcmp(image, ELFMAG, SELFMAG) != 0) {
        return sl_elf_fail(report, "is not an ELF file%s", report->advice);
    }
    if (elf->image_bytes < sizeof(Elf64_Ehdr)) {
        return sl_elf_fail(report, "is cut short: %zu bytes, less than an ELF header",
                           elf->image_bytes);
    }
    if (image[EI_CLASS] != ELFCLASS64 || image[EI_DATA] != ELFDATA2LSB) {
        return sl_elf_fail(report,
                           "is of ELF class %d and byte order %d; programs are 64 bits (%d) and "
                           "little-endian (%d)%s",
                           image[EI_CLASS], image[EI_DATA], ELFCLASS64, ELFDATA2LSB,
                           report->advice);
    }
    return SL_OK;
}

static enum sl_status open_image(struct sl_elf *elf, const struct sl_elf_report *report)
{
    enum sl_status status = read_file(elf, report);
    status = status == SL_OK ? check_identity(elf, report) : status;
    if (status != SL_OK) {
        return status;
    }
    if (elf_version(EV_CURRENT) == EV_NONE) {
        return sl_elf_fail(report, "cannot be read: libelf is of another version");
    }
    errno = 0;
    elf->elf = elf_memory(elf->image, elf->image_bytes);
    if (elf->elf == NULL && errno == ENOMEM) {
        return sl_elf_short(report);
    }
    const Elf64_Ehdr *header = elf->elf == NULL ? NULL : elf64_getehdr(elf->elf);
    if (header == NULL) {
        return sl_elf_fail(report, "is corrupt: %s", elf_errmsg(-1));
    }
    if (header->e_machine != EM_RISCV) {
        return sl_elf_fail(report, "is for machine %u; programs are for RISC-V (%u)%s",
                           header->e_machine, EM_RISCV, report->advice);
    }
    return SL_OK;
}

enum sl_status sl_elf_read(struct sl_elf *elf, const struct sl_elf_report *report,
                           enum sl_status (*take)(struct sl_elf *elf,
                                                  const struct sl_elf_report *report))
{
    *elf = (struct sl_elf){.path = strdup(report->path)};
    enum sl_status status = elf->path == NULL ? sl_elf_short(report) : open_image(elf, report);
    status = status == SL_OK ? take(elf, report) : status;
    status = status == SL_OK ? sl_elf_find_symbols(elf, report) : status;
    if (status != SL_OK) {
        sl_elf_close(elf);
    }
    return status;
}

void sl_elf_close(struct sl_elf *elf)
{
    elf_end(elf->elf);
    free(elf->functions);
    free(elf->image);
    free(elf->path);
    *elf = (struct sl_elf){0};
}
