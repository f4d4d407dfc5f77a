/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Comparison of floats, to the last bit and by a tolerance. */
#include "workloads/common/floats.h"

#include <math.h>
#include <string.h>

#include "sluice/program.h"

bool floats_are_equal(const char *what, const float *is, const float *wanted, size_t count)
{
    size_t wrong = 0;
    for (size_t i = 0; i < count; i++) {
        if (memcmp(&is[i], &wanted[i], sizeof *is) != 0 && wrong++ == 0) {
            (void)sl_app_check(false, "%s %zu is %a, should be %a", what, i, (double)is[i],
                               (double)wanted[i]);
        }
    }
    return sl_app_check(wrong == 0, "%zu of %zu in all", wrong, count);
}

bool floats_are_near(const char *what, const float *is, const double *wanted, size_t count,
                     double tolerance)
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
            (void)sl_app_check(false, "%s %zu is %.9g, should be %.9g", what, i, (double)is[i],
                               wanted[i]);
        }
    }
    return sl_app_check(wrong == 0, "%zu of %zu in all", wrong, count);
}

double floats_sum(const float *floats, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += (double)floats[i];
    }
    return sum;
}
