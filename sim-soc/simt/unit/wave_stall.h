/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What is known of why a wavefront does not issue (simt/schedule/stall.h). What observers alone
 * want is kept only where some do. */
#ifndef SLUICE_SIMT_UNIT_WAVE_STALL_H
#define SLUICE_SIMT_UNIT_WAVE_STALL_H

#include <stdbool.h>
#include <stdint.h>

#include "recordings/kernel_profile.h"
#include "simt/program/program.h"

struct wave_stall {
    uint64_t told_cycle; /* observers have been told of all before this one */
    uint64_t held_cycle; /* up to here something has held its next instruction that leaves no other
                            trace: `held` */
    uint32_t issued_pc;  /* latest instruction in its context, or PC_NONE */
    uint8_t held;        /* enum sl_stall, as the others */
    uint8_t gate;        /* what gate_cycle is of */
    bool has_lost;       /* talloc: its latest compare-and-swap has failed in some lane, */
    bool tries_again;    /* and it knows that */
    uint8_t result[SCOREBOARD_REGISTERS]; /* by register: what its pending result waits for */
};

#endif
