/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel of trees_sssp.c. */
#include <stdbool.h>

#include "sluice/wave/trees.h"

SL_TASKS(trees_sssp, visit, start)
#define HAS_LENGTHS true

#include "workloads/common/search/tasks_kernel.h"
