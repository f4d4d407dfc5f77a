/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The dispatch ring: packets from the firmware to the device (struct sl_dispatch).
 *
 * One packet may cover many wavefronts. No more packets are outstanding than the completion ring
 * has entries, so that neither ring can overflow. */
#ifndef SLUICE_FIRMWARE_QUEUES_DISPATCH_H
#define SLUICE_FIRMWARE_QUEUES_DISPATCH_H

#include <stdint.h>

#include "queues/channel.h"

struct dispatch {
    uint64_t tail;       /* packets written */
    uint64_t rung;       /* packets that the device knows of */
    uint64_t restarts;   /* of the packets written: restarts, which have no completion */
    uint64_t completed;  /* packets whose completion was read */
    uint64_t wavefronts; /* of the packets of channels */
};

/* Tells the device where the ring is; it must have been reset. */
void dispatch_init(struct dispatch *dispatch);

/* Packets that are written and not completed. */
static inline uint32_t dispatch_outstanding(const struct dispatch *dispatch)
{
    return (uint32_t)(dispatch->tail - dispatch->restarts - dispatch->completed);
}

/* Packets that may be written now. */
static inline uint32_t dispatch_space(const struct dispatch *dispatch)
{
    return SL_COMPLETION_ENTRIES - dispatch_outstanding(dispatch);
}

/* Writes a packet for the next `count` ready elements of a channel. There must be space. */
void dispatch_put(struct dispatch *dispatch, struct channel *channel, uint32_t index,
                  uint32_t count);

/* Writes a packet that runs a kernel over an NDRange: `grid` work-items in work-groups of `group`,
 * with `lds_bytes` of LDS each. Between packets of channels or alone. There must be space. What the
 * device could never place (hal/check/launch) faults. */
void dispatch_put_ndrange(struct dispatch *dispatch, const struct sl_kernel *kernel,
                          const uint32_t grid[3], const uint32_t group[3], uint32_t lds_bytes);

/* Writes a packet that restarts the yielded wavefront whose state is in this block. */
void dispatch_put_restart(struct dispatch *dispatch, uint64_t block);

/* Rings the doorbell once for all packets written since. */
void dispatch_ring(struct dispatch *dispatch);

#endif
