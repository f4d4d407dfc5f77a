/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What functions, blocks and statements have: cross-lane operations, effects that lanes of other
 * ways may wait for, marks of the source. Functions that lead to an operation or an effect, by what
 * they call, too, have attributes, which GCC's copies of functions keep. Calls of the C library,
 * and of what GCC knows, lead to none; those through pointers, and of other files, may. */
#include "passes.h"

/* GCC's headers need this order. */
/* clang-format off */
#include <stringpool.h>
#include <attribs.h>
#include <basic-block.h>
#include <gimple-iterator.h>
/* clang-format on */

static const char operation_attribute[] = "sluice operation";
static const char effect_attribute[] = "sluice effect";
static const char lock_attribute[] = "sluice lock";

bool is_operation(const char *assembly)
{
    return strstr(assembly, ".sluice.sites") != nullptr ||
           strstr(assembly, ".sluice.checked") != nullptr;
}

int mark_in(const char *assembly, const char *mark)
{
    const char *at = strstr(assembly, mark);
    return at == nullptr ? 0 : atoi(at + strlen(mark));
}

/* ---- functions ---- */

static bool has_attribute(tree function, const char *name)
{
    return lookup_attribute(name, DECL_ATTRIBUTES(function)) != NULL_TREE;
}

bool function_leads_to_operation(tree function)
{
    return has_attribute(function, operation_attribute);
}

/* Returns whether it is new. */
static bool set_attribute(tree function, const char *name)
{
    if (has_attribute(function, name)) {
        return false;
    }
    DECL_ATTRIBUTES(function) =
        tree_cons(get_identifier(name), NULL_TREE, DECL_ATTRIBUTES(function));
    return true;
}

bool has_body(cgraph_node *node)
{
    return node->has_gimple_body_p() && DECL_STRUCT_FUNCTION(node->decl) != nullptr &&
           DECL_STRUCT_FUNCTION(node->decl)->cfg != nullptr;
}

void find_functions()
{
    cgraph_node *node;
    FOR_EACH_FUNCTION (node) {
        if (!has_body(node) && !fndecl_built_in_p(node->decl) &&
            !DECL_IN_SYSTEM_HEADER(node->decl)) {
            set_attribute(node->decl, operation_attribute);
            set_attribute(node->decl, effect_attribute);
        }
    }
    for (bool is_changed = true; is_changed;) {
        is_changed = false;
        FOR_EACH_FUNCTION (node) {
            basic_block block;
            if (!has_body(node)) {
                continue;
            }
            FOR_EACH_BB_FN (block, DECL_STRUCT_FUNCTION(node->decl)) {
                const block_contents contents = contents_of(block);
                is_changed |=
                    contents.has_operation && set_attribute(node->decl, operation_attribute);
                is_changed |= contents.has_effect && set_attribute(node->decl, effect_attribute);
                is_changed |= contents.has_lock && set_attribute(node->decl, lock_attribute);
            }
        }
    }
}

/* ---- blocks ---- */

/* sl_lock(), sl_unlock() and those that try (sluice/wave/locks.h). */
static bool is_lock(const char *assembly)
{
    return strstr(assembly, "0x0b, 0, 9,") != nullptr ||
           strstr(assembly, "0x0b, 0, 10,") != nullptr ||
           strstr(assembly, "0x0b, 1, 9,") != nullptr ||
           strstr(assembly, "0x0b, 1, 10,") != nullptr;
}

static void add_assembly(const gasm *assembly, block_contents *contents)
{
    const char *text = gimple_asm_string(assembly);
    const int loop = mark_in(text, loop_mark);
    const int leaves = mark_in(text, leave_mark);
    contents->loop += loop;
    contents->leaves += leaves;
    contents->has_operation |= is_operation(text);
    contents->has_lock |= is_lock(text);
    contents->has_effect |=
        gimple_asm_volatile_p(assembly) && *text != '\0' && loop == 0 && leaves == 0;
}

/* GCC's own atomics. */
static bool is_atomic(tree function)
{
    const char *name = IDENTIFIER_POINTER(DECL_NAME(function));
    return fndecl_built_in_p(function) &&
           (strncmp(name, "__atomic_", 9) == 0 || strncmp(name, "__sync_", 7) == 0);
}

static void add_call(const gcall *call, block_contents *contents)
{
    tree callee = gimple_call_fndecl(call);
    if (!gimple_call_internal_p(call)) {
        contents->has_operation |=
            callee == NULL_TREE || has_attribute(callee, operation_attribute);
        contents->has_effect |=
            callee == NULL_TREE || is_atomic(callee) || has_attribute(callee, effect_attribute);
        contents->has_lock |= callee != NULL_TREE && has_attribute(callee, lock_attribute);
    }
}

block_contents contents_of(basic_block block)
{
    block_contents contents = {};
    for (auto at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
        contents.has_effect |=
            gimple_has_volatile_ops(gsi_stmt(at)) && gimple_code(gsi_stmt(at)) != GIMPLE_ASM;
        if (gasm *assembly = dyn_cast<gasm *>(gsi_stmt(at))) {
            add_assembly(assembly, &contents);
        } else if (gcall *call = dyn_cast<gcall *>(gsi_stmt(at))) {
            add_call(call, &contents);
        }
    }
    return contents;
}

flow_graph graph_of_function(std::vector<basic_block> &blocks, block_contents contents(basic_block))
{
    flow_graph graph(last_basic_block_for_fn(cfun));
    basic_block block;

    blocks.assign(graph.successors.size(), nullptr);
    graph.entry = ENTRY_BLOCK;
    graph.exit = EXIT_BLOCK;
    FOR_ALL_BB_FN (block, cfun) {
        const int number = block->index;
        edge way;
        edge_iterator at;
        FOR_EACH_EDGE (way, at, block->succs) {
            graph.successors[number].push_back(way->dest->index);
        }
        if (number < NUM_FIXED_BLOCKS) {
            continue;
        }
        const block_contents what = contents(block);
        blocks[number] = block;
        graph.has_operation[number] = what.has_operation;
        graph.has_effect[number] = what.has_effect;
        graph.has_lock[number] = what.has_lock;
        graph.loop[number] = what.loop;
        graph.leaves[number] = what.leaves;
    }
    return graph;
}
