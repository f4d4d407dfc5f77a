/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The yield manager (papers/001 section 6; docs/know/design.md, "Yield manager"): takes restart
 * contexts out of the yield ring, keeps the wavefronts that wait for space in each channel in
 * order, and restarts them when there is enough. The lists are in the firmware's own memory, where
 * lanes cannot write, with room for all wavefronts that the wavefront state pool can hold. */
#ifndef SLUICE_FIRMWARE_QUEUES_YIELD_H
#define SLUICE_FIRMWARE_QUEUES_YIELD_H

#include <stdbool.h>
#include <stdint.h>

#include "queues/channel.h"
#include "queues/dispatch.h"
#include "sluice/codes.h"

struct yield {
    uint64_t head;       /* records read */
    uint32_t waiting;    /* wavefronts */
    uint32_t used;       /* entries of the lists that some wavefront has had so far, of which */
    uint16_t free;       /* this one, where more have had one than wait, is the first free one */
    uint32_t blocked;    /* channels that some of them wait for */
    uint16_t *channels;  /* these channels, in the order in which the first one began to wait */
    uint64_t wavefronts; /* restarted so far */
};

/* Tells the device where the ring is; it must have been reset. */
void yield_init(struct yield *yield);

/* Reads the records that are new; returns how many. A resource that is no channel counts as the
 * wavefront's own. */
uint32_t yield_poll(struct yield *yield, struct channel *channels, uint32_t channel_count);

/* Reads the records that are new and restarts their wavefronts at once: of a run without channels,
 * where there is nothing to wait for. Returns how many; the doorbell is the caller's. */
uint32_t yield_resume(struct yield *yield, struct dispatch *dispatch);

/* Restarts all wavefronts, in order for each channel, whose demand the channel's free space covers:
 * less what was granted to those restarted before and not reserved by them since. `is_drained` says
 * that nothing is in flight, so that nothing granted can still be reserved. Returns how many; the
 * doorbell is the caller's. */
uint32_t yield_restart(struct yield *yield, struct channel *channels, struct dispatch *dispatch,
                       bool is_drained);

/* For the message that nothing can go on (SL_FAILURE_STUCK): its arguments. */
void yield_describe(const struct yield *yield, const struct channel *channels,
                    uint64_t argument[4]);

#endif
