/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The dispatcher's side of wavefront yield: restart contexts to the yield ring, restart packets
 * back (papers/001 section 6). */
#ifndef SLUICE_DISPATCHER_WAVE_RESTART_H
#define SLUICE_DISPATCHER_WAVE_RESTART_H

#include "dispatcher/dispatcher_state.h"

/* For the compute units (struct cu_listener). */
void restart_yielded(void *dispatcher, struct wave *wave);
bool restart_takes_yields(void *dispatcher);

/* A restart context is where firmware sees it (output_rings.h): the wavefront's context is free. */
void restart_seen(void *dispatcher, void *wave);

/* Firmware has read yield records: there may be space for more. */
void restart_flush(struct dispatcher *dispatcher);

/* Takes a restart packet for the block at an address. False where no wavefront has yielded with it,
 * or is being restarted already. */
bool restart_take(struct dispatcher *dispatcher, uint64_t address);

/* Restarts the first wavefront in order that is ready and whose compute unit has room; returns
 * whether there was one. */
bool restart_next(struct dispatcher *dispatcher, uint64_t cycle);

/* Whether a wavefront to be restarted on the compute unit waits for LDS there, as of the last call
 * of restart_next(): nothing else may take any. */
static inline bool restart_awaits_lds(const struct dispatcher *dispatcher, uint32_t cu)
{
    return (dispatcher->lds_awaited >> cu & 1) != 0;
}

/* When the next wavefront gets ready that is not by this cycle, or EVENT_QUEUE_NEVER. */
uint64_t restart_ready_cycle(const struct dispatcher *dispatcher, uint64_t cycle);

#endif
