/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* strassen.c's variant with seven products: run and check. Matrices are in the order of
 * strassen_task.h.
 */
#ifndef SLUICE_WORKLOADS_STRASSEN_VARIANT_SEVEN_H
#define SLUICE_WORKLOADS_STRASSEN_VARIANT_SEVEN_H

#include <stdbool.h>
#include <stdint.h>

#include "workloads/common/cilk.h"

/* Computes product = left x right, all n x n, on the machine. */
SL_MUST_USE enum sl_status variant_seven_run(struct sl_soc *soc, const struct cilk_options *cilk,
                                             uint32_t n, const float *left, const float *right,
                                             float *product);

/* Whether the product is, bit for bit, what the algorithm gives in plain C, which adds and
 * multiplies in the same order; says on standard error what is not. */
bool variant_seven_is_right(uint32_t n, const float *left, const float *right,
                            const float *product);

/* Bound of each element's error, where no factor's magnitude is larger than 1. */
double variant_seven_bound(uint32_t n);

#endif
