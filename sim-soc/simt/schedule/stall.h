/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Why a wavefront does not issue: each cycle in which it holds a context is told to observers with
 * the one thing that it waited for (OBS_WAIT, hal/contract/stalls.def), but for those in which its
 * instruction occupies its SIMD unit, which OBS_ISSUE tells.
 *
 * What it waited for is looked at when it is over, mostly at the next issue: what holds an
 * instruction back leaves the cycle of its end behind (the scoreboard, the gate, memory slots), and
 * the latest one counts, up to that cycle. From there on the instruction was ready, and had no
 * slot. Waits of which one begins where another one ends are told one by one: stall_end(). */
#ifndef SLUICE_SIMT_SCHEDULE_STALL_H
#define SLUICE_SIMT_SCHEDULE_STALL_H

#include <string.h>

#include "simt/unit/unit.h"

static inline bool stall_is_wanted(const struct wave *wave)
{
    return probe_enabled(wave_cu(wave)->env->stream, OBS_WAIT);
}

/* The wavefront takes a context in a cycle; `gate` is why it does not issue at once. */
static inline void stall_begin(struct wave *wave, uint64_t cycle, enum sl_stall gate)
{
    struct wave_stall *stall = &wave->stall;

    *stall = (struct wave_stall){.told_cycle = cycle, .issued_pc = PC_NONE, .gate = (uint8_t)gate};
    if (stall_is_wanted(wave)) {
        memset(stall->result, SL_STALL_DEPENDENCY, sizeof(stall->result));
    }
}

/* Tells what it has waited for since the last time, up to a cycle. Where observers want it. */
void stall_tell(struct wave *wave, enum sl_stall stall, uint64_t cycle);

/* The same, wanted or not: that wait is over in this cycle, and another one may begin. */
static inline void stall_end(struct wave *wave, enum sl_stall stall, uint64_t cycle)
{
    if (stall_is_wanted(wave)) {
        stall_tell(wave, stall, cycle);
    }
}

/* Its next instruction, NULL outside the code, issues: tells what it has waited for. Where
 * observers want it. */
void stall_issue(struct wave *wave, const struct simt_op *op, uint64_t cycle);

/* It issues nothing more: tells what it waits for, as far as that is known. Likewise, wanted or
 * not. */
void stall_stop(struct wave *wave, uint64_t cycle);

/* It gives up its context. Returns for how many cycles more its last instruction occupies its SIMD
 * unit. Likewise. */
uint64_t stall_leave(struct wave *wave, uint64_t cycle);

/* Its run is over, or the device is reset, while it holds a context: the same, told as OBS_STOP.
 * Likewise. */
void stall_end_run(struct wave *wave, uint64_t cycle);

/* Address of the instruction that a wavefront is at: the next one, or the last one where it issues
 * none. */
uint64_t stall_pc(const struct wave *wave);

#endif
