/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Statistics of several runs together, for programs that launch more than one kernel: counts add
 * up, maxima are maxima, percentages and rates are means, weighted by what they are a part of. */
#include <string.h>

#include "host/machine/soc.h"

static double real_of(const uint64_t *statistics, enum sl_statistic id)
{
    double value;
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

static double amount(const uint64_t *statistics, enum sl_statistic id)
{
    return sl_statistic_table[id].kind == SL_STAT_KIND_REAL ? real_of(statistics, id)
                                                            : (double)statistics[id];
}

static double sum_of_reals(const uint64_t *a, const uint64_t *b, enum sl_statistic id)
{
    const enum sl_statistic weight = weight_of(id);
    if (weight == SL_STAT_COUNT) {
        return real_of(a, id) + real_of(b, id);
    }
    const double weight_a = amount(a, weight);
    const double weight_b = amount(b, weight);
    if (weight_a + weight_b == 0) {
        return 0;
    }
    return (real_of(a, id) * weight_a + real_of(b, id) * weight_b) / (weight_a + weight_b);
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

void sl_statistics_accumulate(struct sl_soc *soc)
{
    soc->has_sum = true;
    memset(soc->statistics, 0, sizeof soc->statistics);
    soc->served = (struct sl_served){0};
}
