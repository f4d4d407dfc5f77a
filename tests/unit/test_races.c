/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Races found in executions written by hand: the examples of papers/002 (Figures 2, 3, 5, 6 and 7)
 * in all three models, each rule of what orders, what a report says, and indices of threads that
 * are used again. test_races_random.c looks for what these forget. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "obs/races/races.h"

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
};

static void keep(void *context, const struct race_finding *finding)
{
    struct trial *trial = context;

    assert_true(trial->count < FOUND);
    trial->found[trial->count++] = *finding;
}

static void start(struct trial *trial, enum race_model model)
{
    struct race_shape shape = {.model = model, .window = WINDOW, .found = keep, .context = trial};

    memset(trial, 0, sizeof(*trial));
    trial->engine = race_create(&shape);
    assert_non_null(trial->engine);
    race_begin(trial->engine);
}

/* Ends it; the number of findings. */
static uint32_t finish(struct trial *trial)
{
    assert_false(race_failed(trial->engine));
    race_destroy(trial->engine);
    return trial->count;
}

static uint32_t begin(struct trial *trial, uint64_t group, const struct race_clock *launch)
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
static void access_at(struct trial *trial, uint32_t thread, uint64_t place, uint32_t what,
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
                                       .release = (what & RELEASES) != 0};

    for (uint32_t lane = 0; lane < 64; lane++) {
        addresses[lane] = address + lane * (uint64_t)bytes;
    }
    race_access(trial->engine, &operation);
}

static void store(struct trial *trial, uint32_t thread, uint64_t address)
{
    access_at(trial, thread, trial->place[thread]++, WRITES, WAVE, 1, address, 4);
}

static void load(struct trial *trial, uint32_t thread, uint64_t address)
{
    access_at(trial, thread, trial->place[thread]++, READS, WAVE, 1, address, 4);
}

static void release(struct trial *trial, uint32_t thread, uint64_t address, enum sl_scope scope)
{
    access_at(trial, thread, trial->place[thread]++, WRITES | ATOMIC | RELEASES, scope, 1, address,
              4);
}

static void acquire(struct trial *trial, uint32_t thread, uint64_t address, enum sl_scope scope)
{
    access_at(trial, thread, trial->place[thread]++, READS | ATOMIC | ACQUIRES, scope, 1, address,
              4);
}

static void exchange(struct trial *trial, uint32_t thread, uint64_t address, enum sl_scope scope)
{
    access_at(trial, thread, trial->place[thread]++, READS | WRITES | ATOMIC | ACQUIRES | RELEASES,
              scope, 1, address, 4);
}

static void relaxed(struct trial *trial, uint32_t thread, uint32_t what, uint64_t address,
                    enum sl_scope scope)
{
    access_at(trial, thread, trial->place[thread]++, what | ATOMIC, scope, 1, address, 4);
}

static void fence(struct trial *trial, uint32_t thread, uint32_t what, enum sl_scope scope)
{
    race_fence(trial->engine, thread, trial->place[thread]++, scope, (what & ACQUIRES) != 0,
               (what & RELEASES) != 0, ++trial->time_ps);
}

static void leave(struct trial *trial, struct race_clock *clock, uint32_t thread,
                  enum sl_scope scope)
{
    race_leave(trial->engine, clock, thread, trial->place[thread], scope);
}

static void take(struct trial *trial, const struct race_clock *clock, uint32_t thread,
                 enum sl_scope scope)
{
    race_take(trial->engine, clock, thread, trial->place[thread], scope, ++trial->time_ps);
}

/* Runs a piece in each model and compares whether it has races: r or -, of drf, hrf-direct and
 * hrf-indirect. */
typedef void piece_fn(struct trial *trial);

static void expect(piece_fn *piece, const char *verdicts)
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

/* ---- the paper's examples ---- */

/* t1 and t3 are ordered through t2, all at system scope. */
static void figure2(struct trial *trial)
{
    uint32_t t1 = begin(trial, 0, NULL);
    uint32_t t2 = begin(trial, 1, NULL);
    uint32_t t3 = begin(trial, 2, NULL);

    acquire(trial, t2, A, SYSTEM);
    store(trial, t1, X);
    release(trial, t1, A, SYSTEM);
    acquire(trial, t2, A, SYSTEM);
    load(trial, t2, X);
    release(trial, t2, B, SYSTEM);
    acquire(trial, t3, B, SYSTEM);
    load(trial, t3, X);
}

static void barrier(struct trial *trial, struct race_clock *clock, const uint32_t *thread,
                    uint32_t count, enum sl_scope scope)
{
    for (uint32_t i = 0; i < count; i++) {
        leave(trial, clock, thread[i], scope);
    }
    for (uint32_t i = 0; i < count; i++) {
        take(trial, clock, thread[i], scope);
    }
    race_clock_clear(trial->engine, clock);
}

/* A stencil: two work-groups of two; barriers of each inside, of all outside. */
static void figure3(struct trial *trial)
{
    struct race_clock *clock = race_clock_create(trial->engine);
    uint32_t t[4];

    for (uint32_t i = 0; i < 4; i++) {
        t[i] = begin(trial, i / 2, NULL);
    }
    for (uint32_t step = 0; step < 3; step++) {
        for (uint32_t i = 0; i < 4; i++) {
            store(trial, t[i], X + 4 * i);
        }
        barrier(trial, clock, &t[0], 2, GROUP);
        barrier(trial, clock, &t[2], 2, GROUP);
        for (uint32_t i = 0; i < 4; i++) {
            load(trial, t[i], X + 4 * (i ^ 1));
        }
        barrier(trial, clock, t, 4, DEVICE);
        for (uint32_t i = 0; i < 4; i++) {
            load(trial, t[i], X + 4 * (3 - i));
        }
        barrier(trial, clock, t, 4, DEVICE);
    }
    race_clock_destroy(trial->engine, clock);
}

static void figure5(struct trial *trial, uint64_t other_group)
{
    uint32_t wi1 = begin(trial, 0, NULL);
    uint32_t wi2 = begin(trial, other_group, NULL);

    release(trial, wi1, A, GROUP);
    release(trial, wi2, B, DEVICE);
    acquire(trial, wi1, B, DEVICE);
    acquire(trial, wi2, A, GROUP);
}

static void figure5_one_group(struct trial *trial)
{
    figure5(trial, 0);
}

static void figure5_two_groups(struct trial *trial)
{
    figure5(trial, 1);
}

/* Ordered along work-group scope and then device scope. */
static void figure6(struct trial *trial)
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

/* Released at device scope and acquired at the work-group's, which that includes. */
static void figure7(struct trial *trial)
{
    uint32_t wi1 = begin(trial, 0, NULL);
    uint32_t wi2 = begin(trial, 0, NULL);

    store(trial, wi1, X);
    release(trial, wi1, A, DEVICE);
    acquire(trial, wi2, A, GROUP);
    load(trial, wi2, X);
}

static void test_figures(void **state)
{
    (void)state;
    expect(figure2, "---");
    expect(figure3, "---");
    expect(figure5_one_group, "---");
    expect(figure5_two_groups, "-rr");
    expect(figure6, "-r-");
    expect(figure7, "-rr");
}

/* ---- conflicts ---- */

static void conflict(enum race_model model, uint32_t first, enum sl_scope first_scope,
                     uint64_t first_address, uint32_t second, enum sl_scope second_scope,
                     uint64_t second_address, uint8_t bytes, uint32_t races)
{
    struct trial trial;
    uint32_t t1;
    uint32_t t2;

    start(&trial, model);
    t1 = begin(&trial, 0, NULL);
    t2 = begin(&trial, 1, NULL);
    access_at(&trial, t1, 0, first, first_scope, 1, first_address, bytes);
    access_at(&trial, t2, 0, second, second_scope, 1, second_address, bytes);
    assert_int_equal(races, finish(&trial));
}

static void test_conflicts(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < MODELS; i++) {
        enum race_model model = (enum race_model)i;
        uint32_t hrf = model == RACE_DRF ? 0 : 1;

        conflict(model, WRITES, WAVE, X, READS, WAVE, X, 4, 1);
        conflict(model, READS, WAVE, X, WRITES, WAVE, X, 4, 1);
        conflict(model, WRITES, WAVE, X, WRITES, WAVE, X, 4, 1);
        conflict(model, READS, WAVE, X, READS, WAVE, X, 4, 0);
        conflict(model, WRITES, WAVE, X, WRITES, WAVE, X + 1, 1, 0);
        conflict(model, WRITES, WAVE, X, WRITES, WAVE, X + 1, 2, 1);
        conflict(model, WRITES, WAVE, X + 3, READS, WAVE, X + 4, 2, 1);
        conflict(model, WRITES, WAVE, X, READS, WAVE, X + 4, 8, 1);
        conflict(model, WRITES, WAVE, X, READS | ATOMIC, DEVICE, X, 4, 1);
        conflict(model, READS | ATOMIC, DEVICE, X, WRITES, WAVE, X, 4, 1);
        conflict(model, READS | ATOMIC, DEVICE, X, READS, WAVE, X, 4, 0);
        conflict(model, WRITES | ATOMIC, DEVICE, X, READS, WAVE, X, 4, 1);
        conflict(model, WRITES | ATOMIC, DEVICE, X, WRITES | ATOMIC, DEVICE, X, 4, 0);
        conflict(model, WRITES | ATOMIC, DEVICE, X, READS | ATOMIC, SYSTEM, X, 4, hrf);
        conflict(model, READS | ATOMIC, DEVICE, X, READS | ATOMIC, SYSTEM, X, 4, 0);
        conflict(model, WRITES | ATOMIC, GROUP, X, READS | ATOMIC, GROUP, X, 4, hrf);
        conflict(model, WRITES | ATOMIC, WAVE, X, READS | ATOMIC, WAVE, X, 4, hrf);
        conflict(model, WRITES | ATOMIC, DEVICE, X, READS | ATOMIC, SYSTEM, X + 4, 8, hrf);
    }
}

static void no_group(struct trial *trial)
{
    uint32_t t1 = begin(trial, RACE_NO_GROUP, NULL);
    uint32_t t2 = begin(trial, RACE_NO_GROUP, NULL);

    store(trial, t1, X);
    release(trial, t1, A, GROUP);
    acquire(trial, t2, A, GROUP);
    load(trial, t2, X);
}

/* ---- what orders ---- */

static void other_word(struct trial *trial)
{
    uint32_t t1 = begin(trial, 0, NULL);
    uint32_t t2 = begin(trial, 1, NULL);

    store(trial, t1, X);
    release(trial, t1, A, DEVICE);
    acquire(trial, t2, B, DEVICE);
    load(trial, t2, X);
}

static void acquired_before(struct trial *trial)
{
    uint32_t t1 = begin(trial, 0, NULL);
    uint32_t t2 = begin(trial, 1, NULL);

    store(trial, t1, X);
    acquire(trial, t2, A, DEVICE);
    release(trial, t1, A, DEVICE);
    load(trial, t2, X);
}

/* The word's clock keeps all that was released there. */
static void released_by_two(struct trial *trial)
{
    uint32_t t1 = begin(trial, 0, NULL);
    uint32_t t2 = begin(trial, 1, NULL);
    uint32_t t3 = begin(trial, 2, NULL);

    store(trial, t1, X);
    release(trial, t1, A, DEVICE);
    store(trial, t2, Y);
    release(trial, t2, A, DEVICE);
    acquire(trial, t3, A, DEVICE);
    load(trial, t3, X);
    load(trial, t3, Y);
}

/* A read-modify-write publishes what it has acquired itself. */
static void through_exchange(struct trial *trial)
{
    uint32_t t1 = begin(trial, 0, NULL);
    uint32_t t2 = begin(trial, 1, NULL);
    uint32_t t3 = begin(trial, 2, NULL);

    store(trial, t1, X);
    release(trial, t1, A, DEVICE);
    access_at(trial, t2, trial->place[t2]++, READS | WRITES | ATOMIC | ACQUIRES | RELEASES, DEVICE,
              1, A, 8);
    acquire(trial, t3, B, DEVICE);
    load(trial, t3, X);
    exchange(trial, t3, B, DEVICE);
}

static void fences(struct trial *trial, uint32_t first, uint32_t second, enum sl_scope scope)
{
    uint32_t t1 = begin(trial, 0, NULL);
    uint32_t t2 = begin(trial, 0, NULL);

    store(trial, t1, X);
    fence(trial, t1, first, scope);
    relaxed(trial, t1, WRITES, A, GROUP);
    relaxed(trial, t2, READS, A, GROUP);
    fence(trial, t2, second, scope);
    load(trial, t2, X);
}

static void fences_pair(struct trial *trial)
{
    fences(trial, RELEASES, ACQUIRES, GROUP);
}

static void fences_of_other_scope(struct trial *trial)
{
    fences(trial, RELEASES, ACQUIRES, DEVICE);
}

static void fences_swapped(struct trial *trial)
{
    fences(trial, ACQUIRES, RELEASES, GROUP);
}

static void fences_alone(struct trial *trial)
{
    uint32_t t1 = begin(trial, 0, NULL);
    uint32_t t2 = begin(trial, 0, NULL);

    store(trial, t1, X);
    fence(trial, t1, RELEASES | ACQUIRES, GROUP);
    fence(trial, t2, RELEASES | ACQUIRES, GROUP);
    load(trial, t2, X);
}

/* What stands between fence and atomic is not released. */
static void store_behind_fence(struct trial *trial)
{
    uint32_t t1 = begin(trial, 0, NULL);
    uint32_t t2 = begin(trial, 0, NULL);

    fence(trial, t1, RELEASES, GROUP);
    store(trial, t1, X);
    relaxed(trial, t1, WRITES, A, GROUP);
    acquire(trial, t2, A, GROUP);
    load(trial, t2, X);
}

/* A fence and the load behind it, which has its place. */
static void fence_at_place(struct trial *trial)
{
    uint32_t t1 = begin(trial, 0, NULL);
    uint32_t t2 = begin(trial, 0, NULL);

    store(trial, t1, X);
    release(trial, t1, A, GROUP);
    relaxed(trial, t2, READS, A, GROUP);
    fence(trial, t2, ACQUIRES, GROUP);
    trial->place[t2]--;
    load(trial, t2, X);
}

/* A store that waits in a buffer while the acquire behind it performs is not ordered by that. */
static void late_store(struct trial *trial)
{
    uint32_t t1 = begin(trial, 0, NULL);
    uint32_t t2 = begin(trial, 1, NULL);

    store(trial, t1, X);
    release(trial, t1, A, DEVICE);
    access_at(trial, t2, 1, READS | ATOMIC | ACQUIRES, DEVICE, 1, A, 4);
    access_at(trial, t2, 0, WRITES, WAVE, 1, X, 4);
}

/* The load behind the acquire performs first, and then once more, in time. */
static void late_load_in_order(struct trial *trial)
{
    uint32_t t1 = begin(trial, 0, NULL);
    uint32_t t2 = begin(trial, 1, NULL);

    store(trial, t1, X);
    release(trial, t1, A, DEVICE);
    access_at(trial, t2, 0, READS | ATOMIC | ACQUIRES, DEVICE, 1, A, 4);
    access_at(trial, t2, 2, READS, WAVE, 1, Y, 4);
    access_at(trial, t2, 1, READS, WAVE, 1, X, 4);
}

/* Ordered by an acquire of the lane's own word, but not by that of another lane. */
static void lanes_words(struct trial *trial, bool own)
{
    uint32_t t1 = begin(trial, 0, NULL);
    uint32_t t2 = begin(trial, 1, NULL);

    store(trial, t1, own ? A : B);
    release(trial, t1, A, DEVICE);
    access_at(trial, t2, 0, READS | ATOMIC | ACQUIRES, DEVICE, 3, A, 4);
}

static void lanes_own_word(struct trial *trial)
{
    lanes_words(trial, true);
}

static void lanes_other_word(struct trial *trial)
{
    lanes_words(trial, false);
}

static void test_what_orders(void **state)
{
    (void)state;
    expect(no_group, "-rr");
    expect(other_word, "rrr");
    expect(acquired_before, "rrr");
    expect(released_by_two, "---");
    expect(through_exchange, "---");
    expect(fences_pair, "---");
    expect(fences_of_other_scope, "-rr");
    expect(fences_swapped, "rrr");
    expect(fences_alone, "rrr");
    expect(store_behind_fence, "rrr");
    expect(fence_at_place, "---");
    expect(late_store, "rrr");
    expect(late_load_in_order, "---");
    expect(lanes_own_word, "---");
    expect(lanes_other_word, "rrr");
}

/* ---- what a report says ---- */

static void lacking(piece_fn *piece, enum race_model model, enum race_lacks lacks,
                    uint32_t released, uint32_t acquired, enum sl_scope holds)
{
    struct trial trial;

    start(&trial, model);
    piece(&trial);
    assert_int_equal(1, finish(&trial));
    assert_int_equal(lacks, trial.found[0].lacks);
    assert_int_equal(released, trial.found[0].released);
    assert_int_equal(acquired, trial.found[0].acquired);
    assert_int_equal(holds, trial.found[0].holds);
}

static void no_release(struct trial *trial)
{
    uint32_t t1 = begin(trial, 0, NULL);
    uint32_t t2 = begin(trial, 0, NULL);

    release(trial, t1, A, GROUP);
    store(trial, t1, X);
    acquire(trial, t2, A, GROUP);
    load(trial, t2, X);
}

static void no_acquire(struct trial *trial)
{
    uint32_t t1 = begin(trial, 0, NULL);
    uint32_t t2 = begin(trial, 1, NULL);

    acquire(trial, t2, A, DEVICE);
    store(trial, t1, X);
    release(trial, t1, A, DEVICE);
    load(trial, t2, X);
}

/* An end is a release for the aggregator, and none that another wavefront could have acquired. */
static void ended(struct trial *trial)
{
    uint32_t t1 = begin(trial, 0, NULL);
    uint32_t t2 = begin(trial, 1, NULL);
    struct race_clock *record = race_clock_create(trial->engine);

    store(trial, t1, X);
    leave(trial, record, t1, DEVICE);
    race_thread_end(trial->engine, t1, trial->place[t1]);
    acquire(trial, t2, A, DEVICE);
    load(trial, t2, X);
    race_clock_destroy(trial->engine, record);
}

/* A barrier is one for those of the work-group. */
static void met(struct trial *trial)
{
    uint32_t t1 = begin(trial, 0, NULL);
    uint32_t t2 = begin(trial, 1, NULL);
    struct race_clock *barrier = race_clock_create(trial->engine);

    store(trial, t1, X);
    leave(trial, barrier, t1, GROUP);
    acquire(trial, t2, A, DEVICE);
    load(trial, t2, X);
    race_clock_destroy(trial->engine, barrier);
}

static void small_release(struct trial *trial)
{
    uint32_t t1 = begin(trial, 0, NULL);
    uint32_t t2 = begin(trial, 1, NULL);

    store(trial, t1, X);
    release(trial, t1, A, GROUP);
    acquire(trial, t2, B, DEVICE);
    load(trial, t2, X);
}

static void small_acquire(struct trial *trial)
{
    uint32_t t1 = begin(trial, 0, NULL);
    uint32_t t2 = begin(trial, 1, NULL);

    store(trial, t1, X);
    release(trial, t1, A, DEVICE);
    acquire(trial, t2, B, GROUP);
    load(trial, t2, X);
}

static void two_scopes(struct trial *trial)
{
    uint32_t t1 = begin(trial, 0, NULL);
    uint32_t t2 = begin(trial, 1, NULL);

    store(trial, t1, X);
    release(trial, t1, A, DEVICE);
    acquire(trial, t2, B, SYSTEM);
    load(trial, t2, X);
}

static void one_variable(struct trial *trial)
{
    uint32_t t1 = begin(trial, 0, NULL);
    uint32_t t2 = begin(trial, 0, NULL);

    release(trial, t1, A, DEVICE);
    acquire(trial, t2, A, GROUP);
}

static void test_lacks(void **state)
{
    (void)state;
    lacking(no_release, RACE_HRF_DIRECT, RACE_LACKS_RELEASE, 0, 1u << GROUP, GROUP);
    lacking(ended, RACE_HRF_INDIRECT, RACE_LACKS_RELEASE, 0, 1u << DEVICE, DEVICE);
    lacking(met, RACE_HRF_INDIRECT, RACE_LACKS_RELEASE_SCOPE, 1u << GROUP, 1u << DEVICE, DEVICE);
    lacking(no_acquire, RACE_HRF_INDIRECT, RACE_LACKS_ACQUIRE, 1u << DEVICE, 0, DEVICE);
    lacking(small_release, RACE_HRF_INDIRECT, RACE_LACKS_RELEASE_SCOPE, 1u << GROUP, 1u << DEVICE,
            DEVICE);
    lacking(small_acquire, RACE_HRF_DIRECT, RACE_LACKS_ACQUIRE_SCOPE, 1u << DEVICE, 1u << GROUP,
            DEVICE);
    lacking(two_scopes, RACE_HRF_INDIRECT, RACE_LACKS_ONE_SCOPE, 1u << DEVICE, 1u << SYSTEM,
            DEVICE);
    lacking(one_variable, RACE_HRF_INDIRECT, RACE_LACKS_ONE_SCOPE, 1u << DEVICE, 1u << GROUP,
            GROUP);
    lacking(figure5_two_groups, RACE_HRF_DIRECT, RACE_LACKS_RELEASE_SCOPE, 1u << GROUP, 1u << GROUP,
            DEVICE);
    lacking(figure6, RACE_HRF_DIRECT, RACE_LACKS_CHAIN, 1u << GROUP, 1u << DEVICE, DEVICE);
    lacking(other_word, RACE_HRF_DIRECT, RACE_LACKS_PAIR, 1u << DEVICE, 1u << DEVICE, DEVICE);
    lacking(other_word, RACE_DRF, RACE_LACKS_PAIR, 1u << DEVICE, 1u << DEVICE, DEVICE);
}

/* Two instructions of 64 and 2 lanes, of which lanes 4 and 5 meet lanes 0 and 1: one finding. */
static void test_sides(void **state)
{
    struct trial trial;
    const struct race_finding *finding = &trial.found[0];
    uint32_t t1;
    uint32_t t2;

    (void)state;
    start(&trial, RACE_HRF_INDIRECT);
    t1 = begin(&trial, 5, NULL);
    t2 = begin(&trial, 6, NULL);
    access_at(&trial, t1, 3, WRITES, WAVE, ~UINT64_C(0), X, 4);
    access_at(&trial, t2, 2, READS | ATOMIC | ACQUIRES, DEVICE, 3, X + 16, 4);
    assert_int_equal(2, race_counters(trial.engine)->sync_operations);
    assert_int_equal(64, race_counters(trial.engine)->accesses);
    assert_int_equal(1, race_counters(trial.engine)->races[RACE_ORDINARY]);
    assert_int_equal(0, race_counters(trial.engine)->races[RACE_SYNCHRONIZATION]);
    assert_int_equal(1, finish(&trial));
    assert_int_equal(RACE_ORDINARY, finding->conflict);
    assert_int_equal(X + 16, finding->address);
    assert_int_equal(0x30, finding->earlier.lanes);
    assert_int_equal(3, finding->earlier.place);
    assert_int_equal(3, finding->earlier.pc);
    assert_int_equal(1, finding->earlier.time_ps);
    assert_int_equal(FIRST_WAVE, finding->earlier.thread.wave);
    assert_int_equal(FIRST_WAVE + 1, finding->later.thread.wave);
    assert_int_equal(5, finding->earlier.thread.group);
    assert_int_equal(3, finding->earlier.thread.cu);
    assert_true(finding->earlier.writes && !finding->earlier.synchronization);
    assert_int_equal(0x3, finding->later.lanes);
    assert_int_equal(2, finding->later.place);
    assert_int_equal(0x102, finding->later.pc);
    assert_int_equal(2, finding->later.time_ps);
    assert_int_equal(DEVICE, finding->later.scope);
    assert_true(finding->later.reads && !finding->later.writes && finding->later.synchronization);
}

/* ---- threads that end ---- */

/* An execution of `rounds` wavefronts one after the other, each of which stores what the one before
 * has stored; with or without the aggregator having learned of its end. */
static uint32_t rounds(enum race_model model, uint32_t rounds, bool told)
{
    struct trial trial;
    struct race_clock *packet;
    struct race_clock *record;
    uint32_t aggregator;

    start(&trial, model);
    packet = race_clock_create(trial.engine);
    record = race_clock_create(trial.engine);
    aggregator = begin(&trial, RACE_NO_GROUP, NULL);
    for (uint32_t i = 0; i < rounds; i++) {
        uint32_t wave;

        race_clock_clear(trial.engine, packet);
        leave(&trial, packet, aggregator, DEVICE);
        trial.place[aggregator]++;
        wave = begin(&trial, i, packet);
        store(&trial, wave, X);
        release(&trial, wave, A, GROUP);
        leave(&trial, record, wave, DEVICE);
        race_thread_end(trial.engine, wave, trial.place[wave]);
        if (told) {
            take(&trial, record, aggregator, DEVICE);
        }
    }
    race_clock_destroy(trial.engine, packet);
    race_clock_destroy(trial.engine, record);
    return finish(&trial);
}

static void test_one_after_the_other(void **state)
{
    (void)state;
    for (uint32_t model = 0; model < MODELS; model++) {
        assert_int_equal(0, rounds((enum race_model)model, 12, true));
        assert_true(rounds((enum race_model)model, 12, false) >= 11);
    }
}

/* A wavefront that has stored ends, the aggregator learns of it, and the next one gets its index.
 * That is ordered behind it at device scope, and orders another one of its work-group behind itself
 * at that scope: so behind the store along a chain only. */
static void index_used_again(struct trial *trial)
{
    struct race_clock *clock = race_clock_create(trial->engine);
    uint32_t aggregator = begin(trial, RACE_NO_GROUP, NULL);
    uint32_t first = begin(trial, 1, NULL);
    uint32_t mate = begin(trial, 2, NULL);
    uint32_t second;

    store(trial, first, X);
    leave(trial, clock, first, DEVICE);
    race_thread_end(trial->engine, first, trial->place[first]);
    take(trial, clock, aggregator, DEVICE);
    race_clock_clear(trial->engine, clock);
    leave(trial, clock, aggregator, DEVICE);
    second = begin(trial, 2, clock);
    load(trial, second, X);
    release(trial, second, A, GROUP);
    acquire(trial, mate, A, GROUP);
    load(trial, mate, X);
    race_clock_destroy(trial->engine, clock);
}

/* The next wavefront's packet is older than the aggregator's knowledge of the end. */
static void older_packet(struct trial *trial)
{
    struct race_clock *packet = race_clock_create(trial->engine);
    struct race_clock *record = race_clock_create(trial->engine);
    uint32_t aggregator = begin(trial, RACE_NO_GROUP, NULL);
    uint32_t first;

    leave(trial, packet, aggregator, DEVICE);
    first = begin(trial, 1, packet);
    store(trial, first, X);
    leave(trial, record, first, DEVICE);
    race_thread_end(trial->engine, first, trial->place[first]);
    take(trial, record, aggregator, DEVICE);
    load(trial, aggregator, X);
    load(trial, begin(trial, 2, packet), X);
    race_clock_destroy(trial->engine, packet);
    race_clock_destroy(trial->engine, record);
}

static void test_indices_used_again(void **state)
{
    struct trial trial;

    (void)state;
    expect(index_used_again, "-r-");
    expect(older_packet, "rrr");
    start(&trial, RACE_HRF_DIRECT);
    index_used_again(&trial);
    assert_int_equal(1, finish(&trial));
    assert_int_equal(FIRST_WAVE + 1, trial.found[0].earlier.thread.wave);
    assert_int_equal(RACE_LACKS_CHAIN, trial.found[0].lacks);
}

/* ---- what is forgotten ---- */

static void test_forget(void **state)
{
    struct trial trial;
    uint32_t t1;
    uint32_t t2;

    (void)state;
    start(&trial, RACE_HRF_DIRECT);
    t1 = begin(&trial, 0, NULL);
    t2 = begin(&trial, 1, NULL);
    store(&trial, t1, X);
    store(&trial, t1, Y);
    release(&trial, t1, A, GROUP);
    race_forget(trial.engine, X, 4);
    race_forget(trial.engine, A, 4);
    race_forget(trial.engine, 0x900000, 4096);
    load(&trial, t2, X);
    acquire(&trial, t2, A, DEVICE);
    assert_int_equal(0, trial.count);
    load(&trial, t2, Y);
    assert_int_equal(1, finish(&trial));
}

/* A second run knows nothing of the first. */
static void test_begin_again(void **state)
{
    struct trial trial;
    struct race_clock *clock;
    uint32_t t1;
    uint32_t t2;

    (void)state;
    start(&trial, RACE_HRF_DIRECT);
    clock = race_clock_create(trial.engine);
    t1 = begin(&trial, 0, NULL);
    t2 = begin(&trial, 1, NULL);
    store(&trial, t1, X);
    load(&trial, t2, X);
    leave(&trial, clock, t1, DEVICE);
    assert_int_equal(1, trial.count);
    race_begin(trial.engine);
    assert_int_equal(0, race_counters(trial.engine)->accesses);
    assert_int_equal(0, begin(&trial, 0, NULL));
    assert_int_equal(1, begin(&trial, 1, NULL));
    load(&trial, 1, X);
    take(&trial, clock, 1, DEVICE);
    assert_int_equal(1, trial.count);
    store(&trial, 0, X);
    race_clock_destroy(trial.engine, clock);
    assert_int_equal(2, finish(&trial));
    assert_int_equal(RACE_LACKS_RELEASE, trial.found[1].lacks);
}

/* ---- many ---- */

/* 300 wavefronts load the same words and count in another. The store of one that has read the count
 * races with none; that of one that has not, with the loads of all others. */
static void test_many_readers(void **state)
{
    (void)state;
    for (uint32_t model = 0; model < MODELS; model++) {
        struct trial trial;

        start(&trial, (enum race_model)model);
        for (uint32_t i = 0; i < MANY; i++) {
            assert_int_equal(i, begin(&trial, i / 8, NULL));
        }
        for (uint32_t i = 0; i < MANY; i++) {
            access_at(&trial, i, 0, READS, WAVE, 0xffff, X, 4);
            access_at(&trial, i, 1, READS | WRITES | ATOMIC | RELEASES, DEVICE, 1, A, 4);
        }
        access_at(&trial, 7, 2, READS | ATOMIC | ACQUIRES, DEVICE, 1, A, 4);
        access_at(&trial, 7, 3, WRITES, WAVE, 1, X, 4);
        assert_int_equal(0, trial.count);
        access_at(&trial, 5, 2, WRITES, WAVE, 1, X + 4, 4);
        assert_int_equal(MANY - 1, finish(&trial));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_figures),
        cmocka_unit_test(test_conflicts),
        cmocka_unit_test(test_what_orders),
        cmocka_unit_test(test_lacks),
        cmocka_unit_test(test_sides),
        cmocka_unit_test(test_one_after_the_other),
        cmocka_unit_test(test_indices_used_again),
        cmocka_unit_test(test_forget),
        cmocka_unit_test(test_begin_again),
        cmocka_unit_test(test_many_readers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
