/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Comparison of integers. */
#include "workloads/common/words.h"

#include <inttypes.h>
#include <stdio.h>

bool words_are_equal(const char *program, const char *what, const uint32_t *is,
                     const uint32_t *wanted, size_t count)
{
    size_t wrong = 0;
    for (size_t i = 0; i < count; i++) {
        if (is[i] != wanted[i] && wrong++ == 0) {
            (void)fprintf(stderr, "%s: wrong: %s %zu is %" PRIu32 ", should be %" PRIu32 "\n",
                          program, what, i, is[i], wanted[i]);
        }
    }
    if (wrong > 0) {
        (void)fprintf(stderr, "%s: wrong: %zu of %zu in all\n", program, wrong, count);
    }
    return wrong == 0;
}
