/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Results of programs with floats: what is computed by the same operations in the same order has
 * to be equal to the last bit. */
#ifndef SLUICE_PROGRAMS_FLOATS_H
#define SLUICE_PROGRAMS_FLOATS_H

#include <stdbool.h>
#include <stddef.h>

/* Whether `count` floats have the bits of those that are wanted; says on standard error which is
 * the first that has not, `what` and its number, and how many there are. */
bool floats_are_equal(const char *program, const char *what, const float *is, const float *wanted,
                      size_t count);

/* Their sum, from the first to the last. */
double floats_sum(const float *floats, size_t count);

#endif
