/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The allocator of the shared heap. Its bookkeeping is in the host's own memory, so that a kernel
 * that goes wild cannot corrupt it and untouched pages of the heap stay unallocated. */
#ifndef SLUICE_HOST_HEAP_H
#define SLUICE_HOST_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SL_HEAP_ALIGN_DEFAULT 64u /* a cache line: no two allocations share one */
#define SL_HEAP_ALIGN_MAX     4096u

struct sl_heap_segment;

struct sl_heap {
    struct sl_heap_segment *segments; /* all of the heap in ascending order of address */
    uint64_t base;
    uint64_t limit;
    uint64_t touched; /* memory from here on was never handed out: it still is zero */
};

/* Manages base to limit (exclusive), both multiples of SL_HEAP_ALIGN_DEFAULT. Returns 0, or -1
 * where the host is out of memory. */
int sl_heap_init(struct sl_heap *heap, uint64_t base, uint64_t limit);
void sl_heap_destroy(struct sl_heap *heap);

/* Zeroed memory; `align` is a power of two up to SL_HEAP_ALIGN_MAX. NULL where no gap is large
 * enough, or the host is out of memory. */
void *sl_heap_alloc(struct sl_heap *heap, size_t bytes, size_t align);

/* Returns false where `memory` is not the start of an allocation. */
bool sl_heap_free(struct sl_heap *heap, const void *memory);

/* Free bytes in all, and in the largest gap. */
struct sl_heap_space {
    uint64_t total;
    uint64_t largest;
};
struct sl_heap_space sl_heap_space(const struct sl_heap *heap);

#endif
