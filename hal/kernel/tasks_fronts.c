/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The work-sharing task runtime (docs/know/tasks.md; papers/002 section 7): what a wavefront does
 * between two fronts. Runs in one lane of each wavefront, on the queues of tasks_queues.h.
 *
 * The count of tasks has device scope in both versions, and orders nothing. A wavefront adds what
 * its front has created before it makes any of it known, and takes away its own tasks in the same
 * step, so that it is 0 only when nothing is left anywhere. */
#include "sluice/wave/tasks_queues.h"

SL_LDS struct sl_tasks_state sl_tasks_states[SL_TASKS_WAVEFRONTS];

/* Polls of who finds nothing come after SL_TASKS_PAUSE cycles, then after twice as many, up to: */
#define PAUSE_MOST 4096

/* ---- donation ---- */

SL_TASKS_INLINE bool wants(const struct sl_tasks_state *own,
                           const struct sl_tasks_shared_queue *queue, enum sl_tasks_queue which,
                           enum sl_tasks_version version)
{
    const uint64_t puts = load(&queue->puts, scope_of(version, which));
    return sl_tasks_waiting(puts) < (int32_t)own->threshold[which];
}

/* While the work-group's or the device's queue has fewer fronts than its threshold: own ones to the
 * work-group first, then to the device; and to the device the work-group's. */
SL_TASKS_INLINE void donate(struct sl_tasks_state *own, enum sl_tasks_version version)
{
    struct sl_tasks_shared_queue *const device = &own->shared->device;

    while (own_occupancy(own) > 0 && wants(own, own->group, SL_TASKS_GROUP, version)) {
        give_oldest(own, own->group, SL_TASKS_GROUP, version);
        own->counts[SL_TASKS_TO_GROUP]++;
    }
    while (wants(own, device, SL_TASKS_DEVICE, version)) {
        if (own_occupancy(own) > 0) {
            give_oldest(own, device, SL_TASKS_DEVICE, version);
            own->counts[SL_TASKS_TO_DEVICE]++;
        } else if (take(own, own->group, SL_TASKS_GROUP, &own->spare,
                        scope_of(version, SL_TASKS_GROUP))) {
            own->spare =
                put(own, device, SL_TASKS_DEVICE, own->spare, scope_of(version, SL_TASKS_DEVICE));
            own->counts[SL_TASKS_GROUP_DEVICE]++;
        } else {
            return;
        }
    }
}

/* ---- between two fronts ---- */

/* A full front, out of whichever queue has one. */
SL_TASKS_INLINE bool find(struct sl_tasks_state *own, enum sl_tasks_version version)
{
    if (take_newest(own, scope_of(version, SL_TASKS_OWN))) {
        own->counts[SL_TASKS_FROM_OWN]++;
        return true;
    }
    if (take(own, own->group, SL_TASKS_GROUP, &own->spare, scope_of(version, SL_TASKS_GROUP))) {
        own->counts[SL_TASKS_FROM_GROUP]++;
        return true;
    }
    if (take(own, &own->shared->device, SL_TASKS_DEVICE, &own->spare,
             scope_of(version, SL_TASKS_DEVICE))) {
        own->counts[SL_TASKS_FROM_DEVICE]++;
        return true;
    }
    return false;
}

/* The fullest front that is being collected, if one has tasks. Returns how many. */
SL_TASKS_INLINE uint32_t take_partial(struct sl_tasks_state *own)
{
    uint32_t function = 0;

    for (uint32_t i = 1; i < own->functions; i++) {
        function = own->pending[i].tasks > own->pending[function].tasks ? i : function;
    }
    struct sl_tasks_pending *const fullest = &own->pending[function];
    const uint32_t tasks = (uint32_t)fullest->tasks;
    if (tasks > 0) {
        const uint32_t front = (uint32_t)(fullest->block - own->pool) | function;
        fullest->block = own->pool + (own->spare & ~SL_TASKS_FUNCTION_MASK);
        fullest->tasks = 0;
        own->spare = front;
        own->counts[SL_TASKS_PARTIAL]++;
    }
    return tasks;
}

/* Tasks that are collected or filled but not known yet. */
SL_TASKS_INLINE uint32_t collected(const struct sl_tasks_state *own)
{
    uint32_t tasks = (own->tail - own->enqueued) * own->lanes;

    for (uint32_t i = 0; i < own->functions; i++) {
        tasks += (uint32_t)own->pending[i].tasks;
    }
    return tasks;
}

/* The front that ran is done: counts it and what it has created, and makes that known. */
SL_TASKS_INLINE void finish(struct sl_tasks_state *own, enum sl_tasks_version version)
{
    const int64_t change = (int64_t)collected(own) - own->waiting - own->running;

    if (change != 0) {
        (void)sl_atomic_add_u64_device(&own->shared->outstanding, (uint64_t)change);
    }
    while (own->enqueued != own->tail) {
        enqueue(own, scope_of(version, SL_TASKS_OWN));
        donate(own, version);
    }
}

/* What other lanes of the wavefront have stored, tasks of a partial front among it, is there for
 * the lanes that run the front; and the blocks that this one has left in places, for those that
 * create tasks. Where lanes have no write buffer, it costs its issue alone. */
SL_TASKS_INLINE uint64_t start(struct sl_tasks_state *own, uint32_t tasks)
{
    sl_fence_acq_rel_wavefront();
    own->counts[SL_TASKS_RUN] += tasks;
    own->running = tasks;
    own->waiting = collected(own);
    return (uint64_t)tasks << 32 | own->spare;
}

/* Until a queue has a front. False where none will come. Of few instructions, since those who wait
 * share the issue slots with those who work, and by loads that order nothing: an acquire would
 * empty caches each time. */
SL_TASKS_INLINE bool await_front(struct sl_tasks_state *own, enum sl_tasks_version version)
{
    const struct sl_tasks *const shared = own->shared;
    const struct sl_tasks_shared_queue *const group = own->group;
    const enum scope scope = scope_of(version, SL_TASKS_GROUP);
    uint32_t looks = 0;
    uint32_t pause = SL_TASKS_PAUSE;
    uint64_t outstanding;

    for (;;) {
        const uint64_t of_group = load(&group->puts, scope);
        const uint64_t of_device = load(&shared->device.puts, DEVICE);
        outstanding = sl_load_relaxed_u64_device(&shared->outstanding);
        if (sl_tasks_waiting(of_group) > 0 || sl_tasks_waiting(of_device) > 0 || outstanding == 0) {
            break;
        }
        looks++;
        sl_pause_for(pause);
        pause = pause < PAUSE_MOST ? 2 * pause : pause;
    }
    own->counts[SL_TASKS_IDLE] += looks;
    return outstanding != 0;
}

SL_TASKS_INLINE uint64_t next(struct sl_tasks_state *own, enum sl_tasks_version version)
{
    finish(own, version);
    do {
        if (find(own, version)) {
            own->counts[SL_TASKS_FULL]++;
            return start(own, own->lanes);
        }
        const uint32_t tasks = take_partial(own);
        if (tasks > 0) {
            return start(own, tasks);
        }
    } while (await_front(own, version));
    return 0;
}

uint64_t sl_tasks_next(void)
{
    struct sl_tasks_state *const own = sl_tasks_own();

    return own->version == SL_TASKS_DIRECT ? next(own, SL_TASKS_DIRECT)
                                           : next(own, SL_TASKS_INDIRECT);
}

void sl_tasks_begin(struct sl_tasks *shared)
{
    struct sl_tasks_state *const own = sl_tasks_own();
    const uint32_t group = sl_group_id(0);
    const uint32_t number = group * shared->group_wavefronts + sl_group_wavefront_id();
    struct sl_tasks_wavefront *const wavefront =
        (struct sl_tasks_wavefront *)shared->wavefronts + number;

    own->pool = shared->pool;
    own->places = (uint32_t *)wavefront->places;
    own->mask = shared->capacity[SL_TASKS_OWN] - 1;
    own->head = own->tail = own->enqueued = 0;
    own->spare = wavefront->spare;
    own->running = own->waiting = 0;
    own->functions = shared->functions;
    own->shared = shared;
    own->wavefront = wavefront;
    own->group = (struct sl_tasks_shared_queue *)shared->groups + group;
    own->lanes = shared->lanes;
    own->version = shared->version;
    for (int i = 0; i < SL_TASKS_QUEUES; i++) {
        own->capacity[i] = shared->capacity[i];
        own->threshold[i] = shared->threshold[i];
    }
    for (int i = 0; i < SL_TASKS_COUNTS; i++) {
        own->counts[i] = 0;
    }
    for (uint32_t i = 0; i < own->functions; i++) {
        own->pending[i].block = own->pool + wavefront->pending[i];
        own->pending[i].tasks = wavefront->tasks[i];
        own->waiting += wavefront->tasks[i]; /* the host has counted them */
    }
}

void sl_tasks_end(void)
{
    const struct sl_tasks_state *const own = sl_tasks_own();

    for (int i = 0; i < SL_TASKS_COUNTS; i++) {
        own->wavefront->counts[i] = own->counts[i];
    }
}
