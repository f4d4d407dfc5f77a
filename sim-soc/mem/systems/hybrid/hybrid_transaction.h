/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What a compute unit's L1 cache of memory system `hybrid` has under way: a miss, a store, or a
 * coherent operation. A packet is an event at the next place that it comes to. How many there can
 * be is known when a machine is made, so that none is allocated later. */
#ifndef SLUICE_MEM_SYSTEMS_HYBRID_HYBRID_TRANSACTION_H
#define SLUICE_MEM_SYSTEMS_HYBRID_HYBRID_TRANSACTION_H

#include <stdalign.h>

#include "mem/cache/line_bytes.h"
#include "mem/cache/mshr_entry.h"
#include "mem/mem.h"

#define HYBRID_PIECES (MEM_LINE_MAX / 32) /* lines of the L2 in one of an L1, at most */

enum hybrid_packet_kind {
    HYBRID_MISS,    /* a line, or pieces of it, is wanted */
    HYBRID_STORE,   /* bytes are written through */
    HYBRID_COHERENT /* an operation is done at the L2 */
};

struct hybrid_packet {
    struct event event;
    struct hybrid_l1 *l1;           /* that sent it */
    struct hybrid_packet *next;     /* of those that the cache has of its kind; or free ones */
    struct hybrid_packet *previous; /* likewise */
    struct hybrid_packet *beside;   /* of those that have one hash (inflight_table.h) */
    struct mem_request *request;    /* of a miss: NULL, they wait in `fill` */
    struct line_fill fill;
    uint64_t mask[2];                /* bytes that are written, or operated on */
    uint64_t perform_ps;             /* when it takes effect at the L2; 0: that is not known */
    uint64_t turn_ps[HYBRID_PIECES]; /* of each piece in its bank */
    uint32_t line;
    uint32_t from;     /* node of the network that it comes from */
    uint8_t kind;      /* enum hybrid_packet_kind */
    uint8_t pieces;    /* a bit for each that it is about */
    uint8_t served;    /* enum hit_level: by whom */
    bool allocates;    /* a miss whose line stays */
    bool is_unlisted;  /* it must not be listed: it may be older than what the L2 has */
    bool carries_none; /* bytes that are in DRAM already: save areas */
    alignas(64) uint8_t bytes[MEM_LINE_MAX];
};

/* Packets in order. One that is all zero is empty. */
struct hybrid_list {
    struct hybrid_packet *first;
    struct hybrid_packet *last;
};

static inline void hybrid_list_put(struct hybrid_list *list, struct hybrid_packet *packet)
{
    packet->next = NULL;
    packet->previous = list->last;
    *(list->last != NULL ? &list->last->next : &list->first) = packet;
    list->last = packet;
}

static inline void hybrid_list_remove(struct hybrid_list *list, struct hybrid_packet *packet)
{
    *(packet->previous != NULL ? &packet->previous->next : &list->first) = packet->next;
    *(packet->next != NULL ? &packet->next->previous : &list->last) = packet->previous;
}

/* Copies the bytes of a line that a mask has. */
static inline void hybrid_merge(uint8_t *to, const uint8_t *from, const uint64_t mask[2])
{
    if (mask[0] != 0) {
        held_merge(to, from, mask[0]);
    }
    if (mask[1] != 0) {
        held_merge(to + HELD_LINE, from + HELD_LINE, mask[1]);
    }
}

#endif
