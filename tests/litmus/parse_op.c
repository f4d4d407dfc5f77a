/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A cell of the table. A mnemonic is the operation's name, then what it orders, then its scope,
 * with dots in between: ld.acq.dev. */
#include <string.h>

#include "litmus/parse_parts.h"

enum { MAY_ACQUIRE = 1, MAY_RELEASE = 2, MAY_BOTH = 3 };

struct mnemonic {
    const char *name;
    enum litmus_kind kind;
    unsigned orders;
};

static const struct mnemonic mnemonics[] = {
    {"ld", LITMUS_LOAD, MAY_ACQUIRE}, {"st", LITMUS_STORE, MAY_RELEASE},
    {"swap", LITMUS_SWAP, MAY_BOTH},  {"add", LITMUS_ADD, MAY_BOTH},
    {"cas", LITMUS_CAS, MAY_BOTH},    {"fence", LITMUS_FENCE, MAY_BOTH},
    {"beqz", LITMUS_BRANCH, 0},       {"bnez", LITMUS_BRANCH, 0},
};

#define OPERATIONS "ld, st, swap, add, cas, fence, beqz, bnez, warm, or a label and ':'"

static const char *const scopes[] = {"wf", "wg", "dev", "sys"};

static const struct mnemonic *find(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof mnemonics / sizeof mnemonics[0]; i++) {
        if (strlen(mnemonics[i].name) == length && memcmp(mnemonics[i].name, name, length) == 0) {
            return &mnemonics[i];
        }
    }
    return NULL;
}

/* One part of a mnemonic behind the first: an order or a scope. False where it is neither, or there
 * is one already. */
static bool parse_suffix(const char *suffix, unsigned orders, struct litmus_op *op)
{
    for (unsigned scope = 0; scope < 4; scope++) {
        if (strcmp(suffix, scopes[scope]) == 0 && !op->is_scoped && op->kind != LITMUS_BRANCH) {
            op->is_scoped = true;
            op->scope = (enum litmus_scope)scope;
            return true;
        }
    }
    const unsigned order = strcmp(suffix, "acq") == 0      ? MAY_ACQUIRE
                           : strcmp(suffix, "rel") == 0    ? MAY_RELEASE
                           : strcmp(suffix, "acqrel") == 0 ? MAY_BOTH
                                                           : 0;
    if (order == 0 || (order & ~orders) != 0 || op->is_scoped || op->acquire || op->release) {
        return false;
    }
    op->acquire = order & MAY_ACQUIRE;
    op->release = order & MAY_RELEASE;
    return true;
}

static void parse_suffixes(struct litmus_scan *scan, unsigned orders, struct litmus_op *op)
{
    char text[LITMUS_WORD_BYTES];
    char *rest = NULL;

    memcpy(text, scan->word, sizeof text);
    (void)strtok_r(text, ".", &rest);
    for (char *part = strtok_r(NULL, ".", &rest); part != NULL; part = strtok_r(NULL, ".", &rest)) {
        if (!parse_suffix(part, orders, op)) {
            litmus_scan_fail(scan, scan->line,
                             "'%s': no '%s' here; behind a name come what it orders (%s), then "
                             "its scope (wf, wg, dev or sys)",
                             scan->word, part,
                             orders == MAY_BOTH      ? "acq, rel or acqrel"
                             : orders == MAY_ACQUIRE ? "acq"
                             : orders == MAY_RELEASE ? "rel"
                                                     : "nothing");
            return;
        }
    }
    if ((op->acquire || op->release) != op->is_scoped &&
        (!op->is_scoped || op->kind == LITMUS_FENCE)) {
        litmus_scan_fail(scan, scan->line, "'%s' %s", scan->word,
                         op->is_scoped ? "orders nothing: fence.acq, fence.rel or fence.acqrel"
                                       : "has no scope; add .wf, .wg, .dev or .sys");
    }
    if (op->kind == LITMUS_FENCE && !op->is_scoped) {
        op->acquire = true;
        op->release = true;
        op->scope = LITMUS_DEVICE;
    }
}

static void expect_comma(struct litmus_scan *scan)
{
    litmus_scan_expect(scan, ",", "',' and another operand");
}

static struct litmus_operand parse_operand(struct litmus_scan *scan)
{
    struct litmus_operand operand = {.is_register = scan->token == LITMUS_TOKEN_WORD};

    operand.value = operand.is_register ? (int64_t)litmus_parse_register(scan)
                                        : litmus_scan_number(scan, "a value or a register",
                                                             -LITMUS_VALUE_MAX, LITMUS_VALUE_MAX);
    return operand;
}

/* The number of a label, which is new where it has not been named yet. */
static unsigned label_number(struct litmus_scan *scan, const char *name, unsigned line,
                             struct litmus_labels *labels)
{
    unsigned i = 0;

    while (i < labels->count && strcmp(labels->label[i].name, name) != 0) {
        i++;
    }
    if (i == LITMUS_LABELS_MAX) {
        litmus_scan_fail(scan, line, "too many labels; a thread has %d at most", LITMUS_LABELS_MAX);
        return 0;
    }
    if (i == labels->count) {
        memcpy(labels->label[i].name, name, sizeof labels->label[i].name);
        labels->label[i].line = line;
        labels->count++;
    }
    return i;
}

static void parse_branch(struct litmus_scan *scan, struct litmus_labels *labels,
                         struct litmus_op *op)
{
    op->reg = litmus_parse_register(scan);
    expect_comma(scan);
    if (scan->token != LITMUS_TOKEN_WORD) {
        litmus_scan_fail(scan, scan->line, "'%s' where a label belongs", litmus_scan_shown(scan));
        return;
    }
    /* A label until all of them are known. */
    op->target = label_number(scan, scan->word, scan->line, labels);
    if (!litmus_scan_failed(scan) && labels->label[op->target].is_there) {
        litmus_scan_fail(scan, scan->line,
                         "label '%s' is in front of the branch; branches go forward only, so that "
                         "there are finitely many executions",
                         scan->word);
    }
    litmus_scan_next(scan);
}

static bool is_register(struct litmus_operand operand, unsigned reg)
{
    return operand.is_register && operand.value == (int64_t)reg;
}

static void parse_operands(struct litmus_scan *scan, const struct litmus_test *test,
                           struct litmus_thread *thread, struct litmus_op *op)
{
    if (litmus_reads(op)) {
        op->reg = litmus_parse_register(scan);
        thread->registers |= 1u << op->reg;
        expect_comma(scan);
    }
    op->variable = litmus_parse_variable(scan, test);
    if (litmus_scan_take(scan, "[")) {
        op->index = (struct litmus_operand){true, (int64_t)litmus_parse_register(scan)};
        litmus_scan_expect(scan, "]", "']' behind the register");
    }
    if (op->kind == LITMUS_CAS) {
        expect_comma(scan);
        op->expected = parse_operand(scan);
    }
    if (litmus_writes(op)) {
        expect_comma(scan);
        op->operand = parse_operand(scan);
    }
    if (op->kind == LITMUS_CAS &&
        (is_register(op->operand, op->reg) || is_register(op->expected, op->reg))) {
        litmus_scan_fail(scan, op->line,
                         "cas loads into r%u before it looks at its operands; load "
                         "into another register",
                         op->reg + 1);
    }
}

static void parse_op(struct litmus_scan *scan, const struct litmus_test *test,
                     struct litmus_thread *thread, struct litmus_labels *labels)
{
    const struct mnemonic *const mnemonic = find(scan->word, strcspn(scan->word, "."));
    struct litmus_op op = {.line = scan->line};

    if (mnemonic == NULL) {
        litmus_scan_fail(scan, scan->line, "no operation '%s'; there are " OPERATIONS,
                         litmus_scan_shown(scan));
        return;
    }
    if (thread->op_count == LITMUS_OPS_MAX) {
        litmus_scan_fail(scan, scan->line, "too many operations; a thread has %d at most",
                         LITMUS_OPS_MAX);
        return;
    }
    op.kind = mnemonic->kind;
    op.if_zero = strcmp(mnemonic->name, "beqz") == 0;
    parse_suffixes(scan, mnemonic->orders, &op);
    litmus_scan_next(scan);
    if (op.kind == LITMUS_BRANCH) {
        parse_branch(scan, labels, &op);
    } else if (op.kind != LITMUS_FENCE) {
        parse_operands(scan, test, thread, &op);
    }
    thread->op[thread->op_count++] = op;
}

/* Notes a label in front of the thread's next operation, or of its end. */
static void put_label(struct litmus_scan *scan, const struct litmus_scan *name,
                      const struct litmus_thread *thread, struct litmus_labels *labels)
{
    const unsigned number = label_number(scan, name->word, name->line, labels);
    struct litmus_label *const label = &labels->label[number];

    if (litmus_scan_failed(scan)) {
        return;
    }
    if (label->is_there) {
        litmus_scan_fail(scan, name->line, "label '%s' is there twice", name->word);
    }
    label->is_there = true;
    label->target = thread->op_count;
}

/* "NAME:"; false where something else is next. */
static bool parse_label(struct litmus_scan *scan, const struct litmus_thread *thread,
                        struct litmus_labels *labels)
{
    const struct litmus_scan name = *scan;
    struct litmus_scan ahead = *scan;

    litmus_scan_next(&ahead);
    if (name.token != LITMUS_TOKEN_WORD || !litmus_scan_take(&ahead, ":")) {
        return false;
    }
    *scan = ahead;
    put_label(scan, &name, thread, labels);
    return true;
}

static void parse_warm(struct litmus_scan *scan, const struct litmus_test *test,
                       struct litmus_thread *thread)
{
    const unsigned line = scan->line;

    litmus_scan_next(scan);
    thread->warm |= 1u << litmus_parse_variable(scan, test);
    if (thread->op_count > 0) {
        litmus_scan_fail(scan, line,
                         "warm comes before the test: put it above the thread's first operation");
    }
}

static bool is_cell_over(const struct litmus_scan *scan)
{
    return litmus_scan_is(scan, "|") || litmus_scan_is(scan, ";");
}

void litmus_parse_cell(struct litmus_scan *scan, const struct litmus_test *test,
                       struct litmus_thread *thread, struct litmus_labels *labels)
{
    if (is_cell_over(scan)) {
        return;
    }
    if (litmus_scan_is(scan, "warm")) {
        parse_warm(scan, test, thread);
    } else if (!parse_label(scan, thread, labels) || !is_cell_over(scan)) {
        parse_op(scan, test, thread, labels);
    }
}

void litmus_parse_targets(struct litmus_scan *scan, struct litmus_thread *thread,
                          const struct litmus_labels *labels)
{
    for (unsigned i = 0; i < labels->count; i++) {
        if (!labels->label[i].is_there) {
            litmus_scan_fail(scan, labels->label[i].line, "no label '%s:' in this thread",
                             labels->label[i].name);
            return;
        }
    }
    for (unsigned i = 0; i < thread->op_count; i++) {
        if (thread->op[i].kind == LITMUS_BRANCH) {
            thread->op[i].target = labels->label[thread->op[i].target].target;
        }
    }
}
