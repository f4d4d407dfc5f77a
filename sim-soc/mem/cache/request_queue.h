/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Requests in order, by priv.next. One that is all zero is empty. */
#ifndef SLUICE_MEM_CACHE_REQUEST_QUEUE_H
#define SLUICE_MEM_CACHE_REQUEST_QUEUE_H

#include "mem/mem.h"

struct request_queue {
    struct mem_request *first; /* NULL: there is none */
    struct mem_request *last;  /* where there is one */
};

static inline void request_queue_put(struct request_queue *queue, struct mem_request *request)
{
    request->priv.next = NULL;
    *(queue->first != NULL ? &queue->last->priv.next : &queue->first) = request;
    queue->last = request;
}

/* A list by priv.next comes before all others. */
static inline void request_queue_put_before(struct request_queue *queue, struct mem_request *first)
{
    struct mem_request *last = first;

    while (last->priv.next != NULL) {
        last = last->priv.next;
    }
    last->priv.next = queue->first;
    if (queue->first == NULL) {
        queue->last = last;
    }
    queue->first = first;
}

/* Takes out the first one, which there is. */
static inline struct mem_request *request_queue_take(struct request_queue *queue)
{
    struct mem_request *request = queue->first;

    queue->first = request->priv.next;
    request->priv.next = NULL;
    return request;
}

#endif
