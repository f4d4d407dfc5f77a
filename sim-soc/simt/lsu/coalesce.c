/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Coalescing: the lanes of a memory instruction that touch one cache line make one access.
 *
 * Lines go out in the order of the lowest lane that wants each. How the addresses lie
 * (hal/contract/statistics.def, simt.pattern) is counted, and spares the search for lines in the
 * common cases: the lines of addresses that only grow, or only fall, never come again. */
#include <string.h>

#include "simt/lsu/lsu.h"

enum memory_pattern coalesce_pattern(const struct cu *cu, const struct mem_instr *memory)
{
    unsigned first = lowest_lane(memory->lanes);
    uint64_t others = memory->lanes & (memory->lanes - 1);

    if (others == 0) {
        return PATTERN_BROADCAST;
    }
    unsigned second = lowest_lane(others);
    int64_t distance = (int64_t)(memory->address[second] - memory->address[first]);
    int64_t gap = (int64_t)second - (int64_t)first;
    if (gap != 1 && distance % gap != 0) {
        return PATTERN_SCATTERED;
    }
    uint64_t stride = (uint64_t)(gap == 1 ? distance : distance / gap);
    uint64_t base = memory->address[first] - first * stride;
    unsigned last = LANES - 1 - (unsigned)__builtin_clzll(memory->lanes);
    if (memory->address[last] != base + last * stride ||
        (cu->lanes->off_stride(memory->address, base, stride) & memory->lanes) != 0) {
        return PATTERN_SCATTERED;
    }
    if (stride == 0) {
        return PATTERN_BROADCAST;
    }
    bool is_one_slot = memory->private_lanes == memory->lanes && stride == SL_PRIVATE_SLOT;
    return stride == memory->op->access_bytes || is_one_slot ? PATTERN_UNIT_STRIDE
                                                             : PATTERN_STRIDED;
}

/* Notes that a lane wants the line at an index. */
static inline void want(struct line_set *set, bool with_lanes, uint32_t index, uint64_t lane,
                        bool is_tail)
{
    if (with_lanes) {
        *(is_tail ? &set->tails[index] : &set->heads[index]) |= 1ull << lane;
    }
}

static inline uint32_t add(struct line_set *set, bool with_lanes, uint64_t line)
{
    const uint32_t index = set->count++;

    set->line[index] = line;
    if (with_lanes) {
        set->heads[index] = 0;
        set->tails[index] = 0;
    }
    return index;
}

/* Addresses that only grow or only fall. */
static inline void find_in_order(const struct cu *cu, const struct mem_instr *memory,
                                 bool with_lanes, struct line_set *set)
{
    uint64_t last_line = UINT64_MAX;

    FOR_EACH_LANE(lane, memory->lanes)
    {
        uint64_t line = memory->address[lane] >> cu->shape.line_shift;
        if (line != last_line) {
            (void)add(set, with_lanes, line);
            last_line = line;
        }
        want(set, with_lanes, set->count - 1, lane, false);
    }
}

/* Addresses that grow by a power of two, that of an access or that of a slot of the private
 * aperture: how many lanes begin in a line follows from where its first one does. */
static inline void find_rows(const struct cu *cu, const struct mem_instr *memory, bool with_lanes,
                             struct line_set *set)
{
    const uint32_t shift = cu->shape.line_shift;
    const uint64_t bytes = memory->op->access_bytes;
    const unsigned first = lowest_lane(memory->lanes);
    const unsigned second = lowest_lane(memory->lanes & (memory->lanes - 1));
    const bool is_dense =
        memory->address[second] - memory->address[first] == (second - first) * bytes;
    const uint64_t stride = is_dense ? bytes : SL_PRIVATE_SLOT;
    const unsigned stride_shift = (unsigned)__builtin_ctzll(stride);

    for (uint64_t rest = memory->lanes, row; rest != 0; rest &= ~row) {
        const unsigned lane = lowest_lane(rest);
        const uint64_t address = memory->address[lane];
        const uint64_t line = address >> shift;
        const uint64_t room = ((line + 1) << shift) - address;
        row = rest & mem_bits_below((room + stride - 1) >> stride_shift) << lane;
        const uint32_t index = add(set, with_lanes, line);
        if (with_lanes) {
            set->heads[index] = row;
        }
    }
}

/* One address: a single line. */
static inline void find_one(const struct cu *cu, const struct mem_instr *memory, bool with_lanes,
                            struct line_set *set)
{
    const uint64_t address = memory->address[lowest_lane(memory->lanes)];

    (void)add(set, with_lanes, address >> cu->shape.line_shift);
    if (with_lanes) {
        set->heads[0] = memory->lanes;
    }
}

/* Lines that have been met, found through a small hash table: 1 + index, or 0. */
#define TABLE (4 * LANES)
_Static_assert(MEM_INSTR_LINES < 256, "an index fits a byte");

static inline uint32_t find_or_add(struct line_set *set, bool with_lanes, uint8_t table[TABLE],
                                   uint64_t line)
{
    unsigned at = (unsigned)(line ^ line >> 8) % TABLE;

    while (table[at] != 0) {
        if (set->line[table[at] - 1u] == line) {
            return table[at] - 1u;
        }
        at = (at + 1) % TABLE;
    }
    table[at] = (uint8_t)(set->count + 1);
    return add(set, with_lanes, line);
}

static inline void find_scattered(const struct cu *cu, const struct mem_instr *memory,
                                  bool with_lanes, struct line_set *set)
{
    const uint32_t shift = cu->shape.line_shift;
    uint8_t table[TABLE];

    memset(table, 0, sizeof(table));
    FOR_EACH_LANE(lane, memory->lanes & ~memory->lds_lanes)
    {
        uint32_t index = find_or_add(set, with_lanes, table, memory->address[lane] >> shift);
        want(set, with_lanes, index, lane, false);
        if (memory->split >> lane & 1) {
            index = find_or_add(set, with_lanes, table, memory->tail_address[lane] >> shift);
            want(set, with_lanes, index, lane, true);
        }
    }
}

static inline __attribute__((always_inline)) void find_lines(const struct cu *cu,
                                                             const struct mem_instr *memory,
                                                             bool with_lanes, struct line_set *set)
{
    set->count = 0;
    if (memory->pattern == PATTERN_SCATTERED || memory->split != 0 || memory->lds_lanes != 0) {
        find_scattered(cu, memory, with_lanes, set);
    } else if (memory->pattern == PATTERN_BROADCAST) {
        find_one(cu, memory, with_lanes, set);
    } else if (memory->pattern == PATTERN_UNIT_STRIDE) {
        find_rows(cu, memory, with_lanes, set);
    } else {
        find_in_order(cu, memory, with_lanes, set);
    }
}

void coalesce_lines(const struct cu *cu, const struct mem_instr *memory, struct line_set *set)
{
    find_lines(cu, memory, false, set);
}

void coalesce_lines_and_lanes(const struct cu *cu, const struct mem_instr *memory,
                              struct line_set *set)
{
    find_lines(cu, memory, true, set);
}
