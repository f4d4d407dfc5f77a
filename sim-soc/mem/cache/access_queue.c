/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Accesses in the order in which they were handed in. */
#include "mem/cache/access_queue.h"

static void wait_for_first(struct access_queue *accesses)
{
    if (accesses->waiting.first != NULL && !accesses->is_stalled) {
        access_queue_schedule(accesses,
                              later(accesses->waiting.first->priv.time_ps, accesses->free_ps));
    }
}

void access_queue_push(struct access_queue *accesses, struct mem_request *request)
{
    request->priv.time_ps = request->time_ps;
    request_queue_put(&accesses->waiting, request);
    wait_for_first(accesses);
}

static struct mem_request *take_first(struct access_queue *accesses)
{
    struct mem_request *request = request_queue_take(&accesses->waiting);
    const struct mem_request *next = accesses->waiting.first;

    if (next != NULL) { /* the host fetches ahead what is looked at next */
        __builtin_prefetch(next);
        __builtin_prefetch((const char *)next + 64);
    }
    return request;
}

void access_queue_unget(struct access_queue *accesses, struct mem_request *first)
{
    request_queue_put_before(&accesses->waiting, first);
    accesses->is_stalled = true;
}

/* Those whose turn it is in this cycle. */
static void take_turns(struct access_queue *accesses, uint64_t now_ps)
{
    accesses->is_stalled = false;
    for (uint32_t port = 0; port < accesses->ports; port++) {
        if (accesses->waiting.first == NULL || accesses->waiting.first->priv.time_ps > now_ps) {
            break;
        }
        struct mem_request *request = take_first(accesses);
        if (!accesses->look_up(accesses, request)) {
            access_queue_unget(accesses, request);
            (*accesses->replays)++;
            return;
        }
    }
    accesses->free_ps = now_ps + accesses->cycle_ps;
    wait_for_first(accesses);
}

static void turn_event(struct event *event)
{
    struct access_queue *accesses = CONTAINER_OF(event, struct access_queue, event);
    const uint64_t now_ps = event_queue_now_ps(accesses->event_queue);

    if (now_ps >= accesses->free_ps) {
        take_turns(accesses, now_ps);
    } else { /* the cache does something else meanwhile */
        wait_for_first(accesses);
    }
}

void access_queue_wake(struct access_queue *accesses)
{
    const uint64_t now_ps = event_queue_now_ps(accesses->event_queue);

    if (!accesses->is_stalled) {
        return;
    }
    if (now_ps >= accesses->free_ps && !accesses->event.queued) {
        take_turns(accesses, now_ps);
    } else {
        accesses->is_stalled = false;
        wait_for_first(accesses);
    }
}

void access_queue_reset(struct access_queue *accesses)
{
    event_queue_remove(accesses->event_queue, &accesses->event);
    accesses->waiting = (struct request_queue){0};
    accesses->event = (struct event){.run = turn_event, .rank = EVENT_MEMORY};
    accesses->free_ps = 0;
    accesses->is_stalled = false;
}
