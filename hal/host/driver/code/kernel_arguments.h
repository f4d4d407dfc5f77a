/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What a kernel is given as its constant arguments: held against its prototype, and brought into
 * the form that registers have it in (RISC-V's calling convention, lp64d). */
#ifndef SLUICE_HOST_DRIVER_CODE_KERNEL_ARGUMENTS_H
#define SLUICE_HOST_DRIVER_CODE_KERNEL_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/driver/code/prototype.h"
#include "sluice/layouts.h"
#include "sluice/limits.h"
#include "sluice/value.h"

/* Parameters in front of the constant arguments of a graph's kernel: channel and index. */
#define SL_GRAPH_PARAMETERS 2

struct sl_arguments {
    bool is_graph;                              /* else they begin with parameter 0 */
    unsigned count;                             /* may be more than there is room for */
    struct sl_value value[SL_LAUNCH_ARGUMENTS]; /* of a launch, the first `count` of them */
    uint32_t set; /* of a graph: bit i where value[i] has been given */
};

/* Fills in the constant arguments of *kernel. Returns 0; or -1 where they are none that the kernel
 * can be given, with a message that says what it takes: "it takes 2 arguments (float a, uint32_t
 * n; saxpy_kernel.c:12), 1 was given: 'n' is missing (argument 1)". Where the prototype is not
 * known, they are passed as what they are. */
int sl_arguments_place(const struct sl_prototype *prototype, const struct sl_arguments *given,
                       struct sl_kernel *kernel, char *error, size_t bytes);

#endif
