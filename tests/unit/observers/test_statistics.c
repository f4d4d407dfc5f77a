/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Published statistics that are made of several counters
 * (sim-soc/observers/published_statistics.h). */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "common/check.h"
#include "observers/published_statistics.h"
#include "sluice/sluice.h"

static const struct front_counters front;
static const struct activity activity;
static const struct agg_counters agg;
static const struct mem_counters memory;
static const struct sl_element_latency latency;
static const struct sl_histogram request;
static const struct host_store_counters feed;
static const struct bounds bounds_noted;
static const uint64_t phase_ps[SL_PHASE_COUNT];

static struct statistics_run empty_run(void)
{
    return (struct statistics_run){
        .gpu_cycle_ps = 1000,
        .lanes = SL_LANES_MAX,
        .simds = 8,
        .agg_cycle_ps = 500,
        .front = &front,
        .activity = &activity,
        .agg = &agg,
        .phase_ps = phase_ps,
        .memory = &memory,
        .latency = &latency,
        .request = &request,
        .feed = &feed,
        .bounds = &bounds_noted,
    };
}

/* Of the buckets whose names fit the format, FIRST or FIRST_LAST, the one in which so many lanes
 * are has this count, and the others none. */
static void check_buckets(const uint64_t *block, const char *format, unsigned lanes, uint64_t count)
{
    unsigned buckets = 0;

    for (int id = 0; id < SL_STAT_COUNT; id++) {
        unsigned first;
        unsigned last;
        const int bounds = sscanf(sl_statistic_table[id].name, format, &first, &last);
        if (bounds < 1) {
            continue;
        }
        last = bounds == 2 ? last : first;
        const bool is_in = lanes >= first && lanes <= last;
        assert_int_equal(block[id], is_in ? count : 0);
        buckets += is_in;
    }
    assert_int_equal(buckets, 1);
}

/* An instruction of so many active lanes is in one bucket, whose name says that it is there; one
 * that waits, in two. */
TEST(test_lanes)
{
    for (unsigned lanes = 1; lanes <= SL_LANES_MAX; lanes++) {
        struct statistics_run run = empty_run();
        uint64_t block[SL_STAT_COUNT];

        run.cus.instructions[lanes] = 3;
        run.cus.waiting[lanes] = 2;
        statistics_fill(block, &run);
        assert_int_equal(block[SL_STAT_SIMT_WAVE_INSTRUCTIONS], 3);
        assert_int_equal(block[SL_STAT_SIMT_LANE_INSTRUCTIONS], 3 * lanes);
        check_buckets(block, "simt.lanes.%u_%u", lanes, 3);
        check_buckets(block, "simt.waiting.%u_%u", lanes, 2);
    }
}

/* 200 cycles of one SIMD unit or another, of 8 units' 100 each. */
TEST(test_issue)
{
    struct statistics_run run = empty_run();
    uint64_t block[SL_STAT_COUNT];
    double share;

    run.gpu_cycles = 100;
    run.cus.issue_cycles = 200;
    statistics_fill(block, &run);
    memcpy(&share, &block[SL_STAT_GPU_ISSUE_PCT], sizeof share);
    assert_true(share > 24.999 && share < 25.001);
}

static uint64_t named(const uint64_t *block, const char *name)
{
    for (int id = 0; id < SL_STAT_COUNT; id++) {
        if (strcmp(sl_statistic_table[id].name, name) == 0) {
            return block[id];
        }
    }
    fail_msg("%s: no such statistic", name);
    return 0;
}

/* The counters of write caches and of the FIFOs beside them are published in the order of both
 * tables, each level under its own name; so are those of the scopes. */
TEST(test_levels)
{
    static const char *const cache[] = {"writes",         "combined",     "reads",    "read_hits",
                                        "partial",        "evictions",    "bytes_in", "bytes_out",
                                        "bytes_combined", "bytes_dropped"};
    static const char *const fifo[] = {"enqueued", "full", "released", "stale"};
    static const char *const scopes[] = {"wavefront", "workgroup", "device", "system"};
    struct mem_counters counters = {0};
    struct statistics_run run = empty_run();
    uint64_t block[SL_STAT_COUNT];
    char name[64];

    for (uint64_t level = 0; level < MEM_WRITE_CACHES; level++) {
        const uint64_t first = 100 * (level + 1);
        counters.wl[level] =
            (struct write_cache_counters){first,     first + 1, first + 2, first + 3, first + 4,
                                          first + 5, first + 6, first + 7, first + 8, first + 9};
        counters.sfifo[level] =
            (struct fifo_counters){first + 20, first + 21, first + 22, first + 23};
    }
    for (uint64_t scope = 0; scope < MEM_SCOPES; scope++) {
        counters.sync.acquires[scope] = 400 + scope;
        counters.sync.releases[scope] = 500 + scope;
    }
    counters.sync.release_wait_ps = 2999;
    run.memory = &counters;
    statistics_fill(block, &run);
    for (unsigned level = 0; level < MEM_WRITE_CACHES; level++) {
        for (unsigned i = 0; i < sizeof cache / sizeof cache[0]; i++) {
            snprintf(name, sizeof name, "wl%u.%s", level + 1, cache[i]);
            assert_int_equal(named(block, name), 100 * (level + 1) + i);
        }
        for (unsigned i = 0; i < sizeof fifo / sizeof fifo[0]; i++) {
            snprintf(name, sizeof name, "sfifo%u.%s", level + 1, fifo[i]);
            assert_int_equal(named(block, name), 100 * (level + 1) + 20 + i);
        }
    }
    for (unsigned scope = 0; scope < MEM_SCOPES; scope++) {
        snprintf(name, sizeof name, "sync.acquires.%s", scopes[scope]);
        assert_int_equal(named(block, name), 400 + scope);
        snprintf(name, sizeof name, "sync.releases.%s", scopes[scope]);
        assert_int_equal(named(block, name), 500 + scope);
    }
    assert_int_equal(named(block, "sync.release_wait_cycles"), 2); /* whole ones of 1 ns */
}
