/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* For kernels that make locks of atomics: what keeps the compiler from turning a loop that is right
 * for lanes in lock step into one that is not. */
#ifndef SLUICE_WORKLOADS_COMMON_LOCKSTEP_H
#define SLUICE_WORKLOADS_COMMON_LOCKSTEP_H

#include <stdbool.h>

/* The condition of a loop, at its end. Whoever has the lock has to give it back within the loop,
 * before the others try again. A compiler that knows that they leave it afterwards moves their
 * critical section behind the loop, where they wait for the others, which wait for the lock
 * (papers/004 section 6.5.3). Here it knows nothing. */
static inline bool lockstep_again(bool condition)
{
    unsigned long value = condition;

    __asm__ volatile("" : "+r"(value));
    return value != 0;
}

#endif
