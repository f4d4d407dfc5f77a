/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Schedulers: which channels' elements run next. A policy is pure: it reads the run and leaves its
 * choice; the run writes the packets. A new one is a file with a struct scheduler, a line in
 * scheduler_find() and a value of enum sl_scheduler. */
#ifndef SLUICE_FIRMWARE_SCHEDULER_H
#define SLUICE_FIRMWARE_SCHEDULER_H

#include <stdint.h>

#include "core/run.h"
#include "sluice/codes.h"

/* So many ready elements of this channel; 1 or more, and not more than are ready. */
struct choice {
    uint32_t channel;
    uint32_t count;
};

struct scheduler {
    const char *name;
    /* Before the first pass of a run. */
    void (*begin)(const struct run *run);
    /* Its time is phase SCHEDULE in graphs of channel stacks, PREDICATE in others. Chooses at most
     * `space` packets, 1 or more; returns how many. Called when there are ready
     * elements and either some are new, packets have completed, or a timed predicate waits. Where
     * nothing is in flight (run->is_drained) it must choose something, unless wavefronts wait that
     * have yielded: that is what keeps a graph going. */
    uint32_t (*choose)(struct run *run, struct choice *choice, uint32_t space);
};

extern const struct scheduler scheduler_flat;
extern const struct scheduler scheduler_levelized;

/* By enum sl_scheduler, which the graph check has found good. */
const struct scheduler *scheduler_find(uint32_t scheduler);

#endif
