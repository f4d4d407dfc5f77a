/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What memory system `hybrid` may not have a load see: bytes that are older than what its own
 * compute unit wrote (papers/003 section 3.2), or than what memory had at its latest acquire. Other
 * bytes may be old, and are where it is said. L1 caches have one set of four lines, so that four
 * others evict one. */
#include "common/check.h"
#include "soc/memory/hybrid_bench.h"

#define P 0
#define Q 1
#define R 2 /* of another tracker, where there are two */

#define ONE_SET "l1d.size=512",

static uint8_t load_byte(struct memory_bench *b, uint16_t cu, uint32_t byte, uint64_t time_ps)
{
    struct memory_step step = {.is_sync = false};
    struct mem_request request = hybrid_request(cu, MEM_LOAD, 0, time_ps);

    request.mask[0] = 0;
    mem_request_touch(&request, request.address + byte, 1);
    (void)memory_access(b, &step, request);
    return step.bytes[byte];
}

static struct mem_request store_of(uint16_t cu, uint32_t byte, uint64_t time_ps)
{
    struct mem_request request = hybrid_request(cu, MEM_STORE, 0, time_ps);

    request.mask[0] = 0;
    mem_request_touch(&request, request.address + byte, 1);
    return request;
}

static void store_byte(struct memory_bench *b, uint16_t cu, uint32_t byte, uint8_t value,
                       uint64_t time_ps)
{
    struct memory_step step = {.is_sync = false};

    step.bytes[byte] = value;
    (void)memory_access(b, &step, store_of(cu, byte, time_ps));
}

/* Line 0 leaves a compute unit's L1. */
static void evict(struct memory_bench *b, uint16_t cu, uint64_t time_ps)
{
    for (uint32_t line = 1; line <= 4; line++) {
        (void)hybrid_load(b, cu, 4 * line, time_ps + NS(100) * line);
    }
}

static uint32_t sent(const struct memory_bench *b)
{
    return (uint32_t)b->mem->counters.l1[L1D].supplied;
}

/* ---- section 3.2 ---- */

/* P and Q share a line. Q writes to it, evicts it, and loads it again. Returns what it sees. */
static uint8_t own_write(struct memory_bench *b)
{
    (void)load_byte(b, P, 0, 0);
    (void)load_byte(b, Q, 0, NS(100));
    store_byte(b, Q, 0, 7, NS(200));
    assert_int_equal(load_byte(b, Q, 0, NS(300)), 7);
    evict(b, Q, NS(400));
    const uint8_t seen = load_byte(b, Q, 0, NS(1000));
    assert_int_equal(load_byte(b, P, 0, NS(1100)), 0); /* nobody tells P */
    memory_destroy(b);
    return seen;
}

TEST(test_own_write)
{
    assert_int_equal(own_write(HYBRID(ONE_SET)), 7);
    assert_int_equal(own_write(HYBRID(ONE_SET "tracker.count=0", )), 7);
    assert_int_equal(own_write(HYBRID(ONE_SET "tracker.count=2", )), 7);
    assert_int_equal(own_write(HYBRID(ONE_SET "gpu.cus=8", "tracker.count=4", )), 7);
    assert_int_equal(own_write(HYBRID(ONE_SET "tracker.sharers=1", )), 7);
    assert_int_equal(own_write(HYBRID(ONE_SET "l2.write_fetch=off", )), 7);
}

/* The original sharing tracker has P send its old line. */
TEST(test_original_tracker)
{
    assert_int_equal(own_write(HYBRID(ONE_SET "tracker.invalidate=never", )), 0);
    assert_int_equal(own_write(HYBRID(ONE_SET "tracker.invalidate=never", "tracker.count=2", )), 0);
}

/* P and Q write bytes of one line of which neither is the other's: each sees its own, whoever else
 * is listed, and memory has both. */
TEST(test_false_sharing)
{
    struct memory_bench *b = HYBRID(ONE_SET);

    (void)load_byte(b, P, 0, 0);
    (void)load_byte(b, Q, 0, NS(100));
    store_byte(b, P, 1, 3, NS(200));
    store_byte(b, Q, 120, 4, NS(300));
    assert_int_equal(load_byte(b, P, 120, NS(400)), 0);
    assert_int_equal(load_byte(b, Q, 1, NS(500)), 0);
    evict(b, P, NS(600));
    assert_int_equal(load_byte(b, P, 1, NS(1100)), 3);
    evict(b, Q, NS(1200));
    assert_int_equal(load_byte(b, Q, 120, NS(1700)), 4);
    assert_int_equal(load_byte(b, Q, 1, NS(1800)), 3);
    assert_int_equal(memory_byte(b, 0)[1], 3);
    assert_int_equal(memory_byte(b, 0)[120], 4);
    memory_destroy(b);
}

/* A store is on its way to the L2, and its compute unit has no copy: a load behind it finds what it
 * wrote, and not what P, listed before, has. */
TEST(test_behind_own_store)
{
    static const char *const counts[] = {"tracker.count=0", "tracker.count=1", "tracker.count=4"};

    for (unsigned i = 0; i < 3; i++) {
        struct memory_bench *b = HYBRID(counts[i], );
        struct memory_step stores = {.bytes = {7}};
        (void)load_byte(b, P, 0, 0);
        memory_begin(b, &stores, store_of(Q, 0, NS(100)));
        assert_int_equal(load_byte(b, Q, 0, NS(101)), 7);
        (void)memory_finish(b, &stores);
        assert_int_equal(load_byte(b, Q, 0, NS(200)), 7);
        memory_destroy(b);
    }
}

/* ---- a store of another compute unit ---- */

/* P has a line, R writes to it, and Q, which acquires, loads it: the tracker of P and Q has heard
 * of the store, whichever R's is. */
TEST(test_all_trackers)
{
    static const char *const counts[] = {"tracker.count=1", "tracker.count=2", "tracker.count=4"};

    for (unsigned i = 0; i < 3; i++) {
        struct memory_bench *b = HYBRID("gpu.cus=8", counts[i], );
        (void)load_byte(b, P, 0, 0);
        store_byte(b, R, 0, 7, NS(100));
        hybrid_acquire(b, Q, NS(200));
        assert_int_equal(load_byte(b, Q, 0, NS(200)), 7);
        assert_int_equal(sent(b), 0);
        assert_int_equal(b->mem->counters.tracker.drops, 1);
        memory_destroy(b);
    }
}

/* The line that P loads comes from DRAM, read before R's store; it is P's, but is not listed. */
TEST(test_fill_is_not_listed)
{
    static const char *const counts[] = {"tracker.count=1", "tracker.count=2"};

    for (unsigned i = 0; i < 2; i++) {
        struct memory_bench *b = HYBRID(counts[i], );
        struct memory_step loads = {.is_sync = false};
        struct memory_step stores = {.bytes = {7}};
        memory_begin(b, &loads, hybrid_request(P, MEM_LOAD, 0, 0));
        memory_begin(b, &stores, store_of(R, 0, NS(20)));
        (void)memory_finish(b, &loads);
        (void)memory_finish(b, &stores);
        assert_int_equal(loads.bytes[0], 0);
        assert_int_equal(load_byte(b, P, 0, NS(200)), 0);
        assert_int_equal(load_byte(b, Q, 0, NS(300)), 7);
        assert_int_equal(sent(b), 0);
        memory_destroy(b);
    }
}

/* The same where an operation changes it, or the aggregator does. */
TEST(test_fill_is_not_listed_either)
{
    struct memory_bench *b = HYBRID();
    struct memory_step loads = {.is_sync = false};
    struct memory_step adds = {.bytes = {7}};
    uint8_t byte = 8;

    memory_begin(b, &loads, hybrid_request(P, MEM_LOAD, 0, 0));
    memory_begin(b, &adds, hybrid_atomic(R, 0, 1, NS(20)));
    (void)memory_finish(b, &loads);
    (void)memory_finish(b, &adds);
    assert_int_equal(load_byte(b, Q, 0, NS(300)), 7);
    hybrid_acquire(b, P, NS(400));
    hybrid_acquire(b, Q, NS(400));
    memory_begin(b, &loads, hybrid_request(P, MEM_LOAD, 0, NS(400)));
    (void)memory_aggregate(b, MEM_STORE, 0, NS(420), &byte);
    (void)memory_finish(b, &loads);
    assert_int_equal(loads.bytes[0], 7);
    assert_int_equal(load_byte(b, Q, 0, NS(500)), 8);
    assert_int_equal(sent(b), 0);
    memory_destroy(b);
}

/* ---- a fill and its own compute unit ---- */

/* What a compute unit stores to a line that it has under way is in the line afterwards, and what
 * was asked for before it is older. */
TEST(test_fill_and_own_store)
{
    struct memory_bench *b = HYBRID();
    struct memory_step loads[2] = {{.is_sync = false}};
    struct memory_step stores = {.bytes = {7}};

    memory_begin(b, &loads[0], hybrid_request(Q, MEM_LOAD, 0, 0));
    memory_begin(b, &stores, store_of(Q, 0, NS(5)));
    memory_begin(b, &loads[1], hybrid_request(Q, MEM_LOAD, 0, NS(6)));
    (void)memory_finish(b, &loads[0]);
    (void)memory_finish(b, &loads[1]);
    (void)memory_finish(b, &stores);
    assert_int_equal(loads[0].bytes[0], 0);
    assert_int_equal(loads[1].bytes[0], 7);
    assert_int_equal(hybrid_load(b, Q, 0, NS(200)), NS(4));
    assert_int_equal(load_byte(b, Q, 0, NS(300)), 7);
    /* The store has passed the tracker: Q is listed no more. */
    (void)load_byte(b, P, 0, NS(400));
    assert_int_equal(sent(b), 0);
    memory_destroy(b);
}

/* What is under way at an acquire serves who waits for it, and nobody who comes later. */
TEST(test_fill_and_acquire)
{
    struct memory_bench *b = HYBRID();
    struct memory_step before = {.is_sync = false};
    struct memory_step after = {.is_sync = false};

    memory_begin(b, &before, hybrid_request(Q, MEM_LOAD, 0, 0));
    store_byte(b, P, 0, 7, NS(20));
    hybrid_acquire(b, Q, NS(50));
    memory_begin(b, &after, hybrid_request(Q, MEM_LOAD, 0, NS(50)));
    (void)memory_finish(b, &before);
    (void)memory_finish(b, &after);
    assert_int_equal(before.bytes[0], 0);
    assert_int_equal(after.bytes[0], 7);
    assert_int_equal(load_byte(b, Q, 0, NS(300)), 7);
    memory_destroy(b);
}

/* The line of a compute unit's own operation is not there afterwards: neither the one that it had,
 * nor one that was under way. */
TEST(test_own_operation)
{
    struct memory_bench *b = HYBRID();
    struct memory_step loads = {.is_sync = false};
    struct memory_step adds = {.bytes = {1}};

    (void)load_byte(b, Q, 0, 0);
    (void)hybrid_time(b, hybrid_atomic(Q, 0, 1, NS(100)));
    assert_int_equal(load_byte(b, Q, 0, NS(200)), 1);

    hybrid_acquire(b, Q, NS(300));
    memory_begin(b, &loads, hybrid_request(Q, MEM_LOAD, 0, NS(300)));
    memory_begin(b, &adds, hybrid_atomic(Q, 0, 1, NS(305)));
    (void)memory_finish(b, &loads);
    (void)memory_finish(b, &adds);
    assert_int_equal(loads.bytes[0], 1);
    assert_int_equal(adds.bytes[0], 1);
    assert_int_equal(load_byte(b, Q, 0, NS(500)), 2);
    memory_destroy(b);
}

/* Who was listed is not asked for a line that an operation has changed. */
TEST(test_operation_of_another)
{
    struct memory_bench *b = HYBRID();

    (void)load_byte(b, P, 0, 0);
    (void)hybrid_time(b, hybrid_atomic(Q, 0, 1, NS(100)));
    assert_int_equal(load_byte(b, Q, 0, NS(200)), 1);
    assert_int_equal(load_byte(b, P, 0, NS(300)), 0);
    assert_int_equal(sent(b), 0);
    memory_destroy(b);
}

/* ---- the end of a run ---- */

/* Stores that are under way are in memory when the run ends, in their order. */
TEST(test_settle)
{
    struct memory_bench *b = HYBRID();
    struct memory_step stores[2] = {{.bytes = {7}}, {.bytes = {8}}};
    uint8_t seen = 0;

    memory_begin(b, &stores[0], store_of(Q, 0, 0));
    memory_begin(b, &stores[1], store_of(Q, 0, NS(1)));
    event_queue_run(&b->event_queue, NS(2));
    b->mem->ops->functional_read(b->mem, (struct mem_requester){MEM_CU, Q}, MEMORY_BASE, &seen, 1);
    assert_int_equal(seen, 8);
    b->mem->ops->functional_read(b->mem, (struct mem_requester){MEM_CU, P}, MEMORY_BASE, &seen, 1);
    assert_int_equal(seen, 0);
    b->mem->ops->drain(b->mem);
    assert_int_equal(*memory_byte(b, 0), 8);
    event_queue_run(&b->event_queue, NS(1000));
    assert_int_equal(stores[0].done_ps, MEM_PENDING);
    memory_destroy(b);
}
