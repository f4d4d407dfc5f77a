/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A loop that serves the lanes of one value in each round, those that are served together counting
 * themselves: as many as have the value. The compiler has to leave the round's end in the loop. */
#include <sluice/wave/group.h>
#include <sluice/wave/wave.h>

SL_KERNEL void serve_kernel(const uint32_t *in, uint32_t *memory, uint32_t *out)
{
    const uint32_t value = in[sl_global_id(0)];
    uint32_t same = 0;
    bool done = false;

    (void)memory;
    while (!done) {
        if ((uint32_t)sl_first(value) == value) {
            same = (uint32_t)sl_reduce_add(1);
            done = true;
        }
    }
    out[sl_global_id(0)] = same;
}
