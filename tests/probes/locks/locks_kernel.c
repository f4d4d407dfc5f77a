/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernels of locks.c: one for each case, whose work-items are the case's items. */
#include "probes/locks/locks.h"

#define KERNEL(name)                                                                               \
    SL_KERNEL void name##_kernel(struct locks_data *data)                                          \
    {                                                                                              \
        const uint32_t item = (uint32_t)sl_global_id(0);                                           \
        locks_case_##name(data, item);                                                             \
        data->turns[item]++;                                                                       \
    }

LOCKS_CASES(KERNEL)
