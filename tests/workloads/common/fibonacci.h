/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What the programs that compute Fibonacci numbers check themselves with. */
#ifndef SLUICE_WORKLOADS_COMMON_FIBONACCI_H
#define SLUICE_WORKLOADS_COMMON_FIBONACCI_H

#include <stdint.h>

/* The nth Fibonacci number, in plain C; n from 1 to 93, the last that 64 bits hold. */
static inline uint64_t fibonacci(uint32_t n)
{
    uint64_t last = 0;
    uint64_t value = 1;
    for (uint32_t i = 1; i < n; i++) {
        const uint64_t next = last + value;
        last = value;
        value = next;
    }
    return value;
}

#endif
