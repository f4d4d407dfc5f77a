/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Marks what the source has and control flow has not, by empty assembly statements:
 *
 *   loop   the beginning of each round of a loop: where a loop begins with another one, GCC makes
 * one block of both beginnings, and nothing says any more which lanes wait for which leave  a break
 * or a return out of a loop: what stands before it in its block is executed in the round, as the
 * source has it, though no way leads from there to the next one
 *
 * joins.cc takes them away when it has seen them, but for loops that have cross-lane operations. */
#include "passes.h"

/* GCC's headers need this order. */
/* clang-format off */
#include <c-family/c-common.h>
#include <gimple-expr.h>
#include <tree-iterator.h>
/* clang-format on */

const char loop_mark[] = "# sluice loop";
const char leave_mark[] = "# sluice leave";

/* Where in the source a statement is. */
struct place {
    int loop;            /* the innermost loop's number; 0 outside */
    bool leaves_no_loop; /* a break: in a switch, or in a body that is executed once */
};

static int loops;

static tree make_mark(const char *kind, int loop, location_t location)
{
    const std::string text = kind + (" " + std::to_string(loop));
    tree string = build_string((int)text.size() + 1, text.c_str());
    tree statement = build5_loc(location, ASM_EXPR, void_type_node, string, NULL_TREE, NULL_TREE,
                                NULL_TREE, NULL_TREE);
    ASM_VOLATILE_P(statement) = 1;
    return statement;
}

static void put_before(tree *statement, tree mark)
{
    tree list = alloc_stmt_list();
    append_to_statement_list_force(mark, &list);
    append_to_statement_list_force(*statement, &list);
    *statement = list;
}

/* Whether a body begins with a case of a switch around it. */
static bool begins_with_case(tree body)
{
    while (body != NULL_TREE &&
           (TREE_CODE(body) == BIND_EXPR || TREE_CODE(body) == STATEMENT_LIST)) {
        if (TREE_CODE(body) == BIND_EXPR) {
            body = BIND_EXPR_BODY(body);
        } else {
            tree_stmt_iterator first = tsi_start(body);
            body = tsi_end_p(first) ? NULL_TREE : tsi_stmt(first);
        }
    }
    return body != NULL_TREE && TREE_CODE(body) == CASE_LABEL_EXPR;
}

static tree mark_statement(tree *node, int *walks_on, void *data);

/* A part of a loop or switch. */
static void mark_part(tree *part, place inside)
{
    walk_tree(part, mark_statement, &inside, nullptr);
}

/* What is tested first in each round is marked; without a condition, the body, unless a switch
 * jumps to its beginning. */
static void mark_loop(tree loop, tree *condition, tree *body)
{
    const location_t location = EXPR_LOCATION(loop);
    const place inside = {++loops, false};
    mark_part(body, inside);
    if (condition != nullptr) {
        mark_part(condition, inside);
    }
    tree mark = make_mark(loop_mark, inside.loop, location);
    if (condition == nullptr || *condition == NULL_TREE || CONSTANT_CLASS_P(*condition)) {
        if (!begins_with_case(*body)) {
            put_before(body, mark);
        }
    } else {
        *condition = build2_loc(location, COMPOUND_EXPR, TREE_TYPE(*condition), mark, *condition);
    }
}

/* Marks a return behind its value, which is made in the round, too. False where it has none that
 * can be kept: an object of C++. */
static bool mark_value(tree statement, int loop)
{
    tree assignment = TREE_OPERAND(statement, 0);
    if (assignment == NULL_TREE ||
        (TREE_CODE(assignment) != MODIFY_EXPR && TREE_CODE(assignment) != INIT_EXPR) ||
        !TREE_SIDE_EFFECTS(TREE_OPERAND(assignment, 1)) ||
        !is_gimple_reg_type(TREE_TYPE(TREE_OPERAND(assignment, 1)))) {
        return false;
    }
    tree value = save_expr(TREE_OPERAND(assignment, 1));
    tree kind = TREE_TYPE(value);
    tree mark = make_mark(leave_mark, loop, EXPR_LOCATION(statement));
    TREE_OPERAND(assignment, 1) =
        build2(COMPOUND_EXPR, kind, value, build2(COMPOUND_EXPR, kind, mark, value));
    return true;
}

static tree mark_statement(tree *node, int *walks_on, void *data)
{
    const place *at = (const place *)data;
    const int code = (int)TREE_CODE(*node);
    if (code == WHILE_STMT || code == FOR_STMT || code == DO_STMT || code == SWITCH_STMT) {
        *walks_on = 0;
    }
    if (code == WHILE_STMT) {
        mark_loop(*node, &WHILE_COND(*node), &WHILE_BODY(*node));
    } else if (code == FOR_STMT) {
        mark_loop(*node, &FOR_COND(*node), &FOR_BODY(*node));
    } else if (code == DO_STMT && integer_zerop(DO_COND(*node))) {
        mark_part(&DO_BODY(*node), {at->loop, true});
    } else if (code == DO_STMT) {
        mark_loop(*node, nullptr, &DO_BODY(*node));
    } else if (code == SWITCH_STMT) {
        mark_part(&SWITCH_STMT_COND(*node), *at);
        mark_part(&SWITCH_STMT_BODY(*node), {at->loop, true});
    } else if (at->loop != 0 && (code == RETURN_EXPR || code == GOTO_EXPR ||
                                 (code == BREAK_STMT && !at->leaves_no_loop))) {
        if (code == RETURN_EXPR) {
            mark_part(&TREE_OPERAND(*node, 0), *at);
        }
        if (code != RETURN_EXPR || !mark_value(*node, at->loop)) {
            put_before(node, make_mark(leave_mark, at->loop, EXPR_LOCATION(*node)));
        }
        *walks_on = 0;
    }
    return NULL_TREE;
}

void mark_source(void *function, void *)
{
    mark_part(&DECL_SAVED_TREE((tree)function), {0, false});
}
