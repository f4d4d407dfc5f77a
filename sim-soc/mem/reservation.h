/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Reservations of LR and SC: a store-conditional fails when its cache line was written since the
 * load-reserved.
 *
 * Lines are hashed onto epoch counters, which every write counts up while any reservation is held.
 * Two lines that share a counter can make an SC fail without need, as the ISA manual permits. */
#ifndef SLUICE_MEM_RESERVATION_H
#define SLUICE_MEM_RESERVATION_H

#include <stdint.h>

#include "sluice/memory_map.h"

#define RESERVATION_EPOCHS 4096u

struct reservations {
    uint64_t held; /* lanes that hold one */
    uint32_t epoch[RESERVATION_EPOCHS];
};

static inline uint32_t *reservation_epoch(struct reservations *reservations, uint64_t address)
{
    uint64_t line = address / SL_CACHE_LINE_BYTES;
    return &reservations->epoch[(line ^ (line >> 12)) % RESERVATION_EPOCHS];
}

/* Tells of a write to the line of an address. */
static inline void reservation_write(struct reservations *reservations, uint64_t address)
{
    if (reservations->held != 0) {
        (*reservation_epoch(reservations, address))++;
    }
}

#endif
