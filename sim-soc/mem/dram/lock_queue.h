/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Queues of lock requests in memory (papers/004 sections 5.2 and 6.3): a request for a lock that is
 * held waits where the lock is, and gets it when it is given back, in place of being told that it
 * failed.
 *
 * A memory partition has a table of lists, {address, head, tail}, of records of 8 bytes, {lane id,
 * next}. The head's lane has the lock, or is about to get it: its request is on its way to the
 * word. A request that finds no list makes one and goes on; one that finds a list is appended. An
 * unlock goes its way as any atomic does; when it has taken effect the head's record goes, and the
 * next request goes on. As in the thesis there is room for all, and a change of a list takes no
 * time; both can be limited (lock.queue_records, lock.queue_cycles).
 *
 * A request that goes on is performed as any atomic: it can still find the word taken, by somebody
 * who came past the queue, a sl_trylock() or an atomic of the program's. Then it is answered so,
 * and what waits behind it goes on in turn. An unlock by a lane that does not have the lock, while
 * a request is on its way to it, passes nothing on.
 *
 * The same for all systems that can have queues: one table for all partitions, which differ in what
 * is limited. All that happens is an event in order of simulated time. What is on its way is a step
 * from a pool as large as all lanes of the machine, each of which has one request under way at
 * most; as many lists there can be. Left out: where records are; the thesis thinks of memory or of
 * an SRAM of their own. */
#ifndef SLUICE_MEM_DRAM_LOCK_QUEUE_H
#define SLUICE_MEM_DRAM_LOCK_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "mem/mem.h"

#define LOCK_BUCKETS       4096u
#define LOCK_PARTITION_MAX 64u

/* What the memory system does with a request that is at its partition, in the present. */
struct lock_path {
    /* It goes to its word. Returns when it is there, not before the present; `is_grant`: it has
     * waited in a queue, and goes before others. */
    uint64_t (*go)(void *owner, struct mem_request *request, bool is_grant);
    /* Its reply leaves. Returns when the requester has it; `is_refused`: it never went. */
    uint64_t (*reply)(void *owner, struct mem_request *request, bool is_refused);
};

struct lock_queue;

/* A request on its way, or in a list. */
struct lock_step {
    struct event event;
    struct lock_queue *queue;
    struct mem_request *request; /* NULL: free */
    struct lock_list *list;      /* NULL: not in one, nor of one */
    struct lock_step *next;      /* in that list, or of the free ones */
    uint32_t partition;
    bool is_grant;
};

struct lock_list {
    struct lock_list *next; /* of the bucket, or of the free ones */
    uint64_t word;
    struct lock_step *head;  /* on its way to the lock; NULL: its lane has it */
    struct lock_step *first; /* of those that wait behind it */
    struct lock_step *last;
};

struct lock_queue {
    struct mem_system *mem; /* with an origin */
    struct event_queue *event_queue;
    const struct lock_path *path;
    void *owner;
    uint64_t change_ps;
    uint64_t records_limit; /* of a partition; 0: none */
    uint64_t records;       /* in all of them */
    struct lock_partition {
        uint64_t free_ps; /* it changes no list before */
        uint64_t records;
    } partition[LOCK_PARTITION_MAX];
    uint32_t lanes;
    struct lock_step *steps;
    struct lock_list *lists;
    struct lock_step *free_step;
    struct lock_list *free_list;
    struct lock_list *bucket[LOCK_BUCKETS];
};

/* For a system whose `queues_locks` it sets if the configuration has queues; without, nothing is
 * made, and nothing may be sent. Returns false when out of memory; what was made is
 * lock_queue_destroy()'s. */
bool lock_queue_create(struct lock_queue *queue, const struct mem_parts *parts,
                       struct mem_system *mem, const struct lock_path *path, void *owner);
void lock_queue_destroy(struct lock_queue *queue);

/* Forgets all requests, which are not told. */
void lock_queue_reset(struct lock_queue *queue);

/* A MEM_LOCK or MEM_UNLOCK comes to its partition at a time; its client is told of the rest. */
void lock_queue_send(struct lock_queue *queue, struct mem_request *request, uint32_t partition,
                     uint64_t time_ps);

/* Takes back a MEM_LOCK that is not answered: its client hears no more of it. Does nothing with one
 * that a reset has forgotten. */
void lock_queue_cancel(struct lock_queue *queue, struct mem_request *request);

#endif
