/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The busy times of a bus: a ring in ascending order. */
#include "mem/parts/bus.h"

#include <stdbool.h>

#include "engine/clock.h"

static struct bus_time *at(struct bus *bus, uint32_t index)
{
    return &bus->busy[(bus->first + index) % BUS_TIMES];
}

static void forget_oldest(struct bus *bus)
{
    bus->floor_ps = at(bus, 0)->end_ps;
    bus->first = (bus->first + 1) % BUS_TIMES;
    bus->count--;
}

/* Puts a busy time in front of number `index`. */
static void insert(struct bus *bus, uint32_t index, uint64_t start_ps, uint64_t end_ps)
{
    for (uint32_t i = bus->count; i > index; i--) {
        *at(bus, i) = *at(bus, i - 1);
    }
    *at(bus, index) = (struct bus_time){start_ps, end_ps};
    bus->count++;
}

static void erase(struct bus *bus, uint32_t index)
{
    bus->count--;
    for (uint32_t i = index; i < bus->count; i++) {
        *at(bus, i) = *at(bus, i + 1);
    }
}

uint64_t bus_take(struct bus *bus, uint64_t time_ps, uint64_t duration_ps)
{
    if (bus->count == BUS_TIMES) {
        forget_oldest(bus);
    }
    uint64_t start_ps = later(time_ps, bus->floor_ps);
    uint32_t next = bus->count;
    while (next > 0 && at(bus, next - 1)->end_ps > start_ps) {
        next--;
    }
    while (next < bus->count && at(bus, next)->start_ps < start_ps + duration_ps) {
        start_ps = at(bus, next)->end_ps;
        next++;
    }
    uint64_t end_ps = start_ps + duration_ps;
    bool touches_left = next > 0 && at(bus, next - 1)->end_ps == start_ps;
    bool touches_right = next < bus->count && at(bus, next)->start_ps == end_ps;
    if (touches_left) {
        at(bus, next - 1)->end_ps = touches_right ? at(bus, next)->end_ps : end_ps;
        if (touches_right) {
            erase(bus, next);
        }
    } else if (touches_right) {
        at(bus, next)->start_ps = start_ps;
    } else {
        insert(bus, next, start_ps, end_ps);
    }
    return start_ps;
}
