/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The queues of the work-sharing task runtime (docs/know/tasks.md; papers/002 section 7), for
 * tasks_fronts.c alone: how one lane of a wavefront puts fronts into them and takes them out.
 *
 * Why no two accesses race. A front's block has one owner at a time, a wavefront or a place in a
 * queue, and is written and read by its owner alone. It changes hands only at places, by words that
 * their users release and acquire: who puts a front into place p waits for turn n there, with an
 * acquire, takes the free block that it names, and stores turn n + 1 and the front's entry, with a
 * release; who takes the front out waits for turn n + 1, with an acquire, and leaves turn n +
 * capacity and a free block, with a release. So all that was done to a block before it went into a
 * place happens before all that is done to it behind, and this is so of full blocks, whose tasks
 * are to be read, and of free ones, which the next owner writes over. Who has which turn, two
 * counts of the queue say, of which an atomic gives each wavefront another one.
 *
 * In the direct version all of these words have device scope, so that the chain of a block through
 * any queues is one of one scope: HRF-direct orders it. In the indirect version a link has the
 * scope of its queue: a wavefront that takes a front out of its work-group's queue, by an acquire
 * at work-group scope, and puts it into the device's, by a release at device scope, is the link
 * through which the block's first writer and its reader are ordered in HRF-indirect, and only there
 * (papers/002 section 7.2). Free blocks go the same way back.
 *
 * A word has one scope in a version: bounds, counts and places that of their queue. */
#ifndef SLUICE_WAVE_TASKS_QUEUES_H
#define SLUICE_WAVE_TASKS_QUEUES_H

#include "sluice/wave/tasks.h"

/* Cycles between looks at what is about to change. */
#define SL_TASKS_PAUSE 64

enum scope { WAVEFRONT, GROUP, DEVICE };

/* Of the words of a queue. */
SL_TASKS_INLINE enum scope scope_of(enum sl_tasks_version version, enum sl_tasks_queue queue)
{
    static const enum scope scopes[] = {
        [SL_TASKS_OWN] = WAVEFRONT, [SL_TASKS_GROUP] = GROUP, [SL_TASKS_DEVICE] = DEVICE};
    return version == SL_TASKS_DIRECT ? DEVICE : scopes[queue];
}

/* An operation of sluice/wave/atomics.h in the scope of a constant. */
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

/* Waits for a turn at a place, which whoever has the turn before is about to give. Returns the
 * entry there. */
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

/* Puts a front behind the others. Returns a free block for it. */
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

/* Takes the oldest front out, if there is one, and leaves a free block for it. Who takes one away
 * from those that wait has one for certain, and then gets the turn of the oldest; who found that
 * there was none gives it back. So there is nothing to try again, however many come at once: of 320
 * wavefronts that exchange one word, 319 fail, again and again. */
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

/* Makes the next front known that lies in its place already. */
SL_TASKS_INLINE void enqueue(struct sl_tasks_state *own, enum scope scope)
{
    own->enqueued++;
    store_release(&own->wavefront->bounds, sl_tasks_bounds(own->enqueued, own->head), scope);
    own->counts[SL_TASKS_ENQUEUES]++;
    raise_to(&own->counts[SL_TASKS_MAX_OWN], own_occupancy(own));
}

/* The newest front, if there is one; leaves the free block in its place. */
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

/* Gives the oldest front to another queue, for a free block. */
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
