/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Branch prediction, worked out by hand: counters begin at 1 (weakly not taken). */
#include <stdbool.h>

#include "aggregator/branch_predictor.h"
#include "common/check.h"
#include "sluice/config.h"

#define PC     0x80000100ull
#define TARGET 0x80000200ull

static struct branch_predictor predictor;

static void create(enum sl_core_predictor kind, int64_t returns)
{
    static struct sl_config config;

    sl_config_init(&config);
    config.number[SL_CFG_CORE_PREDICTOR] = kind;
    config.number[SL_CFG_CORE_PREDICTOR_ENTRIES] = 256;
    config.number[SL_CFG_CORE_BTB_ENTRIES] = 16;
    config.number[SL_CFG_CORE_RETURN_ENTRIES] = returns;
    assert_int_equal(branch_predictor_init(&predictor, &config), 0);
}

static enum branch_prediction go(uint64_t pc, enum agg_flow flow, uint64_t next)
{
    struct agg_insn insn = {.pc = pc, .class = AGG_BRANCH, .bytes = 4, .flow = (uint8_t)flow};
    return branch_predictor_resolve(&predictor, &insn, next);
}

static enum branch_prediction branch(enum agg_flow flow, bool taken)
{
    return go(PC, flow, taken ? TARGET : PC + 4);
}

/* Fetch goes straight on: what is not taken is right. */
TEST(test_none)
{
    create(SL_CORE_PREDICTOR_NONE, 0);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(branch(AGG_FLOW_BACKWARD, false), BRANCH_RIGHT);
        assert_int_equal(branch(AGG_FLOW_BACKWARD, true), BRANCH_WRONG);
        assert_int_equal(branch(AGG_FLOW_JUMP, true), BRANCH_WRONG);
        assert_int_equal(branch(AGG_FLOW_RETURN, true), BRANCH_WRONG);
    }
    branch_predictor_destroy(&predictor);
}

/* Backward taken, forward not; the target is always known only after decoding. */
TEST(test_static)
{
    create(SL_CORE_PREDICTOR_STATIC, 4);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(branch(AGG_FLOW_BACKWARD, true), BRANCH_MISFETCHED);
        assert_int_equal(branch(AGG_FLOW_BACKWARD, false), BRANCH_WRONG);
        assert_int_equal(branch(AGG_FLOW_FORWARD, true), BRANCH_WRONG);
        assert_int_equal(branch(AGG_FLOW_FORWARD, false), BRANCH_RIGHT);
        assert_int_equal(branch(AGG_FLOW_JUMP, true), BRANCH_MISFETCHED);
        assert_int_equal(branch(AGG_FLOW_INDIRECT, true), BRANCH_WRONG);
    }
    branch_predictor_destroy(&predictor);
}

/* Counter 1, taken: wrong, to 2, and the BTB learns; right, to 3. Not taken: wrong, to 2; taken
 * again is right. Twice not taken: wrong, to 2 and to 1; then not taken is right. */
TEST(test_bimodal)
{
    create(SL_CORE_PREDICTOR_BIMODAL, 4);
    assert_int_equal(branch(AGG_FLOW_FORWARD, true), BRANCH_WRONG);
    assert_int_equal(branch(AGG_FLOW_FORWARD, true), BRANCH_RIGHT);
    assert_int_equal(branch(AGG_FLOW_FORWARD, false), BRANCH_WRONG);
    assert_int_equal(branch(AGG_FLOW_FORWARD, true), BRANCH_RIGHT);
    assert_int_equal(branch(AGG_FLOW_FORWARD, false), BRANCH_WRONG);
    assert_int_equal(branch(AGG_FLOW_FORWARD, false), BRANCH_WRONG);
    assert_int_equal(branch(AGG_FLOW_FORWARD, false), BRANCH_RIGHT);
    branch_predictor_destroy(&predictor);
}

/* A branch that alternates: bimodal is never better than half, the history finds it. */
TEST(test_alternation)
{
    for (enum sl_core_predictor kind = SL_CORE_PREDICTOR_BIMODAL;
         kind <= SL_CORE_PREDICTOR_TOURNAMENT; kind++) {
        unsigned wrong = 0;
        create(kind, 4);
        for (unsigned i = 0; i < 200; i++) {
            wrong += branch(AGG_FLOW_FORWARD, i % 2 == 0) == BRANCH_WRONG && i >= 100;
        }
        if (kind == SL_CORE_PREDICTOR_BIMODAL) {
            assert_true(wrong >= 50);
        } else {
            assert_int_equal(wrong, 0);
        }
        branch_predictor_destroy(&predictor);
    }
}

/* Direct jumps are fetched from the second time on; a branch that shares their entry of the BTB (16
 * of them, for every second byte) takes it away. An indirect jump is wrong where its target
 * changes. */
TEST(test_targets)
{
    create(SL_CORE_PREDICTOR_TOURNAMENT, 4);
    assert_int_equal(go(PC, AGG_FLOW_JUMP, TARGET), BRANCH_MISFETCHED);
    assert_int_equal(go(PC, AGG_FLOW_JUMP, TARGET), BRANCH_RIGHT);
    assert_int_equal(go(PC + 32, AGG_FLOW_JUMP, TARGET), BRANCH_MISFETCHED);
    assert_int_equal(go(PC, AGG_FLOW_JUMP, TARGET), BRANCH_MISFETCHED);
    assert_int_equal(go(PC + 4, AGG_FLOW_INDIRECT, TARGET), BRANCH_WRONG);
    assert_int_equal(go(PC + 4, AGG_FLOW_INDIRECT, TARGET), BRANCH_RIGHT);
    assert_int_equal(go(PC + 4, AGG_FLOW_INDIRECT, TARGET + 8), BRANCH_WRONG);
    branch_predictor_reset(&predictor);
    assert_int_equal(go(PC, AGG_FLOW_JUMP, TARGET), BRANCH_MISFETCHED);
    branch_predictor_destroy(&predictor);
}

/* Calls nest as deep as the stack has entries; of one deeper, the outermost return is lost. */
TEST(test_returns)
{
    create(SL_CORE_PREDICTOR_TOURNAMENT, 3);
    for (uint64_t depth = 3; depth <= 4; depth++) {
        for (uint64_t i = 0; i < depth; i++) {
            (void)go(PC + 64 * i, i % 2 == 0 ? AGG_FLOW_CALL : AGG_FLOW_INDIRECT_CALL, TARGET);
        }
        for (uint64_t i = depth; i-- > 0;) {
            bool kept = i >= depth - 3;
            assert_int_equal(go(TARGET, AGG_FLOW_RETURN, PC + 64 * i + 4),
                             kept ? BRANCH_RIGHT : BRANCH_WRONG);
        }
    }
    /* Empty: wrong. */
    assert_int_equal(go(TARGET, AGG_FLOW_RETURN, PC + 4), BRANCH_WRONG);
    branch_predictor_destroy(&predictor);

    /* Without a stack the BTB predicts returns as any indirect jump. */
    create(SL_CORE_PREDICTOR_TOURNAMENT, 0);
    assert_int_equal(go(TARGET, AGG_FLOW_RETURN, PC), BRANCH_WRONG);
    assert_int_equal(go(TARGET, AGG_FLOW_RETURN, PC), BRANCH_RIGHT);
    branch_predictor_destroy(&predictor);
}
