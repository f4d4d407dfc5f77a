/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel of tests/soc/dispatcher/test_device_barrier.c: in each round work-items store words of
 * their own, early or late, and load those of others behind a barrier of the device. */
#include "sluice/wave/device_barrier.h"
#include "sluice/wave/wave.h"

static inline uint32_t number(void)
{
    return sl_global_id(0) +
           sl_grid_size(0) * (sl_global_id(1) + sl_grid_size(1) * sl_global_id(2));
}

/* Counts the words that are not those of this round. */
SL_KERNEL void device_barrier_rounds(struct sl_device_barrier *barrier, uint32_t *words,
                                     uint32_t *wrong, uint32_t rounds, uint32_t items)
{
    const uint32_t own = number();

    for (uint32_t round = 1; round <= rounds; round++) {
        sl_pause_for(1 + (own / 8 * 29 + round * 13) % 400);
        words[own] = own * 64 + round;
        sl_device_barrier(barrier);
        const uint32_t other = (own + round * 37) % items;
        wrong[own] += words[other] != other * 64 + round;
        sl_device_barrier(barrier);
    }
}
