/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The yield manager against a device that the test plays: lists in order, as many as the pool may
 * have blocks, and nothing of it where lanes can write. */
#include <stdbool.h>
#include <string.h>

#include "common/check.h"
#include "queues/throttle.h"
#include "queues/yield.h"
#include "unit/firmware/firmware_mock.h"

#define CHANNELS 4u
#define WIDTH    1024u

/* Where no memory is: the firmware may not follow it. */
#define POOL_BASE   0x1000ull
#define BLOCK_BYTES 0x19000ull

static struct yield yield;
static struct dispatch dispatch;
static struct channel channels[CHANNELS];
static struct sl_channel shared[CHANNELS];
static struct throttle throttle;

static uint32_t done[CHANNELS][WIDTH / 64];

/* All channels are full. */
static void make(void)
{
    mock_reset();
    memset(channels, 0, sizeof channels);
    memset(shared, 0, sizeof shared);
    memset(done, 0, sizeof done);
    throttle_init(&throttle, THROTTLE_NONE);
    for (uint32_t i = 0; i < CHANNELS; i++) {
        shared[i].width = WIDTH;
        shared[i].done_shift = 6;
        shared[i].done = (uintptr_t)done[i];
        shared[i].data_tail = WIDTH;
        channel_init(&channels[i], &shared[i], 0, &predicate_full);
        channels[i].throttle = &throttle;
    }
    dispatch_init(&dispatch);
    yield_init(&yield);
}

static uint64_t block(uint64_t number)
{
    return POOL_BASE + number * BLOCK_BYTES;
}

static void put(uint64_t number, uint32_t resource, uint32_t demand, uint32_t from)
{
    struct sl_yield *const ring = (struct sl_yield *)(uintptr_t)*mock_register(SL_REG_YIELD_BASE);
    const uint64_t tail = (*mock_register(SL_REG_YIELD_TAIL))++;

    ring[tail % SL_YIELD_ENTRIES] = (struct sl_yield){
        .block = block(number), .resource = resource, .demand = demand, .channel = from};
}

static uint32_t poll(void)
{
    return yield_poll(&yield, channels, CHANNELS);
}

static uint32_t restart(void)
{
    return yield_restart(&yield, channels, &dispatch, false);
}

/* Of the packet that was written so many before the next one. */
static uint64_t restarted(uint64_t before)
{
    const struct sl_dispatch *const ring =
        (const struct sl_dispatch *)(uintptr_t)*mock_register(SL_REG_DISPATCH_BASE);
    const struct sl_dispatch *const packet = &ring[(dispatch.tail - before) % SL_DISPATCH_ENTRIES];

    assert_int_equal(packet->kind, SL_DISPATCH_RESTART);
    return packet->kernel;
}

static void set_free(uint32_t channel, uint64_t elements)
{
    shared[channel].data_tail = channels[channel].view.data_head + WIDTH - elements;
    channels[channel].granted = 0;
    channels[channel].granted_tail = shared[channel].data_tail;
    channels[channel].has_freed = true;
}

/* Those that wait for one channel are restarted in the order in which they began to, as far as its
 * space goes, whoever waits for another one between them. */
TEST(test_order)
{
    make();
    for (uint32_t i = 0; i < 9; i++) {
        put(i, i % 3, 10, 3);
    }
    assert_int_equal(poll(), 9);
    assert_int_equal(yield.waiting, 9);
    assert_int_equal(channels[3].view.yielded, 9);
    assert_int_equal(channels[1].waiting, 3);
    assert_int_equal(restart(), 0);
    set_free(1, 20);
    assert_int_equal(restart(), 2);
    assert_int_equal(restarted(2), block(1));
    assert_int_equal(restarted(1), block(4));
    assert_int_equal(yield.waiting, 7);
    assert_int_equal(channels[3].view.yielded, 7);
    set_free(1, 9);
    assert_int_equal(restart(), 0);
    set_free(1, 10);
    set_free(0, 1000);
    assert_int_equal(restart(), 4);
    assert_int_equal(channels[0].waiting, 0);
    assert_int_equal(channels[1].waiting, 0);
    assert_int_equal(yield.blocked, 1);
    assert_int_equal(yield.channels[0], 2);
}

/* As many as the pool may have blocks, and then in turns: each entry is used again and again, and
 * none is lost. */
TEST(test_whole_pool)
{
    uint64_t number = 0;

    make();
    for (; number < SL_POOL_BLOCKS_MAX; number++) {
        put(number, 0, 1, 3);
        assert_int_equal(poll(), 1);
    }
    assert_int_equal(yield.waiting, SL_POOL_BLOCKS_MAX);
    assert_int_equal(yield.used, SL_POOL_BLOCKS_MAX);
    for (uint64_t next = 0; next < 3 * SL_POOL_BLOCKS_MAX / 2; next++, number++) {
        set_free(0, 1);
        assert_int_equal(restart(), 1);
        assert_int_equal(restarted(1), block(next));
        put(number, 0, 1, 3);
        assert_int_equal(poll(), 1);
    }
    assert_int_equal(yield.used, SL_POOL_BLOCKS_MAX);
    while (yield.waiting > 0) {
        const uint64_t next = number - yield.waiting;
        set_free(0, 1);
        assert_int_equal(restart(), 1);
        assert_int_equal(restarted(1), block(next));
    }
    assert_int_equal(yield.blocked, 0);
    assert_int_equal(channels[3].view.yielded, 0);
}

/* What a kernel says it waits for is no channel: it counts as the wavefront's own. */
TEST(test_no_channel)
{
    static const uint32_t resources[] = {CHANNELS, 1u << 16, UINT32_MAX};

    make();
    for (uint32_t i = 0; i < 3; i++) {
        put(i, resources[i], UINT32_MAX, 2);
    }
    assert_int_equal(poll(), 3);
    assert_int_equal(channels[2].waiting, 3);
    set_free(2, WIDTH);
    assert_int_equal(restart(), 0); /* more than any channel has */
    uint64_t argument[4];
    yield_describe(&yield, channels, argument);
    assert_int_equal(argument[0], 2);
    assert_int_equal(argument[1], UINT32_MAX);
    assert_int_equal(argument[2], WIDTH);
    assert_int_equal(argument[3], 3);
}

static uint64_t random_state = 1;

static uint64_t random64(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

/* Anything in the words that lanes can write, and any demand that can be met: whoever waits is in
 * one list, in order, and is restarted once. */
TEST(test_any_counters)
{
    static uint64_t next[CHANNELS]; /* that is to be restarted, of those that wait for it */
    static uint64_t queue[CHANNELS][8192];
    static uint64_t ends[CHANNELS];
    uint64_t number = 0;

    make();
    memset(next, 0, sizeof next);
    memset(ends, 0, sizeof ends);
    channels[1].gives_back = true;
    for (unsigned step = 0; step < 3000; step++) {
        for (uint64_t i = random64() % 4; i > 0; i--) {
            const uint32_t to = (uint32_t)(random64() % CHANNELS);
            const uint32_t demand = (uint32_t)(random64() % (WIDTH + 1));
            queue[to][ends[to]++] = block(number);
            put(number++, to, demand, (uint32_t)(random64() % CHANNELS));
        }
        (void)poll();
        for (uint32_t i = 0; i < CHANNELS; i++) {
            shared[i].data_tail =
                random64() % 4 == 0 ? channels[i].view.data_head : random64() >> random64() % 64;
            done[i][random64() % (WIDTH / 64)] = random64() % 2 == 0 ? 64 : (uint32_t)random64();
            channels[i].has_freed |= random64() % 2 == 0;
        }
        const uint32_t count = yield_restart(&yield, channels, &dispatch, random64() % 8 == 0);
        for (uint32_t i = count; i > 0; i--) {
            uint32_t from = 0;
            while (from < CHANNELS &&
                   (next[from] == ends[from] || queue[from][next[from]] != restarted(i))) {
                from++;
            }
            assert_in_range(from, 0, CHANNELS - 1);
            next[from]++;
        }
        uint32_t waiting = 0;
        for (uint32_t i = 0; i < CHANNELS; i++) {
            assert_int_equal(channels[i].waiting, ends[i] - next[i]);
            waiting += channels[i].waiting;
        }
        assert_int_equal(yield.waiting, waiting);
    }
    assert_true(next[0] > 20);
}
