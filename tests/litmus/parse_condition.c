/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* exists (1:r1=1 /\ ~(1:r2=0 \/ x=2)): `not` binds closest, then `and`, then `or`. */
#include "litmus/parse_parts.h"

/* Parentheses and negations within each other. */
#define DEPTH_MAX 16

struct parse {
    struct litmus_scan *scan;
    struct litmus_test *test;
    unsigned depth;
};

static unsigned parse_or(struct parse *parse);

static unsigned add(struct parse *parse, const struct litmus_term *term)
{
    struct litmus_condition *const condition = &parse->test->condition;

    if (condition->term_count == LITMUS_TERMS_MAX) {
        litmus_scan_fail(parse->scan, parse->scan->line,
                         "the condition is too long; it has %d parts at most", LITMUS_TERMS_MAX);
        return 0;
    }
    condition->term[condition->term_count] = *term;
    return condition->term_count++;
}

/* 1:r2, or x */
static struct litmus_term parse_place(struct parse *parse)
{
    struct litmus_scan *const scan = parse->scan;
    struct litmus_term term = {.kind = LITMUS_TERM_VARIABLE};

    if (scan->token != LITMUS_TOKEN_NUMBER) {
        term.variable = litmus_parse_variable(scan, parse->test);
        return term;
    }
    const unsigned line = scan->line;
    term.kind = LITMUS_TERM_REGISTER;
    term.thread = (unsigned)litmus_scan_number(scan, "the number of a thread", 0,
                                               (int64_t)parse->test->thread_count - 1);
    litmus_scan_expect(scan, ":", "':' and a register");
    term.reg = litmus_parse_register(scan);
    if (!litmus_scan_failed(scan) &&
        !(parse->test->thread[term.thread].registers >> term.reg & 1)) {
        litmus_scan_fail(scan, line, "P%u loads nothing into r%u", term.thread, term.reg + 1);
    }
    return term;
}

static unsigned parse_simple(struct parse *parse)
{
    struct litmus_scan *const scan = parse->scan;
    unsigned number;

    if (litmus_scan_is(scan, "~") || litmus_scan_is(scan, "(")) {
        const bool is_not = litmus_scan_is(scan, "~");
        litmus_scan_next(scan);
        if (++parse->depth > DEPTH_MAX) {
            litmus_scan_fail(scan, scan->line, "more than %d parts within each other", DEPTH_MAX);
            return 0;
        }
        if (is_not) {
            number = parse_simple(parse);
            number = add(parse, &(struct litmus_term){.kind = LITMUS_TERM_NOT, .left = number});
        } else {
            number = parse_or(parse);
            litmus_scan_expect(scan, ")", "')'");
        }
        parse->depth--;
        return number;
    }
    struct litmus_term term = parse_place(parse);
    litmus_scan_expect(scan, "=", "'=' and a value");
    term.value = litmus_scan_number(scan, "a value", INT32_MIN, INT32_MAX);
    return add(parse, &term);
}

static unsigned parse_and(struct parse *parse)
{
    unsigned left = parse_simple(parse);

    while (litmus_scan_take(parse->scan, "/\\")) {
        const unsigned right = parse_simple(parse);
        left = add(parse,
                   &(struct litmus_term){.kind = LITMUS_TERM_AND, .left = left, .right = right});
    }
    return left;
}

static unsigned parse_or(struct parse *parse)
{
    unsigned left = parse_and(parse);

    while (litmus_scan_take(parse->scan, "\\/")) {
        const unsigned right = parse_and(parse);
        left =
            add(parse, &(struct litmus_term){.kind = LITMUS_TERM_OR, .left = left, .right = right});
    }
    return left;
}

void litmus_parse_condition(struct litmus_scan *scan, struct litmus_test *test)
{
    struct parse parse = {.scan = scan, .test = test};

    if (litmus_scan_take(scan, "forall")) {
        test->condition.quantifier = LITMUS_FORALL;
    } else {
        test->condition.quantifier =
            litmus_scan_take(scan, "~") ? LITMUS_NOT_EXISTS : LITMUS_EXISTS;
        litmus_scan_expect(scan, "exists",
                           "a condition, exists (...), ~exists (...) or forall (...),");
    }
    litmus_scan_expect(scan, "(", "'(' and the condition");
    test->condition.root = parse_or(&parse);
    litmus_scan_expect(scan, ")", "')' at the condition's end");
}
