/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Keeps GCC from making two branches of one condition. Where it makes instructions it expands
 * `if (x | y)` of two truth values as it would `if (x || y)`, if it deems branches cheap: two ways
 * into one block (expand_gimple_cond() of GCC's cfgexpand.c). An empty assembly statement hides
 * from it what the value is made of, where operations execute between the branch and where its ways
 * meet. */
#include "passes.h"

/* GCC's headers need this order. */
/* clang-format off */
#include <basic-block.h>
#include <gimple-iterator.h>
#include <ssa.h>
#include <tree-cfg.h>
/* clang-format on */

/* A truth value that is made of two. */
static bool is_compound(tree value)
{
    if (TREE_CODE(value) != SSA_NAME || TYPE_PRECISION(TREE_TYPE(value)) != 1) {
        return false;
    }
    gassign *definition = dyn_cast<gassign *>(SSA_NAME_DEF_STMT(value));
    return definition != nullptr && (gimple_assign_rhs_code(definition) == BIT_IOR_EXPR ||
                                     gimple_assign_rhs_code(definition) == BIT_AND_EXPR);
}

static void hide_condition(basic_block block, gcond *condition)
{
    tree value = gimple_cond_lhs(condition);
    tree hidden = make_ssa_name(TREE_TYPE(value));
    auto at = gsi_last_bb(block);
    gimple *statement = hiding_statement(hidden, value);
    SSA_NAME_DEF_STMT(hidden) = statement;
    gimple_set_location(statement, gimple_location(condition));
    gsi_insert_before(&at, statement, GSI_SAME_STMT);
    gimple_cond_set_lhs(condition, hidden);
    update_stmt(condition);
}

unsigned hide_conditions()
{
    if (!function_leads_to_operation(current_function_decl)) {
        return 0;
    }
    std::vector<basic_block> blocks;
    const flow_graph graph = without_forwarders(graph_of_function(blocks));
    const flow_loops loops = find_loops(graph);
    for (basic_block block : blocks) {
        gimple *last = block == nullptr ? nullptr : last_stmt(block);
        gcond *condition = last == nullptr ? nullptr : dyn_cast<gcond *>(last);
        if (condition != nullptr && is_compound(gimple_cond_lhs(condition)) &&
            controls_operation(graph, loops, block->index)) {
            hide_condition(block, condition);
        }
    }
    return 0;
}
