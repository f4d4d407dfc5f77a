/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Lanes of one wavefront under each consistency model (docs/know/memory-model.md, "Between lanes"):
 * what a lane's instruction waits for of other lanes' stores, and what they see of each other. What
 * counts here is as in test_order_models.c: flat memory, an access done after 20 cycles, 4 for each
 * instruction. */
#include "common/check.h"
#include "sluice/lock.h"
#include "soc/common/driver.h"
#include "soc/simt/order_machine.h"

static struct asm_code code;

/* ---- waits ---- */

/* Lanes 0 and 1 of one wavefront store, each to a word of its own, and load the other's: lane i
 * stores to a2 + 8 * i. A store of both to a3 comes first, so that the second one is sent at its
 * end. Under tso both loads pass it, and find 0; under the others none does. */
TEST(test_store_buffering_in_a_wavefront)
{
    for (enum model model = 0; model < MODELS; model++) {
        struct machine *m = order_machine(model, NULL);
        asm_begin(&code);
        asm_put(&code, asm_SLLI(T0, A1, 3));
        asm_put(&code, asm_ADD(T1, T0, A2)); /* its own word */
        asm_put(&code, asm_XORI(T0, T0, 8));
        asm_put(&code, asm_ADD(T2, T0, A2)); /* the other's */
        asm_put(&code, asm_ADDI(T0, ZERO, 1));
        asm_put(&code, asm_SD(T0, A3, 0));
        asm_put(&code, asm_SD(T0, T1, 0));
        asm_put(&code, asm_LD(S2, T2, 0));
        asm_put(&code, ASM_RET);
        const struct machine_wave *wave = machine_execute(m, &code, 2);
        const uint64_t found = model == TSO ? 0 : 1;
        assert_int_equal(wave->x[S2][0], found);
        assert_int_equal(wave->x[S2][1], found);
        assert_int_equal(m->counters.order_match_waits, 0);
        assert_int_equal(m->counters.lane_stores, 4);
        assert_int_equal(m->counters.lane_loads, 2);
        machine_destroy(m);
    }
}

/* Lane 0 stores twice, alone; then lane `lane` executes an instruction alone. Returns how long that
 * waited for the buffer, for its lanes' stores or for a match. */
static uint64_t wait_of_lane(enum model model, int32_t lane, uint32_t word)
{
    struct machine *m = order_machine(model, NULL);

    asm_begin(&code);
    asm_put(&code, asm_ADDI(T1, ZERO, lane));
    asm_to(&code, asm_BNE(A1, ZERO, 0), 0);
    asm_put(&code, asm_SW(A2, A2, 0));
    asm_put(&code, asm_SW(A2, A2, 8));
    asm_label(&code, 0);
    asm_to(&code, asm_BNE(A1, T1, 0), 1);
    asm_put(&code, word);
    asm_label(&code, 1);
    asm_put(&code, ASM_RET);
    (void)machine_execute(m, &code, 2);
    assert_int_equal(m->faults, 0);
    assert_int_equal(m->counters.order_buffered_stores, 2);
    const uint64_t cycles =
        m->counters.order_drain_wait_cycles + m->counters.order_match_wait_cycles;
    machine_destroy(m);
    return cycles;
}

/* The buffer of a lane is its own: lane 1 waits for no store of lane 0, but where it acquires or
 * releases. Lane 0 waits for its second store, with tso for what it overlaps alone. */
TEST(test_lanes)
{
    const uint32_t device = ASM_SCOPE(4, SL_SCOPE_DEVICE);
    const uint32_t match = asm_LW(T0, A2, 0);
    const uint32_t other = asm_LW(T0, A2, 4);
    const uint32_t atomic = asm_AMOADD_W(T0, A1, A3);
    const uint32_t acquire = asm_SL_LOAD(T0, 0, A3) | device | ASM_AQ;

    for (enum model model = SC_WB; model <= TSO; model++) {
        const uint64_t all = wait_of_lane(model, 0, atomic);
        assert_true(all > 20);
        assert_int_equal(wait_of_lane(model, 1, atomic), 0);
        assert_int_equal(wait_of_lane(model, 1, atomic | ASM_RL), all);
        assert_int_equal(wait_of_lane(model, 1, match), 0);
        assert_int_equal(wait_of_lane(model, 0, match), model == TSO ? all - 20 : all);
        assert_int_equal(wait_of_lane(model, 0, other), model == TSO ? 0 : all);
        assert_int_equal(wait_of_lane(model, 1, acquire), model == TSO ? 0 : all);
        assert_int_equal(wait_of_lane(model, 1, asm_FENCE()), all);
    }
}

/* A lock waits for its lanes' stores under tso, for all under sc_wb; an unlock, which releases, for
 * all in any case. Branches at 6 and 18, stores of lane 0 at 10 and 14, done at 30 and 50; the lock
 * could issue at 26: 24 cycles. That of lane 1 does, and has its answer at 46; its unlock waits for
 * 4 cycles. */
static uint64_t wait_of_lock(enum model model, int32_t lane)
{
    struct machine *m = order_machine(model, NULL);

    *(sl_lock_t *)machine_at(m, m->arguments[1]) = sl_lock_init();
    asm_begin(&code);
    asm_put(&code, asm_ADDI(T1, ZERO, lane));
    asm_to(&code, asm_BNE(A1, ZERO, 0), 0);
    asm_put(&code, asm_SW(A2, A2, 0));
    asm_put(&code, asm_SW(A2, A2, 8));
    asm_label(&code, 0);
    asm_to(&code, asm_BNE(A1, T1, 0), 1);
    asm_put(&code, asm_ADDI(T2, ZERO, 1));
    asm_put(&code, asm_SL_TRYLOCK(T0, A3, T2));
    asm_put(&code, asm_SL_TRYUNLOCK(A3));
    asm_label(&code, 1);
    asm_put(&code, ASM_RET);
    (void)machine_execute(m, &code, 2);
    assert_int_equal(m->faults, 0);
    assert_int_equal(m->counters.lock_acquired, 1);
    const uint64_t cycles = m->counters.order_drain_wait_cycles;
    machine_destroy(m);
    return cycles;
}

TEST(test_locks)
{
    assert_int_equal(wait_of_lock(TSO, 0), 24);
    assert_int_equal(wait_of_lock(TSO, 1), 4);
    assert_int_equal(wait_of_lock(SC_WB, 0), 24);
    assert_int_equal(wait_of_lock(SC_WB, 1), 24);
}

/* ---- what lanes tell each other ---- */

#define NO_WORD 0u

/* Lane 0 stores 1, behind another store, which is sent first; up to two instructions of lane 0
 * follow; then lane 1 executes `reads`, into T2. Returns what it found. The address is a2; the
 * first store goes to a2 + 8, the two instructions to a3. */
static uint64_t found_by_lane_1(enum model model, uint32_t first, uint32_t second, uint32_t reads)
{
    struct machine *m = order_machine(model, NULL);

    asm_begin(&code);
    asm_put(&code, asm_ADDI(T0, ZERO, 1));
    asm_put(&code, asm_ADDI(T2, ZERO, 0));
    asm_to(&code, asm_BNE(A1, ZERO, 0), 0);
    for (int32_t i = 4; i >= 0; i--) {
        asm_put(&code, asm_SW(T0, A2, 8 * i));
    }
    for (unsigned i = 0; i < 2; i++) {
        const uint32_t word = i == 0 ? first : second;
        if (word != NO_WORD) {
            asm_put(&code, word);
        }
    }
    asm_label(&code, 0);
    asm_to(&code, asm_BNE(A1, T0, 0), 1);
    asm_put(&code, reads);
    asm_label(&code, 1);
    asm_put(&code, ASM_RET);
    const uint64_t found = machine_execute(m, &code, 2)->x[T2][1];
    assert_int_equal(m->faults, 0);
    machine_destroy(m);
    return found;
}

/* Whether lane 1 loads, and adds to, what lane 0 has stored, under each model. */
static void expect_seen(uint32_t first, uint32_t second, const bool seen[MODELS])
{
    for (enum model model = 0; model < MODELS; model++) {
        assert_int_equal(found_by_lane_1(model, first, second, asm_LW(T2, A2, 0)), seen[model]);
        assert_int_equal(found_by_lane_1(model, first, second, asm_AMOADD_W(T2, ZERO, A2)),
                         seen[model]);
    }
}

/* Without a write buffer a wavefront's accesses to a word are in program order, whichever lanes
 * they are of. With one, a lane's load overtakes another lane's store, unless the wavefront has
 * released and then acquired; a fence that releases is enough, at any scope. */
TEST(test_told)
{
    static const bool buffered[MODELS] = {[RMO] = true, [SC] = true};
    static const bool always[MODELS] = {true, true, true, true};

    expect_seen(NO_WORD, NO_WORD, buffered);
    for (enum sl_scope scope = SL_SCOPE_WAVEFRONT; scope <= SL_SCOPE_SYSTEM; scope++) {
        const uint32_t of = ASM_SCOPE(4, scope);
        const uint32_t release = asm_SL_STORE(T0, A3) | of | ASM_RL;
        const uint32_t acquire = asm_SL_LOAD(T1, 0, A3) | of | ASM_AQ;

        expect_seen(asm_SL_FENCE(scope, ASM_ACQUIRES), NO_WORD, buffered);
        expect_seen(asm_SL_FENCE(scope, ASM_RELEASES), NO_WORD, always);
        expect_seen(asm_SL_FENCE(scope, ASM_ACQUIRES | ASM_RELEASES), NO_WORD, always);
        expect_seen(release, NO_WORD, buffered);
        expect_seen(release, acquire, always);
        expect_seen(asm_SL_AMOADD(T1, T0, A3) | of | ASM_AQ | ASM_RL, NO_WORD, always);
    }
}

/* An acquire alone waits for all stores under sc_wb, but only for those that release under tso. */
TEST(test_acquire_alone)
{
    static const bool seen[MODELS] = {[RMO] = true, [SC] = true, [SC_WB] = true};

    expect_seen(asm_SL_LOAD(T1, 0, A3) | ASM_SCOPE(4, SL_SCOPE_WAVEFRONT) | ASM_AQ, NO_WORD, seen);
}

/* The cost of a fence at wavefront scope behind two stores of lane 0: an issue, but for the models
 * with a buffer, which wait for both. */
TEST(test_cost)
{
    const uint32_t fence = asm_SL_FENCE(SL_SCOPE_WAVEFRONT, ASM_ACQUIRES | ASM_RELEASES);

    assert_int_equal(wait_of_lane(SC_WB, 1, fence), wait_of_lane(SC_WB, 1, asm_FENCE()));
    assert_int_equal(wait_of_lane(TSO, 1, fence), wait_of_lane(TSO, 1, asm_FENCE()));
}
