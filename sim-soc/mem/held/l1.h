/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The L1 data cache of a compute unit that holds bytes of its own, and nobody keeps coherent.
 *
 * Accesses come to it in the order in which they were handed in, so many per cycle. A line has a
 * bit for each byte that is valid, and for each that is dirty. A load hits where its bytes are
 * valid; else the line is fetched, and what comes goes under dirty bytes. What goes to a line that
 * is under way waits for it, and takes its turn behind what was there before: accesses to one line
 * keep their order. There are two ways to write: *through*, to a line that is there as well as to
 * what is below, or *combining*: bytes become dirty, the line is not fetched, and dirty bytes leave
 * when it is replaced, or flushed. What has to be done below, as atomics of a wide scope are, sends
 * the line's dirty bytes first, and the line away.
 *
 * Whoever makes the cache old (an acquire, the invalidation of a line) takes the clean bytes out. A
 * line under way is served to those that wait for it already, and to nobody who comes later. */
#ifndef SLUICE_MEM_HELD_L1_H
#define SLUICE_MEM_HELD_L1_H

#include "mem/held/held.h"
#include "mem/held/turns.h"
#include "mem/held/writes.h"
#include "mem/parts/cache.h"

struct held_line {
    uint64_t valid;
    uint64_t dirty;
    struct mem_request *first; /* of those that wait for it */
    struct mem_request **end;
    uint32_t fresh; /* where stale: so many of them are served */
    bool is_under_way;
    bool is_stale;
    bool is_written;   /* since it was fetched */
    bool is_private;   /* dirty bytes are of a stack */
    bool carries_none; /* they are in DRAM already: save areas */
};

struct held_l1 {
    struct held *held;
    struct cache tags;
    struct held_line *lines;
    uint8_t *bytes; /* of each line */
    struct reservations reservations;
    struct writes writes;
    uint32_t node;  /* in the network: number of the compute unit */
    uint32_t fills; /* that there may be, with accesses that are done below */
    uint32_t fills_left;
    uint64_t tag_ps; /* a miss is known */
    uint64_t hit_ps; /* a hit has its data */

    struct turns turns; /* accesses that were handed in; nothing is looked up in a walk */

    uint64_t leaves_ps;  /* when the latest packet leaves */
    uint64_t private_ps; /* when the latest bytes of a stack that left come to where they go */
    uint32_t *writer;    /* of each byte: the wavefront whose it is where dirty; or NULL */
};

/* One of a machine. Returns false when out of memory. */
bool held_l1_create(struct held_l1 *l1, struct held *held, uint32_t node,
                    const struct sl_config *config);
void held_l1_destroy(struct held_l1 *l1);
void held_l1_reset(struct held_l1 *l1);

/* Takes out all bytes that are clean. */
void held_l1_drop_clean(struct held_l1 *l1);

/* Sends dirty bytes down: all, or those of one wavefront. Looks at scoped.walk lines a cycle from a
 * time on, in which the cache does nothing else; *time_ps becomes the end of that. */
void held_l1_flush(struct held_l1 *l1, const uint64_t *wave, uint64_t *time_ps);

/* Dirty bytes of a range are nobody's any more. */
void held_l1_forget(struct held_l1 *l1, uint64_t address, uint64_t bytes);

/* All dirty bytes and those under way go to DRAM, in no time. */
void held_l1_settle(struct held_l1 *l1);

/* A packet that the cache sent is back, or at its end. */
void held_l1_filled(struct event *event);
void held_l1_answered(struct event *event);

/* What its compute unit would see of a line, where the cache has it: bytes that are valid. */
uint64_t held_l1_peek(const struct held_l1 *l1, uint32_t line, const uint8_t **bytes);

#endif
