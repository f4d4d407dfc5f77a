/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What a race's report says, and what the engine keeps: indices of threads that are used again,
 * words that are forgotten, many readers. */
#include "common/check.h"
#include "unit/races/race_trial.h"

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

TEST(test_lacks)
{
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
TEST(test_sides)
{
    struct trial trial;
    const struct race_finding *finding = &trial.found[0];
    uint32_t t1;
    uint32_t t2;

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

TEST(test_one_after_the_other)
{
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

/* So the next wavefront must not have its index: another, ordered behind the second, is not behind
 * the first. */
static void behind_older_packet(struct trial *trial)
{
    struct race_clock *packet = race_clock_create(trial->engine);
    struct race_clock *record = race_clock_create(trial->engine);
    uint32_t aggregator = begin(trial, RACE_NO_GROUP, NULL);
    uint32_t last = begin(trial, 3, NULL);
    uint32_t first;
    uint32_t second;

    leave(trial, packet, aggregator, DEVICE);
    first = begin(trial, 1, packet);
    store(trial, first, X);
    leave(trial, record, first, DEVICE);
    race_thread_end(trial->engine, first, trial->place[first]);
    take(trial, record, aggregator, DEVICE);
    second = begin(trial, 2, packet);
    release(trial, second, A, DEVICE);
    acquire(trial, last, A, DEVICE);
    load(trial, last, X);
    race_clock_destroy(trial->engine, packet);
    race_clock_destroy(trial->engine, record);
}

TEST(test_indices_used_again)
{
    struct trial trial;

    expect(index_used_again, "-r-");
    expect(older_packet, "rrr");
    expect(behind_older_packet, "rrr");
    start(&trial, RACE_HRF_DIRECT);
    index_used_again(&trial);
    assert_int_equal(1, finish(&trial));
    assert_int_equal(FIRST_WAVE + 1, trial.found[0].earlier.thread.wave);
    assert_int_equal(RACE_LACKS_CHAIN, trial.found[0].lacks);
}

/* ---- what is forgotten ---- */

TEST(test_forget)
{
    struct trial trial;
    uint32_t t1;
    uint32_t t2;

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
TEST(test_begin_again)
{
    struct trial trial;
    struct race_clock *clock;
    uint32_t t1;
    uint32_t t2;

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

/* A store that all have come to be ordered behind may be forgotten, but for a packet that is older:
 * what is launched from that races with it. Others store beside it until there are many; and by
 * then it is long ago that what all know was looked at. */
static void old_packet_and_many(struct trial *trial)
{
    struct race_clock *packet = race_clock_create(trial->engine);
    uint32_t aggregator = begin(trial, RACE_NO_GROUP, NULL);
    uint32_t late;

    for (uint32_t i = 1; i < 40; i++) {
        begin(trial, i, NULL);
    }
    leave(trial, packet, aggregator, DEVICE);
    access_at(trial, 1, trial->place[1]++, WRITES, WAVE, 1, X, 1);
    for (uint32_t i = 1; i <= 30 * 40; i++) {
        uint32_t thread = i % 40;

        exchange(trial, thread, A, DEVICE);
        if (i > 29 * 40) {
            access_at(trial, thread, trial->place[thread]++, WRITES, WAVE, 1, X + 1, 1);
            release(trial, thread, A, DEVICE);
        }
    }
    assert_int_equal(0, trial->count);
    late = begin(trial, 40, packet);
    access_at(trial, late, 0, READS, WAVE, 1, X, 1);
    assert_int_equal(1, trial->count);
    assert_int_equal(FIRST_WAVE + 1, trial->found[0].earlier.thread.wave);
    race_clock_destroy(trial->engine, packet);
}

TEST(test_old_packet_and_many)
{
    expect(old_packet_and_many, "rrr");
}

/* The aggregator alone knows all of itself, but what it launches later knows what it had done by
 * then, and no more. Many have loaded the word, so that what all know is looked at when it is
 * alone; and soon again, so that the same is still used. */
static void left_alone(struct trial *trial)
{
    struct race_clock *packet = race_clock_create(trial->engine);
    struct race_clock *record = race_clock_create(trial->engine);
    uint32_t aggregator = begin(trial, RACE_NO_GROUP, NULL);
    uint32_t writer;

    leave(trial, packet, aggregator, DEVICE);
    for (uint32_t i = 0; i < RACE_COLLECT_AT; i++) {
        uint32_t reader = begin(trial, 1 + i, packet);

        load(trial, reader, X);
        leave(trial, record, reader, DEVICE);
        race_thread_end(trial->engine, reader, trial->place[reader]);
    }
    take(trial, record, aggregator, DEVICE);
    race_clock_clear(trial->engine, packet);
    race_clock_clear(trial->engine, record);
    load(trial, aggregator, X);

    leave(trial, packet, aggregator, DEVICE);
    writer = begin(trial, 0, packet);
    load(trial, aggregator, X);
    for (uint32_t i = 0; i < RACE_COLLECT_AT; i++) {
        uint32_t reader = begin(trial, 1 + RACE_COLLECT_AT + i, packet);

        load(trial, reader, X);
        leave(trial, record, reader, DEVICE);
    }
    take(trial, record, writer, DEVICE);
    store(trial, writer, X);
    assert_int_equal(1, trial->count);
    assert_int_equal(FIRST_WAVE, trial->found[0].earlier.thread.wave);
    race_clock_destroy(trial->engine, packet);
    race_clock_destroy(trial->engine, record);
}

TEST(test_left_alone)
{
    expect(left_alone, "rrr");
}

/* 300 wavefronts load the same words and count in another. The store of one that has read the count
 * races with none; that of one that has not, with the loads of all others. */
TEST(test_many_readers)
{
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
