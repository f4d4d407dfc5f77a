/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel of uts.c's runtime tasks. A task is a node as its parent leaves it, and computes its
 * state itself: so each lane of a front makes one digest, all at once. Parents would make none, or
 * a hundred, one after the other, while lanes with fewer children wait. */
#include "programs/uts/lanes.h"
#include "programs/uts/totals.h"
#include "wave/tasks.h"

struct visited {
    uint32_t nodes;
    uint32_t leaves;
    uint32_t depth; /* of the deepest */
};

SL_WORK_TYPES(struct uts_node, struct visited, struct uts_program);
SL_WORK(uts_tasks_kernel, visit)

SL_WORK_FUNCTION(visit)
{
    const struct uts_state state = uts_state(task.parent, task.number);
    const uint32_t children = uts_children_of(&program->rows[task.depth], &state);

    lane->nodes++;
    lane->leaves += children == 0;
    lane->depth = task.depth > lane->depth ? task.depth : lane->depth;
    for (uint32_t i = 0; i < children; i++) {
        struct uts_node child = {.number = i, .depth = task.depth + 1};
#pragma GCC unroll 5
        for (uint32_t word = 0; word < UTS_WORDS; word++) {
            child.parent[word] = (uint32_t)state.word[word];
        }
        sl_spawn(visit, child);
    }
}

SL_WORK_END()
{
    uts_add_up(program->totals, lane->nodes, lane->leaves, lane->depth);
}
