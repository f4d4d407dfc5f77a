/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What is known of a cache's line that was asked for and is under way: who waits for it, and who of
 * these may still be served with what comes, although others must not see it any more. One that is
 * all zero is of a line that is not under way. */
#ifndef SLUICE_MEM_CACHE_MSHR_ENTRY_H
#define SLUICE_MEM_CACHE_MSHR_ENTRY_H

#include "mem/cache/request_queue.h"

struct line_fill {
    struct request_queue waiting;
    uint32_t fresh; /* where stale: so many of them are served */
    bool is_under_way;
    bool is_stale;
};

/* The line is asked for. */
static inline void line_fill_begin(struct line_fill *fill, struct mem_request *request)
{
    *fill = (struct line_fill){.is_under_way = true};
    request_queue_put(&fill->waiting, request);
}

/* Those that wait for a line that is under way are served; who comes later is not. */
static inline void line_fill_grow_old(struct line_fill *fill)
{
    if (fill->is_stale) {
        return;
    }
    fill->is_stale = true;
    for (const struct mem_request *at = fill->waiting.first; at != NULL; at = at->priv.next) {
        fill->fresh++;
    }
}

/* The line has come. Returns what was known. */
static inline struct line_fill line_fill_end(struct line_fill *fill)
{
    const struct line_fill ended = *fill;

    *fill = (struct line_fill){0};
    return ended;
}

/* So many of those that waited for a line are served, at most. */
static inline uint32_t line_fill_served(const struct line_fill *fill)
{
    return fill->is_stale ? fill->fresh : UINT32_MAX;
}

#endif
