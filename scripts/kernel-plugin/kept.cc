/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Whether the rest of the compiler has kept what joins.cc made, looked for in the instructions of
 * each function before they become assembly. An error where it has not:
 *
 *   several ways  ways of one branch lead to an operation before they meet (flow.h)
 *   loop          an operation is in another loop than in the source, or left one that still exists
 *   copied        two instructions are one operation of the source
 *
 * Loops and operations have numbers for this, which they get behind inlining: in the comment that
 * marks a loop (source_marks.cc), and in one of the operation's own. A loop whose mark is in no
 * loop any more runs once. */
#include "passes.h"

/* GCC's headers need this order. */
/* clang-format off */
#include <basic-block.h>
#include <diagnostic-core.h>
#include <gimple-iterator.h>
#include <memmodel.h>
#include <rtl.h>
#include <rtl-iter.h>
#include <stringpool.h>
/* clang-format on */

static const char operation_mark[] = " # sluice operation ";

/* The section of records (sluice/wave/lanes.h), and the one in which check-convergence finds those
 * of operations that are compared here. */
static const char sites[] = ".sluice.sites";
static const char checked_sites[] = ".sluice.checked";

/* What a function has: the loops that each operation is in, by their numbers. */
struct kept_function {
    int loops = 0;
    std::vector<std::set<int>> loops_of; /* of an operation */
};

static std::map<unsigned, kept_function> kept_functions; /* by the number of the declaration */

/* An operation of either form of the program. */
struct kept_operation {
    int number;
    int block;
    rtx_insn *insn; /* of the one before the assembly */
};

/* Marks of loops, of which the compiler may make copies, and operations. */
struct marks {
    std::map<int, node_list> blocks_of_loop;
    std::vector<kept_operation> operations;
};

/* The innermost loop that a mark is in; the smaller ones come first. */
static const flow_loop *loop_of_mark(const flow_loops &loops, int block)
{
    const auto found = std::find_if(loops.loops.begin(), loops.loops.end(),
                                    [&](const flow_loop &loop) { return loop.members[block]; });
    return found == loops.loops.end() ? nullptr : &*found;
}

/* Numbers of the loops that a block is in. */
static std::set<int> loops_around(const flow_loops &loops, const marks &found, int block)
{
    std::set<int> numbers;
    for (const auto &[number, places] : found.blocks_of_loop) {
        for (const int place : places) {
            const flow_loop *loop = loop_of_mark(loops, place);
            if (loop != nullptr && loop->members[block]) {
                numbers.insert(number);
            }
        }
    }
    return numbers;
}

/* Whether all marks in a loop are of one number. The loop of another one may run once, and be none
 * any more. */
static bool is_alone(const flow_loops &loops, const marks &found, int number, const flow_loop *loop)
{
    for (const auto &[other, places] : found.blocks_of_loop) {
        if (other != number && std::any_of(places.begin(), places.end(), [&](int place) {
                return loop_of_mark(loops, place) == loop;
            })) {
            return false;
        }
    }
    return true;
}

/* ---- behind inlining ---- */

static void number_statements(basic_block block, kept_function *kept, marks *found)
{
    for (auto at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
        gasm *assembly = dyn_cast<gasm *>(gsi_stmt(at));
        if (assembly == nullptr) {
            continue;
        }
        std::string text = gimple_asm_string(assembly);
        if (mark_in(text.c_str(), loop_mark) != 0) {
            found->blocks_of_loop[++kept->loops] = {block->index};
            text = loop_mark + (" " + std::to_string(kept->loops));
        } else if (is_operation(text.c_str())) {
            const int number = (int)found->operations.size() + 1;
            found->operations.push_back({number, block->index, nullptr});
            text += operation_mark + std::to_string(number);
            text.replace(text.find(sites), strlen(sites), checked_sites);
        } else {
            continue;
        }
        assembly->string = ggc_strdup(text.c_str());
    }
}

unsigned number_function()
{
    if (!function_leads_to_operation(current_function_decl)) {
        return 0;
    }
    std::vector<basic_block> blocks;
    const flow_loops loops = find_loops(without_forwarders(graph_of_function(blocks)));
    kept_function kept;
    marks found;
    for (basic_block block : blocks) {
        if (block != nullptr) {
            number_statements(block, &kept, &found);
        }
    }
    for (const kept_operation &operation : found.operations) {
        kept.loops_of.push_back(loops_around(loops, found, operation.block));
    }
    kept_functions[DECL_UID(current_function_decl)] = kept;
    return 0;
}

/* ---- before the assembly ---- */

/* The assembly statement of an instruction, or an empty text. */
static const char *text_of(rtx_insn *insn)
{
    if (!NONDEBUG_INSN_P(insn)) {
        return "";
    }
    subrtx_iterator::array_type array;
    FOR_EACH_SUBRTX (at, array, PATTERN(insn), NONCONST) {
        if (GET_CODE(*at) == ASM_OPERANDS) {
            return ASM_OPERANDS_TEMPLATE(*at);
        }
        if (GET_CODE(*at) == ASM_INPUT) {
            return XSTR(*at, 0);
        }
    }
    return "";
}

/* The function that an instruction calls; null where that is not known. */
static tree callee_of(rtx_insn *insn)
{
    rtx call = get_call_rtx_from(insn);
    rtx callee = call == NULL_RTX ? NULL_RTX : XEXP(XEXP(call, 0), 0);
    tree declaration =
        callee != NULL_RTX && GET_CODE(callee) == SYMBOL_REF ? SYMBOL_REF_DECL(callee) : NULL_TREE;
    return declaration != NULL_TREE && TREE_CODE(declaration) == FUNCTION_DECL ? declaration
                                                                               : NULL_TREE;
}

static bool insn_leads_to_operation(rtx_insn *insn)
{
    if (!CALL_P(insn)) {
        return is_operation(text_of(insn));
    }
    tree callee = callee_of(insn);
    return callee != NULL_TREE && function_leads_to_operation(callee);
}

static block_contents contents_of_insns(basic_block block)
{
    block_contents contents = {};
    rtx_insn *insn;
    FOR_BB_INSNS (block, insn) {
        contents.has_operation |= insn_leads_to_operation(insn);
        contents.loop += mark_in(text_of(insn), loop_mark);
    }
    return contents;
}

static marks find_marks(const std::vector<basic_block> &blocks)
{
    marks found;
    for (basic_block block : blocks) {
        if (block == nullptr) {
            continue;
        }
        rtx_insn *insn;
        FOR_BB_INSNS (block, insn) {
            const char *text = text_of(insn);
            const int loop = mark_in(text, loop_mark);
            const int operation = mark_in(text, operation_mark);
            if (loop != 0) {
                found.blocks_of_loop[loop].push_back(block->index);
            }
            if (operation != 0) {
                found.operations.push_back({operation, block->index, insn});
            }
        }
    }
    return found;
}

/* ---- what is reported ---- */

/* What of the source an instruction is: by whom it was written, not the header that it is in. */
struct source_place {
    location_t location;
    std::string name;
};

static bool is_own_header(location_t location)
{
    const char *file = LOCATION_FILE(location);
    return file != nullptr && strstr(file, "include/sluice/") != nullptr;
}

static const char *name_of(tree function)
{
    return IDENTIFIER_POINTER(DECL_NAME(function));
}

/* Out of macros, and of functions that were inlined, up to the first place that is in no header of
 * Sluice. */
static source_place place_of(rtx_insn *insn)
{
    source_place place = {INSN_LOCATION(insn), "a cross-lane operation"};
    tree block = LOCATION_BLOCK(place.location);
    while (is_own_header(place.location) && block != NULL_TREE && TREE_CODE(block) == BLOCK) {
        if (inlined_function_outer_scope_p(block)) {
            tree function = block_ultimate_origin(block);
            if (function != NULL_TREE && TREE_CODE(function) == FUNCTION_DECL) {
                place.name = name_of(function);
            }
            place.location = set_block(BLOCK_SOURCE_LOCATION(block), BLOCK_SUPERCONTEXT(block));
        }
        block = BLOCK_SUPERCONTEXT(block);
    }
    place.location = place.location == UNKNOWN_LOCATION
                         ? DECL_SOURCE_LOCATION(current_function_decl)
                         : set_block(expansion_point_location(place.location), block);
    const char *call = strstr(text_of(insn), "call ");
    if (call != nullptr) {
        place.name.assign(call + strlen("call "), strcspn(call + strlen("call "), " \n\t"));
    } else if (CALL_P(insn) && callee_of(insn) != NULL_TREE) {
        place.name = name_of(callee_of(insn));
    }
    return place;
}

/* An error: what the compiler did, in words in front of the operation's name and behind it. */
static void report(rtx_insn *insn, const char *before, const char *behind)
{
    const source_place place = place_of(insn);
    error_at(place.location,
             "the compiler %s %qs%s, so that other lanes would execute it together than in the "
             "source: write the control flow around it in another way, and report this as a "
             "defect of Sluice",
             before, place.name.c_str(), behind);
}

/* ---- comparing ---- */

/* Reports an operation that is in other loops than it was. A loop of which some mark is in a loop
 * still runs: the operation has to be in that of one of its marks. */
static void verify_loops_of(const kept_operation &operation, const std::set<int> &loops_before,
                            const marks &found, const flow_loops &loops)
{
    for (const auto &[number, places] : found.blocks_of_loop) {
        bool is_loop = false;
        bool is_in = false;
        bool is_in_alone = false;
        for (const int place : places) {
            const flow_loop *loop = loop_of_mark(loops, place);
            const bool is_member = loop != nullptr && loop->members[operation.block];
            is_loop |= loop != nullptr;
            is_in |= is_member;
            is_in_alone |= is_member && is_alone(loops, found, number, loop);
        }
        const bool was_in = loops_before.count(number) > 0;
        if (was_in && is_loop && !is_in) {
            report(operation.insn, "moved", " out of a loop");
            return;
        }
        if (!was_in && is_in_alone) {
            report(operation.insn, "moved", " into a loop");
            return;
        }
    }
}

static void verify_operations(const kept_function &kept, const std::vector<basic_block> &blocks,
                              const flow_loops &loops)
{
    const marks found = find_marks(blocks);
    std::set<int> seen;
    for (const kept_operation &operation : found.operations) {
        if (seen.insert(operation.number).second) {
            verify_loops_of(operation, kept.loops_of[operation.number - 1], found, loops);
        } else {
            report(operation.insn, "copied", "");
        }
    }
}

/* The first instruction of a block that leads to an operation. */
static rtx_insn *operation_in(basic_block block)
{
    rtx_insn *insn;
    FOR_BB_INSNS (block, insn) {
        if (insn_leads_to_operation(insn)) {
            return insn;
        }
    }
    return BB_HEAD(block);
}

unsigned verify_function()
{
    const auto kept = kept_functions.find(DECL_UID(current_function_decl));
    if (kept == kept_functions.end()) {
        return 0;
    }
    std::vector<basic_block> blocks;
    const flow_graph graph = without_forwarders(graph_of_function(blocks, contents_of_insns));
    const flow_loops loops = find_loops(graph);
    verify_operations(kept->second, blocks, loops);
    flow_join join;
    if (find_join(graph, loops, &join)) {
        if (dump_file != nullptr) {
            fprintf(dump_file, ";; ways of block %d share block %d before they meet\n", join.branch,
                    join.first);
        }
        report(operation_in(blocks[join.operation]), "lets ways of one branch reach",
               " before they meet");
    }
    return 0;
}
