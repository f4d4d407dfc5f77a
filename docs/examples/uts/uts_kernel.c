/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Unbalanced tree search: a lane takes a child, computes who it is, and puts its own children into
 * the channel. So all lanes compute one digest each, together; were it the parent's to compute
 * those of its children, most lanes would wait for the one that has most of them. */
#include <sluice/wave/wave.h>

#include "uts.h"

SL_KERNEL void uts_kernel(int nodes, int index, const struct tree *tree, struct counts *counts)
{
    SL_KERNEL_RESIDENT(64);
    const struct child child = *(const struct child *)sl_deq(nodes, index);
    const struct sha1_digest node = sha1(&child.parent, child.number);
    const uint32_t children = children_of(tree, &node, child.depth);

    struct child *const made = sl_talloc_or_trap(nodes, (int)children);
    for (uint32_t i = 0; i < children; i++) {
        made[i] = (struct child){.parent = node, .number = i, .depth = child.depth + 1};
    }
    sl_enq(nodes, made, (int)children);

    /* The wavefront agrees first, so that one lane can count for all. */
    const uint64_t leaves = sl_reduce_add(children == 0);
    const uint64_t depth = sl_reduce_maxu(child.depth);
    const uint64_t all = sl_reduce_add(1);
    if (sl_elect()) {
        sl_atomic_add_u64(&counts->nodes, all);
        sl_atomic_add_u64(&counts->leaves, leaves);
        sl_atomic_max_u64_device(&counts->depth, depth);
    }
    sl_tfree(nodes, index);
}
