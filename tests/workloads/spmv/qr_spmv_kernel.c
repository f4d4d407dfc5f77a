/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel of qr_spmv.c: a work-item multiplies one row with the vector, an element after the
 * other. */
#include "sluice/wave/wave.h"

SL_KERNEL void spmv_kernel(const uint32_t *begin, const uint32_t *column, const float *value,
                           const float *vector, float *product)
{
    const uint32_t row = sl_global_id(0);
    const uint32_t end = begin[row + 1];
    float sum = 0;

    for (uint32_t i = begin[row]; i < end; i++) {
        sum = __builtin_fmaf(value[i], vector[column[i]], sum);
    }
    product[row] = sum;
}
