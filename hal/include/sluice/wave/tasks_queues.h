/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The queues of the work-sharing task runtime (docs/know/tasks.md; papers/002 section 7), for
 * tasks_fronts.c only: how one lane of a wavefront puts fronts into them and takes them out.
 *
 * Why accesses do not race. A front's block has one owner at a time, a wavefront or a place in a
 * queue; only its owner reads and writes it. Ownership changes only at places, by words that their
 * users release and acquire. A wavefront that puts a front into place p waits there for turn n,
 * with an acquire. It takes the free block that the place names and stores turn n + 1 and the
 * front's entry, with a release. A wavefront that takes the front out waits for turn n + 1, with an
 * acquire, and leaves turn n + capacity and a free block, with a release. All accesses to a block
 * before it entered a place therefore happen before all accesses after it left. This holds for full
 * blocks, whose tasks are read, and for free ones, which the next owner overwrites. Two counts of
 * the queue assign turns; an atomic gives each wavefront a different value.
 *
 * In the direct version all these words have device scope. The chain of a block through any queues
 * then has one scope, and HRF-direct orders it. In the indirect version a link has the scope of its
 * queue. Suppose a wavefront takes a front out of its work-group's queue, with an acquire at
 * work-group scope, and puts it into the device's queue, with a release at device scope. It is the
 * link that orders the block's first writer and its reader in HRF-indirect, and only there
 * (papers/002 section 7.2). Free blocks return along the same chain.
 *
 * Each word has one scope in a version: bounds, counts and places have that of their queue. */
#ifndef SLUICE_WAVE_TASKS_QUEUES_H
#define SLUICE_WAVE_TASKS_QUEUES_H

#include "sluice/wave/tasks.h"

/* Cycles between polls of a word that will change soon. */
#define SL_TASKS_PAUSE 64

enum scope { WAVEFRONT, GROUP, DEVICE };

/* Scope of a queue's words. */
SL_TASKS_INLINE enum scope scope_of(enum sl_tasks_version version, enum sl_tasks_queue queue)
{
    static const enum scope scopes[] = {
        [SL_TASKS_OWN] = WAVEFRONT, [SL_TASKS_GROUP] = GROUP, [SL_TASKS_DEVICE] = DEVICE};
    return version == SL_TASKS_DIRECT ? DEVICE : scopes[queue];
}

/* An operation of sluice/wave/atomics.h; a constant selects its scope. */
#define IN_SCOPE(type, name, parameters, before, behind)                                           \
    SL_TASKS_INLINE type name parameters                                                           \
    {                                                                                              \
        switch (scope) {                                                                           \
        case WAVEFRONT:                                                                            \
            return before##wavefront behind;                                                       \
        case GROUP:                                                                                \
            return before##workgroup behind;                                                       \
        default:                                                                                   \
            return before##device behind;                                                          \
        }                                                                                          \
    }
IN_SCOPE(uint64_t, load, (const uint64_t *word, enum scope scope), sl_load_relaxed_u64_, (word))
IN_SCOPE(uint64_t, load_acquire, (const uint64_t *word, enum scope scope), sl_load_acquire_u64_,
         (word))
IN_SCOPE(void, store, (uint64_t * word, uint64_t value, enum scope scope), sl_store_relaxed_u64_,
         (word, value))
IN_SCOPE(void, store_release, (uint64_t * word, uint64_t value, enum scope scope),
         sl_store_release_u64_, (word, value))
IN_SCOPE(uint64_t, add, (uint64_t * word, uint64_t value, enum scope scope), sl_atomic_add_u64_,
         (word, value))
#undef IN_SCOPE

SL_TASKS_INLINE void raise_to(uint32_t *most, uint32_t value)
{
    *most = value > *most ? value : *most;
}

/* ---- queues that wavefronts share ---- */

/* Waits for a turn at a place; the holder of the previous turn is about to pass it on. Returns the
 * entry at the place. */
SL_TASKS_INLINE uint32_t await_turn(const uint64_t *place, uint32_t turn, enum scope scope)
{
    uint64_t word;

    while ((uint32_t)((word = load_acquire(place, scope)) >> 32) != turn) {
        while ((uint32_t)(load(place, scope) >> 32) != turn) {
            sl_pause_for(SL_TASKS_PAUSE);
        }
    }
    return (uint32_t)word;
}

SL_TASKS_INLINE uint64_t *place_of(const struct sl_tasks_shared_queue *queue, uint32_t number,
                                   uint32_t capacity)
{
    return (uint64_t *)queue->places + (number & (capacity - 1));
}

/* Appends a front to a queue. Returns a free block in exchange. */
SL_TASKS_INLINE uint32_t put(struct sl_tasks_state *own, struct sl_tasks_shared_queue *queue,
                             enum sl_tasks_queue which, uint32_t entry, enum scope scope)
{
    const uint32_t capacity = own->capacity[which];
    const uint64_t puts = add(&queue->puts, sl_tasks_puts(1, 1), scope);
    const uint32_t turn = sl_tasks_put(puts);
    const int32_t waiting = sl_tasks_waiting(puts);

    if (waiting >= (int32_t)capacity) {
        sl_trap(SL_TRAP_TASK_QUEUE, which, capacity);
    }
    raise_to(&own->counts[SL_TASKS_MAX_OWN + which], waiting < 0 ? 1 : (uint32_t)waiting + 1);
    uint64_t *const place = place_of(queue, turn, capacity);
    const uint32_t free = await_turn(place, turn, scope);
    store_release(place, sl_tasks_place(turn + 1, entry), scope);
    return free;
}

/* Takes the oldest front out, if the queue has one, and leaves a free block in exchange. A
 * wavefront that decrements the positive count of waiting fronts is certain of one and then gets
 * the turn of the oldest. If the count was not positive, it restores it. This never retries,
 * however many wavefronts arrive at once. If 320 wavefronts exchanged one word, 319 would fail,
 * again and again. */
SL_TASKS_INLINE bool take(struct sl_tasks_state *own, struct sl_tasks_shared_queue *queue,
                          enum sl_tasks_queue which, uint32_t *entry, enum scope scope)
{
    const uint32_t capacity = own->capacity[which];

    if (sl_tasks_waiting(load(&queue->puts, scope)) <= 0) {
        return false;
    }
    if (sl_tasks_waiting(add(&queue->puts, 0 - sl_tasks_puts(1, 0), scope)) <= 0) {
        (void)add(&queue->puts, sl_tasks_puts(1, 0), scope);
        return false;
    }
    const uint32_t number = (uint32_t)add(&queue->taken, 1, scope);
    uint64_t *const place = place_of(queue, number, capacity);
    const uint32_t front = await_turn(place, number + 1, scope);
    store_release(place, sl_tasks_place(number + capacity, *entry), scope);
    *entry = front;
    return true;
}

/* ---- a wavefront's own queue ---- */

SL_TASKS_INLINE uint32_t *own_place(const struct sl_tasks_state *own, uint32_t number)
{
    return own->places + (number & own->mask);
}

SL_TASKS_INLINE uint32_t own_occupancy(const struct sl_tasks_state *own)
{
    return own->enqueued - own->head;
}

/* Publishes the next front, which is already in its place. */
SL_TASKS_INLINE void enqueue(struct sl_tasks_state *own, enum scope scope)
{
    own->enqueued++;
    store_release(&own->wavefront->bounds, sl_tasks_bounds(own->enqueued, own->head), scope);
    own->counts[SL_TASKS_ENQUEUES]++;
    raise_to(&own->counts[SL_TASKS_MAX_OWN], own_occupancy(own));
}

/* Takes the newest front, if the queue has one, and leaves the free block in its place. */
SL_TASKS_INLINE bool take_newest(struct sl_tasks_state *own, enum scope scope)
{
    if (own_occupancy(own) == 0) {
        return false;
    }
    const uint64_t bounds = load_acquire(&own->wavefront->bounds, scope) - sl_tasks_bounds(1, 0);
    uint32_t *const place = own_place(own, sl_tasks_tail(bounds));
    const uint32_t front = *place;
    *place = own->spare;
    own->spare = front;
    own->enqueued = own->tail = sl_tasks_tail(bounds);
    store(&own->wavefront->bounds, bounds, scope);
    return true;
}

/* Moves the oldest front to another queue, in exchange for a free block. */
SL_TASKS_INLINE void give_oldest(struct sl_tasks_state *own, struct sl_tasks_shared_queue *queue,
                                 enum sl_tasks_queue which, enum sl_tasks_version version)
{
    const enum scope scope = scope_of(version, SL_TASKS_OWN);
    const uint64_t bounds = load_acquire(&own->wavefront->bounds, scope);
    uint32_t *const place = own_place(own, sl_tasks_head(bounds));

    *place = put(own, queue, which, *place, scope_of(version, which));
    own->head = sl_tasks_head(bounds) + 1;
    store(&own->wavefront->bounds, sl_tasks_bounds(sl_tasks_tail(bounds), own->head), scope);
}

#endif
