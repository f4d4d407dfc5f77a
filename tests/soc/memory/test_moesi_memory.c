/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Memory system `moesi` with what papers/000 has and the core paper has not: tags that are read
 * before data, an L3 on the side of memory, a limit to the misses of all banks together; and what
 * it counts for that paper's figures. Times are worked out by hand, in ns = cycles of the compute
 * units; where a test says nothing else: L1D 4, instruction cache 2, crossbar 1, L2 16, DRAM 30, of
 * which the last 3.2 are the transfer. */
#include <stdlib.h>

#include "common/check.h"
#include "soc/memory/moesi_bench.h"

#define NS(n) ((uint64_t)((n)*1000))

/* Table 4.1: L1 1 + 4, L2 4 + 16. */
#define TAGS_FIRST "l1d.cycles=5", "l1d.tag_cycles=1", "l2.cycles=20", "l2.tag_cycles=4"

static void finish(struct moesi_bench *b)
{
    bench_check_all(b);
    bench_check_laws(b);
    bench_destroy(b);
}

/* A hit has its data after tags and data, 5. What misses in both goes on after the tags of each: 1
 * + 1 + 4 + 30 + 1. What the L2 has is there after its tags and data: 1 + 1 + 20 + 1. */
TEST(test_tags_before_data)
{
    struct moesi_bench *b = BENCH("gpu.cus=1", TAGS_FIRST);

    assert_int_equal(bench_load(b, 0, 0, 0), NS(37));
    assert_int_equal(bench_load(b, 0, 0, NS(100)), NS(5));
    assert_int_equal(bench_fetch(b, 0, 1, NS(200)), NS(2 + 1 + 4 + 30 + 1));
    assert_int_equal(bench_load(b, 0, 1, NS(300)), NS(23));
    finish(b);
}

/* What needs no data waits for none: the directory forwards after 1 + 1 + 4, and the owner, at 7,
 * sends its data after 5: 13. An upgrade of one of two sharers is at the directory's tags after the
 * same 6; the other acknowledges at 7 after its own tags, 1: 9; without another sharer 6 + 1. A
 * store to a line that others share has data of the L2, 1 + 1 + 20 + 1, later than their
 * acknowledgements. */
TEST(test_tags_alone)
{
    struct moesi_bench *b = BENCH("gpu.cus=3", TAGS_FIRST);

    assert_int_equal(bench_store(b, 0, 0, 0), NS(37));
    assert_int_equal(bench_load(b, 1, 0, NS(100)), NS(13));
    assert_int_equal(bench_store(b, 0, 0, NS(200)), NS(9));
    finish(b);

    b = BENCH("gpu.cus=3", TAGS_FIRST);
    bench_load(b, 0, 0, 0);
    bench_load(b, 1, 0, NS(100));
    assert_int_equal(bench_store(b, 2, 0, NS(200)), NS(23));
    finish(b);

    b = BENCH("gpu.cus=1", "l1i.size=64", "l1i.ways=1", TAGS_FIRST);
    bench_fetch(b, 0, 0, 0);
    bench_load(b, 0, 0, NS(100));
    bench_fetch(b, 0, 1, NS(200)); /* the instruction cache has it no more */
    assert_int_equal(bench_store(b, 0, 0, NS(300)), NS(7));
    finish(b);
}

/* Line 8 throws line 0 out of the L2, with a DRAM that answers at once: the recall, known at 6, is
 * at the cache at 7. A clean line is acknowledged after the tags: 8, 9 at the L2, and 1 more to the
 * requester. A dirty one is read first: 12, 13, and 1. */
TEST(test_tags_of_recalls)
{
    for (int is_dirty = 0; is_dirty < 2; is_dirty++) {
        struct moesi_bench *b = BENCH("gpu.cus=2", "l2.size=512", "l2.ways=1", "l2.banks=1",
                                      "dram.latency=0", "dram.bandwidth=10000000", TAGS_FIRST);
        if (is_dirty != 0) {
            bench_store(b, 0, 0, 0);
        } else {
            bench_load(b, 0, 0, 0);
        }
        assert_int_equal(bench_load(b, 1, 8, NS(100)), is_dirty != 0 ? NS(14) : NS(10));
        finish(b);
    }
}

/* An L2 of 8 lines, direct mapped. A miss asks the L3, which knows after 4 that it has to ask DRAM:
 * 4 + 1 + 16 + 4 + 30 + 1. Line 8 throws out line 0, which then hits in the L3: 4 + 1 + 16 + 20
 * + 1. Both count as served by DRAM, which is what the L2 took the line from, as far as L1 caches
 * know. */
TEST(test_l3)
{
    struct moesi_bench *b = BENCH("l3.size=64KiB", "l2.size=512", "l2.ways=1", "l2.banks=1");
    const struct mem_counters *counters = &b->moesi->base.counters;

    assert_int_equal(bench_load(b, 0, 0, 0), NS(56));
    assert_int_equal(bench_load(b, 0, 8, NS(100)), NS(56));
    assert_int_equal(bench_load(b, 0, 0, NS(200)), NS(42));
    assert_int_equal(counters->l3.hits, 1);
    assert_int_equal(counters->l3.misses, 2);
    assert_int_equal(counters->dram_reads, 2);
    assert_int_equal(counters->l1[L1D].served[HIT_DRAM], 3);
    finish(b);
}

/* Both: 1 + 1 + 4 + 4 + 30 + 1 from DRAM, 1 + 1 + 4 + 20 + 1 from the L3. */
TEST(test_l3_and_tags)
{
    struct moesi_bench *b =
        BENCH("l3.size=64KiB", "l2.size=512", "l2.ways=1", "l2.banks=1", TAGS_FIRST);

    assert_int_equal(bench_load(b, 0, 0, 0), NS(41));
    assert_int_equal(bench_load(b, 0, 8, NS(100)), NS(41));
    assert_int_equal(bench_load(b, 0, 0, NS(200)), NS(27));
    finish(b);
}

/* The same L2 in front of an L3 of 4 lines in one set. Line 0 is stored to and thrown out, into the
 * L3: nothing is written to DRAM, and it comes back from there. Lines 1 and 2 fill the L3, line 3
 * takes the place of line 8, line 4 that of line 0, which is written to DRAM then. */
TEST(test_l3_takes_dirty_lines)
{
    struct moesi_bench *b =
        BENCH("l3.size=256", "l3.ways=4", "l3.banks=1", "l2.size=512", "l2.ways=1", "l2.banks=1");
    const struct mem_counters *counters = &b->moesi->base.counters;

    bench_store(b, 0, 0, 0);
    bench_load(b, 0, 8, NS(100));
    assert_int_equal(counters->l2.write_backs, 1);
    assert_int_equal(counters->dram_writes, 0);
    assert_int_equal(bench_load(b, 0, 0, NS(200)), NS(42));
    for (uint32_t line = 1; line <= 4; line++) {
        assert_int_equal(counters->dram_writes, 0);
        bench_load(b, 0, line, NS(200) + NS(100) * line);
    }
    assert_int_equal(counters->l3.write_backs, 1);
    assert_int_equal(counters->dram_writes, 1);
    /* A run begins with an empty L3. */
    b->moesi->base.ops->reset(&b->moesi->base);
    assert_int_equal(bench_load(b, 0, 0, 0), NS(56));
    finish(b);
}

/* Two misses of two banks, both known at 21. With one MSHR for all banks the second waits until the
 * first fill, at 51: 51 + 30 + 1. With two, DRAM's bus is what they share: 51 + 3.2, at the bank's
 * next cycle, 55, and 1; so it is without that limit. */
TEST(test_directory_mshrs)
{
    static const char *const settings[] = {"directory.mshrs=1", "directory.mshrs=2",
                                           "directory.mshrs=0"};
    static const uint64_t second[] = {NS(82), NS(56), NS(56)};

    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        struct moesi_bench *b = BENCH("gpu.cus=2", settings[i]);
        for (int run = 0; run < 2; run++) {
            assert_int_equal(bench_load(b, 0, 0, 0), NS(52));
            assert_int_equal(bench_load(b, 1, 1, 0), second[i]);
            b->moesi->base.ops->reset(&b->moesi->base);
        }
        finish(b);
    }
}

/* Loads that hit, on lines in M, O and S, and what comes to the L1 caches: two lines, a forward and
 * an invalidation of 8 bytes each. A load that waits for a miss under way is no hit. */
TEST(test_counters)
{
    struct moesi_bench *b = BENCH("gpu.cus=2");
    const struct l1_counters *l1 = &b->moesi->base.counters.l1[L1D];

    bench_store(b, 0, 0, 0);
    bench_load(b, 0, 0, NS(10));
    assert_int_equal(l1->read_hits, 0);
    bench_load(b, 0, 0, NS(100)); /* M */
    assert_int_equal(l1->read_after_write_hits, 1);
    bench_load(b, 1, 0, NS(200));
    assert_int_equal(l1->bytes_in_probes, 8);
    bench_load(b, 0, 0, NS(300)); /* O */
    bench_load(b, 1, 0, NS(300)); /* S */
    assert_int_equal(l1->read_hits, 3);
    assert_int_equal(l1->read_after_write_hits, 2);
    bench_store(b, 1, 0, NS(400));
    bench_store(b, 1, 0, NS(500)); /* a hit, but no read */
    assert_int_equal(l1->bytes_in_probes, 16);
    assert_int_equal(l1->bytes_in_data, 128);
    assert_int_equal(l1->read_hits, 3);
    assert_int_equal(b->moesi->base.counters.directory.bytes_out, 64);
    assert_int_equal(b->moesi->base.counters.directory.bytes_in, 0);
    finish(b);
}

/* In E, a line was not written here; a store makes it M without asking, and then it was. */
TEST(test_exclusive)
{
    struct moesi_bench *b = BENCH("gpu.cus=1");
    const struct l1_counters *l1 = &b->moesi->base.counters.l1[L1D];

    bench_load(b, 0, 0, 0);
    bench_load(b, 0, 0, NS(100));
    assert_int_equal(l1->read_hits, 1);
    assert_int_equal(l1->read_after_write_hits, 0);
    bench_store(b, 0, 0, NS(200));
    bench_load(b, 0, 0, NS(300));
    assert_int_equal(l1->read_hits, 2);
    assert_int_equal(l1->read_after_write_hits, 1);
    finish(b);
}

/* The aggregator misses a line that it never had; that another line has replaced, in the only way;
 * that a compute unit has written since; that it has lost when the L2 replaced it. One that was
 * replaced, and is a compute unit's now, no larger cache would have kept. */
TEST(test_causes_of_misses)
{
    struct moesi_bench *b =
        BENCH("gpu.cus=1", "agg_l1d.size=128", "agg_l1d.ways=1", "l2.size=8KiB", "l2.ways=4");
    const uint32_t agg = bench_aggregator(b);
    const uint64_t *causes = b->moesi->base.counters.l1[AGG_L1D].causes;
    uint64_t now = 0;

    bench_load(b, agg, 0, now += NS(100));
    bench_load(b, agg, 0, now += NS(100)); /* a hit */
    bench_load(b, agg, 2, now += NS(100));
    assert_int_equal(causes[MISS_COLD], 2);
    bench_load(b, agg, 0, now += NS(100));
    assert_int_equal(causes[MISS_CAPACITY], 1);
    bench_store(b, agg, 0, now += NS(100)); /* E: no miss */
    bench_store(b, 0, 0, now += NS(100));
    bench_load(b, agg, 0, now += NS(100));
    assert_int_equal(causes[MISS_COHERENCE], 1);
    bench_store(b, agg, 0, now += NS(100)); /* an upgrade, which brings no line */
    bench_load(b, agg, 2, now += NS(100));
    assert_int_equal(causes[MISS_CAPACITY], 2);
    bench_store(b, 0, 0, now += NS(100));
    bench_load(b, agg, 0, now += NS(100));
    assert_int_equal(causes[MISS_COHERENCE], 2);
    for (uint32_t i = 1; i <= 4; i++) { /* of 32 sets */
        bench_load(b, 0, 32 * i, now += NS(100));
    }
    bench_load(b, agg, 0, now += NS(100));
    assert_int_equal(causes[MISS_RECALL], 1);
    assert_int_equal(causes[MISS_COLD] + causes[MISS_CAPACITY] + causes[MISS_COHERENCE], 6);
    mem_moesi.reset(&b->moesi->base);
    bench_load(b, agg, 0, NS(100));
    assert_int_equal(causes[MISS_COLD], 1);
    finish(b);
}
