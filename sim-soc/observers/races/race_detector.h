/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What the engine consists of (observers/races/races.h). */
#ifndef SLUICE_OBSERVERS_RACES_RACE_DETECTOR_H
#define SLUICE_OBSERVERS_RACES_RACE_DETECTOR_H

#include "observers/races/findings.h"
#include "observers/races/shadow_memory.h"

/* What was left in an object, for one scope instance. */
struct left {
    struct released released;
    uint64_t of;
    enum sl_scope scope;
};

struct race_clock {
    struct race_clock *next;
    struct race_clock **link;
    struct left *left;
    uint32_t count;
    uint32_t room;
};

struct race_engine {
    struct race_shape shape;
    struct race_counters counters;
    struct threads threads;
    struct cells cells;
    struct findings findings;
    struct race_clock *clocks; /* all */
    bool failed;
    uint64_t calls;
    struct snap *everybody;   /* what all that live, and can be launched, knew */
    uint64_t everybody_calls; /* then */
};

/* The clocks as a launch takes them, or NULL. */
const struct released *engine_launch(const struct race_engine *engine,
                                     const struct race_clock *clock);

/* Drops what all that live or can be launched are ordered behind. */
void engine_collect(struct race_engine *engine, struct history *history);

#endif
