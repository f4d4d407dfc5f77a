/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Instructions that only wait. A wavefront that pauses twice at the same place, and has stored
 * nothing in between, has looked for something and not found it: what it executed from one pause to
 * the next, the second one included, did nothing else. What it executed before its first pause, and
 * the look that found something, count as work. */
#ifndef SLUICE_SIMT_UNIT_BUSY_WAIT_H
#define SLUICE_SIMT_UNIT_BUSY_WAIT_H

#include <string.h>

#include "simt/unit/unit.h"
#include "simt/unit/wave.h"

/* The wavefront has stored, or begins: what it does next is no wait. */
static inline void waits_end(struct wave *wave)
{
    wave->wait_pc = PC_NONE;
}

/* An instruction of so many lanes issues. */
static inline void waits_issue(struct wave *wave, uint32_t lanes)
{
    if (wave->wait_pc != PC_NONE) {
        wave->idle_instructions[lanes]++;
    }
}

/* It is a pause, at this offset in the code. */
static inline void waits_pause(struct cu *cu, struct wave *wave, uint32_t pc)
{
    if (wave->wait_pc == pc) {
        for (unsigned lanes = 1; lanes <= LANES; lanes++) {
            cu->counters.waiting[lanes] += wave->idle_instructions[lanes];
        }
    }
    wave->wait_pc = pc;
    memset(wave->idle_instructions, 0, sizeof(wave->idle_instructions));
}

#endif
