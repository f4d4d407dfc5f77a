/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Issue slots of the out-of-order core: which units are taken in which cycle.
 *
 * Instructions come in program order and take the first cycle in which their operands, a unit and
 * an issue slot are there, also before older ones. A cycle has a record in a table by its low bits,
 * with six counts of four bits each in one word, so that a comparison of all with their limits is
 * one subtraction. Where two cycles ahead of the present share a record, which takes latencies of
 * thousands of cycles, the second counts as full: no limit is ever exceeded. */
#ifndef SLUICE_AGG_CALENDAR_H
#define SLUICE_AGG_CALENDAR_H

#include <stdint.h>

#define CALENDAR_BITS   11
#define CALENDAR_CYCLES (1u << CALENDAR_BITS)

/* Counted per cycle; CALENDAR_WIDTH is of all instructions. */
enum calendar_unit {
    CALENDAR_WIDTH,
    CALENDAR_ALU,
    CALENDAR_MUL,
    CALENDAR_BRANCH,
    CALENDAR_LOAD,
    CALENDAR_STORE,
    CALENDAR_UNITS,
};

#define CALENDAR_ONE(unit) (1u << (5 * (unit)))
/* The bit above each count: 1 after the subtraction where the limit holds. */
#define CALENDAR_GUARDS                                                                            \
    (16u * (CALENDAR_ONE(0) | CALENDAR_ONE(1) | CALENDAR_ONE(2) | CALENDAR_ONE(3) |                \
            CALENDAR_ONE(4) | CALENDAR_ONE(5)))

struct calendar {
    uint32_t limits; /* one count for each unit, and the guards */
    struct calendar_cycle {
        uint32_t high;   /* the cycle's bits above CALENDAR_BITS */
        uint32_t counts; /* 0: the record is free */
    } cycles[CALENDAR_CYCLES];
};

/* Takes the units that `need` adds up (CALENDAR_ONE) in the first cycle from `earliest` on in which
 * they are free, and returns it. No cycle up to `now`, which never goes back, is asked for again.
 */
static inline uint64_t calendar_take(struct calendar *calendar, uint32_t need, uint64_t earliest,
                                     uint64_t now)
{
    for (uint64_t cycle = earliest;; cycle++) {
        uint32_t index = (uint32_t)cycle % CALENDAR_CYCLES;
        struct calendar_cycle *record = &calendar->cycles[index];
        uint32_t high = (uint32_t)(cycle >> CALENDAR_BITS);
        if (record->counts == 0 || record->high != high) {
            uint64_t held = (uint64_t)record->high << CALENDAR_BITS | index;
            if (record->counts != 0 && held > now) {
                continue; /* another cycle's */
            }
            *record = (struct calendar_cycle){.high = high, .counts = need};
            return cycle;
        }
        uint32_t counts = record->counts + need;
        if (((calendar->limits - counts) & CALENDAR_GUARDS) == CALENDAR_GUARDS) {
            record->counts = counts;
            return cycle;
        }
    }
}

#endif
