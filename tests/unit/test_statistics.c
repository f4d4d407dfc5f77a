/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Published statistics that are made of several counters (sim-soc/obs/statistics.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdbool.h>
#include <stdio.h>

#include "host/sluice.h"
#include "obs/statistics.h"

static const struct front_counters front;
static const struct activity activity;
static const struct agg_counters agg;
static const struct mem_counters memory;
static const struct histogram latency;
static const struct bounds bounds_noted;
static const uint64_t phase_ps[SL_PHASE_COUNT];

/* An instruction of so many active lanes is in one bucket, whose name says that it is there:
 * simt.lanes.FIRST or simt.lanes.FIRST_LAST. */
static void test_lanes(void **state)
{
    (void)state;
    for (unsigned lanes = 1; lanes <= SL_LANES_MAX; lanes++) {
        struct statistics_run run = {
            .gpu_cycle_ps = 1000,
            .lanes = SL_LANES_MAX,
            .agg_cycle_ps = 500,
            .front = &front,
            .activity = &activity,
            .agg = &agg,
            .phase_ps = phase_ps,
            .memory = &memory,
            .latency = &latency,
            .bounds = &bounds_noted,
        };
        uint64_t block[SL_STAT_COUNT];
        unsigned buckets = 0;

        run.cus.instructions[lanes] = 3;
        statistics_fill(block, &run);
        assert_int_equal(block[SL_STAT_SIMT_WAVE_INSTRUCTIONS], 3);
        assert_int_equal(block[SL_STAT_SIMT_LANE_INSTRUCTIONS], 3 * lanes);
        for (int id = 0; id < SL_STAT_COUNT; id++) {
            unsigned first;
            unsigned last;
            const int bounds =
                sscanf(sl_statistic_table[id].name, "simt.lanes.%u_%u", &first, &last);
            if (bounds < 1) {
                continue;
            }
            last = bounds == 2 ? last : first;
            const bool is_in = lanes >= first && lanes <= last;
            assert_int_equal(block[id], is_in ? 3 : 0);
            buckets += is_in;
        }
        assert_int_equal(buckets, 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lanes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
