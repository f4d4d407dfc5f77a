/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Consistency models (docs/consistency.md): what chains of loads and stores take on flat memory
 * under each, in cycles that the comment of each test works out by hand, and what becomes visible.
 *
 * What holds where a test says nothing else: 1 GHz, a wavefront of 64 lanes occupies its SIMD unit
 * of 16 lanes for 4 cycles. A wavefront that is launched at cycle 0 fetches its code line until 2
 * and issues there. A memory access takes effect 10 cycles after it is sent and is done after 20;
 * all lanes access the same bytes. A wavefront has ended 4 cycles after the issue of its ret, but
 * not before its memory instructions are done and its write buffer is empty. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sluice/lock.h"
#include "soc/machine.h"

static struct asm_code code;

enum model { RMO, SC, SC_WB, TSO, MODELS };

static const char *const settings[MODELS] = {
    [RMO] = "gpu.consistency=rmo",
    [SC] = "gpu.consistency=sc",
    [SC_WB] = "gpu.consistency=sc_wb",
    [TSO] = "gpu.consistency=tso",
};

/* A machine with a2 and a3 two lines in the heap. */
static struct machine *create(enum model model, const char *other)
{
    struct machine *m = MACHINE(settings[model], other);

    m->arguments[0] = machine_take(m, 64);
    m->arguments[1] = machine_take(m, 64);
    return m;
}

/* What the counters of a run must say. */
struct counts {
    uint64_t blocked;
    uint64_t buffered;
    uint64_t buffer_max;
    uint64_t drain;
    uint64_t matches;
    uint64_t match;
};

struct expected {
    uint64_t end;
    struct counts counts;
};

static void check_counts(const struct cu_counters *counters, const struct counts *expected)
{
    assert_int_equal(counters->order_blocked_cycles, expected->blocked);
    assert_int_equal(counters->order_buffered_stores, expected->buffered);
    assert_int_equal(counters->order_buffer_max, expected->buffer_max);
    assert_int_equal(counters->order_drain_wait_cycles, expected->drain);
    assert_int_equal(counters->order_match_waits, expected->matches);
    assert_int_equal(counters->order_match_wait_cycles, expected->match);
}

/* Runs instructions, up to a 0, and ret. */
static void check(enum model model, const char *other, const uint32_t *words, uint32_t lanes,
                  const struct expected *expected)
{
    struct machine *m = create(model, other);

    asm_begin(&code);
    for (; *words != 0; words++) {
        asm_put(&code, *words);
    }
    asm_put(&code, ASM_RET);
    const struct machine_wave *wave = machine_execute(m, &code, lanes);
    assert_int_equal(wave->end_cycle, expected->end);
    check_counts(&m->counters, &expected->counts);
    assert_int_equal(m->faults, 0);
    machine_destroy(m);
}

static void check_all(const uint32_t *words, const struct expected expected[MODELS])
{
    for (enum model model = 0; model < MODELS; model++) {
        check(model, "gpu.memory_ops=8", words, 64, &expected[model]);
    }
}

/* Three loads that need nothing of each other. rmo: at 2, 6 and 10, done at 22, 26 and 30. The
 * others: at 2, 22 and 42, done at 62, where ret issues; end at 66. The second and the third were
 * ready 4 cycles behind the one before, and ret too: blocked for 16 cycles each. */
static void test_loads(void **state)
{
    (void)state;
    const uint32_t words[] = {asm_LD(T0, A2, 0), asm_LD(T1, A2, 8), asm_LD(T2, A3, 0), 0};
    const struct expected expected[MODELS] = {
        [RMO] = {30, {0}},
        [SC] = {66, {.blocked = 48}},
        [SC_WB] = {66, {.blocked = 48}},
        [TSO] = {66, {.blocked = 48}},
    };

    check_all(words, expected);
}

/* A load and its use: no model makes that wait for more than the value. Load at 2, done at 22; use
 * at 22, ret at 26, end at 30. */
static void test_dependent(void **state)
{
    (void)state;
    const uint32_t words[] = {asm_LD(T0, A2, 0), asm_ADDI(T1, T0, 1), 0};
    const struct expected each = {30, {0}};

    for (enum model model = 0; model < MODELS; model++) {
        check(model, "gpu.memory_ops=8", words, 64, &each);
    }
}

/* Three stores. rmo: at 2, 6 and 10, done at 30. sc: as loads. With a buffer: they issue at 2, 6
 * and 10 and are sent at 2, 22 and 42, the last one is done at 62, which is the end; the first is
 * in the buffer until 22, so there are three at once. ret issues at 14. */
static void test_stores(void **state)
{
    (void)state;
    const uint32_t words[] = {asm_SW(A1, A2, 0), asm_SW(A1, A2, 4), asm_SW(A1, A3, 0), 0};
    const struct expected expected[MODELS] = {
        [RMO] = {30, {0}},
        [SC] = {66, {.blocked = 48}},
        [SC_WB] = {62, {.buffered = 3, .buffer_max = 3}},
        [TSO] = {62, {.buffered = 3, .buffer_max = 3}},
    };

    check_all(words, expected);
}

/* A store, then a load of other bytes. rmo: 2 and 6, done at 26. sc: 2 and 22, done at 42, ret, end
 * at 46. sc_wb: the load issues at 6 and waits for the store until 22, 16 cycles; it is done at 42;
 * ret was ready at 22. tso: the load is sent at 6 and done at 26, ret ready at 10, end at 30. */
static void test_store_load(void **state)
{
    (void)state;
    const uint32_t words[] = {asm_SW(A1, A2, 0), asm_LW(T0, A2, 8), 0};
    const struct expected expected[MODELS] = {
        [RMO] = {26, {0}},
        [SC] = {46, {.blocked = 16 + 16}},
        [SC_WB] = {46, {.blocked = 16 + 20, .buffered = 1, .buffer_max = 1, .drain = 16}},
        [TSO] = {30, {.blocked = 16, .buffered = 1, .buffer_max = 1}},
    };

    check_all(words, expected);
}

/* The same with bytes in common, the last of four: tso waits as sc_wb does, for the match. rmo: the
 * load takes effect behind the store, at 16, and is done at 26. */
static void test_match(void **state)
{
    (void)state;
    const uint32_t words[] = {asm_SW(A1, A2, 0), asm_LBU(T0, A2, 3), 0};
    const struct expected expected[MODELS] = {
        [RMO] = {26, {0}},
        [SC] = {46, {.blocked = 16 + 16}},
        [SC_WB] = {46, {.blocked = 16 + 20, .buffered = 1, .buffer_max = 1, .drain = 16}},
        [TSO] = {46,
                 {.blocked = 16 + 20, .buffered = 1, .buffer_max = 1, .matches = 1, .match = 16}},
    };

    check_all(words, expected);
}

/* Three stores, of which the load matches the second alone: it is done at 42, and the third is sent
 * then. The load issues at 14, waits for 28 cycles, and goes through the port behind that store: at
 * 43, done at 63. ret was ready at 42, blocked for 21. The third store is done at 62, ret at 63,
 * end at 67. */
static void test_youngest_match(void **state)
{
    (void)state;
    const uint32_t words[] = {asm_SW(A1, A2, 0), asm_SW(A1, A2, 4), asm_SW(A1, A2, 8),
                              asm_LW(T0, A2, 4), 0};
    const struct expected expected = {
        67, {.blocked = 28 + 21, .buffered = 3, .buffer_max = 3, .matches = 1, .match = 28}};

    check(TSO, "gpu.memory_ops=8", words, 64, &expected);
}

/* A buffer of two: the third store issues at 10 and waits until the first is done at 22, 12 cycles;
 * the second is sent then. ret was ready at 14; it issues at 22, where nothing is blocked any more.
 * The stores are done at 22, 42 and 62. Of one: the second issues at 6, waits 16 cycles until 22;
 * the third issues there and waits until 42, 20 cycles. */
static void test_full(void **state)
{
    (void)state;
    const uint32_t words[] = {asm_SW(A1, A2, 0), asm_SW(A1, A2, 4), asm_SW(A1, A3, 0), 0};
    const struct expected two = {62, {.blocked = 12, .buffered = 3, .buffer_max = 2}};
    const struct expected one = {62, {.blocked = 16 + 20, .buffered = 3, .buffer_max = 1}};
    const struct expected three = {62, {.buffered = 3, .buffer_max = 3}};

    for (enum model model = SC_WB; model <= TSO; model++) {
        check(model, "gpu.write_buffer=3", words, 64, &three);
        check(model, "gpu.write_buffer=2", words, 64, &two);
        check(model, "gpu.write_buffer=1", words, 64, &one);
    }
}

/* What waits for the buffer, two stores deep: issued at 2 and 6, done at 22 and 42. A fence, which
 * could issue at 10, does at 42, 32 cycles later; ret at 46, end at 50. An atomic issues at 10,
 * waits as long, and is done at 62, which blocks ret from 42 on: 20 cycles; end at 66. */
static void test_drains(void **state)
{
    (void)state;
    const uint32_t first = asm_SW(A1, A2, 0);
    const uint32_t second = asm_SW(A1, A2, 4);
    const uint32_t device = ASM_SCOPE(4, SL_SCOPE_DEVICE);
    const struct counts base = {.blocked = 32, .buffered = 2, .buffer_max = 2, .drain = 32};
    struct expected fence = {50, base};
    struct expected atomic = {66, base};
    const uint32_t atomics[] = {asm_AMOADD_W(T0, A1, A3),
                                asm_LR_W(T0, 0, A3),
                                asm_SC_W(T0, A1, A3),
                                asm_SL_AMOADD(T0, A1, A3) | device,
                                asm_AMOADD_W(T0, A1, A3) | ASM_RL,
                                asm_SL_AMOADD(T0, A1, A3) | device | ASM_RL};

    atomic.counts.blocked += 20;
    for (enum model model = SC_WB; model <= TSO; model++) {
        check(model, NULL, (const uint32_t[]){first, second, asm_FENCE(), 0}, 64, &fence);
        for (size_t i = 0; i < sizeof atomics / sizeof atomics[0]; i++) {
            check(model, NULL, (const uint32_t[]){first, second, atomics[i], 0}, 64, &atomic);
        }
    }
}

/* What acquires and releases without an atomic, under tso. A store that releases goes into the
 * buffer behind the other: done at 42, which is the end; ret at 10. A load that acquires passes a
 * plain store: at 6, done at 26, end at 30. It waits for one that releases: 16 cycles until 22,
 * done at 42, end at 46; a plain load does not. A fence that only acquires waits for no store. */
static void test_acquire_and_release(void **state)
{
    (void)state;
    const uint32_t device = ASM_SCOPE(4, SL_SCOPE_DEVICE);
    const uint32_t plain = asm_SW(A1, A2, 0);
    const uint32_t release = asm_SL_STORE(A1, A2) | device | ASM_RL;
    const uint32_t load = asm_LW(T0, A3, 0);
    const uint32_t acquire = asm_SL_LOAD(T0, 0, A3) | device | ASM_AQ;
    const uint32_t fence = asm_SL_FENCE(SL_SCOPE_DEVICE, ASM_ACQUIRES);
    const struct expected stores = {42, {.buffered = 2, .buffer_max = 2}};
    const struct expected passes = {30, {.blocked = 16, .buffered = 1, .buffer_max = 1}};
    const struct expected waits = {
        46, {.blocked = 16 + 20, .buffered = 1, .buffer_max = 1, .drain = 16}};
    const struct expected fenced = {22, {.buffered = 1, .buffer_max = 1}};

    check(TSO, NULL, (const uint32_t[]){plain, release, 0}, 64, &stores);
    check(TSO, NULL, (const uint32_t[]){plain, acquire, 0}, 64, &passes);
    check(TSO, NULL, (const uint32_t[]){release, load, 0}, 64, &passes);
    check(TSO, NULL, (const uint32_t[]){release, acquire, 0}, 64, &waits);
    check(TSO, NULL, (const uint32_t[]){release, fence, 0}, 64, &fenced);
}

/* ---- outside the model ---- */

/* Two loads of the stack go on as in rmo, at 2 and 6: done at 26, end there; inside with
 * gpu.order_private, at 2 and 22: end at 46. */
static void test_private(void **state)
{
    (void)state;
    const uint32_t words[] = {asm_LD(T0, SP, -8), asm_LD(T1, SP, -16), 0};
    const struct expected outside = {26, {0}};

    for (enum model model = 0; model < MODELS; model++) {
        struct machine *m = create(model, "gpu.order_private=on");
        check(model, "gpu.order_private=off", words, 1, &outside);
        asm_begin(&code);
        asm_put(&code, words[0]);
        asm_put(&code, words[1]);
        asm_put(&code, ASM_RET);
        assert_int_equal(machine_execute(m, &code, 1)->end_cycle, model == RMO ? 26 : 46);
        assert_int_equal(m->counters.lane_loads, 0);
        machine_destroy(m);
    }
}

/* A store of which lane 0 goes to its stack and lane 1 to memory is inside, and waits in the buffer
 * behind another. A load of the stack is outside, and waits for it nevertheless. */
static void test_mixed(void **state)
{
    (void)state;
    for (enum model model = SC_WB; model <= TSO; model++) {
        struct machine *m = create(model, NULL);
        asm_begin(&code);
        asm_put(&code, asm_ADDI(T0, ZERO, 7));
        asm_put(&code, asm_ADDI(T1, SP, -8));
        asm_to(&code, asm_BEQ(A1, ZERO, 0), 0);
        asm_put(&code, asm_ADDI(T1, A2, 0));
        asm_label(&code, 0);
        asm_put(&code, asm_SD(T0, A3, 0));
        asm_put(&code, asm_SD(T0, T1, 0));
        asm_put(&code, asm_LD(S2, SP, -8));
        asm_put(&code, ASM_RET);
        assert_int_equal(machine_execute(m, &code, 2)->x[S2][0], 7);
        assert_int_equal(*(uint64_t *)machine_at(m, m->arguments[0]), 7);
        assert_int_equal(m->counters.order_buffered_stores, 2);
        assert_int_equal(m->counters.order_match_waits, 1);
        assert_int_equal(m->counters.order_drain_wait_cycles, 0);
        assert_int_equal(m->counters.lane_stores, 3);
        machine_destroy(m);
    }
}

/* gpu.rmo_loads=block: loads and atomics as in sc, at 2 and 22; done at 42, end at 46. Stores as in
 * rmo, at 2 and 6: end at 26. */
static void test_blocking_loads(void **state)
{
    (void)state;
    const struct expected loads = {46, {.blocked = 32}};
    const struct expected stores = {26, {0}};

    check(RMO, "gpu.rmo_loads=block",
          (const uint32_t[]){asm_LW(T0, A2, 0), asm_AMOADD_W(T1, A1, A3), 0}, 64, &loads);
    check(RMO, "gpu.rmo_loads=block", (const uint32_t[]){asm_SW(A1, A2, 0), asm_SW(A1, A3, 0), 0},
          64, &stores);
}

/* ---- lanes ---- */

/* Lanes 0 and 1 of one wavefront store, each to a word of its own, and load the other's: lane i
 * stores to a2 + 8 * i. A store of both to a3 comes first, so that the second one is sent at its
 * end. Under tso both loads pass it, and find 0; under the others none does. */
static void test_store_buffering_in_a_wavefront(void **state)
{
    (void)state;
    for (enum model model = 0; model < MODELS; model++) {
        struct machine *m = create(model, NULL);
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
    struct machine *m = create(model, NULL);

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
static void test_lanes(void **state)
{
    (void)state;
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
    struct machine *m = create(model, NULL);

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

static void test_locks(void **state)
{
    (void)state;
    assert_int_equal(wait_of_lock(TSO, 0), 24);
    assert_int_equal(wait_of_lock(TSO, 1), 4);
    assert_int_equal(wait_of_lock(SC_WB, 0), 24);
    assert_int_equal(wait_of_lock(SC_WB, 1), 24);
}

/* ---- the buffer ---- */

/* More stores than the simulator has had room for so far: all are in the buffer at once but those
 * that are done meanwhile, one in 20 cycles, and they take effect in their order: what the last one
 * of a word stored stays. The wavefront faults behind them, and they drain all the same. */
static void test_deep(void **state)
{
    (void)state;
    for (unsigned stores = 100; stores <= 1000; stores += 450) {
        struct machine *m = create(TSO, "gpu.cycle_limit=1000000000");
        asm_begin(&code);
        asm_put(&code, asm_ADDI(T0, ZERO, 0));
        asm_put(&code, asm_ADDI(T1, ZERO, (int32_t)stores));
        asm_label(&code, 0);
        asm_put(&code, asm_ADDI(T0, T0, 1));
        asm_put(&code, asm_SW(T0, A2, 0));
        asm_to(&code, asm_BNE(T0, T1, 0), 0);
        asm_put(&code, asm_SL_TRAP(SL_TRAP_ABORT, ZERO, ZERO));
        const uint64_t end = machine_execute(m, &code, 64)->end_cycle;
        assert_int_equal(m->faults, 1);
        assert_int_equal(*(uint32_t *)machine_at(m, m->arguments[0]), stores);
        assert_int_equal(m->counters.order_buffered_stores, stores);
        assert_true(m->counters.order_buffer_max > stores / 4);
        assert_true(end > 20ull * stores);
        machine_destroy(m);
    }
}

/* Where memory's answers are pending, order is the same: the buffer drains one store after the
 * other, and a load of a byte in it waits. */
static void test_pending_answers(void **state)
{
    (void)state;
    for (enum model model = 0; model < MODELS; model++) {
        struct machine *m = create(model, "mem.system=nol1");
        asm_begin(&code);
        asm_put(&code, asm_ADDI(T0, ZERO, 7));
        asm_put(&code, asm_SW(T0, A2, 0));
        asm_put(&code, asm_ADDI(T0, T0, 1));
        asm_put(&code, asm_SL_STORE(T0, A3) | ASM_SCOPE(4, SL_SCOPE_DEVICE) | ASM_RL);
        asm_put(&code, asm_SW(T0, A2, 0));
        asm_put(&code, asm_LBU(S2, A2, 0));
        asm_put(&code, asm_LW(S3, A3, 0));
        asm_put(&code, asm_AMOADD_W(S4, T0, A2));
        asm_put(&code, ASM_RET);
        const struct machine_wave *wave = machine_execute(m, &code, 1);
        assert_int_equal(wave->x[S2][0], 8);
        assert_int_equal(wave->x[S3][0], 8);
        assert_int_equal(wave->x[S4][0], 8);
        assert_int_equal(m->counters.order_buffered_stores, model >= SC_WB ? 3 : 0);
        assert_int_equal(m->counters.order_match_waits, model == TSO ? 1 : 0);
        assert_int_equal(m->counters.order_blocked_cycles == 0, model == RMO);
        m->mem->ops->settle(m->mem);
        assert_int_equal(*(uint32_t *)machine_at(m, m->arguments[0]), 16);
        machine_destroy(m);
    }
}

/* Accesses in two pieces match by their bytes: a store of 8 bytes, 4 of which are in the next line,
 * and loads of those and of the bytes behind it. */
static void test_split(void **state)
{
    (void)state;
    for (unsigned behind = 0; behind < 2; behind++) {
        struct machine *m = create(TSO, "gpu.misaligned=split");
        asm_begin(&code);
        asm_put(&code, asm_ADDI(T0, ZERO, -1));
        asm_put(&code, asm_SD(T0, A2, 60));
        asm_put(&code, behind == 1 ? asm_LW(S2, A2, 68) : asm_LHU(S2, A2, 66));
        asm_put(&code, ASM_RET);
        const struct machine_wave *wave = machine_execute(m, &code, 1);
        assert_int_equal(wave->x[S2][0], behind == 1 ? 0 : 0xffff);
        assert_int_equal(m->counters.order_match_waits, 1 - behind);
        machine_destroy(m);
    }
}

/* ---- two compute units ---- */

/* Two wavefronts at once, on two compute units, run the same code of one lane each: with a2 and a3
 * exchanged, a2[0] = 1, read of its own word where `reads_own`, read of a3[0]. Both stores are
 * behind one to a word of nobody, as above. */
static void run_pair(enum model model, bool reads_own, uint64_t found[2][2])
{
    struct machine *m = create(model, "gpu.cus=2");
    const uint64_t a = m->arguments[0];
    const uint64_t b = m->arguments[1];

    asm_begin(&code);
    asm_put(&code, asm_ADDI(T0, ZERO, 1));
    asm_put(&code, asm_SD(T0, A2, 32));
    asm_put(&code, asm_SD(T0, A2, 0));
    asm_put(&code, reads_own ? asm_LD(S2, A2, 0) : ASM_NOP);
    asm_put(&code, asm_LD(S3, A3, 0));
    asm_put(&code, ASM_RET);
    machine_load(m, &code);
    machine_launch(m, 0, 0, 0, 1);
    m->arguments[0] = b;
    m->arguments[1] = a;
    machine_launch(m, 1, 0, 0, 1);
    machine_run(m);
    for (unsigned i = 0; i < 2; i++) {
        found[i][0] = m->waves[i].x[S2][0];
        found[i][1] = m->waves[i].x[S3][0];
    }
    machine_destroy(m);
}

/* Store buffering: both loads find 0 under tso, and never under sc and sc_wb. */
static void test_store_buffering(void **state)
{
    (void)state;
    uint64_t found[2][2];

    run_pair(TSO, false, found);
    assert_int_equal(found[0][1] + found[1][1], 0);
    for (enum model model = SC; model <= SC_WB; model++) {
        run_pair(model, false, found);
        assert_int_not_equal(found[0][1] + found[1][1], 0);
    }
}

/* With a read of its own word in between, which waits for it to drain, not under tso either: the
 * buffer cannot be read. */
static void test_store_buffering_read_back(void **state)
{
    (void)state;
    uint64_t found[2][2];

    for (enum model model = 0; model < MODELS; model++) {
        run_pair(model, true, found);
        assert_int_equal(found[0][0], 1);
        assert_int_equal(found[1][0], 1);
        if (model != RMO) {
            assert_int_not_equal(found[0][1] + found[1][1], 0);
        }
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_loads),
    cmocka_unit_test(test_dependent),
    cmocka_unit_test(test_stores),
    cmocka_unit_test(test_store_load),
    cmocka_unit_test(test_match),
    cmocka_unit_test(test_youngest_match),
    cmocka_unit_test(test_full),
    cmocka_unit_test(test_drains),
    cmocka_unit_test(test_acquire_and_release),
    cmocka_unit_test(test_private),
    cmocka_unit_test(test_mixed),
    cmocka_unit_test(test_blocking_loads),
    cmocka_unit_test(test_store_buffering_in_a_wavefront),
    cmocka_unit_test(test_lanes),
    cmocka_unit_test(test_locks),
    cmocka_unit_test(test_deep),
    cmocka_unit_test(test_pending_answers),
    cmocka_unit_test(test_split),
    cmocka_unit_test(test_store_buffering),
    cmocka_unit_test(test_store_buffering_read_back),
};

int main(void)
{
    return cmocka_run_group_tests(tests, NULL, NULL);
}
