/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Rows of the right matrix are added to rows of the product, each times an element of the left one:
 * all three are walked through in the order of memory. */
#include "workloads/common/algebra/product.h"

#include <math.h>

void product_in_plain_c(const float *left, const float *right, float *product, size_t width)
{
    for (size_t row = 0; row < width; row++) {
        for (size_t k = 0; k < width; k++) {
            const float element = left[row * width + k];
            for (size_t column = 0; column < width; column++) {
                float *const sum = &product[row * width + column];
                *sum = fmaf(element, right[k * width + column], *sum);
            }
        }
    }
}
