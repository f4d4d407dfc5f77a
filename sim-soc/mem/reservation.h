/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Reservations of LR and SC: a store-conditional fails when its cache line was written since the
 * load-reserved.
 *
 * Lines are hashed onto epochs, which are counted up by writes to lines that are reserved: each
 * notes the line that was reserved last, since the time when none was. Where several that share an
 * epoch were, any write to one of them counts; that can make an SC fail without need, as the ISA
 * manual permits. Writes to lines that nobody reserves never do, or a loop of LR and SC that takes
 * longer than somebody else's stores follow each other would not end. */
#ifndef SLUICE_MEM_RESERVATION_H
#define SLUICE_MEM_RESERVATION_H

#include <stdint.h>

#include "sluice/memory_map.h"

#define RESERVATION_EPOCHS 4096u

struct reservations {
    uint64_t held;       /* lanes that hold one */
    uint32_t generation; /* of those that were taken since none was held */
    struct reservation_slot {
        uint32_t epoch;
        uint32_t generation; /* in which the lines are noted */
        uint64_t line;       /* the one that is reserved, */
        uint64_t others;     /* and a bit for each other that was, by its own hash */
    } slot[RESERVATION_EPOCHS];
};

static inline uint64_t reservation_line(uint64_t address)
{
    return address / SL_CACHE_LINE_BYTES;
}

static inline struct reservation_slot *reservation_slot(struct reservations *reservations,
                                                        uint64_t address)
{
    const uint64_t line = reservation_line(address);
    return &reservations->slot[(line ^ (line >> 12)) % RESERVATION_EPOCHS];
}

static inline uint64_t reservation_bit(uint64_t line)
{
    return 1ull << (line * 0x9e3779b97f4a7c15ull >> 58);
}

/* The line of an address as it is now: a reservation holds as long as that stays the same. */
static inline uint32_t reservation_epoch(struct reservations *reservations, uint64_t address)
{
    return reservation_slot(reservations, address)->epoch;
}

/* A lane reserves the line of an address. Returns its epoch. */
static inline uint32_t reservation_take(struct reservations *reservations, uint64_t address)
{
    struct reservation_slot *slot = reservation_slot(reservations, address);
    const uint64_t line = reservation_line(address);

    if (reservations->held++ == 0) {
        reservations->generation++;
    }
    if (slot->generation != reservations->generation) {
        slot->generation = reservations->generation;
        slot->line = line;
        slot->others = 0;
    } else if (slot->line != line) {
        slot->others |= reservation_bit(slot->line);
        slot->line = line;
    }
    return slot->epoch;
}

/* Tells of a write to the line of an address. */
static inline void reservation_write(struct reservations *reservations, uint64_t address)
{
    if (reservations->held == 0) {
        return;
    }
    struct reservation_slot *slot = reservation_slot(reservations, address);
    const uint64_t line = reservation_line(address);
    if (slot->generation == reservations->generation &&
        (slot->line == line || (slot->others & reservation_bit(line)) != 0)) {
        slot->epoch++;
    }
}

#endif
