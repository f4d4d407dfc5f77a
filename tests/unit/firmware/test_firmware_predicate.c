/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The built-in predicates, and the flat scheduler that applies them. */
#include <string.h>

#include "common/check.h"
#include "graph/scheduler.h"
#include "predicates/predicates.h"
#include "queues/throttle.h"
#include "sluice/codes.h"
#include "unit/firmware/firmware_mock.h"

#define US 1000000ull /* ps */

static struct channel channel;

static uint32_t ask(enum sl_predicate predicate, uint32_t argument, uint32_t ready)
{
    channel.view.argument = argument;
    return predicate_table[predicate]->function(&channel.view, ready, 64, channel.predicate_state);
}

TEST(test_full)
{
    assert_int_equal(ask(SL_PREDICATE_FULL, 0, 1), 0);
    assert_int_equal(ask(SL_PREDICATE_FULL, 0, 63), 0);
    assert_int_equal(ask(SL_PREDICATE_FULL, 0, 64), 64);
    assert_int_equal(ask(SL_PREDICATE_FULL, 0, 200), 192);
    assert_int_equal(predicate_table[SL_PREDICATE_FULL]->function(&channel.view, 63, 32, NULL), 32);
}

TEST(test_at_least)
{
    assert_int_equal(ask(SL_PREDICATE_AT_LEAST, 10, 9), 0);
    assert_int_equal(ask(SL_PREDICATE_AT_LEAST, 10, 10), 10);
    assert_int_equal(ask(SL_PREDICATE_AT_LEAST, 10, 99), 99);
    assert_int_equal(ask(SL_PREDICATE_AT_LEAST, 0, 1), 1);
}

TEST(test_always)
{
    assert_int_equal(ask(SL_PREDICATE_ALWAYS, 0, 1), 1);
    assert_int_equal(ask(SL_PREDICATE_ALWAYS, 0, 200), 200);
}

/* Age 2 us. */
TEST(test_age)
{
    mock_reset();
    memset(&channel, 0, sizeof channel);
    assert_true(predicate_table[SL_PREDICATE_AGE]->is_timed);

    *mock_register(SL_REG_TIME_PS) = 5 * US;
    assert_int_equal(ask(SL_PREDICATE_AGE, 2, 3), 0); /* first seen at 5 us */
    *mock_register(SL_REG_TIME_PS) = 7 * US - 1;
    assert_int_equal(ask(SL_PREDICATE_AGE, 2, 9), 0);
    *mock_register(SL_REG_TIME_PS) = 7 * US;
    assert_int_equal(ask(SL_PREDICATE_AGE, 2, 9), 9);

    /* Full wavefronts go at once; what is left is young. */
    assert_int_equal(ask(SL_PREDICATE_AGE, 2, 9), 0);
    *mock_register(SL_REG_TIME_PS) = 8 * US;
    assert_int_equal(ask(SL_PREDICATE_AGE, 2, 70), 64);
    *mock_register(SL_REG_TIME_PS) = 10 * US - 1;
    assert_int_equal(ask(SL_PREDICATE_AGE, 2, 6), 0);
    *mock_register(SL_REG_TIME_PS) = 10 * US;
    assert_int_equal(ask(SL_PREDICATE_AGE, 2, 6), 6);

    /* No remainder: the next element begins a new age. */
    *mock_register(SL_REG_TIME_PS) = 20 * US;
    assert_int_equal(ask(SL_PREDICATE_AGE, 2, 128), 128);
    *mock_register(SL_REG_TIME_PS) = 90 * US;
    assert_int_equal(ask(SL_PREDICATE_AGE, 2, 1), 0);
}

static struct channel channels[4];
static struct throttle throttle;
static struct run run;
static uint64_t policy_state[8];
static struct choice choices[8];

/* Four channels with so many ready elements each, predicate FULL. */
static void make_run(const uint32_t *ready, uint64_t in_flight)
{
    memset(&run, 0, sizeof(run));
    throttle_init(&throttle, THROTTLE_NONE);
    for (unsigned i = 0; i < 4; i++) {
        channels[i] = (struct channel){
            .throttle = &throttle,
            .view.control_tail = ready[i],
            .control_mask = 2047,
            .predicate = predicate_table[SL_PREDICATE_FULL]->function,
        };
    }
    run.channels = channels;
    run.state = policy_state;
    run.channel_count = 4;
    run.lanes = 64;
    run.lane_shift = 6;
    run.dispatch.tail = in_flight;
}

static void expect_choice(uint32_t index, uint32_t of_channel, uint32_t count)
{
    assert_int_equal(choices[index].channel, of_channel);
    assert_int_equal(choices[index].count, count);
}

TEST(test_flat)
{
    make_run((const uint32_t[]){100, 0, 63, 640}, 1);
    scheduler_flat.begin(&run, NULL);
    assert_int_equal(scheduler_flat.choose(&run, choices, 8), 2);
    expect_choice(0, 0, 64);
    expect_choice(1, 3, 640);
}

/* A kernel's bound lets go what it leaves free, in packets of a fourth of it; the rest waits. */
TEST(test_flat_bound)
{
    make_run((const uint32_t[]){640, 640, 0, 0}, 1);
    throttle_init(&throttle, 8);
    throttle_launch(&throttle, 3);
    scheduler_flat.begin(&run, NULL);
    assert_int_equal(scheduler_flat.choose(&run, choices, 8), 3);
    expect_choice(0, 0, 128);
    expect_choice(1, 0, 128);
    expect_choice(2, 0, 64);
    assert_int_equal(throttle.in_flight, 8);
    assert_int_equal(scheduler_flat.choose(&run, choices, 8), 0);
}

/* With room for one packet the channels take turns. */
TEST(test_flat_in_turn)
{
    make_run((const uint32_t[]){64, 64, 64, 64}, 1);
    scheduler_flat.begin(&run, NULL);
    for (uint32_t i = 0; i < 9; i++) {
        assert_int_equal(scheduler_flat.choose(&run, choices, 1), 1);
        expect_choice(0, i % 4, 64);
    }
}

/* A partial wavefront goes when, and only when, nothing else can and nothing is in flight. */
TEST(test_flat_partial)
{
    make_run((const uint32_t[]){0, 3, 9, 0}, 1);
    scheduler_flat.begin(&run, NULL);
    assert_int_equal(scheduler_flat.choose(&run, choices, 8), 0);
    run.is_drained = true;
    assert_int_equal(scheduler_flat.choose(&run, choices, 8), 1);
    expect_choice(0, 1, 3);
    channels[2].view.control_tail = 64;
    assert_int_equal(scheduler_flat.choose(&run, choices, 8), 1);
    expect_choice(0, 2, 64);
    /* A predicate that lets nothing go cannot stop the graph; one wavefront goes, not all. */
    channels[2].predicate = predicate_table[SL_PREDICATE_AT_LEAST]->function;
    channels[2].view.argument = 1000;
    channels[2].view.control_tail = 500;
    channels[1].view.control_tail = 0;
    assert_int_equal(scheduler_flat.choose(&run, choices, 8), 1);
    expect_choice(0, 2, 64);
}
