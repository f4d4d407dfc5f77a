/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Where lanes that part have to meet so that they execute cross-lane operations as the source has
 * them: at the end of each construct (docs/look-up/isa.md, "Compiling kernels"). A compute unit
 * lets the lanes of a branch meet at its immediate post-dominator. That is too late where ways of
 * one branch share a block before it, as the ways of `a || b` do, those into a case that others
 * fall into, or those around a break: each way would execute the block by itself. find_join() names
 * the edges to be led through one new block, a join, from which lanes go on to where they were
 * going.
 *
 * Loops are taken from the inside out. Of each one, or of the function, the graph of one round is
 * looked at: without back edges, and with its inner loops as one node each. Left out are blocks
 * from which no way leads out of the function, such as those that end in a trap: nobody meets
 * behind these. Nothing here knows of GCC: nodes are numbers. */
#ifndef SLUICE_KERNEL_PLUGIN_FLOW_H
#define SLUICE_KERNEL_PLUGIN_FLOW_H

#include <utility>
#include <vector>

using node_list = std::vector<int>;
using node_set = std::vector<bool>;

/* The blocks of a function. */
struct flow_graph {
    explicit flow_graph(int count)
        : successors(count), has_operation(count, false), has_effect(count, false),
          has_lock(count, false), loop(count, 0), leaves(count, 0)
    {
    }

    std::vector<node_list> successors; /* each one once */
    node_set has_operation;            /* cross-lane operations, or calls that lead to some */
    node_set has_effect; /* these, or atomics: what lanes of other ways may wait for */
    node_set has_lock;   /* instructions on locks, which have a rule of their own */
    node_list loop;      /* number of a loop of the source that begins here, or 0 */
    node_list leaves;    /* of one that a break or return leaves here */
    int entry = 0;
    int exit = 1;
};

/* The same without blocks that have one successor, and neither operation nor mark: GCC makes two
 * loops, one in the other, of one that goes on in two places, with such a block as the outer one's
 * header. */
flow_graph without_forwarders(const flow_graph &graph);

struct flow_loop {
    int header;
    node_set members;
    int size;
    node_set leaving; /* blocks of the source's loop from which no way leads to the next round,
                         where they have effects and no locks */
};

/* The natural loops of what reaches the exit; those of one header are one. The smaller ones come
 * first. */
struct flow_loops {
    std::vector<flow_loop> loops;
    bool is_irreducible; /* a loop has two entries: nothing is known of it */
};

flow_loops find_loops(const flow_graph &graph);

bool loop_has_operation(const flow_graph &graph, const flow_loop &loop);

/* Edges from which lanes go to one block, and from there to where the edges led. */
struct flow_join {
    std::vector<std::pair<int, int>> edges; /* from, to */
    int branch;                             /* a block of the branch whose ways meet too late */
    int first;     /* the block that they share; the number of blocks for the next round */
    int operation; /* a block that several ways execute */
};

/* Whether operations execute between a branch and where its ways meet. */
bool controls_operation(const flow_graph &graph, const flow_loops &loops, int branch);

/* Whether a join is missing, and which: the first one, from the inside out. */
bool find_join(const flow_graph &graph, const flow_loops &loops, flow_join *join);

#endif
