/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Where the stack of papers/004 goes wrong (section 4.5) and ours does not, on the machine, with
 * the reconvergence points that the loader would have for either: lanes whose locks are held by
 * lanes below them on the stack, which is a deadlock that is found, and rounds that leave by
 * different unlocks, which go astray. The stacks themselves are in unit/simt/test_stack_locks.c. */
#include <stdbool.h>
#include <string.h>

#include "common/check.h"
#include "sluice/lock.h"
#include "soc/common/machine.h"

#define LANES_USED 3
#define LOCK_BYTES 64
#define LOCKS      8

static struct asm_code code;

static const char *const systems[] = {
    "mem.system=flat",         "mem.system=moesi",  "mem.system=nol1",      "mem.system=wt",
    "mem.system=quickrelease", "mem.system=scoped", "mem.system=partition", "mem.system=hybrid"};

#define SYSTEMS (sizeof systems / sizeof systems[0])

enum { ELSE, END }; /* labels */

/* What lanes execute. */
struct example {
    void (*put)(void);
    uint32_t lanes;
    uint32_t locks[LANES_USED][3]; /* numbers of those in s2 to s4 of each lane */
    uint32_t acquired;             /* where all is right */
};

static void put_locks(void)
{
    asm_put(&code, asm_ADDI(T1, ZERO, 12));
    asm_put(&code, asm_MUL(T1, T1, A1));
    asm_put(&code, asm_ADD(T1, T1, A3));
    for (unsigned i = 0; i < 3; i++) {
        asm_put(&code, asm_LW(T0, T1, 4 * (int32_t)i));
        asm_put(&code, asm_SLLI(T0, T0, 6));
        asm_put(&code, asm_ADD(S2 + i, T0, A2));
    }
}

static struct machine *run(const struct example *example, const char *stack, const char *system)
{
    struct machine *m = MACHINE(stack, system);

    m->arguments[0] = machine_take(m, LOCKS * LOCK_BYTES);
    m->arguments[1] = machine_take(m, sizeof example->locks);
    memcpy(machine_at(m, m->arguments[1]), example->locks, sizeof example->locks);
    for (uint32_t i = 0; i < LOCKS; i++) {
        *(sl_lock_t *)machine_at(m, m->arguments[0] + (uint64_t)i * LOCK_BYTES) = sl_lock_init();
    }
    asm_begin(&code);
    asm_function(&code);
    put_locks();
    example->put();
    asm_put(&code, ASM_RET);
    if (code.count % 2 != 0) { /* tables are of whole double words of code */
        asm_put(&code, ASM_NOP);
    }
    (void)machine_execute(m, &code, example->lanes);
    return m;
}

static void expect_all_given_back(const struct machine *m, uint32_t acquired)
{
    assert_int_equal(m->faults, 0);
    assert_int_equal(m->counters.lock_acquired, acquired);
    assert_int_equal(m->counters.lock_unlocks, acquired);
}

/* Right with lock.stack = join, and with thesis a deadlock, in which lane `lane` wants lock number
 * `lock`, which lane `holder` has. */
static void check_deadlock(const struct example *example, unsigned lane, uint32_t lock,
                           unsigned holder)
{
    for (size_t s = 0; s < SYSTEMS; s++) {
        struct machine *m = run(example, "lock.stack=join", systems[s]);
        expect_all_given_back(m, example->acquired);
        machine_destroy(m);
        m = run(example, "lock.stack=thesis", systems[s]);
        assert_int_equal(m->faults, 1);
        assert_int_equal(m->fault[0].code, SL_FAULT_DEADLOCK);
        assert_int_equal(m->fault[0].lanes, 1u << lane);
        assert_int_equal(m->fault[0].address, m->arguments[0] + (uint64_t)lock * LOCK_BYTES);
        assert_int_equal(m->fault[0].value0, holder); /* of block 0 */
        assert_int_equal(m->fault[0].holder, 0);
        assert_int_equal(m->fault[0].holder_lane, holder);
        machine_destroy(m);
    }
}

/* ---- lanes below others ---- */

/* lock(s2); if (lane == 0) { lock(s3); unlock(s3); } unlock(s2) */
static void put_example_13(void)
{
    asm_put(&code, asm_SL_LOCK(S2));
    asm_to(&code, asm_BNE(A1, ZERO, 0), END);
    asm_put(&code, asm_SL_LOCK(S3));
    asm_put(&code, asm_SL_UNLOCK(S3));
    asm_label(&code, END);
    asm_put(&code, asm_SL_UNLOCK(S2));
}

/* Lane 1 waits for lane 0 where the branch reconverges, and has the lock that lane 0 wants. */
TEST(test_example_13)
{
    static const struct example example = {put_example_13, 2, {{0, 1}, {1, 1}}, 3};

    check_deadlock(&example, 0, 1, 1);
}

/* lock(s2); lock(s3); lock(s4); unlock(s4); unlock(s3); unlock(s2) */
static void put_three(void)
{
    for (unsigned i = 0; i < 3; i++) {
        asm_put(&code, asm_SL_LOCK(S2 + i));
    }
    for (unsigned i = 3; i-- > 0;) {
        asm_put(&code, asm_SL_UNLOCK(S2 + i));
    }
}

/* Each lane takes its locks in ascending order. Lane 1 loses its second one, 5, to lane 0, and has
 * 4, which is the third one of lane 2. Lane 0 gives back all of its own, in vain. */
TEST(test_three_ordered)
{
    static const struct example example = {put_three, 3, {{2, 5, 7}, {4, 5, 6}, {0, 1, 4}}, 9};

    check_deadlock(&example, 2, 4, 1);
}

/* ---- lanes that meet late, and elsewhere ---- */

#define BEHIND 10 /* instructions behind a section */

/* if (lane == 0) lock(s2); else lock(s2); unlock(s2); and more code */
static void put_example_12(void)
{
    asm_to(&code, asm_BNE(A1, ZERO, 0), ELSE);
    asm_put(&code, asm_SL_LOCK(S2));
    asm_to(&code, asm_JAL(ZERO, 0), END);
    asm_label(&code, ELSE);
    asm_put(&code, asm_SL_LOCK(S2));
    asm_label(&code, END);
    asm_put(&code, asm_SL_UNLOCK(S2));
    for (unsigned i = 0; i < BEHIND; i++) {
        asm_put(&code, ASM_NOP);
    }
}

/* The branch reconverges at the unlock. The L that executes that stands above the branch's entry,
 * which gets its program counter when L is popped: past the reconvergence point, so that each lane
 * goes on alone, up to the return; it never does in papers/004 section 4.5. With joins the lanes
 * execute together what is behind the unlock, and the return. */
TEST(test_example_12)
{
    static const struct example example = {put_example_12, 2, {{0}, {0}}, 2};

    for (size_t s = 0; s < SYSTEMS; s++) {
        uint64_t together[2]; /* instructions of both lanes */
        for (unsigned k = 0; k < 2; k++) {
            struct machine *m =
                run(&example, k == 0 ? "lock.stack=thesis" : "lock.stack=join", systems[s]);
            expect_all_given_back(m, example.acquired);
            together[k] = m->counters.instructions[2];
            machine_destroy(m);
        }
        assert_int_equal(together[1] - together[0], BEHIND + 1);
    }
}

/* lock(s2); if (lane != 0) { unlock(s2); s5++; } else { unlock(s2); s6++; } */
static void put_two_unlocks(void)
{
    asm_put(&code, asm_ADDI(S5, ZERO, 0));
    asm_put(&code, asm_ADDI(S6, ZERO, 0));
    asm_put(&code, asm_SL_LOCK(S2));
    asm_to(&code, asm_BEQ(A1, ZERO, 0), ELSE);
    asm_put(&code, asm_SL_UNLOCK(S2));
    asm_put(&code, asm_ADDI(S5, S5, 1));
    asm_to(&code, asm_JAL(ZERO, 0), END);
    asm_label(&code, ELSE);
    asm_put(&code, asm_SL_UNLOCK(S2));
    asm_put(&code, asm_ADDI(S6, S6, 1));
    asm_label(&code, END);
}

static void check_two_unlocks(const char *stack, const char *system, bool is_astray)
{
    static const struct example example = {put_two_unlocks, 2, {{0}, {0}}, 2};
    struct machine *m = run(&example, stack, system);
    const lane_vector *x = m->waves[0].x;

    expect_all_given_back(m, example.acquired);
    assert_int_equal(x[S5][0], is_astray ? 1 : 0);
    assert_int_equal(x[S6][0], is_astray ? 0 : 1);
    assert_int_equal(x[S5][1], 1);
    assert_int_equal(x[S6][1], 0);
    machine_destroy(m);
}

/* Rounds leave by different unlocks, and one program counter is kept for all: lane 0, which has won
 * first and left by the second unlock, goes on where lane 1 is, behind the first one. No fault says
 * so. */
TEST(test_two_unlocks)
{
    for (size_t s = 0; s < SYSTEMS; s++) {
        check_two_unlocks("lock.stack=join", systems[s], false);
        check_two_unlocks("lock.stack=thesis", systems[s], true);
    }
}
