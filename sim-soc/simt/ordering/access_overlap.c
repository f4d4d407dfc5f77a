/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Places in common: first by the ranges of addresses, then by doublewords in a hash table. */
#include "simt/ordering/access_overlap.h"

#include <string.h>

/* Doublewords that the lanes of an instruction access: at most two each. */
struct words {
    uint32_t count;
    uint64_t word[2 * LANES];
    struct mem_range range;
};

static void add(struct words *words, uint64_t address)
{
    const uint64_t word = address / 8;

    words->word[words->count++] = word;
    mem_range_add(&words->range, (struct mem_range){word, word});
}

static void find_words(const struct mem_instr *memory, struct words *words)
{
    const uint64_t bytes = memory->op->access_bytes;

    words->count = 0;
    words->range = MEM_RANGE_NONE;
    FOR_EACH_LANE(lane, memory->lanes)
    {
        const uint64_t address = memory->address[lane];
        const uint64_t last =
            memory->split >> lane & 1 ? memory->tail_address[lane] : address + bytes - 1;
        add(words, address);
        if (last / 8 != address / 8) {
            add(words, last);
        }
    }
}

/* Word plus one, or 0; open addressing. */
#define TABLE (4 * LANES)

static uint32_t place_of(uint64_t word)
{
    return (uint32_t)(word * 0x9e3779b97f4a7c15ull >> 56) % TABLE;
}

static void put(uint64_t table[TABLE], uint64_t word)
{
    uint32_t at = place_of(word);

    while (table[at] != 0 && table[at] != word + 1) {
        at = (at + 1) % TABLE;
    }
    table[at] = word + 1;
}

static bool has(const uint64_t table[TABLE], uint64_t word)
{
    uint32_t at = place_of(word);

    while (table[at] != 0) {
        if (table[at] == word + 1) {
            return true;
        }
        at = (at + 1) % TABLE;
    }
    return false;
}

bool overlap_words(const struct mem_instr *a, const struct mem_instr *b)
{
    struct words of_a;
    struct words of_b;
    uint64_t table[TABLE];

    find_words(a, &of_a);
    find_words(b, &of_b);
    if (!mem_range_overlaps(&of_a.range, &of_b.range)) {
        return false;
    }
    memset(table, 0, sizeof(table));
    for (uint32_t i = 0; i < of_a.count; i++) {
        put(table, of_a.word[i]);
    }
    for (uint32_t i = 0; i < of_b.count; i++) {
        if (has(table, of_b.word[i])) {
            return true;
        }
    }
    return false;
}

/* ---- bytes of lanes ---- */

/* The bytes of a lane: of its whole access, or of one of its two pieces. */
static struct mem_range piece_of(const struct mem_instr *memory, unsigned lane, unsigned piece)
{
    const uint64_t bytes = memory->op->access_bytes;
    const bool is_split = memory->split >> lane & 1;
    const uint64_t head = is_split ? memory->head_bytes[lane] : bytes;

    return piece == 0 ? (struct mem_range){memory->address[lane], memory->address[lane] + head - 1}
                      : (struct mem_range){memory->tail_address[lane],
                                           memory->tail_address[lane] + (bytes - head) - 1};
}

static unsigned pieces_of(const struct mem_instr *memory, unsigned lane)
{
    return 1 + (unsigned)(memory->split >> lane & 1);
}

static bool overlaps_in(const struct mem_instr *a, const struct mem_instr *b, unsigned lane)
{
    for (unsigned i = 0; i < pieces_of(a, lane); i++) {
        for (unsigned j = 0; j < pieces_of(b, lane); j++) {
            const struct mem_range of_a = piece_of(a, lane, i);
            const struct mem_range of_b = piece_of(b, lane, j);
            if (mem_range_overlaps(&of_a, &of_b)) {
                return true;
            }
        }
    }
    return false;
}

struct mem_range overlap_range(const struct mem_instr *memory)
{
    const uint64_t lanes = memory->lanes & ~memory->lds_lanes;
    struct mem_range range = MEM_RANGE_NONE;

    FOR_EACH_LANE(lane, lanes)
    {
        for (unsigned i = 0; i < pieces_of(memory, (unsigned)lane); i++) {
            mem_range_add(&range, piece_of(memory, (unsigned)lane, i));
        }
    }
    return range;
}

bool overlap_lanes(const struct mem_instr *unsent, const struct mem_instr *other)
{
    if (unsent->lds_lanes != 0 && other->lds_lanes != 0) {
        return true; /* where in LDS the other is depends on whether it has been sent */
    }
    if (!mem_range_overlaps(&unsent->range, &other->range)) {
        return false;
    }
    FOR_EACH_LANE(lane, unsent->lanes & other->lanes & ~(unsent->lds_lanes | other->lds_lanes))
    {
        if (overlaps_in(unsent, other, (unsigned)lane)) {
            return true;
        }
    }
    return false;
}
