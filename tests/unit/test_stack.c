/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The reconvergence stack, driven by hand: each test is a small piece of code whose lanes are
 * walked through, with the stack's entries checked at every step (papers/004 sections 1.3.2 and
 * 2.2.3; of locks, sections 4.1 to 4.5, where lane i is its thread i + 1). Program counters are
 * letters of the pieces, times 4. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "simt/lock/lock_stack.h"

#define CAPACITY 16

enum place { A = 4, B = 8, C = 12, D = 16, E = 20, F = 24, G = 28, H = 32, I = 36, J = 40, K = 44 };

struct fixture {
    struct stack_entry entries[CAPACITY];
    struct simt_stack stack;
    const struct lock_stack_ops *locks;
    uint16_t unlocks[LANES];
};

static void begin(struct fixture *f, uint32_t pc, uint64_t mask)
{
    memset(f, 0, sizeof *f);
    f->stack.entries = f->entries;
    f->stack.capacity = CAPACITY;
    simt_stack_begin(&f->stack, pc, mask);
}

/* The whole stack, bottom first. */
static void expect(const struct fixture *f, const struct stack_entry *entries, uint32_t count)
{
    assert_int_equal(f->stack.depth, count);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(f->entries[i].mask, entries[i].mask);
        assert_int_equal(f->entries[i].pc, entries[i].pc);
        assert_int_equal(f->entries[i].reconvergence, entries[i].reconvergence);
        assert_int_equal(f->entries[i].kind, entries[i].kind);
    }
}

#define EXPECT(f, ...)                                                                             \
    expect(f, (const struct stack_entry[]){__VA_ARGS__},                                           \
           sizeof((const struct stack_entry[]){__VA_ARGS__}) / sizeof(struct stack_entry))
#define CALL(mask, pc)                                                                             \
    {                                                                                              \
        (mask), (pc), PC_NONE, STACK_CALL, 0                                                       \
    }
#define ENTRY(mask, pc, reconvergence)                                                             \
    {                                                                                              \
        (mask), (pc), (reconvergence), STACK_PLAIN, 0                                              \
    }

/* The lanes of the top entry go on at `pc`. */
static void go(struct fixture *f, uint32_t pc)
{
    simt_stack_top(&f->stack)->pc = pc;
    simt_stack_reconverge(&f->stack);
}

/* Two ways; the lanes of `second` go first. */
static void part(struct fixture *f, uint64_t first, uint32_t first_pc, uint64_t second,
                 uint32_t second_pc, uint32_t reconvergence)
{
    const struct stack_direction ways[] = {{first, first_pc}, {second, second_pc}};
    assert_int_equal(simt_stack_diverge(&f->stack, ways, 2, reconvergence), 0);
}

/* if (c) { B } else { C }; D: lanes 0 to 3 take B. */
static void test_if_else(void **state)
{
    (void)state;
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
static void test_if_without_else(void **state)
{
    (void)state;
    struct fixture f;

    begin(&f, A, 0xff);
    part(&f, 0x0f, D, 0xf0, B, D);
    EXPECT(&f, CALL(0xff, D), ENTRY(0xf0, B, D));
    go(&f, D);
    EXPECT(&f, CALL(0xff, D));
}

/* An inner branch that reconverges where the outer one does leaves no entry of its own: whoever
 * is below waits there already. All entries of one place are popped at once. */
static void test_nested_with_the_same_end(void **state)
{
    (void)state;
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
static void test_nested_with_an_earlier_end(void **state)
{
    (void)state;
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
static void test_loop(void **state)
{
    (void)state;
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
static void test_loop_with_break(void **state)
{
    (void)state;
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
static void test_recursion_example_2(void **state)
{
    (void)state;
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
static void test_divergent_return_in_a_call(void **state)
{
    (void)state;
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
static void test_last_lanes_return_from_a_branch(void **state)
{
    (void)state;
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
static void test_last_lanes_of_the_kernel(void **state)
{
    (void)state;
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
static void test_no_post_dominator_at_call_entry(void **state)
{
    (void)state;
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
static void test_no_post_dominator_inside_a_branch(void **state)
{
    (void)state;
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
static void test_many_directions(void **state)
{
    (void)state;
    struct fixture f;
    const struct stack_direction ways[] = {{0x03, B}, {0x0c, D}, {0x30, C}, {0xc0, E}};

    begin(&f, A, 0xff);
    assert_int_equal(simt_stack_diverge(&f.stack, ways, 4, D), 0);
    EXPECT(&f, CALL(0xff, D), ENTRY(0x03, B, D), ENTRY(0x30, C, D), ENTRY(0xc0, E, D));
}

/* What does not fit leaves the stack as it is: the fault is reported for the lanes and the place
 * that wanted more. */
static void test_overflow(void **state)
{
    (void)state;
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

/* ---- locks: lock.stack = thesis ---- */

static void begin_locks(struct fixture *f, const struct lock_stack_ops *locks, uint64_t mask)
{
    begin(f, A, mask);
    f->locks = locks;
}

/* Entries of a kind, at a level. */
#define AT(mask, pc, reconvergence, KIND, level)                                                   \
    {                                                                                              \
        (mask), (pc), (reconvergence), STACK_##KIND, (level)                                       \
    }
#define EXPECT_AT(f, ...)                                                                          \
    do {                                                                                           \
        EXPECT(f, __VA_ARGS__);                                                                    \
        expect_levels(f, (const struct stack_entry[]){__VA_ARGS__});                               \
    } while (0)

static void expect_levels(const struct fixture *f, const struct stack_entry *entries)
{
    for (uint32_t i = 0; i < f->stack.depth; i++) {
        assert_int_equal(f->entries[i].level, entries[i].level);
    }
}

/* The top's lanes execute the lock where they are. */
static void lock(struct fixture *f, uint32_t join)
{
    const uint32_t pc = simt_stack_top(&f->stack)->pc;
    assert_int_equal(f->locks->lock(&f->stack, &(struct lock_place){pc, pc + 4, join}), 0);
    assert_int_equal(simt_stack_top(&f->stack)->kind, STACK_RETRY);
    assert_int_equal(simt_stack_top(&f->stack)->pc, pc);
}

/* The same, and these win. */
static void lock_and_win(struct fixture *f, uint32_t join, uint64_t winners)
{
    const uint32_t pc = simt_stack_top(&f->stack)->pc;
    lock(f, join);
    assert_int_equal(f->locks->win(&f->stack, &(struct lock_place){pc, pc + 4, join}, winners), 0);
}

/* The same, and none wins. */
static void lock_and_lose(struct fixture *f, uint32_t join)
{
    lock(f, join);
    (void)f->locks->lose(&f->stack);
}

static void unlock(struct fixture *f)
{
    (void)f->locks->unlock(&f->stack, simt_stack_top(&f->stack)->pc + 4, f->unlocks);
}

/* As an instruction that is no lock's goes on (simt/issue): entries without lanes are popped. */
static void come_to(struct fixture *f, uint32_t pc)
{
    go(f, pc);
    if (simt_stack_top(&f->stack)->mask == 0) {
        lock_stack_settle(&f->stack);
    }
}

/* Example 9: lock A; B; unlock C; D. Lanes 0 to 3 win first (Figures 4.1 and 4.2). */
static void test_thesis_example_9(void **state)
{
    (void)state;
    struct fixture f;

    begin_locks(&f, &lock_stack_thesis, 0xff);
    lock(&f, PC_NONE);
    EXPECT_AT(&f, AT(0xff, A, PC_NONE, CALL, 0), AT(0xff, A, PC_NONE, RETRY, 1));
    lock_and_win(&f, PC_NONE, 0x0f);
    EXPECT_AT(&f, AT(0xff, A, PC_NONE, CALL, 0), AT(0xff, A, PC_NONE, RETRY, 1),
              AT(0x0f, B, PC_NONE, LOCK, 2));
    come_to(&f, C);
    unlock(&f);
    EXPECT_AT(&f, AT(0xff, D, PC_NONE, CALL, 0), AT(0xf0, A, PC_NONE, RETRY, 1));
    lock_and_lose(&f, PC_NONE); /* nobody has won: LR stays, and executes A again */
    EXPECT_AT(&f, AT(0xff, D, PC_NONE, CALL, 0), AT(0xf0, A, PC_NONE, RETRY, 1));
    lock_and_win(&f, PC_NONE, 0xf0);
    come_to(&f, C);
    unlock(&f);
    EXPECT_AT(&f, AT(0xff, D, PC_NONE, CALL, 0));
}

/* Example 10: lock A; B: if (c) { C; unlock D; E: break } unlock F; G is behind the loop. Lanes 0
 * and 1 take C (Figure 4.3). */
static void test_thesis_example_10(void **state)
{
    (void)state;
    struct fixture f;

    begin_locks(&f, &lock_stack_thesis, 0xff);
    lock_and_win(&f, PC_NONE, 0x0f);
    part(&f, 0x0c, F, 0x03, C, G);
    EXPECT_AT(&f, AT(0xff, A, PC_NONE, CALL, 0), AT(0xff, A, PC_NONE, RETRY, 1),
              AT(0x0f, G, PC_NONE, LOCK, 2), AT(0x0c, F, G, PLAIN, 3), AT(0x03, C, G, PLAIN, 3));
    come_to(&f, D);
    unlock(&f); /* (c): LR and L are below; the top goes on */
    EXPECT_AT(&f, AT(0xff, A, PC_NONE, CALL, 0), AT(0xfc, A, PC_NONE, RETRY, 1),
              AT(0x0c, G, PC_NONE, LOCK, 2), AT(0x0c, F, G, PLAIN, 3), AT(0x03, E, G, PLAIN, 3));
    come_to(&f, G);
    unlock(&f); /* (d): behind F is G; L comes on top, without lanes, and says where it was */
    EXPECT_AT(&f, AT(0xff, G, PC_NONE, CALL, 0), AT(0xf0, A, PC_NONE, RETRY, 1));
}

/* Example 11, nested: lock A; lock B; C; D: if (c) { E; unlock F } else { G; unlock H } I; unlock
 * J. Threads 1 to 4, 7 and 8 take the first lock, 1 to 4 the second one (Figure 4.4). */
static void test_thesis_example_11(void **state)
{
    (void)state;
    struct fixture f;

    begin_locks(&f, &lock_stack_thesis, 0xff);
    lock_and_win(&f, PC_NONE, 0xcf);
    lock_and_win(&f, PC_NONE, 0x0f);
    come_to(&f, D);
    part(&f, 0x0c, G, 0x03, E, I); /* (b) */
    EXPECT_AT(&f, AT(0xff, A, PC_NONE, CALL, 0), AT(0xff, A, PC_NONE, RETRY, 1),
              AT(0xcf, B, PC_NONE, LOCK, 2), AT(0xcf, B, PC_NONE, RETRY, 3),
              AT(0x0f, I, PC_NONE, LOCK, 4), AT(0x0c, G, I, PLAIN, 5), AT(0x03, E, I, PLAIN, 5));
    come_to(&f, F);
    unlock(&f); /* (c) */
    assert_int_equal(f.unlocks[0], 1);
    EXPECT_AT(&f, AT(0xff, A, PC_NONE, CALL, 0), AT(0xff, A, PC_NONE, RETRY, 1),
              AT(0xcf, B, PC_NONE, LOCK, 2), AT(0xcc, B, PC_NONE, RETRY, 3),
              AT(0x0f, I, PC_NONE, LOCK, 4), AT(0x0c, G, I, PLAIN, 5), AT(0x03, G, I, PLAIN, 5));
    come_to(&f, I);
    come_to(&f, H);
    unlock(&f); /* (d): behind H is I */
    EXPECT_AT(&f, AT(0xff, A, PC_NONE, CALL, 0), AT(0xff, A, PC_NONE, RETRY, 1),
              AT(0xcf, B, PC_NONE, LOCK, 2), AT(0xc0, B, PC_NONE, RETRY, 3),
              AT(0x0f, I, PC_NONE, LOCK, 4));
    come_to(&f, J);
    unlock(&f); /* (e): out of all down to the lowest LR, and of the topmost L */
    EXPECT_AT(&f, AT(0xff, A, PC_NONE, CALL, 0), AT(0xf0, A, PC_NONE, RETRY, 1),
              AT(0xc0, K, PC_NONE, LOCK, 2), AT(0xc0, B, PC_NONE, RETRY, 3));
    assert_int_equal(f.unlocks[0] + f.unlocks[3], 0);
    lock_and_win(&f, PC_NONE, 0xc0); /* threads 7 and 8 at B */
    come_to(&f, F);
    unlock(&f);
    come_to(&f, J);
    unlock(&f);
    EXPECT_AT(&f, AT(0xff, K, PC_NONE, CALL, 0), AT(0x30, A, PC_NONE, RETRY, 1));
    lock_and_win(&f, PC_NONE, 0x30); /* threads 5 and 6 at A */
    lock_and_win(&f, PC_NONE, 0x30);
    come_to(&f, H);
    unlock(&f);
    come_to(&f, J);
    unlock(&f);
    EXPECT_AT(&f, AT(0xff, K, PC_NONE, CALL, 0));
}

/* Three levels: a lane leaves each entry once. */
static void test_thesis_three_levels(void **state)
{
    (void)state;
    struct fixture f;

    begin_locks(&f, &lock_stack_thesis, 0x03);
    lock_and_win(&f, PC_NONE, 0x01);
    lock_and_win(&f, PC_NONE, 0x01);
    lock_and_win(&f, PC_NONE, 0x01);
    unlock(&f);
    unlock(&f); /* down to LR number 1 */
    EXPECT_AT(&f, AT(0x03, A, PC_NONE, CALL, 0), AT(0x03, A, PC_NONE, RETRY, 1),
              AT(0x01, B, PC_NONE, LOCK, 2), AT(0x00, B, PC_NONE, RETRY, 3),
              AT(0x00, C, PC_NONE, LOCK, 4), AT(0x00, C, PC_NONE, RETRY, 5),
              AT(0x01, F, PC_NONE, LOCK, 6));
    assert_int_equal(f.unlocks[0], 2);
    unlock(&f);
    EXPECT_AT(&f, AT(0x03, G, PC_NONE, CALL, 0), AT(0x02, A, PC_NONE, RETRY, 1));
    assert_int_equal(f.unlocks[0], 0);
}

/* Where it goes astray (a): lock A; B: if (c) { C; unlock D; E } else { unlock F; G }. Round one
 * leaves by F, round two by D: the lanes of both go on where the last one was. */
static void test_thesis_keeps_one_place(void **state)
{
    (void)state;
    struct fixture f;

    begin_locks(&f, &lock_stack_thesis, 0x03);
    lock_and_win(&f, PC_NONE, 0x01);
    come_to(&f, F);
    unlock(&f);
    EXPECT_AT(&f, AT(0x03, G, PC_NONE, CALL, 0), AT(0x02, A, PC_NONE, RETRY, 1));
    lock_and_win(&f, PC_NONE, 0x02);
    come_to(&f, D);
    unlock(&f);
    EXPECT_AT(&f, AT(0x03, E, PC_NONE, CALL, 0)); /* lane 0, which was at G, executes E, too */
}

/* (b), Example 13: lock A; B: if (c) { lock C; D; unlock E } F; unlock G. Lane 0 wants at C what
 * lane 1 holds, which waits for it at F: whatever is tried, LR stays on top. */
static void test_thesis_example_13(void **state)
{
    (void)state;
    struct fixture f;

    begin_locks(&f, &lock_stack_thesis, 0x03);
    lock_and_win(&f, PC_NONE, 0x03);
    part(&f, 0x02, F, 0x01, C, F);
    for (unsigned i = 0; i < 3; i++) {
        lock_and_lose(&f, PC_NONE);
        EXPECT_AT(&f, AT(0x03, A, PC_NONE, CALL, 0), AT(0x03, A, PC_NONE, RETRY, 1),
                  AT(0x03, F, PC_NONE, LOCK, 2), AT(0x01, C, F, PLAIN, 3),
                  AT(0x01, C, PC_NONE, RETRY, 4));
    }
}

/* (c), three ordered locks: lock A; lock B; lock C. Lane 1 lost the second, for which lane 0 came
 * first, and holds its own first, which lane 0 wants third. */
static void test_thesis_three_ordered(void **state)
{
    (void)state;
    struct fixture f;

    begin_locks(&f, &lock_stack_thesis, 0x03);
    lock_and_win(&f, PC_NONE, 0x03);
    lock_and_win(&f, PC_NONE, 0x01);
    for (unsigned i = 0; i < 3; i++) {
        lock_and_lose(&f, PC_NONE);
        EXPECT_AT(&f, AT(0x03, A, PC_NONE, CALL, 0), AT(0x03, A, PC_NONE, RETRY, 1),
                  AT(0x03, B, PC_NONE, LOCK, 2), AT(0x03, B, PC_NONE, RETRY, 3),
                  AT(0x01, C, PC_NONE, LOCK, 4), AT(0x01, C, PC_NONE, RETRY, 5));
    }
}

/* ---- locks: lock.stack = join ---- */

/* Example 9, with D as its join: each round waits there. */
static void test_join_example_9(void **state)
{
    (void)state;
    struct fixture f;

    begin_locks(&f, &lock_stack_join, 0xff);
    lock(&f, D);
    EXPECT_AT(&f, AT(0xff, D, PC_NONE, CALL, 0), AT(0xff, A, D, RETRY, 1));
    lock_and_win(&f, D, 0x0f);
    EXPECT_AT(&f, AT(0xff, D, PC_NONE, CALL, 0), AT(0xf0, A, D, RETRY, 1), AT(0x0f, B, D, LOCK, 1));
    go(&f, C);
    unlock(&f);
    EXPECT_AT(&f, AT(0xff, D, PC_NONE, CALL, 0), AT(0xf0, A, D, RETRY, 1));
    lock_and_lose(&f, D); /* no other way */
    EXPECT_AT(&f, AT(0xff, D, PC_NONE, CALL, 0), AT(0xf0, A, D, RETRY, 1));
    lock_and_win(&f, D, 0xf0); /* the last ones: LR is popped */
    EXPECT_AT(&f, AT(0xff, D, PC_NONE, CALL, 0), AT(0xf0, B, D, LOCK, 1));
    go(&f, C);
    unlock(&f);
    EXPECT_AT(&f, AT(0xff, D, PC_NONE, CALL, 0));
}

/* Example 10: the lock joins at G, as do the branch and the if around it, whose entry it takes. */
static void test_join_example_10(void **state)
{
    (void)state;
    struct fixture f;

    begin_locks(&f, &lock_stack_join, 0xff);
    part(&f, 0x80, G, 0x7f, A, G); /* lane 7 does not take the lock */
    lock_and_win(&f, G, 0x0f);
    EXPECT_AT(&f, AT(0xff, G, PC_NONE, CALL, 0), AT(0x70, A, G, RETRY, 1), AT(0x0f, B, G, LOCK, 1));
    part(&f, 0x0c, F, 0x03, C, G);
    EXPECT_AT(&f, AT(0xff, G, PC_NONE, CALL, 0), AT(0x70, A, G, RETRY, 1), AT(0x0c, F, G, PLAIN, 1),
              AT(0x03, C, G, PLAIN, 1));
    go(&f, D);
    unlock(&f);
    go(&f, G);
    EXPECT_AT(&f, AT(0xff, G, PC_NONE, CALL, 0), AT(0x70, A, G, RETRY, 1),
              AT(0x0c, F, G, PLAIN, 1));
    unlock(&f);
    EXPECT_AT(&f, AT(0xff, G, PC_NONE, CALL, 0), AT(0x70, A, G, RETRY, 1));
    lock_and_win(&f, G, 0x70);
    go(&f, F);
    unlock(&f);
    EXPECT_AT(&f, AT(0xff, G, PC_NONE, CALL, 0));
}

/* Example 11: both locks join at K, behind J. The branch at D, of depth 2, meets at I, of depth 1.
 * A winner of both goes through to K; then who waits for the second lock, then for the first. */
static void test_join_example_11(void **state)
{
    (void)state;
    struct fixture f;

    begin_locks(&f, &lock_stack_join, 0xff);
    lock_and_win(&f, K, 0xcf);
    EXPECT_AT(&f, AT(0xff, K, PC_NONE, CALL, 0), AT(0x30, A, K, RETRY, 1), AT(0xcf, B, K, LOCK, 1));
    lock_and_win(&f, K, 0x0f);
    EXPECT_AT(&f, AT(0xff, K, PC_NONE, CALL, 0), AT(0x30, A, K, RETRY, 1), AT(0xc0, B, K, RETRY, 1),
              AT(0x0f, C, K, LOCK, 1));
    go(&f, D);
    part(&f, 0x0c, G, 0x03, E, I);
    EXPECT_AT(&f, AT(0xff, K, PC_NONE, CALL, 0), AT(0x30, A, K, RETRY, 1), AT(0xc0, B, K, RETRY, 1),
              AT(0x0f, I, K, LOCK, 1), AT(0x0c, G, I, PLAIN, 2), AT(0x03, E, I, PLAIN, 2));
    go(&f, F);
    unlock(&f);
    go(&f, I);
    go(&f, H);
    unlock(&f);
    EXPECT_AT(&f, AT(0xff, K, PC_NONE, CALL, 0), AT(0x30, A, K, RETRY, 1), AT(0xc0, B, K, RETRY, 1),
              AT(0x0f, I, K, LOCK, 1));
    go(&f, J);
    unlock(&f);
    EXPECT_AT(&f, AT(0xff, K, PC_NONE, CALL, 0), AT(0x30, A, K, RETRY, 1),
              AT(0xc0, B, K, RETRY, 1));
    lock_and_win(&f, K, 0xc0);
    go(&f, H);
    unlock(&f);
    go(&f, J);
    unlock(&f);
    EXPECT_AT(&f, AT(0xff, K, PC_NONE, CALL, 0), AT(0x30, A, K, RETRY, 1));
    lock_and_win(&f, K, 0x30);
    lock_and_win(&f, K, 0x30);
    EXPECT_AT(&f, AT(0xff, K, PC_NONE, CALL, 0), AT(0x30, C, K, LOCK, 1));
    go(&f, H);
    unlock(&f);
    go(&f, J);
    unlock(&f);
    EXPECT_AT(&f, AT(0xff, K, PC_NONE, CALL, 0));
}

/* Example 12: A: if (c) { lock B; C } else { lock D } E; unlock F; G. The branch may lock before it
 * meets at E, of depth 1: it meets at G, as do both locks. Each way goes through alone. */
static void test_join_example_12(void **state)
{
    (void)state;
    struct fixture f;

    begin_locks(&f, &lock_stack_join, 0x0f);
    part(&f, 0x0c, D, 0x03, B, G);
    lock_and_win(&f, G, 0x01);
    EXPECT_AT(&f, AT(0x0f, G, PC_NONE, CALL, 0), AT(0x0c, D, G, PLAIN, 1), AT(0x02, B, G, RETRY, 1),
              AT(0x01, C, G, LOCK, 1));
    go(&f, F);
    unlock(&f);
    lock_and_win(&f, G, 0x02);
    go(&f, F);
    unlock(&f);
    EXPECT_AT(&f, AT(0x0f, G, PC_NONE, CALL, 0), AT(0x0c, D, G, PLAIN, 1));
    lock_and_win(&f, G, 0x0c);
    go(&f, F);
    unlock(&f);
    EXPECT_AT(&f, AT(0x0f, G, PC_NONE, CALL, 0));
}

/* Example 13: the lock at C joins at H, behind the unlock at G, and so does the branch at B, which
 * may lock. Lane 1, which holds what lane 0 wants at C, gets its turn. */
static void test_join_example_13(void **state)
{
    (void)state;
    struct fixture f;

    begin_locks(&f, &lock_stack_join, 0x03);
    lock_and_win(&f, H, 0x03);
    part(&f, 0x02, F, 0x01, C, H);
    EXPECT_AT(&f, AT(0x03, H, PC_NONE, CALL, 0), AT(0x02, F, H, PLAIN, 1),
              AT(0x01, C, H, PLAIN, 1));
    lock_and_lose(&f, H);
    EXPECT_AT(&f, AT(0x03, H, PC_NONE, CALL, 0), AT(0x01, C, H, RETRY, 1),
              AT(0x02, F, H, PLAIN, 1));
    go(&f, G);
    unlock(&f);
    EXPECT_AT(&f, AT(0x03, H, PC_NONE, CALL, 0), AT(0x01, C, H, RETRY, 1));
    lock_and_win(&f, H, 0x01);
    go(&f, E);
    unlock(&f);
    go(&f, G);
    unlock(&f);
    EXPECT_AT(&f, AT(0x03, H, PC_NONE, CALL, 0));
}

/* (a): each round leaves by its own unlock, and executes what is behind it, up to the join. */
static void test_join_of_different_unlocks(void **state)
{
    (void)state;
    struct fixture f;

    begin_locks(&f, &lock_stack_join, 0x03);
    lock_and_win(&f, H, 0x01);
    go(&f, F);
    unlock(&f);
    EXPECT_AT(&f, AT(0x03, H, PC_NONE, CALL, 0), AT(0x02, A, H, RETRY, 1), AT(0x01, G, H, LOCK, 1));
    go(&f, H);
    lock_and_win(&f, H, 0x02);
    go(&f, D);
    unlock(&f);
    EXPECT_AT(&f, AT(0x03, H, PC_NONE, CALL, 0), AT(0x02, E, H, LOCK, 1));
    go(&f, H);
    EXPECT_AT(&f, AT(0x03, H, PC_NONE, CALL, 0));
}

/* (c): three ordered locks at A, B, C; unlocks at D, E, F; join G. Lane 1 has lost the second and
 * holds what lane 0 wants third: it comes on top, and when lane 0 loses again, lane 1 has its turn
 * again; here it wins the second, which another wavefront held. */
static void test_join_of_three_ordered(void **state)
{
    (void)state;
    struct fixture f;

    begin_locks(&f, &lock_stack_join, 0x03);
    lock_and_win(&f, G, 0x03);
    lock_and_win(&f, G, 0x01);
    EXPECT_AT(&f, AT(0x03, G, PC_NONE, CALL, 0), AT(0x02, B, G, RETRY, 1), AT(0x01, C, G, LOCK, 1));
    lock_and_lose(&f, G);
    EXPECT_AT(&f, AT(0x03, G, PC_NONE, CALL, 0), AT(0x01, C, G, RETRY, 1),
              AT(0x02, B, G, RETRY, 1));
    lock_and_lose(&f, G);
    EXPECT_AT(&f, AT(0x03, G, PC_NONE, CALL, 0), AT(0x02, B, G, RETRY, 1),
              AT(0x01, C, G, RETRY, 1));
    lock_and_lose(&f, G);
    lock_and_win(&f, G, 0x02);
    lock_and_win(&f, G, 0x02);
    for (unsigned i = 0; i < 3; i++) {
        unlock(&f);
    }
    EXPECT_AT(&f, AT(0x03, G, PC_NONE, CALL, 0), AT(0x01, C, G, RETRY, 1));
    lock_and_win(&f, G, 0x01);
    for (unsigned i = 0; i < 3; i++) {
        unlock(&f);
    }
    EXPECT_AT(&f, AT(0x03, G, PC_NONE, CALL, 0));
}

/* lock(p) A; B: if (c) { lock(q) C; unlock(q) D; unlock(p) E; x() F } else unlock(p) G; H. The
 * branch may lock at depth 1: it meets at H, as A does, but C joins in front of x(), at F, of depth
 * 0. Lanes 0 and 1 want q, which is lane 2's p: they have no siblings, but the entry that they
 * stand on has. */
static void test_join_rotates_all_levels(void **state)
{
    (void)state;
    struct fixture f;

    begin_locks(&f, &lock_stack_join, 0x07);
    lock_and_win(&f, H, 0x07);
    part(&f, 0x04, G, 0x03, C, H);
    lock_and_lose(&f, F);
    EXPECT_AT(&f, AT(0x07, H, PC_NONE, CALL, 0), AT(0x03, F, H, PLAIN, 1), AT(0x03, C, F, RETRY, 2),
              AT(0x04, G, H, PLAIN, 1));
    unlock(&f);
    EXPECT_AT(&f, AT(0x07, H, PC_NONE, CALL, 0), AT(0x03, F, H, PLAIN, 1),
              AT(0x03, C, F, RETRY, 2));
    lock_and_win(&f, F, 0x01);
    EXPECT_AT(&f, AT(0x07, H, PC_NONE, CALL, 0), AT(0x03, F, H, PLAIN, 1), AT(0x02, C, F, RETRY, 2),
              AT(0x01, D, F, LOCK, 2));
    (void)lock_stack_join.lose(&f.stack); /* one level has other ways */
    EXPECT_AT(&f, AT(0x07, H, PC_NONE, CALL, 0), AT(0x03, F, H, PLAIN, 1), AT(0x01, D, F, LOCK, 2),
              AT(0x02, C, F, RETRY, 2));
}

/* f(n) { A: if (n) { B: lock; C: f(n - 1) -- refused by the analysis, but not by the stack --}. A
 * call in a way: its entry moves with its caller's; lanes return from under others' blocks. */
static void test_join_rotates_calls(void **state)
{
    (void)state;
    struct fixture f;

    begin_locks(&f, &lock_stack_join, 0x0f);
    part(&f, 0x0c, E, 0x03, B, H);
    assert_int_equal(simt_stack_call(&f.stack, A, C), 0);
    lock_and_lose(&f, D); /* the callee's own join; entry by entry, program counters recur */
    EXPECT_AT(&f, AT(0x0f, H, PC_NONE, CALL, 0), AT(0x03, C, H, PLAIN, 1),
              AT(0x03, D, PC_NONE, CALL, 2), AT(0x03, A, D, RETRY, 3), AT(0x0c, E, H, PLAIN, 1));
    assert_int_equal(simt_stack_return_pc(&f.stack), PC_EXIT); /* not the call below it */
    assert_int_equal(simt_stack_call(&f.stack, A, F), 0);      /* the same function */
    assert_int_equal(simt_stack_return_pc(&f.stack), F);
    lock_and_win(&f, D, 0x04);
    EXPECT_AT(&f, AT(0x0f, H, PC_NONE, CALL, 0), AT(0x03, C, H, PLAIN, 1),
              AT(0x03, D, PC_NONE, CALL, 2), AT(0x03, A, D, RETRY, 3), AT(0x0c, F, H, PLAIN, 1),
              AT(0x0c, D, PC_NONE, CALL, 2), AT(0x08, A, D, RETRY, 3), AT(0x04, B, D, LOCK, 3));
    assert_int_equal(simt_stack_return_pc(&f.stack), F);
    assert_true(simt_stack_return(&f.stack)); /* lane 2 returns before the join */
    EXPECT_AT(&f, AT(0x0f, H, PC_NONE, CALL, 0), AT(0x03, C, H, PLAIN, 1),
              AT(0x03, D, PC_NONE, CALL, 2), AT(0x03, A, D, RETRY, 3), AT(0x0c, F, H, PLAIN, 1),
              AT(0x08, D, PC_NONE, CALL, 2), AT(0x08, A, D, RETRY, 3));
    lock_and_lose(&f, D);
    EXPECT_AT(&f, AT(0x0f, H, PC_NONE, CALL, 0), AT(0x0c, F, H, PLAIN, 1),
              AT(0x08, D, PC_NONE, CALL, 2), AT(0x08, A, D, RETRY, 3), AT(0x03, C, H, PLAIN, 1),
              AT(0x03, D, PC_NONE, CALL, 2), AT(0x03, A, D, RETRY, 3));
    lock_and_win(&f, D, 0x03);
    go(&f, D);
    assert_int_equal(simt_stack_return_pc(&f.stack), C);
    assert_true(simt_stack_return(&f.stack));
    go(&f, H);
    EXPECT_AT(&f, AT(0x0f, H, PC_NONE, CALL, 0), AT(0x0c, F, H, PLAIN, 1),
              AT(0x08, D, PC_NONE, CALL, 2), AT(0x08, A, D, RETRY, 3));
}

/* The way of an entry comes on top at once, from under others, with the rest in order. */
static void test_join_raises(void **state)
{
    (void)state;
    struct fixture f;

    begin_locks(&f, &lock_stack_join, 0x3f);
    part(&f, 0x38, E, 0x07, B, H);
    lock_and_win(&f, G, 0x01); /* under G: LR of lanes 1 and 2, L of lane 0 */
    assert_int_equal(lock_stack_join.raise(&f.stack, 1), 1);
    EXPECT_AT(&f, AT(0x3f, H, PC_NONE, CALL, 0), AT(0x07, G, H, PLAIN, 1), AT(0x06, B, G, RETRY, 2),
              AT(0x01, C, G, LOCK, 2), AT(0x38, E, H, PLAIN, 1));
    assert_int_equal(lock_stack_join.raise(&f.stack, 2), 1);
    EXPECT_AT(&f, AT(0x3f, H, PC_NONE, CALL, 0), AT(0x38, E, H, PLAIN, 1), AT(0x07, G, H, PLAIN, 1),
              AT(0x01, C, G, LOCK, 2), AT(0x06, B, G, RETRY, 2));
    assert_int_equal(lock_stack_join.raise(&f.stack, 4), f.stack.depth); /* it is there */
}

/* What does not fit leaves the stack as it is, at the lock and at a round's end. */
static void check_lock_overflow(const struct lock_stack_ops *locks)
{
    struct fixture f;
    struct stack_entry before[CAPACITY];
    const struct lock_place place = {A, B, D};

    begin_locks(&f, locks, 0x03);
    f.stack.capacity = 1;
    memcpy(before, f.entries, sizeof before);
    assert_int_equal(locks->lock(&f.stack, &place), -1);
    assert_memory_equal(f.entries, before, sizeof before);
    f.stack.capacity = 2;
    assert_int_equal(locks->lock(&f.stack, &place), 0);
    memcpy(before, f.entries, sizeof before);
    assert_int_equal(locks->win(&f.stack, &place, 0x01), -1);
    assert_int_equal(f.stack.depth, 2);
    assert_memory_equal(f.entries, before, sizeof before);
}

static void test_lock_overflow(void **state)
{
    (void)state;
    check_lock_overflow(&lock_stack_join);
    check_lock_overflow(&lock_stack_thesis);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_if_else),
        cmocka_unit_test(test_if_without_else),
        cmocka_unit_test(test_nested_with_the_same_end),
        cmocka_unit_test(test_nested_with_an_earlier_end),
        cmocka_unit_test(test_loop),
        cmocka_unit_test(test_loop_with_break),
        cmocka_unit_test(test_recursion_example_2),
        cmocka_unit_test(test_divergent_return_in_a_call),
        cmocka_unit_test(test_last_lanes_return_from_a_branch),
        cmocka_unit_test(test_last_lanes_of_the_kernel),
        cmocka_unit_test(test_no_post_dominator_at_call_entry),
        cmocka_unit_test(test_no_post_dominator_inside_a_branch),
        cmocka_unit_test(test_many_directions),
        cmocka_unit_test(test_overflow),
        cmocka_unit_test(test_thesis_example_9),
        cmocka_unit_test(test_thesis_example_10),
        cmocka_unit_test(test_thesis_example_11),
        cmocka_unit_test(test_thesis_three_levels),
        cmocka_unit_test(test_thesis_keeps_one_place),
        cmocka_unit_test(test_thesis_example_13),
        cmocka_unit_test(test_thesis_three_ordered),
        cmocka_unit_test(test_join_example_9),
        cmocka_unit_test(test_join_example_10),
        cmocka_unit_test(test_join_example_11),
        cmocka_unit_test(test_join_example_12),
        cmocka_unit_test(test_join_example_13),
        cmocka_unit_test(test_join_of_different_unlocks),
        cmocka_unit_test(test_join_of_three_ordered),
        cmocka_unit_test(test_join_rotates_all_levels),
        cmocka_unit_test(test_join_rotates_calls),
        cmocka_unit_test(test_join_raises),
        cmocka_unit_test(test_lock_overflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
