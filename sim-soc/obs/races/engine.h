/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What the engine consists of (obs/races/races.h). */
#ifndef SLUICE_OBS_RACES_ENGINE_H
#define SLUICE_OBS_RACES_ENGINE_H

#include "obs/races/cell.h"
#include "obs/races/findings.h"

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
