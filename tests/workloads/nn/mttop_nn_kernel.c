/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel of mttop_nn.c: distances, in one step; then a step for each of the nearest, in which
 * all distances are looked through once more. */
#include "sluice/wave/device_barrier.h"
#include "sluice/wave/wave.h"
#include "workloads/common/square_root.h"
#include "workloads/nn/mttop_nn.h"

static inline void measure(const struct search *search)
{
    const struct place point = search->point;

    for (uint32_t i = sl_global_id(0); i < search->n; i += sl_grid_size(0)) {
        const float down = search->records[i].latitude - point.latitude;
        const float across = search->records[i].longitude - point.longitude;
        search->distances[i] = square_root(__builtin_fmaf(down, down, across * across));
    }
}

/* The least key, of the work-item's share, that is not below `from`. */
static inline uint64_t least_key(const struct search *search, uint64_t from)
{
    const uint32_t *const distances = (const uint32_t *)search->distances;
    uint64_t least = UINT64_MAX;

    for (uint32_t i = sl_global_id(0); i < search->n; i += sl_grid_size(0)) {
        const uint64_t key = (uint64_t)distances[i] << 32 | i;
        if (key >= from && key < least) {
            least = key;
        }
    }
    return least;
}

SL_KERNEL void nn_search(struct sl_device_barrier *barrier, struct search *search)
{
    uint64_t from = 0;

    measure(search);
    sl_device_barrier(barrier);
    for (uint32_t found = 0; found < search->count; found++) {
        uint64_t *const nearest = &search->nearest[found];
        const uint64_t least = sl_reduce_minu(least_key(search, from));
        if (sl_elect()) {
            (void)sl_atomic_min_u64_device(nearest, least);
        }
        sl_device_barrier(barrier);
        from = *nearest + 1;
    }
}
