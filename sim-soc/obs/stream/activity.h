/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* How the time of a run divides (docs/statistics.md): active, while some SIMD unit of some compute
 * unit is occupied by an instruction; stalled, while wavefronts hold contexts but none issues;
 * blocked, while none does. The three are unions over all compute units, so that the machine keeps
 * them and not a unit. Times are CU cycles, which are told in ascending order. */
#ifndef SLUICE_OBS_STREAM_ACTIVITY_H
#define SLUICE_OBS_STREAM_ACTIVITY_H

#include <stdint.h>

struct activity {
    uint64_t accounted_cycle; /* all is attributed up to here */
    uint64_t active_until;
    uint32_t resident; /* wavefronts that hold contexts */
    uint32_t resident_max;
    uint64_t active_cycles;
    uint64_t stalled_cycles;
    uint64_t blocked_cycles;
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
    }
    activity->accounted_cycle = cycle;
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
