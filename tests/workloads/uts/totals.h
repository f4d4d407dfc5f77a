/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* For kernels: what lanes have counted, added up by wavefront, and then for each compute unit. */
#ifndef SLUICE_WORKLOADS_UTS_TOTALS_H
#define SLUICE_WORKLOADS_UTS_TOTALS_H

#include "sluice/wave/wave.h"
#include "workloads/uts/node.h"

/* By all lanes that are active together: how many nodes and leaves each has visited, and how deep
 * the deepest was. */
static inline void uts_add_up(struct uts_total *totals, uint32_t nodes, uint32_t leaves,
                              uint32_t depth)
{
    struct uts_total *const total = &totals[sl_cu_id()];
    const uint64_t all = sl_reduce_add(nodes);
    const uint64_t all_leaves = sl_reduce_add(leaves);
    const uint64_t deepest = sl_reduce_maxu(depth);

    if (sl_elect()) {
        (void)sl_atomic_add_u64(&total->nodes, all);
        (void)sl_atomic_add_u64(&total->leaves, all_leaves);
        (void)sl_atomic_max_u64_device(&total->depth, deepest);
    }
}

#endif
