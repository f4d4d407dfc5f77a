/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* DRAM as a sparse memfd, mapped where the device has it (docs/know/design.md, "Memory map"), so
 * that a pointer is the same number on host, aggregator and compute units. The mapping replaces
 * nothing: where something of this process lies in the way, that is an error which names it. */
#define _GNU_SOURCE 1
#include "host/driver/machine/guest_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/base/safe_write.h"
#include "sluice/memory_map.h"

#define FIRST_FREE_FD 3
#define DRAM_FILE     "sluice-dram"

const char *const sl_memory_block_name[SL_MEMORY_BLOCKS] = {
    [SL_MEMORY_PROFILE] = "profile",   [SL_MEMORY_TIMELINE] = "timeline",
    [SL_MEMORY_REPORT] = "report",     [SL_MEMORY_RACES] = "races",
    [SL_MEMORY_SHARING] = "sharing",   [SL_MEMORY_KERNELS] = "kernels",
    [SL_MEMORY_TRACE] = "trace",       [SL_MEMORY_SAMPLE] = "sample",
    [SL_MEMORY_CHANNELS] = "channels",
};

void sl_memory_init(struct sl_memory *memory)
{
    *memory = (struct sl_memory){.dram_fd = -1, .uart_fd = -1, .log_fd = -1};
    for (unsigned block = 0; block < SL_MEMORY_BLOCKS; block++) {
        memory->block_fd[block] = -1;
    }
}

int sl_memory_file(const char *name)
{
    const int fd = memfd_create(name, MFD_CLOEXEC);
    if (fd < 0 || fd >= FIRST_FREE_FD) {
        return fd;
    }
    /* A host program without standard streams: the child's dup2() would overwrite this one. */
    const int moved = fcntl(fd, F_DUPFD_CLOEXEC, FIRST_FREE_FD);
    (void)close(fd);
    return moved;
}

/* Finds out what of this process overlaps the range, from /proc/self/maps. */
static void describe_obstacle(uint64_t base, uint64_t limit, char *out, size_t bytes)
{
    (void)snprintf(out, bytes, "an unknown mapping");
    FILE *maps = fopen("/proc/self/maps", "re");
    if (maps == NULL) {
        return;
    }
    char line[512];
    while (fgets(line, sizeof line, maps) != NULL) {
        unsigned long long from = 0;
        unsigned long long to = 0;
        int name = 0;
        if (sscanf(line, "%llx-%llx %*s %*s %*s %*s %n", &from, &to, &name) < 2 || to <= base ||
            from >= limit) {
            continue;
        }
        line[strcspn(line, "\n")] = '\0';
        (void)snprintf(out, bytes, "0x%llx-0x%llx %.200s", from, to,
                       name > 0 && line[name] != '\0' ? line + name : "(anonymous)");
        break;
    }
    (void)fclose(maps);
}

static enum sl_status tell_obstacle(const struct sl_memory *memory, char *error, size_t error_bytes)
{
    char obstacle[256];
    const unsigned long long base = SL_DRAM_BASE;
    const unsigned long long limit = base + memory->dram_bytes;
    describe_obstacle(base, limit, obstacle, sizeof obstacle);
    if (strstr(obstacle, "/memfd:" DRAM_FILE) != NULL) {
        (void)snprintf(
            error, error_bytes,
            "this process has a machine open already: its DRAM is mapped at the device's "
            "own addresses, 0x%llx-0x%llx, where that of another one would have to be; "
            "close the first one before, or open each in a process of its own",
            base, limit);
        return SL_ERROR_USAGE;
    }
    (void)snprintf(error, error_bytes,
                   "cannot map DRAM at 0x%llx-0x%llx: this process has something there (%s); "
                   "programs built with AddressSanitizer cannot open a machine (use UBSan or "
                   "valgrind)",
                   base, limit, obstacle);
    return SL_ERROR_MACHINE;
}

static enum sl_status map_dram(struct sl_memory *memory, char *error, size_t error_bytes)
{
    void *const wanted = (void *)(uintptr_t)SL_DRAM_BASE;
    void *const got = mmap(wanted, memory->dram_bytes, PROT_READ | PROT_WRITE,
                           MAP_SHARED | MAP_FIXED_NOREPLACE | MAP_NORESERVE, memory->dram_fd, 0);
    if (got == wanted) {
        memory->dram = got;
        return SL_OK;
    }
    const int reason = got == MAP_FAILED ? errno : EEXIST;
    if (got != MAP_FAILED) {
        (void)munmap(got, memory->dram_bytes);
    }
    if (reason == EEXIST) {
        return tell_obstacle(memory, error, error_bytes);
    }
    (void)snprintf(error, error_bytes, "cannot map DRAM of %llu MiB at 0x%llx: %s",
                   (unsigned long long)memory->dram_bytes >> 20, (unsigned long long)SL_DRAM_BASE,
                   strerror(reason));
    return SL_ERROR_MACHINE;
}

enum sl_status sl_memory_open(struct sl_memory *memory, uint64_t dram_bytes, char *error,
                              size_t error_bytes)
{
    memory->dram_bytes = dram_bytes;
    memory->dram_fd = sl_memory_file(DRAM_FILE);
    memory->uart_fd = sl_memory_file("sluice-uart");
    memory->log_fd = sl_memory_file("sluice-qemu-log");
    if (memory->dram_fd < 0 || memory->uart_fd < 0 || memory->log_fd < 0) {
        (void)snprintf(error, error_bytes, "cannot create a memfd: %s", strerror(errno));
        return SL_ERROR_MACHINE;
    }
    const int reason = sl_write_truncate(memory->dram_fd, (off_t)dram_bytes);
    if (reason != 0) {
        (void)snprintf(error, error_bytes, "cannot make DRAM of %llu MiB: %s%s",
                       (unsigned long long)dram_bytes >> 20, strerror(reason),
                       reason == EFBIG ? "; see `ulimit -f`" : "");
        return SL_ERROR_MACHINE;
    }
    return map_dram(memory, error, error_bytes);
}

static void close_file(int *fd)
{
    if (*fd >= 0) {
        (void)close(*fd);
        *fd = -1;
    }
}

void sl_memory_close(struct sl_memory *memory)
{
    if (memory->dram != NULL) {
        (void)munmap(memory->dram, memory->dram_bytes);
        memory->dram = NULL;
    }
    close_file(&memory->dram_fd);
    close_file(&memory->uart_fd);
    close_file(&memory->log_fd);
    for (unsigned block = 0; block < SL_MEMORY_BLOCKS; block++) {
        close_file(&memory->block_fd[block]);
    }
}

static off_t file_bytes(int fd)
{
    struct stat file;
    return fd >= 0 && fstat(fd, &file) == 0 ? file.st_size : 0;
}

void sl_memory_mark(struct sl_memory *memory)
{
    memory->uart_from = file_bytes(memory->uart_fd);
    memory->log_from = file_bytes(memory->log_fd);
}

int sl_memory_clear(const struct sl_memory *memory, uint64_t base, uint64_t limit)
{
    const uint64_t offset = base - (uintptr_t)memory->dram;
    return fallocate(memory->dram_fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)offset,
                     (off_t)(limit - base));
}

char *sl_memory_file_text(int fd, off_t from, size_t most_bytes)
{
    const off_t limit = file_bytes(fd);
    size_t bytes = limit > from ? (size_t)(limit - from) : 0;
    if (bytes > most_bytes) {
        from = limit - (off_t)most_bytes;
        bytes = most_bytes;
    }
    char *const text = malloc(bytes + 1);
    if (text == NULL) {
        return NULL;
    }
    const ssize_t got = bytes > 0 ? pread(fd, text, bytes, from) : 0;
    text[got > 0 ? got : 0] = '\0';
    return text;
}
