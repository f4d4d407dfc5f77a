/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The memory that host and QEMU share: DRAM, mapped at the device's own addresses, and the files
 * that QEMU writes its messages and the firmware's console to. All are memfds: nothing can be left
 * behind. */
#ifndef SLUICE_HOST_MEMORY_H
#define SLUICE_HOST_MEMORY_H

#include <stddef.h>
#include <stdint.h>

struct sl_memory {
    int dram_fd;
    int uart_fd;     /* the firmware's console */
    int log_fd;      /* standard output and error of QEMU */
    int profile_fd;  /* struct sl_profile; -1 where there is none */
    int timeline_fd; /* struct sl_timeline; likewise */
    void *dram;      /* NULL or SL_DRAM_BASE */
    size_t dram_bytes;
};

/* Sets all of it to "not there"; sl_memory_close() may be called from then on. */
void sl_memory_init(struct sl_memory *memory);

/* Creates and maps. Returns 0, or -1 with a message. */
int sl_memory_open(struct sl_memory *memory, uint64_t dram_bytes, char *error, size_t error_bytes);

void sl_memory_close(struct sl_memory *memory);

/* An empty memfd, closed on exec, never one of the standard descriptors. -1 with errno on failure.
 */
int sl_memory_file(const char *name);

/* The last `most_bytes` of a memfd as a string, to be freed; NULL where memory is used up. */
char *sl_memory_file_text(int fd, size_t most_bytes);

#endif
