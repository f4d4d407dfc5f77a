/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The words of a run, one for each row of hal/contract/statistics.def, and those of several
 * together.
 */
#include "host/base/run_statistics.h"

#include <math.h>
#include <string.h>

const struct sl_statistic_entry sl_statistic_table[SL_STAT_COUNT] = {
#define SL_STATISTIC(ID, name, kind, unit, together, text) {name, SL_STAT_KIND_##kind, unit, text},
#include "contract/statistics.def"
#undef SL_STATISTIC
};

const struct sl_statistic_rule sl_statistic_rules[SL_STAT_COUNT] = {
#define RULE_SUM                                           SL_TOGETHER_SUM, SL_STAT_COUNT
#define RULE_MAX                                           SL_TOGETHER_MAX, SL_STAT_COUNT
#define RULE_MEAN(ID)                                      SL_TOGETHER_MEAN, SL_STAT_##ID
#define SL_STATISTIC(ID, name, kind, unit, together, text) {RULE_##together},
#include "contract/statistics.def"
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

/* Zero where neither has any weight. */
static double mean(const uint64_t *a, const uint64_t *b, enum sl_statistic id)
{
    const double weight_a = sl_statistics_real(a, sl_statistic_rules[id].weight);
    const double weight_b = sl_statistics_real(b, sl_statistic_rules[id].weight);
    const double sum = sl_statistics_real(a, id) * weight_a + sl_statistics_real(b, id) * weight_b;
    return weight_a + weight_b == 0 ? 0 : sum / (weight_a + weight_b);
}

static uint64_t real_together(const uint64_t *a, const uint64_t *b, enum sl_statistic id)
{
    const double real_a = sl_statistics_real(a, id);
    const double real_b = sl_statistics_real(b, id);
    double value = real_a + real_b;
    uint64_t word;

    if (sl_statistic_rules[id].kind == SL_TOGETHER_MEAN) {
        value = mean(a, b, id);
    } else if (sl_statistic_rules[id].kind == SL_TOGETHER_MAX) {
        value = fmax(real_a, real_b);
    }
    memcpy(&word, &value, sizeof word);
    return word;
}

static uint64_t count_together(uint64_t a, uint64_t b, enum sl_statistic id)
{
    const uint64_t largest = a > b ? a : b;
    return sl_statistic_rules[id].kind == SL_TOGETHER_MAX ? largest : a + b;
}

void sl_statistics_add(uint64_t *statistics, const uint64_t *run)
{
    uint64_t sum[SL_STAT_COUNT];
    for (int i = 0; i < SL_STAT_COUNT; i++) {
        const enum sl_statistic id = (enum sl_statistic)i;
        sum[i] = sl_statistic_table[id].kind == SL_STAT_KIND_REAL
                     ? real_together(statistics, run, id)
                     : count_together(statistics[i], run[i], id);
    }
    memcpy(statistics, sum, sizeof sum);
}
