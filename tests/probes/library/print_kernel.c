/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel of print.c: each work-item prints a line, and those with an odd number a second one.
 */
#include "sluice/wave/printf.h"
#include "sluice/wave/wave.h"

static const char *const names[] = {"zero", "one", "two", "three"};

SL_KERNEL void print_kernel(double real)
{
    const uint32_t item = sl_global_id(0);
    sl_printf("item %u of %u: %s|%-6s|%.2s, %d %ld %5x %c%%\n", item, sl_grid_size(0),
              names[item % 4], names[item % 4], names[item % 4], -(int)item,
              -(long)item * 1000000000000, item, 'a' + (int)(item % 26));
    if (item % 2 != 0) {
        sl_printf("odd %03u, half %.*f, %llx, %hhd\n", item, 3, real,
                  (unsigned long long)item << 40, 1000 + (int)item);
    }
}
