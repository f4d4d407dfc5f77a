/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Bounds on the wavefronts that a kernel has in flight (docs/know/scheduling.md, "Throttle"): the
 * kernel's own (SL_KERNEL_RESIDENT), or one that is searched for while the graph runs (policy flag
 * throttle). Policies ask throttle_free() and say what they launch. Without a bound this costs a
 * count for each packet. */
#ifndef SLUICE_FIRMWARE_QUEUES_THROTTLE_H
#define SLUICE_FIRMWARE_QUEUES_THROTTLE_H

#include <stdbool.h>
#include <stdint.h>

#include "queues/hill_climb.h"
#include "sluice/layouts.h"

#define THROTTLE_NONE UINT32_MAX /* no bound */

/* Of a kernel. */
struct throttle {
    uint32_t in_flight; /* wavefronts, of packets that are not complete; not those that wait */
    uint32_t bound;     /* of them, or THROTTLE_NONE */

    /* Of a bound that is searched for. */
    bool is_searching;
    bool is_open;          /* a window is */
    bool has_measured;     /* some window */
    uint32_t kernel;       /* its number */
    struct throttle *next; /* of the graph's kernels that search, in a ring */
    uint32_t settling;     /* wavefronts in flight since before the bound changed */
    uint32_t wavefronts;   /* of the window */
    uint64_t busy_ns;      /* what they have held contexts for, added up */
    uint64_t work;         /* what they have done, each times what was in flight */
    struct hill_climb climb;
};

/* A kernel without a bound; with one, above 0. */
void throttle_init(struct throttle *throttle, uint32_t bound);

/* Searches for the bound of a kernel, up to `contexts`, those of the device. `other`: another
 * kernel of the graph that searches, or NULL. */
void throttle_search(struct throttle *throttle, uint32_t kernel, uint32_t contexts,
                     struct throttle *other);

/* Reads a completion record of a kernel that searches; `in_flight` was before it. */
void throttle_measure(struct throttle *throttle, uint32_t in_flight,
                      const struct sl_completion *record);

/* Wavefronts that may go now. */
static inline uint32_t throttle_free(const struct throttle *throttle)
{
    return throttle->in_flight < throttle->bound ? throttle->bound - throttle->in_flight : 0;
}

/* So many are launched, or restarted. */
static inline void throttle_launch(struct throttle *throttle, uint32_t wavefronts)
{
    throttle->in_flight += wavefronts;
}

/* One has yielded, and waits. */
static inline void throttle_yield(struct throttle *throttle)
{
    throttle->in_flight--;
}

/* All of a packet have ended. */
static inline void throttle_complete(struct throttle *throttle, const struct sl_completion *record)
{
    const uint32_t in_flight = throttle->in_flight;

    throttle->in_flight = in_flight - record->wavefronts;
    if (throttle->is_searching) {
        throttle_measure(throttle, in_flight, record);
    }
}

#endif
