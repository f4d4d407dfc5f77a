/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* An execution written by hand, handed to the engine that finds races as it goes on. */
#ifndef SLUICE_TESTS_RACE_TRIAL_H
#define SLUICE_TESTS_RACE_TRIAL_H

#include <stdlib.h>
#include <string.h>

#include "common/check.h"
#include "observers/races/races.h"

#define MODELS 3u
#define FOUND  320u
#define MANY   300u
#define WINDOW 16u

#define FIRST_WAVE 70u

#define A 0x1000u
#define B 0x1004u
#define X 0x2000u
#define Y 0x2004u

#define WAVE   SL_SCOPE_WAVEFRONT
#define GROUP  SL_SCOPE_WORKGROUP
#define DEVICE SL_SCOPE_DEVICE
#define SYSTEM SL_SCOPE_SYSTEM

/* An execution, as it goes on. */
struct trial {
    struct race_engine *engine;
    struct race_finding found[FOUND];
    uint32_t count;
    uint64_t time_ps;
    uint32_t began;
    uint64_t place[FOUND]; /* by thread, of its next instruction */
    bool lanes_apart;
};

static inline void keep(void *context, const struct race_finding *finding)
{
    struct trial *trial = context;

    assert_true(trial->count < FOUND);
    trial->found[trial->count++] = *finding;
}

static inline void start(struct trial *trial, enum race_model model)
{
    struct race_shape shape = {.model = model, .window = WINDOW, .found = keep, .context = trial};

    memset(trial, 0, sizeof(*trial));
    trial->engine = race_create(&shape);
    assert_non_null(trial->engine);
    race_begin(trial->engine);
}

/* Ends it; the number of findings. */
static inline uint32_t finish(struct trial *trial)
{
    assert_false(race_failed(trial->engine));
    race_destroy(trial->engine);
    return trial->count;
}

static inline uint32_t begin(struct trial *trial, uint64_t group, const struct race_clock *launch)
{
    struct race_thread thread = {.wave = FIRST_WAVE + trial->began++, .group = group, .cu = 3};
    uint32_t number = race_thread_begin(trial->engine, &thread, launch);

    assert_true(number < FOUND);
    return number;
}

enum what {
    READS = 1,
    WRITES = 2,
    ATOMIC = 4,
    ACQUIRES = 8,
    RELEASES = 16,
};

/* Lanes that access the words from an address on, at a place. */
static inline void access_at(struct trial *trial, uint32_t thread, uint64_t place, uint32_t what,
                             enum sl_scope scope, uint64_t lanes, uint64_t address, uint8_t bytes)
{
    uint64_t addresses[64];
    struct race_operation operation = {.thread = thread,
                                       .time_ps = ++trial->time_ps,
                                       .place = place,
                                       .pc = 0x100 * (uint64_t)thread + place,
                                       .lanes = lanes,
                                       .address = addresses,
                                       .bytes = bytes,
                                       .scope = (uint8_t)scope,
                                       .synchronization = (what & ATOMIC) != 0,
                                       .reads = (what & READS) != 0,
                                       .writes = (what & WRITES) != 0,
                                       .acquire = (what & ACQUIRES) != 0,
                                       .release = (what & RELEASES) != 0,
                                       .lanes_apart = trial->lanes_apart};

    for (uint32_t lane = 0; lane < 64; lane++) {
        addresses[lane] = address + lane * (uint64_t)bytes;
    }
    race_access(trial->engine, &operation);
}

static inline void store(struct trial *trial, uint32_t thread, uint64_t address)
{
    access_at(trial, thread, trial->place[thread]++, WRITES, WAVE, 1, address, 4);
}

static inline void load(struct trial *trial, uint32_t thread, uint64_t address)
{
    access_at(trial, thread, trial->place[thread]++, READS, WAVE, 1, address, 4);
}

static inline void release(struct trial *trial, uint32_t thread, uint64_t address,
                           enum sl_scope scope)
{
    access_at(trial, thread, trial->place[thread]++, WRITES | ATOMIC | RELEASES, scope, 1, address,
              4);
}

static inline void acquire(struct trial *trial, uint32_t thread, uint64_t address,
                           enum sl_scope scope)
{
    access_at(trial, thread, trial->place[thread]++, READS | ATOMIC | ACQUIRES, scope, 1, address,
              4);
}

static inline void exchange(struct trial *trial, uint32_t thread, uint64_t address,
                            enum sl_scope scope)
{
    access_at(trial, thread, trial->place[thread]++, READS | WRITES | ATOMIC | ACQUIRES | RELEASES,
              scope, 1, address, 4);
}

static inline void relaxed(struct trial *trial, uint32_t thread, uint32_t what, uint64_t address,
                           enum sl_scope scope)
{
    access_at(trial, thread, trial->place[thread]++, what | ATOMIC, scope, 1, address, 4);
}

static inline void fence(struct trial *trial, uint32_t thread, uint32_t what, enum sl_scope scope)
{
    race_fence(trial->engine, thread, trial->place[thread]++, scope, (what & ACQUIRES) != 0,
               (what & RELEASES) != 0, ++trial->time_ps);
}

static inline void leave(struct trial *trial, struct race_clock *clock, uint32_t thread,
                         enum sl_scope scope)
{
    race_leave(trial->engine, clock, thread, trial->place[thread], scope);
}

static inline void take(struct trial *trial, const struct race_clock *clock, uint32_t thread,
                        enum sl_scope scope)
{
    race_take(trial->engine, clock, thread, trial->place[thread], scope, ++trial->time_ps);
}

/* Runs a piece in each model and compares whether it has races: r or -, of drf, hrf-direct and
 * hrf-indirect. */
typedef void piece_fn(struct trial *trial);

static inline void expect(piece_fn *piece, const char *verdicts)
{
    for (uint32_t model = 0; model < MODELS; model++) {
        struct trial trial;
        bool racy = verdicts[model] == 'r';

        start(&trial, (enum race_model)model);
        piece(&trial);
        if ((finish(&trial) > 0) != racy) {
            fail_msg("model %u: %u races, but expected %s", model, trial.count,
                     racy ? "some" : "none");
        }
    }
}

/* ---- executions whose verdicts and reports are both looked at ---- */

/* Figure 5 of papers/002: work-items of work-groups 0 and `other_group`. */
static inline void figure5(struct trial *trial, uint64_t other_group)
{
    uint32_t wi1 = begin(trial, 0, NULL);
    uint32_t wi2 = begin(trial, other_group, NULL);

    release(trial, wi1, A, GROUP);
    release(trial, wi2, B, DEVICE);
    acquire(trial, wi1, B, DEVICE);
    acquire(trial, wi2, A, GROUP);
}

static inline void figure5_two_groups(struct trial *trial)
{
    figure5(trial, 1);
}

/* Figure 6: ordered along work-group scope and then device scope. */
static inline void figure6(struct trial *trial)
{
    uint32_t wi1 = begin(trial, 0, NULL);
    uint32_t wi2 = begin(trial, 0, NULL);
    uint32_t wi3 = begin(trial, 1, NULL);

    store(trial, wi1, X);
    release(trial, wi1, A, GROUP);
    acquire(trial, wi2, A, GROUP);
    load(trial, wi2, X);
    release(trial, wi2, B, DEVICE);
    acquire(trial, wi3, B, DEVICE);
    load(trial, wi3, X);
}

/* Released and acquired, in two words. */
static inline void other_word(struct trial *trial)
{
    uint32_t t1 = begin(trial, 0, NULL);
    uint32_t t2 = begin(trial, 1, NULL);

    store(trial, t1, X);
    release(trial, t1, A, DEVICE);
    acquire(trial, t2, B, DEVICE);
    load(trial, t2, X);
}

#endif
