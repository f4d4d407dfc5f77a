/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What a consistency model other than rmo keeps of a wavefront (simt/order/model.h): its write
 * buffer, and what holds it back. */
#ifndef SLUICE_SIMT_CU_WAVE_ORDER_H
#define SLUICE_SIMT_CU_WAVE_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "time/wheel.h"

struct mem_op;

/* What an instruction waits for in front of the write buffer. */
enum order_reason {
    ORDER_NOTHING,
    ORDER_DRAIN, /* stores of its lanes, or of all */
    ORDER_MATCH, /* a store to bytes that it accesses */
    ORDER_ROOM   /* it is a store, and the buffer is full */
};

struct wave_order {
    /* Nothing issues before this cycle; WHEEL_NEVER while that is not known, 0 when it is over. */
    uint64_t blocked_cycle;
    uint64_t drain_from;   /* one that has not issued waits for the buffer since then; 0: none */
    uint64_t count;        /* stores in the write buffer */
    uint64_t blocked_from; /* the next instruction could not have issued before, model or no */

    /* The write buffer: the oldest store has been sent. */
    struct mem_op *oldest;
    struct mem_op *youngest;
    struct event drained; /* the oldest is done */

    /* An instruction that has issued and is not sent before a store of the buffer is done. */
    struct mem_op *waiter;
    const struct mem_op *awaited;
    enum order_reason reason;
    uint64_t wait_cycle; /* since then */
};

#endif
