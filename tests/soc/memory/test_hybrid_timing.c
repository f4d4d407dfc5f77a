/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Times of memory system `hybrid`, each worked out by hand, in ns = cycles of the compute units:
 * L1 4 (a miss is known after all of them), crossbar 1 and 32 B a cycle, tracker 4, L2 16
 * (likewise) in lines of 32 B, DRAM 30. A load of a line of 128 B, of four pieces, one a cycle:
 *
 *     own L1                                  4
 *     another L1     4 + 1 + 4 + 1 + 4 + 4 = 18   the last: 1, and 3 for its other parts
 *     lost there     4 + 1 + 4 + 1 + 4 + 1 + 16 + 4 = 35
 *     L2             4 + 1 + 4 + 1 + 16 + 4 = 30
 *     DRAM           the same + 30          = 60
 *     L2, no tracker 4 + 1 + 16 + 4         = 25
 *
 * Pieces are asked for one a cycle, and that hides behind how they come back. A single piece comes
 * back in 1: 27 from the L2, 57 from DRAM, and so does what is done at the L2. */
#include "common/check.h"
#include "soc/memory/hybrid_bench.h"

static const struct mem_counters *counters_of(const struct memory_bench *b)
{
    return &b->mem->counters;
}

/* ---- loads ---- */

TEST(test_loads)
{
    struct memory_bench *b = HYBRID();

    assert_int_equal(hybrid_load(b, 0, 0, 0), NS(60));
    assert_int_equal(hybrid_load(b, 0, 0, NS(100)), NS(4));
    assert_int_equal(hybrid_load(b, 1, 0, NS(200)), NS(18));
    hybrid_acquire(b, 0, NS(300));
    hybrid_acquire(b, 1, NS(300));
    assert_int_equal(hybrid_load(b, 0, 0, NS(300)), NS(30));

    const struct tracker_counters *tracker = &counters_of(b)->tracker;
    assert_int_equal(tracker->lookups, 3);
    assert_int_equal(tracker->hits, 1);
    assert_int_equal(tracker->marks, 3);
    assert_int_equal(counters_of(b)->dram_reads, 4);
    assert_int_equal(counters_of(b)->l1[L1D].fills, 3);
    memory_destroy(b);
}

/* Without a tracker nothing goes by it, and other L1 caches are not asked. */
TEST(test_loads_without_tracker)
{
    struct memory_bench *b = HYBRID("tracker.count=0", );

    assert_int_equal(hybrid_load(b, 0, 0, 0), NS(55));
    assert_int_equal(hybrid_load(b, 0, 0, NS(100)), NS(4));
    assert_int_equal(hybrid_load(b, 1, 0, NS(200)), NS(25));
    memory_destroy(b);
}

/* Another L1 may take longer for what it sends than for its own. */
TEST(test_remote_cycles)
{
    struct memory_bench *b = HYBRID("l1d.remote_cycles=16", );

    (void)hybrid_load(b, 0, 0, 0);
    assert_int_equal(hybrid_load(b, 0, 0, NS(100)), NS(4));
    assert_int_equal(hybrid_load(b, 1, 0, NS(200)), NS(18 - 4 + 16));
    memory_destroy(b);
}

/* The cache that is listed loses the line by an atomic of its own, which comes to the tracker 5
 * behind its look-up: a load that passed 3 before is sent there in vain. */
TEST(test_lost)
{
    struct memory_bench *b = HYBRID();
    struct memory_step asks = {0};
    struct memory_step drops = {0};

    (void)hybrid_load(b, 0, 0, 0);
    memory_begin(b, &asks, hybrid_request(1, MEM_LOAD, 0, NS(97)));
    memory_begin(b, &drops, hybrid_atomic(0, 0, 1, NS(100)));
    assert_int_equal(memory_finish(b, &asks), NS(35));
    (void)memory_finish(b, &drops);
    assert_int_equal(counters_of(b)->tracker.lost, 1);
    assert_int_equal(counters_of(b)->tracker.hits, 0);
    memory_destroy(b);
}

/* Loads of a line that is under way wait for it. */
TEST(test_merges)
{
    struct memory_bench *b = HYBRID();
    struct memory_step first = {0};
    struct memory_step second = {0};

    memory_begin(b, &first, hybrid_request(0, MEM_LOAD, 0, 0));
    memory_begin(b, &second, hybrid_request(0, MEM_LOAD, 0, NS(20)));
    assert_int_equal(memory_finish(b, &first), NS(60));
    assert_int_equal(memory_finish(b, &second), NS(40));
    assert_int_equal(counters_of(b)->tracker.lookups, 1);
    assert_int_equal(counters_of(b)->l1[L1D].served[HIT_MERGED], 1);
    memory_destroy(b);
}

/* Listed caches send a line in turn: from 0 to 1, then from the other of both, and so on. */
TEST(test_in_turn)
{
    struct memory_bench *b = HYBRID();
    struct memory_step step[2] = {{.is_sync = false}};

    for (uint16_t cu = 0; cu < 2; cu++) {
        (void)hybrid_load(b, cu, 0, NS(100) * cu);
    }
    /* Both at once: the second request passes the tracker's bank 1 later, and is sent by another
     * cache, whose way to the network is free. */
    memory_begin(b, &step[0], hybrid_request(2, MEM_LOAD, 0, NS(300)));
    memory_begin(b, &step[1], hybrid_request(3, MEM_LOAD, 0, NS(300)));
    assert_int_equal(memory_finish(b, &step[0]), NS(18));
    assert_int_equal(memory_finish(b, &step[1]), NS(19));
    memory_destroy(b);

    /* With one sharer both come from the same: the second line leaves behind the first, 18 + 4. */
    b = HYBRID("tracker.sharers=1", );
    (void)hybrid_load(b, 0, 0, 0);
    memory_begin(b, &step[0], hybrid_request(2, MEM_LOAD, 0, NS(300)));
    memory_begin(b, &step[1], hybrid_request(3, MEM_LOAD, 0, NS(300)));
    assert_int_equal(memory_finish(b, &step[0]), NS(18));
    assert_int_equal(memory_finish(b, &step[1]), NS(22));
    memory_destroy(b);
}

/* ---- what takes a port or a bank ---- */

/* An L1 looks up one of its own accesses a cycle; what others read there, and lines that come, have
 * a port of their own. */
TEST(test_ports)
{
    static const char *const counts[] = {"tracker.count=0", "tracker.count=1"};

    for (unsigned i = 0; i < 2; i++) {
        struct memory_bench *b = HYBRID(counts[i], );
        struct memory_step step[5] = {{.is_sync = false}};
        (void)hybrid_load(b, 0, 0, 0);
        (void)hybrid_load(b, 0, 1, NS(100));
        for (unsigned k = 0; k < 2; k++) {
            memory_begin(b, &step[k], hybrid_request(0, MEM_LOAD, k, NS(200)));
        }
        assert_int_equal(memory_finish(b, &step[0]), NS(4));
        assert_int_equal(memory_finish(b, &step[1]), NS(5));
        /* Line 3 comes from DRAM, by other banks than line 0, which compute unit 1 wants then. */
        const uint64_t fill_ps = i == 0 ? NS(55) : NS(60);
        memory_begin(b, &step[2], hybrid_request(0, MEM_LOAD, 3, NS(300)));
        memory_begin(b, &step[3], hybrid_request(1, MEM_LOAD, 0, NS(301 - 10) + fill_ps));
        memory_begin(b, &step[4], hybrid_request(0, MEM_LOAD, 1, NS(300) + fill_ps));
        assert_int_equal(memory_finish(b, &step[2]), fill_ps);
        assert_int_equal(memory_finish(b, &step[3]), i == 0 ? NS(25) : NS(18));
        assert_int_equal(memory_finish(b, &step[4]), NS(4));
        memory_destroy(b);
    }
}

/* Line 3 comes to compute unit 0 when compute unit 1's load of line 0, 4 + 1 + 4 + 1 behind its
 * beginning, is to be read there, by the same port: that has its turn 1 later. */
TEST(test_second_port)
{
    struct memory_bench *b = HYBRID();
    struct memory_step step[2] = {{.is_sync = false}};

    (void)hybrid_load(b, 0, 0, 0);
    memory_begin(b, &step[0], hybrid_request(0, MEM_LOAD, 3, NS(300)));
    memory_begin(b, &step[1], hybrid_request(1, MEM_LOAD, 0, NS(300 + 60 - 10)));
    assert_int_equal(memory_finish(b, &step[0]), NS(60));
    assert_int_equal(memory_finish(b, &step[1]), NS(18 + 1));
    memory_destroy(b);
}

/* Two compute units load two lines that the L2 has, at once. How long the second load takes. */
static uint64_t second_of(uint32_t first, uint32_t second)
{
    struct memory_bench *b = HYBRID();
    struct memory_step step[2] = {{.is_sync = false}};

    (void)hybrid_load(b, 0, first, 0);
    (void)hybrid_load(b, 0, second, NS(100));
    hybrid_acquire(b, 0, NS(200));
    memory_begin(b, &step[0], hybrid_request(0, MEM_LOAD, first, NS(200)));
    memory_begin(b, &step[1], hybrid_request(1, MEM_LOAD, second, NS(200)));
    assert_int_equal(memory_finish(b, &step[0]), NS(30));
    const uint64_t time_ps = memory_finish(b, &step[1]);
    memory_destroy(b);
    return time_ps;
}

/* The tracker has 8 banks, and so has the L2, in which lines 0 and 1 are in all of them. Lines 0
 * and 2 have the same four: the second's pieces have their turns 1 later. Those of line 8 ask the
 * tracker's bank of line 0, whose four requests leave for the L2 before. */
TEST(test_banks)
{
    assert_int_equal(second_of(0, 1), NS(30));
    assert_int_equal(second_of(0, 2), NS(31));
    assert_int_equal(second_of(0, 8), NS(34));
}

/* ---- stores ---- */

/* A store is done when it is known to be at the L2: a piece as one that is loaded, 27; a line takes
 * 3 more to the tracker and 3 more from there. */
TEST(test_stores)
{
    struct memory_bench *b = HYBRID();

    assert_int_equal(hybrid_time(b, hybrid_request(0, MEM_STORE, 0, 0)), NS(27));
    assert_int_equal(hybrid_time(b, hybrid_whole(0, MEM_STORE, 1, NS(100))), NS(33));
    assert_int_equal(counters_of(b)->dram_reads, 5); /* what they miss is fetched */
    assert_int_equal(counters_of(b)->l1[L1D].fills, 0);
    assert_int_equal(hybrid_load(b, 0, 1, NS(300)), NS(30));
    assert_int_equal(counters_of(b)->l1[L1D].updates, 0);
    assert_int_equal(hybrid_time(b, hybrid_request(0, MEM_STORE, 1, NS(400))), NS(27));
    assert_int_equal(counters_of(b)->l1[L1D].updates, 1);
    assert_int_equal(hybrid_load(b, 0, 1, NS(500)), NS(4));
    memory_destroy(b);

    /* Nothing is fetched: the first byte is known, the others are when they are wanted. */
    b = HYBRID("l2.write_fetch=off", );
    assert_int_equal(hybrid_time(b, hybrid_request(0, MEM_STORE, 0, 0)), NS(27));
    assert_int_equal(hybrid_time(b, hybrid_whole(0, MEM_STORE, 1, NS(100))), NS(33));
    assert_int_equal(counters_of(b)->dram_reads, 0);
    assert_int_equal(hybrid_load(b, 0, 1, NS(200)), NS(30));
    assert_int_equal(counters_of(b)->dram_reads, 0);
    assert_int_equal(hybrid_load(b, 0, 0, NS(300)), NS(60));
    assert_int_equal(counters_of(b)->dram_reads, 4);
    memory_destroy(b);
}

/* Without a tracker what writes leaves for the L2 at once: 4 + 1 + 16 + 1, and 3 for the other
 * pieces. */
TEST(test_stores_without_tracker)
{
    struct memory_bench *b = HYBRID("tracker.count=0", );

    assert_int_equal(hybrid_time(b, hybrid_request(0, MEM_STORE, 0, 0)), NS(22));
    assert_int_equal(hybrid_time(b, hybrid_whole(0, MEM_STORE, 1, NS(100))), NS(25));
    memory_destroy(b);
}

/* ---- atomics ---- */

TEST(test_atomics)
{
    struct memory_bench *b = HYBRID();
    const struct l2_counters *l2 = &counters_of(b)->l2;
    struct memory_step step[32] = {{.is_sync = false}};

    /* The line comes from DRAM into the buffer: 57; then it is there. */
    assert_int_equal(hybrid_time(b, hybrid_atomic(0, 0, 1, 0)), NS(57));
    assert_int_equal(hybrid_time(b, hybrid_atomic(1, 0, 1, NS(100))), NS(27));
    /* 32 lanes of an instruction, one a cycle. */
    assert_int_equal(hybrid_time(b, hybrid_atomic(1, 0, 32, NS(200))), NS(27 + 31));
    assert_int_equal(l2->atomic_buffer_misses, 1);
    assert_int_equal(l2->atomic_buffer_hits, 33);
    /* 32 instructions, one a cycle. */
    for (unsigned i = 0; i < 32; i++) {
        memory_begin(b, &step[i], hybrid_atomic(0, 0, 1, NS(300 + i)));
    }
    for (unsigned i = 0; i < 32; i++) {
        assert_int_equal(memory_finish(b, &step[i]), NS(27));
    }
    assert_int_equal(l2->atomic_buffer_hits, 65);
    memory_destroy(b);
}

TEST(test_atomics_without_tracker)
{
    struct memory_bench *b = HYBRID("tracker.count=0", );

    assert_int_equal(hybrid_time(b, hybrid_atomic(0, 0, 1, 0)), NS(52));
    assert_int_equal(hybrid_time(b, hybrid_atomic(1, 0, 1, NS(100))), NS(22));
    assert_int_equal(hybrid_time(b, hybrid_atomic(1, 0, 32, NS(200))), NS(22 + 31));
    (void)hybrid_time(b, hybrid_atomic(1, 2, 1, NS(300))); /* puts it back into the L2 */
    assert_int_equal(hybrid_time(b, hybrid_atomic(0, 0, 1, NS(400))), NS(22));
    memory_destroy(b);
}

/* Another line of the bank, which is every eighth piece, puts the buffer's back into the L2, and so
 * does another access to it. */
TEST(test_atomic_buffer)
{
    struct memory_bench *b = HYBRID();
    const struct l2_counters *l2 = &counters_of(b)->l2;

    (void)hybrid_time(b, hybrid_atomic(0, 0, 1, 0));
    assert_int_equal(l2->line_writes, 0); /* the buffer has it alone */
    (void)hybrid_time(b, hybrid_atomic(0, 2, 1, NS(100)));
    assert_int_equal(l2->line_writes, 1);
    assert_int_equal(l2->atomic_buffer_misses, 2);
    assert_int_equal(hybrid_time(b, hybrid_atomic(0, 0, 1, NS(200))), NS(27)); /* from the L2 */
    assert_int_equal(l2->atomic_buffer_misses, 3);
    assert_int_equal(l2->line_writes, 2);
    assert_int_equal(counters_of(b)->dram_reads, 2);
    /* A load of it: one piece is in the L2, the other three of line 0 are not. */
    assert_int_equal(hybrid_load(b, 1, 0, NS(300)), NS(60));
    assert_int_equal(l2->line_writes, 2 + 1 + 3);
    assert_int_equal(counters_of(b)->dram_reads, 5);
    assert_int_equal(hybrid_time(b, hybrid_atomic(0, 0, 1, NS(400))), NS(27));
    assert_int_equal(l2->atomic_buffer_misses, 4);
    memory_destroy(b);
}

/* ---- bypass ---- */

/* A load of an instruction that touches so many lines. */
static struct mem_request wide(uint32_t line, uint16_t lines, uint64_t time_ps)
{
    struct mem_request request = hybrid_request(0, MEM_LOAD, line, time_ps);

    request.lines = lines;
    return request;
}

/* Whether instructions that touch so many lines allocate them, with so many wavefronts. */
static bool allocates(uint16_t lines, uint32_t waves)
{
    struct memory_bench *b = HYBRID("l1d.bypass=on", );

    hybrid_launch(b, 0, waves, 0);
    const uint64_t first_ps = hybrid_time(b, wide(0, lines, 0));
    const uint64_t second_ps = hybrid_time(b, wide(0, lines, NS(100)));
    const uint64_t bypassed = counters_of(b)->l1[L1D].bypassed;
    const uint64_t reads = counters_of(b)->dram_reads;
    const uint64_t marks = counters_of(b)->tracker.marks;
    memory_destroy(b);
    if (second_ps == NS(4)) {
        assert_int_equal(first_ps, NS(60));
        assert_int_equal(bypassed, 0);
        assert_int_equal(marks, 1);
        return true;
    }
    assert_int_equal(first_ps, NS(57)); /* a piece alone, to the L2, and from there */
    assert_int_equal(second_ps, NS(27));
    assert_int_equal(bypassed, 2);
    assert_int_equal(reads, 1);
    assert_int_equal(marks, 0);
    return false;
}

/* 512 lines: 8 for each of 64 wavefronts, and of 57; 9 of 56; 512 of 1. */
TEST(test_bypass)
{
    assert_true(allocates(7, 64));
    assert_false(allocates(8, 64));
    assert_true(allocates(7, 57));
    assert_false(allocates(8, 57));
    assert_true(allocates(8, 56));
    assert_false(allocates(9, 56));
    assert_true(allocates(15, 32));
    assert_false(allocates(16, 32));
    assert_true(allocates(511, 1));
    assert_false(allocates(512, 1));
}

/* Wavefronts that end or yield leave lines to the others; one that restarts takes its part. */
TEST(test_residents)
{
    static const struct {
        enum mem_sync sync;
        bool acquire;
        bool allocates; /* 8 lines */
    } steps[] = {
        {MEM_SYNC_END, false, true},      /* 56 */
        {MEM_SYNC_LAUNCH, false, false},  /* 57 */
        {MEM_SYNC_YIELD, false, true},    /* 56 */
        {MEM_SYNC_RESTART, true, false},  /* 57 */
        {MEM_SYNC_PACKET, false, true},   /* 56: the end of the last one of its packet */
        {MEM_SYNC_PACKET, true, false},   /* 57: the first one of another */
        {MEM_SYNC_BARRIER, false, false}, /* 57 */
    };
    struct memory_bench *b = HYBRID("l1d.bypass=on", );
    uint64_t bypassed = 0;

    hybrid_launch(b, 0, 57, 0);
    for (unsigned i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        hybrid_tell(b, hybrid_sync(0, steps[i].sync, steps[i].acquire, NS(1000 * i)));
        (void)hybrid_time(b, wide(i, 8, NS(1000 * i)));
        bypassed += !steps[i].allocates;
        assert_int_equal(counters_of(b)->l1[L1D].bypassed, bypassed);
    }
    memory_destroy(b);
}

/* What bypasses hits where the line is: in its own L1, in another's, which sends the pieces. */
TEST(test_bypass_hits)
{
    struct memory_bench *b = HYBRID("l1d.bypass=on", );

    hybrid_launch(b, 0, 64, 0);
    (void)hybrid_load(b, 1, 0, 0);
    /* 4 + 1 + 4 + 1 + 4 + 1, and nothing stays. */
    assert_int_equal(hybrid_time(b, wide(0, 32, NS(100))), NS(15));
    assert_int_equal(hybrid_time(b, wide(0, 32, NS(200))), NS(15));
    assert_int_equal(hybrid_time(b, wide(0, 1, NS(300))), NS(18));
    assert_int_equal(hybrid_time(b, wide(0, 32, NS(400))), NS(4));
    assert_int_equal(counters_of(b)->l1[L1D].bypassed, 3);
    memory_destroy(b);
}

TEST(test_bypass_without_tracker)
{
    struct memory_bench *b = HYBRID("tracker.count=0", "l1d.bypass=on", );

    hybrid_launch(b, 0, 64, 0);
    assert_int_equal(hybrid_time(b, wide(0, 8, 0)), NS(52));
    assert_int_equal(hybrid_time(b, wide(0, 8, NS(100))), NS(22));
    memory_destroy(b);
}

/* With l2.bypass what stays in an L1 does not in the L2, and what bypasses the L1 does. */
TEST(test_l2_bypass)
{
    struct memory_bench *b = HYBRID("l1d.bypass=on", "l2.bypass=on", );

    hybrid_launch(b, 0, 64, 0);
    assert_int_equal(hybrid_load(b, 0, 0, 0), NS(60));
    assert_int_equal(counters_of(b)->l2.line_writes, 0);
    hybrid_acquire(b, 0, NS(100));
    assert_int_equal(hybrid_load(b, 0, 0, NS(100)), NS(60));
    assert_int_equal(hybrid_time(b, wide(1, 8, NS(200))), NS(57));
    assert_int_equal(hybrid_time(b, wide(1, 8, NS(300))), NS(27));
    memory_destroy(b);
}

/* ---- who is told ---- */

/* An entry goes with its last sharer, and then nobody is asked; a full tracker forgets the entry
 * that was used least lately. */
TEST(test_tracker_entries)
{
    struct memory_bench *b = HYBRID("tracker.sets=8", "tracker.ways=1", "l1d.size=512", );
    const struct tracker_counters *tracker = &counters_of(b)->tracker;

    (void)hybrid_load(b, 0, 0, 0);
    for (uint32_t line = 8; line < 40; line += 8) { /* of one set of four ways, and of one entry */
        (void)hybrid_load(b, 0, line, NS(100 * line));
    }
    assert_int_equal(tracker->reports, 1);   /* of line 0 */
    assert_int_equal(tracker->evictions, 4); /* each forgets the one before */
    assert_int_equal(hybrid_load(b, 0, 8, NS(5000)), NS(4));
    assert_int_equal(hybrid_load(b, 1, 8, NS(6000)), NS(30));
    assert_int_equal(tracker->evictions, 5);
    assert_int_equal(hybrid_load(b, 2, 8, NS(7000)), NS(18));
    memory_destroy(b);
}

/* The end of a launch empties all L1 caches and the tracker, not the L2. */
TEST(test_end_of_launch)
{
    struct memory_bench *b = HYBRID();
    struct mem_request step = {.time_ps = NS(200),
                               .from = {.kind = MEM_FRONT},
                               .scope = SL_SCOPE_DEVICE,
                               .sync = MEM_SYNC_STEP};

    (void)hybrid_load(b, 0, 0, 0);
    (void)hybrid_load(b, 1, 0, NS(100));
    hybrid_tell(b, step);
    assert_int_equal(hybrid_load(b, 0, 0, NS(200)), NS(30));
    assert_int_equal(hybrid_load(b, 1, 0, NS(300)), NS(18));
    assert_int_equal(counters_of(b)->tracker.lost, 0);
    memory_destroy(b);
}

/* ---- the aggregator ---- */

/* Outside firmware's own region its accesses are coherent operations: 2 (its L1) + 1 + 4 + 1 + 16
 * + 1 = 25 where the line is in the buffer, 30 more from DRAM. */
TEST(test_aggregator)
{
    struct memory_bench *b = HYBRID();
    uint8_t byte = 7;

    assert_int_equal(memory_aggregate(b, MEM_LOAD, 0, 0, &byte), NS(55));
    byte = 7;
    assert_int_equal(memory_aggregate(b, MEM_STORE, 0, NS(100), &byte), NS(25));
    (void)hybrid_load(b, 0, 0, NS(200));
    assert_int_equal(hybrid_load(b, 1, 0, NS(300)), NS(18));
    /* Who is listed has old bytes from now on, and is not asked any more. */
    byte = 8;
    (void)memory_aggregate(b, MEM_STORE, 0, NS(400), &byte);
    assert_int_equal(hybrid_load(b, 2, 0, NS(500)), NS(30));
    assert_int_equal(counters_of(b)->tracker.drops, 1);
    memory_destroy(b);
}

/* ---- the front end ---- */

/* Its cache has lines of 64 B, which the upper half of a line is. What it has written is in no
 * memory: the compute unit that loads the line has two pieces of it from there, and they leave the
 * L2, of 8 sets here, for DRAM as other lines come. */
TEST(test_front)
{
    struct memory_bench *b = HYBRID("front.memory=coherent", "l2.size=2KiB", );
    struct mem_request store = hybrid_request(0, MEM_STORE, 0, 0);

    store.from = (struct mem_requester){.kind = MEM_FRONT};
    store.mask[0] = 0;
    store.mask[1] = MEMORY_ALL;
    (void)b->mem->ops->access(b->mem, &store);
    store.time_ps = NS(100);
    (void)b->mem->ops->access(b->mem, &store);
    assert_int_equal(counters_of(b)->l1[FRONT_L1D].accesses, 2);
    assert_int_equal(counters_of(b)->l1[FRONT_L1D].served[HIT_L1], 1);

    const uint64_t before = counters_of(b)->dram_reads;
    (void)hybrid_load(b, 0, 0, NS(200));
    assert_int_equal(counters_of(b)->dram_reads - before, 2); /* of the lower half */
    assert_int_equal(counters_of(b)->dram_writes, 0);
    for (uint32_t line = 1; line <= 2 * 8; line++) {
        (void)hybrid_load(b, 0, line, NS(200) + NS(200) * line);
    }
    assert_int_equal(counters_of(b)->dram_writes, 2);

    /* Of one piece that is loaded the other comes home as well. */
    store.time_ps = NS(10000);
    (void)b->mem->ops->access(b->mem, &store);
    struct mem_request piece = hybrid_atomic(1, 0, 1, NS(10200));
    piece.kind = MEM_LOAD;
    piece.mask[0] = 0;
    piece.mask[1] = 1;
    (void)hybrid_time(b, piece);
    for (uint32_t line = 17; line <= 4 * 8; line++) {
        (void)hybrid_load(b, 0, line, NS(11000) + NS(200) * line);
    }
    assert_int_equal(counters_of(b)->dram_writes, 2 + 1); /* the buffer has the first one still */
    memory_destroy(b);
}

/* 2 + 1 + 16 + 1 = 20. */
TEST(test_aggregator_without_tracker)
{
    struct memory_bench *b = HYBRID("tracker.count=0", );
    uint8_t byte = 7;

    assert_int_equal(memory_aggregate(b, MEM_LOAD, 0, 0, &byte), NS(50));
    byte = 7;
    assert_int_equal(memory_aggregate(b, MEM_STORE, 0, NS(100), &byte), NS(20));
    memory_destroy(b);
}
