/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel of uts.c's runtime channels: a channel of nodes, of which each puts its children into
 * it. */
#include "sluice/wave/wave.h"
#include "workloads/uts/lanes.h"
#include "workloads/uts/totals.h"

SL_KERNEL void uts_kernel(int source, int index, const struct uts_row *rows,
                          struct uts_total *totals)
{
    const struct uts_node *const node = sl_deq(source, index);
    const uint32_t depth = node->depth;
    const struct uts_state state = uts_state(node->parent, node->number);
    const uint32_t children = uts_children_of(&rows[depth], &state);

    sl_tfree(source, index);
    if (children > 0) {
        struct uts_node *const made = sl_talloc_or_trap(source, (int)children);
        for (uint32_t i = 0; i < children; i++) {
#pragma GCC unroll 5
            for (uint32_t word = 0; word < UTS_WORDS; word++) {
                made[i].parent[word] = (uint32_t)state.word[word];
            }
            made[i].number = i;
            made[i].depth = depth + 1;
        }
        sl_enq(source, made, (int)children);
    }
    uts_add_up(totals, 1, children == 0, depth);
}
