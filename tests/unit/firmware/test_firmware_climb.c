/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The hill climber on played response curves: one hill, a plain, noise, and a hill that moves. */
#include <stdbool.h>

#include "common/check.h"
#include "queues/hill_climb.h"

#define LEAST 8u
#define FIRST 32u
#define MOST  320u

static struct hill_climb climb;
static uint32_t random_state;

/* Rises with the bound up to the peak, and falls behind it as fast. */
static uint64_t hill(uint32_t bound, uint32_t peak)
{
    return bound <= peak ? 1000ull * bound : 1000ull * peak * peak / bound;
}

/* A rate that differs by up to so many per cent. */
static uint64_t noisy(uint64_t rate, uint32_t percent)
{
    random_state = random_state * 1664525u + 1013904223u;
    return rate * (100 - percent + (random_state >> 16) % (2 * percent + 1)) / 100;
}

static void play(uint32_t windows, uint32_t peak, uint32_t percent)
{
    for (uint32_t i = 0; i < windows; i++) {
        const uint64_t rate = hill(climb.bound, peak);
        hill_climb_window(&climb, percent == 0 ? rate : noisy(rate, percent));
        assert_in_range(climb.bound, LEAST, MOST);
        assert_in_range(climb.best, LEAST, MOST);
    }
}

/* Not further from the peak than a neighbour of it is. */
static void expect_near(uint32_t peak)
{
    assert_true(climb.best <= peak + (peak + 1) / 2);
    assert_true(climb.best >= peak - (peak + 2) / 3);
}

TEST(test_hill)
{
    static const uint32_t peaks[] = {8, 12, 20, 32, 50, 100, 200, 320};

    for (size_t i = 0; i < sizeof peaks / sizeof peaks[0]; i++) {
        hill_climb_init(&climb, LEAST, FIRST, MOST);
        play(40, peaks[i], 0);
        expect_near(peaks[i]);
    }
}

/* Three windows for each step: before, at the neighbour, after. The first neighbour is the lower
 * one. */
TEST(test_steps)
{
    static const uint32_t bounds[] = {32, 21, 32, 21, 14, 21, 14};

    hill_climb_init(&climb, LEAST, FIRST, MOST);
    for (size_t i = 0; i < sizeof bounds / sizeof bounds[0]; i++) {
        assert_int_equal(climb.bound, bounds[i]);
        hill_climb_window(&climb, hill(climb.bound, 8));
    }
    assert_int_equal(climb.best, 14);
}

/* Where nothing is gained nothing moves, and tries become rare: 16 windows of rest in the end. */
TEST(test_plain)
{
    uint32_t tries = 0;

    hill_climb_init(&climb, LEAST, FIRST, MOST);
    for (uint32_t i = 0; i < 1000; i++) {
        tries += hill_climb_is_trying(&climb);
        hill_climb_window(&climb, 1000000);
        assert_int_equal(climb.best, FIRST);
    }
    assert_in_range(tries, 50, 64);
}

/* Noise of 5 % on a hill, with 50 other seeds each: at the peak, or beside it. */
TEST(test_noise)
{
    for (uint32_t seed = 0; seed < 50; seed++) {
        random_state = seed;
        hill_climb_init(&climb, LEAST, FIRST, MOST);
        play(200, 48, 5);
        expect_near(48);
    }
}

/* What is best changes: it is looked for further on. */
TEST(test_moves)
{
    hill_climb_init(&climb, LEAST, FIRST, MOST);
    play(60, 16, 0);
    expect_near(16);
    play(150, 200, 0);
    expect_near(200);
}

/* A level that gets more done at whatever bound is no reason to move: the neighbour has to be
 * better than what follows it, too. */
TEST(test_drift)
{
    hill_climb_init(&climb, LEAST, FIRST, MOST);
    for (uint32_t i = 1; i <= 40; i++) {
        hill_climb_window(&climb, 1000000ull * i);
        assert_int_equal(climb.best, FIRST);
    }
}

TEST(test_starve)
{
    hill_climb_init(&climb, LEAST, FIRST, MOST);
    hill_climb_starve(&climb);
    assert_int_equal(climb.bound, FIRST);
    hill_climb_window(&climb, 1000);
    assert_int_equal(climb.bound, 21);
    hill_climb_starve(&climb);
    assert_int_equal(climb.bound, FIRST);
    assert_int_equal(climb.state, CLIMB_REST);
}

TEST(test_widen)
{
    static const uint32_t bounds[] = {64, 128, 256, 320, 320};

    hill_climb_init(&climb, LEAST, FIRST, MOST);
    for (size_t i = 0; i < sizeof bounds / sizeof bounds[0]; i++) {
        hill_climb_widen(&climb);
        assert_int_equal(climb.bound, bounds[i]);
        assert_int_equal(climb.best, bounds[i]);
    }
}

/* A machine with one context, and one with two. */
TEST(test_small)
{
    for (uint32_t most = 1; most <= 2; most++) {
        hill_climb_init(&climb, 1, 1, most);
        for (uint32_t i = 0; i < 20; i++) {
            hill_climb_window(&climb, 1000ull * climb.bound);
            assert_in_range(climb.bound, 1, most);
        }
        assert_int_equal(climb.best, most);
    }
}
