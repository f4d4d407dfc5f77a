/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What code may not do with locks, each case with code beside it that may. */
#include <stdlib.h>

#include "common/check.h"
#include "lock_code.h"

static struct sl_lock_finding *findings;
static size_t count;

static void check_with(const char *text, bool may_nest)
{
    free(findings);
    assert_int_equal(sl_lock_check(lock_code(text), may_nest, &findings, &count), 0);
}

static void accepted(const char *text)
{
    check_with(text, true);
    assert_int_equal(count, 0);
    assert_null(findings);
}

static uint64_t address(char label)
{
    return LOCK_CODE_BASE + lock_code_at(label);
}

/* The n-th finding, in the order of addresses. */
static void found(size_t n, enum sl_lock_problem problem, char label, uint32_t depth)
{
    assert_true(n < count);
    assert_int_equal(findings[n].problem, problem);
    assert_int_equal(findings[n].address, address(label));
    assert_int_equal(findings[n].depth, depth);
}

static void refused(const char *text, enum sl_lock_problem problem, char label, uint32_t depth)
{
    check_with(text, true);
    assert_int_equal(count, 1);
    found(0, problem, label, depth);
}

/* What papers/004 has as examples, and nothing at all. */
TEST(test_examples)
{
    accepted("A: ret");
    accepted("A: lock B: nop C: unlock D: ret");
    accepted("W: if G  I: if W  A: lock B: if F  C: nop D: unlock E: go G  F: unlock J: go W  "
             "G: ret");
    accepted("A: lock B: lock D: if G  F: unlock X: go I  G: nop H: unlock  I: nop J: unlock ret");
    accepted("A: if D  B: lock X: go E  D: lock E: nop F: unlock G: ret");
    accepted("A: lock B: if F  C: lock E: unlock F: nop G: unlock H: ret");
}

TEST(test_differs)
{
    refused("A: if C  B: lock C: nop D: if E  trap E: trap", SL_LOCK_DIFFERS, 'C', 0);
    assert_int_equal(findings[0].other, 1);
    assert_int_equal(findings[0].from, address('B'));
    refused("A: lock L: nop B: unlock C: if L  D: ret", SL_LOCK_DIFFERS, 'L', 1);
    assert_int_equal(findings[0].other, 0);
    assert_int_equal(findings[0].from, address('C'));
}

/* Told of once, however many ways differ. */
TEST(test_differs_once)
{
    refused("A: if E  B: if F  lock go D  E: nop go D  F: nop D: trap", SL_LOCK_DIFFERS, 'D', 1);
}

TEST(test_missing)
{
    refused("A: unlock B: ret", SL_LOCK_MISSING, 'A', 0);
    refused("A: lock B: unlock C: unlock D: ret", SL_LOCK_MISSING, 'C', 0);
    accepted("A: lock B: lock C: unlock D: unlock ret");
}

/* Each way out counts: a return, a jump out of the function, the end of its code. */
TEST(test_kept)
{
    refused("A: lock B: ret", SL_LOCK_KEPT, 'B', 1);
    refused("A: lock B: lock C: unlock D: ret", SL_LOCK_KEPT, 'D', 1);
    refused("A: lock B: if D  C: ret  D: unlock E: ret", SL_LOCK_KEPT, 'C', 1);
    refused("A: lock B: go X | X: ret", SL_LOCK_KEPT, 'B', 1);
    refused("A: lock B: if X  C: unlock D: ret | X: ret", SL_LOCK_KEPT, 'B', 1);
    refused("A: lock C: nop B: jump?", SL_LOCK_KEPT, 'B', 1);
    refused("A: lock B: nop | C: ret", SL_LOCK_KEPT, 'B', 1);
    accepted("A: lock B: unlock C: go X | X: ret");
    accepted("A: lock B: unlock C: jump?");
}

/* Ways that end in a trap, or in a call that does not return, may hold what they like. */
TEST(test_trap)
{
    accepted("A: lock B: if T  C: unlock D: ret  T: trap");
    accepted("A: lock B: if T  C: unlock D: ret  T: call X | X: trap");
}

/* Code that nobody reaches may do anything; what a jump through a register may reach may not. */
TEST(test_unreachable)
{
    accepted("A: lock B: unlock C: ret  D: unlock E: lock F: ret");
    refused("A: lock B: unlock C: jump?  D: nop E: unlock F: ret", SL_LOCK_MISSING, 'E', 0);
    accepted("A: lock B: unlock tail X  D: nop E: unlock F: ret | X: ret");
}

/* A function that begins in another one. */
TEST(test_entries)
{
    struct sl_function functions[2];
    struct sl_code code = *lock_code("A: ret B: unlock C: ret");

    functions[0] = code.functions[0];
    functions[1] = (struct sl_function){address('B'), 8};
    code.functions = functions;
    code.function_count = 2;
    free(findings);
    assert_int_equal(sl_lock_check(&code, true, &findings, &count), 0);
    assert_int_equal(count, 1);
    found(0, SL_LOCK_MISSING, 'B', 0);
}

/* In each form of a call, by name, by way of another function, and of oneself. */
TEST(test_calls)
{
    refused("A: lock B: call X C: unlock ret | X: lock unlock ret", SL_LOCK_CALLS, 'B', 1);
    assert_int_equal(findings[0].callee, address('X'));
    check_with("A: lock B: far X C: unlock ret | X: lock unlock ret", true);
    assert_int_equal(count, 1);
    assert_int_equal(findings[0].callee, address('X'));
    refused("A: lock B: call X C: unlock ret | X: nop call Y ret | Y: lock unlock ret",
            SL_LOCK_CALLS, 'B', 1);
    refused("A: lock B: call X C: unlock ret | X: nop go Y | Y: lock unlock ret", SL_LOCK_CALLS,
            'B', 1);
    refused("A: lock B: call X C: unlock ret | X: nop tail Y | Y: lock unlock ret", SL_LOCK_CALLS,
            'B', 1);
    refused("A: lock B: call A C: unlock ret", SL_LOCK_CALLS, 'B', 1);
    accepted("A: lock B: call X C: unlock ret | X: ret");
    accepted("A: lock B: unlock C: call X ret | X: lock unlock ret");
    accepted("A: lock B: call X C: unlock ret | X: nop call Z ret | Y: lock unlock ret | Z: try "
             "untry ret");
}

/* What a call or a jump through a register leads to may take locks. */
TEST(test_calls_unknown)
{
    refused("A: lock B: call? C: unlock ret", SL_LOCK_CALLS, 'B', 1);
    assert_int_equal(findings[0].callee, 0);
    refused("A: lock B: call X C: unlock ret | X: nop call? ret", SL_LOCK_CALLS, 'B', 1);
    refused("A: lock B: call X C: unlock ret | X: nop jump?", SL_LOCK_CALLS, 'B', 1);
    accepted("A: lock B: unlock C: call? ret");
    accepted("A: call? ret | X: jump?"); /* nobody takes any */
}

/* A jump to an address made of the program counter and an offset, or through a table, stays in its
 * function; once there is a branch between the two it is any. */
TEST(test_computed)
{
    accepted("A: lock B: call X C: unlock ret | X: sum jump? nop ret");
    accepted("A: lock B: call X C: unlock ret | X: sum call? nop ret");
    refused("A: lock B: sum C: call? D: unlock ret", SL_LOCK_CALLS, 'C', 1);
    refused("A: lock B: call X C: unlock ret | X: sum if Y  Y: jump? nop ret", SL_LOCK_CALLS, 'B',
            1);
    accepted("A: lock B: call X C: unlock ret | X: entry jump? nop ret");
    refused("A: lock B: call X C: unlock ret | X: entry call? nop ret", SL_LOCK_CALLS, 'B', 1);
}

TEST(test_nested)
{
    const char *const nested = "A: lock B: lock C: unlock D: unlock ret";
    accepted(nested);
    check_with(nested, false);
    assert_int_equal(count, 1);
    found(0, SL_LOCK_NESTED, 'B', 1);
    check_with("A: lock B: unlock C: lock D: unlock ret | X: lock unlock ret", false);
    assert_int_equal(count, 0);
}

/* All that is wrong, by address. */
TEST(test_several)
{
    check_with("A: unlock B: lock C: call X D: if F  E: unlock F: nop G: ret | X: lock Y: ret",
               true);
    assert_int_equal(count, 5);
    found(0, SL_LOCK_MISSING, 'A', 0);
    found(1, SL_LOCK_CALLS, 'C', 1);
    found(2, SL_LOCK_DIFFERS, 'F', 1);
    found(3, SL_LOCK_KEPT, 'G', 1);
    found(4, SL_LOCK_KEPT, 'Y', 1);
}

static int free_findings(void **state)
{
    (void)state;
    free(findings);
    return 0;
}

TEST_GROUP(NULL, free_findings);
