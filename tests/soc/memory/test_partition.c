/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Times of memory system `partition`, each worked out by hand, in ns: all clocks are 1 GHz where a
 * test says nothing else. The network takes 1 for a message, L2 16, after all of which a miss is
 * known, DRAM 12 + 10 + 8 = 30 where no row of the bank is open and 10 + 8 = 18 where the right one
 * is (tests/unit/mem/test_dram_banks.c has the others). So
 *     L2 hit   1 + 16 + 1 = 18
 *     DRAM     1 + 16 + 30 + 1 = 48, or 36 */
#include <string.h>

#include "common/check.h"
#include "sluice/lock.h"
#include "soc/memory/lock_bench.h"

#define NS(n) ((uint64_t)(n)*1000)

#define MACHINE     "mem.system=partition", "dram.clock=1GHz", "gpu.cus=8"
#define MEMORY(...) memory_create((const char *const[]){__VA_ARGS__, NULL})
#define LOCKS(...)  lock_bench_create((const char *const[]){__VA_ARGS__, NULL})
#define QUEUES      MACHINE, "lock.queue=on"

/* Lines of one row of DRAM's bank 0; the next rows are those of the next banks. */
#define ROW 32u

/* An access of a compute unit; returns when it takes effect and when it is done, from `ns` on. */
static struct mem_answer at(struct memory_bench *b, uint16_t cu, enum mem_kind kind, uint32_t line,
                            uint64_t ns)
{
    struct mem_request request = {.time_ps = NS(ns),
                                  .address = MEMORY_BASE + (uint64_t)line * SL_CACHE_LINE_BYTES,
                                  .from = {MEM_CU, cu},
                                  .kind = (uint8_t)kind,
                                  .atomic = kind != MEM_LOAD && kind != MEM_STORE,
                                  .lines = 1};
    request.word = request.address;
    struct mem_answer answer = b->mem->ops->access(b->mem, &request);

    assert_true(answer.done_ps >= answer.perform_ps && answer.perform_ps >= request.time_ps);
    answer.perform_ps -= request.time_ps;
    answer.done_ps -= request.time_ps;
    return answer;
}

static uint64_t takes(struct memory_bench *b, uint16_t cu, enum mem_kind kind, uint32_t line,
                      uint64_t ns)
{
    return at(b, cu, kind, line, ns).done_ps;
}

/* Closed, then in the L2; another line of the open row; another row of the same bank, with tRP. */
TEST(test_paths)
{
    struct memory_bench *b = MEMORY(MACHINE);
    const struct mem_counters *counters = &b->mem->counters;

    assert_non_null(b->mem->backdoor);
    assert_int_equal(takes(b, 0, MEM_LOAD, 0, 0), NS(48));
    assert_int_equal(takes(b, 1, MEM_LOAD, 0, 100), NS(18));
    assert_int_equal(takes(b, 0, MEM_LOAD, 1, 200), NS(36));
    assert_int_equal(takes(b, 0, MEM_LOAD, 8 * ROW, 300), NS(58));
    assert_int_equal(counters->l1[L1D].served[HIT_DRAM], 3);
    assert_int_equal(counters->l1[L1D].served[HIT_L2], 1);
    assert_int_equal(counters->l1[L1D].served[HIT_L1], 0);
    assert_int_equal(counters->dram_row_hits, 1);
    assert_int_equal(counters->dram_channels, 1);
    memory_destroy(b);
}

/* What takes effect does so when the line is there, a reply before its requester has it. */
TEST(test_effects)
{
    static const enum mem_kind kinds[] = {MEM_LOAD, MEM_STORE, MEM_ATOMIC, MEM_LOCK, MEM_UNLOCK};

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        struct memory_bench *b = MEMORY(MACHINE);
        assert_int_equal(at(b, 0, kinds[i], 0, 0).perform_ps, NS(47));
        assert_int_equal(at(b, 0, kinds[i], 0, 100).perform_ps, NS(17));
        assert_int_equal(takes(b, 0, kinds[i], 0, 200), NS(18));
        memory_destroy(b);
    }
}

/* A line is 4 parts of 16 bytes: its tail comes 3 after its head. Loads bring one back, stores take
 * one along, atomics both; locks neither. */
TEST(test_messages)
{
    struct memory_bench *b = MEMORY(MACHINE, "crossbar.width=16");

    (void)takes(b, 0, MEM_LOAD, 0, 0);
    assert_int_equal(takes(b, 0, MEM_LOAD, 0, 100), NS(1 + 16 + 4));
    assert_int_equal(takes(b, 0, MEM_STORE, 0, 200), NS(4 + 16 + 1));
    assert_int_equal(takes(b, 0, MEM_ATOMIC, 0, 300), NS(4 + 16 + 4));
    assert_int_equal(takes(b, 0, MEM_LOCK, 0, 400), NS(1 + 16 + 1));
    assert_int_equal(takes(b, 0, MEM_UNLOCK, 0, 500), NS(1 + 16 + 1));
    assert_int_equal(b->mem->counters.l1[L1D].bytes_in, 3 * SL_CACHE_LINE_BYTES);
    assert_int_equal(b->mem->counters.l1[L1D].bytes_out, 2 * SL_CACHE_LINE_BYTES);
    memory_destroy(b);
}

/* Eight compute units load one line at once. Their requests come to the partition one a cycle, and
 * each reply holds its link for 4: the first is there after 21, then one each 4. From two
 * partitions they come at the same time. */
TEST(test_links)
{
    struct memory_bench *b = MEMORY(MACHINE, "crossbar.width=16", "dram.channels=2");

    (void)takes(b, 0, MEM_LOAD, 0, 0);
    (void)takes(b, 0, MEM_LOAD, 1, 0);
    for (uint16_t cu = 0; cu < 8; cu++) {
        assert_int_equal(takes(b, cu, MEM_LOAD, 0, 200), NS(21 + 4 * cu));
    }
    for (uint16_t cu = 0; cu < 8; cu++) {
        assert_int_equal(takes(b, cu, MEM_LOAD, cu % 2, 400), NS(21 + 4 * (cu / 2)));
    }
    memory_destroy(b);
}

/* The network at half the clock: a message that leaves at 0 is there at 2, its reply leaves at the
 * edge 18. From 1 on: 2, 4, 20, 22. */
TEST(test_network_clock)
{
    struct memory_bench *b = MEMORY(MACHINE, "partition.network_clock=500MHz");

    (void)takes(b, 0, MEM_LOAD, 0, 0);
    assert_int_equal(takes(b, 0, MEM_LOAD, 0, 100), NS(2 + 16 + 2));
    assert_int_equal(takes(b, 0, MEM_LOAD, 0, 201), NS(21));
    memory_destroy(b);
}

/* On one word they take effect one a cycle, in the order of their arrival. */
TEST(test_atomics_on_one_word)
{
    struct memory_bench *b = MEMORY(MACHINE);

    (void)takes(b, 0, MEM_LOAD, 0, 0);
    for (uint16_t cu = 0; cu < 8; cu++) {
        const struct mem_answer answer = at(b, cu, MEM_ATOMIC, 0, 100);
        assert_int_equal(answer.perform_ps, NS(17 + cu));
        assert_int_equal(answer.done_ps, NS(18 + cu));
    }
    memory_destroy(b);
}

/* A load of a line under way waits for it: there at 47, the replies one behind the other. */
TEST(test_merged)
{
    struct memory_bench *b = MEMORY(MACHINE);

    assert_int_equal(takes(b, 0, MEM_LOAD, 0, 0), NS(48));
    assert_int_equal(takes(b, 1, MEM_LOAD, 0, 0), NS(49));
    assert_int_equal(b->mem->counters.dram_reads, 1);
    memory_destroy(b);
}

/* With one MSHR, or one place in DRAM's queue, the second miss, known at 18, waits for the first,
 * whose line is there at 47: 47 + 30 + 1. With room for both it follows tRRD behind: activates at
 * 17 and 25, so 55 + 1. */
TEST(test_limits)
{
    static const char *const settings[] = {"l2.mshrs=1", "dram.queue=1", "l2.mshrs=2"};

    for (size_t i = 0; i < 3; i++) {
        struct memory_bench *b = MEMORY(MACHINE, settings[i]);
        assert_int_equal(takes(b, 0, MEM_LOAD, 0, 0), NS(48));
        assert_int_equal(takes(b, 1, MEM_LOAD, ROW, 0), i == 2 ? NS(56) : NS(78));
        memory_destroy(b);
    }
}

/* A slice of two lines. What is written makes the line dirty; the third line takes the place of the
 * first, which is written to DRAM when its miss is known, at 217, and before it is read: its row is
 * open, so on the bus until 235. The read finds the bus free again, and its bank open: 217 + 10,
 * but behind the write's access in the same bank, at 225: 225 + 18 + 1. A clean line just goes. */
TEST(test_write_back)
{
    for (int is_dirty = 0; is_dirty < 2; is_dirty++) {
        struct memory_bench *b = MEMORY(MACHINE, "l2.size=128", "l2.ways=2", "l2.banks=1");
        const struct l2_counters *l2 = &b->mem->counters.l2;
        (void)takes(b, 0, is_dirty ? MEM_STORE : MEM_LOAD, 0, 0);
        (void)takes(b, 0, MEM_LOAD, 1, 100);
        assert_int_equal(takes(b, 0, MEM_LOAD, 2, 200), is_dirty ? NS(44) : NS(36));
        assert_int_equal(l2->evictions, 1);
        assert_int_equal(l2->write_backs, is_dirty);
        assert_int_equal(b->mem->counters.dram_writes, is_dirty);
        assert_int_equal(takes(b, 0, MEM_LOAD, 1, 300), NS(18));
        assert_int_equal(takes(b, 0, MEM_LOAD, 0, 400), NS(36));
        memory_destroy(b);
    }
}

static uint64_t fetch(struct memory_bench *b, uint16_t cu, uint32_t line, uint64_t ns)
{
    struct mem_request request = {.time_ps = NS(ns),
                                  .address = MEMORY_BASE + (uint64_t)line * SL_CACHE_LINE_BYTES,
                                  .from = {MEM_CU_CODE, cu},
                                  .kind = MEM_FETCH};

    return b->mem->ops->access(b->mem, &request).done_ps - request.time_ps;
}

/* Instruction caches are above the L2: 2, then as a load. */
TEST(test_fetches)
{
    struct memory_bench *b = MEMORY(MACHINE, "l1i.shared=off");

    assert_int_equal(fetch(b, 0, 0, 0), NS(2 + 48));
    assert_int_equal(fetch(b, 0, 0, 100), NS(2));
    assert_int_equal(fetch(b, 1, 0, 200), NS(2 + 18));
    memory_destroy(b);
}

/* The aggregator's cache, 2, is coherent with compute units: a line that it has modified is fetched
 * from there, while the L2 finds that it has none, and one that they write is gone. */
TEST(test_aggregator)
{
    struct memory_bench *b = MEMORY(MACHINE);
    uint8_t value = 5;

    assert_int_equal(memory_aggregate(b, MEM_STORE, 0, NS(0), &value), NS(2 + 48));
    assert_int_equal(memory_aggregate(b, MEM_STORE, 0, NS(100), &value), NS(2));
    assert_int_equal(takes(b, 0, MEM_LOAD, 0, 200), NS(18));
    assert_int_equal(b->mem->counters.l1[L1D].served[HIT_OTHER_L1], 1);
    assert_int_equal(memory_aggregate(b, MEM_LOAD, 0, NS(300), &value), NS(2));
    assert_int_equal(takes(b, 0, MEM_STORE, 0, 400), NS(18));
    assert_int_equal(memory_aggregate(b, MEM_LOAD, 0, NS(500), &value), NS(2 + 18));
    assert_int_equal(b->mem->counters.dram_reads, 1);
    memory_destroy(b);
}

/* ---- anything ---- */

static const char *const small[][10] = {
    {"l2.size=512", "l2.ways=4", "l2.banks=1", "l2.mshrs=1", "dram.queue=1", "crossbar.width=8"},
    {"dram.channels=4", "l2.size=2KiB", "l2.ways=2", "l2.mshrs=2", "mem.network=torus"},
    {"dram.channels=2", "partition.network_clock=650MHz", "gpu.clock=1300MHz", "dram.clock=800MHz",
     "mem.jitter=50ns", "l2.size=2KiB", "l2.banks=2", "l1i.size=256", "l1i.ways=1"},
};

#define RANDOM_LINES 64u
#define RANDOM_CUS   4u
#define RANDOM_STEPS 50000u

static void check_laws(const struct mem_counters *counters, uint64_t accesses)
{
    const struct l1_counters *l1d = &counters->l1[L1D];
    const struct l2_counters *l2 = &counters->l2;

    assert_int_equal(l1d->accesses, accesses);
    assert_int_equal(l1d->served[HIT_OTHER_L1] + l1d->served[HIT_L2] + l1d->served[HIT_DRAM],
                     accesses);
    assert_int_equal(l2->hits + l2->misses, l2->accesses);
    assert_int_equal(l2->dram_bytes_in, SL_CACHE_LINE_BYTES * counters->dram_reads);
    assert_int_equal(l2->dram_bytes_out, SL_CACHE_LINE_BYTES * counters->dram_writes);
    assert_int_equal(l2->write_backs, counters->dram_writes);
    assert_true(counters->dram_row_hits <= counters->dram_reads + counters->dram_writes);
    assert_true(l1d->served[HIT_OTHER_L1] > 100);
    assert_true(l2->write_backs > 100);
}

/* Compute units and the aggregator access few lines at random. What one of them does to a line
 * takes effect in the order in which it is handed in, and what is counted adds up. */
TEST(test_random)
{
    static uint64_t last_ps[RANDOM_CUS][RANDOM_LINES];

    for (size_t machine = 0; machine < sizeof small / sizeof small[0]; machine++) {
        const char *settings[16] = {MACHINE};
        memcpy(&settings[3], small[machine], sizeof small[machine]);
        struct memory_bench *b = memory_create(settings);
        uint64_t random = machine;
        uint64_t ns = 0;
        uint64_t accesses = 0;
        uint8_t value = 0;
        memset(last_ps, 0, sizeof last_ps);
        for (uint32_t step = 0; step < RANDOM_STEPS; step++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            const uint32_t line = random >> 40 & (RANDOM_LINES - 1);
            const uint32_t who = random >> 50 & 7;
            const enum mem_kind kind = (enum mem_kind)((random >> 60) % 3);
            ns += random >> 30 & 15;
            if (who == 7) {
                (void)memory_aggregate(b, kind == MEM_LOAD ? MEM_LOAD : MEM_STORE, line, NS(ns),
                                       &value);
            } else if (who == 6) {
                (void)fetch(b, 0, line, ns);
            } else {
                const uint32_t cu = who % RANDOM_CUS;
                const uint64_t effect_ps = NS(ns) + at(b, (uint16_t)cu, kind, line, ns).perform_ps;
                assert_true(effect_ps >= last_ps[cu][line]);
                last_ps[cu][line] = effect_ps;
                accesses++;
            }
        }
        check_laws(&b->mem->counters, accesses);
        memory_destroy(b);
    }
}

/* ---- locks that queue ---- */

/* A lock that is free takes as long as an atomic: its line in DRAM, and in the L2. */
TEST(test_lock_that_is_free)
{
    struct lock_bench *b = LOCKS(QUEUES);
    const struct lock_bench_step *lock = lock_bench_lock(b, 0, 1, 0);
    const struct lock_bench_step *unlock = lock_bench_unlock(b, 0, 1, NS(100));

    lock_bench_run(b, NS(200));
    assert_int_equal(lock->perform_ps, NS(47));
    assert_int_equal(lock->done_ps, NS(48));
    assert_int_equal(unlock->perform_ps, NS(117));
    assert_int_equal(unlock->done_ps, NS(118));
    lock = lock_bench_lock(b, 0, 2, NS(200));
    lock_bench_run(b, NS(300));
    assert_int_equal(lock->done_ps, NS(218));
    assert_int_equal(b->mem->mem->counters.l1[L1D].accesses, 3);
    lock_bench_destroy(b);
}

/* Passed on: the unlock takes effect 17 after it was sent, and the next request goes to its word
 * then, 16, and 1 back. */
TEST(test_passed_on)
{
    struct lock_bench *b = LOCKS(QUEUES);
    struct lock_bench_step *lock[3];

    for (unsigned i = 0; i < 3; i++) {
        lock[i] = lock_bench_lock(b, 0, (int)i, 0);
    }
    (void)lock_bench_unlock(b, 0, 0, NS(100));
    lock_bench_run(b, NS(200));
    assert_int_equal(lock[1]->perform_ps, NS(100 + 17 + 16));
    assert_int_equal(lock[1]->done_ps, NS(134));
    assert_int_equal(lock[2]->done_ps, 0);
    (void)lock_bench_unlock(b, 0, 1, NS(200));
    lock_bench_run(b, NS(300));
    assert_int_equal(lock[2]->done_ps, NS(234));
    lock_bench_destroy(b);
}

/* Records are a partition's: each has room for one. Locks 0 and 16 are in two lines, so in two
 * partitions; 1 is in the line of 0, and is refused after the way there and back. */
TEST(test_records_of_a_partition)
{
    struct lock_bench *b = LOCKS(QUEUES, "dram.channels=2", "lock.queue_records=1");
    const struct lock_bench_step *lock[3] = {lock_bench_lock(b, 0, 0, 0),
                                             lock_bench_lock(b, 16, 1, 0),
                                             lock_bench_lock(b, 1, 2, NS(100))};

    lock_bench_run(b, NS(200));
    assert_int_equal(lock[0]->old, SL_LOCK_FREE);
    assert_int_equal(lock[1]->old, SL_LOCK_FREE);
    assert_int_equal(*lock_bench_word(b, 16), 1);
    assert_int_equal(lock[2]->perform_ps, 0);
    assert_int_equal(lock[2]->done_ps, NS(102));
    assert_int_equal(*lock_bench_word(b, 1), SL_LOCK_FREE);
    assert_int_equal(b->mem->mem->counters.lock.records_max, 2);
    assert_int_equal(b->mem->mem->counters.l1[L1D].accesses, 3);
    lock_bench_destroy(b);
}

/* A change of a queue takes 200, and DRAM's queue has one place. The unlock takes effect at 417, so
 * the grant goes at 617; by then the line has left the slice of two lines, and its miss is known at
 * 633. Three reads that were handed in at 600 are known to miss at 617: the first is in the queue
 * until 647, the others wait outside and will be there until 677 and 707. The grant goes before
 * them, at 647; its row is still open, and the bus is free from 657 to 665. */
TEST(test_grant_goes_first)
{
    struct lock_bench *b = LOCKS(QUEUES, "lock.queue_cycles=200", "l2.size=128", "l2.ways=2",
                                 "l2.banks=1", "dram.queue=1");
    const struct lock_bench_step *lock;

    (void)lock_bench_lock(b, 0, 0, 0);
    lock = lock_bench_lock(b, 0, 1, NS(100));
    (void)lock_bench_unlock(b, 0, 0, NS(400));
    lock_bench_run(b, NS(440));
    (void)takes(b->mem, 0, MEM_LOAD, 1 * ROW, 440);
    lock_bench_run(b, NS(500));
    (void)takes(b->mem, 0, MEM_LOAD, 2 * ROW, 500);
    lock_bench_run(b, NS(600));
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(takes(b->mem, (uint16_t)i, MEM_LOAD, (3 + i) * ROW, 600), NS(48 + 30 * i));
    }
    lock_bench_run(b, NS(1000));
    assert_int_equal(lock->old, SL_LOCK_FREE);
    assert_int_equal(lock->perform_ps, NS(665));
    lock_bench_destroy(b);
}
