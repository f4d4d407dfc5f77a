/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Guards, and the flat scheduler that asks them. */
#include <string.h>

#include "common/check.h"
#include "graph/contract.h"
#include "graph/guard.h"
#include "graph/scheduler.h"
#include "guards/guards.h"
#include "predicates/predicates.h"
#include "queues/throttle.h"

/* Channels 0 and 1 are guarded by the space in channel 2, of 256 elements, and take 4 and 1 of it
 * for each element; channel 3 goes while channel 2 is empty. */
static struct channel channels[4];
static struct sl_channel shared[4];
static struct sl_guard from[] = {
    {.channel = 0, .other = 2, .kind = SL_GUARD_SPACE, .argument = 4},
    {.channel = 1, .other = 2, .kind = SL_GUARD_SPACE, .argument = 1},
    {.channel = 3, .other = 2, .kind = SL_GUARD_EMPTY},
};
static struct throttle throttle; /* without a bound */
static struct run run;
static uint64_t policy_state[8];
static struct choice choices[8];

static void make(const uint32_t *ready)
{
    const struct sl_graph graph = {.guards = (uint64_t)(uintptr_t)from, .guard_count = 3};

    memset(&run, 0, sizeof(run));
    for (unsigned i = 0; i < 4; i++) {
        shared[i] = (struct sl_channel){.width = 256};
        channels[i] = (struct channel){
            .shared = &shared[i],
            .throttle = &throttle,
            .view.width = 256,
            .view.control_tail = ready[i],
            .control_mask = 511,
            .predicate = predicate_table[SL_PREDICATE_FULL]->function,
        };
    }
    run.channels = channels;
    run.state = policy_state;
    run.channel_count = 4;
    run.lanes = 64;
    throttle_init(&throttle, THROTTLE_NONE);
    guard_init(&run, &graph, guard_table);
    scheduler_flat.begin(&run, &graph);
}

/* What channel 2 holds: elements that were put in, and are complete. */
static void hold(uint64_t reserved, uint64_t published, uint64_t completed, uint64_t freed)
{
    shared[2].data_tail = reserved;
    channels[2].view.control_tail = published;
    channels[2].view.completed = completed;
    channels[2].view.data_head = freed;
}

static void complete(uint32_t channel, uint32_t count)
{
    channels[channel].view.completed += count;
}

static uint32_t allowed(uint32_t channel)
{
    return guard_ready(&run, &channels[channel]);
}

static void expect_choice(uint32_t index, uint32_t of_channel, uint32_t count)
{
    assert_int_equal(choices[index].channel, of_channel);
    assert_int_equal(choices[index].count, count);
}

TEST(test_space)
{
    make((const uint32_t[]){200, 200, 0, 0});
    assert_int_equal(allowed(0), 64); /* 256 / 4 */
    assert_int_equal(allowed(1), 200);
    hold(100, 40, 0, 0); /* what is reserved counts, published or not */
    assert_int_equal(allowed(0), 39);
    assert_int_equal(allowed(1), 156);
    hold(253, 253, 253, 0); /* what is complete too, until it is deallocated */
    assert_int_equal(allowed(0), 0);
    assert_int_equal(allowed(1), 3);
    hold(253, 253, 253, 192);
    assert_int_equal(allowed(0), 48);
    /* Counters wrap, and may be anything where a kernel went astray. */
    hold(10, 10, 10, 0ull - 64);
    assert_int_equal(allowed(0), (256 - 74) / 4);
    hold(0, 10, 10, 64);
    assert_int_equal(allowed(1), 0);
    assert_true(channels[0].is_timed);
    assert_false(channels[2].is_timed);
    assert_false(channels[3].is_timed);
}

/* Space is promised to what was chosen, until it is complete; to both channels together. */
TEST(test_promises)
{
    make((const uint32_t[]){200, 200, 0, 0});
    guard_chosen(&channels[0], 50);
    assert_int_equal(allowed(0), 14); /* (256 - 200) / 4 */
    assert_int_equal(allowed(1), 56);
    guard_chosen(&channels[1], 16);
    assert_int_equal(allowed(0), 10);
    complete(0, 20); /* who took 80 elements */
    hold(80, 80, 0, 0);
    assert_int_equal(allowed(0), 10);
    complete(1, 16); /* who took none */
    assert_int_equal(allowed(0), 14);
    /* When nothing is in flight, what was dispatched and is not complete has yielded. */
    channels[0].view.control_head = 50;
    channels[1].view.control_head = 16;
    run.is_drained = true;
    assert_int_equal(allowed(0), 44);
    /* What the pass has chosen since counts. */
    guard_chosen(&channels[0], 4);
    guard_chosen(&channels[0], 6);
    assert_int_equal(allowed(0), 34);
    assert_int_equal(allowed(1), 136);
    channels[0].view.control_head = 60;
    assert_int_equal(allowed(0), 44);
    run.is_drained = false;
    assert_int_equal(allowed(0), 4); /* 30 of before and these 10: (176 - 160) / 4 */
}

/* One pass with nothing in flight promises the space once, though several channels are guarded by
 * it. */
TEST(test_flat_drained)
{
    make((const uint32_t[]){200, 200, 0, 0});
    run.is_drained = true;
    assert_int_equal(scheduler_flat.choose(&run, choices, 8), 1);
    expect_choice(0, 0, 64); /* of 4 each, all of the space */
}

TEST(test_empty)
{
    make((const uint32_t[]){0, 0, 0, 70});
    assert_int_equal(allowed(3), 70);
    hold(100, 0, 0, 0); /* nothing is published yet */
    assert_int_equal(allowed(3), 70);
    hold(100, 100, 0, 0);
    assert_int_equal(allowed(3), 0);
    hold(100, 100, 99, 0);
    assert_int_equal(allowed(3), 0);
    hold(100, 100, 100, 0);
    assert_int_equal(allowed(3), 70);
}

/* Full wavefronts of what guards let go; the second channel's guard knows of the first one's. */
TEST(test_flat)
{
    make((const uint32_t[]){200, 200, 0, 70});
    hold(0, 5, 0, 0);
    assert_int_equal(scheduler_flat.choose(&run, choices, 8), 1);
    expect_choice(0, 0, 64);
    channels[0].view.control_head = 64;
    assert_int_equal(scheduler_flat.choose(&run, choices, 8), 0);
    complete(0, 64); /* of which each took 2 */
    hold(128, 128, 0, 0);
    assert_int_equal(scheduler_flat.choose(&run, choices, 8), 2);
    expect_choice(0, 1, 128);
    expect_choice(1, 2, 128);
}

/* No partial wavefront goes past its guard when nothing is in flight. */
TEST(test_flat_partial)
{
    make((const uint32_t[]){30, 0, 0, 10});
    hold(192, 1, 0, 0);
    run.is_drained = true;
    assert_int_equal(scheduler_flat.choose(&run, choices, 8), 1);
    expect_choice(0, 0, 16); /* of 30: for more there is no space */
    hold(256, 1, 0, 0);
    assert_int_equal(scheduler_flat.choose(&run, choices, 8), 1);
    expect_choice(0, 2, 1);
    hold(256, 1, 1, 256);
    channels[0].view.control_head = 30;
    channels[2].view.control_head = 1;
    assert_int_equal(scheduler_flat.choose(&run, choices, 8), 1);
    expect_choice(0, 3, 10);
}

/* The guard of a stack is of all its channels, which share what they were promised. */
TEST(test_stack)
{
    make((const uint32_t[]){100, 100, 0, 0});
    const struct sl_graph graph = {.guards = (uint64_t)(uintptr_t)from, .guard_count = 1};
    for (uint32_t i = 0; i < 2; i++) {
        channels[i].role = SL_ROLE_PRE_SPAWN;
        channels[i].guards = NULL;
        shared[i].levels = 2;
    }
    guard_init(&run, &graph, guard_table);
    guard_chosen(&channels[1], 40);
    assert_int_equal(allowed(0), 24);
    assert_int_equal(allowed(1), 24);
    complete(1, 40);
    assert_int_equal(allowed(0), 64);
}

/* ---- the contract ---- */

static bool keeps(uint32_t channel, uint32_t count)
{
    const struct choice choice = {channel, count};
    return policy_keeps(&run, &choice);
}

/* What breaks it, with the answer's arguments behind the rule. */
static void breaks(enum sl_contract rule, uint32_t channel, uint32_t count, uint64_t allows)
{
    struct sl_message_agg answer = {0};
    const struct choice choice = {channel, count};

    assert_false(policy_keeps(&run, &choice));
    policy_describe(&run, &choice, &answer);
    assert_int_equal(answer.reason, SL_FAILURE_POLICY);
    assert_int_equal(answer.argument[0], rule);
    assert_int_equal(answer.argument[1], channel);
    assert_int_equal(answer.argument[2], rule == SL_CONTRACT_CHANNEL ? channel : count);
    assert_int_equal(answer.argument[3], allows);
}

TEST(test_choices_of_what_is_ready)
{
    make((const uint32_t[]){200, 200, 5, 0});
    assert_true(keeps(2, 1));
    assert_true(keeps(2, 5));
    breaks(SL_CONTRACT_COUNT, 2, 0, 5);
    breaks(SL_CONTRACT_COUNT, 2, 6, 5);
    breaks(SL_CONTRACT_COUNT, 2, UINT32_MAX, 5);
    breaks(SL_CONTRACT_COUNT, 3, 1, 0);
    breaks(SL_CONTRACT_CHANNEL, 4, 1, 4);
    breaks(SL_CONTRACT_CHANNEL, UINT32_MAX, 1, 4);
}

/* Guards are asked for the channel, directly before; what they let go is chosen, and then goes, in
 * one packet or several. */
TEST(test_choices_of_what_guards_let_go)
{
    make((const uint32_t[]){200, 200, 0, 0});
    breaks(SL_CONTRACT_GUARD, 0, 1, 0);
    assert_int_equal(allowed(0), 64);
    breaks(SL_CONTRACT_GUARD, 0, 64, 0); /* it was not chosen */
    guard_chosen(&channels[0], 64);
    assert_true(keeps(0, 40));
    breaks(SL_CONTRACT_GUARD, 0, 25, 24);
    assert_true(keeps(0, 24));
    breaks(SL_CONTRACT_GUARD, 0, 1, 0);
    make((const uint32_t[]){200, 200, 0, 0});
    assert_int_equal(allowed(0), 64);
    guard_chosen(&channels[0], 65); /* more than that */
    breaks(SL_CONTRACT_GUARD, 0, 65, 0);
}

static void stands_still(uint16_t reason, uint64_t a, uint64_t b)
{
    struct sl_message_agg answer = {0};

    channel_books.channel = NULL;
    policy_stands_still(&run, &answer);
    assert_int_equal(answer.reason, reason);
    assert_int_equal(answer.argument[0], a);
    assert_int_equal(answer.argument[1], b);
}

static void poll_all(void)
{
    for (unsigned i = 0; i < 4; i++) {
        shared[i].control_tail = channels[i].view.control_tail;
        channels[i].polled = &shared[i].control_tail;
        channels[i].seen = shared[i].control_tail;
    }
}

/* With nothing in flight: elements could go; guards hold them; there are none; some were not seen.
 */
TEST(test_standing_still)
{
    make((const uint32_t[]){0, 7, 0, 0});
    poll_all();
    stands_still(SL_FAILURE_POLICY, SL_CONTRACT_DRAINED, 1);
    hold(256, 256, 256, 0);
    channels[2].view.control_head = 256;
    poll_all();
    stands_still(SL_FAILURE_GUARDS, 1, 7);
    make((const uint32_t[]){0, 0, 0, 0});
    poll_all();
    stands_still(SL_FAILURE_POLICY, SL_CONTRACT_END, 0);
    shared[3].control_tail = 2;
    stands_still(SL_FAILURE_POLICY, SL_CONTRACT_POLL, 3);
    poll_all();
    shared[3].control_tail = 1ull << 40; /* a kernel went astray */
    stands_still(SL_FAILURE_BOOKS, 3, SL_AUDIT_CONTROL_TAIL);
}
