/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Which channels a pass of the levelized scheduler looks at, with channels that the test fills. */
#include "common/check.h"
#include "unit/firmware/firmware_levels.h"

TEST(test_sorted)
{
    static const uint16_t numbers[] = {1, 4, 7, 1023};
    struct sorted sorted = {0};
    sorted_insert(&sorted, 7);
    sorted_insert(&sorted, 1);
    sorted_insert(&sorted, 1023);
    sorted_insert(&sorted, 4);
    sorted_insert(&sorted, 4);
    assert_int_equal(sorted.count, 4);
    assert_memory_equal(sorted.number, numbers, sizeof numbers);
    sorted_remove(&sorted, 5);
    sorted_remove(&sorted, 0);
    assert_int_equal(sorted.count, 4);
    sorted_remove(&sorted, 4);
    sorted_remove(&sorted, 1023);
    assert_int_equal(sorted.count, 2);
    assert_int_equal(sorted.number[0], 1);
    assert_int_equal(sorted.number[1], 7);
}

TEST(test_levels)
{
    play_fib(64);
    assert_int_equal(played.levels.count, LEVELS);
    for (uint32_t level = 0; level < LEVELS; level++) {
        assert_int_equal(played.levels.start[level], 2 * level);
        assert_int_equal(played.levels.channel[2 * level], level);
        assert_int_equal(played.levels.channel[2 * level + 1], LEVELS + level);
        assert_int_equal(played.channels[LEVELS + level].rank, 2 * level + 1);
    }
    assert_int_equal(played.levels.start[LEVELS], 2 * LEVELS);
}

/* By the edges: of tasks the level's continuations, then deeper tasks; of continuations nothing. */
TEST(test_outputs)
{
    play_fib(64);
    for (uint32_t level = 0; level < LEVELS; level++) {
        const struct output *output = played.channels[level].outputs;
        assert_ptr_equal(output->channel, &played.channels[LEVELS + level]);
        if (level + 1 < LEVELS) {
            assert_ptr_equal(output->next->channel, &played.channels[level + 1]);
            output = output->next;
        }
        assert_null(output->next);
        assert_null(played.channels[LEVELS + level].outputs);
    }
    assert_false(played.levels.is_always_wide);
}

/* A plain channel's kernel puts elements where its edges say, a stack's at all levels into a plain
 * channel. */
TEST(test_outputs_plain)
{
    struct sl_edge edges[] = {
        {.kernel = 1, .channel = 2}, {.kernel = 1, .channel = 0}, {.kernel = 0, .channel = 3}};
    const struct sl_graph graph = {
        .edges = (uintptr_t)edges, .edge_count = 3, .channel_count = LEVELS + 1};
    play_fib(64);
    for (uint32_t i = 0; i < LEVELS; i++) {
        played.channels[i].outputs = NULL;
    }
    edges[2].channel = LEVELS;
    played.channels[LEVELS].outputs = NULL;
    played.channels[LEVELS].role = SL_ROLE_PLAIN;
    played.channels[LEVELS].level = 0;
    played.shared[LEVELS].levels = 0;
    levels_init(&played.levels, played.channels, &graph, 64);
    for (uint32_t level = 0; level < LEVELS; level++) {
        assert_ptr_equal(played.channels[level].outputs->channel, &played.channels[LEVELS]);
        assert_null(played.channels[level].outputs->next);
    }
    assert_ptr_equal(played.channels[LEVELS].outputs->channel, &played.channels[0]);
    assert_ptr_equal(played.channels[LEVELS].outputs->next->channel, &played.channels[2]);
    assert_null(played.channels[LEVELS].outputs->next->next);
}

/* A pass looks only at what the device works on and at its outputs: news elsewhere, which no kernel
 * could have made, are found when everything is looked at. */
TEST(test_polls_busy)
{
    play_fib(64);
    play_put(1, 70);
    assert_true(levels_poll(&played.levels, played.channels).is_new);
    assert_int_equal(played.levels.first, 1);
    assert_int_equal(played.levels.limit, 2);
    assert_int_equal(played.levels.busy_count, 0);
    play_put(2, 1);
    assert_false(
        levels_poll(&played.levels, played.channels).is_new); /* nothing is with the device */
    play_dispatch(1, 64);
    struct poll poll = levels_poll(&played.levels, played.channels);
    assert_true(poll.is_new && poll.is_ready);
    assert_int_equal(played.levels.ready, 6 + 1);
    assert_int_equal(played.levels.limit, 3);
    play_put(LEVELS + 1, 64);
    play_put(LEVELS, 64);
    play_put(3, 64);
    assert_true(levels_poll(&played.levels, played.channels).is_new);
    assert_int_equal(played.channels[LEVELS + 1].view.control_tail, 64);
    assert_int_equal(played.channels[LEVELS].view.control_tail, 0);
    assert_int_equal(played.channels[3].view.control_tail, 0);
    levels_widen(&played.levels);
    assert_true(levels_poll(&played.levels, played.channels).is_new);
    assert_int_equal(played.channels[LEVELS].view.control_tail, 64);
    assert_int_equal(played.channels[3].view.control_tail, 64);
    assert_int_equal(played.levels.first, 0);
    assert_int_equal(played.levels.limit, 4);
}

/* What was put in before a completion is found by the pass that reads the completion, the last one
 * that looks; and a done group is deallocated however late it is seen. */
TEST(test_last_poll)
{
    play_fib(64);
    play_put(0, 64);
    (void)levels_poll(&played.levels, played.channels);
    play_dispatch(0, 64);
    play_put(1, 5);
    played.done_counts[0] = 64;
    play_complete(0, 64);
    struct poll poll = levels_poll(&played.levels, played.channels);
    assert_true(poll.is_new && poll.is_done);
    assert_int_equal(played.levels.first, 1); /* nothing of level 0 is outstanding */
    assert_int_equal(played.levels.busy_count, 1);
    levels_retire(&played.levels, 32);
    assert_int_equal(played.shared[0].data_head, 64);
    assert_int_equal(played.done_counts[0], 0);
    assert_false(levels_poll(&played.levels, played.channels).is_done);
    assert_int_equal(played.levels.busy_count, 0);
}

/* Where all of a channel's wavefronts have yielded, one more pass looks; then none, until one is
 * restarted. */
TEST(test_settles)
{
    play_fib(64);
    play_put(0, 64);
    (void)levels_poll(&played.levels, played.channels);
    play_dispatch(0, 64);
    play_put(LEVELS, 3);
    played.channels[0].view.yielded = 1;
    assert_true(levels_poll(&played.levels, played.channels).is_new);
    play_put(1, 9);
    assert_false(levels_poll(&played.levels, played.channels).is_new);
    assert_int_equal(played.levels.busy_count, 1);
    played.channels[0].view.yielded = 0;
    played.channels[0].is_settled =
        false; /* as queues/yield.c does where it restarts a wavefront */
    assert_true(levels_poll(&played.levels, played.channels).is_new);
    played.channels[0].view.yielded = 1;
    (void)levels_poll(&played.levels, played.channels);
    assert_true(played.channels[0].is_settled);
    played.channels[0].view.yielded = 0;
    played.channels[0].is_settled = false;
    play_complete(0, 64);
    (void)levels_poll(&played.levels, played.channels);
    assert_int_equal(played.levels.busy_count, 0);
    assert_int_equal(played.levels.first, 0); /* the continuations */
    assert_int_equal(played.levels.limit, 2);
}
