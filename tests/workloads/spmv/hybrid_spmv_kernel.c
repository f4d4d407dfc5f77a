/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel of hybrid_spmv.c: a team of lanes multiplies a row with the vector, as many elements
 * at a time that lie side by side, and adds up what its lanes have. In a wavefront of fewer lanes
 * each is a team of its own. */
#include "sluice/wave/wave.h"
#include "workloads/common/float_register.h"
#include "workloads/spmv/hybrid_spmv.h"

static inline float of_lane(float value, unsigned lane)
{
    uint64_t bits;
    __asm__("fmv.x.w %0, %1" : "=r"(bits) : "f"(value));
    return float_register(sl_shuffle(bits, lane));
}

SL_KERNEL void spmv_kernel(const uint32_t *begin, const uint32_t *column, const float *value,
                           const float *vector, float *product, uint64_t rows)
{
    const unsigned team_log2 = sl_lane_count() < 1 << SPMV_TEAM_LOG2 ? 0 : SPMV_TEAM_LOG2;
    const uint64_t team = UINT64_C(1) << team_log2;
    const uint64_t row = (uint64_t)sl_global_id(0) >> team_log2;
    const unsigned lane = sl_lane_id();

    if (row < rows) {
        const float *const end = value + begin[row + 1];
        const float *element = value + begin[row] + (lane & (team - 1));
        const ptrdiff_t apart = (const char *)column - (const char *)value;
        float sum = float_constant(0);

        while (element < end) {
            const uint32_t at = *(const uint32_t *)((const char *)element + apart);
            sum = __builtin_fmaf(*element, vector[at], sum);
            element += team;
        }
        for (uint64_t distance = team / 2; distance > 0; distance /= 2) {
            sum += of_lane(sum, lane ^ (unsigned)distance);
        }
        if ((lane & (team - 1)) == 0) {
            product[row] = sum;
        }
    }
}
