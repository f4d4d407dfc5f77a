/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The throttle: what counts as in flight, windows of completion records, what is noted. A machine
 * is played whose wavefronts hold their contexts for longer the more are in flight. */
#include "common/check.h"
#include "queues/throttle.h"
#include "unit/firmware/firmware_mock.h"

#define CONTEXTS 320u

static struct throttle throttle;
static struct throttle other;

/* A packet of one wavefront. */
static struct sl_completion record(uint32_t busy_ns)
{
    return (struct sl_completion){
        .elements = 64, .wavefronts = 1, .busy_ns = busy_ns, .accesses = 1000};
}

/* Fills up to the bound, then a wavefront ends and its place is filled. Below `peak` in flight each
 * takes `least_ns`; behind it as much more as there are more, and as much again. */
static void play(uint32_t wavefronts, uint32_t peak, uint32_t least_ns)
{
    for (uint32_t i = 0; i < wavefronts; i++) {
        throttle_launch(&throttle, throttle_free(&throttle));
        const uint64_t n = throttle.in_flight;
        const uint64_t ns = n <= peak ? least_ns : least_ns * n * n / peak / peak;
        const struct sl_completion ended = record((uint32_t)ns);
        throttle_complete(&throttle, &ended);
    }
}

static void search(void)
{
    mock_reset();
    throttle_init(&throttle, THROTTLE_NONE);
    throttle_search(&throttle, 3, CONTEXTS, NULL);
}

TEST(test_in_flight)
{
    const struct sl_completion four = {.wavefronts = 4};

    mock_reset();
    throttle_init(&throttle, 6);
    assert_int_equal(throttle_free(&throttle), 6);
    throttle_launch(&throttle, 4);
    throttle_launch(&throttle, 2);
    assert_int_equal(throttle_free(&throttle), 0);
    throttle_yield(&throttle); /* does not count while it waits */
    assert_int_equal(throttle_free(&throttle), 1);
    throttle_launch(&throttle, 1);
    throttle_launch(&throttle, 1); /* a restart may exceed the bound */
    assert_int_equal(throttle.in_flight, 7);
    assert_int_equal(throttle_free(&throttle), 0);
    throttle_complete(&throttle, &four);
    assert_int_equal(throttle_free(&throttle), 3);
    assert_int_equal(mock.log_count, 0); /* a bound that is given costs no access */
}

/* Long wavefronts: the bound finds the peak, below where it begins and above. */
TEST(test_search)
{
    static const uint32_t peaks[] = {16, 32, 100};

    for (size_t i = 0; i < sizeof peaks / sizeof peaks[0]; i++) {
        search();
        assert_int_equal(throttle.bound, 32);
        play(20000, peaks[i], 100000);
        assert_in_range(throttle.climb.best, peaks[i] - (peaks[i] + 2) / 3,
                        peaks[i] + (peaks[i] + 1) / 2);
    }
}

/* Wavefronts that end at once leave the firmware no time: as many as there are contexts. */
TEST(test_short)
{
    search();
    play(1000, CONTEXTS, 4000);
    assert_int_equal(throttle.climb.best, CONTEXTS);
}

/* What is in flight less than half of the bound says nothing of it. */
TEST(test_starved)
{
    const struct sl_completion ended = record(1000000);

    search();
    for (uint32_t i = 0; i < 1000; i++) {
        throttle_launch(&throttle, 15 - throttle.in_flight);
        throttle_complete(&throttle, &ended);
    }
    assert_int_equal(throttle.bound, 32);
    assert_false(throttle.has_measured);
}

/* Each bound that is set is noted once, at the price of a store; tries are marked. The first window
 * ends with the 32nd wavefront. */
TEST(test_notes)
{
    size_t at = 0;

    search();
    MOCK_EXPECT(&at, MOCK_WRITE(THROTTLE, 3ull << 32 | 32));
    play(31, CONTEXTS, 100000);
    assert_int_equal(mock.log_count, at);
    play(1, CONTEXTS, 100000);
    MOCK_EXPECT(&at, MOCK_WRITE(THROTTLE, SL_THROTTLE_TRIES | 3ull << 32 | 21));
    assert_int_equal(throttle.settling, 31); /* of the bound before: not counted */
    assert_int_equal(mock.log_count, at);
}

/* A kernel of which nothing is known goes on from where another is; one that was measured does not.
 */
TEST(test_spread)
{
    search();
    throttle_init(&other, THROTTLE_NONE);
    throttle_search(&other, 4, CONTEXTS, &throttle);
    play(200, CONTEXTS, 4000);
    assert_true(throttle.climb.best > 64);
    assert_int_equal(other.bound, throttle.climb.best);
    assert_false(other.has_measured);
    const uint32_t before = other.bound;
    other.has_measured = true;
    play(1000, CONTEXTS, 4000);
    assert_int_equal(throttle.climb.best, CONTEXTS);
    assert_int_equal(other.bound, before);
}
