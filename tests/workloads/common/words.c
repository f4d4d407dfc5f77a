/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Comparison of integers. */
#include "workloads/common/words.h"

#include "sluice/program.h"

bool words_are_equal(const char *what, const uint32_t *is, const uint32_t *wanted, size_t count)
{
    size_t wrong = 0;
    for (size_t i = 0; i < count; i++) {
        if (is[i] != wanted[i] && wrong++ == 0) {
            (void)sl_app_check(false, "%s %zu is %" PRIu32 ", should be %" PRIu32, what, i, is[i],
                               wanted[i]);
        }
    }
    return sl_app_check(wrong == 0, "%zu of %zu in all", wrong, count);
}
