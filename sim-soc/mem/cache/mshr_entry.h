/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What is known of a cache's line that was asked for and is under way: who waits for it, and who of
 * these may still be served with what comes, although others must not see it any more. One that is
 * all zero is of a line that is not under way. */
#ifndef SLUICE_MEM_CACHE_MSHR_ENTRY_H
#define SLUICE_MEM_CACHE_MSHR_ENTRY_H

#include "mem/cache/request_queue.h"

struct mshr_entry {
    struct request_queue waiting;
    uint32_t servable; /* where stale: so many of them are served */
    bool is_in_flight;
    bool is_invalidated;
};

/* The line is asked for. */
static inline void mshr_entry_begin(struct mshr_entry *fill, struct mem_request *request)
{
    *fill = (struct mshr_entry){.is_in_flight = true};
    request_queue_put(&fill->waiting, request);
}

/* Those that wait for a line that is under way are served; who comes later is not. */
static inline void mshr_entry_invalidate(struct mshr_entry *fill)
{
    if (fill->is_invalidated) {
        return;
    }
    fill->is_invalidated = true;
    for (const struct mem_request *at = fill->waiting.first; at != NULL; at = at->priv.next) {
        fill->servable++;
    }
}

/* The line has come. Returns what was known. */
static inline struct mshr_entry mshr_entry_end(struct mshr_entry *fill)
{
    const struct mshr_entry ended = *fill;

    *fill = (struct mshr_entry){0};
    return ended;
}

/* So many of those that waited for a line are served, at most. */
static inline uint32_t mshr_entry_served(const struct mshr_entry *fill)
{
    return fill->is_invalidated ? fill->servable : UINT32_MAX;
}

#endif
