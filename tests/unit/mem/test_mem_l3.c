/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The L3 on the side of memory (sim-soc/mem/dram/l3.h): its times by hand, and what it holds
 * against a plain model.
 *
 * What holds where a test says nothing else, in ns: L3 tags 4, tags and data 20, 16 banks: lines 0
 * and 16 share one. DRAM 30, of which the last 3.2 are the transfer, in which a write is over. */
#include <stdlib.h>
#include <string.h>

#include "common/check.h"
#include "mem/dram/l3.h"
#include "sluice/config.h"

#define NS(n) ((uint64_t)((n)*1000))

struct bench {
    struct dram_timing timing;
    struct mem_counters counters;
    struct l3 l3;
};

/* `settings` up to NULL, on an L3 of 64 KiB. */
static struct bench *make(bool is_writable, const char *const *settings)
{
    static struct sl_config config;
    char error[256];
    struct bench *b = calloc(1, sizeof(*b));

    assert_non_null(b);
    sl_config_init(&config);
    assert_int_equal(sl_config_set(&config, "l3.size=64KiB", error, sizeof error), 0);
    for (; *settings != NULL; settings++) {
        assert_int_equal(sl_config_set(&config, *settings, error, sizeof error), 0);
    }
    assert_true(dram_timing_create(&b->timing, &config));
    assert_true(l3_create(&b->l3, &config, &b->timing, &b->counters, is_writable));
    return b;
}

#define MAKE(is_writable, ...) make(is_writable, (const char *const[]){__VA_ARGS__, NULL})

static void unmake(struct bench *b)
{
    l3_destroy(&b->l3);
    dram_timing_destroy(&b->timing);
    free(b);
}

/* What a read takes; whether it hits is as expected. */
static uint64_t reads(struct bench *b, uint32_t line, uint64_t time_ps, bool hits)
{
    bool is_hit = !hits;
    const uint64_t done_ps = l3_read(&b->l3, line, time_ps, time_ps, &is_hit);

    assert_int_equal(is_hit, hits);
    return done_ps - time_ps;
}

static uint64_t writes(struct bench *b, uint32_t line, uint64_t time_ps)
{
    return l3_write(&b->l3, line, time_ps, time_ps) - time_ps;
}

/* No L3: DRAM's times, and nothing is counted but at DRAM. */
TEST(test_none)
{
    for (int is_writable = 0; is_writable < 2; is_writable++) {
        struct bench *b = MAKE(is_writable != 0, "l3.size=0");

        assert_int_equal(reads(b, 0, 0, false), NS(30));
        assert_int_equal(reads(b, 0, NS(100), false), NS(30));
        assert_int_equal(writes(b, 0, NS(200)), NS(3.2));
        assert_int_equal(b->counters.dram_reads, 2);
        assert_int_equal(b->counters.dram_writes, 1);
        assert_int_equal(b->counters.dram_busy_ps, 3 * NS(3.2));
        assert_memory_equal(&b->counters.l3, &(struct l3_counters){0}, sizeof b->counters.l3);
        l3_reset(&b->l3);
        unmake(b);
    }
}

/* A miss asks DRAM at 4 and has the line at 34; a hit takes 20. A second read at 10, while the line
 * is under way, would have it at 30 and waits until 34. */
TEST(test_miss_and_hit)
{
    struct bench *b = MAKE(false, NULL);

    assert_int_equal(reads(b, 0, 0, false), NS(34));
    assert_int_equal(reads(b, 0, NS(10), true), NS(24));
    assert_int_equal(reads(b, 0, NS(100), true), NS(20));
    assert_int_equal(b->counters.l3.accesses, 3);
    assert_int_equal(b->counters.l3.hits, 2);
    assert_int_equal(b->counters.l3.misses, 1);
    assert_int_equal(b->counters.l3.bytes_out, 3 * 64);
    assert_int_equal(b->counters.dram_reads, 1);
    l3_reset(&b->l3);
    dram_timing_reset(&b->timing);
    assert_int_equal(reads(b, 0, 0, false), NS(34));
    unmake(b);
}

/* Where tag_cycles is 0, a miss is known when a hit would have its data: 20 + 30. */
TEST(test_tags_as_data)
{
    struct bench *b = MAKE(false, "l3.tag_cycles=0");

    assert_int_equal(reads(b, 0, 0, false), NS(50));
    unmake(b);
}

/* At 500 MHz an edge is every 2 ns: 0.5 is 2; tags 8, to 10; the line is there at 40. */
TEST(test_clock)
{
    struct bench *b = MAKE(false, "gpu.clock=500MHz");

    assert_int_equal(reads(b, 0, 500, false), NS(39.5));
    assert_int_equal(reads(b, 0, NS(100), true), NS(40));
    unmake(b);
}

/* Hits in the same cycle: of one bank, one a cycle; of another, at once. A line that comes from
 * DRAM takes a slot: the miss at 200 brings its line at 234, where the bank takes no read. */
TEST(test_banks)
{
    struct bench *b = MAKE(false, NULL);

    reads(b, 0, 0, false);
    reads(b, 16, 0, false);
    reads(b, 1, 0, false);
    assert_int_equal(reads(b, 0, NS(100), true), NS(20));
    assert_int_equal(reads(b, 16, NS(100), true), NS(21));
    assert_int_equal(reads(b, 1, NS(100), true), NS(20));
    assert_int_equal(reads(b, 32, NS(200), false), NS(34));
    assert_int_equal(reads(b, 16, NS(234), true), NS(21));
    unmake(b);
}

/* One of two ways and one set. Lines 0 and 1 are written, in 20, without DRAM; the read of line 2
 * at 100 finds that it has to replace line 0 at 104, whose transfer is over when that of line 2
 * begins:
 * 34. Line 1 hits, line 0 comes again, and with it line 2 goes, which is clean. */
TEST(test_writable)
{
    struct bench *b = MAKE(true, "l3.size=128", "l3.ways=2", "l3.banks=1");

    assert_int_equal(writes(b, 0, 0), NS(20));
    assert_int_equal(writes(b, 1, NS(50)), NS(20));
    assert_int_equal(b->counters.dram_reads + b->counters.dram_writes, 0);
    assert_int_equal(reads(b, 2, NS(100), false), NS(34));
    assert_int_equal(b->counters.dram_writes, 1);
    assert_int_equal(reads(b, 1, NS(200), true), NS(20));
    assert_int_equal(reads(b, 0, NS(300), false), NS(34));
    assert_int_equal(b->counters.l3.evictions, 2);
    assert_int_equal(b->counters.l3.write_backs, 1);
    assert_int_equal(b->counters.dram_writes, 1);
    assert_int_equal(b->counters.l3.bytes_in, 2 * 64);
    unmake(b);
}

/* Where it cannot be written, a write takes 3.2, DRAM's transfer, and takes the line out: a read of
 * it comes from DRAM, and takes the way that became free. The write's slot makes a hit in the bank
 * wait. */
TEST(test_not_writable)
{
    struct bench *b = MAKE(false, "l3.size=128", "l3.ways=2", "l3.banks=1");

    reads(b, 0, 0, false);
    reads(b, 1, NS(100), false);
    assert_int_equal(writes(b, 1, NS(200)), NS(3.2));
    assert_int_equal(reads(b, 0, NS(200), true), NS(21));
    assert_int_equal(reads(b, 1, NS(300), false), NS(34));
    assert_int_equal(reads(b, 0, NS(400), true), NS(20));
    assert_int_equal(b->counters.l3.evictions, 0);
    assert_int_equal(b->counters.l3.write_backs, 0);
    assert_int_equal(b->counters.dram_writes, 1);
    assert_int_equal(b->counters.l3.bytes_in, 64);
    /* One that is not there stays away. */
    assert_int_equal(writes(b, 2, NS(500)), NS(3.2));
    assert_int_equal(reads(b, 2, NS(600), false), NS(34));
    unmake(b);
}

/* A plain model: of each line when it was used last, and whether it is dirty. */
#define MODEL_LINES 64u
#define MODEL_SETS  4u
#define MODEL_WAYS  4u

struct model {
    uint32_t used[MODEL_LINES]; /* 0: not there */
    bool is_dirty[MODEL_LINES];
    uint32_t now;
    struct l3_counters l3;
    uint64_t dram_reads;
    uint64_t dram_writes;
};

static void model_allocate(struct model *model, uint32_t line)
{
    uint32_t there = 0;
    uint32_t oldest = MODEL_LINES;

    for (uint32_t other = line % MODEL_SETS; other < MODEL_LINES; other += MODEL_SETS) {
        there += model->used[other] != 0;
        if (model->used[other] != 0 &&
            (oldest == MODEL_LINES || model->used[other] < model->used[oldest])) {
            oldest = other;
        }
    }
    if (there == MODEL_WAYS) {
        model->l3.evictions++;
        model->l3.write_backs += model->is_dirty[oldest];
        model->dram_writes += model->is_dirty[oldest];
        model->used[oldest] = 0;
    }
    model->is_dirty[line] = false;
}

static bool model_read(struct model *model, uint32_t line)
{
    const bool is_hit = model->used[line] != 0;

    model->l3.accesses++;
    model->l3.bytes_out += 64;
    if (is_hit) {
        model->l3.hits++;
    } else {
        model->l3.misses++;
        model->dram_reads++;
        model_allocate(model, line);
    }
    model->used[line] = ++model->now;
    return is_hit;
}

static void model_write(struct model *model, uint32_t line, bool is_writable)
{
    model->l3.bytes_in += 64;
    if (!is_writable) {
        model->dram_writes++;
        model->used[line] = 0;
        return;
    }
    if (model->used[line] == 0) {
        model_allocate(model, line);
    }
    model->is_dirty[line] = true;
    model->used[line] = ++model->now;
}

/* Accesses at random, so far apart that each has its time alone: what hits, what is replaced and
 * written back is as in the model. */
TEST(test_random)
{
    for (int is_writable = 0; is_writable < 2; is_writable++) {
        struct bench *b = MAKE(is_writable != 0, "l3.size=1KiB", "l3.ways=4", "l3.banks=4");
        static struct model model;
        uint64_t random = 1;

        memset(&model, 0, sizeof model);
        for (uint64_t i = 0; i < 50000; i++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            const uint32_t line = (uint32_t)(random >> 40) % MODEL_LINES;
            const uint64_t now = NS(1000) * i;
            if (random >> 62 == 0) {
                model_write(&model, line, is_writable != 0);
                assert_int_equal(writes(b, line, now), is_writable != 0 ? NS(20) : NS(3.2));
            } else {
                const bool hits = model_read(&model, line);
                assert_int_equal(reads(b, line, now, hits), hits ? NS(20) : NS(34));
            }
        }
        assert_memory_equal(&b->counters.l3, &model.l3, sizeof model.l3);
        assert_int_equal(b->counters.dram_reads, model.dram_reads);
        assert_int_equal(b->counters.dram_writes, model.dram_writes);
        assert_true(model.l3.hits > 1000 && model.l3.evictions > 1000);
        unmake(b);
    }
}
