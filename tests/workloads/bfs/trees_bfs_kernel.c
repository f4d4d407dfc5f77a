/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel of trees_bfs.c. */
#include <stdbool.h>

#include "sluice/wave/trees.h"

SL_TASKS(trees_bfs, visit, start)
#define HAS_LENGTHS false

#include "workloads/common/search/tasks_kernel.h"
