/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What values are made of, followed through their definitions as far as it takes to know a lock
 * again and what a loop is left by (spins.h). */
#include "spins.h"

/* GCC's headers need this order. */
/* clang-format off */
#include <basic-block.h>
#include <fold-const.h>
#include <gimple-iterator.h>
#include <ssa.h>
#include <tree-cfg.h>
#include <tree-dfa.h>
/* clang-format on */

/* How far the definition of a value is followed. */
static const int depth_max = 8;

static bool is_same(tree x, tree y, int depth);

/* An address as a value and bytes. */
static tree base_of(tree address, HOST_WIDE_INT *bytes)
{
    for (int depth = 0; depth < depth_max; depth++) {
        tree definition = address;
        tree offset = NULL_TREE;
        if (TREE_CODE(address) == SSA_NAME) {
            gassign *assign = dyn_cast<gassign *>(SSA_NAME_DEF_STMT(address));
            if (assign == nullptr) {
                break;
            }
            definition = gimple_assign_rhs1(assign);
            const tree_code code = gimple_assign_rhs_code(assign);
            offset = code == POINTER_PLUS_EXPR ? gimple_assign_rhs2(assign) : NULL_TREE;
            if (!CONVERT_EXPR_CODE_P(code) && code != SSA_NAME && code != ADDR_EXPR &&
                (offset == NULL_TREE || !tree_fits_shwi_p(offset))) {
                break;
            }
        }
        if (TREE_CODE(definition) == ADDR_EXPR) {
            poly_int64 distance = 0;
            HOST_WIDE_INT constant = 0;
            tree base = get_addr_base_and_unit_offset(TREE_OPERAND(definition, 0), &distance);
            if (base == NULL_TREE || !distance.is_constant(&constant)) {
                break;
            }
            *bytes += constant;
            if (TREE_CODE(base) != MEM_REF) {
                return base;
            }
            *bytes += TREE_INT_CST_LOW(TREE_OPERAND(base, 1));
            definition = TREE_OPERAND(base, 0);
        }
        *bytes += offset == NULL_TREE ? 0 : tree_to_shwi(offset);
        if (definition == address) {
            break;
        }
        address = definition;
    }
    return address;
}

bool is_same_address(tree x, tree y)
{
    HOST_WIDE_INT bytes_x = 0;
    HOST_WIDE_INT bytes_y = 0;
    tree base_x = base_of(x, &bytes_x);
    tree base_y = base_of(y, &bytes_y);
    return bytes_x == bytes_y && is_same(base_x, base_y, 0);
}

int id_of(gimple *statement)
{
    static const char instruction[] = ".insn r 0x0b, 0, 0, %0, x0, x";
    gasm *assembly = dyn_cast<gasm *>(statement);
    const char *text = assembly == nullptr ? "" : gimple_asm_string(assembly);
    if (strncmp(text, instruction, strlen(instruction)) != 0) {
        return -1;
    }
    return gimple_asm_ninputs(assembly) == 0
               ? atoi(text + strlen(instruction))
               : (int)tree_to_shwi(TREE_VALUE(gimple_asm_input_op(assembly, 0)));
}

static bool is_same_id(gimple *x, gimple *y)
{
    return id_of(x) >= 0 && id_of(x) == id_of(y);
}

/* Whether two values are computed likewise: atomics keep GCC from seeing that a pointer in memory
 * is the same behind them. */
static bool is_same(tree x, tree y, int depth)
{
    if (operand_equal_p(x, y, 0)) {
        return true;
    }
    if (depth == depth_max || TREE_CODE(x) != SSA_NAME || TREE_CODE(y) != SSA_NAME) {
        return false;
    }
    gassign *of_x = dyn_cast<gassign *>(SSA_NAME_DEF_STMT(x));
    gassign *of_y = dyn_cast<gassign *>(SSA_NAME_DEF_STMT(y));
    if (is_same_id(SSA_NAME_DEF_STMT(x), SSA_NAME_DEF_STMT(y))) {
        return true;
    }
    if (of_x == nullptr || of_y == nullptr ||
        gimple_assign_rhs_code(of_x) != gimple_assign_rhs_code(of_y) ||
        gimple_num_ops(of_x) != gimple_num_ops(of_y)) {
        return false;
    }
    for (unsigned i = 1; i < gimple_num_ops(of_x); i++) {
        tree part_x = gimple_op(of_x, i);
        tree part_y = gimple_op(of_y, i);
        const bool are_loads = TREE_CODE(part_x) == MEM_REF && TREE_CODE(part_y) == MEM_REF;
        if (!is_same(part_x, part_y, depth + 1) &&
            !(are_loads && operand_equal_p(TREE_OPERAND(part_x, 1), TREE_OPERAND(part_y, 1), 0) &&
              is_same(TREE_OPERAND(part_x, 0), TREE_OPERAND(part_y, 0), depth + 1))) {
            return false;
        }
    }
    return true;
}

gcond *condition_of(basic_block block)
{
    gimple *last = block == nullptr ? nullptr : last_stmt(block);
    return last == nullptr ? nullptr : dyn_cast<gcond *>(last);
}

bool is_made_of(tree value, const statement_test &is_source, int depth)
{
    if (value == NULL_TREE || TREE_CODE(value) != SSA_NAME || depth > depth_max) {
        return false;
    }
    gimple *definition = SSA_NAME_DEF_STMT(value);
    const auto is_part = [&](tree part) { return is_made_of(part, is_source, depth + 1); };
    if (is_source(definition)) {
        return true;
    }
    if (gphi *choice = dyn_cast<gphi *>(definition)) {
        for (unsigned i = 0; i < gimple_phi_num_args(choice); i++) {
            if (is_part(gimple_phi_arg_def(choice, i))) {
                return true;
            }
        }
        gcond *parts = condition_of(get_immediate_dominator(CDI_DOMINATORS, gimple_bb(choice)));
        return parts != nullptr &&
               (is_part(gimple_cond_lhs(parts)) || is_part(gimple_cond_rhs(parts)));
    }
    if (gasm *assembly = dyn_cast<gasm *>(definition)) {
        return *gimple_asm_string(assembly) == '\0' && gimple_asm_ninputs(assembly) == 1 &&
               is_part(TREE_VALUE(gimple_asm_input_op(assembly, 0)));
    }
    if (gassign *assign = dyn_cast<gassign *>(definition)) {
        for (unsigned i = 1; i < gimple_num_ops(assign); i++) {
            tree part = gimple_op(assign, i);
            if (TREE_CODE(part) == REALPART_EXPR || TREE_CODE(part) == IMAGPART_EXPR) {
                part = TREE_OPERAND(part, 0);
            }
            if (is_part(part)) {
                return true;
            }
        }
    }
    return false;
}
