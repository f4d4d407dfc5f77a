/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A calendar of a resource without a clock: the times during which a bus is busy.
 *
 * Transfers begin at any picosecond. As with calendar.h, one that arrives earlier than one that was
 * handed in before it takes a gap before that one's, if it fits. Busy times that touch are one, so
 * a saturated bus has few. The BUS_TIMES newest are known; nothing begins before the others' end.
 */
#ifndef SLUICE_MEM_BUS_H
#define SLUICE_MEM_BUS_H

#include <stdint.h>

#define BUS_TIMES 64u

struct bus {
    uint32_t first; /* the oldest, in the ring */
    uint32_t count;
    uint64_t floor_ps; /* end of those that were forgotten */
    struct bus_time {
        uint64_t start_ps;
        uint64_t end_ps;
    } busy[BUS_TIMES];
};

/* Takes the bus for a duration (at least 1) at or after a time. Returns the start, in ps. */
uint64_t bus_take(struct bus *bus, uint64_t time_ps, uint64_t duration_ps);

#endif
