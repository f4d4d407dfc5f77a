/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Tables of what lanes may access: checks, pieces, and the search in them. */
#include "simt/unit/protection.h"

#include "sluice/codes.h"
#include "sluice/config.h"

#define LINES_ALL  0xffu
#define LINE_BYTES 64u /* that a bit of `lines` stands for: SL_RANGE_GRAIN */
#define LINES      8u

_Static_assert(LINE_BYTES == SL_RANGE_GRAIN, "lines of a range are whole ones");

static uint64_t end_of(struct extent extent)
{
    return extent.base + extent.bytes;
}

static struct extent between(uint64_t base, uint64_t end)
{
    return (struct extent){.base = base, .bytes = end > base ? end - base : 0};
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t most(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* ---- pieces ---- */

static void put(struct protection *protection, const struct protection_piece *piece)
{
    if (piece->extent.bytes != 0) {
        protection->piece[protection->pieces++] = *piece;
    }
}

static void put_range(struct protection *protection, const struct sl_range *range, uint64_t from,
                      uint64_t to)
{
    const struct protection_piece piece = {
        .extent = between(most(range->base, from), least(range->base + range->bytes, to)),
        .lines_base = range->base,
        .access = (uint8_t)range->access,
        .lines = (uint8_t)range->lines,
    };
    put(protection, &piece);
}

/* The ranges up to the code, the code, and the ranges behind it. */
static void make_pieces(struct protection *protection)
{
    const struct protection_piece code = {.extent = protection->code, .access = SL_ACCESS_READ};

    protection->pieces = 0;
    for (uint32_t i = 0; i < protection->ranges; i++) {
        put_range(protection, &protection->range[i], 0, code.extent.base);
    }
    put(protection, &code);
    for (uint32_t i = 0; i < protection->ranges; i++) {
        put_range(protection, &protection->range[i], end_of(code.extent), UINT64_MAX);
    }
}

void protection_init(struct protection *protection, const struct sl_layout *layout)
{
    *protection = (struct protection){
        .limit = layout->heap_limit,
        .top = layout->top_base,
        .code = {.base = SL_KERNEL_BASE},
    };
    protection_open(protection);
}

void protection_open(struct protection *protection)
{
    protection->ranges = 1;
    protection->range[0] = (struct sl_range){
        .base = SL_KERNEL_BASE,
        .bytes = protection->limit - SL_KERNEL_BASE,
        .access = SL_ACCESS_READ | SL_ACCESS_WRITE,
    };
    make_pieces(protection);
}

void protection_set_code(struct protection *protection, uint64_t base, uint64_t bytes)
{
    const uint64_t first = least(most(base, SL_KERNEL_BASE), protection->limit);

    protection->code = between(first, least(base + bytes, protection->limit));
    make_pieces(protection);
}

/* ---- the table ---- */

static bool is_range(const struct protection *protection, const struct sl_range *range,
                     uint64_t from)
{
    const uint32_t known = SL_ACCESS_READ | SL_ACCESS_WRITE | SL_ACCESS_ROUTINES;

    return range->base % SL_RANGE_GRAIN == 0 && range->bytes % SL_RANGE_GRAIN == 0 &&
           range->base >= from && range->base < protection->limit && range->bytes != 0 &&
           range->bytes <= protection->limit - range->base && (range->access & ~known) == 0 &&
           range->lines <= LINES_ALL;
}

/* Copies the ranges, and then looks at the copy. */
static bool take_ranges(struct protection *protection, const struct sl_protection *table)
{
    const uint32_t count = table->count;
    uint64_t from = SL_KERNEL_BASE;

    if (table->magic != SL_PROTECTION_MAGIC || count > SL_RANGES_MAX) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        protection->range[i] = table->range[i];
        if (!is_range(protection, &protection->range[i], from)) {
            return false;
        }
        from = protection->range[i].base + protection->range[i].bytes;
    }
    protection->ranges = count;
    return true;
}

int protection_load(struct protection *protection, const struct dram *dram, uint64_t address)
{
    protection->ranges = 0;
    const bool is_table = address % SL_RANGE_GRAIN == 0 &&
                          dram_holds(dram, address, sizeof(struct sl_protection)) &&
                          take_ranges(protection, dram_at(dram, address));
    make_pieces(protection);
    return is_table ? 0 : -1;
}

/* ---- the search ---- */

/* The first piece that ends behind an address; NULL where there is none. */
static const struct protection_piece *piece_behind(const struct protection *protection,
                                                   uint64_t address)
{
    const struct protection_piece *piece = protection->piece;
    uint32_t count = protection->pieces;

    while (count > 0) {
        const uint32_t half = count / 2;
        if (end_of(piece[half].extent) <= address) {
            piece += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return piece < protection->piece + protection->pieces ? piece : NULL;
}

static bool has_line(const struct protection_piece *piece, uint64_t line)
{
    return piece->lines >> line % LINES & 1;
}

/* The run of lines around an address that the channel routines may write. */
static struct extent extent_of_lines(const struct protection_piece *piece, uint64_t address)
{
    const uint64_t line = (address - piece->lines_base) / LINE_BYTES;
    uint64_t first = line;
    uint64_t behind = line;

    if (piece->lines == LINES_ALL) {
        return piece->extent;
    }
    while (has_line(piece, behind)) {
        behind++;
    }
    while (behind > line && first > 0 && has_line(piece, first - 1)) {
        first--;
    }
    return between(most(piece->lines_base + first * LINE_BYTES, piece->extent.base),
                   least(piece->lines_base + behind * LINE_BYTES, end_of(piece->extent)));
}

struct extent protection_extent(const struct protection *protection, enum simt_needs needs,
                                uint64_t address)
{
    const struct protection_piece *piece = piece_behind(protection, address);
    const struct extent none = {.base = address};

    if (piece == NULL || address < piece->extent.base) {
        return none;
    }
    if (piece->access & (needs == NEEDS_READ ? SL_ACCESS_READ : SL_ACCESS_WRITE)) {
        return piece->extent;
    }
    if (needs == NEEDS_ROUTINE_WRITE && (piece->access & SL_ACCESS_ROUTINES) != 0) {
        return extent_of_lines(piece, address);
    }
    return none;
}

uint64_t protection_closed(const struct protection *protection, enum simt_needs needs,
                           uint64_t address, uint64_t bytes)
{
    const uint64_t end = address + bytes;

    while (address < end) {
        const struct extent extent = protection_extent(protection, needs, address);
        if (extent.bytes == 0) {
            return address;
        }
        address = end_of(extent);
    }
    return end;
}

struct extent protection_around(const struct protection *protection, uint64_t address)
{
    uint64_t from = SL_KERNEL_BASE;
    uint64_t to = protection->limit;

    if (address >= protection->limit) {
        return between(protection->limit, protection->top);
    }
    for (uint32_t i = 0; i < protection->ranges; i++) {
        const struct sl_range *range = &protection->range[i];
        if (address - range->base < range->bytes) {
            return (struct extent){.base = range->base, .bytes = range->bytes};
        }
        if (range->base > address) {
            to = range->base;
            break;
        }
        from = range->base + range->bytes;
    }
    return between(from, to);
}
