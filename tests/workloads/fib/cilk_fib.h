/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Elements of cilk_fib.c's channel stacks, for host and kernels. */
#ifndef SLUICE_WORKLOADS_FIB_CILK_FIB_H
#define SLUICE_WORKLOADS_FIB_CILK_FIB_H

#include <stdint.h>

/* Of the pre-spawn stack: compute fib(n). */
struct fib_task {
    uint64_t *result;
    uint32_t n;
};

/* Of the continuation stack: what the two children have written goes to where the parent waits. */
struct fib_join {
    uint64_t *result;
    uint64_t value[2];
};

#endif
