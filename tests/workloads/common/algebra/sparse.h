/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Random sparse matrices in compressed rows (CSR). */
#ifndef SLUICE_WORKLOADS_COMMON_ALGEBRA_SPARSE_H
#define SLUICE_WORKLOADS_COMMON_ALGEBRA_SPARSE_H

#include <stdint.h>

#include "sluice/sluice.h"

/* Row r has the elements from begin[r] up to, but not with, begin[r + 1]. In the shared heap. */
struct sparse {
    uint32_t rows;
    uint32_t *begin;
    uint32_t *column; /* of each element */
    float *value;
};

/* Makes a square matrix of so many rows, of 1 to `longest` elements each, whose columns ascend and
 * are spread over the row. Absolute values of a row add up to 1 at most, so that repeated products
 * do not grow. *random goes on (common/matrix.h). Each of the three arrays is aligned as of
 * sl_alloc(). Ends the program where there is no space. */
void sparse_make(struct sl_soc *soc, uint32_t rows, uint32_t longest, size_t align,
                 uint64_t *random, struct sparse *matrix);

#endif
