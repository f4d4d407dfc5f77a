/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The table, and statistics of several runs together, for programs that launch more than one
 * kernel: counts add up, maxima are maxima, percentages and rates are means, weighted by what they
 * are a part of. */
#include "host/observation/statistics.h"

#include <string.h>

const struct sl_statistic_entry sl_statistic_table[SL_STAT_COUNT] = {
#define SL_STATISTIC(ID, name, kind, unit, text) {name, SL_STAT_KIND_##kind, unit, text},
#include "regs/statistics.def"
#undef SL_STATISTIC
};

double sl_statistics_real(const uint64_t *statistics, enum sl_statistic id)
{
    double value;
    if (sl_statistic_table[id].kind == SL_STAT_KIND_COUNT) {
        return (double)statistics[id];
    }
    memcpy(&value, &statistics[id], sizeof value);
    return value;
}

/* What a percentage or a rate is a part of; SL_STAT_COUNT where it adds up like a count. Cycles of
 * the compute units are the weight of all that has none of its own. */
static enum sl_statistic weight_of(enum sl_statistic id)
{
    switch (id) {
    case SL_STAT_GPU_SIMD_UTILIZATION_PCT:
        return SL_STAT_SIMT_WAVE_INSTRUCTIONS;
    case SL_STAT_AGG_IPC:
        return SL_STAT_AGG_CYCLES;
    case SL_STAT_SIM_WAVE_INSTRUCTIONS_PER_S:
        return SL_STAT_SIM_WALL_S;
    case SL_STAT_SIM_WALL_S:
        return SL_STAT_COUNT;
    default:
        return SL_STAT_GPU_CYCLES;
    }
}

static double sum_of_reals(const uint64_t *a, const uint64_t *b, enum sl_statistic id)
{
    const enum sl_statistic weight = weight_of(id);
    if (weight == SL_STAT_COUNT) {
        return sl_statistics_real(a, id) + sl_statistics_real(b, id);
    }
    const double weight_a = sl_statistics_real(a, weight);
    const double weight_b = sl_statistics_real(b, weight);
    if (weight_a + weight_b == 0) {
        return 0;
    }
    return (sl_statistics_real(a, id) * weight_a + sl_statistics_real(b, id) * weight_b) /
           (weight_a + weight_b);
}

static uint64_t sum_of_counts(const uint64_t *a, const uint64_t *b, enum sl_statistic id)
{
    switch (id) {
    case SL_STAT_GPU_RESIDENT_MAX:
    case SL_STAT_SIMT_STACK_DEPTH_MAX:
    case SL_STAT_MEMORY_CHANNELS:
    case SL_STAT_MEMORY_WAVEFRONTS:
    case SL_STAT_MEMORY_HELP_FIRST_CHANNELS:
    case SL_STAT_MEMORY_HELP_FIRST_WAVEFRONTS:
        return a[id] > b[id] ? a[id] : b[id];
    default:
        return a[id] + b[id];
    }
}

void sl_statistics_add(uint64_t *statistics, const uint64_t *run)
{
    uint64_t sum[SL_STAT_COUNT];
    for (int i = 0; i < SL_STAT_COUNT; i++) {
        const enum sl_statistic id = (enum sl_statistic)i;
        if (sl_statistic_table[id].kind == SL_STAT_KIND_REAL) {
            const double value = sum_of_reals(statistics, run, id);
            memcpy(&sum[id], &value, sizeof sum[id]);
        } else {
            sum[id] = sum_of_counts(statistics, run, id);
        }
    }
    memcpy(statistics, sum, sizeof sum);
}
