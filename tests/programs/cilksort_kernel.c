/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernels of cilksort.c (programs/cilksort/kernels.h), for elements one behind the other. */
#include "programs/cilksort/kernels.h"

SORT_KERNELS(, SL_PACKED)
