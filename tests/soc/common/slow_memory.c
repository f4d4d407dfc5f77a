/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A memory system whose answers are pending. */
#include "soc/common/slow_memory.h"

#include <stdlib.h>

#include "common/check.h"

/* A request under way. */
struct step {
    struct event event;
    struct slow *slow;
    struct mem_request *request;
    bool is_sync;
    struct step *next;
};

struct slow {
    struct slow_memory base;
    struct dram dram;
    struct event_queue *event_queue;
    struct step *under_way;
};

static void take_effect(struct event *event)
{
    struct step *step = (struct step *)event;
    struct slow *slow = step->slow;
    struct mem_request *request = step->request;
    struct step **place = &slow->under_way;

    while (*place != step) {
        place = &(*place)->next;
    }
    *place = step->next;
    if (!step->is_sync && request->client->apply != NULL) {
        const struct mem_place bytes = {dram_at(&slow->dram, request->address),
                                        &slow->base.base.reservations};
        request->client->apply(request, &bytes, request->lanes);
    }
    free(step);
    request->client->complete(request, event_queue_now_ps(slow->event_queue));
}

static void begin(struct slow *slow, struct mem_request *request, bool is_sync, uint32_t cycles)
{
    struct step *step = calloc(1, sizeof *step);

    assert_non_null(step);
    for (const struct step *other = slow->under_way; other != NULL; other = other->next) {
        assert_ptr_not_equal(other->request, request);
    }
    if (!is_sync && request->kind != MEM_FETCH) {
        assert_int_equal(request->address % slow->base.base.line_bytes, 0);
        assert_true((request->mask[0] | request->mask[1]) != 0);
        assert_true(slow->base.base.line_bytes > 64 || request->mask[1] == 0);
    }
    assert_true(slow->base.count < SLOW_REQUESTS);
    slow->base.seen[slow->base.count++] = (struct slow_request){
        event_queue_cycle_at(slow->event_queue, request->time_ps), is_sync, *request};
    *step = (struct step){.event = {.run = take_effect, .rank = EVENT_MEMORY},
                          .slow = slow,
                          .request = request,
                          .is_sync = is_sync,
                          .next = slow->under_way};
    slow->under_way = step;
    event_queue_insert_at(slow->event_queue, &step->event,
                          request->time_ps + cycles * slow->event_queue->cycle_ps);
}

static struct mem_answer slow_access(struct mem_system *mem, struct mem_request *request)
{
    struct slow *slow = (struct slow *)mem;

    begin(slow, request, false, slow->base.cycles.access[request->from.kind]);
    return (struct mem_answer){MEM_PENDING, MEM_PENDING};
}

static uint64_t slow_sync(struct mem_system *mem, struct mem_request *request)
{
    struct slow *slow = (struct slow *)mem;

    begin(slow, request, true, slow->base.cycles.sync[request->sync]);
    return MEM_PENDING;
}

static void slow_settle(struct mem_system *mem)
{
    struct slow *slow = (struct slow *)mem;

    while (slow->under_way != NULL) {
        struct step *step = slow->under_way;
        slow->under_way = step->next;
        event_queue_remove(slow->event_queue, &step->event);
        free(step);
    }
}

static void slow_begin(struct mem_system *mem)
{
    mem->counters = (struct mem_counters){0};
}

static void slow_destroy(struct mem_system *mem)
{
    slow_settle(mem);
    free(mem);
}

static struct mem_system *create(const struct mem_parts *parts, const struct mem_ops *ops,
                                 uint32_t line_bytes)
{
    struct slow *slow = calloc(1, sizeof *slow);

    assert_non_null(slow);
    slow->base.base =
        (struct mem_system){.ops = ops, .line_bytes = line_bytes, .needs_byte_masks = true};
    slow->dram = *parts->dram;
    slow->event_queue = parts->event_queue;
    return &slow->base.base;
}

static struct mem_system *create_short(const struct mem_parts *parts)
{
    return create(parts, &mem_slow, MEM_LINE_MIN);
}

static struct mem_system *create_long(const struct mem_parts *parts)
{
    return create(parts, &mem_slow_long, MEM_LINE_MAX);
}

#define OPS(maker)                                                                                 \
    {                                                                                              \
        .name = "slow", .create = (maker), .destroy = slow_destroy, .reset = slow_begin,           \
        .drain = slow_settle, .access = slow_access, .sync = slow_sync,                            \
    }

const struct mem_ops mem_slow = OPS(create_short);
const struct mem_ops mem_slow_long = OPS(create_long);

const struct slow_request *slow_find_access(const struct slow_memory *slow,
                                            enum mem_requester_kind kind)
{
    for (uint32_t i = 0; i < slow->count; i++) {
        if (!slow->seen[i].is_sync && slow->seen[i].request.from.kind == kind) {
            return &slow->seen[i];
        }
    }
    return NULL;
}

const struct slow_request *slow_find_sync(const struct slow_memory *slow, enum mem_sync sync,
                                          bool acquires)
{
    for (uint32_t i = 0; i < slow->count; i++) {
        if (slow->seen[i].is_sync && slow->seen[i].request.sync == sync &&
            slow->seen[i].request.acquire == acquires) {
            return &slow->seen[i];
        }
    }
    return NULL;
}
