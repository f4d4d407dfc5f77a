/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel of sssp_worklist.c. */
#include "programs/common/search/worklist_kernel.h"

SL_KERNEL void sssp_worklist(struct graph_node *nodes, uint32_t *to, uint32_t *distance,
                             uint32_t *lengths, struct worklist *from, struct worklist *into,
                             uint32_t capacity)
{
    worklist_visit((struct search){nodes, to, lengths, distance}, true, from, into, capacity);
}
