/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel of squares.c. */
#include <sluice/wave/wave.h>

SL_KERNEL void add_squares(uint64_t *sum)
{
    const uint64_t i = sl_global_id(0);

    sl_atomic_add_u64(sum, i * i);
}
