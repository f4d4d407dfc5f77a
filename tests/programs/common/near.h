/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Results of programs with floats that are summed up in another order than plain C does. */
#ifndef SLUICE_PROGRAMS_NEAR_H
#define SLUICE_PROGRAMS_NEAR_H

#include <stdbool.h>
#include <stddef.h>

/* How far a result may be from the one that is wanted, relative to that. So what programs sum up is
 * positive: nothing is lost by cancellation. */
#define NEAR_TOLERANCE 1e-4

/* Whether `count` floats are as near as that to those that are wanted, and zeros are zeros; says on
 * standard error which is the first that is not, `what` and its number, and how many there are. */
bool floats_are_near(const char *program, const char *what, const float *is, const double *wanted,
                     size_t count);

/* Makes random floats (common/matrix.h) positive, or 0. */
void make_positive(float *floats, size_t count);

#endif
