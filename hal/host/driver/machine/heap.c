/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The shared heap: open memory from its bottom on, each piece as low as possible, and closed memory
 * from its top on, each as high as possible. Nothing open lies above anything closed, so that one
 * range of addresses has all that is open and nothing else. Each call is O(log n) in the number of
 * allocations (free_segments.h). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "host/driver/machine/free_segments.h"
#include "recordings/sharing.h"

int sl_heap_init(struct sl_heap *heap, uint64_t base, uint64_t limit)
{
    *heap = (struct sl_heap){
        .base = base,
        .limit = limit,
        .open_limit = base,
        .closed_base = limit,
        .used_limit = base,
        .used_base = limit,
    };
    return sl_free_list_init(&heap->segments, base, limit - base) ? 0 : -1;
}

void sl_heap_destroy(struct sl_heap *heap)
{
    sl_free_list_destroy(&heap->segments);
}

/* Takes a piece of a free segment. */
static struct sl_heap_segment *take(struct sl_heap *heap, struct sl_heap_segment *segment,
                                    uint64_t address, uint64_t bytes, enum sl_segment_use use)
{
    struct sl_free_list *const segments = &heap->segments;
    const uint64_t skip = address - segment->base;
    struct sl_heap_segment *const taken =
        skip > 0 ? sl_free_list_cut(segments, segment, skip) : segment;
    if (taken == NULL) {
        return NULL;
    }
    if (taken->bytes > bytes && sl_free_list_cut(segments, taken, bytes) == NULL) {
        if (taken != segment) {
            sl_free_list_join(segments, segment);
        }
        return NULL;
    }
    sl_free_list_set_use(segments, taken, use);
    taken->number = ++heap->allocations;
    return taken;
}

/* Clears the part of a range that is in another one. */
static void clear_common(uint64_t base, uint64_t limit, uint64_t other_base, uint64_t other_limit)
{
    const uint64_t from = base > other_base ? base : other_base;
    const uint64_t to = limit < other_limit ? limit : other_limit;
    if (from < to) {
        memset((void *)(uintptr_t)from, 0, (size_t)(to - from));
    }
}

/* Clears what may have been written before; what cannot have been is zero, and touching it would
 * allocate it. */
static void *cleared(struct sl_heap *heap, const struct sl_heap_segment *segment)
{
    const uint64_t base = segment->base;
    const uint64_t limit = base + segment->bytes;
    clear_common(base, limit, heap->base, heap->used_limit);
    clear_common(base, limit, heap->used_base, heap->limit);
    if (segment->use == SL_SEGMENT_OPEN) {
        heap->open_limit = limit > heap->open_limit ? limit : heap->open_limit;
        sl_heap_used(heap, heap->base, limit);
    } else {
        heap->closed_base = base < heap->closed_base ? base : heap->closed_base;
        sl_heap_used(heap, base, heap->limit);
    }
    return (void *)(uintptr_t)base;
}

void sl_heap_used(struct sl_heap *heap, uint64_t base, uint64_t limit)
{
    if (base == heap->base && limit > heap->used_limit) {
        heap->used_limit = limit < heap->used_base ? limit : heap->used_base;
    }
    if (limit == heap->limit && base < heap->used_base) {
        heap->used_base = base > heap->used_limit ? base : heap->used_limit;
    }
}

/* Whole grains; 0 where they are more than the heap has. */
static uint64_t rounded(const struct sl_heap *heap, size_t bytes)
{
    const uint64_t grain = SL_HEAP_ALIGN_DEFAULT;
    if (bytes > heap->limit - heap->base) {
        return 0;
    }
    return bytes == 0 ? grain : (bytes + grain - 1) & ~(grain - 1);
}

void *sl_heap_alloc(struct sl_heap *heap, enum sl_heap_zone zone, const char *owner, size_t bytes,
                    size_t align)
{
    const bool is_open = zone == SL_HEAP_OPEN;
    const uint64_t multiple = align > SL_HEAP_ALIGN_DEFAULT ? align : SL_HEAP_ALIGN_DEFAULT;
    const uint64_t size = rounded(heap, bytes);
    struct sl_heap_segment *const found =
        size > 0 ? sl_free_list_fit(&heap->segments, size, multiple, !is_open) : NULL;
    if (found == NULL ||
        (is_open ? found->base >= heap->closed_base : found->base < heap->open_limit)) {
        errno = ENOSPC;
        return NULL;
    }
    const uint64_t address = is_open ? (found->base + multiple - 1) & ~(multiple - 1)
                                     : (found->base + found->bytes - size) & ~(multiple - 1);
    struct sl_heap_segment *const taken =
        take(heap, found, address, size, is_open ? SL_SEGMENT_OPEN : SL_SEGMENT_CLOSED);
    if (taken == NULL) {
        errno = ENOMEM;
        return NULL;
    }
    taken->owner = owner;
    return cleared(heap, taken);
}

bool sl_heap_free(struct sl_heap *heap, const void *memory)
{
    const uint64_t address = (uintptr_t)memory;
    struct sl_heap_segment *segment = address >= heap->base && address < heap->limit
                                          ? sl_free_list_at(&heap->segments, address)
                                          : NULL;
    if (segment == NULL || segment->base != address || segment->use == SL_SEGMENT_FREE) {
        return false;
    }
    const bool is_highest = segment->base + segment->bytes == heap->open_limit;
    const bool is_lowest = segment->base == heap->closed_base;
    sl_free_list_set_use(&heap->segments, segment, SL_SEGMENT_FREE);
    if (segment->next != NULL && segment->next->use == SL_SEGMENT_FREE) {
        sl_free_list_join(&heap->segments, segment);
    }
    if (segment->previous != NULL && segment->previous->use == SL_SEGMENT_FREE) {
        segment = segment->previous;
        sl_free_list_join(&heap->segments, segment);
    }
    if (is_highest) {
        heap->open_limit = segment->base;
    }
    if (is_lowest) {
        heap->closed_base = segment->base + segment->bytes;
    }
    return true;
}

struct sl_heap_piece sl_heap_at(struct sl_heap *heap, uint64_t address)
{
    if (address < heap->base || address >= heap->limit) {
        return (struct sl_heap_piece){.bytes = 0};
    }
    const struct sl_heap_segment *const segment = sl_free_list_at(&heap->segments, address);
    return (struct sl_heap_piece){
        .base = segment->base,
        .bytes = segment->bytes,
        .number = segment->use == SL_SEGMENT_FREE ? 0 : segment->number,
        .owner = segment->use == SL_SEGMENT_FREE ? NULL : segment->owner,
        .zone = segment->base >= heap->closed_base ? SL_HEAP_CLOSED : SL_HEAP_OPEN,
    };
}

size_t sl_heap_list(const struct sl_heap *heap, struct sl_sharing_allocation *list, size_t most)
{
    size_t count = 0;
    for (const struct sl_heap_segment *s = heap->segments.first; s != NULL && count < most;
         s = s->next) {
        if (s->use != SL_SEGMENT_FREE) {
            list[count++] = (struct sl_sharing_allocation){
                .address = s->base, .bytes = s->bytes, .number = s->number};
        }
    }
    return count;
}

struct sl_heap_space sl_heap_space(const struct sl_heap *heap)
{
    struct sl_heap_space space = {.total = 0};
    for (const struct sl_heap_segment *s = heap->segments.first; s != NULL; s = s->next) {
        if (s->use != SL_SEGMENT_FREE) {
            continue;
        }
        space.total += s->bytes;
        space.largest = s->bytes > space.largest ? s->bytes : space.largest;
        for (unsigned zone = 0; zone < SL_HEAP_ZONES; zone++) {
            const bool is_usable =
                zone == SL_HEAP_OPEN ? s->base < heap->closed_base : s->base >= heap->open_limit;
            if (is_usable && s->bytes > space.largest_of[zone]) {
                space.largest_of[zone] = s->bytes;
            }
        }
    }
    return space;
}
