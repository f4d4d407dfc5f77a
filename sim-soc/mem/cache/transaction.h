/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What is on its way between caches that hold bytes: a line that is read, an access that is done
 * further down, or bytes that are written. A transaction is an event at the next place that it
 * comes to. How many there can be is known when a machine is made, so that none is allocated later.
 */
#ifndef SLUICE_MEM_CACHE_TRANSACTION_H
#define SLUICE_MEM_CACHE_TRANSACTION_H

#include <stdalign.h>

#include "mem/cache/line_bytes.h"
#include "mem/mem.h"

enum transaction_kind { TRANSACTION_READ, TRANSACTION_WRITE, TRANSACTION_ATOMIC };

struct transaction {
    struct event event;
    void *owner;                            /* the cache that it left */
    void (*on_arrive)(struct event *event); /* there again, with the answer, if it has one */
    struct transaction
        *next; /* of those on the way from there, in order of leaving; or free ones */
    struct transaction *previous;
    struct mem_request *request; /* of an access that is done further down; else NULL */
    uint64_t number;             /* of those that left there */
    uint64_t mask;               /* bytes that are wanted, or carried */
    uint32_t line;
    uint32_t index;    /* of the line in its cache */
    uint8_t hit_level; /* enum hit_level: by whom */
    bool timing_only;  /* bytes that are in DRAM already: save areas */

    /* Of caches that are apart for reads and writes (quickrelease/). */
    uint8_t kind;                   /* enum transaction_kind */
    bool needs_coherent;            /* only bytes that all see at once will do */
    bool full_line;                 /* the answer is the line; else only what `valid` says */
    uint32_t way;                   /* index of the line in the L2 */
    uint64_t valid;                 /* bytes of the answer */
    uint64_t time_ps;               /* when it comes to the end of a queue */
    struct transaction *queue_next; /* in that queue */
    alignas(64) uint8_t bytes[LINE_BYTES];
};

struct transactions {
    struct transaction *all;
    struct transaction *free;
    uint32_t count;
};

/* Makes so many. Returns false when out of memory. */
bool transactions_create(struct transactions *transactions, uint32_t count);
void transactions_destroy(struct transactions *transactions);

/* All are free; those that are queued in a wheel are taken out of it. */
void transactions_reset(struct transactions *transactions, struct event_queue *event_queue);

/* One that is free, of which there is one. */
static inline struct transaction *transaction_get(struct transactions *transactions)
{
    struct transaction *transaction = transactions->free;

    transactions->free = transaction->next;
    return transaction;
}

static inline void transaction_put(struct transactions *transactions,
                                   struct transaction *transaction)
{
    transaction->next = transactions->free;
    transactions->free = transaction;
}

#endif
