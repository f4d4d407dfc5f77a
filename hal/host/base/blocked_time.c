/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

#include "host/base/blocked_time.h"

#include "host/base/run_statistics.h"

static const enum sl_statistic between[SL_PHASE_COUNT] = {
    [SL_PHASE_OTHER] = SL_STAT_GPU_BLOCKED_BETWEEN_OTHER_CYCLES,
    [SL_PHASE_POLL] = SL_STAT_GPU_BLOCKED_BETWEEN_POLL_CYCLES,
    [SL_PHASE_PREDICATE] = SL_STAT_GPU_BLOCKED_BETWEEN_PREDICATE_CYCLES,
    [SL_PHASE_SCHEDULE] = SL_STAT_GPU_BLOCKED_BETWEEN_SCHEDULE_CYCLES,
    [SL_PHASE_DISPATCH] = SL_STAT_GPU_BLOCKED_BETWEEN_DISPATCH_CYCLES,
    [SL_PHASE_RETIRE] = SL_STAT_GPU_BLOCKED_BETWEEN_RETIRE_CYCLES,
    [SL_PHASE_YIELD] = SL_STAT_GPU_BLOCKED_BETWEEN_YIELD_CYCLES,
    [SL_PHASE_MAILBOX] = SL_STAT_GPU_BLOCKED_BETWEEN_MAILBOX_CYCLES,
};

static double pct_of(const uint64_t *statistics, enum sl_statistic id)
{
    const uint64_t cycles = statistics[SL_STAT_GPU_CYCLES];
    return cycles > 0 ? 100 * (double)statistics[id] / (double)cycles : 0;
}

struct sl_blocked_time sl_blocked_time(const uint64_t *statistics)
{
    struct sl_blocked_time time = {
        .pct = sl_statistics_real(statistics, SL_STAT_GPU_BLOCKED_ON_AGG_PCT),
        .before_pct = pct_of(statistics, SL_STAT_GPU_BLOCKED_START_CYCLES),
        .after_pct = pct_of(statistics, SL_STAT_GPU_BLOCKED_END_CYCLES),
    };
    for (unsigned phase = 0; phase < SL_PHASE_COUNT; phase++) {
        time.phase_pct[phase] = pct_of(statistics, between[phase]);
        time.between_pct += time.phase_pct[phase];
    }
    return time;
}
