/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The accesses that a cache has been handed, in order: so many a cycle are looked up when their
 * time has come. One that finds no room, and with it all behind it, comes again when something that
 * was under way has ended. */
#ifndef SLUICE_MEM_CACHE_ACCESS_QUEUE_H
#define SLUICE_MEM_CACHE_ACCESS_QUEUE_H

#include "engine/clock.h"
#include "mem/cache/request_queue.h"
#include "mem/mem_counters.h"
#include "sluice/config.h"

struct access_queue {
    /* Looks an access up. Returns false where it has to come again later. */
    bool (*look_up)(struct access_queue *accesses, struct mem_request *request);
    struct event_queue *event_queue;
    uint64_t cycle_ps;
    uint32_t ports; /* accesses a cycle */

    struct request_queue waiting;
    struct event event; /* of the first of these */
    uint64_t free_ps;   /* nothing is looked up before */
    bool is_stalled;
    uint64_t *replays; /* counter of stalls */
};

/* What the configuration says of a compute unit's L1 data cache, whose cycles are those of a clock,
 * and whose counters are given; `look_up` as above. */
static inline void access_queue_init(struct access_queue *accesses, const struct sl_config *config,
                                     struct event_queue *event_queue, const struct sim_clock *clock,
                                     struct l1_counters *counters,
                                     bool (*look_up)(struct access_queue *accesses,
                                                     struct mem_request *request))
{
    accesses->look_up = look_up;
    accesses->event_queue = event_queue;
    accesses->cycle_ps = clock->ps;
    accesses->ports = (uint32_t)config->number[SL_CFG_L1D_PORTS];
    accesses->replays = &counters->replays;
}

/* There are none. */
void access_queue_reset(struct access_queue *accesses);

/* An access comes behind all others, at its time. */
void access_queue_push(struct access_queue *accesses, struct mem_request *request);

/* These come again before all others, when something has ended: a list by priv.next. */
void access_queue_unget(struct access_queue *accesses, struct mem_request *first);

/* There may be room. */
void access_queue_wake(struct access_queue *accesses);

/* The first one comes again at a time, too. */
static inline void access_queue_schedule(struct access_queue *accesses, uint64_t time_ps)
{
    if (!accesses->event.queued) {
        event_queue_insert_at(accesses->event_queue, &accesses->event, time_ps);
    }
}

#endif
