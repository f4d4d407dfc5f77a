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

/* What a function has: the loops that each operation is in, by their numbers. */
struct kept_function {
    int loops = 0;
    std::vector<std::set<int>> loops_of; /* of an operation */
};

static std::map<unsigned, kept_function> kept_functions; /* by the number of the declaration */

/* Blocks by loop, and by operation, from either form of the program. */
struct marks {
    std::map<int, int> block_of_loop;
    std::vector<std::pair<int, int>> operations; /* number, block */
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
    for (const auto &[number, place] : found.block_of_loop) {
        const flow_loop *loop = loop_of_mark(loops, place);
        if (loop != nullptr && loop->members[block]) {
            numbers.insert(number);
        }
    }
    return numbers;
}

/* Whether a mark is the only one of its loop. The loop of another one may run once, and be none any
 * more. */
static bool is_alone(const flow_loops &loops, const marks &found, int number)
{
    const flow_loop *loop = loop_of_mark(loops, found.block_of_loop.at(number));
    return std::none_of(found.block_of_loop.begin(), found.block_of_loop.end(),
                        [&](const std::pair<const int, int> &other) {
                            return other.first != number &&
                                   loop_of_mark(loops, other.second) == loop;
                        });
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
            found->block_of_loop[++kept->loops] = block->index;
            text = loop_mark + (" " + std::to_string(kept->loops));
        } else if (is_operation(text.c_str())) {
            const int number = (int)found->operations.size() + 1;
            found->operations.push_back({number, block->index});
            text += operation_mark + std::to_string(number);
        } else {
            continue;
        }
        assembly->string = ggc_strdup(text.c_str());
    }
}

static unsigned mark_function()
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
    for (const auto &[number, block] : found.operations) {
        kept.loops_of.push_back(loops_around(loops, found, block));
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

static bool insn_leads_to_operation(rtx_insn *insn)
{
    if (!CALL_P(insn)) {
        return is_operation(text_of(insn));
    }
    rtx call = get_call_rtx_from(insn);
    rtx callee = call == NULL_RTX ? NULL_RTX : XEXP(XEXP(call, 0), 0);
    tree declaration =
        callee != NULL_RTX && GET_CODE(callee) == SYMBOL_REF ? SYMBOL_REF_DECL(callee) : NULL_TREE;
    return declaration != NULL_TREE && TREE_CODE(declaration) == FUNCTION_DECL &&
           function_leads_to_operation(declaration);
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

static location_t location_of(basic_block block)
{
    rtx_insn *insn;
    FOR_BB_INSNS (block, insn) {
        if (insn_leads_to_operation(insn) && INSN_LOCATION(insn) != UNKNOWN_LOCATION) {
            return INSN_LOCATION(insn);
        }
    }
    return DECL_SOURCE_LOCATION(current_function_decl);
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
                found.block_of_loop[loop] = block->index;
            }
            if (operation != 0) {
                found.operations.push_back({operation, block->index});
            }
        }
    }
    return found;
}

static void report(location_t location, const char *what)
{
    error_at(location,
             "the compiler changed which lanes execute a cross-lane operation together: %s", what);
}

static void verify_loops(const kept_function &kept, const std::vector<basic_block> &blocks,
                         const flow_loops &loops)
{
    const marks found = find_marks(blocks);
    std::set<int> seen;
    for (const auto &[operation, block] : found.operations) {
        if (!seen.insert(operation).second) {
            report(location_of(blocks[block]), "it was copied");
        }
        for (const auto &[number, place] : found.block_of_loop) {
            const flow_loop *loop = loop_of_mark(loops, place);
            if (loop == nullptr) {
                continue;
            }
            const bool was_in = kept.loops_of[operation - 1].count(number) > 0;
            if (was_in && !loop->members[block]) {
                report(location_of(blocks[block]), "it was moved out of a loop");
            } else if (!was_in && loop->members[block] && is_alone(loops, found, number)) {
                report(location_of(blocks[block]), "it was moved into a loop");
            }
        }
    }
}

static unsigned verify_function()
{
    const auto kept = kept_functions.find(DECL_UID(current_function_decl));
    if (kept == kept_functions.end()) {
        return 0;
    }
    std::vector<basic_block> blocks;
    const flow_graph graph = without_forwarders(graph_of_function(blocks, contents_of_insns));
    const flow_loops loops = find_loops(graph);
    verify_loops(kept->second, blocks, loops);
    flow_join join;
    if (find_join(graph, loops, &join)) {
        if (dump_file != nullptr) {
            fprintf(dump_file, ";; ways of block %d share block %d before they meet\n", join.branch,
                    join.first);
        }
        report(location_of(blocks[join.operation]),
               "ways of one branch lead to it before they meet");
    }
    return 0;
}

/* ---- the passes ---- */

namespace
{

const pass_data mark_data = {GIMPLE_PASS,
                             "sluice_mark",
                             OPTGROUP_NONE,
                             TV_NONE,
                             PROP_cfg,
                             0,
                             0,
                             0,
                             TODO_update_ssa_only_virtuals};
const pass_data verify_data = {RTL_PASS, "sluice_verify", OPTGROUP_NONE, TV_NONE, PROP_cfg, 0, 0, 0,
                               0};

class mark : public gimple_opt_pass
{
  public:
    explicit mark(gcc::context *context) : gimple_opt_pass(mark_data, context)
    {
    }
    unsigned execute(function *) override
    {
        return mark_function();
    }
};

class verify : public rtl_opt_pass
{
  public:
    explicit verify(gcc::context *context) : rtl_opt_pass(verify_data, context)
    {
    }
    unsigned execute(function *) override
    {
        return verify_function();
    }
};

} // namespace

gimple_opt_pass *mark_pass(gcc::context *context)
{
    return new mark(context);
}

rtl_opt_pass *verify_pass(gcc::context *context)
{
    return new verify(context);
}
