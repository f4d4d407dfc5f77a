/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Comparison of floats, to the last bit and by a tolerance. */
#include "workloads/common/floats.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool floats_are_equal(const char *program, const char *what, const float *is, const float *wanted,
                      size_t count)
{
    size_t wrong = 0;
    for (size_t i = 0; i < count; i++) {
        if (memcmp(&is[i], &wanted[i], sizeof *is) != 0 && wrong++ == 0) {
            (void)fprintf(stderr, "%s: wrong: %s %zu is %a, should be %a\n", program, what, i,
                          (double)is[i], (double)wanted[i]);
        }
    }
    if (wrong > 0) {
        (void)fprintf(stderr, "%s: wrong: %zu of %zu in all\n", program, wrong, count);
    }
    return wrong == 0;
}

bool floats_are_near(const char *program, const char *what, const float *is, const double *wanted,
                     size_t count, double tolerance)
{
    double squares = 0;
    size_t wrong = 0;
    for (size_t i = 0; i < count; i++) {
        squares += wanted[i] * wanted[i];
    }
    const double mean = sqrt(squares / (double)count);
    for (size_t i = 0; i < count; i++) {
        const double most = tolerance * fmax(fabs(wanted[i]), mean);
        const bool is_near =
            fabs((double)is[i] - wanted[i]) <= most; /* not so for what is no number */
        if (!is_near && wrong++ == 0) {
            (void)fprintf(stderr, "%s: wrong: %s %zu is %.9g, should be %.9g\n", program, what, i,
                          (double)is[i], wanted[i]);
        }
    }
    if (wrong > 0) {
        (void)fprintf(stderr, "%s: wrong: %zu of %zu in all\n", program, wrong, count);
    }
    return wrong == 0;
}

double floats_sum(const float *floats, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += (double)floats[i];
    }
    return sum;
}
