/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Requests for locks: to their partition, in its lists, to their words. */
#include "mem/dram/lock_queue.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/clock.h"
#include "sluice/config.h"
#include "sluice/lock.h"

/* ---- life ---- */

bool lock_queue_create(struct lock_queue *queue, const struct mem_parts *parts,
                       struct mem_system *mem, const struct lock_path *path, void *owner)
{
    const int64_t *number = parts->config->number;

    memset(queue, 0, sizeof(*queue));
    mem->queues_locks = number[SL_CFG_LOCK_QUEUE] == SL_LOCK_QUEUE_ON;
    if (!mem->queues_locks) {
        return true;
    }
    queue->mem = mem;
    queue->event_queue = parts->event_queue;
    queue->path = path;
    queue->owner = owner;
    queue->change_ps = (uint64_t)number[SL_CFG_LOCK_QUEUE_CYCLES] *
                       sl_config_period_ps(parts->config, SL_CFG_GPU_CLOCK);
    queue->records_limit = (uint64_t)number[SL_CFG_LOCK_QUEUE_RECORDS];
    queue->lanes =
        (uint32_t)(number[SL_CFG_GPU_CUS] * number[SL_CFG_GPU_CONTEXTS] * number[SL_CFG_GPU_LANES]);
    queue->steps = calloc(queue->lanes, sizeof(*queue->steps));
    queue->lists = calloc(queue->lanes, sizeof(*queue->lists));
    if (queue->steps == NULL || queue->lists == NULL) {
        return false;
    }
    lock_queue_reset(queue);
    return true;
}

void lock_queue_destroy(struct lock_queue *queue)
{
    free(queue->steps);
    free(queue->lists);
}

static void give_step(struct lock_queue *queue, struct lock_step *step)
{
    step->request = NULL;
    step->next = queue->free_step;
    queue->free_step = step;
}

static void give_list(struct lock_queue *queue, struct lock_list *list)
{
    list->next = queue->free_list;
    queue->free_list = list;
}

void lock_queue_reset(struct lock_queue *queue)
{
    queue->free_step = NULL;
    queue->free_list = NULL;
    for (uint32_t i = queue->lanes; i-- > 0;) {
        struct lock_step *step = &queue->steps[i];
        event_queue_remove(queue->event_queue, &step->event);
        step->queue = queue;
        give_step(queue, step);
        give_list(queue, &queue->lists[i]);
    }
    memset(queue->bucket, 0, sizeof(queue->bucket));
    memset(queue->partition, 0, sizeof(queue->partition));
    queue->records = 0;
}

/* ---- lists ---- */

static struct lock_list **bucket_of(struct lock_queue *queue, uint64_t word)
{
    return &queue->bucket[word / sizeof(sl_lock_t) * 0x9e3779b97f4a7c15ull >> 52];
}
_Static_assert(LOCK_BUCKETS == 1u << (64 - 52), "the upper bits of a product");

/* Where the list of a word is linked, or its bucket ends. */
static struct lock_list **find(struct lock_queue *queue, uint64_t word)
{
    struct lock_list **place = bucket_of(queue, word);

    while (*place != NULL && (*place)->word != word) {
        place = &(*place)->next;
    }
    return place;
}

/* Whether the partition can take another record, and a list to put it in. */
static bool has_room(const struct lock_queue *queue, uint32_t partition, bool needs_list)
{
    const uint64_t limit = queue->records_limit;

    return (limit == 0 || queue->partition[partition].records < limit) &&
           (!needs_list || queue->free_list != NULL);
}

static void add_record(struct lock_queue *queue, uint32_t partition)
{
    struct lock_counters *counters = &queue->mem->counters.lock;

    queue->partition[partition].records++;
    queue->records++;
    counters->records++;
    counters->records_max = later(counters->records_max, queue->records);
}

static void remove_record(struct lock_queue *queue, uint32_t partition)
{
    queue->partition[partition].records--;
    queue->records--;
}

/* ---- requests ---- */

static void step_at(struct lock_step *step, uint64_t time_ps, void (*run)(struct event *event))
{
    step->event = (struct event){.run = run, .rank = EVENT_MEMORY};
    event_queue_insert_at(step->queue->event_queue, &step->event, time_ps);
}

/* When the partition has made a change that it learns of now. */
static uint64_t change(struct lock_queue *queue, uint32_t partition)
{
    uint64_t *free_ps = &queue->partition[partition].free_ps;

    *free_ps = later(*free_ps, event_queue_now_ps(queue->event_queue)) + queue->change_ps;
    return *free_ps;
}

static void perform(struct event *event);

static void go(struct event *event)
{
    struct lock_step *step = CONTAINER_OF(event, struct lock_step, event);
    struct lock_queue *queue = step->queue;

    step_at(step, queue->path->go(queue->owner, step->request, step->is_grant), perform);
}

/* The head of a list has given the lock back, or has not got it: it goes to the next. */
static void pass_on(struct lock_queue *queue, struct lock_list **place, uint32_t partition)
{
    struct lock_list *list = *place;
    const uint64_t changed_ps = change(queue, partition);

    remove_record(queue, partition);
    list->head = list->first;
    if (list->head == NULL) {
        *place = list->next;
        give_list(queue, list);
        return;
    }
    list->first = list->head->next;
    list->head->is_grant = true;
    step_at(list->head, changed_ps, go);
}

static void answer(struct lock_step *step, bool is_refused)
{
    struct lock_queue *queue = step->queue;
    struct mem_request *request = step->request;
    const uint64_t done_ps = queue->path->reply(queue->owner, request, is_refused);

    give_step(queue, step);
    request->client->complete(request, done_ps);
}

/* The request takes effect on its word. */
static void perform(struct event *event)
{
    struct lock_step *step = CONTAINER_OF(event, struct lock_step, event);
    struct lock_queue *queue = step->queue;
    struct mem_request *request = step->request;
    const struct mem_place place = {queue->mem->backdoor + request->address,
                                    &queue->mem->reservations};
    const uint64_t word = request->word;
    const uint32_t partition = step->partition;
    bool has_lock = false;

    if (request->kind == MEM_LOCK) {
        const sl_lock_t *lock = (const sl_lock_t *)(const void *)(queue->mem->backdoor + word);
        has_lock = lock->holder == SL_LOCK_FREE;
        step->list->head = NULL;
    }
    request->client->apply(request, &place, request->lanes);
    answer(step, false);
    struct lock_list **list = find(queue, word);
    if (!has_lock && *list != NULL && (*list)->head == NULL) {
        pass_on(queue, list, partition);
    }
}

static void look_up(struct event *event)
{
    struct lock_step *step = CONTAINER_OF(event, struct lock_step, event);
    struct lock_queue *queue = step->queue;
    struct lock_list **place = find(queue, step->request->word);
    struct lock_list *list = *place;

    if (!has_room(queue, step->partition, list == NULL)) {
        answer(step, true);
        return;
    }
    add_record(queue, step->partition);
    step->next = NULL;
    if (list == NULL) {
        list = queue->free_list;
        queue->free_list = list->next;
        *list = (struct lock_list){.word = step->request->word, .head = step};
        *place = list;
        step->list = list;
        go(event);
        return;
    }
    step->list = list;
    if (list->first == NULL) {
        list->first = step;
    } else {
        list->last->next = step;
    }
    list->last = step;
}

static void arrive(struct event *event)
{
    struct lock_step *step = CONTAINER_OF(event, struct lock_step, event);

    if (step->request->kind == MEM_UNLOCK) {
        go(event);
    } else if (step->queue->change_ps == 0) {
        look_up(event);
    } else {
        step_at(step, change(step->queue, step->partition), look_up);
    }
}

void lock_queue_send(struct lock_queue *queue, struct mem_request *request, uint32_t partition,
                     uint64_t time_ps)
{
    struct lock_step *step = queue->free_step;

    assert(step != NULL); /* each lane has one request under way */
    queue->free_step = step->next;
    step->request = request;
    step->list = NULL;
    step->partition = partition;
    step->is_grant = false;
    request->priv.number = (uint64_t)(step - queue->steps);
    step_at(step, time_ps, arrive);
}

/* Takes a request out of those that wait in its list. */
static void leave(struct lock_step *step)
{
    struct lock_list *list = step->list;
    struct lock_step *before = NULL;

    for (struct lock_step *at = list->first; at != step; at = at->next) {
        before = at;
    }
    if (before == NULL) {
        list->first = step->next;
    } else {
        before->next = step->next;
    }
    if (list->last == step) {
        list->last = before;
    }
    remove_record(step->queue, step->partition);
}

void lock_queue_cancel(struct lock_queue *queue, struct mem_request *request)
{
    struct lock_step *step = &queue->steps[request->priv.number];

    if (step->request != request) {
        return;
    }
    assert(request->kind == MEM_LOCK);
    event_queue_remove(queue->event_queue, &step->event);
    if (step->list != NULL && step->list->head == step) {
        pass_on(queue, find(queue, request->word), step->partition);
    } else if (step->list != NULL) {
        leave(step);
    }
    give_step(queue, step);
}
