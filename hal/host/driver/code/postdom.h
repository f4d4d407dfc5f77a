/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Immediate post-dominators of a control-flow graph (Cooper, Harvey and Kennedy, "A Simple, Fast
 * Dominance Algorithm", on the reversed graph with one virtual exit). Knows nothing of
 * instructions. */
#ifndef SLUICE_HOST_DRIVER_CODE_POSTDOM_H
#define SLUICE_HOST_DRIVER_CODE_POSTDOM_H

#include <stdint.h>

/* How a node ends, beside its edges. */
enum sl_flow_end {
    SL_FLOW_GOES_ON, /* along its edges alone */
    SL_FLOW_LEAVES,  /* there is an edge to the virtual exit as well */
    SL_FLOW_STOPS,   /* the wavefront ends here: no edge at all */
};

#define SL_FLOW_NONE UINT32_MAX /* no successor; as a result: the virtual exit */

#define SL_FLOW_SUCCESSORS 2 /* of a node at most */

/* A node: a basic block. */
struct sl_flow_node {
    uint32_t next[SL_FLOW_SUCCESSORS]; /* SL_FLOW_NONE where there is none */
    enum sl_flow_end end;
};

/* Sets ipdom[n] to the immediate post-dominator of each of `count` nodes.
 *
 * A node that can leave is judged by its paths out alone. One that cannot, but can stop, is judged
 * by its paths to where they stop. For those that can do neither (endless loops) the node with the
 * highest number that no other choice reaches counts as leaving. Nodes are numbered in the order of
 * their addresses, so that this is a loop's last block. Returns 0, or -1 when out of memory. */
int sl_postdom(const struct sl_flow_node *nodes, uint32_t count, uint32_t *ipdom);

#endif
