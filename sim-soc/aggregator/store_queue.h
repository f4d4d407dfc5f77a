/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Store queue of the pipelined core models: stores go to the data cache some cycles after commit,
 * in order, so many per cycle and so many under way there; they leave the queue in order. Loads get
 * their values from it.
 *
 * Which stores a load depends on is known exactly: no load is ever executed too early and repeated,
 * none waits for the unknown address of an older store. A load that gets its value from a store
 * generates its address when that has its data, not before: the queue is searched once. Stores are
 * looked up by the aligned doubleword that they write. A load of bytes that the last store to its
 * doubleword does not all have, but some store that is in the queue has, waits until that has left.
 */
#ifndef SLUICE_AGGREGATOR_STORE_QUEUE_H
#define SLUICE_AGGREGATOR_STORE_QUEUE_H

#include "aggregator/core_data_cache.h"
#include "aggregator/slots.h"

#define STORE_QUEUE_MAX     256
#define STORE_QUEUE_BUCKETS 256

struct store_queue {
    uint32_t entries;
    uint32_t ports;
    uint32_t drain_cycles;
    uint32_t under_way; /* at most so many, which the queue has entries for */
    uint32_t address_cycles;
    uint32_t forward_cycles;
    uint32_t next;                   /* entry of the next store */
    uint64_t freed[STORE_QUEUE_MAX]; /* cycle in which each entry is free again */
    uint64_t empty;                  /* all stores so far are done */
    struct slots drain;              /* cycles in which stores go to the cache */
    struct stored {
        uint64_t word;             /* address / 8 */
        uint64_t ready;            /* cycle in which the data of the last store to it is there */
        uint64_t freed;            /* ... and in which it has left the queue */
        uint8_t bytes;             /* of the word that the last store has */
        uint8_t older;             /* bytes that older stores in the queue have */
    } stored[STORE_QUEUE_BUCKETS]; /* one for each value of the word's low bits */
};

void store_queue_init(struct store_queue *queue, const struct sl_config *config);
void store_queue_reset(struct store_queue *queue);

/* The first cycle in which there is an entry for the next store. */
static inline uint64_t store_queue_room(const struct store_queue *queue)
{
    return queue->freed[queue->next];
}

/* Takes the entry for a store whose data is there in cycle `ready` and which commits in `commit`.
 */
void store_queue_store(struct store_queue *queue, struct data_cache *cache, uint64_t address,
                       uint32_t bytes, uint64_t ready, uint64_t commit);

/* The same for one that does not go to memory. */
void store_queue_skip(struct store_queue *queue, uint64_t commit);

enum store_queue_answer { STORE_QUEUE_NONE, STORE_QUEUE_FORWARDED, STORE_QUEUE_WAIT };

/* Looks for the value of a load that has its address in *cycle. NONE: memory has it. FORWARDED: the
 * load has its value in *cycle. WAIT: memory has it, from *cycle on. */
enum store_queue_answer store_queue_load(const struct store_queue *queue, uint64_t address,
                                         uint32_t bytes, uint64_t *cycle);

#endif
