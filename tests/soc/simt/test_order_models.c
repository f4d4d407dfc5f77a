/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Consistency models (docs/know/memory-model.md): what chains of loads and stores take on flat
 * memory under each, in cycles that the comment of each test works out by hand. What becomes
 * visible is in test_order_effects.c.
 *
 * What holds where a test says nothing else: 1 GHz, a wavefront of 64 lanes occupies its SIMD unit
 * of 16 lanes for 4 cycles. A wavefront that is launched at cycle 0 fetches its code line until 2
 * and issues there. A memory access takes effect 10 cycles after it is sent and is done after 20;
 * all lanes access the same bytes. A wavefront has ended 4 cycles after the issue of its ret, but
 * not before its memory instructions are done and its write buffer is empty. */
#include "common/check.h"
#include "soc/simt/order_machine.h"

static struct asm_code code;

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
    struct machine *m = order_machine(model, other);

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
TEST(test_loads)
{
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
TEST(test_dependent)
{
    const uint32_t words[] = {asm_LD(T0, A2, 0), asm_ADDI(T1, T0, 1), 0};
    const struct expected each = {30, {0}};

    for (enum model model = 0; model < MODELS; model++) {
        check(model, "gpu.memory_ops=8", words, 64, &each);
    }
}

/* Three stores. rmo: at 2, 6 and 10, done at 30. sc: as loads. With a buffer: they issue at 2, 6
 * and 10 and are sent at 2, 22 and 42, the last one is done at 62, which is the end; the first is
 * in the buffer until 22, so there are three at once. ret issues at 14. */
TEST(test_stores)
{
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
TEST(test_store_load)
{
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
TEST(test_match)
{
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
TEST(test_youngest_match)
{
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
TEST(test_full)
{
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

/* What waits for two stores. With a buffer: they issue at 2 and 6, and are done at 22 and 42. A
 * fence, which could issue at 10, does at 42, 32 cycles later; ret at 46, end at 50. So does a
 * barrier, of a wavefront that is in no work-group. sc: stores at 2 and 22, the second one blocked
 * from 6 on; the fence at 42, too, which is its own doing and no model's. rmo: the second store is
 * at 6 and done at 26, where the fence issues; ret at 30, end at 34.
 *
 * A fence at wavefront scope issues at 10 with rmo, ret at 14, and the context is held until 26.
 * With sc it waits from 26 to 42 for the model alone. */
TEST(test_fence)
{
    const struct counts drained = {.blocked = 32, .buffered = 2, .buffer_max = 2, .drain = 32};
    const struct expected expected[MODELS] = {
        [RMO] = {34, {0}},
        [SC] = {50, {.blocked = 16}},
        [SC_WB] = {50, drained},
        [TSO] = {50, drained},
    };
    const struct expected of_wavefront[MODELS] = {
        [RMO] = {26, {0}},
        [SC] = {50, {.blocked = 32}},
        [SC_WB] = {50, drained},
        [TSO] = {50, drained},
    };
    const uint32_t fences[] = {asm_FENCE(), asm_SL_FENCE(SL_SCOPE_WORKGROUP, ASM_RELEASES),
                               asm_SL_BARRIER()};
    const uint32_t wavefront = asm_SL_FENCE(SL_SCOPE_WAVEFRONT, ASM_RELEASES);

    for (size_t i = 0; i < sizeof fences / sizeof fences[0]; i++) {
        check_all((const uint32_t[]){asm_SW(A1, A2, 0), asm_SW(A1, A2, 4), fences[i], 0}, expected);
    }
    check_all((const uint32_t[]){asm_SW(A1, A2, 0), asm_SW(A1, A2, 4), wavefront, 0}, of_wavefront);
}

/* Atomics behind the same stores, to another line. With a buffer an atomic issues at 10, waits 32
 * cycles, and is done at 62, which blocks ret from 42 on: 20 cycles; end at 66. sc: at 42, done at
 * 62; the second store, the atomic and ret are blocked for 16 cycles each. rmo: at 10, done at 30,
 * which is the end. One that releases waits for both stores by itself: under rmo it is at 26 and
 * done at 46, under sc it is not the model that blocks it. */
TEST(test_atomics)
{
    const uint32_t device = ASM_SCOPE(4, SL_SCOPE_DEVICE);
    const struct counts drained = {.blocked = 32 + 20, .buffered = 2, .buffer_max = 2, .drain = 32};
    struct expected expected[MODELS] = {
        [SC_WB] = {66, drained},
        [TSO] = {66, drained},
    };
    const uint32_t atomics[] = {asm_AMOADD_W(T0, A1, A3), asm_LR_W(T0, 0, A3), asm_SC_W(T0, A1, A3),
                                asm_SL_AMOADD(T0, A1, A3) | device};

    for (size_t i = 0; i < sizeof atomics / sizeof atomics[0]; i++) {
        uint32_t words[] = {asm_SW(A1, A2, 0), asm_SW(A1, A2, 4), atomics[i], 0};
        expected[RMO] = (struct expected){30, {0}};
        expected[SC] = (struct expected){66, {.blocked = 16 + 16 + 16}};
        check_all(words, expected);
        words[2] |= ASM_RL;
        expected[RMO] = (struct expected){46, {0}};
        expected[SC] = (struct expected){66, {.blocked = 16 + 16}};
        check_all(words, expected);
    }
}

/* What acquires and releases without an atomic, each behind one store at 2, done at 22.
 *
 * A store that releases: tso, sc_wb: in the buffer behind the other, done at 42, which is the end;
 * ret at 10. rmo: at 22, done at 42. sc: at 22, blocked from 6 on; ret at 42, blocked from 26 on.
 *
 * A load that acquires, behind a plain store: tso: at 6, done at 26, where ret issues, blocked from
 * 10 on; end at 30. rmo: likewise, which is the order of an acquire and no model's. sc_wb: it waits
 * from 6 to 22, is done at 42, and blocks ret from 22 on. sc: at 22, blocked from 6 on; ret at 42,
 * blocked from 26 on.
 *
 * A plain load, behind a store that releases: the same, but rmo: at 6, ret at 10, end at 26.
 *
 * A load that acquires behind a store that releases: it waits until 22 under each model; ret at 42.
 * Under rmo and sc that is the order of releases and acquires, which is no model's.
 *
 * A fence that only acquires waits for no store: at 6, or with sc at 22; ret 4 cycles later. */
TEST(test_acquire_and_release)
{
    const uint32_t device = ASM_SCOPE(4, SL_SCOPE_DEVICE);
    const uint32_t plain = asm_SW(A1, A2, 0);
    const uint32_t release = asm_SL_STORE(A1, A2) | device | ASM_RL;
    const uint32_t load = asm_LW(T0, A3, 0);
    const uint32_t acquire = asm_SL_LOAD(T0, 0, A3) | device | ASM_AQ;
    const uint32_t fence = asm_SL_FENCE(SL_SCOPE_DEVICE, ASM_ACQUIRES);
    const struct expected one = {22, {.buffered = 1, .buffer_max = 1}};
    const struct expected two = {42, {.buffered = 2, .buffer_max = 2}};
    const struct expected passes = {30, {.blocked = 16, .buffered = 1, .buffer_max = 1}};
    const struct expected waits = {
        46, {.blocked = 16 + 20, .buffered = 1, .buffer_max = 1, .drain = 16}};
    const struct expected blocks = {46, {.blocked = 16 + 16}};

    check_all((const uint32_t[]){plain, release, 0},
              (const struct expected[]){[RMO] = {42, {0}}, [SC] = blocks, two, two});
    check_all((const uint32_t[]){plain, acquire, 0},
              (const struct expected[]){[RMO] = {30, {0}}, [SC] = blocks, waits, passes});
    check_all((const uint32_t[]){release, load, 0},
              (const struct expected[]){[RMO] = {26, {0}}, [SC] = blocks, waits, passes});
    check_all(
        (const uint32_t[]){release, acquire, 0},
        (const struct expected[]){[RMO] = {46, {0}}, [SC] = {46, {.blocked = 16}}, waits, waits});
    check_all((const uint32_t[]){release, fence, 0},
              (const struct expected[]){[RMO] = {22, {0}}, [SC] = {30, {.blocked = 16}}, one, one});
}

/* ---- outside the model ---- */

/* Two loads of the stack go on as in rmo, at 2 and 6: done at 26, end there; inside with
 * gpu.order_private, at 2 and 22: end at 46. */
TEST(test_private)
{
    const uint32_t words[] = {asm_LD(T0, SP, -8), asm_LD(T1, SP, -16), 0};
    const struct expected outside = {26, {0}};

    for (enum model model = 0; model < MODELS; model++) {
        struct machine *m = order_machine(model, "gpu.order_private=on");
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

/* gpu.rmo_loads=block: loads and atomics as in sc, at 2 and 22; done at 42, end at 46. Stores as in
 * rmo, at 2 and 6: end at 26. */
TEST(test_blocking_loads)
{
    const struct expected loads = {46, {.blocked = 32}};
    const struct expected stores = {26, {0}};

    check(RMO, "gpu.rmo_loads=block",
          (const uint32_t[]){asm_LW(T0, A2, 0), asm_AMOADD_W(T1, A1, A3), 0}, 64, &loads);
    check(RMO, "gpu.rmo_loads=block", (const uint32_t[]){asm_SW(A1, A2, 0), asm_SW(A1, A3, 0), 0},
          64, &stores);
}
