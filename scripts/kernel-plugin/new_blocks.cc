/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What a pass puts into a function that is compiled: blocks, and statements at their ends. */
#include "passes.h"

/* GCC's headers need this order. */
/* clang-format off */
#include <basic-block.h>
#include <cfghooks.h>
#include <cfgloop.h>
#include <gimple-iterator.h>
/* clang-format on */

void append_statement(basic_block block, gimple *statement, location_t location)
{
    auto end = gsi_last_bb(block);
    gimple_set_location(statement, location);
    gsi_insert_after(&end, statement, GSI_NEW_STMT);
}

basic_block new_block(basic_block after)
{
    basic_block block = create_empty_bb(after);
    if (current_loops != nullptr) {
        add_bb_to_loop(block, after->loop_father);
    }
    return block;
}

gimple *hiding_statement(tree to, tree from)
{
    vec<tree, va_gc> *inputs = nullptr;
    vec<tree, va_gc> *outputs = nullptr;
    vec_safe_push(outputs, build_tree_list(build_tree_list(NULL_TREE, build_string(3, "=r")), to));
    vec_safe_push(inputs, build_tree_list(build_tree_list(NULL_TREE, build_string(2, "0")), from));
    gasm *statement = gimple_build_asm_vec("", inputs, outputs, nullptr, nullptr);
    gimple_asm_set_volatile(statement, true);
    return statement;
}
