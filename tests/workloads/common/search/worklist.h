/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A list of nodes that one launch fills and the next one reads, for host programs and kernels. The
 * count, to which wavefronts add, has a cache line of its own. */
#ifndef SLUICE_WORKLOADS_COMMON_SEARCH_WORKLIST_H
#define SLUICE_WORKLOADS_COMMON_SEARCH_WORKLIST_H

#include <stdint.h>

/* Kernel trap: no room in a list. Operands: nodes in it then, room. */
#define TRAP_WORKLIST 16

struct worklist {
    uint32_t count;
    uint32_t unused[15];
    uint32_t node[];
};

#endif
