/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The reconvergence stack, driven by hand: each test is a small piece of code whose lanes are
 * walked through, with the stack's entries checked at every step (papers/004 sections 1.3.2 and
 * 2.2.3). Locks are test_stack_locks.c's. */
#include <string.h>

#include "common/check.h"
#include "unit/simt/stack_steps.h"

/* if (c) { B } else { C }; D: lanes 0 to 3 take B. */
TEST(test_if_else)
{
    struct fixture f;

    begin(&f, A, 0xff);
    EXPECT(&f, CALL(0xff, A));
    part(&f, 0x0f, B, 0xf0, C, D);
    EXPECT(&f, CALL(0xff, D), ENTRY(0x0f, B, D), ENTRY(0xf0, C, D));
    go(&f, D); /* the end of C */
    EXPECT(&f, CALL(0xff, D), ENTRY(0x0f, B, D));
    go(&f, D); /* the end of B */
    EXPECT(&f, CALL(0xff, D));
    assert_int_equal(simt_stack_return_pc(&f.stack), PC_EXIT);
    assert_false(simt_stack_return(&f.stack));
}

/* if (c) { B }; D: a way that leads right to the reconvergence point gets no entry. */
TEST(test_if_without_else)
{
    struct fixture f;

    begin(&f, A, 0xff);
    part(&f, 0x0f, D, 0xf0, B, D);
    EXPECT(&f, CALL(0xff, D), ENTRY(0xf0, B, D));
    go(&f, D);
    EXPECT(&f, CALL(0xff, D));
}

/* An inner branch that reconverges where the outer one does leaves no entry of its own: whoever
 * is below waits there already. All entries of one place are popped at once. */
TEST(test_nested_with_the_same_end)
{
    struct fixture f;

    begin(&f, A, 0xff);
    part(&f, 0x0f, B, 0xf0, C, D);
    part(&f, 0x30, E, 0xc0, F, D);
    EXPECT(&f, CALL(0xff, D), ENTRY(0x0f, B, D), ENTRY(0x30, E, D), ENTRY(0xc0, F, D));
    go(&f, D);
    go(&f, D);
    EXPECT(&f, CALL(0xff, D), ENTRY(0x0f, B, D));
    go(&f, D);
    EXPECT(&f, CALL(0xff, D));
}

/* An inner branch that reconverges earlier, at G: outer entry, inner entry, its ways. */
TEST(test_nested_with_an_earlier_end)
{
    struct fixture f;

    begin(&f, A, 0xff);
    part(&f, 0x0f, B, 0xf0, C, D);
    part(&f, 0x30, E, 0xc0, F, G);
    EXPECT(&f, CALL(0xff, D), ENTRY(0x0f, B, D), ENTRY(0xf0, G, D), ENTRY(0x30, E, G),
           ENTRY(0xc0, F, G));
    go(&f, G);
    go(&f, G);
    EXPECT(&f, CALL(0xff, D), ENTRY(0x0f, B, D), ENTRY(0xf0, G, D));
    go(&f, D);
    EXPECT(&f, CALL(0xff, D), ENTRY(0x0f, B, D));
}

/* A: do { B } while (c); D. Each trip some lanes leave, which wait at D below; the stack does not
 * grow with the trips. */
TEST(test_loop)
{
    struct fixture f;

    begin(&f, A, 0x0f);
    part(&f, 0x0e, A, 0x01, D, D); /* lane 0 leaves */
    EXPECT(&f, CALL(0x0f, D), ENTRY(0x0e, A, D));
    part(&f, 0x0c, A, 0x02, D, D);
    EXPECT(&f, CALL(0x0f, D), ENTRY(0x0c, A, D));
    part(&f, 0x08, A, 0x04, D, D);
    EXPECT(&f, CALL(0x0f, D), ENTRY(0x08, A, D));
    go(&f, D);
    EXPECT(&f, CALL(0x0f, D));
}

/* A: loop { if (x) break; B: if (y) { C }; E: } F: a break inside the body leaves the loop for its
 * end while the others go on in the body. */
TEST(test_loop_with_break)
{
    struct fixture f;

    begin(&f, A, 0x0f);
    part(&f, 0x01, F, 0x0e, B, F); /* lane 0 breaks; F is the post-dominator */
    EXPECT(&f, CALL(0x0f, F), ENTRY(0x0e, B, F));
    part(&f, 0x06, C, 0x08, E, E);
    EXPECT(&f, CALL(0x0f, F), ENTRY(0x0e, E, F), ENTRY(0x06, C, E));
    go(&f, E);
    EXPECT(&f, CALL(0x0f, F), ENTRY(0x0e, E, F));
    go(&f, A);
    part(&f, 0x0c, F, 0x02, B, F); /* next trip: lanes 2 and 3 break */
    EXPECT(&f, CALL(0x0f, F), ENTRY(0x02, B, F));
    go(&f, E);
    go(&f, A);
    go(&f, F); /* the last lane breaks: no divergence */
    EXPECT(&f, CALL(0x0f, F));
}

/* Example 2 of papers/004: f(x) { A: x++; B: if (x == 1 && id > 4) C: f(x); D: x++; E: return x }.
 * Lanes above 4 pass D twice and return 4, the others 2. */
TEST(test_recursion_example_2)
{
    struct fixture f;
    int x[8] = {0};
    uint64_t deep = 0xe0; /* lanes 5, 6, 7 */

#define LANES_DO(statement)                                                                        \
    for (unsigned lane = 0; lane < 8; lane++) {                                                    \
        if (simt_stack_top(&f.stack)->mask >> lane & 1) {                                          \
            statement;                                                                             \
        }                                                                                          \
    }
    begin(&f, G, 0xff); /* the kernel calls f at G and comes back to G + 4 */
    assert_int_equal(simt_stack_call(&f.stack, A, G + 4), 0);
    EXPECT(&f, CALL(0xff, G + 4), CALL(0xff, A));
    LANES_DO(x[lane]++);
    go(&f, B);
    part(&f, deep, C, 0x1f, D, D); /* Figure 2.3 (a) */
    EXPECT(&f, CALL(0xff, G + 4), CALL(0xff, D), ENTRY(deep, C, D));
    assert_int_equal(simt_stack_call(&f.stack, A, D), 0); /* (b) */
    EXPECT(&f, CALL(0xff, G + 4), CALL(0xff, D), ENTRY(deep, D, D), CALL(deep, A));
    LANES_DO(x[lane]++);
    go(&f, B);
    go(&f, D); /* at the depth below D is a reconvergence point; here it is not */
    EXPECT(&f, CALL(0xff, G + 4), CALL(0xff, D), ENTRY(deep, D, D), CALL(deep, D));
    LANES_DO(x[lane]++);
    go(&f, E);
    assert_int_equal(simt_stack_return_pc(&f.stack), D);
    assert_true(simt_stack_return(&f.stack)); /* (c): two entries go at once */
    EXPECT(&f, CALL(0xff, G + 4), CALL(0xff, D));
    LANES_DO(x[lane]++);
    go(&f, E);
    assert_int_equal(simt_stack_return_pc(&f.stack), G + 4);
    assert_true(simt_stack_return(&f.stack));
    EXPECT(&f, CALL(0xff, G + 4));
    for (unsigned lane = 0; lane < 8; lane++) {
        assert_int_equal(x[lane], lane > 4 ? 4 : 2);
    }
#undef LANES_DO
}

/* In a function, some lanes return early, from a nested branch: they leave all entries of the call,
 * and wait in the caller's. The rest reconverges without them. */
TEST(test_divergent_return_in_a_call)
{
    struct fixture f;

    begin(&f, A, 0xff);
    part(&f, 0x80, G, 0x7f, B, G); /* the caller has diverged already */
    assert_int_equal(simt_stack_call(&f.stack, C, B + 4), 0);
    part(&f, 0x03, E, 0x7c, D, F);
    part(&f, 0x0c, E, 0x70, F, F);
    EXPECT(&f, CALL(0xff, G), ENTRY(0x7f, B + 4, G), CALL(0x7f, F), ENTRY(0x03, E, F),
           ENTRY(0x0c, E, F));
    assert_true(simt_stack_return(&f.stack)); /* lanes 2 and 3, from E */
    EXPECT(&f, CALL(0xff, G), ENTRY(0x7f, B + 4, G), CALL(0x73, F), ENTRY(0x03, E, F));
    go(&f, F); /* lanes 0 and 1 do not return */
    EXPECT(&f, CALL(0xff, G), ENTRY(0x7f, B + 4, G), CALL(0x73, F));
    assert_int_equal(simt_stack_return_pc(&f.stack), B + 4);
    assert_true(simt_stack_return(&f.stack));
    EXPECT(&f, CALL(0xff, G), ENTRY(0x7f, B + 4, G));
}

/* The same when all lanes of the call return from inside a branch: its call entry goes with the
 * last ones, and no empty entry is left behind. */
TEST(test_last_lanes_return_from_a_branch)
{
    struct fixture f;

    begin(&f, A, 0x0f);
    assert_int_equal(simt_stack_call(&f.stack, C, B), 0);
    part(&f, 0x03, E, 0x0c, D, F);
    assert_true(simt_stack_return(&f.stack));
    EXPECT(&f, CALL(0x0f, B), CALL(0x03, F), ENTRY(0x03, E, F));
    assert_true(simt_stack_return(&f.stack));
    EXPECT(&f, CALL(0x0f, B));
}

/* The kernel itself: its lanes end one after the other; the last ones end the wavefront. */
TEST(test_last_lanes_of_the_kernel)
{
    struct fixture f;

    begin(&f, A, 0x07);
    part(&f, 0x01, B, 0x06, C, D);
    assert_true(simt_stack_return(&f.stack)); /* lanes 1 and 2 end at C */
    EXPECT(&f, CALL(0x01, D), ENTRY(0x01, B, D));
    go(&f, D);
    EXPECT(&f, CALL(0x01, D));
    assert_false(simt_stack_return(&f.stack));
}

/* A branch without post-dominator: both ways return. The call entry stays as the boundary, at no
 * program counter, and goes with the last lanes. */
TEST(test_no_post_dominator_at_call_entry)
{
    struct fixture f;

    begin(&f, A, 0xff);
    assert_int_equal(simt_stack_call(&f.stack, C, B), 0);
    part(&f, 0x0f, D, 0xf0, E, PC_NONE);
    EXPECT(&f, CALL(0xff, B), CALL(0xff, PC_NONE), ENTRY(0x0f, D, PC_NONE),
           ENTRY(0xf0, E, PC_NONE));
    part(&f, 0x30, F, 0xc0, G, PC_NONE); /* again inside: the same boundary */
    EXPECT(&f, CALL(0xff, B), CALL(0xff, PC_NONE), ENTRY(0x0f, D, PC_NONE), ENTRY(0x30, F, PC_NONE),
           ENTRY(0xc0, G, PC_NONE));
    assert_int_equal(simt_stack_return_pc(&f.stack), B);
    assert_true(simt_stack_return(&f.stack));
    assert_true(simt_stack_return(&f.stack));
    EXPECT(&f, CALL(0xff, B), CALL(0x0f, PC_NONE), ENTRY(0x0f, D, PC_NONE));
    assert_true(simt_stack_return(&f.stack));
    EXPECT(&f, CALL(0xff, B));
}

/* Without post-dominator inside a branch that has one: the lanes meet at the outer one's. */
TEST(test_no_post_dominator_inside_a_branch)
{
    struct fixture f;

    begin(&f, A, 0xff);
    part(&f, 0x0f, B, 0xf0, C, D);
    part(&f, 0x30, E, 0xc0, F, PC_NONE);
    EXPECT(&f, CALL(0xff, D), ENTRY(0x0f, B, D), ENTRY(0x30, E, D), ENTRY(0xc0, F, D));
    go(&f, D);
    assert_true(simt_stack_return(&f.stack)); /* lanes 4 and 5 end at E */
    EXPECT(&f, CALL(0xcf, D), ENTRY(0x0f, B, D));
}

/* An indirect jump may go many ways; one of them may be the reconvergence point. */
TEST(test_many_directions)
{
    struct fixture f;
    const struct stack_direction ways[] = {{0x03, B}, {0x0c, D}, {0x30, C}, {0xc0, E}};

    begin(&f, A, 0xff);
    assert_int_equal(simt_stack_diverge(&f.stack, ways, 4, D), 0);
    EXPECT(&f, CALL(0xff, D), ENTRY(0x03, B, D), ENTRY(0x30, C, D), ENTRY(0xc0, E, D));
}

/* What does not fit leaves the stack as it is: the fault is reported for the lanes and the place
 * that wanted more. */
TEST(test_overflow)
{
    struct fixture f;
    struct stack_entry before[CAPACITY];
    const struct stack_direction ways[] = {{0x0f, B}, {0xf0, C}};

    begin(&f, A, 0xff);
    f.stack.capacity = 4;
    part(&f, 0x0f, B, 0xf0, C, D); /* 3 entries */
    memcpy(before, f.entries, sizeof before);
    const struct stack_direction inner[] = {{0x30, E}, {0xc0, F}};
    assert_int_equal(simt_stack_diverge(&f.stack, inner, 2, G), -1); /* would be 5 */
    assert_int_equal(f.stack.depth, 3);
    assert_memory_equal(f.entries, before, sizeof before);

    /* In place of the top entry, the same two ways fit. */
    assert_int_equal(simt_stack_diverge(&f.stack, inner, 2, D), 0);
    assert_int_equal(f.stack.depth, 4);
    memcpy(before, f.entries, sizeof before);
    assert_int_equal(simt_stack_call(&f.stack, A, F + 4), -1);
    assert_int_equal(f.stack.depth, 4);
    assert_memory_equal(f.entries, before, sizeof before);

    begin(&f, A, 0xff);
    f.stack.capacity = 2; /* one way is the reconvergence point itself: 2 entries */
    part(&f, 0x0f, D, 0xf0, C, D);
    begin(&f, A, 0xff);
    f.stack.capacity = 2;
    assert_int_equal(simt_stack_diverge(&f.stack, ways, 2, PC_NONE), -1);
    EXPECT(&f, CALL(0xff, A));
}
