/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The single choices of the levelized scheduler, with channels that the test fills: full
 * wavefronts, partial ones by both rules, continuations, what memory allows, waiters. */
#include <string.h>

#include "common/check.h"
#include "sluice/stamp.h"
#include "unit/firmware/firmware_levels.h"

/* Full wavefronts: the deepest level first, at most 4 in a packet. */
TEST(test_full)
{
    play_fib(64);
    played.levels.waits_for_drain = true;
    played.run.is_drained = false;
    play_put(0, 130);
    play_put(2, 6 * 64 + 5);
    assert_int_equal(play_choose(), 3);
    play_expect(0, 2, 256);
    play_expect(1, 2, 128);
    play_expect(2, 0, 128);
}

/* At the deepest level continuations go first. Packets grow with what is free: a sixteenth. */
TEST(test_full_wide)
{
    play_fib(320);
    played.run.is_drained = false;
    play_put(3, 64 * 30);
    play_put(LEVELS + 3, 64);
    play_put(LEVELS + 2, 64);
    assert_int_equal(play_choose(), 3);
    play_expect(0, LEVELS + 3, 64);
    play_expect(1, 3, 64 * 19); /* 319 / 16 */
    play_expect(2, 3, 64 * 11);
}

/* Partial ones by the paper's rule, when nothing is in flight: tasks before continuations, the
 * shallowest first. */
TEST(test_partial_drained)
{
    play_fib(64);
    played.levels.waits_for_drain = true;
    play_put(1, 7);
    play_put(2, 9);
    play_put(LEVELS + 2, 3);
    played.run.is_drained = false;
    assert_int_equal(play_choose(), 0);
    played.run.is_drained = true;
    assert_int_equal(play_choose(), 1);
    play_expect(0, 1, 7);
    play_dispatch(1, 7);
    play_complete(1, 7);
    assert_int_equal(play_choose(), 1);
    play_expect(0, 2, 9);
    play_dispatch(2, 9);
    play_complete(2, 9);
    assert_int_equal(play_choose(), 1);
    play_expect(0, LEVELS + 2, 3);
}

/* Partial ones once nothing can fill them: in the same order, but while others are in flight. */
TEST(test_partial)
{
    play_fib(64);
    played.run.is_drained = false;
    play_put(1, 7);
    play_put(2, 9);
    play_put(LEVELS + 2, 3);
    assert_int_equal(play_choose(), 1);
    play_expect(0, 1, 7);
    play_dispatch(1, 7);
    assert_int_equal(play_choose(), 0);
    play_complete(1, 7);
    assert_int_equal(play_choose(), 1);
    play_expect(0, 2, 9);
    play_dispatch(2, 9);
    assert_int_equal(play_choose(), 0);
    play_complete(2, 9);
    assert_int_equal(play_choose(), 1);
    play_expect(0, LEVELS + 2, 3);
}

/* What is left of a level goes with its full wavefronts, beside wavefronts of the same level; not
 * where memory holds full ones back. */
TEST(test_partial_with_full)
{
    play_fib(64);
    played.run.is_drained = false;
    play_put(1, 64);
    assert_int_equal(play_choose(), 1);
    play_dispatch(1, 64);
    play_put(1, 64 + 7);
    play_put(3, 9);
    assert_int_equal(play_choose(), 2);
    play_expect(0, 1, 64);
    play_expect(1, 1, 7);
    play_fib(4); /* 2 are kept for deeper levels: room for a full one and the rest, then for one */
    played.run.is_drained = false;
    play_put(1, 64 + 7);
    assert_int_equal(play_choose(), 2);
    played.run.pool_blocks = 3;
    assert_int_equal(play_choose(), 1);
    play_expect(0, 1, 64);
    played.run.pool_blocks = 2;
    assert_int_equal(play_choose(), 0);
    play_fib(64);
    played.run.is_drained = false;
    play_put(LEVELS + 1, 64 + 7);
    assert_int_equal(play_choose(), 2);
    play_expect(0, LEVELS + 1, 64);
    play_expect(1, LEVELS + 1, 7);
}

/* Continuations go after all tasks that can make more of them, ready or in flight, also of
 * shallower levels; and after deeper ones, which do not make any. */
TEST(test_partial_continuations)
{
    play_fib(64);
    played.run.is_drained = false;
    play_put(0, 1);
    play_put(LEVELS + 2, 3);
    play_put(LEVELS + 1, 5);
    played.channels[0].view.yielded = 1; /* the task may not go: others wait */
    assert_int_equal(play_choose(), 0);
    played.channels[0].view.yielded = 0;
    play_dispatch(0, 1);
    assert_int_equal(play_choose(), 0);
    play_complete(0, 1);
    assert_int_equal(play_choose(), 1);
    play_expect(0, LEVELS + 2, 3);
    play_dispatch(LEVELS + 2, 3);
    assert_int_equal(play_choose(), 0);
    play_complete(LEVELS + 2, 3);
    assert_int_equal(play_choose(), 1);
    play_expect(0, LEVELS + 1, 5);
}

/* Of cilksort. */
enum { SORTS, QUARTERS, HALVES, MERGES };

static void make_sort(void)
{
    static const enum sl_channel_role roles[] = {SL_ROLE_PRE_SPAWN, SL_ROLE_POST_SYNC,
                                                 SL_ROLE_POST_SYNC, SL_ROLE_PRE_SPAWN};
    static const struct play_edge edges[] = {
        {SORTS, SORTS, 1},     {SORTS, QUARTERS, 0}, {QUARTERS, MERGES, 1},
        {QUARTERS, HALVES, 0}, {HALVES, MERGES, 1},  {MERGES, MERGES, 1},
    };
    play_stacks(4, roles, edges, 6, 64);
    played.run.is_drained = false;
}

static uint32_t at(uint32_t stack, uint32_t level)
{
    return stack * LEVELS + level;
}

static bool may_fill(uint32_t channel)
{
    return levels_may_fill(&played.levels, played.channels, &played.channels[channel]);
}

/* Which elements may come: from shallower levels any, within a level by the edges, through any
 * number of kernels. Of what is ready, not of what waits for this channel. */
TEST(test_may_fill)
{
    static const bool same[STACKS][STACKS] = {
        [SORTS] = {[QUARTERS] = true, [HALVES] = true}, [QUARTERS] = {[HALVES] = true}};
    for (uint32_t from = 0; from < STACKS; from++) {
        const bool is_task = from == SORTS || from == MERGES;
        make_sort();
        play_put(at(from, 1), 64);
        (void)levels_poll(&played.levels, played.channels);
        for (uint32_t to = 0; to < STACKS; to++) {
            assert_int_equal(may_fill(at(to, 1)), same[from][to]);
            assert_int_equal(may_fill(at(to, 2)), is_task);
        }
        play_dispatch(at(from, 1), 64);
        for (uint32_t to = 0; to < STACKS; to++) {
            assert_int_equal(may_fill(at(to, 0)), false);
            assert_int_equal(may_fill(at(to, 1)), same[from][to]);
            assert_int_equal(may_fill(at(to, 2)), true);
            assert_int_equal(may_fill(at(to, 3)), true);
        }
        play_complete(at(from, 1), 64);
        assert_false(may_fill(at(MERGES, 2)));
    }
}

/* Merges go beside sorts of their level, and while shallower continuations wait for them; not while
 * one of those runs. First continuations go before second ones. */
TEST(test_partial_steps)
{
    make_sort();
    play_put(at(SORTS, 2), 3);
    play_put(at(MERGES, 2), 5);
    play_put(at(QUARTERS, 0), 7);
    assert_int_equal(play_choose(), 2);
    play_expect(0, at(SORTS, 2), 3);
    play_expect(1, at(MERGES, 2), 5);
    make_sort();
    play_put(at(QUARTERS, 1), 64);
    assert_int_equal(play_choose(), 1);
    play_dispatch(at(QUARTERS, 1), 64);
    play_put(at(MERGES, 2), 5);
    play_put(at(HALVES, 1), 64);
    assert_int_equal(play_choose(), 0);
    play_complete(at(QUARTERS, 1), 64);
    assert_int_equal(play_choose(), 1);
    play_expect(0, at(MERGES, 2), 5);
    make_sort();
    play_put(at(QUARTERS, 1), 4);
    play_put(at(HALVES, 1), 3);
    assert_int_equal(play_choose(), 1);
    play_expect(0, at(QUARTERS, 1), 4);
}

/* While wavefronts wait, by the paper's rule. */
TEST(test_partial_waiting)
{
    play_fib(64);
    play_put(3, 64);
    assert_int_equal(play_choose(), 1);
    play_dispatch(3, 64);
    play_put(1, 7);
    played.run.is_drained = false;
    played.run.yield.waiting = 1;
    assert_int_equal(play_choose(), 0);
    played.run.is_drained = true;
    assert_int_equal(play_choose(), 1);
    played.run.is_drained = false;
    played.run.yield.waiting = 0;
    assert_int_equal(play_choose(), 1);
    play_expect(0, 1, 7);
}

/* A continuation may go before the tasks of its own level, so that those wait for what it makes. */
TEST(test_partial_own_level)
{
    static const enum sl_channel_role roles[] = {SL_ROLE_PRE_SPAWN, SL_ROLE_POST_SYNC};
    static const struct play_edge edges[] = {{1, 0, 0}};
    play_stacks(2, roles, edges, 1, 64);
    played.run.is_drained = false;
    play_put(at(0, 1), 5);
    play_put(at(1, 1), 3);
    assert_int_equal(play_choose(), 0);
    play_put(at(1, 1), 61);
    assert_int_equal(play_choose(), 1);
    play_expect(0, at(1, 1), 64);
}

/* What is left behind full wavefronts of a kernel that feeds itself at its level is not final, also
 * where it does so through another kernel. */
TEST(test_partial_itself)
{
    static const enum sl_channel_role roles[] = {SL_ROLE_PRE_SPAWN, SL_ROLE_PRE_SPAWN};
    static const struct play_edge edges[] = {{0, 1, 0}, {1, 0, 0}};
    play_stacks(2, roles, edges, 2, 64);
    play_put(at(0, 1), 64 + 3);
    assert_int_equal(play_choose(), 1);
    play_expect(0, at(0, 1), 64);
    play_dispatch(at(0, 1), 64);
    played.run.is_drained = false;
    assert_int_equal(play_choose(), 0);
    play_complete(at(0, 1), 64);
    played.run.is_drained = true;
    assert_int_equal(play_choose(), 1);
    play_expect(0, at(0, 1), 3);
}

/* A channel of no stack may get elements from anywhere. */
TEST(test_partial_plain)
{
    static const enum sl_channel_role roles[] = {SL_ROLE_PLAIN};
    play_stacks(1, roles, NULL, 0, 64);
    play_put(2, 5);
    played.run.is_drained = false;
    assert_int_equal(play_choose(), 0);
    played.run.is_drained = true;
    assert_int_equal(play_choose(), 1);
    play_expect(0, 2, 5);
}

/* No continuation, not even a full wavefront, while anything is outstanding at a deeper level:
 * ready, dispatched or yielded. */
TEST(test_continuations_wait)
{
    play_fib(64);
    play_put(LEVELS + 1, 64);
    play_put(3, 1);
    played.levels.waits_for_drain = true;
    played.run.is_drained = false;
    assert_int_equal(play_choose(), 0);
    play_dispatch(3, 1);
    played.run.is_drained = true;
    assert_int_equal(play_choose(), 0);
    play_complete(3, 1);
    assert_int_equal(play_choose(), 1);
    play_expect(0, LEVELS + 1, 64);
}

/* Tasks of level 0 that may yield need more free blocks than there are levels below: 3. */
TEST(test_pool)
{
    play_fib(5);
    play_put(0, 64 * 9);
    assert_int_equal(play_choose(), 1);
    play_expect(0, 0, 2 * 64);
    played.run.dispatch.wavefronts = 2;
    play_dispatch(0, 128);
    assert_int_equal(play_choose(), 0);
    play_put(3, 64 * 9); /* the deepest level may take all of them */
    assert_int_equal(play_choose(), 1);
    play_expect(0, 3, 3 * 64);
    played.run.used_blocks = 1; /* what the device said, of packets that are not complete */
    assert_int_equal(play_choose(), 1);
    play_expect(0, 3, 4 * 64);
    /* Without waiting wavefronts nothing says how many of a packet's have ended. */
    played.run.dispatch.wavefronts = 6;
    played.run.used_blocks = UINT32_MAX;
    assert_int_equal(play_choose(), 0);
}

/* Wavefronts that count as in flight and as yielded, and ended ones of packets that have not: more
 * than there are blocks, so that none is known to be free. */
TEST(test_pool_counted_twice)
{
    play_fib(5);
    play_put(3, 64 * 9);
    played.run.dispatch.wavefronts = 9;
    played.run.used_blocks = 7;
    assert_int_equal(play_choose(), 0);
    played.run.used_blocks = 5;
    assert_int_equal(play_choose(), 0);
    played.run.used_blocks = 4;
    assert_int_equal(play_choose(), 1);
    play_expect(0, 3, 64);
}

/* Continuations that may wait leave the blocks that their channel says, too; those that cannot wait
 * take the last one. */
TEST(test_pool_continuations)
{
    play_fib(3);
    play_put(LEVELS + 1, 2);
    played.channels[LEVELS + 1].reserve = 3;
    assert_int_equal(play_choose(), 0);
    played.channels[LEVELS + 1].reserve = 2;
    assert_int_equal(play_choose(), 1);
    played.run.used_blocks = 2;
    played.run.dispatch.wavefronts = 2;
    assert_int_equal(play_choose(), 0);
    played.channels[LEVELS + 1].reserve = 0;
    assert_int_equal(play_choose(), 1);
    play_expect(0, LEVELS + 1, 2);
}

/* Nothing new where wavefronts wait. */
TEST(test_waiters)
{
    play_fib(64);
    play_put(1, 64);
    played.channels[1].view.yielded = 1;
    play_put(LEVELS + 1, 2);
    assert_int_equal(play_choose(), 1);
    play_expect(0, LEVELS + 1, 2);
}

/* Of a stamped channel, what is hidden behind a publication that has not come counts, too: the
 * children of a continuation may be there. */
TEST(test_continuations_wait_for_hidden)
{
    static uint64_t stamps[128];
    const uint64_t second = sl_stamp_next(3);
    const uint64_t end = sl_stamp_next(second + 2);
    memset(stamps, 0, sizeof stamps);
    play_fib(64);
    played.levels.waits_for_drain = true;
    played.channels[2].stamps = stamps;
    played.channels[2].polled = stamps;
    played.channels[2].view.width = 64;
    play_put(LEVELS + 1, 64);
    played.run.is_drained = false;
    played.shared[2].control_reserve = end; /* 3 elements, and 2 */
    stamps[1] = second + 2;
    assert_int_equal(play_choose(), 0);
    stamps[0] = 3;
    assert_int_equal(play_choose(), 0); /* they are ready */
    assert_int_equal(played.channels[2].view.control_tail, 5);
    play_dispatch(2, 5);
    assert_int_equal(play_choose(), 0);
    play_complete(2, 5);
    assert_int_equal(play_choose(), 1);
    play_expect(0, LEVELS + 1, 64);
}

/* Nor do final continuations go while their children may be hidden. */
TEST(test_final_continuations_wait_for_hidden)
{
    static uint64_t stamps[128];
    memset(stamps, 0, sizeof stamps);
    play_fib(64);
    played.channels[2].stamps = stamps;
    played.channels[2].polled = stamps;
    played.channels[2].view.width = 64;
    played.run.is_drained = false;
    play_put(LEVELS + 1, 5);
    assert_int_equal(play_choose(), 1);
    play_expect(0, LEVELS + 1, 5);
    played.shared[2].control_reserve = sl_stamp_next(3);
    assert_int_equal(play_choose(), 0);
}
