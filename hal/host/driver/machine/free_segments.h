/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Segments that cover a piece of memory without gaps, in ascending order of address: a list, and
 * over it a treap, each subtree of which knows the largest free piece in it for each alignment. So
 * the lowest and the highest fit, and the segment at an address, are found in O(log n). Priorities
 * come from a generator that begins at the same number: the same calls make the same tree. */
#ifndef SLUICE_HOST_DRIVER_MACHINE_FREE_SEGMENTS_H
#define SLUICE_HOST_DRIVER_MACHINE_FREE_SEGMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "host/driver/machine/guest_memory.h"

#define SL_SEGMENT_ALIGNS 7 /* SL_HEAP_ALIGN_DEFAULT to SL_HEAP_ALIGN_MAX */

enum sl_segment_use { SL_SEGMENT_FREE, SL_SEGMENT_OPEN, SL_SEGMENT_CLOSED };

struct sl_heap_segment {
    struct sl_heap_segment *next; /* by address */
    struct sl_heap_segment *previous;
    struct sl_heap_segment *left; /* in the treap */
    struct sl_heap_segment *right;
    uint64_t base;
    uint64_t bytes;
    uint32_t priority;
    uint32_t use;                     /* enum sl_segment_use */
    uint32_t number;                  /* of an allocation */
    const char *owner;                /* likewise */
    uint32_t fits[SL_SEGMENT_ALIGNS]; /* most grains of one free segment here, so aligned */
};

/* The first segment, free. False where the host is out of memory. */
bool sl_free_list_init(struct sl_free_list *segments, uint64_t base, uint64_t bytes);
void sl_free_list_destroy(struct sl_free_list *segments);

/* Cuts a segment so that one of the same use begins `bytes` further on, fewer than it has. Returns
 * the new one; NULL, and nothing changed, where the host is out of memory. */
struct sl_heap_segment *sl_free_list_cut(struct sl_free_list *segments,
                                         struct sl_heap_segment *segment, uint64_t bytes);

/* Joins a segment with the one behind it, which goes. */
void sl_free_list_join(struct sl_free_list *segments, struct sl_heap_segment *segment);

/* Gives a segment another use. */
void sl_free_list_set_use(struct sl_free_list *segments, struct sl_heap_segment *segment,
                          enum sl_segment_use use);

/* The segment that holds an address, which is inside the memory. */
struct sl_heap_segment *sl_free_list_at(struct sl_free_list *segments, uint64_t address);

/* The lowest, or the highest, free segment that has room for so many bytes behind an address that
 * is a multiple of `align`; NULL where there is none. */
struct sl_heap_segment *sl_free_list_fit(struct sl_free_list *segments, uint64_t bytes,
                                         uint64_t align, bool is_highest);

#endif
