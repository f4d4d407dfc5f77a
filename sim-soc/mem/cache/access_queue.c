/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Accesses in the order in which they were handed in. */
#include "mem/cache/access_queue.h"

static void wait_for_first(struct turns *turns)
{
    if (turns->waiting.first != NULL && !turns->is_stalled) {
        turns_retry_at(turns, later(turns->waiting.first->priv.time_ps, turns->free_ps));
    }
}

void turns_add(struct turns *turns, struct mem_request *request)
{
    request->priv.time_ps = request->time_ps;
    request_queue_put(&turns->waiting, request);
    wait_for_first(turns);
}

static struct mem_request *take_first(struct turns *turns)
{
    struct mem_request *request = request_queue_take(&turns->waiting);
    const struct mem_request *next = turns->waiting.first;

    if (next != NULL) { /* the host fetches ahead what is looked at next */
        __builtin_prefetch(next);
        __builtin_prefetch((const char *)next + 64);
    }
    return request;
}

void turns_put_back(struct turns *turns, struct mem_request *first)
{
    request_queue_put_before(&turns->waiting, first);
    turns->is_stalled = true;
}

/* Those whose turn it is in this cycle. */
static void take_turns(struct turns *turns, uint64_t now_ps)
{
    turns->is_stalled = false;
    for (uint32_t port = 0; port < turns->ports; port++) {
        if (turns->waiting.first == NULL || turns->waiting.first->priv.time_ps > now_ps) {
            break;
        }
        struct mem_request *request = take_first(turns);
        if (!turns->look_up(turns, request)) {
            turns_put_back(turns, request);
            (*turns->replays)++;
            return;
        }
    }
    turns->free_ps = now_ps + turns->cycle_ps;
    wait_for_first(turns);
}

static void turn_event(struct event *event)
{
    struct turns *turns = CONTAINER_OF(event, struct turns, event);
    const uint64_t now_ps = wheel_now_ps(turns->wheel);

    if (now_ps >= turns->free_ps) {
        take_turns(turns, now_ps);
    } else { /* the cache does something else meanwhile */
        wait_for_first(turns);
    }
}

void turns_resume(struct turns *turns)
{
    const uint64_t now_ps = wheel_now_ps(turns->wheel);

    if (!turns->is_stalled) {
        return;
    }
    if (now_ps >= turns->free_ps && !turns->event.queued) {
        take_turns(turns, now_ps);
    } else {
        turns->is_stalled = false;
        wait_for_first(turns);
    }
}

void turns_reset(struct turns *turns)
{
    wheel_remove(turns->wheel, &turns->event);
    turns->waiting = (struct request_queue){0};
    turns->event = (struct event){.run = turn_event, .rank = EVENT_MEMORY};
    turns->free_ps = 0;
    turns->is_stalled = false;
}
