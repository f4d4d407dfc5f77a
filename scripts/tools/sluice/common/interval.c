/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Means and their confidence, by Student's distribution: few runs of each point are the rule. */
#include "common/interval.h"

#include <math.h>

/* Its quantiles at 97.5 %, by degrees of freedom from 1. */
static const double quantiles[INTERVAL_RUNS_MAX - 1] = {
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
    2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
    2.080,  2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045,
};

struct interval interval_of(const double *values, size_t count)
{
    double sum = 0;
    double squares = 0;

    for (size_t i = 0; i < count; i++) {
        sum += values[i];
    }
    const double mean = sum / (double)count;
    for (size_t i = 0; i < count; i++) {
        squares += (values[i] - mean) * (values[i] - mean);
    }
    const double half =
        count < 2 ? 0 : quantiles[count - 2] * sqrt(squares / (double)(count - 1) / (double)count);
    return (struct interval){mean, mean - half, mean + half};
}

json_t *interval_figure(const double *values, size_t count)
{
    if (count == 0) {
        return json_null();
    }
    const struct interval interval = interval_of(values, count);
    return count == 1 ? json_pack("{s:f}", "value", interval.mean)
                      : json_pack("{s:f, s:f, s:f}", "value", interval.mean, "low", interval.low,
                                  "high", interval.high);
}
