/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The accesses to a word that later ones may still race with, of one sort: ordinary reads, say.
 *
 * One may go when a newer one of its sort, to as many of its bytes, is ordered behind it in a way
 * that carries on: whatever races with the older one then races with the newer one.
 * - Of the same thread that is always so.
 * - Behind one of another thread it is so with drf and hrf-indirect, which are transitive, once
 * what that thread has yet to perform of before the newer one cannot race with the older one
 * either: when a third access is ordered behind the newer one, whose thread has released by then,
 * and with that has performed all before.
 * - With hrf-direct a third access may be ordered behind the newer one at another scope. There the
 *   older one stays until all that live, or can be launched, are ordered behind it.
 *
 * In the order in which launches acquire, which is transitive in all models, most histories are
 * chained: all are ordered before the last. So who is ordered behind the last is behind all. */
#ifndef SLUICE_OBSERVERS_RACES_HISTORY_H
#define SLUICE_OBSERVERS_RACES_HISTORY_H

#include "observers/races/thread.h"

struct access {
    uint64_t epoch;
    uint64_t time_ps;
    uint64_t pc;
    uint64_t lanes;
    uint32_t thread;
    uint32_t index;
    uint8_t bytes; /* of the word, a bit each */
    uint8_t scope; /* as told */
    bool synchronization;
    bool reads;
    bool writes;
};

/* Where each thread's latest is, in a history of many: a table by index of thread, at most half
 * full. It grows with the accesses, not with the threads, since such words can be many. */
struct history_index {
    uint32_t size; /* a power of two */
    uint32_t at[]; /* position + 1; 0: none */
};

struct history {
    struct access *at;
    struct history_index *index; /* NULL: few, looked through */
    uint32_t count;
    uint32_t room;
    bool chained;
};

/* Who asks whether an access is ordered before the one that performs now. */
struct judge {
    const struct threads *threads;
    const struct actor *actor;
    uint64_t moment;
    const struct released *own[3]; /* what its own words' acquires bring, */
    uint32_t owns;
    enum sl_scope scope; /* at this scope, of order_scope() */
};

bool judge_ordered(const struct judge *judge, const struct access *access);

/* The same by synchronization alone: of an access of its own thread, where a release of that has
 * come back by an acquire. */
bool judge_synchronized(const struct judge *judge, const struct access *access);

void history_clear(struct history *history);

/* Whether the judge's access is ordered behind all, as far as can be told at once. What then may go
 * has gone. */
bool history_behind(struct history *history, const struct judge *judge);

/* Takes out what is at a position, where one from behind it comes; the last stays the last. */
void history_remove(struct history *history, uint32_t position);

/* Adds the access of the judge's thread, and drops what may go for it. False without memory. */
bool history_add(struct history *history, const struct judge *judge, const struct access *access);

/* Whether it is time to look for accesses that everybody is ordered behind: it would have to grow,
 * and has more than this many. */
bool history_full(const struct history *history, uint32_t many);

#endif
