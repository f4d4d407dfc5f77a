/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What holds a wavefront's next instruction back whatever it is, and why. */
#ifndef SLUICE_SIMT_ORDERING_ISSUE_GATE_H
#define SLUICE_SIMT_ORDERING_ISSUE_GATE_H

#include "simt/unit/wave.h"

/* Nothing of the wavefront issues before a cycle. */
static inline void order_gate(struct wave *wave, uint64_t cycle, enum sl_stall stall)
{
    if (wave->issue_not_before < cycle) {
        wave->issue_not_before = cycle;
        wave->stall.gate = (uint8_t)stall;
    }
}

/* Its next instruction was held back up to a cycle, which is not in the future. */
static inline void order_held(struct wave *wave, uint64_t cycle, enum sl_stall stall)
{
    wave->stall.held_cycle = cycle;
    wave->stall.held = (uint8_t)stall;
}

#endif
