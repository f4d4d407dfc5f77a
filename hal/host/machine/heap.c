/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* First fit over a list of segments that covers the heap without gaps. Neighbouring free segments
 * are always joined. Allocation and release are linear in the number of segments, which is a few
 * for each channel: nothing here runs while simulated time does. */
#include "host/machine/memory.h"

#include <stdlib.h>
#include <string.h>

#include "observed/sharing.h"

struct sl_heap_segment {
    struct sl_heap_segment *next;
    uint64_t base;
    uint64_t bytes;
    uint32_t number; /* of an allocation */
    bool is_free;
};

static struct sl_heap_segment *segment_new(uint64_t base, uint64_t bytes)
{
    struct sl_heap_segment *const segment = malloc(sizeof *segment);
    if (segment != NULL) {
        *segment = (struct sl_heap_segment){.base = base, .bytes = bytes, .is_free = true};
    }
    return segment;
}

int sl_heap_init(struct sl_heap *heap, uint64_t base, uint64_t limit)
{
    heap->segments = segment_new(base, limit - base);
    heap->base = base;
    heap->limit = limit;
    heap->touched = base;
    heap->allocations = 0;
    return heap->segments != NULL ? 0 : -1;
}

void sl_heap_destroy(struct sl_heap *heap)
{
    struct sl_heap_segment *segment = heap->segments;
    while (segment != NULL) {
        struct sl_heap_segment *const next = segment->next;
        free(segment);
        segment = next;
    }
    heap->segments = NULL;
}

/* Cuts a free segment so that a free one of its own begins `bytes` further on. */
static bool split(struct sl_heap_segment *segment, uint64_t bytes)
{
    if (bytes == segment->bytes) {
        return true;
    }
    struct sl_heap_segment *const rest = segment_new(segment->base + bytes, segment->bytes - bytes);
    if (rest == NULL) {
        return false;
    }
    rest->next = segment->next;
    segment->next = rest;
    segment->bytes = bytes;
    return true;
}

/* Joins a free segment with the free ones behind it. */
static void join_next(struct sl_heap_segment *segment)
{
    struct sl_heap_segment *const next = segment->next;
    if (segment->is_free && next != NULL && next->is_free) {
        segment->bytes += next->bytes;
        segment->next = next->next;
        free(next);
    }
}

/* Takes `bytes` at `skip` bytes from the start of a free segment that is large enough. */
static struct sl_heap_segment *take(struct sl_heap_segment *segment, uint64_t skip, uint64_t bytes)
{
    struct sl_heap_segment *taken = segment;
    if (skip > 0) {
        if (!split(segment, skip)) {
            return NULL;
        }
        taken = segment->next;
    }
    if (!split(taken, bytes)) {
        join_next(segment);
        return NULL;
    }
    taken->is_free = false;
    return taken;
}

/* Clears what may have been used before; what never was is zero, and touching it would allocate it.
 */
static void *cleared(struct sl_heap *heap, const struct sl_heap_segment *segment)
{
    void *const memory = (void *)(uintptr_t)segment->base;
    const uint64_t limit = segment->base + segment->bytes;
    if (segment->base < heap->touched) {
        const uint64_t used_limit = limit < heap->touched ? limit : heap->touched;
        memset(memory, 0, (size_t)(used_limit - segment->base));
    }
    if (limit > heap->touched) {
        heap->touched = limit;
    }
    return memory;
}

void *sl_heap_alloc(struct sl_heap *heap, size_t bytes, size_t align)
{
    const uint64_t grain = SL_HEAP_ALIGN_DEFAULT;
    const uint64_t mask = (align > grain ? align : grain) - 1;
    if (bytes > heap->limit - heap->base) {
        return NULL;
    }
    const uint64_t rounded = bytes == 0 ? grain : (bytes + grain - 1) & ~(grain - 1);
    for (struct sl_heap_segment *s = heap->segments; s != NULL; s = s->next) {
        const uint64_t skip = ((s->base + mask) & ~mask) - s->base;
        if (!s->is_free || s->bytes < skip || s->bytes - skip < rounded) {
            continue;
        }
        struct sl_heap_segment *const taken = take(s, skip, rounded);
        if (taken == NULL) {
            return NULL;
        }
        taken->number = ++heap->allocations;
        return cleared(heap, taken);
    }
    return NULL;
}

bool sl_heap_free(struct sl_heap *heap, const void *memory)
{
    const uint64_t address = (uintptr_t)memory;
    struct sl_heap_segment *previous = NULL;
    for (struct sl_heap_segment *s = heap->segments; s != NULL; previous = s, s = s->next) {
        if (s->base != address) {
            continue;
        }
        if (s->is_free) {
            return false;
        }
        s->is_free = true;
        join_next(s);
        if (previous != NULL) {
            join_next(previous);
        }
        return true;
    }
    return false;
}

size_t sl_heap_list(const struct sl_heap *heap, struct sl_sharing_allocation *list, size_t most)
{
    size_t count = 0;
    for (const struct sl_heap_segment *s = heap->segments; s != NULL && count < most; s = s->next) {
        if (!s->is_free) {
            list[count++] = (struct sl_sharing_allocation){
                .address = s->base, .bytes = s->bytes, .number = s->number};
        }
    }
    return count;
}

struct sl_heap_space sl_heap_space(const struct sl_heap *heap)
{
    struct sl_heap_space space = {0, 0};
    for (const struct sl_heap_segment *s = heap->segments; s != NULL; s = s->next) {
        if (s->is_free) {
            space.total += s->bytes;
            space.largest = s->bytes > space.largest ? s->bytes : space.largest;
        }
    }
    return space;
}
