/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Makes lanes that part at a construct of the source meet at its end, before they come to the next
 * cross-lane operation: leads the ways that flow.h names through one new block.
 *
 *     if (a || b) op();       if (a) goto yes;                if (a) { way = 0; goto join; }
 *     rest();                 if (b) goto yes; goto no;       way = b ? 0 : 1;
 *                             yes: op();                      join: asm("" : "+r"(way));
 *                             no: rest();                     if (way == 0) op();
 *                                                             rest();
 *
 * The assembly statement is empty. It keeps GCC from knowing which way leads where, and so from
 * undoing the join. Works on control flow as the front end makes it, before anything is inlined or
 * optimized, in functions that have operations or call functions that do. */
#include "passes.h"

/* GCC's headers need this order. */
/* clang-format off */
#include <basic-block.h>
#include <cfghooks.h>
#include <cfgloop.h>
#include <diagnostic-core.h>
#include <gimple-iterator.h>
#include <gimplify.h>
#include <tree-cfg.h>
/* clang-format on */

/* More joins than any function wants that is written by hand. */
static const int joins_max = 1000;

/* ---- joins ---- */

static location_t location_of(basic_block block)
{
    for (auto at = gsi_last_bb(block); !gsi_end_p(at); gsi_prev(&at)) {
        if (gimple_location(gsi_stmt(at)) != UNKNOWN_LOCATION) {
            return gimple_location(gsi_stmt(at));
        }
    }
    return DECL_SOURCE_LOCATION(current_function_decl);
}

/* From `block`, to each target by its number. */
static void go_on(basic_block block, tree way, const std::vector<basic_block> &targets,
                  location_t location)
{
    for (size_t i = 0; i + 1 < targets.size(); i++) {
        append_statement(block,
                         gimple_build_cond(EQ_EXPR, way,
                                           build_int_cst(TREE_TYPE(way), (HOST_WIDE_INT)i),
                                           NULL_TREE, NULL_TREE),
                         location);
        make_edge(block, targets[i], EDGE_TRUE_VALUE);
        if (i + 2 == targets.size()) {
            make_edge(block, targets[i + 1], EDGE_FALSE_VALUE);
        } else {
            basic_block other = new_block(block);
            make_edge(block, other, EDGE_FALSE_VALUE);
            block = other;
        }
    }
    if (targets.size() == 1) {
        make_edge(block, targets[0], EDGE_FALLTHRU);
    }
}

/* Ends blocks behind the marks of what leaves a loop: what follows is no more of the loop. */
static void split_leaving()
{
    basic_block block;
    FOR_EACH_BB_FN (block, cfun) {
        for (auto at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
            gasm *assembly = dyn_cast<gasm *>(gsi_stmt(at));
            if (assembly != nullptr && mark_in(gimple_asm_string(assembly), leave_mark) != 0 &&
                !gsi_one_before_end_p(at)) {
                split_block(block, assembly);
                break;
            }
        }
    }
}

/* False where GCC leaves no place on an edge. */
static bool can_join(const flow_join &join, const std::vector<basic_block> &blocks)
{
    return std::all_of(join.edges.begin(), join.edges.end(), [&](const std::pair<int, int> &way) {
        return blocks[way.second] != nullptr &&
               (find_edge(blocks[way.first], blocks[way.second])->flags & EDGE_COMPLEX) == 0;
    });
}

static void make_join(const flow_join &join, const std::vector<basic_block> &blocks)
{
    const location_t location = location_of(blocks[join.branch]);
    tree way = create_tmp_var(long_unsigned_type_node, "way");
    std::vector<basic_block> targets;
    basic_block meeting = new_block(blocks[join.edges.back().first]);

    for (const auto &[from, to] : join.edges) {
        edge leaving = find_edge(blocks[from], blocks[to]);
        size_t number =
            (size_t)(std::find(targets.begin(), targets.end(), blocks[to]) - targets.begin());
        if (number == targets.size()) {
            targets.push_back(blocks[to]);
        }
        basic_block middle = split_edge(leaving);
        append_statement(
            middle, gimple_build_assign(way, build_int_cst(TREE_TYPE(way), (HOST_WIDE_INT)number)),
            location);
        redirect_edge_succ(single_succ_edge(middle), meeting);
    }
    append_statement(meeting, hiding_statement(way, way), location);
    go_on(meeting, way, targets, location);
}

static void join_function()
{
    bool is_changed = make_chains();
    split_leaving();

    for (int joins = 0;; joins++) {
        std::vector<basic_block> blocks;
        const flow_graph graph = graph_of_function(blocks);
        const flow_loops loops = find_loops(graph);
        flow_join join;
        if (loops.is_irreducible && function_leads_to_operation(current_function_decl)) {
            warning_at(DECL_SOURCE_LOCATION(current_function_decl), 0,
                       "%qD jumps into a loop: which lanes execute its cross-lane operations "
                       "together is not "
                       "what the source says; write the loop with %<while%> or %<for%>",
                       current_function_decl);
        }
        if (!find_join(graph, loops, &join)) {
            break;
        }
        if (joins == joins_max || !can_join(join, blocks)) {
            warning_at(
                location_of(blocks[join.branch]), 0,
                "lanes that part here may execute a cross-lane operation in several groups: use "
                "%<if%> and %<while%> in place of computed jumps");
            break;
        }
        if (dump_file != nullptr) {
            const expanded_location place = expand_location(location_of(blocks[join.branch]));
            fprintf(dump_file, ";; %s: join of %zu ways of the branch at %s:%d\n",
                    current_function_name(), join.edges.size(), place.file, place.line);
        }
        make_join(join, blocks);
        is_changed = true;
    }
    if (is_changed && current_loops != nullptr) {
        calculate_dominance_info(CDI_DOMINATORS);
        fix_loop_structure(nullptr);
    }
}

/* Takes away what source_marks.cc wrote, but for loops that have operations. */
static void remove_marks()
{
    std::vector<basic_block> blocks;
    const flow_graph graph = graph_of_function(blocks);
    const flow_loops loops = find_loops(graph);
    for (basic_block block : blocks) {
        const bool is_kept =
            block != nullptr &&
            std::any_of(loops.loops.begin(), loops.loops.end(), [&](const flow_loop &loop) {
                return loop.header == block->index && loop_has_operation(graph, loop);
            });
        if (block == nullptr) {
            continue;
        }
        for (auto at = gsi_start_bb(block); !gsi_end_p(at);) {
            gasm *assembly = dyn_cast<gasm *>(gsi_stmt(at));
            const char *text = assembly == nullptr ? "" : gimple_asm_string(assembly);
            if (mark_in(text, leave_mark) != 0 || (!is_kept && mark_in(text, loop_mark) != 0)) {
                gsi_remove(&at, true);
            } else {
                gsi_next(&at);
            }
        }
    }
}

unsigned join_functions()
{
    cgraph_node *node;
    find_functions();
    FOR_EACH_FUNCTION (node) {
        if (has_body(node)) {
            push_cfun(DECL_STRUCT_FUNCTION(node->decl));
            free_dominance_info(CDI_DOMINATORS);
            free_dominance_info(CDI_POST_DOMINATORS);
            join_function();
            remove_marks();
            pop_cfun();
        }
    }
    return 0;
}
