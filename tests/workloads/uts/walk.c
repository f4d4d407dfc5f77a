/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The reference: nodes of a tree one after the other, depth first, with a stack of those whose
 * children are not all counted. */
#include <stdbool.h>
#include <stdlib.h>

#include "workloads/uts/tree.h"

struct frame {
    uint8_t state[SHA1_BYTES];
    uint32_t children; /* not counted yet */
};

/* Counts a node, which is `depth` deep. */
static void visit(const struct uts_tree *tree, uint32_t depth, struct frame *node,
                  struct uts_count *count)
{
    node->children = uts_children(tree, depth, uts_random(node->state));
    count->nodes++;
    count->leaves += node->children == 0;
    count->depth = depth > count->depth ? depth : count->depth;
}

static const char *walk(const struct uts_tree *tree, struct frame *stack, struct uts_count *count)
{
    uint32_t depth = 0;

    *count = (struct uts_count){0};
    uts_root(tree, stack[0].state);
    visit(tree, depth, &stack[0], count);
    while (1) {
        while (stack[depth].children == 0) {
            if (depth == 0) {
                return NULL;
            }
            depth--;
        }
        if (depth == UTS_DEPTH_MAX) {
            return "is deeper than 16384 levels";
        }
        if (count->nodes == UTS_NODES_MAX) {
            return "has more than 16777216 nodes";
        }
        stack[depth].children--;
        uts_child(stack[depth].state, stack[depth].children, stack[depth + 1].state);
        depth++;
        visit(tree, depth, &stack[depth], count);
    }
}

const char *uts_walk(const struct uts_tree *tree, struct uts_count *count)
{
    struct frame *const stack = malloc((UTS_DEPTH_MAX + 1) * sizeof *stack);

    if (stack == NULL) {
        return "takes more memory than there is";
    }
    const char *const reason = walk(tree, stack, count);
    free(stack);
    return reason;
}
