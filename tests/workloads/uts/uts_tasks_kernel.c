/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel of uts.c's runtime tasks. A task is a node as its parent leaves it, and computes its
 * state itself: so each lane of a front makes one digest, all at once. Parents would make none, or
 * a hundred, one after the other, while lanes with fewer children wait. */

/* Scheduled before registers are allocated, SHA-1 has more values at once than there are registers,
 * and spills them to lanes' stacks, through caches that acquires empty. In front of all that is
 * inlined, which has to be compiled alike. */
#pragma GCC optimize("no-schedule-insns")
#include "sluice/wave/tasks.h"
#include "workloads/uts/lanes.h"
#include "workloads/uts/totals.h"

/* What a lane has visited, in one register, since those are scarce: nodes in bits 0 to 23, leaves
 * in bits 24 to 47, above them how deep the deepest was. */
struct visited {
    uint64_t bits;
};

SL_WORK_TYPES(struct uts_node, struct visited, struct uts_program);
SL_WORK(uts_tasks_kernel, visit)

/* `lane`, or the one that is `step` further, where that has no more than `child` children before
 * its own. Of a lane that takes no part a shuffle gives 0. */
static inline uint32_t further(uint32_t lane, uint32_t step, uint32_t child, uint32_t before)
{
    const uint64_t there = sl_shuffle((uint64_t)before + 1, lane + step);
    return lane + (there - 1 <= child ? step : 0);
}

/* The lane whose children this one is among, when those of all lanes are counted from lane 0 on:
 * the last one that has no more than `child` of them before its own. No loop: an operation across
 * lanes must not be unrolled. */
static inline uint32_t parent_of(uint32_t child, uint32_t before)
{
    uint32_t lane = further(0, 32, child, before);

    lane = further(lane, 16, child, before);
    lane = further(lane, 8, child, before);
    lane = further(lane, 4, child, before);
    lane = further(lane, 2, child, before);
    return further(lane, 1, child, before);
}

/* Children are few where nodes are many, and many where they are few. So they are not for each lane
 * to make, which would wait for the one with the most: all lanes make those of all, a child each.
 */
static inline void spawn_children(const struct uts_state *state, uint32_t depth, uint32_t children)
{
    const uint32_t before = (uint32_t)sl_scan_add(children);
    const uint32_t all = (uint32_t)sl_reduce_add(children);
    const uint32_t lanes = (uint32_t)sl_reduce_add(1);

    for (uint32_t first = 0; first < all; first += lanes) {
        const uint32_t child = first + sl_lane_id();
        const uint32_t parent = parent_of(child, before);
        const struct uts_node node = {
            .parent = {(uint32_t)sl_shuffle(state->word[0], parent),
                       (uint32_t)sl_shuffle(state->word[1], parent),
                       (uint32_t)sl_shuffle(state->word[2], parent),
                       (uint32_t)sl_shuffle(state->word[3], parent),
                       (uint32_t)sl_shuffle(state->word[4], parent)},
            .number = child - (uint32_t)sl_shuffle(before, parent),
            .depth = (uint32_t)sl_shuffle(depth, parent) + 1,
        };
        if (child < all) {
            sl_spawn(visit, node);
        }
    }
}

static inline void count(struct visited *visited, bool is_leaf, uint64_t depth)
{
    const uint64_t deepest = visited->bits >> 48;

    visited->bits += 1 + ((uint64_t)is_leaf << 24);
    if (depth > deepest) {
        visited->bits += (depth - deepest) << 48;
    }
}

SL_WORK_FUNCTION(visit)
{
    const struct uts_state state = uts_state(task.parent, task.number);
    const uint32_t children = uts_children_of(&program->rows[task.depth], &state);

    count(lane, children == 0, task.depth);
    spawn_children(&state, task.depth, children);
}

SL_WORK_END()
{
    const uint64_t bits = lane->bits;

    uts_add_up(program->totals, bits & 0xffffff, bits >> 24 & 0xffffff, (uint32_t)(bits >> 48));
}
