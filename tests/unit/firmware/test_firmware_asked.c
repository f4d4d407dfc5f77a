/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Channels that the levelized scheduler asks: those with predicates other than full, and with
 * guards. */
#include <string.h>

#include "common/check.h"
#include "graph/guard.h"
#include "graph/scheduler.h"
#include "guards/guards.h"
#include "predicates/predicates.h"
#include "unit/firmware/firmware_levels.h"

/* Channels 0 and 1 are a stack of tasks, 2 and 3 one of continuations; channel 4 is plain, and all
 * that is in flight is of it, unless a test says otherwise. */
#define CHANNELS 5

static void make(const struct sl_guard *guards, uint32_t guard_count)
{
    const struct sl_graph graph = {.channel_count = CHANNELS,
                                   .kernel_count = 3,
                                   .guards = (uint64_t)(uintptr_t)guards,
                                   .guard_count = guard_count};

    memset(played.channels, 0, sizeof played.channels);
    memset(played.shared, 0, sizeof played.shared);
    for (uint32_t i = 0; i < CHANNELS; i++) {
        played.shared[i].kernel = i / 2;
        played.shared[i].levels = i < 4 ? 2 : 0;
        played.channels[i] = (struct channel){
            .view.width = 256,
            .shared = &played.shared[i],
            .throttle = &played.throttle,
            .polled = &played.shared[i].control_tail,
            .done = &played.done_counts[i],
            .done_next = &played.done_counts[i],
            .group = 64,
            .done_shift = 6,
            .data_mask = 255,
            .control_mask = 511,
            .predicate = predicate_table[SL_PREDICATE_FULL]->function,
            .role = i < 2   ? SL_ROLE_PRE_SPAWN
                    : i < 4 ? SL_ROLE_POST_SYNC
                            : SL_ROLE_PLAIN,
            .level = i < 4 ? i % 2 : 0,
        };
    }
    played.run = (struct run){
        .channels = played.channels,
        .channel_count = CHANNELS,
        .lanes = 64,
        .lane_shift = 6,
        .pool_blocks = 64,
        .used_blocks = UINT32_MAX,
        .state = &played.levels,
    };
    throttle_init(&played.throttle, THROTTLE_NONE);
    guard_init(&played.run, &graph, guard_table);
}

static void has_predicate(uint32_t channel, enum sl_predicate predicate, uint32_t argument)
{
    played.channels[channel].predicate = predicate_table[predicate]->function;
    played.channels[channel].is_timed = predicate_table[predicate]->is_timed;
    played.channels[channel].is_asked = true;
    played.channels[channel].view.argument = argument;
}

static void begin(void)
{
    const struct sl_graph graph = {.channel_count = CHANNELS, .kernel_count = 3};
    levels_init(&played.levels, played.channels, &graph, 64);
    played.levels.waits_for_drain = false;
}

static void put(uint32_t channel, uint32_t count)
{
    play_put(channel, count);
    played.shared[channel].data_tail += count;
}

static struct poll poll(void)
{
    levels_widen(&played.levels);
    return levels_poll(&played.levels, played.channels);
}

/* What a predicate lets go goes in packets of at most four wavefronts, the last one partial. */
TEST(test_always)
{
    make(NULL, 0);
    has_predicate(1, SL_PREDICATE_ALWAYS, 0);
    begin();
    put(4, 1);
    (void)poll();
    play_dispatch(4, 1);
    put(0, 63);
    put(1, 300);
    played.levels.waits_for_drain = true;
    assert_int_equal(play_choose(), 2);
    play_expect(0, 1, 256);
    play_expect(1, 1, 44);
    play_dispatch(1, 256);
    play_dispatch(1, 44);
    put(1, 1);
    assert_int_equal(play_choose(), 1);
    play_expect(0, 1, 1);
}

/* Full wavefronts wait, too, where a predicate wants more elements. */
TEST(test_at_least)
{
    make(NULL, 0);
    has_predicate(0, SL_PREDICATE_AT_LEAST, 200);
    begin();
    put(4, 1);
    (void)poll();
    play_dispatch(4, 1);
    put(0, 199);
    assert_int_equal(play_choose(), 0);
    put(0, 1);
    assert_int_equal(play_choose(), 1);
    play_expect(0, 0, 200);
}

/* Continuations, asked or not, wait for what is deeper. */
TEST(test_continuations)
{
    make(NULL, 0);
    has_predicate(2, SL_PREDICATE_ALWAYS, 0);
    begin();
    put(4, 1);
    (void)poll();
    play_dispatch(4, 1);
    put(2, 5);
    put(1, 3);
    assert_int_equal(play_choose(), 0);
    play_dispatch(1, 3);
    play_complete(1, 3);
    assert_int_equal(play_choose(), 1);
    play_expect(0, 2, 5);
}

TEST(test_timed)
{
    make(NULL, 0);
    has_predicate(1, SL_PREDICATE_AGE, 5);
    begin();
    assert_false(poll().is_timed); /* nothing is ready */
    put(0, 1);
    assert_true(poll().is_timed);
    make(NULL, 0);
    begin();
    put(0, 1);
    assert_false(poll().is_timed);
}

/* Tasks of both levels go as the plain channel, of 256 elements, has space for 2 each; when nothing
 * is in flight, too. */
TEST(test_guard)
{
    static const struct sl_guard guard = {
        .channel = 0, .other = 4, .kind = SL_GUARD_SPACE, .argument = 2};
    make(&guard, 1);
    begin();
    assert_int_equal(played.channels[1].least, 1);
    assert_int_equal(played.channels[2].least, 64);
    put(4, 2);
    (void)poll();
    play_dispatch(4, 2);
    put(0, 64);
    put(1, 128);
    assert_true(poll().is_timed);
    assert_int_equal(play_choose(), 1);
    play_expect(0, 1, 64); /* of 127 that there is space for: predicate full */
    play_dispatch(1, 64);
    assert_int_equal(play_choose(), 0); /* 63 of either would do, but not a full wavefront */
    play_complete(1, 64);
    played.shared[4].data_tail += 128;
    played.shared[4].control_tail += 128;
    play_complete(4, 2);
    (void)poll();
    play_dispatch(4, 128);
    play_complete(4, 128);
    played.run.is_drained = true;
    assert_int_equal(play_choose(), 1); /* 63 of the shallower ones: 130 of 256 are taken */
    play_expect(0, 0, 63);
    play_dispatch(0, 63);
    play_complete(0, 63);
    played.shared[4].data_tail += 126;
    assert_int_equal(play_choose(), 0);
}

/* Predicates know what they wait for: nothing of a channel that is asked goes because nothing else
 * can fill it up, while something is in flight. When nothing is, it goes a wavefront at a time. */
TEST(test_rests)
{
    make(NULL, 0);
    has_predicate(1, SL_PREDICATE_AT_LEAST, 1000);
    for (uint32_t i = 2; i < CHANNELS; i++) {
        played.channels[i].role =
            SL_ROLE_POST_SYNC; /* no plain channel, which could lead anywhere */
    }
    begin();
    put(3, 64);
    (void)poll();
    play_dispatch(3, 64);
    put(1, 128);
    assert_int_equal(play_choose(), 0);
    played.run.is_drained = true;
    assert_int_equal(play_choose(), 1);
    play_expect(0, 1, 64);
    played.channels[1].is_asked = false;
    begin();
    played.run.is_drained = false;
    put(1, 7);
    assert_int_equal(play_choose(), 2);
    play_expect(0, 1, 128);
    play_expect(1, 1, 7);
}
