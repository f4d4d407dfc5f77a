/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Builds the table of what lanes of a run may access, which the firmware gives to the device in
 * front of the first dispatch (docs/know/trust.md). What no range opens is closed. */
#include "host/runtime/run/run.h"

#include <stdlib.h>

#include "host/driver/code/module.h"
#include "host/driver/graph/graph.h"

#define PAGE_BYTES 4096u

/* Kernel file, open memory, graph (a task vector has fewer), print buffer, grants. */
static_assert(SL_ELF_SEGMENTS_MAX + 1 + SL_GRAPH_RANGES + 1 + SL_GRANTS_MAX <= SL_RANGES_MAX,
              "any run's ranges fit a table");

#define READ_WRITE ((uint32_t)SL_ACCESS_READ | (uint32_t)SL_ACCESS_WRITE)

static uint64_t down(uint64_t address, uint64_t multiple)
{
    return address & ~(multiple - 1);
}

static uint64_t up(uint64_t address, uint64_t multiple)
{
    return down(address + multiple - 1, multiple);
}

void sl_protection_add(struct sl_protection *table, uint64_t base, uint64_t limit, uint32_t access,
                       enum sl_range_kind what)
{
    if (base < limit) {
        table->range[table->count++] =
            (struct sl_range){.base = base, .bytes = limit - base, .access = access, .what = what};
    }
}

/* As they are linked, whole pages. Code is read-only whatever a range says. */
static void add_kernel_file(const struct sl_soc *soc, struct sl_protection *table)
{
    const struct sl_elf *const elf = soc->module != NULL ? sl_module_elf(soc->module) : NULL;
    for (size_t i = 0; elf != NULL && i < elf->segment_count; i++) {
        const struct sl_elf_segment *const segment = &elf->segments[i];
        sl_protection_add(table, down(segment->address, PAGE_BYTES),
                          up(segment->address + segment->bytes, PAGE_BYTES),
                          segment->is_writable && !segment->is_code ? READ_WRITE : SL_ACCESS_READ,
                          SL_RANGE_KERNEL);
    }
}

static void add_allocation(struct sl_soc *soc, const void *memory, uint32_t access,
                           enum sl_range_kind what, struct sl_protection *table)
{
    const struct sl_heap_piece piece = sl_heap_at(&soc->heap, (uintptr_t)memory);
    sl_protection_add(table, piece.base, piece.base + piece.bytes, access, what);
}

static void add_described(struct sl_soc *soc, struct sl_protection *table)
{
    const struct sl_print_buffer *const print =
        soc->module != NULL ? sl_module_print_buffer(soc->module) : NULL;
    if (soc->run->kind->add_ranges != NULL) {
        soc->run->kind->add_ranges(soc, table);
    }
    add_allocation(soc, print, READ_WRITE, SL_RANGE_PRINT, table);
    for (unsigned i = 0; i < soc->grant_count; i++) {
        add_allocation(soc, (const void *)(uintptr_t)soc->grants[i].address, soc->grants[i].access,
                       SL_RANGE_GRANTED, table);
    }
}

/* ---- in order ---- */

static int compare(const void *left, const void *right)
{
    const struct sl_range *const x = left;
    const struct sl_range *const y = right;
    return x->base != y->base ? (x->base < y->base ? -1 : 1) : 0;
}

/* Takes a range behind those that are in order: what a lower one has already stays that one's
 * (segments of a kernel file may share a page), and neighbours of equal access are one. */
static void append(struct sl_protection *table, struct sl_range range)
{
    struct sl_range *const last = table->count > 0 ? &table->range[table->count - 1] : NULL;
    const uint64_t end = last != NULL ? last->base + last->bytes : 0;
    const uint64_t limit = range.base + range.bytes;
    if (limit <= end) {
        return;
    }
    range.base = range.base < end ? end : range.base;
    range.bytes = limit - range.base;
    if (last != NULL && end == range.base && last->access == range.access &&
        (range.access & SL_ACCESS_ROUTINES) == 0) {
        last->bytes += range.bytes;
    } else {
        table->range[table->count++] = range;
    }
}

static void put_in_order(struct sl_protection *table)
{
    const uint32_t count = table->count;
    qsort(table->range, count, sizeof table->range[0], compare);
    table->count = 0;
    for (uint32_t i = 0; i < count; i++) {
        append(table, table->range[i]);
    }
    for (uint32_t i = table->count; i < count; i++) {
        table->range[i] = (struct sl_range){.base = 0};
    }
}

/* ---- tables ---- */

static void fill(struct sl_soc *soc, bool is_described, struct sl_protection *table)
{
    const struct sl_heap *const heap = &soc->heap;
    *table = (struct sl_protection){.magic = SL_PROTECTION_MAGIC};
    add_kernel_file(soc, table);
    sl_protection_add(table, heap->base, heap->open_limit, READ_WRITE, SL_RANGE_OPEN);
    if (is_described) {
        add_described(soc, table);
    } else {
        sl_protection_add(table, heap->closed_base, heap->limit, READ_WRITE, SL_RANGE_OPEN);
    }
    put_in_order(table);
}

enum sl_status sl_protection_make(struct sl_soc *soc, bool is_described, uint64_t *address)
{
    struct sl_run *const run = soc->run;
    *address = 0;
    if (soc->config.number[SL_CFG_DEBUG_PROTECTION] == SL_DEBUG_PROTECTION_OFF) {
        sl_heap_used(&soc->heap, soc->heap.base, soc->heap.limit);
        return SL_OK;
    }
    if (run->protection == NULL) { /* one is enough, as runs come one at a time */
        run->protection =
            sl_soc_alloc_own(soc, "the table of what a run may access", sizeof *run->protection);
    }
    if (run->protection == NULL) {
        return soc->failure; /* with sl_soc_alloc_own()'s message */
    }
    fill(soc, is_described, run->protection);
    *address = (uintptr_t)run->protection;
    return SL_OK;
}
