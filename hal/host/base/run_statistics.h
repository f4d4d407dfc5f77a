/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The words of a run: one for each row of hal/contract/statistics.def, named in sl_statistic_table
 * (sluice/sluice.h). */
#ifndef SLUICE_HOST_BASE_RUN_STATISTICS_H
#define SLUICE_HOST_BASE_RUN_STATISTICS_H

#include <stdint.h>

#include "sluice/sluice.h"

/* What the figure of several runs is (SL_STATISTIC's `together`). A mean is weighted by another
 * statistic. */
struct sl_statistic_rule {
    enum { SL_TOGETHER_SUM, SL_TOGETHER_MAX, SL_TOGETHER_MEAN } kind;
    enum sl_statistic weight;
};
extern const struct sl_statistic_rule sl_statistic_rules[SL_STAT_COUNT];

/* One of them as a number, whatever its kind. */
double sl_statistics_real(const uint64_t *statistics, enum sl_statistic id);

/* Adds those of another run. */
void sl_statistics_add(uint64_t *statistics, const uint64_t *run);

#endif
