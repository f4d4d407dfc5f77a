/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What several runs of one point say of it: the mean, and the interval that holds the expected
 * value with 95 % confidence (Alameldeen and Wood, HPCA 2003: docs/know/papers.md). */
#ifndef SLUICE_CLI_INTERVAL_H
#define SLUICE_CLI_INTERVAL_H

#include <jansson.h>
#include <stddef.h>

/* The most runs of a point: the table of Student's distribution goes so far. */
#define INTERVAL_RUNS_MAX 30u

struct interval {
    double mean;
    double low; /* mean of a single run, which says nothing of its spread */
    double high;
};

/* Of 1 to INTERVAL_RUNS_MAX values, taken as independent draws from a normal distribution. */
struct interval interval_of(const double *values, size_t count);

/* {"value", "low", "high"} of them, as pages and tables take it: without ends for a single run;
 * null where there are none. */
json_t *interval_figure(const double *values, size_t count);

#endif
