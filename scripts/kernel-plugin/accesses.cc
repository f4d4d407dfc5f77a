/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Accesses to memory that may take or release a lock: the atomics of sluice/wave/atomics.h, GCC's
 * own, and stores. A function that is not inlined is known by what it does to its arguments, since
 * GCC compiles it before those of the same file that call it. */
#include "spins.h"

/* GCC's headers need this order. */
/* clang-format off */
#include <basic-block.h>
#include <gimple-iterator.h>
#include <ssa.h>
/* clang-format on */

/* What a function does to what one of its parameters points to, with constants alone. */
struct effect {
    int parameter;
    lock_access what; /* without trees, which GCC may take away behind this function */
    HOST_WIDE_INT expected;
    HOST_WIDE_INT value;
};
static std::map<unsigned, std::vector<effect>> effects; /* by the number of the declaration */

/* The forms of sluice/wave/atomics.h, by the fields of its instructions. */
static bool read_assembly(gasm *assembly, lock_access *found)
{
    const char *text = gimple_asm_string(assembly);
    const unsigned outputs = gimple_asm_noutputs(assembly);
    const unsigned inputs = gimple_asm_ninputs(assembly);
    const auto input = [&](unsigned i) { return TREE_VALUE(gimple_asm_input_op(assembly, i)); };
    if (strstr(text, ".insn r 0x2b,") == nullptr || inputs < 4) {
        return false;
    }
    found->address = input(0);
    found->value = input(1);
    if (outputs == 2 && inputs == 6) {
        found->kind = access_compare_exchange;
        found->expected = input(1);
        found->value = input(2);
        return true;
    }
    if (inputs != 4 || !tree_fits_uhwi_p(input(3))) {
        return false;
    }
    const struct {
        unsigned operation;
        access_kind kind;
    } kinds[] = {
        {0x01, access_exchange}, {0x07, access_store}, {0x08, access_or}, {0x0c, access_and}};
    for (const auto &[operation, kind] : kinds) {
        if (tree_to_uhwi(input(3)) >> 2 == operation) {
            found->kind = kind;
            return true;
        }
    }
    return false;
}

/* GCC's own atomics. */
static bool read_builtin(gcall *call, lock_access *found)
{
    const struct {
        const char *name;
        access_kind kind;
    } kinds[] = {
        {"__atomic_exchange_", access_exchange},
        {"__sync_lock_test_and_set_", access_exchange},
        {"__sync_val_compare_and_swap_", access_compare_exchange},
        {"__atomic_fetch_or_", access_or},
        {"__atomic_fetch_and_", access_and},
        {"__atomic_and_fetch_", access_and},
        {"__atomic_store_", access_store},
        {"__sync_lock_release_", access_store},
    };
    const unsigned count = gimple_call_num_args(call);
    const auto argument = [&](unsigned i) {
        return i < count ? gimple_call_arg(call, i) : integer_zero_node;
    };
    if (count == 0) {
        return false;
    }
    found->address = argument(0);
    found->value = argument(1);
    found->expected = argument(1);
    if (gimple_call_internal_p(call, IFN_ATOMIC_COMPARE_EXCHANGE)) {
        found->kind = access_compare_exchange;
        return true;
    }
    tree callee = gimple_call_fndecl(call);
    if (callee == NULL_TREE || !fndecl_built_in_p(callee) || DECL_NAME(callee) == NULL_TREE) {
        return false;
    }
    for (const auto &[name, kind] : kinds) {
        if (strncmp(IDENTIFIER_POINTER(DECL_NAME(callee)), name, strlen(name)) == 0) {
            found->kind = kind;
            return true;
        }
    }
    return false;
}

void read_statement(basic_block block, gimple *statement, std::vector<lock_access> *found)
{
    lock_access one = {};
    one.statement = statement;
    one.block = block;
    one.location = gimple_location(statement);
    if (gasm *assembly = dyn_cast<gasm *>(statement)) {
        if (read_assembly(assembly, &one)) {
            found->push_back(one);
        }
    } else if (gcall *call = dyn_cast<gcall *>(statement)) {
        tree callee = gimple_call_fndecl(call);
        const auto known = callee == NULL_TREE ? effects.end() : effects.find(DECL_UID(callee));
        if (read_builtin(call, &one)) {
            found->push_back(one);
        } else if (known != effects.end()) {
            for (const effect &does : known->second) {
                if (does.parameter < (int)gimple_call_num_args(call)) {
                    lock_access through = does.what;
                    through.statement = statement;
                    through.block = block;
                    through.address = gimple_call_arg(call, does.parameter);
                    through.expected = build_int_cst(long_integer_type_node, does.expected);
                    through.value = build_int_cst(long_integer_type_node, does.value);
                    found->push_back(through);
                }
            }
        }
    } else if (gimple_assign_single_p(statement) && gimple_store_p(statement)) {
        tree place = gimple_assign_lhs(statement);
        if (INTEGRAL_TYPE_P(TREE_TYPE(place))) {
            one.kind = access_store;
            one.address = build1(ADDR_EXPR, build_pointer_type(TREE_TYPE(place)), place);
            one.value = gimple_assign_rhs1(statement);
            found->push_back(one);
        }
    }
}

/* Number of the parameter that a value is, or -1. */
static int parameter_of(tree value)
{
    if (TREE_CODE(value) != SSA_NAME || !SSA_NAME_IS_DEFAULT_DEF(value)) {
        return -1;
    }
    int number = 0;
    for (tree parameter = DECL_ARGUMENTS(current_function_decl); parameter != NULL_TREE;
         parameter = DECL_CHAIN(parameter), number++) {
        if (parameter == SSA_NAME_VAR(value)) {
            return number;
        }
    }
    return -1;
}

void add_effect(const lock_access &a)
{
    const int parameter = parameter_of(a.address);
    const auto is_known = [](tree value) { return value == NULL_TREE || tree_fits_shwi_p(value); };
    const auto number = [](tree value) { return value == NULL_TREE ? 0 : tree_to_shwi(value); };
    if (parameter >= 0 && is_known(a.value) && is_known(a.expected)) {
        effect does = {parameter, {}, number(a.expected), number(a.value)};
        does.what.kind = a.kind;
        does.what.how = a.how;
        does.what.location = a.location;
        effects[DECL_UID(current_function_decl)].push_back(does);
    }
}
