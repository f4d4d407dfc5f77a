/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The memory that host and QEMU share: DRAM, mapped at the device's own addresses, and the files
 * that QEMU writes its messages and the firmware's console to. All are memfds: nothing can be left
 * behind. And what of DRAM the host looks after: the shared heap and the mailbox. */
#ifndef SLUICE_HOST_DRIVER_MACHINE_GUEST_MEMORY_H
#define SLUICE_HOST_DRIVER_MACHINE_GUEST_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "sluice/layouts.h"
#include "sluice/sluice.h"

/* What the simulator leaves of what it was asked to observe, each in a file: struct sl_profile,
 * struct sl_timeline... */
enum sl_memory_block {
    SL_MEMORY_PROFILE,
    SL_MEMORY_TIMELINE,
    SL_MEMORY_REPORT,
    SL_MEMORY_RACES,
    SL_MEMORY_SHARING,
    SL_MEMORY_KERNELS,
    SL_MEMORY_TRACE,
    SL_MEMORY_SAMPLE,
    SL_MEMORY_CHANNELS,
    SL_MEMORY_BLOCKS
};

/* "profile": the plugin's argument is profile_fd=N. */
extern const char *const sl_memory_block_name[SL_MEMORY_BLOCKS];

struct sl_memory {
    int dram_fd;
    int uart_fd;     /* the firmware's console */
    int log_fd;      /* standard output and error of QEMU */
    off_t uart_from; /* where in them the part of the QEMU that runs now begins */
    off_t log_from;
    int block_fd[SL_MEMORY_BLOCKS]; /* -1 where nobody asked */
    void *dram;                     /* NULL or SL_DRAM_BASE */
    size_t dram_bytes;
};

/* Sets all of it to "not there"; sl_memory_close() may be called from then on. */
void sl_memory_init(struct sl_memory *memory);

/* Creates and maps. On failure with a message: SL_ERROR_USAGE where this process has another
 * machine open, else SL_ERROR_MACHINE. */
enum sl_status sl_memory_open(struct sl_memory *memory, uint64_t dram_bytes, char *error,
                              size_t error_bytes);

void sl_memory_close(struct sl_memory *memory);

/* An empty memfd, closed on exec, never one of the standard descriptors. -1 with errno on failure.
 */
int sl_memory_file(const char *name);

/* QEMU is about to be started: what it writes begins here. */
void sl_memory_mark(struct sl_memory *memory);

/* Makes DRAM from one address of this process to another one, whole pages, zero again, and returns
 * its pages to the system. Returns 0, or -1 with errno. */
int sl_memory_clear(const struct sl_memory *memory, uint64_t base, uint64_t limit);

/* The last `most_bytes` of what a memfd has from an offset on, as a string, to be freed; NULL where
 * memory is used up. */
char *sl_memory_file_text(int fd, off_t from, size_t most_bytes);

/* ---- the shared heap ----
 *
 * Its bookkeeping is in the host's own memory, so that a kernel that goes wild cannot corrupt it
 * and untouched pages of the heap stay unallocated. */

#define SL_HEAP_ALIGN_DEFAULT 64u /* a cache line: no two allocations share one */
#define SL_HEAP_ALIGN_MAX     4096u

struct sl_heap_segment;
struct sl_sharing_allocation;

/* Open memory is from the heap's base on, closed memory from its limit down: nothing open lies
 * above anything closed. */
enum sl_heap_zone { SL_HEAP_OPEN, SL_HEAP_CLOSED, SL_HEAP_ZONES };

/* All of the heap, free or not (free_segments.h). */
struct sl_free_list {
    struct sl_heap_segment *first; /* by address */
    struct sl_heap_segment *root;
    uint32_t random;
    uint64_t steps; /* segments looked at since the beginning */
};

struct sl_heap {
    struct sl_free_list segments;
    uint64_t base;
    uint64_t limit;
    uint64_t open_limit;  /* the end of the highest open allocation; base where there is none */
    uint64_t closed_base; /* the lowest closed allocation; limit where there is none */
    uint64_t used_limit;  /* memory from here on, up to used_base, was never written: it still */
    uint64_t used_base;   /* is zero */
    uint32_t allocations; /* ever made */
};

/* Manages base to limit (exclusive), both multiples of SL_HEAP_ALIGN_DEFAULT. Returns 0, or -1
 * where the host is out of memory. */
int sl_heap_init(struct sl_heap *heap, uint64_t base, uint64_t limit);
void sl_heap_destroy(struct sl_heap *heap);

/* Zeroed memory of a zone; `owner` says what it is, where it is the library's own, and NULL is the
 * program's, and has to stay. `align` is a power of two up to SL_HEAP_ALIGN_MAX. NULL with
 * errno: ENOSPC where no gap is large enough, ENOMEM where the host is out of memory. */
void *sl_heap_alloc(struct sl_heap *heap, enum sl_heap_zone zone, const char *owner, size_t bytes,
                    size_t align);

/* Returns false where `memory` is not the start of an allocation. */
bool sl_heap_free(struct sl_heap *heap, const void *memory);

/* Others than who has it allocated may have written to this memory, which begins at the heap's base
 * or ends at its limit: it is cleared when it is allocated next. */
void sl_heap_used(struct sl_heap *heap, uint64_t base, uint64_t limit);

/* The allocation, or the gap, that an address is in. */
struct sl_heap_piece {
    uint64_t base;
    uint64_t bytes;         /* 0: the address is not in the heap */
    uint32_t number;        /* of the allocation, from 1 on; 0: a gap */
    const char *owner;      /* as it was allocated */
    enum sl_heap_zone zone; /* of a gap: in which nothing closed, or nothing open, could be */
};
struct sl_heap_piece sl_heap_at(struct sl_heap *heap, uint64_t address);

/* Lists allocations, in ascending order of address, up to `most`; returns how many these are.
 * Numbers count from 1 on in the order in which they were made; bytes are whole grains. */
size_t sl_heap_list(const struct sl_heap *heap, struct sl_sharing_allocation *list, size_t most);

/* Free bytes in all, in the largest gap, and in the largest one that a zone can use. */
struct sl_heap_space {
    uint64_t total;
    uint64_t largest;
    uint64_t largest_of[SL_HEAP_ZONES];
};
struct sl_heap_space sl_heap_space(const struct sl_heap *heap);

/* ---- the mailbox: two rings with one producer each (struct sl_mailbox) ---- */

/* Puts a message into the host's ring and wakes the plugin. Returns false where the ring is full.
 */
bool sl_mailbox_send(struct sl_mailbox *mailbox, const struct sl_message_host *message);

/* Tells the plugin to end QEMU. */
void sl_mailbox_quit(struct sl_mailbox *mailbox);

enum sl_mailbox_result {
    SL_MAILBOX_EMPTY,
    SL_MAILBOX_MESSAGE,
    SL_MAILBOX_CORRUPT, /* the ring's counters contradict each other */
};

/* The oldest message in the firmware's ring, if there is one; it stays there until it is taken. */
enum sl_mailbox_result sl_mailbox_peek(const struct sl_mailbox *mailbox,
                                       struct sl_message_agg *message);
void sl_mailbox_take(struct sl_mailbox *mailbox);

/* Sleeps until the firmware's ring is not empty, at most for limit_ms; may return early. */
void sl_mailbox_sleep(const struct sl_mailbox *mailbox, int limit_ms);

/* Whether the firmware has read all that the host has sent; sleeps until it may have, likewise. */
bool sl_mailbox_is_read(const struct sl_mailbox *mailbox);
void sl_mailbox_sleep_unread(const struct sl_mailbox *mailbox, int limit_ms);

/* Wakes whoever sleeps in one of these. */
void sl_mailbox_wake_host(const struct sl_mailbox *mailbox);

/* Whether the host's ring has space; sleeps until it has, likewise, or until the firmware's is not
 * empty. */
bool sl_mailbox_has_space(const struct sl_mailbox *mailbox);
void sl_mailbox_sleep_full(const struct sl_mailbox *mailbox, int limit_ms);

#endif
