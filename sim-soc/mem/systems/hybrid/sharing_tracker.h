/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Sharing trackers (papers/003 sections 3.1 and 3.2): for a line of the L1 caches, which of these
 * have a copy that they could send to another.
 *
 * An entry is a tag and a list of sharers, the newest ones where it has no room for all. A lookup
 * has the listed ones send in turn. What is listed is a chance, no promise: a cache can have lost a
 * line, and lines can be in caches that are not listed; but what is listed is never older than what
 * the L2 has (routing.c), unless nothing drops entries (tracker.invalidate). Several trackers
 * divide the compute units among them, neighbours together, and sets and banks. A bank takes one
 * thing a cycle. */
#ifndef SLUICE_MEM_SYSTEMS_HYBRID_SHARING_TRACKER_H
#define SLUICE_MEM_SYSTEMS_HYBRID_SHARING_TRACKER_H

#include "mem/mem_counters.h"
#include "mem/parts/cache.h"
#include "mem/parts/calendar.h"

struct sl_config;

#define TRACKER_NOBODY UINT32_MAX

struct tracker_entry {
    uint8_t count; /* of sharers */
    uint8_t turn;  /* whose turn to send it was */
};

struct tracker {
    struct cache tags;
    struct tracker_entry *entries;
    uint8_t *sharers; /* of each entry: compute units, in the order in which they were listed */
    struct calendar *banks;
    uint32_t used; /* entries */
};

struct trackers {
    struct tracker *tracker;
    uint32_t count;    /* 0: the machine has none */
    uint32_t cus;      /* of each */
    uint32_t banks;    /* of each, a power of two */
    uint32_t capacity; /* sharers of an entry */
    uint64_t latency_ps;
    struct sim_clock clock;
    struct tracker_counters *counters;
};

/* `counters` stay their owner's. Returns false when out of memory; what was made is
 * trackers_destroy()'s. */
bool trackers_create(struct trackers *trackers, const struct sl_config *config,
                     struct tracker_counters *counters);
void trackers_destroy(struct trackers *trackers);

/* Forgets all entries, and what its banks do. */
void trackers_reset(struct trackers *trackers);

/* Forgets all entries. */
void tracker_clear(struct trackers *trackers);

static inline uint32_t trackers_number(const struct trackers *trackers, uint32_t cu)
{
    return cu / trackers->cus;
}

/* The place of a line's bank among the banks of all trackers. */
static inline uint32_t trackers_bank(const struct trackers *trackers, uint32_t number,
                                     uint32_t line)
{
    return number * trackers->banks + (line & (trackers->banks - 1));
}

/* When the bank of a line in a tracker looks at what comes to it at a time. */
uint64_t trackers_turn(struct trackers *trackers, uint32_t number, uint32_t line, uint64_t time_ps,
                       uint64_t now_ps);

/* A compute unit's load looks for a line. Returns who is to send it, or TRACKER_NOBODY. */
uint32_t tracker_lookup(struct trackers *trackers, uint32_t cu, uint32_t line);

/* A compute unit has the line, and is the newest sharer; or it has it no more. */
void tracker_add_sharer(struct trackers *trackers, uint32_t cu, uint32_t line);
void tracker_remove_sharer(struct trackers *trackers, uint32_t cu, uint32_t line);

/* The line's entries go, with all sharers, in all trackers. */
void tracker_invalidate(struct trackers *trackers, uint32_t line);

#endif
