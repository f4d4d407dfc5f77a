/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Issue slots of the out-of-order core: which units are taken in which cycle.
 *
 * Instructions come in program order and take the first cycle in which their operands, a unit and
 * an issue slot are there, also before older ones. A cycle has a record in a table by its low bits,
 * with five counts of four bits each in one word, so that a comparison of all with their limits is
 * one subtraction. Where two cycles ahead of the present share a record, which takes latencies of
 * thousands of cycles, the second counts as full: no limit is ever exceeded. */
#ifndef SLUICE_AGGREGATOR_ISSUE_UNITS_H
#define SLUICE_AGGREGATOR_ISSUE_UNITS_H

#include <stdint.h>

#define UNITS_BITS   11
#define UNITS_CYCLES (1u << UNITS_BITS)

/* Counted per cycle; UNITS_WIDTH is of all instructions. */
enum units_kind {
    UNITS_WIDTH,
    UNITS_ALU,
    UNITS_MUL,
    UNITS_LOAD,
    UNITS_STORE,
};

#define UNITS_ONE(unit) (1u << (5 * (unit)))
/* The bit above each count: 1 after the subtraction where the limit holds. */
#define UNITS_GUARDS                                                                               \
    (16u * (UNITS_ONE(0) | UNITS_ONE(1) | UNITS_ONE(2) | UNITS_ONE(3) | UNITS_ONE(4)))

struct units {
    uint32_t limits; /* one count for each unit, and the guards */
    struct units_cycle {
        uint32_t high;   /* the cycle's bits above UNITS_BITS */
        uint32_t counts; /* 0: the record is free */
    } cycles[UNITS_CYCLES];
};

/* Takes the units that `need` adds up (UNITS_ONE) in the first cycle from `earliest` on in which
 * they are free, and returns it. No cycle up to `now`, which never goes back, is asked for again.
 */
static inline uint64_t units_take(struct units *units, uint32_t need, uint64_t earliest,
                                  uint64_t now)
{
    for (uint64_t cycle = earliest;; cycle++) {
        uint32_t index = (uint32_t)cycle % UNITS_CYCLES;
        struct units_cycle *record = &units->cycles[index];
        uint32_t high = (uint32_t)(cycle >> UNITS_BITS);
        if (record->counts == 0 || record->high != high) {
            uint64_t held = (uint64_t)record->high << UNITS_BITS | index;
            if (record->counts != 0 && held > now) {
                continue; /* another cycle's */
            }
            *record = (struct units_cycle){.high = high, .counts = need};
            return cycle;
        }
        uint32_t counts = record->counts + need;
        if (((units->limits - counts) & UNITS_GUARDS) == UNITS_GUARDS) {
            record->counts = counts;
            return cycle;
        }
    }
}

#endif
