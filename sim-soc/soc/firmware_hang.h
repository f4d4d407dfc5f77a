/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What firmware that hangs is doing (docs/know/trust.md, "Watchdogs").
 *
 * Once it is known to hang, samples of pc are taken at equal distances in instructions. Then an
 * ebreak is put at the last one. The firmware's trap entry saves the registers, of which an engine
 * shows none to a plugin; the host reads them from there. Before, no instruction costs anything. */
#ifndef SLUICE_SOC_FIRMWARE_HANG_H
#define SLUICE_SOC_FIRMWARE_HANG_H

#include <stdbool.h>
#include <stdint.h>

#include "mem/dram.h"
#include "sluice/layouts.h"

/* What whoever executes the instructions has to do next. */
enum hang_step {
    HANG_GOES_ON,
    HANG_NEEDS_TRAP, /* forget code that has been translated, call firmware_hang_put_trap() */
    HANG_IS_OVER,    /* end the machine: the record is complete */
};

struct firmware_hang {
    struct dram dram;
    struct sl_hang *record; /* NULL: it does not hang */
    uint32_t left;          /* instructions up to the next step */
    uint16_t replaced;      /* by the ebreak */
    bool has_put;
};

/* It hangs, and the machine is to end with this status. */
void firmware_hang_begin(struct firmware_hang *hang, const struct dram *dram, int status);

/* It has overwritten its code at an address, by the instruction at pc. */
void firmware_hang_overwritten(struct firmware_hang *hang, const struct dram *dram, uint64_t pc,
                               uint64_t address);

/* An instruction comes next. */
enum hang_step firmware_hang_instruction(struct firmware_hang *hang, uint64_t pc);

/* Puts the ebreak where pc was last, once the engine has forgotten what was there. */
void firmware_hang_put_trap(struct firmware_hang *hang);

#endif
