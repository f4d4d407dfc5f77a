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

struct turns {
    /* Looks an access up. Returns false where it has to come again later. */
    bool (*look_up)(struct turns *turns, struct mem_request *request);
    struct wheel *wheel;
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
static inline void turns_init(struct turns *turns, const struct sl_config *config,
                              struct wheel *wheel, const struct sim_clock *clock,
                              struct l1_counters *counters,
                              bool (*look_up)(struct turns *turns, struct mem_request *request))
{
    turns->look_up = look_up;
    turns->wheel = wheel;
    turns->cycle_ps = clock->ps;
    turns->ports = (uint32_t)config->number[SL_CFG_L1D_PORTS];
    turns->replays = &counters->replays;
}

/* There are none. */
void turns_reset(struct turns *turns);

/* An access comes behind all others, at its time. */
void turns_add(struct turns *turns, struct mem_request *request);

/* These come again before all others, when something has ended: a list by priv.next. */
void turns_put_back(struct turns *turns, struct mem_request *first);

/* There may be room. */
void turns_resume(struct turns *turns);

/* The first one comes again at a time, too. */
static inline void turns_retry_at(struct turns *turns, uint64_t time_ps)
{
    if (!turns->event.queued) {
        wheel_insert_at(turns->wheel, &turns->event, time_ps);
    }
}

#endif
