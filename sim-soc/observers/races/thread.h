/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The threads of a run: what is said of each for good, and of those that live the clocks. A thread
 * has an index into vector clocks, which is used again.
 *
 * When: the new thread begins ordered behind the old one's end, in the order in which launches
 * acquire. So who knows anything of the new one knows all of the old one, and one component serves
 * both; the new one's epochs begin above the old one's. Of hrf-direct's other orders this is not
 * so. There an epoch below those of the index's present thread is unordered before all: who could
 * be ordered behind the old thread at its work-group would be of that group, and indices stay while
 * one of it lives; who released at system scope keeps its index for ever.
 *
 * An epoch is 64 times a place, and on top the number of calls before in which lanes of that same
 * instruction have released. */
#ifndef SLUICE_OBSERVERS_RACES_THREAD_H
#define SLUICE_OBSERVERS_RACES_THREAD_H

#include "observers/races/happens_before.h"
#include "observers/races/vector_clock.h"

#define EPOCHS_PER_PLACE 64u

/* A release's clocks: as an object or a word has them for one scope instance. */
struct released {
    struct snap *clock[RELEASED_CLOCKS];
};

void released_clear(struct released *released);

/* What a thread that lives needs. */
struct actor {
    uint32_t thread;
    uint32_t index;
    uint64_t base;     /* epoch of its place 0 */
    uint64_t newest;   /* place so far */
    uint64_t complete; /* place before which all has performed */
    uint64_t release_place;
    uint32_t release_calls;  /* calls in which lanes of the instruction there have released */
    uint64_t lanes_released; /* its stores at places before this precede a release, */
    uint64_t lanes_done;     /* before this one that nothing has overtaken, */
    uint64_t lanes_ordered;  /* before this an acquire too: they are there for all its lanes */
    struct knowledge known[ORDERS];
    uint64_t fence_epoch[RACE_SCOPES];    /* of what precedes the last fence that released, */
    struct released fence[RACE_SCOPES];   /* and its clocks: none without one */
    struct released pending[RACE_SCOPES]; /* what relaxed atomics have found, for a fence */
};

/* What is said of each thread, for good. */
struct person {
    struct race_thread is;
    uint64_t group;                    /* is.group, or one of its own */
    uint64_t base;                     /* epoch of its place 0 */
    struct actor *actor;               /* while it lives */
    uint64_t released[RACE_SCOPES];    /* epoch that its last release covers, by scope as told */
    uint64_t acquired_ps[RACE_SCOPES]; /* time of its last acquire, + 1 */
};

/* An index that may be used again. */
struct ended {
    uint64_t epoch; /* its thread's last */
    uint64_t group;
    uint32_t index;
};

struct race_group {
    uint64_t group;
    uint32_t living;
};

struct threads {
    enum race_model model;
    uint32_t window;
    struct person *persons;
    uint32_t count;
    uint32_t persons_room;
    uint64_t *bases; /* by index: of its present thread, or its last */
    uint32_t width;  /* indices ever used */
    uint32_t bases_room;
    struct actor **living;
    uint32_t living_count;
    uint32_t living_room;
    struct ended *ended;
    uint32_t ended_count;
    uint32_t ended_room;
    uint32_t ended_next;       /* where the last search has stopped */
    struct race_group *groups; /* with living threads */
    uint32_t groups_count;
    uint32_t groups_room;
};

void threads_clear(struct threads *threads);

/* The thread's number, or UINT32_MAX without memory. */
uint32_t threads_begin(struct threads *threads, const struct race_thread *is,
                       const struct released *launch);
void threads_end(struct threads *threads, uint32_t thread, uint64_t place);

/* NULL of one that has ended, or never began. */
static inline struct actor *threads_actor(const struct threads *threads, uint32_t thread)
{
    return thread < threads->count ? threads->persons[thread].actor : NULL;
}

/* The instance of a scope, of order_scope(), that a thread is in. */
uint64_t threads_instance_of(const struct threads *threads, const struct actor *actor,
                             enum sl_scope scope);

/* Notes, for diagnosis, that a thread releases all below an epoch, or acquires. */
void threads_note_release(struct threads *threads, uint32_t thread, enum sl_scope scope,
                          uint64_t epoch);
void threads_note_acquire(struct threads *threads, uint32_t thread, enum sl_scope scope,
                          uint64_t time_ps);

/* ---- release and acquire, of what is not told where ---- */

/* The epoch that covers all at places before this one. */
static inline uint64_t actor_before(const struct actor *actor, uint64_t place)
{
    return actor->base + place * EPOCHS_PER_PLACE - 1;
}

/* That of an access which performs now. */
static inline uint64_t actor_epoch(const struct actor *actor, uint64_t place)
{
    return actor->base + place * EPOCHS_PER_PLACE +
           (place == actor->release_place ? actor->release_calls : 0);
}

/* The first moment at which it may still perform something, all before a release having performed.
 */
static inline uint64_t actor_oldest(const struct threads *threads, const struct actor *actor)
{
    uint64_t place = actor->newest > threads->window ? actor->newest - threads->window : 0;

    return moment_at(place > actor->complete ? place : actor->complete);
}

/* It has come to a place, where it releases or does not. */
static inline void actor_reach(struct actor *actor, uint64_t place, bool release)
{
    actor->newest = place > actor->newest ? place : actor->newest;
    if (release && place > actor->complete) {
        actor->complete = place;
    }
}

/* The place of an access of the thread. */
static inline uint64_t actor_place(const struct actor *actor, uint64_t epoch)
{
    return (epoch - actor->base) / EPOCHS_PER_PLACE;
}

/* An access of the thread orders its lanes. A store that releases may yet be overtaken, but not by
 * an acquire. */
static inline void actor_order_lanes(struct actor *actor, const struct race_operation *operation)
{
    if (operation->release && operation->place > actor->lanes_released) {
        actor->lanes_released = operation->place;
    }
    if (operation->release && operation->reads) {
        actor->lanes_done = operation->place;
    }
    if (operation->acquire) {
        actor->lanes_ordered = actor->lanes_released;
    }
}

/* So does a fence, behind which is what was before it if it releases; else a load in front of it
 * may have overtaken a store (docs/look-up/isa.md, "Order of memory accesses"). A barrier is one of
 * both.
 */
static inline void actor_fence_lanes(struct actor *actor, uint64_t place, bool release)
{
    if (release) {
        actor->lanes_released = place;
        actor->lanes_done = place;
    }
    if (actor->lanes_done > actor->lanes_ordered) {
        actor->lanes_ordered = actor->lanes_done;
    }
}

/* Lanes of the instruction at a place have released. */
static inline void actor_count_release(struct actor *actor, uint64_t place)
{
    if (place != actor->release_place) {
        actor->release_place = place;
        actor->release_calls = 0;
    }
    actor->release_calls += actor->release_calls < EPOCHS_PER_PLACE - 1;
}

/* Adds what the thread knows at a moment, with an epoch of its own, at a scope that is not the
 * wavefront's. False without memory, likewise below. */
bool actor_release(const struct threads *threads, struct actor *actor, struct released *into,
                   enum sl_scope scope, uint64_t own, uint64_t moment);

/* Joins that from a moment on. */
bool actor_acquire(const struct threads *threads, struct actor *actor,
                   const struct released *released, enum sl_scope scope, uint64_t from);

bool released_join(struct released *into, const struct released *more);

/* ---- who is ordered ---- */

/* Whether what has an epoch of a thread at `index` is ordered before the thread's moment in the
 * model's happens-before. */
bool actor_knows(const struct threads *threads, const struct actor *actor, uint32_t index,
                 uint64_t epoch, uint64_t moment);

/* The same of what an acquire at a scope brings. */
bool released_knows(const struct threads *threads, const struct released *released,
                    enum sl_scope scope, uint32_t index, uint64_t epoch);

/* What all that live know at the first moment at which they may still perform something, each
 * knowing what it itself has done by then and no more, since others are launched from that; in the
 * order in which launches acquire. A reference, or NULL without memory. */
struct snap *threads_knowledge(const struct threads *threads);

#endif
