/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Comparison of floats with what is computed in double precision. */
#include "programs/common/near.h"

#include <math.h>
#include <stdio.h>

bool floats_are_near(const char *program, const char *what, const float *is, const double *wanted,
                     size_t count)
{
    size_t wrong = 0;
    for (size_t i = 0; i < count; i++) {
        const double error = fabs((double)is[i] - wanted[i]);
        const bool is_near = error <= NEAR_TOLERANCE * fabs(wanted[i]); /* not where it is a NaN */
        if (!is_near && wrong++ == 0) {
            (void)fprintf(stderr, "%s: wrong: %s %zu is %.9g, should be within %g of %.9g\n",
                          program, what, i, (double)is[i], NEAR_TOLERANCE * fabs(wanted[i]),
                          wanted[i]);
        }
    }
    if (wrong > 0) {
        (void)fprintf(stderr, "%s: wrong: %zu of %zu in all\n", program, wrong, count);
    }
    return wrong == 0;
}

void make_positive(float *floats, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        floats[i] = fabsf(floats[i]);
    }
}
