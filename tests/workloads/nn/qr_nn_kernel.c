/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel of qr_nn.c: the Euclidean distance of each record from a point, a work-item for each.
 * What a wavefront loads and stores together are whole lines. */
#include "sluice/wave/wave.h"
#include "workloads/common/place.h"
#include "workloads/common/square_root.h"

SL_KERNEL void nn_distances(const struct place *records, float *distances, float latitude,
                            float longitude)
{
    const uint32_t i = sl_global_id(0);
    const float down = records[i].latitude - latitude;
    const float across = records[i].longitude - longitude;
    distances[i] = square_root(__builtin_fmaf(down, down, across * across));
}
