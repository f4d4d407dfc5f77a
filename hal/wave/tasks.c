/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The work-sharing task runtime (docs/tasks.md; papers/002 section 7): queues of task fronts and
 * what a wavefront does between two of them. Runs in one lane of each wavefront.
 *
 * Why no two accesses race. A front's block has one owner at a time, a wavefront or a place in a
 * queue, and is written and read by its owner alone. It changes hands only at places, by words that
 * their users release and acquire: who puts a front into place p waits for turn n there, with an
 * acquire, takes the free block that it names, and stores turn n + 1 and the front's entry, with a
 * release; who takes the front out waits for turn n + 1, with an acquire, and leaves turn n +
 * capacity and a free block, with a release. So all that was done to a block before it went into a
 * place happens before all that is done to it behind, and this is so of full blocks, whose tasks
 * are to be read, and of free ones, which the next owner writes over. Who has which turn, the
 * bounds of the queue say, of which an atomic gives each wavefront another one.
 *
 * In the direct version all of these words have device scope, so that the chain of a block through
 * any queues is one of one scope: HRF-direct orders it. In the indirect version a link has the
 * scope of its queue: a wavefront that takes a front out of its work-group's queue, by an acquire
 * at work-group scope, and puts it into the device's, by a release at device scope, is the link
 * through which the block's first writer and its reader are ordered in HRF-indirect, and only there
 * (papers/002 section 7.2). Free blocks go the same way back.
 *
 * A word has one scope in a version: bounds and places that of their queue, the count of tasks that
 * of the device. The count orders nothing. A wavefront adds what its front has created before it
 * makes any of it known, and takes away its own tasks in the same step, so that it is 0 only when
 * nothing is left anywhere. */
#include "wave/tasks.h"

SL_LDS struct sl_tasks_state sl_tasks_states[SL_TASKS_WAVEFRONTS];

/* Polls of who finds nothing come after these cycles, then after twice as many, and so on. */
#define PAUSE      64
#define PAUSE_MOST 4096

enum scope { WAVEFRONT, GROUP, DEVICE };

/* Of the words of a queue. */
SL_TASKS_INLINE enum scope scope_of(enum sl_tasks_version version, enum sl_tasks_queue queue)
{
    static const enum scope scopes[] = {
        [SL_TASKS_OWN] = WAVEFRONT, [SL_TASKS_GROUP] = GROUP, [SL_TASKS_DEVICE] = DEVICE};
    return version == SL_TASKS_DIRECT ? DEVICE : scopes[queue];
}

/* An operation of wave/atomics.h in the scope of a constant. */
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
IN_SCOPE(uint64_t, compare_exchange,
         (uint64_t * word, uint64_t expected, uint64_t desired, enum scope scope),
         sl_atomic_compare_exchange_u64_, (word, expected, desired))
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
            sl_pause_for(PAUSE);
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
    const uint64_t bounds = add(&queue->bounds, sl_tasks_bounds(1, 0), scope);
    const uint32_t turn = sl_tasks_tail(bounds);
    const uint32_t occupancy = sl_tasks_occupancy(bounds);

    if (occupancy >= capacity) {
        sl_trap(SL_TRAP_TASK_QUEUE, which, capacity);
    }
    raise_to(&own->counts[SL_TASKS_MAX_OWN + which], occupancy + 1);
    uint64_t *const place = place_of(queue, turn, capacity);
    const uint32_t free = await_turn(place, turn, scope);
    store_release(place, sl_tasks_place(turn + 1, entry), scope);
    return free;
}

/* Takes the oldest front out, if there is one, and leaves a free block for it. */
SL_TASKS_INLINE bool take(struct sl_tasks_state *own, struct sl_tasks_shared_queue *queue,
                          enum sl_tasks_queue which, uint32_t *entry, enum scope scope)
{
    const uint32_t capacity = own->capacity[which];
    uint64_t bounds = load(&queue->bounds, scope);

    for (;;) {
        if (sl_tasks_occupancy(bounds) == 0) {
            return false;
        }
        const uint64_t taken = sl_tasks_bounds(sl_tasks_tail(bounds), sl_tasks_head(bounds) + 1);
        const uint64_t seen = compare_exchange(&queue->bounds, bounds, taken, scope);
        if (seen == bounds) {
            break;
        }
        bounds = seen;
    }
    const uint32_t number = sl_tasks_head(bounds);
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

/* ---- donation ---- */

SL_TASKS_INLINE bool wants(const struct sl_tasks_state *own,
                           const struct sl_tasks_shared_queue *queue, enum sl_tasks_queue which,
                           enum sl_tasks_version version)
{
    const uint64_t bounds = load(&queue->bounds, scope_of(version, which));
    return sl_tasks_occupancy(bounds) < own->threshold[which];
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

SL_TASKS_INLINE uint64_t start(struct sl_tasks_state *own, uint32_t tasks)
{
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
    uint32_t pause = PAUSE;
    uint64_t outstanding;

    for (;;) {
        const uint64_t of_group = load(&group->bounds, scope);
        const uint64_t of_device = load(&shared->device.bounds, DEVICE);
        outstanding = sl_load_relaxed_u64_device(&shared->outstanding);
        if (sl_tasks_occupancy(of_group) + sl_tasks_occupancy(of_device) != 0 || outstanding == 0) {
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
