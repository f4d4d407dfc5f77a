/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel of qr_nn.c: the Euclidean distance of each record from a point, a work-item for each.
 * What a wavefront loads and stores together are whole lines. */
#include "programs/qr_nn.h"
#include "wave/sluice_wave.h"

SL_KERNEL void nn_distances(const struct place *records, float *distances, uint64_t point_bits)
{
    const uint32_t i = sl_global_id(0);
    struct place point;

    __builtin_memcpy(&point, &point_bits, sizeof point);
    const float down = records[i].latitude - point.latitude;
    const float across = records[i].longitude - point.longitude;
    distances[i] = __builtin_sqrtf(__builtin_fmaf(down, down, across * across));
}
