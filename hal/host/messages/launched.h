/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What was launched, for messages that name kernels: a launch, or the steps of a sequence. */
#ifndef SLUICE_HOST_LAUNCHED_H
#define SLUICE_HOST_LAUNCHED_H

#include <stddef.h>
#include <stdint.h>

#include "sluice/layouts.h"

struct sl_launched {
    const struct sl_launch *launches; /* in shared memory */
    uint32_t count;                   /* 0: none, or not described by the library */
    const char *kernels[SL_SEQUENCE_LAUNCHES];
};

/* The name of the kernel whose struct sl_kernel is at the address; NULL where it is none of them.
 */
static inline const char *sl_launched_kernel(const struct sl_launched *launched, uint64_t kernel)
{
    for (uint32_t i = 0; launched != NULL && i < launched->count; i++) {
        if ((uintptr_t)&launched->launches[i].kernel == kernel) {
            return launched->kernels[i];
        }
    }
    return NULL;
}

#endif
