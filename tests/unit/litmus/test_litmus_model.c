/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What the models say of litmus tests whose outcomes and races are counted by hand. */
#include <string.h>

#include "common/check.h"
#include "litmus/outcomes.h"
#include "litmus/parse.h"

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

TEST(test_known)
{
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
TEST(test_race)
{
    analyse(known[5].text, &litmus_hrf_indirect);
    assert_int_equal(outcomes.race.thread[0] + outcomes.race.thread[1], 1);
    assert_int_equal(outcomes.race.op[0]->variable, outcomes.race.op[1]->variable);
    litmus_outcomes_free(&outcomes);
}

/* What is observed counts where it belongs; an outcome that is none is found. */
TEST(test_observed)
{
    struct litmus_outcome outcome = {.memory = {1, 1}};
    uint64_t observed;

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
TEST(test_too_many)
{
    static const char *const row = "st.rel.dev x,1|st.rel.dev x,1|st.rel.dev x,1|st.rel.dev x,1;\n";
    char text[2048] = "Sluice A\n{ x=0; }\nP0|P1|P2|P3;\n";
    char error[LITMUS_ERROR_BYTES];

    for (int i = 0; i < 12; i++) {
        strcat(text, row);
    }
    strcat(text, "exists (x=1)");
    assert_true(litmus_parse("f", text, &test, error));
    assert_false(litmus_outcomes_of(&test, &litmus_hrf_indirect, &outcomes));
    litmus_outcomes_free(&outcomes);
}
