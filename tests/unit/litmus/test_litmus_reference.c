/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What the models say of litmus tests, against a reference that takes the definitions of papers/002
 * as they stand: every interleaving, and relations closed when it is complete. The tests are
 * random, and the paper's figures. The machines of gpu.consistency end them in the same ways, sc
 * and sc_wb all of them, the others those without a race: that is what HRF promises. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/check.h"
#include "litmus/outcomes.h"
#include "litmus/parse.h"

static struct litmus_test test;
static struct litmus_outcomes outcomes;

/* ---- the reference ---- */

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
            thread->registers |= litmus_reads(&thread->op[op]) ? 1u << thread->op[op].reg : 0;
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

/* Which ends of the test a machine has, beside those of sequential consistency. */
static void check_order(const char *name, const struct litmus_order *order, bool is_strong)
{
    assert_true(litmus_outcomes_of(&test, &litmus_hrf_indirect, &outcomes));
    assert_int_equal(litmus_outcomes_ask(&outcomes, order), LITMUS_EXPLORED);
    for (unsigned i = 0; i < outcomes.count; i++) {
        const struct litmus_row *const row = &outcomes.row[i];
        if (!row->is_ordered || (!row->is_sc && (is_strong || !outcomes.is_racy))) {
            fail_msg("%s: %s %s an outcome that is%s sequentially consistent", name, order->name,
                     row->is_ordered ? "has" : "lacks", row->is_sc ? "" : " not");
        }
    }
    litmus_outcomes_free(&outcomes);
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
    check_order(name, &litmus_sc, true);
    check_order(name, &litmus_sc_wb, true);
    check_order(name, &litmus_tso, false);
    check_order(name, &litmus_rmo, false);
    check_order(name, &litmus_rmo_block, false);
    return races_indirect;
}

/* papers/002 Figures 5, in two work-groups, and 6, in which the models differ. */
static const char *const figures[] = {
    "Sluice A\n{ x=0; y=0; }\nP0|P1;\nst.rel.wg x,1|st.rel.dev y,1;\n"
    "ld.acq.dev r1,y|ld.acq.wg r1,x;\nexists (0:r1=0 /\\ 1:r1=0)",
    "Sluice A\n{ x=0; y=0; z=0; }\nP0|P1|P2;\nst x,1|ld.acq.wg r1,y|ld.acq.dev r1,z;\n"
    "st.rel.wg y,1|beqz r1,E|beqz r1,E;\n|st.rel.dev z,1|ld r2,x;\n|E:|E:;\n"
    "scopes: (dev (wg P0 P1) (wg P2))\nexists (2:r1=1 /\\ 2:r2=0)",
};

TEST(test_figures)
{
    char error[LITMUS_ERROR_BYTES];

    assert_true(litmus_parse("f", figures[0], &test, error));
    assert_true(compare_test("Figure 5"));
    assert_true(reference.races_direct);
    assert_true(litmus_parse("f", figures[1], &test, error));
    assert_false(compare_test("Figure 6"));
    assert_true(reference.races_direct);
}

TEST(test_random)
{
    unsigned racy = 0;

    srand(1);
    for (unsigned i = 0; i < TESTS; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "random test %u", i);
        random_test();
        racy += compare_test(name);
    }
    assert_true(racy > TESTS / 10 && racy < TESTS - TESTS / 10);
}
