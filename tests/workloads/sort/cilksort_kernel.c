/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernels of cilksort.c (cilksort_kernels.h), for elements one behind the other. */
#include "workloads/sort/cilksort_kernels.h"

SORT_KERNELS(, SL_PACKED)
