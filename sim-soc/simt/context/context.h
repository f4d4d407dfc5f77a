/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What the hardware keeps of wavefronts in memory: entries of reconvergence stacks that do not fit
 * into it, and the state of wavefronts that have yielded. */
#ifndef SLUICE_SIMT_CONTEXT_H
#define SLUICE_SIMT_CONTEXT_H

#include "simt/unit/unit.h"

/* ---- stack_spill.c ---- */

/* Moves entries after an instruction that left the stack unbalanced. */
void spill_balance(struct wave *wave, uint64_t cycle);

/* The instruction has looked at entries from `lowest` up, some of which are in memory. */
void spill_touch(struct wave *wave, uint32_t lowest, uint64_t cycle);

/* ---- context_yield.c, context_restart.c ---- */

void yield_execute(struct wave *wave, const struct simt_op *op, uint64_t cycle);

/* Frees the context of a wavefront that has yielded and whose restart context was written. Its
 * block stays with it. */
void yield_release(struct wave *wave);

/* Restarts the wavefront that has yielded with a block, now, on its compute unit, which has room
 * for it. */
void restart_wave(struct cu *cu, uint32_t block);

/* ---- save_area.c: the layout of save areas (struct sl_wave_state) ---- */

/* An entry as memory has it. */
struct sl_stack_entry state_pack(const struct stack_entry *entry);

/* Identifiers, time and work-group of a wavefront, and `stored` entries from the top of its stack.
 */
void state_describe(const struct wave *wave, uint32_t stored, struct sl_wave_state *state);

/* Entries of the reconvergence stack that are saved behind the header: those in hardware, as far as
 * they fit there. */
uint32_t state_stored(const struct simt_stack *stack);

/* The header and so many entries, in whole lines. */
size_t state_front_bytes(uint32_t stored);

/* The registers that the kernel uses; its description may have changed meanwhile, but what the
 * kernel was dispatched with is the launch's. */
uint64_t state_registers(const struct wave *wave);

/* Where the save area is, and in it the line of the stack that an entry is in. */
uint64_t state_address(const struct wave *wave);
uint64_t state_deep_line(const struct wave *wave, uint32_t entry);

/* Moves the lines of the stack that do not fit behind the header, and registers. */
void state_move_deep(struct wave *wave, uint32_t stored);
void state_move_registers(struct wave *wave, uint64_t mask);

#endif
