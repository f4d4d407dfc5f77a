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
#include "stringpool.h"
#include "attribs.h"
#include "basic-block.h"
#include "cfghooks.h"
#include "cfgloop.h"
#include "diagnostic-core.h"
#include "gimple-iterator.h"
#include "gimplify.h"
#include "tree-cfg.h"
/* clang-format on */

/* More joins than any function wants that is written by hand. */
static const int joins_max = 1000;

bool is_operation(const char *assembly)
{
    return strstr(assembly, ".sluice.sites") != nullptr;
}

int mark_in(const char *assembly, const char *mark)
{
    const char *at = strstr(assembly, mark);
    return at == nullptr ? 0 : atoi(at + strlen(mark));
}

/* ---- which functions lead to operations ---- */

static bool has_body(cgraph_node *node)
{
    return node->has_gimple_body_p() && DECL_STRUCT_FUNCTION(node->decl) != nullptr &&
           DECL_STRUCT_FUNCTION(node->decl)->cfg != nullptr;
}

/* Written at functions, and so at copies that GCC makes of them. */
static const char mark[] = "sluice operation";

bool is_marked(tree function)
{
    return lookup_attribute(mark, DECL_ATTRIBUTES(function)) != NULL_TREE;
}

static void set_marked(tree function)
{
    DECL_ATTRIBUTES(function) =
        tree_cons(get_identifier(mark), NULL_TREE, DECL_ATTRIBUTES(function));
}

bool leads_to_operation(gimple *statement)
{
    if (gasm *assembly = dyn_cast<gasm *>(statement)) {
        return is_operation(gimple_asm_string(assembly));
    }
    gcall *call = dyn_cast<gcall *>(statement);
    if (call == nullptr || gimple_call_internal_p(call)) {
        return false;
    }
    tree callee = gimple_call_fndecl(call);
    return callee == NULL_TREE || is_marked(callee);
}

bool block_leads_to_operation(basic_block block)
{
    for (auto at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
        if (leads_to_operation(gsi_stmt(at))) {
            return true;
        }
    }
    return false;
}

static block_contents contents_of(basic_block block)
{
    block_contents contents = {};
    for (auto at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
        const bool is_operation = leads_to_operation(gsi_stmt(at));
        contents.has_operation |= is_operation;
        contents.has_effect |= is_operation;
        if (gasm *assembly = dyn_cast<gasm *>(gsi_stmt(at))) {
            const char *text = gimple_asm_string(assembly);
            const int loop = mark_in(text, loop_mark);
            const int leaves = mark_in(text, leave_mark);
            contents.loop += loop;
            contents.leaves += leaves;
            contents.has_effect |=
                gimple_asm_volatile_p(assembly) && *text != '\0' && loop == 0 && leaves == 0;
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
    FOR_ALL_BB_FN(block, cfun)
    {
        const int number = block->index;
        edge way;
        edge_iterator at;
        FOR_EACH_EDGE(way, at, block->succs)
        {
            graph.successors[number].push_back(way->dest->index);
        }
        if (number < NUM_FIXED_BLOCKS) {
            continue;
        }
        const block_contents what = contents(block);
        blocks[number] = block;
        graph.has_operation[number] = what.has_operation;
        graph.has_effect[number] = what.has_effect;
        graph.loop[number] = what.loop;
        graph.leaves[number] = what.leaves;
    }
    return graph;
}

flow_graph graph_of_function(std::vector<basic_block> &blocks)
{
    return graph_of_function(blocks, contents_of);
}

static bool function_has_operation(cgraph_node *node)
{
    basic_block block;
    FOR_EACH_BB_FN(block, DECL_STRUCT_FUNCTION(node->decl))
    {
        if (block_leads_to_operation(block)) {
            return true;
        }
    }
    return false;
}

static void mark_functions()
{
    cgraph_node *node;
    FOR_EACH_FUNCTION(node)
    {
        if (!has_body(node) && !fndecl_built_in_p(node->decl) &&
            !DECL_IN_SYSTEM_HEADER(node->decl)) {
            set_marked(node->decl);
        }
    }
    for (bool is_complete = false; !is_complete;) {
        is_complete = true;
        FOR_EACH_FUNCTION(node)
        {
            if (has_body(node) && !is_marked(node->decl) && function_has_operation(node)) {
                set_marked(node->decl);
                is_complete = false;
            }
        }
    }
}

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

static void append(basic_block block, gimple *statement, location_t location)
{
    auto end = gsi_last_bb(block);
    gimple_set_location(statement, location);
    gsi_insert_after(&end, statement, GSI_NEW_STMT);
}

static basic_block new_block(basic_block after)
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

/* From `block`, to each target by its number. */
static void go_on(basic_block block, tree way, const std::vector<basic_block> &targets,
                  location_t location)
{
    for (size_t i = 0; i + 1 < targets.size(); i++) {
        append(block,
               gimple_build_cond(EQ_EXPR, way, build_int_cst(TREE_TYPE(way), (HOST_WIDE_INT)i),
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

/* False where GCC leaves no place on an edge. */
static bool can_join(const flow_join &join, const std::vector<basic_block> &blocks)
{
    return std::all_of(join.edges.begin(), join.edges.end(), [&](const std::pair<int, int> &way) {
        return (find_edge(blocks[way.first], blocks[way.second])->flags & EDGE_COMPLEX) == 0;
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
        append(middle,
               gimple_build_assign(way, build_int_cst(TREE_TYPE(way), (HOST_WIDE_INT)number)),
               location);
        redirect_edge_succ(single_succ_edge(middle), meeting);
    }
    append(meeting, hiding_statement(way, way), location);
    go_on(meeting, way, targets, location);
}

/* ---- switches ---- */

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
            append(block, gimple_build_assign(is_it, EQ_EXPR, value, low), location);
        } else {
            tree kind = unsigned_type_for(TREE_TYPE(value));
            tree offset = create_tmp_var(kind, "offset");
            append(block, gimple_build_assign(offset, NOP_EXPR, value), location);
            append(block, gimple_build_assign(offset, MINUS_EXPR, offset, fold_convert(kind, low)),
                   location);
            append(block,
                   gimple_build_assign(is_it, LE_EXPR, offset,
                                       fold_build2(MINUS_EXPR, kind,
                                                   fold_convert(kind, CASE_HIGH(label)),
                                                   fold_convert(kind, low))),
                   location);
        }
        if (any != NULL_TREE) {
            append(block, gimple_build_assign(is_it, BIT_IOR_EXPR, is_it, any), location);
        }
        any = is_it;
    }
    return any;
}

/* Makes a switch a chain of branches, one for each block that cases lead to, since GCC would make
 * it a tree whose ways share blocks. */
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
    append(block, gimple_build_assign(value, gimple_switch_index(choice)), location);
    append(block, hiding_statement(value, value), location);
    for (basic_block target : targets) {
        tree is_it = condition_of(block, choice, value, target, location);
        append(block, gimple_build_cond(NE_EXPR, is_it, boolean_false_node, NULL_TREE, NULL_TREE),
               location);
        make_edge(block, target, EDGE_TRUE_VALUE);
        basic_block other = new_block(block);
        make_edge(block, other, EDGE_FALSE_VALUE);
        block = other;
    }
    make_edge(block, otherwise, EDGE_FALLTHRU);
}

static bool make_chains()
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

static void join_function()
{
    bool is_changed = make_chains();

    for (int joins = 0;; joins++) {
        std::vector<basic_block> blocks;
        const flow_graph graph = graph_of_function(blocks);
        const flow_loops loops = find_loops(graph);
        flow_join join;
        if (loops.is_irreducible && is_marked(current_function_decl)) {
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
        make_join(join, blocks);
        is_changed = true;
    }
    if (is_changed && current_loops != nullptr) {
        loop_optimizer_finalize();
        loop_optimizer_init(AVOID_CFG_MODIFICATIONS);
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

static unsigned join_functions()
{
    cgraph_node *node;
    mark_functions();
    FOR_EACH_FUNCTION(node)
    {
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

/* ---- the pass ---- */

namespace
{

const pass_data joins_data = {
    SIMPLE_IPA_PASS, "sluice_joins", OPTGROUP_NONE, TV_NONE, PROP_cfg, 0, 0, 0, 0};

class joins : public simple_ipa_opt_pass
{
  public:
    explicit joins(gcc::context *context) : simple_ipa_opt_pass(joins_data, context)
    {
    }
    unsigned execute(function *) override
    {
        return join_functions();
    }
};

} // namespace

simple_ipa_opt_pass *joins_pass(gcc::context *context)
{
    return new joins(context);
}
