/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Store queue and data port, worked out by hand: 2 GHz, hits of 4 cycles, a line at MISS of 100; a
 * store goes to the cache 3 cycles after its commit. */
#include "aggregator/store_queue.h"
#include "common/check.h"
#include "sluice/config.h"

#define CYCLE_PS 500ull
#define HIT      (SL_HEAP_BASE + 0x1000)
#define MISS     (SL_HEAP_BASE + 0x2000)

static struct sl_config config;
static struct data_cache cache;
static struct store_queue queue;
static uint64_t last_cycle; /* of the last access */
static enum mem_kind last_kind;
static uint64_t busy_until; /* memory serves nothing that it is asked for before this */

static struct mem_answer answer(struct mem_system *mem, struct mem_request *request)
{
    (void)mem;
    last_cycle = request->time_ps / CYCLE_PS;
    last_kind = request->kind;
    uint64_t latency = request->address >= MISS ? 100 : 4;
    uint64_t begin = last_cycle > busy_until ? last_cycle : busy_until;
    return (struct mem_answer){.done_ps = (begin + latency) * CYCLE_PS};
}

static const struct mem_ops answer_ops = {.name = "answers", .access = answer};
static struct mem_system memory = {.ops = &answer_ops};

static int fresh(void **state)
{
    (void)state;
    sl_config_init(&config);
    config.number[SL_CFG_CORE_STORE_QUEUE] = 2;
    config.number[SL_CFG_CORE_MSHRS] = 2;
    config.number[SL_CFG_CORE_DRAIN_CYCLES] = 3;
    config.number[SL_CFG_CORE_DRAIN_PORTS] = 1;
    data_cache_init(&cache, &config, &memory);
    store_queue_init(&queue, &config);
    busy_until = 0;
    return 0;
}

/* Stores go to the cache one per cycle, and leave in order: a hit behind a miss when that is done.
 * With two entries, the third store waits for the first. */
TEST_WITH(test_drain, fresh, NULL)
{
    assert_int_equal(store_queue_room(&queue), 0);
    store_queue_store(&queue, &cache, MISS, 8, 8, 10);
    assert_int_equal(last_cycle, 13);
    assert_int_equal(last_kind, MEM_STORE);
    assert_int_equal(queue.empty, 113);
    assert_int_equal(store_queue_room(&queue), 0);
    store_queue_store(&queue, &cache, HIT, 8, 8, 10);
    assert_int_equal(last_cycle, 14);
    assert_int_equal(queue.empty, 113);
    assert_int_equal(store_queue_room(&queue), 113);
    store_queue_skip(&queue, 200); /* one that memory does not see */
    assert_int_equal(last_cycle, 14);
    store_queue_skip(&queue, 201);
    assert_int_equal(store_queue_room(&queue), 200);
    store_queue_reset(&queue);
    assert_int_equal(store_queue_room(&queue), 0);
}

/* As many as there are ports go in a cycle. */
TEST_WITH(test_ports, fresh, NULL)
{
    config.number[SL_CFG_CORE_STORE_QUEUE] = 8;
    config.number[SL_CFG_CORE_DRAIN_PORTS] = 3;
    store_queue_init(&queue, &config);
    for (unsigned i = 0; i < 7; i++) {
        store_queue_store(&queue, &cache, HIT + 8 * i, 8, 8, 10);
        assert_int_equal(last_cycle, 13 + i / 3);
    }
}

/* Two under way at a time: the third one goes when the first one is done. */
TEST_WITH(test_under_way, fresh, NULL)
{
    config.number[SL_CFG_CORE_STORE_QUEUE] = 8;
    config.number[SL_CFG_CORE_DRAIN_PORTS] = 8;
    config.number[SL_CFG_CORE_DRAIN_STORES] = 2;
    store_queue_init(&queue, &config);
    for (unsigned i = 0; i < 20; i++) {
        store_queue_store(&queue, &cache, HIT + 8 * i, 8, 8, 10);
        assert_int_equal(last_cycle, 13 + i / 2 * 4);
    }
}

static void expect_load(uint64_t address, uint32_t bytes, uint64_t cycle,
                        enum store_queue_answer expected, uint64_t expected_cycle)
{
    assert_int_equal(store_queue_load(&queue, address, bytes, &cycle), expected);
    assert_int_equal(cycle, expected_cycle);
}

/* The store's data is there in cycle 20, it commits in 30 and is in the cache in 33 + 4. A load has
 * its address a cycle after that, or when it is given, and its value another cycle later. */
TEST_WITH(test_forwarding, fresh, NULL)
{
    store_queue_store(&queue, &cache, HIT + 4, 4, 20, 30);
    expect_load(HIT + 4, 4, 10, STORE_QUEUE_FORWARDED, 22); /* before the data */
    expect_load(HIT + 4, 4, 21, STORE_QUEUE_FORWARDED, 22);
    expect_load(HIT + 6, 2, 25, STORE_QUEUE_FORWARDED, 26); /* after it; a part */
    expect_load(HIT, 8, 25, STORE_QUEUE_WAIT, 37);          /* more than it has */
    expect_load(HIT, 4, 25, STORE_QUEUE_NONE, 25);          /* its neighbour */
    expect_load(HIT + 8, 4, 25, STORE_QUEUE_NONE, 25);
    expect_load(HIT + 4, 4, 36, STORE_QUEUE_FORWARDED, 37);
    expect_load(HIT + 4, 4, 37, STORE_QUEUE_NONE, 37); /* it has left */
    /* Another word with the same low bits is another word. */
    expect_load(HIT + 4 + 8 * STORE_QUEUE_BUCKETS, 4, 25, STORE_QUEUE_NONE, 25);
}

/* Two stores to parts of a word: the last one has its own part, for the other one a load waits. */
TEST_WITH(test_two_stores, fresh, NULL)
{
    store_queue_store(&queue, &cache, HIT, 4, 20, 30);
    store_queue_store(&queue, &cache, HIT + 4, 4, 22, 30); /* in the cache in 34 + 4 */
    expect_load(HIT + 4, 4, 25, STORE_QUEUE_FORWARDED, 26);
    expect_load(HIT, 4, 25, STORE_QUEUE_WAIT, 38);
    expect_load(HIT, 8, 25, STORE_QUEUE_WAIT, 38);
    store_queue_store(&queue, &cache, HIT, 8, 24, 31); /* all of it */
    expect_load(HIT, 8, 25, STORE_QUEUE_FORWARDED, 26);
}

/* Two MSHRs: the third miss waits for the first, and so does a hit; a line on its way is waited
 * for, without an MSHR. Memory is asked when the wait is over. */
TEST_WITH(test_misses, fresh, NULL)
{
    assert_int_equal(data_cache_access(&cache, 10, MISS, MEM_LOAD), 110);
    assert_int_equal(data_cache_access(&cache, 20, MISS + 64, MEM_LOAD), 120);
    assert_int_equal(data_cache_access(&cache, 30, MISS + 8, MEM_LOAD), 110);
    assert_int_equal(data_cache_access(&cache, 108, MISS + 8, MEM_LOAD), 112);
    assert_int_equal(data_cache_access(&cache, 30, HIT, MEM_LOAD), 114);
    assert_int_equal(last_cycle, 110);
    assert_int_equal(data_cache_access(&cache, 40, MISS + 128, MEM_LOAD), 210);
    assert_int_equal(cache.begun, 110);
    data_cache_reset(&cache);
    assert_int_equal(data_cache_access(&cache, 40, MISS + 128, MEM_LOAD), 140);
}

/* What memory makes a miss wait for is not waited for twice: a store that goes at 500 has the one
 * MSHR and keeps memory busy until 600; loads from before then come one after the other. */
TEST_WITH(test_late_store, fresh, NULL)
{
    config.number[SL_CFG_CORE_MSHRS] = 1;
    data_cache_init(&cache, &config, &memory);
    assert_int_equal(data_cache_access(&cache, 500, MISS, MEM_STORE), 600);
    busy_until = 600;
    assert_int_equal(data_cache_access(&cache, 20, MISS + 64, MEM_LOAD), 700);
    assert_int_equal(data_cache_access(&cache, 30, MISS + 128, MEM_LOAD), 800);
    assert_int_equal(data_cache_access(&cache, 40, MISS + 64, MEM_LOAD), 700);
}

/* Without MSHRs the core waits by itself. */
TEST_WITH(test_blocking, fresh, NULL)
{
    cache.mshrs = 0;
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(data_cache_access(&cache, 10, MISS + 64 * i, MEM_LOAD), 110);
    }
}
