/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Makes switches around cross-lane operations chains of branches, one for each block that cases
 * lead to. GCC would make trees of them, whose ways share blocks, at any optimization. */
#include "passes.h"

/* GCC's headers need this order. */
/* clang-format off */
#include <basic-block.h>
#include <cfghooks.h>
#include <fold-const.h>
#include <gimple-iterator.h>
#include <gimplify.h>
#include <tree-cfg.h>
/* clang-format on */

/* The last condition of a switch that leads to a block: that the value is one of some cases. */
static tree condition_of(basic_block block, gswitch *choice, tree value, basic_block target,
                         location_t location)
{
    tree any = NULL_TREE;
    for (unsigned i = 1; i < gimple_switch_num_labels(choice); i++) {
        tree label = gimple_switch_label(choice, i);
        if (label_to_block(cfun, CASE_LABEL(label)) != target) {
            continue;
        }
        tree low = CASE_LOW(label);
        tree is_it = create_tmp_var(boolean_type_node, "is_case");
        if (CASE_HIGH(label) == NULL_TREE) {
            append_statement(block, gimple_build_assign(is_it, EQ_EXPR, value, low), location);
        } else {
            tree kind = unsigned_type_for(TREE_TYPE(value));
            tree offset = create_tmp_var(kind, "offset");
            append_statement(block, gimple_build_assign(offset, NOP_EXPR, value), location);
            append_statement(
                block, gimple_build_assign(offset, MINUS_EXPR, offset, fold_convert(kind, low)),
                location);
            append_statement(block,
                             gimple_build_assign(is_it, LE_EXPR, offset,
                                                 fold_build2(MINUS_EXPR, kind,
                                                             fold_convert(kind, CASE_HIGH(label)),
                                                             fold_convert(kind, low))),
                             location);
        }
        if (any != NULL_TREE) {
            append_statement(block, gimple_build_assign(is_it, BIT_IOR_EXPR, is_it, any), location);
        }
        any = is_it;
    }
    return any;
}

static void make_chain(basic_block block)
{
    gswitch *choice = as_a<gswitch *>(last_stmt(block));
    const location_t location = gimple_location(choice);
    basic_block otherwise = label_to_block(cfun, CASE_LABEL(gimple_switch_default_label(choice)));
    std::vector<basic_block> targets;
    for (unsigned i = 1; i < gimple_switch_num_labels(choice); i++) {
        basic_block target = label_to_block(cfun, CASE_LABEL(gimple_switch_label(choice, i)));
        if (target != otherwise &&
            std::find(targets.begin(), targets.end(), target) == targets.end()) {
            targets.push_back(target);
        }
    }
    tree value = create_tmp_var(TREE_TYPE(gimple_switch_index(choice)), "choice");
    auto at = gsi_last_bb(block);
    gsi_remove(&at, true);
    while (EDGE_COUNT(block->succs) > 0) {
        remove_edge(EDGE_SUCC(block, 0));
    }
    append_statement(block, gimple_build_assign(value, gimple_switch_index(choice)), location);
    append_statement(block, hiding_statement(value, value), location);
    for (basic_block target : targets) {
        tree is_it = condition_of(block, choice, value, target, location);
        append_statement(
            block, gimple_build_cond(NE_EXPR, is_it, boolean_false_node, NULL_TREE, NULL_TREE),
            location);
        make_edge(block, target, EDGE_TRUE_VALUE);
        basic_block other = new_block(block);
        make_edge(block, other, EDGE_FALSE_VALUE);
        block = other;
    }
    make_edge(block, otherwise, EDGE_FALLTHRU);
}

bool make_chains()
{
    std::vector<basic_block> blocks;
    const flow_graph graph = graph_of_function(blocks);
    const flow_loops loops = find_loops(graph);
    bool is_changed = false;
    for (basic_block block : blocks) {
        gimple *last = block == nullptr ? nullptr : last_stmt(block);
        if (last != nullptr && gimple_code(last) == GIMPLE_SWITCH &&
            controls_operation(graph, loops, block->index)) {
            make_chain(block);
            is_changed = true;
        }
    }
    return is_changed;
}
