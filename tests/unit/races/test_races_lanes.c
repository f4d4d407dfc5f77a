/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Races between lanes of one wavefront, where a lane's load may overtake another lane's store
 * (docs/know/memory-model.md, "Between lanes"): what races, what orders, and which operation
 * performs first. */
#include "common/check.h"
#include "unit/races/race_trial.h"

#define WORD 4u

/* Lane 0 stores to X, or lane 1 accesses it. */
static void store_of_lane_0(struct trial *trial, uint32_t thread)
{
    access_at(trial, thread, trial->place[thread]++, WRITES, WAVE, 1, X, WORD);
}

static void lane_1(struct trial *trial, uint32_t thread, uint32_t what)
{
    access_at(trial, thread, trial->place[thread]++, what, DEVICE, 2, X - WORD, WORD);
}

/* Lane 0 stores, `between` follows, and lane 1 loads. */
typedef void between_fn(struct trial *trial, uint32_t thread);

static uint32_t races_with(enum race_model model, bool apart, between_fn *between)
{
    struct trial trial;

    start(&trial, model);
    trial.lanes_apart = apart;
    const uint32_t thread = begin(&trial, 0, NULL);
    store_of_lane_0(&trial, thread);
    between(&trial, thread);
    lane_1(&trial, thread, READS);
    return finish(&trial);
}

static void expect_between(between_fn *between, bool racy)
{
    for (enum race_model model = RACE_DRF; model <= RACE_HRF_INDIRECT; model++) {
        assert_int_equal(races_with(model, true, between), racy);
        assert_int_equal(races_with(model, false, between), 0);
    }
}

static void nothing(struct trial *trial, uint32_t thread)
{
    (void)trial;
    (void)thread;
}

static void releasing_fence(struct trial *trial, uint32_t thread)
{
    fence(trial, thread, RELEASES, WAVE);
}

static void acquiring_fence(struct trial *trial, uint32_t thread)
{
    fence(trial, thread, ACQUIRES, DEVICE);
}

static void release_alone(struct trial *trial, uint32_t thread)
{
    release(trial, thread, A, DEVICE);
}

static void acquire_alone(struct trial *trial, uint32_t thread)
{
    acquire(trial, thread, A, DEVICE);
}

/* "of other words, too" (docs/look-up/isa.md) */
static void release_acquire(struct trial *trial, uint32_t thread)
{
    release(trial, thread, A, WAVE);
    acquire(trial, thread, B, WAVE);
}

static void acquire_release(struct trial *trial, uint32_t thread)
{
    acquire(trial, thread, B, WAVE);
    release(trial, thread, A, WAVE);
}

/* "but for fences that only acquire" */
static void release_fence(struct trial *trial, uint32_t thread)
{
    release_alone(trial, thread);
    acquiring_fence(trial, thread);
}

/* The atomic itself is behind what it releases, and the fence behind the atomic. */
static void atomic_fence(struct trial *trial, uint32_t thread)
{
    relaxed(trial, thread, READS | WRITES | RELEASES, A, DEVICE);
    acquiring_fence(trial, thread);
}

static void acquire_release_atomic(struct trial *trial, uint32_t thread)
{
    exchange(trial, thread, A, WAVE);
}

/* Another wavefront has acquired and releases: so the store has been done. */
static void chain(struct trial *trial, uint32_t thread)
{
    const uint32_t other = begin(trial, 0, NULL);

    release(trial, thread, A, DEVICE);
    acquire(trial, other, A, DEVICE);
    release(trial, other, B, DEVICE);
    relaxed(trial, thread, READS, B, DEVICE);
    fence(trial, thread, ACQUIRES, DEVICE);
}

static void barrier(struct trial *trial, uint32_t thread)
{
    struct race_clock *clock = race_clock_create(trial->engine);

    leave(trial, clock, thread, GROUP);
    take(trial, clock, thread, GROUP);
    race_clock_destroy(trial->engine, clock);
}

TEST(test_what_orders)
{
    expect_between(nothing, true);
    expect_between(acquiring_fence, true);
    expect_between(release_alone, true);
    expect_between(acquire_alone, true);
    expect_between(acquire_release, true);
    expect_between(release_fence, true);
    expect_between(releasing_fence, false);
    expect_between(release_acquire, false);
    expect_between(atomic_fence, false);
    expect_between(acquire_release_atomic, false);
    expect_between(chain, false);
    expect_between(barrier, false);
}

/* A store behind the release is not ordered by it. */
TEST(test_stores_since)
{
    struct trial trial;

    start(&trial, RACE_HRF_INDIRECT);
    trial.lanes_apart = true;
    const uint32_t thread = begin(&trial, 0, NULL);
    release(&trial, thread, A, WAVE);
    store_of_lane_0(&trial, thread);
    acquire(&trial, thread, B, WAVE);
    lane_1(&trial, thread, READS);
    assert_int_equal(finish(&trial), 1);
}

/* What conflicts: a load, or an atomic, with a store in front of it. Stores leave the buffer in
 * order, loads are done before what follows them, a lane waits for its own store, and relaxed
 * synchronization of one scope does not race. */
TEST(test_what_conflicts)
{
    static const struct {
        uint32_t first, first_lane;
        uint32_t second, second_lane;
        bool racy;
    } cases[] = {
        {WRITES, 0, READS, 1, true},          {WRITES, 0, READS | WRITES | ATOMIC, 1, true},
        {WRITES | ATOMIC, 0, READS, 1, true}, {WRITES | ATOMIC, 0, READS | ATOMIC, 1, false},
        {WRITES, 0, READS, 0, false},         {WRITES, 0, WRITES, 1, false},
        {READS, 0, WRITES, 1, false},         {READS | WRITES | ATOMIC, 0, READS, 1, false},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct trial trial;

        start(&trial, RACE_HRF_INDIRECT);
        trial.lanes_apart = true;
        const uint32_t thread = begin(&trial, 0, NULL);
        const uint32_t first = cases[i].first_lane;
        const uint32_t second = cases[i].second_lane;
        access_at(&trial, thread, 0, cases[i].first, DEVICE, 1u << first, X - WORD * first, WORD);
        access_at(&trial, thread, 1, cases[i].second, DEVICE, 1u << second, X - WORD * second,
                  WORD);
        assert_int_equal(finish(&trial), cases[i].racy);
    }
}

/* The store is still in the buffer when the load performs. */
TEST(test_overtaken)
{
    struct trial trial;

    start(&trial, RACE_HRF_DIRECT);
    trial.lanes_apart = true;
    const uint32_t thread = begin(&trial, 0, NULL);
    access_at(&trial, thread, 1, READS, WAVE, 2, X - WORD, WORD);
    access_at(&trial, thread, 0, WRITES, WAVE, 1, X, WORD);
    assert_int_equal(trial.count, 1);
    assert_int_equal(trial.found[0].lacks, RACE_LACKS_LANES);
    assert_int_equal(trial.found[0].holds, SL_SCOPE_WAVEFRONT);
    assert_int_equal(trial.found[0].earlier.lanes, 2);
    assert_int_equal(trial.found[0].later.lanes, 1);
    (void)finish(&trial);
}
