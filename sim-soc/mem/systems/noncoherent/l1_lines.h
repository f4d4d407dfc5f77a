/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The lines of an L1 cache that holds bytes (l1.h): what is valid and dirty in them, who waits, and
 * how dirty bytes leave. */
#ifndef SLUICE_MEM_SYSTEMS_NONCOHERENT_L1_LINES_H
#define SLUICE_MEM_SYSTEMS_NONCOHERENT_L1_LINES_H

#include "mem/cache/access_queue.h"
#include "mem/cache/mshr_entry.h"
#include "mem/cache/write_queue.h"
#include "mem/parts/cache.h"
#include "mem/systems/noncoherent/noncoherent.h"

/* Of a byte that several wavefronts have written: any one's. */
#define HELD_WRITERS UINT32_MAX

struct noncoherent_line {
    uint64_t valid;
    uint64_t dirty;
    struct mshr_entry fill;
    bool is_written;   /* since it was fetched */
    bool is_private;   /* dirty bytes are of a stack */
    bool carries_none; /* they are in DRAM already: save areas */
};

struct noncoherent_l1 {
    struct noncoherent *system;
    struct cache tags;
    struct noncoherent_line *lines;
    uint8_t *bytes; /* of each line */
    struct reservations reservations;
    struct write_queue writes;
    uint32_t node;  /* in the network: number of the compute unit */
    uint32_t fills; /* that there may be, with accesses that are done below */
    uint32_t fills_left;
    uint64_t tag_ps; /* a miss is known */
    uint64_t hit_ps; /* a hit has its data */

    struct access_queue accesses; /* accesses that were handed in; nothing is looked up in a walk */

    uint64_t leaves_ps;  /* when the latest transaction leaves */
    uint64_t private_ps; /* when the latest bytes of a stack that left come to where they go */
    uint32_t *writer;    /* of each byte: the wavefront whose it is where dirty; or NULL */
};

static inline uint32_t noncoherent_line_of(const struct mem_request *request)
{
    return (uint32_t)(request->address / LINE_BYTES);
}

static inline uint8_t *noncoherent_l1_bytes(const struct noncoherent_l1 *l1, uint32_t index)
{
    return l1->bytes + (size_t)index * LINE_BYTES;
}

static inline uint64_t noncoherent_l1_now_ps(const struct noncoherent_l1 *l1)
{
    return event_queue_now_ps(l1->system->event_queue);
}

/* A store, or an atomic, has written into a line. */
void noncoherent_l1_write_into(struct noncoherent_l1 *l1, const struct mem_request *request,
                               uint32_t index);

/* The line is not there any more. */
void noncoherent_l1_release_way(struct noncoherent_l1 *l1, uint32_t index);

/* Whether a write could leave now; else it is known when to come again, or somebody tells. */
bool noncoherent_l1_has_room(struct noncoherent_l1 *l1);

/* When a transaction leaves that could at a time: in order, so that none comes to a line before
 * what its compute unit has done there before. */
uint64_t noncoherent_l1_leave(struct noncoherent_l1 *l1, uint64_t time_ps);

/* Sends bytes that were written down. There is room. */
void noncoherent_l1_send_write(struct noncoherent_l1 *l1, struct transaction *transaction,
                               bool is_private, uint64_t time_ps);

/* Sends dirty bytes of a line down, which stay valid. There is room. */
void noncoherent_l1_send_dirty(struct noncoherent_l1 *l1, uint32_t index, uint64_t mask,
                               uint64_t time_ps);

/* A way for a line, whose own one has left. Returns CACHE_NONE where there is none, or no room
 * for what is dirty in it. */
uint32_t noncoherent_l1_make_way(struct noncoherent_l1 *l1, uint32_t line);

#endif
