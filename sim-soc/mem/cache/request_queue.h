/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Requests in order, by kept.next. One that is all zero is empty. */
#ifndef SLUICE_MEM_CACHE_REQUEST_QUEUE_H
#define SLUICE_MEM_CACHE_REQUEST_QUEUE_H

#include "mem/mem.h"

struct request_queue {
    struct mem_request *first; /* NULL: there is none */
    struct mem_request *last;  /* where there is one */
};

static inline void request_queue_put(struct request_queue *queue, struct mem_request *request)
{
    request->kept.next = NULL;
    *(queue->first != NULL ? &queue->last->kept.next : &queue->first) = request;
    queue->last = request;
}

/* A list by kept.next comes before all others. */
static inline void request_queue_put_before(struct request_queue *queue, struct mem_request *first)
{
    struct mem_request *last = first;

    while (last->kept.next != NULL) {
        last = last->kept.next;
    }
    last->kept.next = queue->first;
    if (queue->first == NULL) {
        queue->last = last;
    }
    queue->first = first;
}

/* Takes out the first one, which there is. */
static inline struct mem_request *request_queue_take(struct request_queue *queue)
{
    struct mem_request *request = queue->first;

    queue->first = request->kept.next;
    request->kept.next = NULL;
    return request;
}

#endif
