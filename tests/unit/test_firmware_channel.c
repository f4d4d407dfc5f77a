/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The firmware's channels: polling, what is ready, deallocation by done counts in order, counters
 * that wrap at 2^64. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "core/channel.h"
#include "unit/firmware_graph.h"
#include "unit/firmware_mock.h"

static struct channel channel;
static struct sl_channel *shared;
static uint32_t *done;

/* Width 256, groups of 64. */
static void make(uint64_t first)
{
    struct test_graph graph = test_graph_fib(256, 0, first);
    mock_reset();
    shared = &graph.channels[0];
    done = (uint32_t *)(uintptr_t)shared->done;
    channel_init(&channel, shared, graph.graph->kernels, &predicate_full);
}

static void test_poll(void **state)
{
    (void)state;
    make(0);
    assert_false(channel_poll(&channel));
    assert_int_equal(channel_ready(&channel), 0);
    shared->control_tail = 70;
    assert_true(channel_poll(&channel));
    assert_false(channel_poll(&channel));
    assert_int_equal(channel_ready(&channel), 70);
    channel.view.control_head += 64;
    assert_int_equal(channel_ready(&channel), 6);
}

/* What the host puts in before the run is new at the first poll. */
static void test_poll_first(void **state)
{
    (void)state;
    make(0);
    shared->control_tail = 3;
    channel_init(&channel, shared, 0, &predicate_full);
    assert_int_equal(channel_ready(&channel), 0);
    assert_true(channel_poll(&channel));
    assert_int_equal(channel_ready(&channel), 3);
}

static void test_ready_wraps(void **state)
{
    (void)state;
    make(0ull - 64);
    shared->control_tail = 10;
    assert_true(channel_poll(&channel));
    assert_int_equal(channel_ready(&channel), 74);
}

/* A kernel that overwrites the tail cannot make the firmware ask for more than there can be. */
static void test_ready_is_bounded(void **state)
{
    (void)state;
    make(0);
    shared->control_tail = 1ull << 40;
    assert_true(channel_poll(&channel));
    assert_int_equal(channel_ready(&channel), 512);
    shared->control_tail = 0ull - 1;
    assert_true(channel_poll(&channel));
    assert_int_equal(channel_ready(&channel), 512);
}

static void test_retire(void **state)
{
    (void)state;
    make(0);
    done[0] = 63;
    done[1] = 64;
    assert_false(channel_has_done_group(&channel));
    assert_int_equal(channel_retire(&channel, 8), 0); /* in order: the second group waits */
    assert_int_equal(shared->data_head, 0);
    done[0] = 64;
    assert_true(channel_has_done_group(&channel));
    assert_int_equal(channel_retire(&channel, 8), 2);
    assert_int_equal(shared->data_head, 128);
    assert_int_equal(channel.view.data_head, 128);
    assert_int_equal(done[0], 0);
    assert_int_equal(done[1], 0);
    done[2] = 5; /* a partial group stays */
    assert_int_equal(channel_retire(&channel, 8), 0);
    assert_int_equal(done[2], 5);
}

static void test_retire_is_bounded(void **state)
{
    (void)state;
    make(0);
    for (unsigned i = 0; i < 4; i++) {
        done[i] = 64;
    }
    assert_int_equal(channel_retire(&channel, 3), 3);
    assert_int_equal(shared->data_head, 192);
    assert_int_equal(done[3], 64);
    assert_int_equal(channel_retire(&channel, 3), 1);
    assert_int_equal(channel_retire(&channel, UINT32_MAX), 0);
    assert_int_equal(shared->data_head, 256);
}

/* From the array's last group to its first, and from 2^64 - 64 to 0. */
static void test_retire_wraps(void **state)
{
    (void)state;
    make(0ull - 64);
    done[3] = 64;
    done[0] = 64;
    assert_int_equal(channel_retire(&channel, 8), 2);
    assert_int_equal(shared->data_head, 64);
    assert_int_equal(done[3], 0);
    assert_int_equal(done[0], 0);
}

/* A done count for each element. */
static void test_retire_single(void **state)
{
    (void)state;
    static const struct test_channel single = {.width = 64, .stride = 4, .fan_out = 1};
    struct test_graph graph = test_graph_make(&single, 1, 1, NULL, 0, 64);
    uint32_t *counts = (uint32_t *)(uintptr_t)graph.channels[0].done;
    channel_init(&channel, &graph.channels[0], 0, &predicate_full);
    counts[0] = 1;
    counts[1] = 1;
    counts[3] = 1;
    assert_int_equal(channel_retire(&channel, 64), 2);
    counts[2] = 1;
    assert_int_equal(channel_retire(&channel, 64), 2);
    assert_int_equal(graph.channels[0].data_head, 4);
}

static void test_finish(void **state)
{
    (void)state;
    make(0);
    channel.view.control_head = 12;
    channel_finish(&channel);
    assert_int_equal(shared->control_head, 12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_poll),         cmocka_unit_test(test_poll_first),
        cmocka_unit_test(test_ready_wraps),  cmocka_unit_test(test_ready_is_bounded),
        cmocka_unit_test(test_retire),       cmocka_unit_test(test_retire_is_bounded),
        cmocka_unit_test(test_retire_wraps), cmocka_unit_test(test_retire_single),
        cmocka_unit_test(test_finish),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
