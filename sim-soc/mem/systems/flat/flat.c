/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Memory system `flat`: fixed latencies, no contention, no caches.
 *
 * Every access finds its line at once and costs what the configuration says; any number may be
 * under way. All requesters see the bytes of DRAM, so nothing is ever stale. It leaves out all that
 * makes memory slow, and stays as the ideal machine that the others are compared with. With
 * lock.queue it has a queue for locks, as one memory partition: what has waited there costs no more
 * than the reply. */
#include <stdlib.h>

#include "mem/dram/lock_queue.h"
#include "mem/systems/flat/flat.h"
#include "sluice/config.h"

struct flat {
    struct mem_system base;
    uint64_t cu_ps;
    uint64_t cu_request_ps;
    uint64_t cu_fetch_ps;
    uint64_t agg_ps;
    uint64_t agg_fetch_ps;
    struct event_queue *event_queue;
    struct lock_queue locks;
};

/* ---- locks in queues ---- */

static uint64_t lock_go(void *owner, struct mem_request *request, bool is_grant)
{
    (void)request;
    (void)is_grant;
    return event_queue_now_ps(((const struct flat *)owner)->event_queue);
}

static uint64_t lock_reply(void *owner, struct mem_request *request, bool is_refused)
{
    const struct flat *flat = owner;

    (void)request;
    (void)is_refused;
    return event_queue_now_ps(flat->event_queue) + flat->cu_ps - flat->cu_request_ps;
}

static const struct lock_path lock_path = {lock_go, lock_reply};

static void flat_cancel(struct mem_system *mem, struct mem_request *request)
{
    lock_queue_cancel(&((struct flat *)mem)->locks, request);
}

/* ---- the contract ---- */

static void flat_destroy(struct mem_system *mem)
{
    lock_queue_destroy(&((struct flat *)mem)->locks);
    free(mem);
}

static struct mem_system *flat_create(const struct mem_parts *parts)
{
    const struct sl_config *config = parts->config;
    struct flat *flat = malloc(sizeof(*flat));

    if (flat == NULL) {
        return NULL;
    }
    *flat = (struct flat){
        .base = {.ops = &mem_flat,
                 .backdoor = mem_dram_backdoor(parts->dram),
                 .line_bytes = SL_CACHE_LINE_BYTES},
        .cu_ps = (uint64_t)config->number[SL_CFG_FLAT_CU],
        .cu_request_ps = (uint64_t)config->number[SL_CFG_FLAT_CU_REQUEST],
        .cu_fetch_ps = (uint64_t)config->number[SL_CFG_FLAT_CU_FETCH],
        .agg_ps = (uint64_t)config->number[SL_CFG_FLAT_AGG],
        .agg_fetch_ps = (uint64_t)config->number[SL_CFG_FLAT_AGG_FETCH],
        .event_queue = parts->event_queue,
    };
    if (!lock_queue_create(&flat->locks, parts, &flat->base, &lock_path, flat)) {
        flat_destroy(&flat->base);
        return NULL;
    }
    return &flat->base;
}

/* All that it keeps are requests in queues. */
static void flat_settle(struct mem_system *mem)
{
    lock_queue_reset(&((struct flat *)mem)->locks);
}

static void flat_begin(struct mem_system *mem)
{
    flat_settle(mem);
    mem->counters.lock = (struct lock_counters){0};
}

static struct mem_answer flat_access(struct mem_system *mem, struct mem_request *request)
{
    struct flat *flat = (struct flat *)mem;
    const uint64_t time_ps = request->time_ps;

    if (mem->queues_locks && mem_kind_is_lock(request->kind)) {
        lock_queue_send(&flat->locks, request, 0, time_ps + flat->cu_request_ps);
        return (struct mem_answer){MEM_PENDING, MEM_PENDING};
    }
    switch ((enum mem_requester_kind)request->from.kind) {
    case MEM_CU:
    case MEM_FRONT:
        return (struct mem_answer){time_ps + flat->cu_request_ps, time_ps + flat->cu_ps};
    case MEM_CU_CODE:
        return (struct mem_answer){time_ps, time_ps + flat->cu_fetch_ps};
    case MEM_AGG_CODE:
        return (struct mem_answer){time_ps, time_ps + flat->agg_fetch_ps};
    default:
        return (struct mem_answer){time_ps, time_ps + flat->agg_ps};
    }
}

const struct mem_ops mem_flat = {
    .name = "flat",
    .create = flat_create,
    .destroy = flat_destroy,
    .reset = flat_begin,
    .drain = flat_settle,
    .access = flat_access,
    .cancel = flat_cancel,
};
