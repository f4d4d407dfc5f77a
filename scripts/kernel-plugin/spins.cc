/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Warns of spinning on a lock outside its section:
 *
 *     while (take(lock) != 0) { }  section();  release(lock);
 *
 * A lane that has taken the lock waits at the loop's end for the lanes of its wavefront that have
 * not, and they wait for its release, for ever. Looked for behind the optimizer, where helpers are
 * inlined, loops are as they will execute, and one address is one value. A lock is
 *
 *   a compare and exchange of a constant, an exchange or an `or`, in a loop that is left by its
 *   result alone,
 *
 *   and behind the loop, but not in it, a store to this address of what a free lock has.
 *
 * So updates without locks are none, nor are loops that give up. Nothing is said where a condition
 * lets one lane alone into the loop: one that is an equality made of a cross-lane operation or a
 * lane's number. */
#include "spins.h"

/* GCC's headers need this order. */
/* clang-format off */
#include <basic-block.h>
#include <diagnostic-core.h>
#include <gimple-iterator.h>
#include <tree-cfg.h>
/* clang-format on */

static bool takes(const lock_access &a)
{
    return a.kind == access_compare_exchange || a.kind == access_exchange || a.kind == access_or ||
           a.kind == access_call_takes;
}

/* A cross-lane operation, or the lane's number or place in the grid or the work-group. */
static bool tells_lanes_apart(gimple *statement)
{
    gasm *assembly = dyn_cast<gasm *>(statement);
    const int id = id_of(statement);
    return id == 0 || (id >= 6 && id <= 11) ||
           (assembly != nullptr && is_operation(gimple_asm_string(assembly)));
}

/* Whether all ways to a block are one of the ways from `branch`. */
static bool is_way_of(basic_block block, basic_block branch)
{
    edge way;
    edge_iterator at;
    int ways = 0;
    FOR_EACH_EDGE (way, at, block->preds) {
        ways += way->src == branch;
        if (way->src != branch && !dominated_by_p(CDI_DOMINATORS, way->src, block)) {
            return false;
        }
    }
    return ways == 1;
}

/* Whether a condition around a block holds for one lane alone, as it seems. */
static bool is_of_one_lane(basic_block block)
{
    for (basic_block at = block; at != ENTRY_BLOCK_PTR_FOR_FN(cfun);) {
        basic_block above = get_immediate_dominator(CDI_DOMINATORS, at);
        gcond *condition = condition_of(above);
        if (condition != nullptr && is_way_of(at, above) &&
            (gimple_cond_code(condition) == EQ_EXPR || gimple_cond_code(condition) == NE_EXPR) &&
            (is_made_of(gimple_cond_lhs(condition), tells_lanes_apart) ||
             is_made_of(gimple_cond_rhs(condition), tells_lanes_apart))) {
            return true;
        }
        at = above;
    }
    return false;
}

/* Whether what `release` stores is what `take` finds in a free lock. */
static bool frees(const lock_access &release, const lock_access &take)
{
    const access_kind how = take.kind == access_call_takes ? take.how : take.kind;
    if (release.kind == access_and) {
        return how == access_or;
    }
    if ((release.kind != access_store && release.kind != access_exchange) ||
        TREE_CODE(release.value) != INTEGER_CST) {
        return false;
    }
    switch (how) {
    case access_compare_exchange:
        return TREE_CODE(take.expected) == INTEGER_CST &&
               tree_int_cst_equal(release.value, take.expected);
    case access_exchange:
        return !tree_int_cst_equal(release.value, take.value);
    default:
        return integer_zerop(release.value);
    }
}

static bool calls_function(basic_block block)
{
    for (auto at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
        gcall *call = dyn_cast<gcall *>(gsi_stmt(at));
        if (call != nullptr && !gimple_call_internal_p(call) &&
            (gimple_call_fndecl(call) == NULL_TREE ||
             !fndecl_built_in_p(gimple_call_fndecl(call)))) {
            return true;
        }
    }
    return false;
}

/* The place in the source where a statement is, outside functions of sluice/wave/. */
static location_t place_of(gimple *statement)
{
    location_t place = gimple_location(statement);
    for (tree scope = gimple_block(statement); scope != NULL_TREE && TREE_CODE(scope) == BLOCK;
         scope = BLOCK_SUPERCONTEXT(scope)) {
        const char *file = LOCATION_FILE(place);
        if (file != nullptr && strstr(file, "sluice/wave/") == nullptr) {
            break;
        }
        if (inlined_function_outer_scope_p(scope)) {
            place = BLOCK_SOURCE_LOCATION(scope);
        }
    }
    return place;
}

/* A function, as spins are looked for in it. */
struct searched {
    std::vector<basic_block> blocks;
    flow_graph graph;
    flow_loops loops;
    std::vector<lock_access> accesses;
};

/* The innermost loop around a block. */
static const flow_loop *loop_around(const searched &function, int block)
{
    const std::vector<flow_loop> &loops = function.loops.loops;
    const auto found = std::find_if(loops.begin(), loops.end(),
                                    [&](const flow_loop &loop) { return loop.members[block]; });
    return found == loops.end() ? nullptr : &*found;
}

/* The condition by which a loop is left, where its result alone decides that; else none. */
static gcond *exit_by(const searched &function, const flow_loop &loop, const lock_access &take)
{
    const auto is_take = [&](gimple *statement) { return statement == take.statement; };
    gcond *exit = nullptr;
    for (size_t block = 0; block < loop.members.size(); block++) {
        if (!loop.members[block]) {
            continue;
        }
        if (calls_function(function.blocks[block])) {
            return nullptr;
        }
        for (const int to : function.graph.successors[block]) {
            if (loop.members[to]) {
                continue;
            }
            exit = condition_of(function.blocks[block]);
            if (exit == nullptr || (!is_made_of(gimple_cond_lhs(exit), is_take) &&
                                    !is_made_of(gimple_cond_rhs(exit), is_take))) {
                return nullptr;
            }
        }
    }
    return exit;
}

/* Where the lock is released that `take` takes: behind it, and inside or outside of the loop. */
static const lock_access *find_release(const searched &function, const lock_access &take,
                                       const flow_loop *loop, bool is_inside)
{
    node_set behind(function.graph.successors.size(), false);
    node_list pending = function.graph.successors[take.block->index];
    while (!pending.empty()) {
        const int block = pending.back();
        pending.pop_back();
        if (!behind[block]) {
            behind[block] = true;
            const node_list &next = function.graph.successors[block];
            pending.insert(pending.end(), next.begin(), next.end());
        }
    }
    bool is_later = false; /* in the block of `take` */
    for (const lock_access &release : function.accesses) {
        const int block = release.block->index;
        const bool is_in_loop = loop != nullptr && loop->members[block];
        is_later |= release.statement == take.statement;
        if (is_in_loop == is_inside &&
            (behind[block] || (block == take.block->index && is_later)) &&
            release.statement != take.statement && frees(release, take) &&
            is_same_address(release.address, take.address)) {
            return &release;
        }
    }
    return nullptr;
}

/* Each loop once, whatever it is inlined into. */
static void warn(location_t location, const lock_access &release)
{
    static std::set<location_t> warned;
    if (!warned.insert(LOCATION_LOCUS(location)).second) {
        return;
    }
    warning_at(location, 0,
               "lanes that have taken this lock wait at the end of this loop for those of their "
               "wavefront that have not, for ever: the lock is released behind the loop; take and "
               "release it in the loop, "
               "%<while (!done) { if (take) { section; release; done = true; } }%>");
    inform(place_of(release.statement), "it is released here");
}

static void look_at(const searched &function, const lock_access &take)
{
    const flow_loop *loop = nullptr;
    lock_access spin = take;
    if (is_of_one_lane(take.block)) {
        return;
    }
    if (take.kind != access_call_takes) {
        loop = loop_around(function, take.block->index);
        gcond *exit = loop == nullptr ? nullptr : exit_by(function, *loop, take);
        if (exit == nullptr || find_release(function, take, loop, true) != nullptr) {
            return;
        }
        spin.how = take.kind;
        spin.kind = access_call_takes;
        spin.location = gimple_location(exit);
    }
    const lock_access *release = find_release(function, take, loop, false);
    if (release != nullptr) {
        warn(spin.location, *release);
    } else {
        add_effect(spin);
    }
}

unsigned find_spins()
{
    std::vector<basic_block> blocks;
    const flow_graph graph = graph_of_function(blocks);
    searched function = {blocks, graph, find_loops(graph), {}};
    for (basic_block block : blocks) {
        if (block == nullptr) {
            continue;
        }
        for (auto at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
            read_statement(block, gsi_stmt(at), &function.accesses);
        }
    }
    if (function.loops.is_irreducible || function.accesses.empty()) {
        return 0;
    }
    calculate_dominance_info(CDI_DOMINATORS);
    for (const lock_access &a : function.accesses) {
        if (takes(a)) {
            look_at(function, a);
        }
        if (a.kind == access_store || a.kind == access_exchange || a.kind == access_and) {
            add_effect(a);
        }
    }
    return 0;
}
