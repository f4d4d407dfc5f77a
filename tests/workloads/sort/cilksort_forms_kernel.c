/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernels of cilksort.c (cilksort_kernels.h), for channels whose elements are not one
 * behind the other. */
#include "workloads/sort/cilksort_kernels.h"

SORT_KERNELS(_padded, SL_PADDED)
SORT_KERNELS(_soa, SL_SOA)
