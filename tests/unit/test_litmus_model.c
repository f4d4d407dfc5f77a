/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What the models say of litmus tests whose outcomes and races are counted by hand; and of tests at
 * random, against an enumeration of every interleaving that takes the definitions of papers/002 as
 * they stand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "programs/litmus/outcomes.h"
#include "programs/litmus/parse.h"

#define XY "Sluice A\n{ x=0; y=0; }\n"

static struct litmus_test test;
static struct litmus_outcomes outcomes;

static void analyse(const char *text, const struct litmus_model *model)
{
    char error[LITMUS_ERROR_BYTES];

    if (!litmus_parse("f", text, &test, error)) {
        fail_msg("%s\n%s", error, text);
    }
    assert_true(litmus_outcomes_of(&test, model, &outcomes));
}

/* ---- by hand ---- */

struct known {
    const char *name;
    const char *text;
    unsigned outcomes; /* sequentially consistent ones */
    bool races_indirect;
    bool races_direct;
    enum litmus_verdict condition; /* in HRF-indirect */
};

static const struct known known[] = {
    /* (0,1), (1,0), (1,1) */
    {"SB", XY "P0|P1;\nst x,1|st y,1;\nld r1,y|ld r1,x;\nexists (0:r1=0 /\\ 1:r1=0)", 3, true, true,
     LITMUS_ALLOWED_RACY},
    {"SB, synchronized",
     XY "P0|P1;\nst.rel.dev x,1|st.rel.dev y,1;\nld.acq.dev r1,y|ld.acq.dev r1,x;\n"
        "exists (0:r1=0 /\\ 1:r1=0)",
     3, false, false, LITMUS_FORBIDDEN},
    /* Two scopes on one variable: a race of synchronization, though all synchronize. */
    {"SB, scopes differ",
     XY "P0|P1;\nst.rel.sys x,1|st.rel.dev y,1;\nld.acq.dev r1,y|ld.acq.dev r1,x;\n"
        "exists (0:r1=0 /\\ 1:r1=0)",
     3, true, true, LITMUS_ALLOWED_RACY},
    /* The flag is 0; or it is 1, and x is 1. */
    {"MP",
     XY "P0|P1;\nst x,1|ld.acq.dev r1,y;\nst.rel.dev y,1|beqz r1,E;\n|ld r2,x;\n|E:;\n"
        "exists (1:r1=1 /\\ 1:r2=0)",
     2, false, false, LITMUS_FORBIDDEN},
    /* Without a branch x is loaded in any case: (0,0), (0,1), (1,1). */
    {"MP without branch",
     XY "P0|P1;\nst x,1|ld.acq.dev r1,y;\nst.rel.dev y,1|ld r2,x;\nexists (1:r1=1 /\\ 1:r2=0)", 3,
     true, true, LITMUS_ALLOWED_RACY},
    {"MP without acquire",
     XY "P0|P1;\nst x,1|ld r1,y;\nst.rel.dev y,1|beqz r1,E;\n|ld r2,x;\n|E:;\n"
        "exists (1:r1=1 /\\ 1:r2=0)",
     2, true, true, LITMUS_ALLOWED_RACY},
    {"MP without release",
     XY "P0|P1;\nst x,1|ld.acq.dev r1,y;\nst y,1|beqz r1,E;\n|ld r2,x;\n|E:;\n"
        "exists (1:r1=1 /\\ 1:r2=0)",
     2, true, true, LITMUS_ALLOWED_RACY},
    {"MP, work-group apart",
     XY "P0|P1;\nst x,1|ld.acq.wg r1,y;\nst.rel.wg y,1|beqz r1,E;\n|ld r2,x;\n|E:;\n"
        "exists (1:r1=1 /\\ 1:r2=0)",
     2, true, true, LITMUS_ALLOWED_RACY},
    {"MP, work-group",
     XY "P0|P1;\nst x,1|ld.acq.wg r1,y;\nst.rel.wg y,1|beqz r1,E;\n|ld r2,x;\n|E:;\n"
        "scopes: (dev (wg P0 P1))\nexists (1:r1=1 /\\ 1:r2=0)",
     2, false, false, LITMUS_FORBIDDEN},
    {"MP, wavefronts",
     XY "P0|P1;\nst x,1|ld.acq.wf r1,y;\nst.rel.wf y,1|beqz r1,E;\n|ld r2,x;\n|E:;\n"
        "scopes: (dev (wg P0 P1))\nexists (1:r1=1 /\\ 1:r2=0)",
     2, true, true, LITMUS_ALLOWED_RACY},
    /* An order of synchronization does not ask for one variable: a release before an acquire is
     * enough. The flag itself is no synchronization, and races. */
    {"MP, fences",
     XY "P0|P1;\nst x,1|ld r1,y;\nfence|fence;\nst y,1|ld r2,x;\nexists (1:r1=1 /\\ 1:r2=0)", 3,
     true, true, LITMUS_ALLOWED_RACY},
    {"MP, fence behind a flag that synchronizes",
     XY "P0|P1;\nst x,1|ld.acq.dev r1,y;\nfence.rel.dev|beqz r1,E;\nst.rel.dev y,1|fence.acq.dev;\n"
        "|ld r2,x;\n|E:;\nexists (1:r1=1 /\\ 1:r2=0)",
     2, false, false, LITMUS_FORBIDDEN},
    /* r1 = 1 without r1 = 1 there, or nothing: (0,0), (0,1), (1,0). */
    {"LB",
     XY "P0|P1;\nld.acq.dev r1,x|ld.acq.dev r1,y;\nst.rel.dev y,1|st.rel.dev x,1;\n"
        "exists (0:r1=1 /\\ 1:r1=1)",
     3, false, false, LITMUS_FORBIDDEN},
    /* papers/002 Figure 5, in one work-group and in two. */
    {"Figure 5",
     XY "P0|P1;\nst.rel.wg x,1|st.rel.dev y,1;\nld.acq.dev r1,y|ld.acq.wg r1,x;\n"
        "scopes: (dev (wg P0 P1))\nexists (0:r1=0 /\\ 1:r1=0)",
     3, false, false, LITMUS_FORBIDDEN},
    {"Figure 5, apart",
     XY "P0|P1;\nst.rel.wg x,1|st.rel.dev y,1;\nld.acq.dev r1,y|ld.acq.wg r1,x;\n"
        "exists (0:r1=0 /\\ 1:r1=0)",
     3, true, true, LITMUS_ALLOWED_RACY},
    /* papers/002 Figure 6: a race in HRF-direct alone. P1 sees the flag or not; if so, P2 does or
     * not. */
    {"Figure 6",
     "Sluice A\n{ x=0; y=0; z=0; }\nP0|P1|P2;\nst x,1|ld.acq.wg r1,y|ld.acq.dev r1,z;\n"
     "st.rel.wg y,1|beqz r1,E|beqz r1,E;\n|st.rel.dev z,1|ld r2,x;\n|E:|E:;\n"
     "scopes: (dev (wg P0 P1) (wg P2))\nexists (2:r1=1 /\\ 2:r2=0)",
     3, false, true, LITMUS_FORBIDDEN},
    /* Each reader 00, 01, 10, 11; both 10 is the only one that is none. */
    {"IRIW",
     XY "P0|P1|P2|P3;\nst.rel.dev x,1|st.rel.dev y,1|ld.acq.dev r1,x|ld.acq.dev r1,y;\n"
        "||ld.acq.dev r2,y|ld.acq.dev r2,x;\n"
        "exists (2:r1=1 /\\ 2:r2=0 /\\ 3:r1=1 /\\ 3:r2=0)",
     15, false, false, LITMUS_FORBIDDEN},
    /* (1,1) is the only one of (1,1), (1,2), (2,1), (2,2) that is none: x is 1 and 2 last. */
    {"2+2W",
     XY "P0|P1;\nst.rel.dev x,1|st.rel.dev y,1;\nst.rel.dev y,2|st.rel.dev x,2;\n"
        "exists (x=1 /\\ y=1)",
     3, false, false, LITMUS_FORBIDDEN},
    /* Each is first once, by turns: r1 is 0 or 1. */
    {"two additions",
     "Sluice A\n{ x=0; }\nP0|P1;\nadd.acqrel.dev r1,x,1|add.acqrel.dev r1,x,1;\nforall (x=2)", 2,
     false, false, LITMUS_ALLOWED_SC},
    /* One of them takes the lock. */
    {"a lock",
     "Sluice A\n{ l=0; }\nP0|P1;\ncas.acqrel.dev r1,l,0,1|cas.acqrel.dev r1,l,0,2;\n"
     "exists (0:r1=0 /\\ 1:r1=0)",
     2, false, false, LITMUS_FORBIDDEN},
    /* A cas that fails releases nothing: P1 sees its acquire, P0 has not released. x is loaded when
     * y is 2, which is P2's. */
    {"a cas that fails",
     "Sluice A\n{ x=0; y=0; z=0; }\nP0|P1;\nst x,1|ld.acq.dev r1,y;\n"
     "cas.rel.dev r1,z,5,1|ld r2,x;\nexists (1:r2=1)",
     2, true, true, LITMUS_ALLOWED_SC},
    /* Values go from registers to variables and back: y becomes 0 or 5. P1 reads 0, or y would
     * be made of itself. */
    {"data",
     XY "P0|P1;\nld.acq.dev r1,x|ld.acq.dev r1,y;\nst.rel.dev y,r1|add.acqrel.dev r2,x,5;\n"
        "exists (y=5)",
     2, false, false, LITMUS_ALLOWED_SC},
};

static unsigned sequentially_consistent(void)
{
    unsigned count = 0;

    for (unsigned i = 0; i < outcomes.count; i++) {
        count += outcomes.row[i].is_sc;
    }
    return count;
}

static void test_known(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const struct known *const it = &known[i];
        uint64_t observed;
        analyse(it->text, &litmus_hrf_direct);
        const bool races_direct = outcomes.is_racy;
        litmus_outcomes_free(&outcomes);
        analyse(it->text, &litmus_hrf_indirect);
        const enum litmus_verdict condition = litmus_outcomes_condition(&outcomes, &observed);
        if (sequentially_consistent() != it->outcomes || outcomes.is_racy != it->races_indirect ||
            races_direct != it->races_direct || condition != it->condition) {
            fail_msg("%s: %u outcomes, races %d and %d, condition %d", it->name,
                     sequentially_consistent(), outcomes.is_racy, races_direct, condition);
        }
        litmus_outcomes_free(&outcomes);
    }
}

/* Which operations race is told. */
static void test_race(void **state)
{
    (void)state;
    analyse(known[5].text, &litmus_hrf_indirect);
    assert_int_equal(outcomes.race.thread[0] + outcomes.race.thread[1], 1);
    assert_int_equal(outcomes.race.op[0]->variable, outcomes.race.op[1]->variable);
    litmus_outcomes_free(&outcomes);
}

/* What is observed counts where it belongs; an outcome that is none is found. */
static void test_observed(void **state)
{
    struct litmus_outcome outcome = {.memory = {1, 1}};
    uint64_t observed;

    (void)state;
    analyse(known[1].text, &litmus_hrf_indirect);
    outcome.reg[1][0] = 1;
    assert_true(litmus_outcomes_observe(&outcomes, &outcome));
    assert_int_equal(litmus_outcomes_forbidden(&outcomes), 0);
    outcome.reg[1][0] = 0;
    assert_true(litmus_outcomes_observe(&outcomes, &outcome));
    assert_true(litmus_outcomes_observe(&outcomes, &outcome));
    assert_int_equal(litmus_outcomes_forbidden(&outcomes), 2);
    assert_int_equal(litmus_outcomes_condition(&outcomes, &observed), LITMUS_FORBIDDEN);
    assert_int_equal(observed, 2);
    assert_int_equal(outcomes.observed, 3);
    assert_int_equal(outcomes.count, 4);
    litmus_outcomes_free(&outcomes);
}

/* 4 threads of 12 releases each have more executions than anybody waits for. */
static void test_too_many(void **state)
{
    static const char *const row = "st.rel.dev x,1|st.rel.dev x,1|st.rel.dev x,1|st.rel.dev x,1;\n";
    char text[2048] = "Sluice A\n{ x=0; }\nP0|P1|P2|P3;\n";
    char error[LITMUS_ERROR_BYTES];

    (void)state;
    for (int i = 0; i < 12; i++) {
        strcat(text, row);
    }
    strcat(text, "exists (x=1)");
    assert_true(litmus_parse("f", text, &test, error));
    assert_false(litmus_outcomes_of(&test, &litmus_hrf_indirect, &outcomes));
    litmus_outcomes_free(&outcomes);
}

/* ---- at random, against the definitions ---- */

#define TESTS    1500
#define OPS      9 /* of all threads */
#define OUTCOMES 512

/* An execution: which thread makes each step, and what is known of it. */
struct reference {
    unsigned thread[OPS];
    const struct litmus_op *op[OPS];
    bool releases[OPS];
    unsigned count;
    unsigned next[LITMUS_THREADS_MAX];
    struct litmus_outcome now;
    struct litmus_outcome found[OUTCOMES];
    unsigned found_count;
    bool races_indirect;
    bool races_direct;
};

static struct reference reference;

static bool is_same_scope(unsigned i, unsigned j)
{
    return litmus_scope_of(&test, reference.thread[i], reference.op[i]) ==
           litmus_scope_of(&test, reference.thread[j], reference.op[j]);
}

/* Program order, and the orders of synchronization of one scope, or of all where it is negative;
 * closed transitively, and added to a relation. */
static void close_relation(int scope, bool before[OPS][OPS])
{
    bool closure[OPS][OPS] = {{false}};

    for (unsigned i = 0; i < reference.count; i++) {
        for (unsigned j = i + 1; j < reference.count; j++) {
            const bool is_in = scope < 0 || (int)litmus_scope_of(&test, reference.thread[i],
                                                                 reference.op[i]) == scope;
            closure[i][j] =
                reference.thread[i] == reference.thread[j] ||
                (reference.releases[i] && reference.op[j]->acquire && is_same_scope(i, j) && is_in);
        }
    }
    for (unsigned k = 0; k < reference.count; k++) {
        for (unsigned i = 0; i < reference.count; i++) {
            for (unsigned j = 0; j < reference.count; j++) {
                closure[i][j] = closure[i][j] || (closure[i][k] && closure[k][j]);
            }
        }
    }
    for (unsigned i = 0; i < reference.count; i++) {
        for (unsigned j = 0; j < reference.count; j++) {
            before[i][j] = before[i][j] || closure[i][j];
        }
    }
}

static bool has_race(bool before[OPS][OPS])
{
    for (unsigned i = 0; i < reference.count; i++) {
        for (unsigned j = i + 1; j < reference.count; j++) {
            const struct litmus_op *const a = reference.op[i];
            const struct litmus_op *const b = reference.op[j];
            const bool are_synchronization =
                (a->acquire || a->release) && (b->acquire || b->release);
            if (litmus_conflict(a, b) && !before[i][j] &&
                (!are_synchronization || !is_same_scope(i, j))) {
                return true;
            }
        }
    }
    return false;
}

static void note_execution(void)
{
    bool indirect[OPS][OPS] = {{false}};
    bool direct[OPS][OPS] = {{false}};
    unsigned i = 0;

    close_relation(-1, indirect);
    for (int scope = 0; scope < LITMUS_SCOPES; scope++) {
        close_relation(scope, direct);
    }
    reference.races_indirect = reference.races_indirect || has_race(indirect);
    reference.races_direct = reference.races_direct || has_race(direct);
    while (i < reference.found_count &&
           memcmp(&reference.found[i], &reference.now, sizeof reference.now) != 0) {
        i++;
    }
    assert_true(i < OUTCOMES);
    reference.found[i] = reference.now;
    reference.found_count += i == reference.found_count;
}

static int64_t operand(unsigned thread, struct litmus_operand what)
{
    return what.is_register ? reference.now.reg[thread][what.value] : what.value;
}

static void execute(unsigned thread, const struct litmus_op *op)
{
    const unsigned number = reference.count++;
    int64_t *const memory = &reference.now.memory[op->variable];
    const int64_t before = *memory;

    reference.thread[number] = thread;
    reference.op[number] = op;
    reference.releases[number] = op->release;
    if (op->kind == LITMUS_STORE || op->kind == LITMUS_SWAP) {
        *memory = operand(thread, op->operand);
    } else if (op->kind == LITMUS_ADD) {
        *memory = before + operand(thread, op->operand);
    } else if (op->kind == LITMUS_CAS && before == operand(thread, op->expected)) {
        *memory = operand(thread, op->operand);
    } else if (op->kind == LITMUS_CAS) {
        reference.releases[number] = false;
    }
    if (litmus_reads(op)) {
        reference.now.reg[thread][op->reg] = before;
    }
}

/* Every interleaving, branches as steps of their own. */
static void interleave(void)
{
    bool is_over = true;

    for (unsigned thread = 0; thread < test.thread_count; thread++) {
        const struct litmus_thread *const it = &test.thread[thread];
        const unsigned next = reference.next[thread];
        if (next == it->op_count) {
            continue;
        }
        const unsigned count = reference.count;
        const struct litmus_outcome now = reference.now;
        const struct litmus_op *const op = &it->op[next];
        is_over = false;
        reference.next[thread] = next + 1;
        if (op->kind == LITMUS_BRANCH) {
            const bool is_zero = now.reg[thread][op->reg] == 0;
            reference.next[thread] = is_zero == op->if_zero ? op->target : next + 1;
        } else {
            execute(thread, op);
        }
        interleave();
        reference.next[thread] = next;
        reference.now = now;
        reference.count = count;
    }
    if (is_over) {
        note_execution();
    }
}

static unsigned pick(unsigned limit)
{
    return (unsigned)rand() % limit;
}

/* Variable 0 is an ordinary one; 1 and 2 are accessed with the scopes of work-group and device,
 * most of the time. */
static struct litmus_op random_op(unsigned number, unsigned count)
{
    struct litmus_op op = {.kind = (enum litmus_kind)pick(LITMUS_BRANCH + 1)};
    const unsigned order = pick(8) == 0 ? 0 : 1 + pick(3);

    if (op.kind == LITMUS_BRANCH && number + 1 == count) {
        op.kind = LITMUS_LOAD;
    }
    op.variable = pick(test.variable_count);
    op.reg = pick(2);
    op.operand = (struct litmus_operand){pick(4) == 0, (int64_t)pick(2)};
    op.if_zero = pick(2) == 0;
    op.target = number + 1 + pick(count - number);
    if (op.kind == LITMUS_FENCE) {
        op.acquire = order % 2 == 0; /* 0: acquires, 1 and 3: releases, 2: both */
        op.release = order != 0;
        op.scope = (enum litmus_scope)(LITMUS_WORKGROUP + pick(2));
    } else if (op.variable > 0) {
        op.acquire = order > 0 && litmus_reads(&op);
        op.release = order < 3 && litmus_writes(&op);
        op.scope = (enum litmus_scope)(LITMUS_WORKGROUP + (pick(16) == 0 ? 0 : op.variable - 1));
    }
    return op;
}

static void random_test(void)
{
    test = (struct litmus_test){.variable_count = 3, .thread_count = 2 + pick(2)};
    for (unsigned i = 0; i < test.thread_count; i++) {
        struct litmus_thread *const thread = &test.thread[i];
        const unsigned count = 1 + pick(OPS / test.thread_count);
        for (unsigned op = 0; op < count; op++) {
            thread->op[op] = random_op(op, count);
        }
        thread->op_count = count;
        thread->group = pick(4) == 0;
        thread->wave = i;
    }
    test.group_count = 2;
    test.wave_count[0] = LITMUS_THREADS_MAX;
}

static void check_outcomes(const char *name)
{
    unsigned count = 0;

    for (unsigned i = 0; i < outcomes.count; i++) {
        bool is_there = false;
        for (unsigned j = 0; j < reference.found_count; j++) {
            is_there = is_there || memcmp(&outcomes.row[i].outcome, &reference.found[j],
                                          sizeof reference.found[j]) == 0;
        }
        count += is_there;
    }
    if (count != outcomes.count || count != reference.found_count) {
        fail_msg("%s: %u outcomes, the reference has %u, %u in both", name, outcomes.count,
                 reference.found_count, count);
    }
}

/* Both models on the test, against the reference. Returns whether it races. */
static bool compare_test(const char *name)
{
    reference = (struct reference){0};
    for (unsigned i = 0; i < test.variable_count; i++) {
        reference.now.memory[i] = test.variable[i].initial;
    }
    interleave();
    assert_true(litmus_outcomes_of(&test, &litmus_hrf_indirect, &outcomes));
    check_outcomes(name);
    const bool races_indirect = outcomes.is_racy;
    litmus_outcomes_free(&outcomes);
    assert_true(litmus_outcomes_of(&test, &litmus_hrf_direct, &outcomes));
    check_outcomes(name);
    const bool races_direct = outcomes.is_racy;
    litmus_outcomes_free(&outcomes);
    if (races_indirect != reference.races_indirect || races_direct != reference.races_direct) {
        fail_msg("%s: races %d and %d, the reference's %d and %d", name, races_indirect,
                 races_direct, reference.races_indirect, reference.races_direct);
    }
    return races_indirect;
}

/* Those of above are small enough, too. */
static void test_reference(void **state)
{
    char error[LITMUS_ERROR_BYTES];

    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        assert_true(litmus_parse("f", known[i].text, &test, error));
        assert_int_equal(compare_test(known[i].name), known[i].races_indirect);
    }
}

static void test_random(void **state)
{
    unsigned racy = 0;

    (void)state;
    srand(1);
    for (unsigned i = 0; i < TESTS; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "random test %u", i);
        random_test();
        racy += compare_test(name);
    }
    assert_true(racy > TESTS / 10 && racy < TESTS - TESTS / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known),     cmocka_unit_test(test_race),
        cmocka_unit_test(test_observed),  cmocka_unit_test(test_too_many),
        cmocka_unit_test(test_reference), cmocka_unit_test(test_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
