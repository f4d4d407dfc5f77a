/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What a consistency model other than rmo keeps of a wavefront (simt/ordering/consistency_model.h):
 * its write buffer, and what holds it back. */
#ifndef SLUICE_SIMT_UNIT_WAVE_ORDER_H
#define SLUICE_SIMT_UNIT_WAVE_ORDER_H

#include <stdint.h>

#include "engine/event_queue.h"
#include "simt/unit/address_range.h"
#include "sluice/codes.h"

struct mem_instr;

struct wave_order {
    /* Nothing issues before this cycle; EVENT_QUEUE_NEVER while that is not known, 0 when it is
     * over. */
    uint64_t blocked_cycle;
    uint64_t held_cycle;   /* the next instruction would issue before this one but for that */
    uint64_t drain_from;   /* one that has not issued waits for the buffer since then; 0: none */
    uint64_t count;        /* stores in the write buffer */
    uint64_t blocked_from; /* the next instruction could not have issued before, model or no */

    /* The write buffer: the oldest store has been sent. */
    struct mem_instr *oldest;
    struct mem_instr *youngest;
    struct mem_range range; /* of all that have been in it since it was empty last */
    struct event drained;   /* the oldest is done */

    /* An instruction that has issued and is not sent before a store of the buffer is done. */
    struct mem_instr *waiter;
    const struct mem_instr *awaited;
    enum sl_order_wait reason;
    uint64_t wait_cycle; /* since then */
};

#endif
