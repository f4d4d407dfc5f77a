/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* How the time of a run divides (docs/look-up/statistics.md): active, while some SIMD unit of some
 * compute unit is occupied by an instruction; stalled, while wavefronts hold contexts but none
 * issues; blocked, while none does. The three are unions over all compute units, so that the
 * machine keeps them and not a unit. Times are CU cycles, which are told in ascending order.
 *
 * Blocked time is the aggregator's price, so that it is kept by what the firmware was doing, too. A
 * cycle is not divided: it counts for the phase that the firmware is in at the cycle's end. What of
 * it lay before the first wavefront, and before the latest one, is kept likewise. */
#ifndef SLUICE_EVENTS_ACTIVITY_H
#define SLUICE_EVENTS_ACTIVITY_H

#include <stdint.h>
#include <string.h>

#include "sluice/codes.h"

struct activity {
    uint64_t accounted_cycle; /* all is attributed up to here */
    uint64_t active_until;
    uint32_t resident; /* wavefronts that hold contexts */
    uint32_t resident_max;
    enum sl_phase phase; /* that the firmware is in */
    uint64_t active_cycles;
    uint64_t stalled_cycles;
    uint64_t blocked_cycles;
    uint64_t phase_blocked_cycles[SL_PHASE_COUNT]; /* the same by phases */
    uint64_t first_blocked_cycles[SL_PHASE_COUNT]; /* before the first wavefront; of none, zero */
    uint64_t last_blocked_cycles[SL_PHASE_COUNT];  /* before the latest one, likewise */
};

/* Attributes the time up to a cycle. */
static inline void activity_account(struct activity *activity, uint64_t cycle)
{
    if (cycle <= activity->accounted_cycle) {
        return;
    }
    uint64_t from = activity->accounted_cycle;
    uint64_t active_until = activity->active_until < cycle ? activity->active_until : cycle;

    if (active_until > from) {
        activity->active_cycles += active_until - from;
        from = active_until;
    }
    if (activity->resident > 0) {
        activity->stalled_cycles += cycle - from;
    } else {
        activity->blocked_cycles += cycle - from;
        activity->phase_blocked_cycles[activity->phase] += cycle - from;
    }
    activity->accounted_cycle = cycle;
}

/* The firmware enters a phase in the course of a cycle, up to whose begin all has been told. */
static inline void activity_phase(struct activity *activity, uint64_t cycle, enum sl_phase phase)
{
    activity_account(activity, cycle);
    activity->phase = phase;
}

/* A SIMD unit is occupied from a cycle up to, not including, another. */
static inline void activity_issue(struct activity *activity, uint64_t cycle, uint64_t until)
{
    activity_account(activity, cycle);
    if (activity->active_until < until) {
        activity->active_until = until;
    }
}

/* A wavefront takes a context, or gives one up. */
static inline void activity_enter(struct activity *activity, uint64_t cycle)
{
    activity_account(activity, cycle);
    if (activity->resident_max == 0) {
        memcpy(activity->first_blocked_cycles, activity->phase_blocked_cycles,
               sizeof(activity->first_blocked_cycles));
    }
    if (activity->resident == 0) { /* else no blocked time has come since the latest one */
        memcpy(activity->last_blocked_cycles, activity->phase_blocked_cycles,
               sizeof(activity->last_blocked_cycles));
    }
    activity->resident++;
    if (activity->resident > activity->resident_max) {
        activity->resident_max = activity->resident;
    }
}

static inline void activity_leave(struct activity *activity, uint64_t cycle)
{
    activity_account(activity, cycle);
    activity->resident--;
}

/* All wavefronts are gone; time goes on. */
static inline void activity_empty(struct activity *activity, uint64_t cycle)
{
    activity_account(activity, cycle);
    activity->resident = 0;
    activity->active_until = cycle;
}

#endif
