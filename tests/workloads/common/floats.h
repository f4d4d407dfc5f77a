/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Results of programs with floats: what is computed by the same operations in the same order has
 * to be equal to the last bit; what plain C computes in double precision, near. */
#ifndef SLUICE_WORKLOADS_COMMON_FLOATS_H
#define SLUICE_WORKLOADS_COMMON_FLOATS_H

#include <stdbool.h>
#include <stddef.h>

/* Whether `count` floats have the bits of those that are wanted; says on standard error which is
 * the first that has not, `what` and its number, and how many there are. */
bool floats_are_equal(const char *what, const float *is, const float *wanted, size_t count);

/* Whether each of `count` floats differs from what is wanted by no more than that, or the root mean
 * square of all that are wanted where it is less, times `tolerance`: sums of both signs may be near
 * 0. Says on standard error which is the first that does, `what` and its number, and how many there
 * are. */
bool floats_are_near(const char *what, const float *is, const double *wanted, size_t count,
                     double tolerance);

/* Their sum, from the first to the last. */
double floats_sum(const float *floats, size_t count);

#endif
