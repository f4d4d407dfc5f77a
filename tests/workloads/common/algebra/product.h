/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Product of two matrices in plain C. */
#ifndef SLUICE_WORKLOADS_COMMON_ALGEBRA_PRODUCT_H
#define SLUICE_WORKLOADS_COMMON_ALGEBRA_PRODUCT_H

#include <stddef.h>

/* Adds to each of width x width elements a row times a column: fused multiply-adds from the first
 * to the last. */
void product_in_plain_c(const float *left, const float *right, float *product, size_t width);

#endif
