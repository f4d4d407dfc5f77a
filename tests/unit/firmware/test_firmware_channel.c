/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The firmware's channels: polling, what is ready, deallocation by done counts in order, counters
 * that wrap at 2^64; stamps. */
#include <string.h>

#include "common/check.h"
#include "queues/channel.h"
#include "sluice/stamp.h"
#include "unit/common/firmware_graph.h"
#include "unit/firmware/firmware_mock.h"

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

TEST(test_poll)
{
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
TEST(test_poll_first)
{
    make(0);
    shared->control_tail = 3;
    channel_init(&channel, shared, 0, &predicate_full);
    assert_int_equal(channel_ready(&channel), 0);
    assert_true(channel_poll(&channel));
    assert_int_equal(channel_ready(&channel), 3);
}

TEST(test_ready_wraps)
{
    make(0ull - 64);
    shared->control_tail = 10;
    assert_true(channel_poll(&channel));
    assert_int_equal(channel_ready(&channel), 74);
}

/* A tail that was seen, then one that cannot follow it. */
static void expect_distrust(uint64_t first, uint64_t seen, uint64_t tail, uint64_t limit)
{
    make(first);
    channel_books.channel = NULL;
    shared->control_tail = seen;
    assert_int_equal(channel_poll(&channel), seen != first);
    assert_null(channel_books.channel);
    shared->control_tail = tail;
    assert_true(channel_poll(&channel));
    assert_ptr_equal(channel_books.channel, &channel);
    assert_int_equal(channel_books.audit, SL_AUDIT_CONTROL_TAIL);
    assert_int_equal(channel_books.value, tail);
    assert_int_equal(channel_books.limit, limit);
    assert_int_equal(channel_ready(&channel), seen - first); /* nothing of it is believed */
    assert_false(channel_poll(&channel));
    shared->control_tail = tail ^ 1ull << 50; /* what was found first, stays */
    assert_true(channel_poll(&channel));
    assert_int_equal(channel_books.value, tail);
    channel_books.channel = NULL;
}

/* A kernel that overwrites the tail: no more can be ready than the control array holds, and no
 * fewer than were. */
TEST(test_tail_is_checked)
{
    expect_distrust(0, 0, 513, 512);
    expect_distrust(0, 0, 1ull << 40, 512);
    expect_distrust(0, 0, UINT64_MAX, 0);
    expect_distrust(0, 70, 69, 70);
    expect_distrust(0, 70, 0, 70);
    expect_distrust(0, 70, 513, 512);
    expect_distrust(0, 512, 513, 512);
    expect_distrust(0, 512, 511, 512);
    expect_distrust(0ull - 64, 10, 0ull - 1, 10);
    expect_distrust(0ull - 64, 10, 449, 448);
    make(0ull - 64);
    shared->control_tail = 448;
    assert_true(channel_poll(&channel));
    assert_int_equal(channel_ready(&channel), 512);
    assert_null(channel_books.channel);
    channel.view.control_head += 64; /* dispatched: so much room again */
    shared->control_tail = 512;
    assert_true(channel_poll(&channel));
    assert_int_equal(channel_ready(&channel), 512);
    assert_null(channel_books.channel);
}

TEST(test_retire)
{
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

TEST(test_retire_is_bounded)
{
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
TEST(test_retire_wraps)
{
    make(0ull - 64);
    done[3] = 64;
    done[0] = 64;
    assert_int_equal(channel_retire(&channel, 8), 2);
    assert_int_equal(shared->data_head, 64);
    assert_int_equal(done[3], 0);
    assert_int_equal(done[0], 0);
}

/* A done count for each element. */
TEST(test_retire_single)
{
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

/* ---- stamped channels: width 256, groups of 64, 512 stamps ---- */

static uint64_t random_state;

static uint32_t random_below(uint32_t limit)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_state >> 33) % limit;
}

static void stamp(uint64_t number, uint32_t entries)
{
    uint64_t *const stamps = (uint64_t *)(uintptr_t)shared->stamps;
    *sl_stamp_at(stamps, shared->width, number) = number + entries;
}

static void make_stamped(uint64_t first, uint64_t number)
{
    struct test_graph graph = test_graph_fib(256, SL_CHANNEL_STAMPED, first);
    mock_reset();
    shared = &graph.channels[0];
    shared->number = shared->control_reserve = number;
    for (uint64_t i = 1; i <= 512; i++) {
        stamp(number - (i << 32), 1); /* the lap before, an entry each */
    }
    channel_init(&channel, shared, graph.graph->kernels, &predicate_full);
}

/* What a wavefront does first; returns the publication's number. */
static uint64_t reserve(uint32_t entries)
{
    const uint64_t number = shared->control_reserve;
    shared->control_reserve = sl_stamp_next(number + entries);
    return number;
}

/* The second of three publications comes last: the third is hidden until then. */
TEST(test_stamped_hidden)
{
    make_stamped(0, 0);
    assert_false(channel_poll(&channel));
    assert_false(channel_may_hide(&channel));
    const uint64_t first = reserve(64);
    const uint64_t second = reserve(1);
    const uint64_t third = reserve(128);
    assert_false(channel_poll(&channel));
    assert_true(channel_may_hide(&channel));
    stamp(third, 128);
    assert_false(channel_poll(&channel));
    stamp(first, 64);
    assert_true(channel_poll(&channel));
    assert_int_equal(channel_ready(&channel), 64);
    assert_int_equal(shared->control_tail, 64);
    assert_false(channel_poll(&channel));
    assert_true(channel_may_hide(&channel));
    stamp(second, 1);
    assert_true(channel_poll(&channel));
    assert_int_equal(channel_ready(&channel), 193);
    assert_false(channel_may_hide(&channel));
    assert_false(channel_poll(&channel));
    channel.view.control_head = 193;
    channel_finish(&channel);
    assert_int_equal(shared->control_head, 193);
    assert_int_equal(shared->number, shared->control_reserve);
}

/* What the host has put in, in two publications, is new at the first poll; so is it in a graph's
 * second run, whose stamps are behind those of the first. */
TEST(test_stamped_first_poll)
{
    make_stamped(0, 0);
    for (unsigned run = 1; run <= 2; run++) {
        stamp(reserve(2), 2);
        stamp(reserve(1), 1);
        channel_init(&channel, shared, 0, &predicate_full);
        assert_true(channel_poll(&channel));
        assert_int_equal(channel_ready(&channel), 3);
        assert_int_equal(shared->control_tail, 3 * run);
        channel.view.control_head += 3;
        channel_finish(&channel);
    }
}

/* Words that are no stamp of the next publication: those of all others that can be in its place,
 * and what a kernel that went astray may leave there. */
TEST(test_stamped_foreign)
{
    const uint64_t number = (1000ull << 32) + 5000;
    make_stamped(5000, number);
    uint64_t *const stamps = (uint64_t *)(uintptr_t)shared->stamps;
    const uint64_t lap = 512ull << 32;
    const uint64_t foreign[] = {
        0,          number,    number - lap - 600, number - lap, number + 257, number + lap + 1,
        number - 1, UINT64_MAX};
    (void)reserve(64);
    for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++) {
        *sl_stamp_at(stamps, 256, number) = foreign[i];
        assert_false(channel_poll(&channel));
        assert_int_equal(channel_ready(&channel), 0);
    }
    stamp(number, 64);
    assert_true(channel_poll(&channel));
    assert_int_equal(channel_ready(&channel), 64);
}

/* Stamps, one behind the other, of more entries than the control array holds: the firmware does not
 * follow them for longer. */
TEST(test_stamped_without_end)
{
    static const uint32_t sizes[] = {2, 3, 256};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        make_stamped(0, 0);
        channel_books.channel = NULL;
        uint64_t number = 0;
        for (uint32_t entries = 0; entries <= 512; entries += sizes[i]) {
            stamp(number, sizes[i]);
            number = sl_stamp_next(number + sizes[i]);
        }
        assert_true(channel_poll(&channel));
        assert_int_equal(channel_ready(&channel), 0);
        assert_ptr_equal(channel_books.channel, &channel);
        assert_int_equal(channel_books.audit, SL_AUDIT_CONTROL_TAIL);
        assert_true(channel_books.value > 512 && channel_books.value <= 512 + sizes[i]);
        assert_int_equal(channel_books.limit, 512);
        channel_books.channel = NULL;
    }
}

/* Publications of random sizes in random orders, in many laps of control array and stamps: after
 * each poll the tail is where the first one begins that is not published. None is lost, none is
 * early. `number` may be where its halves wrap. */
static void in_any_order(uint64_t seed, uint64_t first, uint64_t number)
{
    struct {
        uint64_t number;
        uint32_t entries;
        bool is_published;
    } pending[256];
    uint32_t count = 0;
    uint64_t tail = first;
    uint64_t reserved = first;

    random_state = seed;
    make_stamped(first, number);
    for (unsigned step = 0; step < 20000; step++) {
        const uint32_t entries = 1 + random_below(random_below(4) > 0 ? 4 : 128);
        if (random_below(2) > 0 && reserved + entries - tail <= 256) {
            pending[count].entries = entries;
            pending[count].is_published = false;
            pending[count++].number = reserve(entries);
            reserved += entries;
        }
        if (count > 0) {
            const uint32_t which = random_below(count);
            stamp(pending[which].number, pending[which].entries);
            pending[which].is_published = true;
        }
        uint32_t taken = 0;
        for (; taken < count && pending[taken].is_published; taken++) {
            tail += pending[taken].entries;
        }
        count -= taken;
        memmove(pending, pending + taken, count * sizeof pending[0]);
        assert_int_equal(channel_poll(&channel), taken > 0);
        assert_int_equal(channel.view.control_tail, tail);
        assert_int_equal(shared->control_tail, tail);
        assert_int_equal(channel_may_hide(&channel), reserved != tail);
        channel.view.control_head = tail; /* dispatched, and given back at once */
    }
    assert_true(tail - first > 100 * 512);
}

TEST(test_stamped_in_any_order)
{
    in_any_order(1, 0, 0);
    in_any_order(2, 0ull - 100, UINT32_MAX - 99); /* entries wrap at 2^32, and 2^64 */
    in_any_order(3, 61, ((uint64_t)UINT32_MAX - 500) << 32 | 61); /* publications wrap */
    in_any_order(4, UINT32_MAX, UINT64_MAX);                      /* both */
}

TEST(test_finish)
{
    make(0);
    channel.view.control_head = 12;
    channel_finish(&channel);
    assert_int_equal(shared->control_head, 12);
}
