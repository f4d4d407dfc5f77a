/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A memory instruction, taken apart: lanes by allocation, and their bytes by line. */
#include "observers/sharing/sharing.h"

#include <stdlib.h>

/* Bytes of a line, by bit. */
struct piece {
    uint64_t line;
    uint64_t bytes[MEM_LINE_MAX / 64];
};

/* What an instruction's lanes touch of an allocation: each an access in two pieces at most. */
struct pieces {
    uint32_t count;
    struct piece piece[2 * SL_LANES_MAX];
};

/* ---- allocations ---- */

static bool is_in(const struct sl_sharing *shared, uint32_t allocation, uint64_t address)
{
    if (allocation == 0) {
        return false;
    }
    const struct sl_sharing_allocation *one = &shared->allocations[allocation - 1];
    return address - one->address < one->bytes;
}

/* The one that an address is in, by its place plus one; 0: none. */
static uint32_t find_allocation(struct sharing *sharing, uint64_t address)
{
    const struct sl_sharing *shared = sharing->shared;
    uint32_t low = 0;
    uint32_t high = (uint32_t)shared->allocation_count;

    if (is_in(shared, sharing->last, address)) {
        return sharing->last;
    }
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (shared->allocations[middle].address <= address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (!is_in(shared, low, address)) {
        return 0;
    }
    sharing->last = low;
    return low;
}

/* The lanes that access the allocation that the first of them does, and which that is. */
static uint64_t lanes_together(struct sharing *sharing, const struct obs_access *access,
                               uint64_t lanes, uint32_t *allocation)
{
    uint64_t together = 0;

    *allocation = find_allocation(sharing, access->address[__builtin_ctzll(lanes)]);
    for (uint64_t left = lanes; left != 0; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(left);
        if (find_allocation(sharing, access->address[lane]) == *allocation) {
            together |= 1ull << lane;
        }
    }
    return together;
}

/* ---- lines ---- */

static struct piece *piece_of(struct pieces *pieces, uint64_t line)
{
    for (uint32_t i = pieces->count; i-- > 0;) {
        if (pieces->piece[i].line == line) {
            return &pieces->piece[i];
        }
    }
    struct piece *piece = &pieces->piece[pieces->count++];
    *piece = (struct piece){.line = line};
    return piece;
}

/* Accesses are short: a line's words have room for a first part, and the next line for the rest. */
static void add_bytes(struct pieces *pieces, uint32_t line_bytes, uint64_t address, uint32_t bytes)
{
    while (bytes > 0) {
        const uint32_t offset = (uint32_t)(address & (line_bytes - 1));
        const uint32_t here = bytes < line_bytes - offset ? bytes : line_bytes - offset;
        mem_mask_touch(piece_of(pieces, address / line_bytes)->bytes, offset, here);
        address += here;
        bytes -= here;
    }
}

static uint32_t words_of(const struct piece *piece)
{
    uint32_t words = 0;

    for (uint32_t word = 0; word < SHARING_LINE_WORDS; word++) {
        const uint32_t first = word * SL_SHARING_WORD_BYTES;
        if ((piece->bytes[first / 64] >> (first % 64) & ((1u << SL_SHARING_WORD_BYTES) - 1)) != 0) {
            words |= 1u << word;
        }
    }
    return words;
}

/* ---- figures of a packet ---- */

/* A packet's figures in an allocation, until others are asked for; NULL when out of memory. */
static struct sl_sharing_figures *figures_of(struct sharing_packet *packet, uint32_t allocation)
{
    uint32_t *of = &packet->of[allocation];

    if (*of == 0) {
        if (packet->count == packet->capacity) {
            const uint32_t capacity = packet->capacity == 0 ? 8 : 2 * packet->capacity;
            struct sharing_array *larger =
                realloc(packet->arrays, capacity * sizeof(packet->arrays[0]));
            if (larger == NULL) {
                return NULL;
            }
            packet->arrays = larger;
            packet->capacity = capacity;
        }
        packet->arrays[packet->count] =
            (struct sharing_array){.allocation = allocation, .figures = {.launches = 1}};
        *of = ++packet->count;
    }
    return &packet->arrays[*of - 1].figures;
}

/* ---- the instruction ---- */

static enum sl_sharing_kind kind_of(const struct obs_access *access)
{
    switch (mem_kind_counted(access->kind)) {
    case MEM_LOAD:
        return SL_SHARING_LOADS;
    case MEM_STORE:
        return SL_SHARING_STORES;
    default:
        return SL_SHARING_ATOMICS;
    }
}

static void count_instruction(const struct sharing *sharing, struct sl_sharing_accesses *accesses,
                              const struct pieces *pieces, uint64_t lanes)
{
    uint64_t bytes = 0;

    for (uint32_t i = 0; i < pieces->count; i++) {
        bytes += (uint64_t)__builtin_popcountll(pieces->piece[i].bytes[0]) +
                 (uint64_t)__builtin_popcountll(pieces->piece[i].bytes[1]);
    }
    accesses->instructions++;
    accesses->lanes += (uint64_t)__builtin_popcountll(lanes);
    accesses->lines += pieces->count;
    accesses->least_lines += (bytes + sharing->line_bytes - 1) / sharing->line_bytes;
    accesses->bytes += bytes;
}

static void count_lanes(struct sharing *sharing, struct sharing_packet *packet,
                        const struct obs_event *event, uint64_t lanes, uint32_t allocation,
                        enum sharing_regularity regularity)
{
    const struct obs_access *access = &event->access;
    struct sl_sharing_figures *figures = figures_of(packet, allocation);
    struct pieces pieces;

    if (figures == NULL) {
        sharing->has_failed = true;
        return;
    }
    pieces.count = 0;
    for (uint64_t left = lanes; left != 0; left &= left - 1) {
        add_bytes(&pieces, sharing->line_bytes, access->address[__builtin_ctzll(left)],
                  access->bytes);
    }
    count_instruction(sharing, &figures->by_kind[kind_of(access)], &pieces, lanes);
    figures->compared += regularity != SHARING_UNKNOWN;
    figures->irregular += regularity == SHARING_IRREGULAR;
    for (uint32_t i = 0; i < pieces.count; i++) {
        if (sharing_lines_touch(&packet->lines, pieces.piece[i].line, allocation, event->wave.cu,
                                words_of(&pieces.piece[i])) != 0) {
            sharing->has_failed = true;
        }
    }
}

void sharing_account(struct sharing *sharing, struct sharing_packet *packet,
                     const struct obs_event *event)
{
    const enum sharing_regularity regularity = sharing_places_compare(&sharing->places, event);
    uint64_t lanes = event->access.lanes;

    if (regularity == SHARING_NO_MEMORY) {
        sharing->has_failed = true;
        return;
    }
    while (lanes != 0) {
        uint32_t allocation;
        const uint64_t together = lanes_together(sharing, &event->access, lanes, &allocation);
        count_lanes(sharing, packet, event, together, allocation, regularity);
        lanes &= ~together;
    }
}
