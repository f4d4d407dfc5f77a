/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel of sssp_worklist.c. */
#include "workloads/common/search/worklist_kernel.h"

SL_KERNEL void sssp_worklist(uint64_t *nodes, void *edges, uint32_t *distance,
                             struct worklist *from, struct worklist *into, uint32_t capacity)
{
    worklist_visit((struct search){nodes, edges, distance}, true, from, into, capacity);
}
