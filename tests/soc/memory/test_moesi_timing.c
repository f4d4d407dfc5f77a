/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Times of memory system `moesi`, each worked out by hand.
 *
 * What holds where a test says nothing else (Table 2 of the core paper and our defaults), in ns =
 * cycles of the compute units: L1D 4, instruction cache 2, aggregator's L1D 2 and L1I 1, crossbar
 * 1, L2 and directory 16, DRAM 30, of which the last 3.2 are the transfer. 8 banks: lines 0 and 8
 * share one. So a load is done after hit                4 L2                 4 + 1 + 16 + 1 = 22
 *     DRAM               4 + 1 + 16 + 30 + 1 = 52
 *     another L1         4 + 1 + 16, forward 1, owner 4, data 1 = 27
 * and a store to a shared line after 4 + 1 + 16, invalidation 1, sharer 4, acknowledgement 1 = 27,
 * or 22 where nobody else has it. */
#include <stdlib.h>

#include "common/check.h"
#include "soc/memory/moesi_bench.h"

#define NS(n) ((uint64_t)((n)*1000))

static enum l1_state state_of(const struct moesi_bench *b, uint32_t node, uint32_t line)
{
    const struct l1_line *entry =
        bench_l1_line(b, node, BENCH_BASE + line * (uint64_t)SL_CACHE_LINE_BYTES);

    return entry == NULL ? L1_I : entry->state;
}

static void finish(struct moesi_bench *b)
{
    bench_check_all(b);
    bench_check_laws(b);
    bench_destroy(b);
}

/* From DRAM, then from the own L1; it comes alone, so a store needs nobody. */
TEST(test_dram_and_hit)
{
    struct moesi_bench *b = BENCH("gpu.cus=1");

    assert_int_equal(bench_load(b, 0, 0, 0), NS(52));
    assert_int_equal(state_of(b, 0, 0), L1_E);
    assert_int_equal(bench_load(b, 0, 0, NS(100)), NS(4));
    assert_int_equal(bench_store(b, 0, 0, NS(101)), NS(4));
    assert_int_equal(state_of(b, 0, 0), L1_M);
    assert_int_equal(b->moesi->base.counters.l2.accesses, 1);
    finish(b);
}

/* Random delays of DRAM, of this seed 1.400, 0.694, 2.129 and 0.996 ns (test_mem_parts.c); the bank
 * takes the line at its next cycle: 52 and 2, 1, 3, 1 more. What DRAM does not serve is as always.
 */
TEST(test_jitter)
{
    static const uint64_t late[] = {NS(2), NS(1), NS(3), NS(1)};
    struct moesi_bench *b = BENCH("gpu.cus=2", "mem.jitter=4ns", "mem.jitter_seed=1234567");

    for (uint32_t line = 0; line < 4; line++) {
        const uint64_t now = NS(1000) * line;
        assert_int_equal(bench_load(b, 0, line, now), NS(52) + late[line]);
        assert_int_equal(bench_load(b, 0, line, now + NS(100)), NS(4));
        assert_int_equal(bench_load(b, 1, line, now + NS(200)), NS(27));
    }
    assert_int_equal(b->moesi->base.counters.dram_busy_ps, 4 * 3200);
    finish(b);
}

/* A fetch brings the line into the L2, from where a load takes it. */
TEST(test_l2_hit)
{
    struct moesi_bench *b = BENCH("gpu.cus=1");

    assert_int_equal(bench_fetch(b, 0, 0, 0), NS(50)); /* 2 + 1 + 16 + 30 + 1 */
    assert_int_equal(bench_fetch(b, 0, 0, NS(60)), NS(2));
    assert_int_equal(bench_load(b, 0, 0, NS(100)), NS(22));
    assert_int_equal(state_of(b, 0, 0), L1_S);
    finish(b);
}

/* The aggregator's caches at 2 GHz: 2 + 1 + 16 + 30 + 1 = 50 ns; 0.5 ns later its request waits for
 * the crossbar's next cycle. Fetch: 1 + 1 + 16 + 30 + 1 = 49; the same line again, without a look,
 * and after another line, 1. */
TEST(test_aggregator)
{
    struct moesi_bench *b = BENCH("gpu.cus=1");
    uint32_t agg = bench_aggregator(b);

    assert_int_equal(bench_load(b, agg, 0, 0), NS(50));
    assert_int_equal(bench_load(b, agg, 1, NS(100) + 500), NS(50.5));
    assert_int_equal(bench_load(b, agg, 0, NS(200) + 500), NS(2));
    assert_int_equal(bench_fetch(b, agg, 2, NS(300)), NS(49));
    for (uint64_t i = 0; i < 4; i++) {
        assert_int_equal(bench_fetch(b, agg, 2, NS(400 + i)), NS(1));
    }
    assert_int_equal(b->moesi->base.counters.l1[AGG_L1I].served[HIT_L1], 4);
    /* A store elsewhere takes the line: the fetch buffer does not hide that. */
    bench_store(b, 0, 2, NS(500));
    assert_int_equal(bench_fetch(b, agg, 2, NS(600)), NS(1 + 1 + 16 + 1 + 4 + 1));
    finish(b);
}

/* Fetches that are served without a look are accesses like others. One handed in before is there at
 * 500: a store at 470, whose invalidation comes at 470 + 4 + 1 + 16 + 1 = 492, waits until then,
 * and for the answer: 1 + 1. One of a time before the line's data, at 49, waits for them. */
TEST(test_fetch_buffer)
{
    struct moesi_bench *b = BENCH("gpu.cus=1");
    uint32_t agg = bench_aggregator(b);

    assert_int_equal(bench_fetch(b, agg, 0, 0), NS(49));
    assert_int_equal(bench_fetch(b, agg, 0, NS(100)), NS(1));
    assert_int_equal(bench_fetch(b, agg, 0, NS(10)), NS(39));
    assert_int_equal(bench_fetch(b, agg, 0, NS(400)), NS(1));
    assert_int_equal(bench_fetch(b, agg, 0, NS(500)), NS(1));
    assert_int_equal(bench_store(b, 0, 0, NS(470)), NS(500 - 470 + 1 + 1));
    finish(b);
}

/* Compute units share their instruction cache: what one has fetched, in 2 + 1 + 16 + 30 + 1, hits
 * for another. With one each, that comes from the L2: 2 + 1 + 16 + 1, and a third access hits. */
TEST(test_instruction_caches)
{
    for (unsigned is_shared = 0; is_shared < 2; is_shared++) {
        struct moesi_bench *b =
            BENCH("gpu.cus=3", is_shared != 0 ? "l1i.shared=on" : "l1i.shared=off");
        assert_int_equal(b->moesi->l1_count, is_shared != 0 ? 3 + 1 + 2 : 3 + 3 + 2);
        assert_int_equal(bench_fetch(b, 0, 0, 0), NS(50));
        assert_int_equal(bench_fetch(b, 2, 0, NS(100)), is_shared != 0 ? NS(2) : NS(20));
        assert_int_equal(bench_fetch(b, 2, 0, NS(200)), NS(2));
        assert_int_equal(b->moesi->base.counters.l1[L1I].accesses, 3);
        finish(b);
    }
}

/* One line per cycle: hits of one cycle are done in 4, 5 and 6; with two ports in 4, 4 and 5. One
 * that is handed in later but is earlier takes its own slot. */
TEST(test_port)
{
    struct moesi_bench *b = BENCH("gpu.cus=1");

    bench_load(b, 0, 0, 0);
    for (uint64_t i = 0; i < 3; i++) {
        assert_int_equal(bench_load(b, 0, 0, NS(100)), NS(4 + i));
    }
    assert_int_equal(bench_load(b, 0, 0, NS(99)), NS(4));
    assert_int_equal(bench_load(b, 0, 0, NS(99)), NS(8)); /* 99 to 102 are taken */
    finish(b);

    b = BENCH("l1d.ports=2");
    bench_load(b, 0, 0, 0);
    for (uint64_t i = 0; i < 3; i++) {
        assert_int_equal(bench_load(b, 0, 0, NS(100)), NS(4 + i / 2));
    }
    finish(b);
}

/* Two compute units fetch in one cycle: four ports serve both, a single one makes the second wait.
 */
TEST(test_fetch_port)
{
    struct moesi_bench *b = BENCH("gpu.cus=2");

    bench_fetch(b, 0, 0, 0);
    assert_int_equal(bench_fetch(b, 0, 0, NS(100)), NS(2));
    assert_int_equal(bench_fetch(b, 1, 0, NS(100)), NS(2));
    finish(b);

    b = BENCH("gpu.cus=2", "l1i.ports=1");
    bench_fetch(b, 0, 0, 0);
    assert_int_equal(bench_fetch(b, 0, 0, NS(100)), NS(2));
    assert_int_equal(bench_fetch(b, 1, 0, NS(100)), NS(3));
    finish(b);
}

/* A load 10 ns behind the miss waits for its data at 52; one that comes at 50 has them at 54. A
 * store to a line that is fetched to be shared waits for it, then upgrades: replayed at 122, done
 * after 4 + 1 + 16, and 1 + 2 + 1 for the invalidation of the instruction cache, which has the line
 * too. */
TEST(test_merge)
{
    struct moesi_bench *b = BENCH("gpu.cus=1");

    bench_load(b, 0, 0, 0);
    assert_int_equal(bench_load(b, 0, 0, NS(10)), NS(42));
    assert_int_equal(bench_load(b, 0, 0, NS(50)), NS(4));
    assert_int_equal(b->moesi->base.counters.l1[L1D].served[HIT_MERGED], 2);
    finish(b);

    b = BENCH("gpu.cus=1");
    bench_fetch(b, 0, 0, 0);
    assert_int_equal(bench_load(b, 0, 0, NS(100)), NS(22));
    assert_int_equal(bench_store(b, 0, 0, NS(101)), NS(21 + 25));
    assert_int_equal(b->moesi->base.counters.l1[L1D].replays, 1);
    assert_int_equal(b->moesi->base.counters.l1[L1D].served[HIT_UPGRADE], 1);
    finish(b);
}

/* The second of two misses waits for the only MSHR until 52, and takes 52 from there. With two of
 * them both are held at 10, and the first is free again at 52. */
TEST(test_mshrs)
{
    struct moesi_bench *b = BENCH("l1d.mshrs=1");

    assert_int_equal(bench_load(b, 0, 0, 0), NS(52));
    assert_int_equal(bench_load(b, 0, 1, NS(1)), NS(52 - 1 + 52));
    assert_int_equal(b->moesi->base.counters.l1[L1D].replays, 1);
    assert_int_equal(b->moesi->base.counters.l1[L1D].mshrs_max, 1);
    finish(b);

    b = BENCH("l1d.mshrs=2");
    assert_int_equal(bench_load(b, 0, 0, 0), NS(52));
    assert_int_equal(bench_load(b, 0, 1, NS(10)), NS(52));
    assert_int_equal(b->moesi->base.counters.l1[L1D].replays, 0);
    assert_int_equal(b->moesi->base.counters.l1[L1D].mshrs_max, 2);
    finish(b);

    b = BENCH("l1d.mshrs=2", "gpu.cus=2");
    bench_load(b, 0, 0, 0);
    bench_load(b, 0, 1, NS(52));
    bench_load(b, 1, 2, NS(60));
    assert_int_equal(b->moesi->base.counters.l1[L1D].mshrs_max, 1);
    finish(b);
}

/* A set of one way: a line that is under way cannot be replaced. The second miss waits until 52. */
TEST(test_set_under_way)
{
    struct moesi_bench *b = BENCH("l1d.size=64", "l1d.ways=1");

    assert_int_equal(bench_load(b, 0, 0, 0), NS(52));
    assert_int_equal(bench_load(b, 0, 1, NS(10)), NS(42 + 52));
    assert_int_equal(b->moesi->base.counters.l1[L1D].replays, 1);
    assert_int_equal(b->moesi->base.counters.l1[L1D].evictions, 1);
    finish(b);
}

/* Requests of two compute units that reach one bank at once: the second is a cycle later. */
TEST(test_bank_conflict)
{
    struct moesi_bench *b = BENCH("gpu.cus=2");

    for (uint32_t i = 0; i < 3; i++) {
        bench_fetch(b, 0, 8 * i + i / 2, NS(100 * i)); /* lines 0, 8 and 17 into the L2 */
    }
    assert_int_equal(bench_load(b, 0, 0, NS(400)), NS(22));
    assert_int_equal(bench_load(b, 1, 8, NS(400)), NS(23));
    assert_int_equal(bench_load(b, 0, 8, NS(500)), NS(22));
    assert_int_equal(bench_load(b, 1, 17, NS(500)), NS(22));
    finish(b);
}

/* Both misses reach the bank of lines 0 and 8, at 5 and 6, and are known at 21 and 22. With one
 * MSHR the second waits until the first fill, at 51: 51 + 30 + 1. With two, DRAM's bus is what they
 * share: 51 + 3.2, at the crossbar's next cycle. */
TEST(test_l2_mshrs)
{
    struct moesi_bench *b = BENCH("gpu.cus=2", "l2.mshrs=1");

    assert_int_equal(bench_load(b, 0, 0, 0), NS(52));
    assert_int_equal(bench_load(b, 1, 8, 0), NS(82));
    finish(b);

    b = BENCH("gpu.cus=2", "l2.mshrs=2");
    assert_int_equal(bench_load(b, 0, 0, 0), NS(52));
    assert_int_equal(bench_load(b, 1, 8, 0), NS(56));
    finish(b);
}

/* A hundred lines, one a cycle: number k has its transfer from 51 + 3.2 (k - 1) to 51 + 3.2 k, and
 * is there at the crossbar's next cycle and one more. */
TEST(test_dram_bandwidth)
{
    struct moesi_bench *b = BENCH("l1d.mshrs=128");

    for (uint32_t k = 0; k < 100; k++) {
        uint64_t data_ps = NS(51) + 3200ull * k;
        uint64_t done_ps = (data_ps + 999) / 1000 * 1000 + NS(1);
        assert_int_equal(NS(k) + bench_load(b, 0, k, NS(k)), done_ps);
    }
    assert_int_equal(b->moesi->base.counters.dram_reads, 100);
    assert_int_equal(b->moesi->base.counters.dram_busy_ps, 320000);
    finish(b);
}

/* 16 bytes per cycle: a line is 4 parts, the last 3 cycles behind the first. Two lines to one
 * compute unit share its output: the second, whose first part could be there at 23, follows the
 * first one's last at 25: 26 to 29. */
TEST(test_crossbar_width)
{
    struct moesi_bench *b = BENCH("crossbar.width=16", "crossbar.cycles=1");

    assert_int_equal(bench_load(b, 0, 0, 0), NS(52 + 3));
    bench_fetch(b, 0, 1, NS(100));
    bench_fetch(b, 0, 2, NS(200));
    assert_int_equal(bench_load(b, 0, 1, NS(300)), NS(22 + 3));
    assert_int_equal(bench_load(b, 0, 2, NS(301)), NS(29 - 1));
    finish(b);

    b = BENCH("crossbar.cycles=5");
    assert_int_equal(bench_load(b, 0, 0, 0), NS(4 + 5 + 16 + 30 + 5));
    finish(b);
}

/* 12 nodes on a grid of 4 x 3: the compute unit's L1D is at the corner (0, 0), banks 0 to 7 begin
 * at (0, 1). 12 bytes per cycle: a line is 6 parts. Bank 0 is one hop away; bank 1 two; bank 3, in
 * column 3, is one hop west round the end and one south; bank 4, in row 2, one hop north. */
TEST(test_torus)
{
    static const uint32_t hops[] = {1, 2, 3, 2, 1, 2};
    struct moesi_bench *b = BENCH("mem.network=torus", "gpu.cus=1");

    for (uint32_t line = 0; line < sizeof hops / sizeof hops[0]; line++) {
        assert_int_equal(bench_load(b, 0, line, NS(100 * line)),
                         NS(4 + hops[line] + 16 + 30 + hops[line] + 5));
    }
    finish(b);
}

/* Modified by one compute unit, read by another: the owner keeps it, and supplies it again; a third
 * reader is served by it, not by the L2. Then a store of a sharer invalidates all. */
TEST(test_cache_to_cache)
{
    struct moesi_bench *b = BENCH("gpu.cus=4");

    assert_int_equal(bench_store(b, 0, 0, 0), NS(52));
    assert_int_equal(bench_load(b, 1, 0, NS(100)), NS(27));
    assert_int_equal(state_of(b, 0, 0), L1_O);
    assert_int_equal(state_of(b, 1, 0), L1_S);
    assert_int_equal(bench_load(b, 2, 0, NS(200)), NS(27));
    assert_int_equal(b->moesi->base.counters.l1[L1D].served[HIT_OTHER_L1], 2);
    assert_int_equal(b->moesi->base.counters.l1[L1D].supplied, 2);
    assert_int_equal(bench_store(b, 1, 0, NS(300)), NS(28)); /* acks of 0 and 2: 27 and 28 */
    assert_int_equal(state_of(b, 0, 0), L1_I);
    assert_int_equal(state_of(b, 1, 0), L1_M);
    assert_int_equal(b->moesi->base.counters.l1[L1D].invalidations, 2);
    finish(b);
}

/* Upgrades: of the only sharer, of one of two, and of the owner. */
TEST(test_upgrade)
{
    struct moesi_bench *b = BENCH("gpu.cus=2");

    bench_load(b, 0, 0, 0);
    assert_int_equal(bench_load(b, 1, 0, NS(100)), NS(27)); /* clean: both share it now */
    assert_int_equal(state_of(b, 0, 0), L1_S);
    assert_int_equal(bench_store(b, 0, 0, NS(200)), NS(27));
    assert_int_equal(bench_load(b, 1, 0, NS(300)), NS(27)); /* 0 owns it */
    assert_int_equal(bench_store(b, 0, 0, NS(400)), NS(27));
    assert_int_equal(state_of(b, 0, 0), L1_M);
    assert_int_equal(b->moesi->base.counters.l1[L1D].served[HIT_UPGRADE], 2);
    finish(b);

    b = BENCH("gpu.cus=1", "l1i.size=64", "l1i.ways=1");
    bench_fetch(b, 0, 0, 0);
    bench_load(b, 0, 0, NS(100));
    bench_fetch(b, 0, 1, NS(200)); /* the instruction cache has it no more */
    assert_int_equal(bench_store(b, 0, 0, NS(300)), NS(22));
    finish(b);
}

/* Two compute units store in turn, each when the other is done: 27 a transfer. Stores that all wait
 * already are further apart by the way from one to the next only: unblock 1, directory 16, forward
 * 1, owner 4, data 1 = 23. So 8 compute units that add to one counter at once are done at 52 + 23
 * k. */
TEST(test_ping_pong)
{
    struct moesi_bench *b = BENCH("gpu.cus=8");
    uint64_t now = bench_store(b, 0, 0, 0);

    for (uint32_t i = 1; i < 20; i++) {
        uint64_t took = bench_store(b, i % 2, 0, now);
        assert_int_equal(took, NS(27));
        now += took;
    }
    for (uint32_t cu = 0; cu < 8; cu++) {
        uint64_t address = BENCH_BASE + 3 * SL_CACHE_LINE_BYTES;
        struct mem_answer response = bench_access(b, cu, MEM_ATOMIC, address, NS(2000));
        assert_int_equal(response.done_ps, NS(2000 + 52 + 23 * cu));
        assert_int_equal(response.perform_ps, response.done_ps);
    }
    finish(b);
}

/* While an invalidation is on its way, the cache still hits. The store at 100 reaches the other
 * cache at 122: a load at 121 hits. One at 122 finds the port taken by it and misses at 123: it is
 * at the directory at 128, when the unblock message of the store, done at 127, is there too: 128 +
 * 16 + 1 + 4 + 1 = 150. */
TEST(test_until_the_invalidation)
{
    struct moesi_bench *b = BENCH("gpu.cus=2");

    bench_store(b, 0, 0, 0);
    assert_int_equal(bench_store(b, 1, 0, NS(100)), NS(27));
    assert_int_equal(bench_load(b, 0, 0, NS(121)), NS(4));
    assert_int_equal(bench_store(b, 0, 0, NS(120)), NS(4));
    assert_int_equal(bench_load(b, 0, 0, NS(122)), NS(150 - 122));
    finish(b);
}

/* The L2 has 8 sets of one way: line 8 throws out line 0, which cache 0 has modified. The recall
 * goes on while DRAM is read, and costs nothing; without latency of DRAM it is what the fill waits
 * for: 21, recall 1, cache 4, data 1 = 27, then 1 to the requester. A line that is only read is
 * acknowledged; nothing is written. */
TEST(test_recall)
{
    struct moesi_bench *b =
        BENCH("gpu.cus=2", "l2.size=512", "l2.ways=1", "l2.banks=1", "dram.latency=30ns");

    bench_store(b, 0, 0, 0);
    assert_int_equal(bench_load(b, 1, 8, NS(100)), NS(52));
    assert_int_equal(state_of(b, 0, 0), L1_I);
    assert_int_equal(b->moesi->base.counters.l1[L1D].recalls, 1);
    assert_int_equal(b->moesi->base.counters.dram_writes, 1);
    assert_int_equal(bench_load(b, 0, 0, NS(200)), NS(52));
    assert_int_equal(b->moesi->base.counters.l1[L1D].recalls, 2);
    assert_int_equal(b->moesi->base.counters.dram_writes, 1);
    finish(b);

    b = BENCH("gpu.cus=2", "l2.size=512", "l2.ways=1", "l2.banks=1", "dram.latency=0");
    bench_store(b, 0, 0, 0);
    assert_int_equal(bench_load(b, 1, 8, NS(100)), NS(28));
    finish(b);
}

/* Dirty victims go to the L2 (which then supplies the line) and from there to DRAM. */
TEST(test_write_back)
{
    struct moesi_bench *b =
        BENCH("l1d.size=64", "l1d.ways=1", "l2.size=1024", "l2.ways=16", "l2.banks=1");

    bench_store(b, 0, 0, 0);
    assert_int_equal(bench_load(b, 0, 1, NS(100)), NS(52));
    assert_int_equal(b->moesi->base.counters.l1[L1D].write_backs, 1);
    assert_int_equal(b->moesi->base.counters.dram_writes, 0);
    assert_int_equal(bench_load(b, 0, 0, NS(200)), NS(22));
    assert_int_equal(b->moesi->base.counters.l1[L1D].write_backs, 1);
    for (uint32_t line = 2; line <= 17; line++) {
        bench_load(b, 0, line, NS(200) + NS(100) * line); /* 16 others: line 0 leaves the L2 */
    }
    assert_int_equal(b->moesi->base.counters.dram_writes, 1);
    finish(b);
}

/* A graph begins with empty caches and counters at zero. */
TEST(test_begin)
{
    struct moesi_bench *b = BENCH("gpu.cus=1");

    for (unsigned run = 0; run < 2; run++) {
        assert_int_equal(bench_store(b, 0, 0, 0), NS(52));
        assert_int_equal(bench_load(b, 0, 1, NS(5)), NS(52));
        assert_int_equal(b->moesi->base.counters.l1[L1D].accesses, 2);
        b->moesi->base.ops->reset(&b->moesi->base);
        bench_check_all(b);
    }
    assert_int_equal(b->moesi->base.counters.l1[L1D].accesses, 0);
    finish(b);
}

/* Who was served where, and how long it took: 52 cycles are in the bin from 32, a hit's 4 in that
 * from 4; the aggregator's 25 (27, but for 2 in its own cache instead of 4) in that from 16. */
TEST(test_matrix)
{
    struct moesi_bench *b = BENCH("gpu.cus=2");
    const struct sl_served *served = &b->moesi->base.counters.served;

    bench_load(b, 1, 0, 0);
    bench_load(b, 1, 0, NS(100));
    bench_load(b, bench_aggregator(b), 0, NS(200));
    bench_store(b, 1, 0, NS(300));
    assert_int_equal(served->by_requester[1][MEM_LOAD][HIT_DRAM], 1);
    assert_int_equal(served->by_requester[1][MEM_LOAD][HIT_L1], 1);
    assert_int_equal(served->by_requester[1][MEM_STORE][HIT_UPGRADE], 1);
    assert_int_equal(served->by_requester[SL_SERVED_AGGREGATOR][MEM_LOAD][HIT_OTHER_L1], 1);
    assert_int_equal(served->by_requester[0][MEM_LOAD][HIT_L1], 0);
    for (unsigned bin = 0; bin < SL_LATENCY_BINS; bin++) {
        assert_int_equal(served->load_latency[SL_SERVED_CUS][bin], bin == 3 || bin == 6);
        assert_int_equal(served->load_latency[SL_SERVED_AGG][bin], bin == 5);
    }
    finish(b);
}

/* The edges of the bins: a hit of 1 cycle is in that from 1, of 2 and 3 in that from 2, of 7 in
 * that from 4, of 8 in that from 8; in the aggregator at 2 GHz, one cycle is in that from 0; what
 * is longer than the last edge, 2^14 cycles, in the last. */
TEST(test_latency_bins)
{
    static const struct {
        const char *setting;
        bool is_agg;
        unsigned bin;
    } cases[] = {
        {"l1d.cycles=1", false, 1},    {"l1d.cycles=2", false, 2}, {"l1d.cycles=3", false, 2},
        {"l1d.cycles=7", false, 3},    {"l1d.cycles=8", false, 4}, {"agg_l1d.cycles=1", true, 0},
        {"agg_l1d.cycles=2", true, 1},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct moesi_bench *b = BENCH(cases[i].setting);
        const struct sl_served *served = &b->moesi->base.counters.served;
        uint32_t requester = cases[i].is_agg ? bench_aggregator(b) : 0;
        enum sl_served_side side = cases[i].is_agg ? SL_SERVED_AGG : SL_SERVED_CUS;

        bench_load(b, requester, 0, 0);
        uint64_t before = served->load_latency[side][cases[i].bin];
        bench_load(b, requester, 0, NS(1000));
        assert_int_equal(served->load_latency[side][cases[i].bin], before + 1);
        finish(b);
    }
    struct moesi_bench *b = BENCH("dram.bandwidth=1"); /* 64 us for a line */
    bench_load(b, 0, 0, 0);
    assert_int_equal(b->moesi->base.counters.served.load_latency[SL_SERVED_CUS][15], 1);
    finish(b);
}
