/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Finds heterogeneous races of one execution while it happens: two operations that conflict and
 * that the model's happens-before leaves unordered (papers/002, sidebars of pages 4 and 7,
 * section 3.3).
 *
 * - Ordinary conflict: a common byte, at least one writes, at least one is no synchronization.
 * - Synchronization conflict: a common 4-byte word, at least one writes, two scope instances. The
 *   scope of a wavefront is another instance for each, that of a work-group for each work-group.
 * - so_S orders a release of a word before the acquires of that word that perform later, both of
 * the scope instance S.
 * - Happens-before: with drf (po u so)+, all scopes being the system's; with hrf-direct the union
 *   over S of (po u so_S)+; with hrf-indirect (po u all so_S)+.
 *
 * Threads are wavefronts and the aggregator. Operations are handed in in the order in which they
 * perform, each with its place in program order, and may come behind ones with a later place, as
 * the machine reorders: a release, and a fence that releases, performs behind everything of its
 * thread with an earlier place; what acquires performs before everything with a later place, and
 * in program order (docs/look-up/isa.md, "Order of memory accesses"). Of one instruction, in one
 * call or in many, each lane is ordered by what was acquired at earlier places, and by its own
 * words' acquires; a lane's release publishes all lanes that have performed.
 *
 * Lanes of one thread are in program order, unless their operations say that they are apart. Then
 * a lane's ordinary load of what another lane stored at an earlier place wants a release and an
 * acquire of the thread in between, at any scope. Lanes are told apart by words, not by bytes.
 *
 * Whether there is a race is exact, and so is each pair that is told; of several pairs that race
 * in one word some may be left untold. Nothing here knows the simulator but enum sl_scope. */
#ifndef SLUICE_OBSERVERS_RACES_H
#define SLUICE_OBSERVERS_RACES_H

#include <stdbool.h>
#include <stdint.h>

#include "isa/isa.h"

#define RACE_SCOPES 4u /* of enum sl_scope */

#define RACE_COLLECT_AT 16u

enum race_model { RACE_DRF, RACE_HRF_DIRECT, RACE_HRF_INDIRECT };

enum race_conflict { RACE_ORDINARY, RACE_SYNCHRONIZATION, RACE_CONFLICTS };

/* What would have ordered the two. */
enum race_lacks {
    RACE_LACKS_RELEASE,       /* the earlier one's thread has not released since */
    RACE_LACKS_ACQUIRE,       /* the later one's thread has not acquired since the earlier one */
    RACE_LACKS_RELEASE_SCOPE, /* released, at scopes that do not hold both threads */
    RACE_LACKS_ACQUIRE_SCOPE, /* acquired likewise */
    RACE_LACKS_ONE_SCOPE,     /* two scopes for one variable, or for release and acquire */
    RACE_LACKS_CHAIN,         /* ordered along a chain of several scopes: hrf-indirect's order */
    RACE_LACKS_PAIR,          /* release and acquire are there, but do not meet in one word */
    RACE_LACKS_LANES,         /* no release and acquire between two lanes of one thread */
    RACE_LACKS
};

/* A thread, as reports name it; of these the engine itself uses the group alone. */
struct race_thread {
    uint64_t wave; /* its number in the run */
    uint64_t kernel;
    uint64_t group; /* instance of its work-group, another for each in a run; RACE_NO_GROUP */
    uint32_t group_number; /* in its packet */
    uint32_t dispatch;
    uint32_t channel;
    uint16_t cu;
    bool aggregator;
};

#define RACE_NO_GROUP UINT64_MAX /* a work-group of its own */

/* One memory instruction, or as many of its lanes as take effect now. */
struct race_operation {
    uint32_t thread; /* from race_thread_begin() */
    uint64_t time_ps;
    uint64_t place; /* memory instructions of the thread before it */
    uint64_t pc;
    uint64_t lanes;
    const uint64_t *address; /* by lane */
    uint8_t bytes;           /* of each lane's access, 1 to 8, in at most three words */
    uint8_t scope;           /* enum sl_scope, of synchronization */
    bool synchronization;    /* atomic, or one that acquires or releases; else ordinary */
    bool reads;
    bool writes;
    bool acquire;
    bool release;
    bool lanes_apart; /* other lanes of the thread may load what was there before it stored */
};

/* One side of a race. */
struct race_side {
    struct race_thread thread;
    uint64_t time_ps;
    uint64_t place;
    uint64_t pc;
    uint64_t lanes;
    uint8_t scope; /* enum sl_scope, of synchronization */
    bool synchronization;
    bool reads;
    bool writes;
};

/* Lanes of one instruction that race with those of an earlier one. */
struct race_finding {
    enum race_conflict conflict;
    enum race_lacks lacks;
    uint64_t address; /* of the word, for the first of the lanes */
    struct race_side earlier;
    struct race_side later;
    uint8_t released; /* bits by enum sl_scope: where the earlier one's thread has released since */
    uint8_t acquired; /* where the later one's has acquired since the earlier one */
    uint8_t holds;    /* enum sl_scope: the smallest that holds both */
};

struct race_counters {
    uint64_t races[RACE_CONFLICTS]; /* findings, each time that one comes up */
    uint64_t accesses;              /* ordinary ones, by lane */
    uint64_t sync_operations;       /* likewise, and fences, leaves and takes */
};

struct race_shape {
    enum race_model model;
    uint32_t window;  /* places by which an operation may come behind another of its thread */
    uint32_t collect; /* accesses of one sort to a word from which on those are looked for that
                         nobody can race with any more; 0: RACE_COLLECT_AT */
    void (*found)(void *context, const struct race_finding *finding);
    void *context;
};

struct race_engine;

/* NULL without memory, as with all that creates here. */
struct race_engine *race_create(const struct race_shape *shape);
void race_destroy(struct race_engine *engine);

/* A run begins: all threads, clocks' contents and accesses are forgotten, and counters are zero.
 * Clocks that exist stay, empty. */
void race_begin(struct race_engine *engine);

/* Whether memory has run out; from there on nothing is told and calls do nothing. */
bool race_failed(const struct race_engine *engine);

const struct race_counters *race_counters(const struct race_engine *engine);

/* ---- what orders and is no word: a packet, a barrier, a record of an end or a yield ---- */

struct race_clock;

/* It is empty. Give it back before the engine goes. */
struct race_clock *race_clock_create(struct race_engine *engine);
void race_clock_destroy(struct race_engine *engine, struct race_clock *clock);

/* Empties it. Clocks that hold something keep what their release is ordered before from being
 * collected: clear what nothing takes any more. */
void race_clock_clear(struct race_engine *engine, struct race_clock *clock);

/* A release by the thread of all at earlier places than this, at the scope, into the clock, in
 * addition to those before. */
void race_leave(struct race_engine *engine, struct race_clock *clock, uint32_t thread,
                uint64_t place, enum sl_scope scope);

/* An acquire of what was left there at the same scope instance, for this place and later ones. */
void race_take(struct race_engine *engine, const struct race_clock *clock, uint32_t thread,
               uint64_t place, enum sl_scope scope, uint64_t time_ps);

/* ---- threads and their operations ---- */

/* A thread begins, with an acquire at device scope of what its launch has (NULL: of nothing, which
 * is for those that begin before anything has performed). All of a work-group begin before the
 * first of it ends. Its places begin with 0. Threads are numbered from 0 in the order of their
 * begin and never again. */
uint32_t race_thread_begin(struct race_engine *engine, const struct race_thread *thread,
                           const struct race_clock *launch);

/* A thread has performed all that it ever will, having left its last release; its places are below
 * this. It may hand in nothing more. */
void race_thread_end(struct race_engine *engine, uint32_t thread, uint64_t place);

/* Lanes perform in ascending order. A race is told before this returns. Of an sc that fails: reads
 * alone, and neither acquires nor releases. */
void race_access(struct race_engine *engine, const struct race_operation *operation);

/* A fence whose place is that of the memory instruction behind it, or its own. One that releases
 * makes later relaxed atomics of its scope that write releases of what precedes the fence; one that
 * acquires joins what earlier relaxed atomics of its scope that read have found. */
void race_fence(struct race_engine *engine, uint32_t thread, uint64_t place, enum sl_scope scope,
                bool acquire, bool release, uint64_t time_ps);

/* What these bytes have seen is forgotten: memory given to another. Whole words. */
void race_forget(struct race_engine *engine, uint64_t address, uint64_t bytes);

#endif
