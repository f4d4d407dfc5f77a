/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernels of wild.c: a store to any address, and a constant of the file that it may be to. */
#include "sluice/wave/wave.h"
#include "workloads/common/relay_kernel.h"

extern const uint64_t wild_constant[8];
const uint64_t wild_constant[8] = {1, 2, 3, 4, 5, 6, 7, 8};

SL_KERNEL void wild_store(volatile uint64_t *address)
{
    *address = 0x5a5a5a5a5a5a5a5a;
}

/* Where the constant is. */
SL_KERNEL void wild_constant_at(uint64_t *address)
{
    *address = (uint64_t)(uintptr_t)wild_constant;
}
