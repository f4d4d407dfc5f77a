/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What is on its way between caches that hold bytes: a line that is read, an access that is done
 * further down, or bytes that are written. A packet is an event at the next place that it comes to.
 * How many there can be is known when a machine is made, so that none is allocated later. */
#ifndef SLUICE_MEM_CACHE_TRANSACTION_H
#define SLUICE_MEM_CACHE_TRANSACTION_H

#include <stdalign.h>

#include "mem/cache/line_bytes.h"
#include "mem/mem.h"

enum packet_kind { PACKET_READ, PACKET_WRITE, PACKET_ATOMIC };

struct packet {
    struct event event;
    void *owner;                            /* the cache that it left */
    void (*on_arrive)(struct event *event); /* there again, with the answer, if it has one */
    struct packet *next; /* of those on the way from there, in order of leaving; or free ones */
    struct packet *previous;
    struct mem_request *request; /* of an access that is done further down; else NULL */
    uint64_t number;             /* of those that left there */
    uint64_t mask;               /* bytes that are wanted, or carried */
    uint32_t line;
    uint32_t index;    /* of the line in its cache */
    uint8_t served;    /* enum hit_level: by whom */
    bool carries_none; /* bytes that are in DRAM already: save areas */

    /* Of caches that are apart for reads and writes (quickrelease/). */
    uint8_t kind;          /* enum packet_kind */
    bool is_strict;        /* only bytes that all see at once will do */
    bool is_whole;         /* the answer is the line; else only what `valid` says */
    uint32_t way;          /* index of the line in the L2 */
    uint64_t valid;        /* bytes of the answer */
    uint64_t time_ps;      /* when it comes to the end of a queue */
    struct packet *behind; /* in that queue */
    alignas(64) uint8_t bytes[HELD_LINE];
};

struct packets {
    struct packet *all;
    struct packet *free;
    uint32_t count;
};

/* Makes so many. Returns false when out of memory. */
bool packets_create(struct packets *packets, uint32_t count);
void packets_destroy(struct packets *packets);

/* All are free; those that are queued in a wheel are taken out of it. */
void packets_reset(struct packets *packets, struct wheel *wheel);

/* One that is free, of which there is one. */
static inline struct packet *packets_take(struct packets *packets)
{
    struct packet *packet = packets->free;

    packets->free = packet->next;
    return packet;
}

static inline void packets_give(struct packets *packets, struct packet *packet)
{
    packet->next = packets->free;
    packets->free = packet;
}

#endif
