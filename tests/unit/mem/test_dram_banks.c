/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* DRAM with banks, each time worked out by hand in cycles of the memory clock, 1250 ps each: tCL
 * 10, tRP 10, tRC 35, tRAS 25, tRCD 12, tRRD 8 (papers/004 Table 6.1), a line on the bus 64 / 8
 * = 8. So with nothing under way a line is there after row open               10 + 8 = 18 no row
 * open       12 + 10 + 8 = 30 another open 10 + 12 + 10 + 8 = 40 A row is of 32 lines here, and a
 * channel has 8 banks: line 32 r + i of a channel is in row r / 8 of bank r % 8. */
#include <string.h>

#include "common/check.h"
#include "mem/dram/dram_banks.h"
#include "sluice/config.h"

#define CYCLES(n)       ((uint64_t)(n)*1250)
#define LINE(row, bank) (((row)*8u + (bank)) * 32u)

struct bench {
    struct sl_config config;
    struct mem_counters counters;
    struct dram_banks dram;
};

static struct bench bench;

static struct bench *create(const char *const *settings)
{
    char error[256];

    memset(&bench, 0, sizeof bench);
    sl_config_init(&bench.config);
    for (; *settings != NULL; settings++) {
        if (sl_config_set(&bench.config, *settings, error, sizeof error) != 0) {
            fail_msg("%s", error);
        }
    }
    assert_true(dram_banks_create(&bench.dram, &bench.config, &bench.counters));
    return &bench;
}

#define CREATE(...) create((const char *const[]){__VA_ARGS__, NULL})
#define MACHINE     "dram.channels=1"

/* A read of a line that comes at a cycle. Returns the cycle in which it is there. */
static uint64_t read_at(struct bench *b, uint32_t line, uint64_t cycle)
{
    const uint64_t end_ps = dram_banks_access(&b->dram, line, CYCLES(cycle), false, false);

    assert_int_equal(end_ps % CYCLES(1), 0);
    return end_ps / CYCLES(1);
}

static uint64_t read_first_at(struct bench *b, uint32_t line, uint64_t cycle)
{
    return dram_banks_access(&b->dram, line, CYCLES(cycle), false, true) / CYCLES(1);
}

TEST(test_rows)
{
    struct bench *b = CREATE(MACHINE);

    assert_int_equal(read_at(b, LINE(0, 0), 0), 30);
    assert_int_equal(b->counters.dram_row_hits, 0);
    assert_int_equal(read_at(b, LINE(0, 0) + 31, 1000), 1018);
    assert_int_equal(b->counters.dram_row_hits, 1);
    assert_int_equal(read_at(b, LINE(1, 0), 2000), 2040);
    assert_int_equal(read_at(b, LINE(1, 0), 3000), 3018);
    assert_int_equal(read_at(b, LINE(0, 0), 4000), 4040);
    assert_int_equal(b->counters.dram_row_hits, 2);
    assert_int_equal(b->counters.dram_reads, 5);
    assert_int_equal(b->counters.dram_busy_ps, CYCLES(5 * 8));
    dram_banks_destroy(&b->dram);
}

/* Of a request between two edges the commands begin at the next. */
TEST(test_edges)
{
    struct bench *b = CREATE(MACHINE);

    assert_int_equal(dram_banks_access(&b->dram, 0, CYCLES(1) - 1249, false, false), CYCLES(31));
    dram_banks_destroy(&b->dram);
}

/* Lines of an open row come one behind the other: the first at 30, then every 8. */
TEST(test_stream)
{
    struct bench *b = CREATE(MACHINE);

    for (uint32_t i = 0; i < 32; i++) {
        assert_int_equal(read_at(b, LINE(0, 0) + i, 0), 30 + 8 * i);
    }
    assert_int_equal(b->counters.dram_row_hits, 31);
    dram_banks_destroy(&b->dram);
}

/* The row of a bank is replaced at once: activate at 0, access at 12, the bus until 30. The
 * precharge is at 25 (tRAS), the next activate at 35 (tRP, and tRC), the access at 47, the data end
 * at 65. */
TEST(test_conflict)
{
    struct bench *b = CREATE(MACHINE);

    assert_int_equal(read_at(b, LINE(0, 0), 0), 30);
    assert_int_equal(read_at(b, LINE(1, 0), 0), 65);
    dram_banks_destroy(&b->dram);
    /* A longer tRC alone keeps the activate back: at 50, so 15 later. */
    b = CREATE(MACHINE, "dram.rc_cycles=50");
    assert_int_equal(read_at(b, LINE(0, 0), 0), 30);
    assert_int_equal(read_at(b, LINE(1, 0), 0), 80);
    dram_banks_destroy(&b->dram);
    /* Or a longer tRAS: precharge at 40, activate at 50. */
    b = CREATE(MACHINE, "dram.ras_cycles=40");
    assert_int_equal(read_at(b, LINE(0, 0), 0), 30);
    assert_int_equal(read_at(b, LINE(1, 0), 0), 80);
    dram_banks_destroy(&b->dram);
}

/* Three accesses of the row keep it open: at 12, 20, 28, each for 8. The precharge is at 36, so the
 * activate at 46, the access at 58, the data end at 76. */
TEST(test_conflict_behind_accesses)
{
    struct bench *b = CREATE(MACHINE);

    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(read_at(b, LINE(0, 0) + i, 0), 30 + 8 * i);
    }
    assert_int_equal(read_at(b, LINE(1, 0), 0), 76);
    dram_banks_destroy(&b->dram);
}

/* Banks work at the same time. Activates are at 0, 8, 16 (tRRD), so accesses at 12, 20, 28, and the
 * bus is just free when the data come: 30, 38, 46. With tRRD 20 they are 20 apart. */
TEST(test_banks)
{
    struct bench *b = CREATE(MACHINE);

    for (uint32_t bank = 0; bank < 8; bank++) {
        assert_int_equal(read_at(b, LINE(0, bank), 0), 30 + 8 * bank);
    }
    dram_banks_destroy(&b->dram);
    b = CREATE(MACHINE, "dram.rrd_cycles=20");
    for (uint32_t bank = 0; bank < 8; bank++) {
        assert_int_equal(read_at(b, LINE(0, bank), 0), 30 + 20 * bank);
    }
    dram_banks_destroy(&b->dram);
}

/* Activates 1 apart: at 0, 1, 2, so data could be at 22, 23, 24; the bus takes 8 for each. */
TEST(test_bus)
{
    struct bench *b = CREATE(MACHINE, "dram.rrd_cycles=1");

    for (uint32_t bank = 0; bank < 3; bank++) {
        assert_int_equal(read_at(b, LINE(0, bank), 0), 30 + 8 * bank);
    }
    dram_banks_destroy(&b->dram);
    b = CREATE(MACHINE, "dram.rrd_cycles=1", "dram.width=16"); /* 4 for each */
    for (uint32_t bank = 0; bank < 3; bank++) {
        assert_int_equal(read_at(b, LINE(0, bank), 0), 26 + 4 * bank);
    }
    dram_banks_destroy(&b->dram);
}

/* Channels share nothing: with two, even lines are of the first one. */
TEST(test_channels)
{
    struct bench *b = CREATE(MACHINE, "dram.channels=2");

    assert_int_equal(read_at(b, 0, 0), 30);
    assert_int_equal(read_at(b, 1, 0), 30);
    assert_int_equal(read_at(b, 2, 0), 38); /* the rows that are open */
    assert_int_equal(read_at(b, 63, 0), 38);
    assert_int_equal(read_at(b, 64, 100), 130); /* bank 1 */
    dram_banks_destroy(&b->dram);
}

/* Writes take what reads take. */
TEST(test_writes)
{
    struct bench *b = CREATE(MACHINE);

    assert_int_equal(dram_banks_access(&b->dram, 0, 0, true, false), CYCLES(30));
    assert_int_equal(read_at(b, 1, 0), 38);
    assert_int_equal(b->counters.dram_writes, 1);
    assert_int_equal(b->counters.dram_reads, 1);
    dram_banks_destroy(&b->dram);
}

/* Two places. The third comes in when the first transfer ends, at 30, and finds bank 2 closed: 60.
 * The fourth when the second ends, at 38: 68. */
TEST(test_queue)
{
    struct bench *b = CREATE(MACHINE, "dram.queue=2");

    assert_int_equal(read_at(b, LINE(0, 0), 0), 30);
    assert_int_equal(read_at(b, LINE(0, 1), 0), 38);
    assert_int_equal(read_at(b, LINE(0, 2), 0), 60);
    assert_int_equal(read_at(b, LINE(0, 3), 0), 68);
    assert_int_equal(read_at(b, LINE(0, 4), 70), 100); /* all are out */
    dram_banks_destroy(&b->dram);
}

/* The same, but the fifth goes first: at 1 the queue is full, two wait outside. It takes the place
 * that is free at 30, not the one at 60; its activate at 38 is the first that the others' (at 30
 * and 38, with tRRD) leave, at 46: 76. Without, it would be 60 + 30. Where there is room it does
 * not wait at all. */
TEST(test_goes_first)
{
    for (int goes_first = 0; goes_first < 2; goes_first++) {
        struct bench *b = CREATE(MACHINE, "dram.queue=2");
        for (uint32_t bank = 0; bank < 4; bank++) {
            (void)read_at(b, LINE(0, bank), 0);
        }
        if (goes_first) {
            assert_int_equal(read_first_at(b, LINE(0, 4), 1), 76);
            assert_int_equal(read_first_at(b, LINE(0, 5), 100), 130);
        } else {
            assert_int_equal(read_at(b, LINE(0, 4), 1), 90);
            assert_int_equal(read_at(b, LINE(0, 5), 100), 130);
        }
        dram_banks_destroy(&b->dram);
    }
}

/* A run begins with closed rows and free queues. */
TEST(test_reset)
{
    struct bench *b = CREATE(MACHINE, "dram.queue=2");

    for (uint32_t i = 0; i < 10; i++) {
        (void)read_at(b, LINE(i, 0), 0);
    }
    dram_banks_reset(&b->dram);
    assert_int_equal(read_at(b, LINE(3, 0), 0), 30);
    dram_banks_destroy(&b->dram);
}

/* Reads come late by at most the jitter, and hold nothing by it. */
TEST(test_jitter)
{
    struct bench *b = CREATE(MACHINE, "mem.jitter=4ns");
    bool is_late = false;

    for (uint32_t i = 0; i < 32; i++) {
        const uint64_t end_ps = dram_banks_access(&b->dram, i, 0, false, false);
        assert_in_range(end_ps, CYCLES(30 + 8 * i), CYCLES(30 + 8 * i) + 4000);
        is_late |= end_ps != CYCLES(30 + 8 * i);
    }
    assert_true(is_late);
    dram_banks_destroy(&b->dram);
}
