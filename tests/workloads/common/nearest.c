/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Euclidean distances, by the operations that kernels make; and the smallest of them, by insertion.
 */
#include "workloads/common/nearest.h"

#include <math.h>
#include <stdlib.h>

#include "sluice/program.h"
#include "workloads/common/floats.h"

uint32_t nearest_find(const float *distances, uint32_t n, uint32_t count, uint32_t *nearest)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t place = found;
        if (found < count) {
            found++;
        } else if (distances[i] < distances[nearest[count - 1]]) {
            place = count - 1;
        } else {
            continue;
        }
        for (; place > 0 && distances[i] < distances[nearest[place - 1]]; place--) {
            nearest[place] = nearest[place - 1];
        }
        nearest[place] = i;
    }
    return found;
}

bool nearest_distances_are_right(const struct place *records, size_t n, struct place point,
                                 const float *distances)
{
    float *const right = sl_app_memory(n, sizeof *right);

    for (size_t i = 0; i < n; i++) {
        const float down = records[i].latitude - point.latitude;
        const float across = records[i].longitude - point.longitude;
        right[i] = sqrtf(fmaf(down, down, across * across));
    }
    const bool is_equal = floats_are_equal("distance", distances, right, n);
    free(right);
    return is_equal;
}
