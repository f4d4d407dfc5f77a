/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Which channels a pass of the levelized scheduler looks at, and its single choices, with channels
 * that the test fills. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "core/throttle.h"
#include "policies/levels.h"
#include "sluice/stamp.h"

#define LEVELS 4
#define STACKS 4 /* at most */

static struct channel channels[STACKS * LEVELS];
static struct throttle throttle;
static struct sl_channel shared[STACKS * LEVELS];
static uint32_t done_counts[STACKS * LEVELS]; /* a group of 64 each */
static struct levels levels;
static struct run run;
static struct choice choices[SL_COMPLETION_ENTRIES];

struct stack_edge {
    uint32_t kernel;
    uint32_t stack;
    uint32_t level_offset;
};

/* Stacks, each with a kernel of its own, of tasks or of continuations. */
static void make_stacks(uint32_t stacks, const enum sl_channel_role *roles,
                        const struct stack_edge *stack_edges, uint32_t count, uint32_t blocks)
{
    struct sl_edge edges[STACKS * STACKS * LEVELS];
    const struct sl_graph graph = {.edges = (uintptr_t)edges,
                                   .edge_count = count * LEVELS,
                                   .channel_count = stacks * LEVELS,
                                   .kernel_count = stacks};

    memset(channels, 0, sizeof channels);
    throttle_init(&throttle, THROTTLE_NONE);
    memset(shared, 0, sizeof shared);
    memset(done_counts, 0, sizeof done_counts);
    for (uint32_t i = 0; i < stacks * LEVELS; i++) {
        shared[i].kernel = i / LEVELS;
        shared[i].levels = LEVELS;
        channels[i].shared = &shared[i];
        channels[i].throttle = &throttle;
        channels[i].polled = &shared[i].control_tail;
        channels[i].done = channels[i].done_next = &done_counts[i];
        channels[i].group = 64;
        channels[i].done_shift = 6;
        channels[i].data_mask = 63;
        channels[i].role = roles[i / LEVELS];
        channels[i].level = i % LEVELS;
        channels[i].reserve = i < LEVELS ? LEVELS - 1 - channels[i].level : 0;
        channels[i].control_mask = 4095;
    }
    for (uint32_t i = 0; i < count * LEVELS; i++) {
        const struct stack_edge *edge = &stack_edges[i / LEVELS];
        edges[i] = (struct sl_edge){edge->kernel, edge->stack * LEVELS + i % LEVELS, 1,
                                    edge->level_offset};
    }
    run = (struct run){
        .channels = channels,
        .channel_count = stacks * LEVELS,
        .lanes = 64,
        .lane_shift = 6,
        .is_drained = true,
        .pool_blocks = blocks,
        .used_blocks = UINT32_MAX,
        .state = &levels,
    };
    scheduler_levelized.begin(&run, &graph);
}

/* The graph of cilk_fib: kernel 0 runs tasks and puts elements into both stacks. */
static void make_run(uint32_t blocks)
{
    static const enum sl_channel_role roles[] = {SL_ROLE_PRE_SPAWN, SL_ROLE_POST_SYNC};
    static const struct stack_edge edges[] = {{0, 0, 1}, {0, 1, 0}};
    make_stacks(2, roles, edges, 2, blocks);
}

static void put(uint32_t channel, uint32_t count)
{
    shared[channel].control_tail += count;
}

static void dispatch(uint32_t channel, uint32_t count)
{
    channels[channel].view.control_head += count;
    channels[channel].view.wavefronts += (count + 63) / 64;
    levels_dispatched(&levels, &channels[channel], count);
}

static void complete(uint32_t channel, uint32_t count)
{
    channels[channel].view.completed += count;
    channels[channel].view.wavefronts -= (count + 63) / 64;
}

static uint32_t choose(void)
{
    levels_widen(&levels);
    (void)levels_poll(&levels, channels);
    return levels.ready == 0 ? 0 : scheduler_levelized.choose(&run, choices, SL_COMPLETION_ENTRIES);
}

static void expect_choice(uint32_t i, uint32_t channel, uint32_t count)
{
    assert_int_equal(choices[i].channel, channel);
    assert_int_equal(choices[i].count, count);
}

static void test_sorted(void **state)
{
    (void)state;
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

static void test_levels(void **state)
{
    (void)state;
    make_run(64);
    assert_int_equal(levels.count, LEVELS);
    for (uint32_t level = 0; level < LEVELS; level++) {
        assert_int_equal(levels.start[level], 2 * level);
        assert_int_equal(levels.channel[2 * level], level);
        assert_int_equal(levels.channel[2 * level + 1], LEVELS + level);
        assert_int_equal(channels[LEVELS + level].rank, 2 * level + 1);
    }
    assert_int_equal(levels.start[LEVELS], 2 * LEVELS);
}

/* By the edges: of tasks the level's continuations, then deeper tasks; of continuations nothing. */
static void test_outputs(void **state)
{
    (void)state;
    make_run(64);
    for (uint32_t level = 0; level < LEVELS; level++) {
        const struct output *output = channels[level].outputs;
        assert_ptr_equal(output->channel, &channels[LEVELS + level]);
        if (level + 1 < LEVELS) {
            assert_ptr_equal(output->next->channel, &channels[level + 1]);
            output = output->next;
        }
        assert_null(output->next);
        assert_null(channels[LEVELS + level].outputs);
    }
    assert_false(levels.is_always_wide);
}

/* A plain channel's kernel puts elements where its edges say, a stack's at all levels into a plain
 * channel. */
static void test_outputs_plain(void **state)
{
    (void)state;
    struct sl_edge edges[] = {
        {.kernel = 1, .channel = 2}, {.kernel = 1, .channel = 0}, {.kernel = 0, .channel = 3}};
    const struct sl_graph graph = {
        .edges = (uintptr_t)edges, .edge_count = 3, .channel_count = LEVELS + 1};
    make_run(64);
    for (uint32_t i = 0; i < LEVELS; i++) {
        channels[i].outputs = NULL;
    }
    edges[2].channel = LEVELS;
    channels[LEVELS].outputs = NULL;
    channels[LEVELS].role = SL_ROLE_PLAIN;
    channels[LEVELS].level = 0;
    shared[LEVELS].levels = 0;
    levels_init(&levels, channels, &graph, 64);
    for (uint32_t level = 0; level < LEVELS; level++) {
        assert_ptr_equal(channels[level].outputs->channel, &channels[LEVELS]);
        assert_null(channels[level].outputs->next);
    }
    assert_ptr_equal(channels[LEVELS].outputs->channel, &channels[0]);
    assert_ptr_equal(channels[LEVELS].outputs->next->channel, &channels[2]);
    assert_null(channels[LEVELS].outputs->next->next);
}

/* A pass looks only at what the device works on and at its outputs: news elsewhere, which no kernel
 * could have made, are found when everything is looked at. */
static void test_polls_busy(void **state)
{
    (void)state;
    make_run(64);
    put(1, 70);
    assert_true(levels_poll(&levels, channels).is_new);
    assert_int_equal(levels.first, 1);
    assert_int_equal(levels.limit, 2);
    assert_int_equal(levels.busy_count, 0);
    put(2, 1);
    assert_false(levels_poll(&levels, channels).is_new); /* nothing is with the device */
    dispatch(1, 64);
    struct poll poll = levels_poll(&levels, channels);
    assert_true(poll.is_new && poll.is_ready);
    assert_int_equal(levels.ready, 6 + 1);
    assert_int_equal(levels.limit, 3);
    put(LEVELS + 1, 64);
    put(LEVELS, 64);
    put(3, 64);
    assert_true(levels_poll(&levels, channels).is_new);
    assert_int_equal(channels[LEVELS + 1].view.control_tail, 64);
    assert_int_equal(channels[LEVELS].view.control_tail, 0);
    assert_int_equal(channels[3].view.control_tail, 0);
    levels_widen(&levels);
    assert_true(levels_poll(&levels, channels).is_new);
    assert_int_equal(channels[LEVELS].view.control_tail, 64);
    assert_int_equal(channels[3].view.control_tail, 64);
    assert_int_equal(levels.first, 0);
    assert_int_equal(levels.limit, 4);
}

/* What was put in before a completion is found by the pass that reads the completion, the last one
 * that looks; and a done group is deallocated however late it is seen. */
static void test_last_poll(void **state)
{
    (void)state;
    make_run(64);
    put(0, 64);
    (void)levels_poll(&levels, channels);
    dispatch(0, 64);
    put(1, 5);
    done_counts[0] = 64;
    complete(0, 64);
    struct poll poll = levels_poll(&levels, channels);
    assert_true(poll.is_new && poll.is_done);
    assert_int_equal(levels.first, 1); /* nothing of level 0 is outstanding */
    assert_int_equal(levels.busy_count, 1);
    levels_retire(&levels, 32);
    assert_int_equal(shared[0].data_head, 64);
    assert_int_equal(done_counts[0], 0);
    assert_false(levels_poll(&levels, channels).is_done);
    assert_int_equal(levels.busy_count, 0);
}

/* Where all of a channel's wavefronts have yielded, one more pass looks; then none, until one is
 * restarted. */
static void test_settles(void **state)
{
    (void)state;
    make_run(64);
    put(0, 64);
    (void)levels_poll(&levels, channels);
    dispatch(0, 64);
    put(LEVELS, 3);
    channels[0].view.yielded = 1;
    assert_true(levels_poll(&levels, channels).is_new);
    put(1, 9);
    assert_false(levels_poll(&levels, channels).is_new);
    assert_int_equal(levels.busy_count, 1);
    channels[0].view.yielded = 0;
    channels[0].is_settled = false; /* as core/yield.c does where it restarts a wavefront */
    assert_true(levels_poll(&levels, channels).is_new);
    channels[0].view.yielded = 1;
    (void)levels_poll(&levels, channels);
    assert_true(channels[0].is_settled);
    channels[0].view.yielded = 0;
    channels[0].is_settled = false;
    complete(0, 64);
    (void)levels_poll(&levels, channels);
    assert_int_equal(levels.busy_count, 0);
    assert_int_equal(levels.first, 0); /* the continuations */
    assert_int_equal(levels.limit, 2);
}

/* Full wavefronts: the deepest level first, at most 4 in a packet. */
static void test_full(void **state)
{
    (void)state;
    make_run(64);
    levels.waits_for_drain = true;
    run.is_drained = false;
    put(0, 130);
    put(2, 6 * 64 + 5);
    assert_int_equal(choose(), 3);
    expect_choice(0, 2, 256);
    expect_choice(1, 2, 128);
    expect_choice(2, 0, 128);
}

/* At the deepest level continuations go first. Packets grow with what is free: a sixteenth. */
static void test_full_wide(void **state)
{
    (void)state;
    make_run(320);
    run.is_drained = false;
    put(3, 64 * 30);
    put(LEVELS + 3, 64);
    put(LEVELS + 2, 64);
    assert_int_equal(choose(), 3);
    expect_choice(0, LEVELS + 3, 64);
    expect_choice(1, 3, 64 * 19); /* 319 / 16 */
    expect_choice(2, 3, 64 * 11);
}

/* Partial ones by the paper's rule, when nothing is in flight: tasks before continuations, the
 * shallowest first. */
static void test_partial_drained(void **state)
{
    (void)state;
    make_run(64);
    levels.waits_for_drain = true;
    put(1, 7);
    put(2, 9);
    put(LEVELS + 2, 3);
    run.is_drained = false;
    assert_int_equal(choose(), 0);
    run.is_drained = true;
    assert_int_equal(choose(), 1);
    expect_choice(0, 1, 7);
    dispatch(1, 7);
    complete(1, 7);
    assert_int_equal(choose(), 1);
    expect_choice(0, 2, 9);
    dispatch(2, 9);
    complete(2, 9);
    assert_int_equal(choose(), 1);
    expect_choice(0, LEVELS + 2, 3);
}

/* Partial ones once nothing can fill them: in the same order, but while others are in flight. */
static void test_partial(void **state)
{
    (void)state;
    make_run(64);
    run.is_drained = false;
    put(1, 7);
    put(2, 9);
    put(LEVELS + 2, 3);
    assert_int_equal(choose(), 1);
    expect_choice(0, 1, 7);
    dispatch(1, 7);
    assert_int_equal(choose(), 0);
    complete(1, 7);
    assert_int_equal(choose(), 1);
    expect_choice(0, 2, 9);
    dispatch(2, 9);
    assert_int_equal(choose(), 0);
    complete(2, 9);
    assert_int_equal(choose(), 1);
    expect_choice(0, LEVELS + 2, 3);
}

/* What is left of a level goes with its full wavefronts, beside wavefronts of the same level; not
 * where memory holds full ones back. */
static void test_partial_with_full(void **state)
{
    (void)state;
    make_run(64);
    run.is_drained = false;
    put(1, 64);
    assert_int_equal(choose(), 1);
    dispatch(1, 64);
    put(1, 64 + 7);
    put(3, 9);
    assert_int_equal(choose(), 2);
    expect_choice(0, 1, 64);
    expect_choice(1, 1, 7);
    make_run(4); /* 2 are kept for deeper levels: room for a full one and the rest, then for one */
    run.is_drained = false;
    put(1, 64 + 7);
    assert_int_equal(choose(), 2);
    run.pool_blocks = 3;
    assert_int_equal(choose(), 1);
    expect_choice(0, 1, 64);
    run.pool_blocks = 2;
    assert_int_equal(choose(), 0);
    make_run(64);
    run.is_drained = false;
    put(LEVELS + 1, 64 + 7);
    assert_int_equal(choose(), 2);
    expect_choice(0, LEVELS + 1, 64);
    expect_choice(1, LEVELS + 1, 7);
}

/* Continuations go after all tasks that can make more of them, ready or in flight, also of
 * shallower levels; and after deeper ones, which do not make any. */
static void test_partial_continuations(void **state)
{
    (void)state;
    make_run(64);
    run.is_drained = false;
    put(0, 1);
    put(LEVELS + 2, 3);
    put(LEVELS + 1, 5);
    channels[0].view.yielded = 1; /* the task may not go: others wait */
    assert_int_equal(choose(), 0);
    channels[0].view.yielded = 0;
    dispatch(0, 1);
    assert_int_equal(choose(), 0);
    complete(0, 1);
    assert_int_equal(choose(), 1);
    expect_choice(0, LEVELS + 2, 3);
    dispatch(LEVELS + 2, 3);
    assert_int_equal(choose(), 0);
    complete(LEVELS + 2, 3);
    assert_int_equal(choose(), 1);
    expect_choice(0, LEVELS + 1, 5);
}

/* Of cilksort. */
enum { SORTS, QUARTERS, HALVES, MERGES };

static void make_sort(void)
{
    static const enum sl_channel_role roles[] = {SL_ROLE_PRE_SPAWN, SL_ROLE_POST_SYNC,
                                                 SL_ROLE_POST_SYNC, SL_ROLE_PRE_SPAWN};
    static const struct stack_edge edges[] = {
        {SORTS, SORTS, 1},     {SORTS, QUARTERS, 0}, {QUARTERS, MERGES, 1},
        {QUARTERS, HALVES, 0}, {HALVES, MERGES, 1},  {MERGES, MERGES, 1},
    };
    make_stacks(4, roles, edges, 6, 64);
    run.is_drained = false;
}

static uint32_t at(uint32_t stack, uint32_t level)
{
    return stack * LEVELS + level;
}

static bool may_fill(uint32_t channel)
{
    return levels_may_fill(&levels, channels, &channels[channel]);
}

/* Which elements may come: from shallower levels any, within a level by the edges, through any
 * number of kernels. Of what is ready, not of what waits for this channel. */
static void test_may_fill(void **state)
{
    (void)state;
    static const bool same[STACKS][STACKS] = {
        [SORTS] = {[QUARTERS] = true, [HALVES] = true}, [QUARTERS] = {[HALVES] = true}};
    for (uint32_t from = 0; from < STACKS; from++) {
        const bool is_task = from == SORTS || from == MERGES;
        make_sort();
        put(at(from, 1), 64);
        (void)levels_poll(&levels, channels);
        for (uint32_t to = 0; to < STACKS; to++) {
            assert_int_equal(may_fill(at(to, 1)), same[from][to]);
            assert_int_equal(may_fill(at(to, 2)), is_task);
        }
        dispatch(at(from, 1), 64);
        for (uint32_t to = 0; to < STACKS; to++) {
            assert_int_equal(may_fill(at(to, 0)), false);
            assert_int_equal(may_fill(at(to, 1)), same[from][to]);
            assert_int_equal(may_fill(at(to, 2)), true);
            assert_int_equal(may_fill(at(to, 3)), true);
        }
        complete(at(from, 1), 64);
        assert_false(may_fill(at(MERGES, 2)));
    }
}

/* Merges go beside sorts of their level, and while shallower continuations wait for them; not while
 * one of those runs. First continuations go before second ones. */
static void test_partial_steps(void **state)
{
    (void)state;
    make_sort();
    put(at(SORTS, 2), 3);
    put(at(MERGES, 2), 5);
    put(at(QUARTERS, 0), 7);
    assert_int_equal(choose(), 2);
    expect_choice(0, at(SORTS, 2), 3);
    expect_choice(1, at(MERGES, 2), 5);
    make_sort();
    put(at(QUARTERS, 1), 64);
    assert_int_equal(choose(), 1);
    dispatch(at(QUARTERS, 1), 64);
    put(at(MERGES, 2), 5);
    put(at(HALVES, 1), 64);
    assert_int_equal(choose(), 0);
    complete(at(QUARTERS, 1), 64);
    assert_int_equal(choose(), 1);
    expect_choice(0, at(MERGES, 2), 5);
    make_sort();
    put(at(QUARTERS, 1), 4);
    put(at(HALVES, 1), 3);
    assert_int_equal(choose(), 1);
    expect_choice(0, at(QUARTERS, 1), 4);
}

/* While wavefronts wait, by the paper's rule. */
static void test_partial_waiting(void **state)
{
    (void)state;
    make_run(64);
    put(3, 64);
    assert_int_equal(choose(), 1);
    dispatch(3, 64);
    put(1, 7);
    run.is_drained = false;
    run.yield.waiting = 1;
    assert_int_equal(choose(), 0);
    run.is_drained = true;
    assert_int_equal(choose(), 1);
    run.is_drained = false;
    run.yield.waiting = 0;
    assert_int_equal(choose(), 1);
    expect_choice(0, 1, 7);
}

/* A continuation may go before the tasks of its own level, so that those wait for what it makes. */
static void test_partial_own_level(void **state)
{
    (void)state;
    static const enum sl_channel_role roles[] = {SL_ROLE_PRE_SPAWN, SL_ROLE_POST_SYNC};
    static const struct stack_edge edges[] = {{1, 0, 0}};
    make_stacks(2, roles, edges, 1, 64);
    run.is_drained = false;
    put(at(0, 1), 5);
    put(at(1, 1), 3);
    assert_int_equal(choose(), 0);
    put(at(1, 1), 61);
    assert_int_equal(choose(), 1);
    expect_choice(0, at(1, 1), 64);
}

/* What is left behind full wavefronts of a kernel that feeds itself at its level is not final, also
 * where it does so through another kernel. */
static void test_partial_itself(void **state)
{
    (void)state;
    static const enum sl_channel_role roles[] = {SL_ROLE_PRE_SPAWN, SL_ROLE_PRE_SPAWN};
    static const struct stack_edge edges[] = {{0, 1, 0}, {1, 0, 0}};
    make_stacks(2, roles, edges, 2, 64);
    put(at(0, 1), 64 + 3);
    assert_int_equal(choose(), 1);
    expect_choice(0, at(0, 1), 64);
    dispatch(at(0, 1), 64);
    run.is_drained = false;
    assert_int_equal(choose(), 0);
    complete(at(0, 1), 64);
    run.is_drained = true;
    assert_int_equal(choose(), 1);
    expect_choice(0, at(0, 1), 3);
}

/* A channel of no stack may get elements from anywhere. */
static void test_partial_plain(void **state)
{
    (void)state;
    static const enum sl_channel_role roles[] = {SL_ROLE_PLAIN};
    make_stacks(1, roles, NULL, 0, 64);
    put(2, 5);
    run.is_drained = false;
    assert_int_equal(choose(), 0);
    run.is_drained = true;
    assert_int_equal(choose(), 1);
    expect_choice(0, 2, 5);
}

/* No continuation, not even a full wavefront, while anything is outstanding at a deeper level:
 * ready, dispatched or yielded. */
static void test_continuations_wait(void **state)
{
    (void)state;
    make_run(64);
    put(LEVELS + 1, 64);
    put(3, 1);
    levels.waits_for_drain = true;
    run.is_drained = false;
    assert_int_equal(choose(), 0);
    dispatch(3, 1);
    run.is_drained = true;
    assert_int_equal(choose(), 0);
    complete(3, 1);
    assert_int_equal(choose(), 1);
    expect_choice(0, LEVELS + 1, 64);
}

/* Tasks of level 0 that may yield need more free blocks than there are levels below: 3. */
static void test_pool(void **state)
{
    (void)state;
    make_run(5);
    put(0, 64 * 9);
    assert_int_equal(choose(), 1);
    expect_choice(0, 0, 2 * 64);
    run.dispatch.wavefronts = 2;
    dispatch(0, 128);
    assert_int_equal(choose(), 0);
    put(3, 64 * 9); /* the deepest level may take all of them */
    assert_int_equal(choose(), 1);
    expect_choice(0, 3, 3 * 64);
    run.used_blocks = 1; /* what the device said, of packets that are not complete */
    assert_int_equal(choose(), 1);
    expect_choice(0, 3, 4 * 64);
    /* Without waiting wavefronts nothing says how many of a packet's have ended. */
    run.dispatch.wavefronts = 6;
    run.used_blocks = UINT32_MAX;
    assert_int_equal(choose(), 0);
}

/* Wavefronts that count as in flight and as yielded, and ended ones of packets that have not: more
 * than there are blocks, so that none is known to be free. */
static void test_pool_counted_twice(void **state)
{
    (void)state;
    make_run(5);
    put(3, 64 * 9);
    run.dispatch.wavefronts = 9;
    run.used_blocks = 7;
    assert_int_equal(choose(), 0);
    run.used_blocks = 5;
    assert_int_equal(choose(), 0);
    run.used_blocks = 4;
    assert_int_equal(choose(), 1);
    expect_choice(0, 3, 64);
}

/* Continuations that may wait leave the blocks that their channel says, too; those that cannot wait
 * take the last one. */
static void test_pool_continuations(void **state)
{
    (void)state;
    make_run(3);
    put(LEVELS + 1, 2);
    channels[LEVELS + 1].reserve = 3;
    assert_int_equal(choose(), 0);
    channels[LEVELS + 1].reserve = 2;
    assert_int_equal(choose(), 1);
    run.used_blocks = 2;
    run.dispatch.wavefronts = 2;
    assert_int_equal(choose(), 0);
    channels[LEVELS + 1].reserve = 0;
    assert_int_equal(choose(), 1);
    expect_choice(0, LEVELS + 1, 2);
}

/* Nothing new where wavefronts wait. */
static void test_waiters(void **state)
{
    (void)state;
    make_run(64);
    put(1, 64);
    channels[1].view.yielded = 1;
    put(LEVELS + 1, 2);
    assert_int_equal(choose(), 1);
    expect_choice(0, LEVELS + 1, 2);
}

/* Of a stamped channel, what is hidden behind a publication that has not come counts, too: the
 * children of a continuation may be there. */
static void test_continuations_wait_for_hidden(void **state)
{
    (void)state;
    static uint64_t stamps[128];
    const uint64_t second = sl_stamp_next(3);
    const uint64_t end = sl_stamp_next(second + 2);
    memset(stamps, 0, sizeof stamps);
    make_run(64);
    levels.waits_for_drain = true;
    channels[2].stamps = stamps;
    channels[2].polled = stamps;
    channels[2].view.width = 64;
    put(LEVELS + 1, 64);
    run.is_drained = false;
    shared[2].control_reserve = end; /* 3 elements, and 2 */
    stamps[1] = second + 2;
    assert_int_equal(choose(), 0);
    stamps[0] = 3;
    assert_int_equal(choose(), 0); /* they are ready */
    assert_int_equal(channels[2].view.control_tail, 5);
    dispatch(2, 5);
    assert_int_equal(choose(), 0);
    complete(2, 5);
    assert_int_equal(choose(), 1);
    expect_choice(0, LEVELS + 1, 64);
}

/* Nor do final continuations go while their children may be hidden. */
static void test_final_continuations_wait_for_hidden(void **state)
{
    (void)state;
    static uint64_t stamps[128];
    memset(stamps, 0, sizeof stamps);
    make_run(64);
    channels[2].stamps = stamps;
    channels[2].polled = stamps;
    channels[2].view.width = 64;
    run.is_drained = false;
    put(LEVELS + 1, 5);
    assert_int_equal(choose(), 1);
    expect_choice(0, LEVELS + 1, 5);
    shared[2].control_reserve = sl_stamp_next(3);
    assert_int_equal(choose(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sorted),
        cmocka_unit_test(test_levels),
        cmocka_unit_test(test_outputs),
        cmocka_unit_test(test_outputs_plain),
        cmocka_unit_test(test_polls_busy),
        cmocka_unit_test(test_last_poll),
        cmocka_unit_test(test_settles),
        cmocka_unit_test(test_full),
        cmocka_unit_test(test_full_wide),
        cmocka_unit_test(test_partial_drained),
        cmocka_unit_test(test_partial),
        cmocka_unit_test(test_partial_with_full),
        cmocka_unit_test(test_partial_continuations),
        cmocka_unit_test(test_may_fill),
        cmocka_unit_test(test_partial_steps),
        cmocka_unit_test(test_partial_waiting),
        cmocka_unit_test(test_partial_own_level),
        cmocka_unit_test(test_partial_itself),
        cmocka_unit_test(test_partial_plain),
        cmocka_unit_test(test_continuations_wait),
        cmocka_unit_test(test_continuations_wait_for_hidden),
        cmocka_unit_test(test_final_continuations_wait_for_hidden),
        cmocka_unit_test(test_pool),
        cmocka_unit_test(test_pool_continuations),
        cmocka_unit_test(test_pool_counted_twice),
        cmocka_unit_test(test_waiters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
