/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The rings that the device writes: completion records and fault records. */
#ifndef SLUICE_FIRMWARE_QUEUES_COMPLETION_H
#define SLUICE_FIRMWARE_QUEUES_COMPLETION_H

#include <stdint.h>

#include "aggregator/device.h"
#include "queues/channel.h"
#include "sluice/layouts.h"

struct completion {
    uint64_t head;       /* completion records read */
    uint64_t elements;   /* of them */
    uint64_t wavefronts; /* of them */
};

/* Tells the device where the rings are; it must have been reset. */
void completion_init(struct completion *completion);

/* Reads the completion records up to this tail; returns how many. `channels` count their elements;
 * NULL in a run without channels. */
uint32_t completion_take(struct completion *completion, uint64_t tail, struct channel *channels);

/* Reads the completion records that are new; returns how many. */
static inline uint32_t completion_poll(struct completion *completion, struct channel *channels)
{
    const uint64_t tail = agg_register_read(SL_REG_COMPLETION_TAIL);
    return tail == completion->head ? 0 : completion_take(completion, tail, channels);
}

/* Number of wavefronts that have faulted, and, where it is not 0, the first of their records. */
uint64_t completion_faults(struct sl_fault *first);

#endif
