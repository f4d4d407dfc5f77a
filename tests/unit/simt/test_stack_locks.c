/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The reconvergence stack under locks, driven by hand: the examples of papers/004 sections 4.1 to
 * 4.5, where lane i is its thread i + 1, and what goes wrong in them, entry by entry, with
 * lock.stack = thesis and with join. */
#include <string.h>

#include "common/check.h"
#include "unit/simt/stack_steps.h"

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
TEST(test_thesis_example_9)
{
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
TEST(test_thesis_example_10)
{
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
TEST(test_thesis_example_11)
{
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
TEST(test_thesis_three_levels)
{
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
TEST(test_thesis_keeps_one_place)
{
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
TEST(test_thesis_example_13)
{
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
TEST(test_thesis_three_ordered)
{
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
TEST(test_join_example_9)
{
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
TEST(test_join_example_10)
{
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
TEST(test_join_example_11)
{
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
TEST(test_join_example_12)
{
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
TEST(test_join_example_13)
{
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
TEST(test_join_of_different_unlocks)
{
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
TEST(test_join_of_three_ordered)
{
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
TEST(test_join_rotates_all_levels)
{
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
TEST(test_join_rotates_calls)
{
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
TEST(test_join_raises)
{
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

TEST(test_lock_overflow)
{
    check_lock_overflow(&lock_stack_join);
    check_lock_overflow(&lock_stack_thesis);
}
