/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What a compute unit's L1 cache of memory system `hybrid` has under way: a miss, a store, or a
 * coherent operation. A transaction is an event at the next place that it comes to. How many there
 * can be is known when a machine is made, so that none is allocated later. */
#ifndef SLUICE_MEM_SYSTEMS_HYBRID_HYBRID_TRANSACTION_H
#define SLUICE_MEM_SYSTEMS_HYBRID_HYBRID_TRANSACTION_H

#include <stdalign.h>

#include "mem/cache/line_bytes.h"
#include "mem/cache/mshr_entry.h"
#include "mem/mem.h"

#define HYBRID_SECTORS (MEM_LINE_MAX / 32) /* lines of the L2 in one of an L1, at most */

enum hybrid_transaction_kind {
    HYBRID_MISS,  /* a line, or sectors of it, is wanted */
    HYBRID_STORE, /* bytes are written through */
    HYBRID_ATOMIC /* an operation is done at the L2 */
};

struct hybrid_transaction {
    struct event event;
    struct hybrid_l1 *l1;                /* that sent it */
    struct hybrid_transaction *next;     /* of those that the cache has of its kind; or free ones */
    struct hybrid_transaction *previous; /* likewise */
    struct hybrid_transaction *beside;   /* of those that have one hash (inflight_table.h) */
    struct mem_request *request;         /* of a miss: NULL, they wait in `fill` */
    struct mshr_entry fill;
    uint64_t mask[2];                 /* bytes that are written, or operated on */
    uint64_t perform_ps;              /* when it takes effect at the L2; 0: that is not known */
    uint64_t turn_ps[HYBRID_SECTORS]; /* of each sector in its bank */
    uint32_t line;
    uint32_t from;     /* node of the network that it comes from */
    uint8_t kind;      /* enum hybrid_transaction_kind */
    uint8_t sectors;   /* a bit for each that it is about */
    uint8_t hit_level; /* enum hit_level: by whom */
    bool allocates;    /* a miss whose line stays */
    bool no_tracker;   /* it must not be listed: it may be older than what the L2 has */
    bool timing_only;  /* bytes that are in DRAM already: save areas */
    alignas(64) uint8_t bytes[MEM_LINE_MAX];
};

/* Transactions in order. One that is all zero is empty. */
struct hybrid_list {
    struct hybrid_transaction *first;
    struct hybrid_transaction *last;
};

static inline void hybrid_list_put(struct hybrid_list *list, struct hybrid_transaction *transaction)
{
    transaction->next = NULL;
    transaction->previous = list->last;
    *(list->last != NULL ? &list->last->next : &list->first) = transaction;
    list->last = transaction;
}

static inline void hybrid_list_remove(struct hybrid_list *list,
                                      struct hybrid_transaction *transaction)
{
    *(transaction->previous != NULL ? &transaction->previous->next : &list->first) =
        transaction->next;
    *(transaction->next != NULL ? &transaction->next->previous : &list->last) =
        transaction->previous;
}

/* Copies the bytes of a line that a mask has. */
static inline void hybrid_merge(uint8_t *to, const uint8_t *from, const uint64_t mask[2])
{
    if (mask[0] != 0) {
        line_bytes_merge(to, from, mask[0]);
    }
    if (mask[1] != 0) {
        line_bytes_merge(to + LINE_BYTES, from + LINE_BYTES, mask[1]);
    }
}

#endif
