/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Races found in executions written by hand: the examples of papers/002 (Figures 2, 3, 5, 6 and 7)
 * in all three models, what conflicts, and what orders. test_races_random.c looks for what these
 * forget. */
#include "common/check.h"
#include "unit/races/race_trial.h"

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

static void figure5_one_group(struct trial *trial)
{
    figure5(trial, 0);
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

TEST(test_figures)
{
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

TEST(test_conflicts)
{
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

/* The same behind two stores of its thread that are ordered: these do not stand for what they are
 * ordered behind. */
static void late_store_behind_own(struct trial *trial)
{
    uint32_t t1 = begin(trial, 0, NULL);
    uint32_t t2 = begin(trial, 1, NULL);

    store(trial, t1, X);
    release(trial, t1, A, DEVICE);
    access_at(trial, t2, 1, READS | ATOMIC | ACQUIRES, DEVICE, 1, A, 4);
    access_at(trial, t2, 2, WRITES, WAVE, 1, X, 4);
    access_at(trial, t2, 3, WRITES, WAVE, 1, X, 4);
    access_at(trial, t2, 0, WRITES, WAVE, 1, X, 4);
}

/* Three in a row at device scope, and one behind the second of them at its work-group's: with
 * hrf-direct the third may not make the first forgotten. */
static void behind_the_second(struct trial *trial)
{
    uint32_t t1 = begin(trial, 0, NULL);
    uint32_t t2 = begin(trial, 1, NULL);
    uint32_t t3 = begin(trial, 2, NULL);
    uint32_t mate = begin(trial, 1, NULL);

    store(trial, t1, X);
    release(trial, t1, A, DEVICE);
    acquire(trial, t2, A, DEVICE);
    store(trial, t2, X);
    release(trial, t2, A, DEVICE);
    release(trial, t2, B, GROUP);
    acquire(trial, t3, A, DEVICE);
    load(trial, t3, X);
    acquire(trial, mate, B, GROUP);
    load(trial, mate, X);
}

/* A late store of more bytes than its thread's later one, which does not stand for it. */
static void late_store_of_more(struct trial *trial)
{
    uint32_t t1 = begin(trial, 0, NULL);
    uint32_t t2 = begin(trial, 1, NULL);

    access_at(trial, t1, 1, WRITES, WAVE, 1, X, 1);
    access_at(trial, t1, 0, WRITES, WAVE, 1, X, 4);
    access_at(trial, t2, 0, READS, WAVE, 1, X + 2, 1);
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

TEST(test_what_orders)
{
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
    expect(late_store_behind_own, "rrr");
    expect(late_store_of_more, "rrr");
    expect(behind_the_second, "-r-");
    expect(late_load_in_order, "---");
    expect(lanes_own_word, "---");
    expect(lanes_other_word, "rrr");
}
