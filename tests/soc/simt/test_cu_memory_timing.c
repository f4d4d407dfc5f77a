/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Timing of memory instructions and of what orders them, in cycles that the comment of each test
 * works out by hand.
 *
 * What holds where a test says nothing else: 1 GHz, a wavefront of 64 lanes occupies its SIMD unit
 * of 16 lanes for 4 cycles. A wavefront that is launched at cycle 0 fetches its code line until 2
 * and issues there. Results of operations are there after 4 cycles, products after 16, quotients
 * after 128; a memory access takes effect after 10 cycles and is done after 20, a compute unit
 * sends one cache line a cycle. A wavefront has ended 4 cycles after the issue of its ret, but not
 * before its memory instructions are done. */
#include "common/check.h"
#include "soc/common/machine.h"

static struct asm_code code;

static uint64_t end_of(struct machine *m, uint32_t count)
{
    return machine_execute(m, &code, count)->end_cycle;
}

/* t0 = a2 + lane << shift: lanes at a distance. */
static void put_lane_address(unsigned shift)
{
    asm_put(&code, asm_SLLI(T0, A1, (int32_t)shift));
    asm_put(&code, asm_ADD(T0, T0, A2));
}

/* A load is a pending write as well: ld at 2 is done at 22; the addition to its register at 22, ret
 * at 26, end at 30, and the loaded value does not come over it. */
TEST(test_write_after_load)
{
    struct machine *m = MACHINE("gpu.memory_ops=8");
    m->arguments[0] = machine_take(m, 64);
    *(uint64_t *)machine_at(m, m->arguments[0]) = 1234;
    asm_begin(&code);
    asm_put(&code, asm_LD(T0, A2, 0));
    asm_put(&code, asm_ADDI(T0, ZERO, 5));
    asm_put(&code, ASM_RET);
    assert_int_equal(end_of(m, 64), 30);
    assert_int_equal(m->waves[0].x[T0][1], 5);
    machine_destroy(m);
}

/* ld at 2, done at 22: the use at 22, ret at 26, end at 30, with up to four additions (6 to 18) in
 * between. Without a use ret issues at 6, but the context is held until 22. */
TEST(test_load_to_use)
{
    for (unsigned fill = 0; fill <= 4; fill += 4) {
        struct machine *m = MACHINE("flat.cu=20ns");
        m->arguments[0] = machine_take(m, 64);
        *(uint64_t *)machine_at(m, m->arguments[0]) = 1234;
        asm_begin(&code);
        asm_put(&code, asm_LD(T0, A2, 0));
        for (unsigned i = 0; i < fill; i++) {
            asm_put(&code, asm_ADDI(S2 + i, ZERO, 1));
        }
        asm_put(&code, asm_ADDI(T1, T0, 1));
        asm_put(&code, ASM_RET);
        assert_int_equal(end_of(m, 64), 30);
        assert_int_equal(m->waves[0].x[T1][63], 1235);
        machine_destroy(m);
    }
    struct machine *m = MACHINE("flat.cu=20ns");
    m->arguments[0] = machine_take(m, 64);
    asm_begin(&code);
    asm_put(&code, asm_LD(T0, A2, 0));
    asm_put(&code, ASM_RET);
    assert_int_equal(end_of(m, 64), 22);
    machine_destroy(m);
}

/* Addresses at 2 and 6, ld at 10. Its n lines go out at 10 to 9 + n; the last one is done at
 * 29 + n; the use there, ret 4 and end 8 cycles later: 37 + n. With four lines a cycle, 64 lines go
 * out until 25: done at 45, end at 53. */
TEST(test_lines)
{
    static const struct {
        const char *lines_per_cycle;
        unsigned shift; /* distance of lanes */
        unsigned skew;  /* of the base */
        unsigned lines;
        uint64_t end;
    } cases[] = {
        {"gpu.lines_per_cycle=1", 3, 0, 8, 45},   /* unit stride, 8 bytes */
        {"gpu.lines_per_cycle=1", 3, 32, 9, 46},  /* not at a line */
        {"gpu.lines_per_cycle=1", 4, 0, 16, 53},  /* every second double word */
        {"gpu.lines_per_cycle=1", 6, 0, 64, 101}, /* scattered */
        {"gpu.lines_per_cycle=1", 9, 8, 64, 101}, /* far apart */
        {"gpu.lines_per_cycle=4", 6, 0, 64, 53},  {"gpu.lines_per_cycle=64", 6, 0, 64, 38},
    };

    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        struct machine *m = MACHINE(cases[c].lines_per_cycle);
        m->arguments[0] = machine_take(m, 64 * 1024) + cases[c].skew;
        asm_begin(&code);
        put_lane_address(cases[c].shift);
        asm_put(&code, asm_LD(T1, T0, 0));
        asm_put(&code, asm_ADDI(T2, T1, 1));
        asm_put(&code, ASM_RET);
        assert_int_equal(end_of(m, 64), cases[c].end);
        assert_int_equal(m->counters.line_accesses, cases[c].lines);
        machine_destroy(m);
    }

    /* All lanes at one place: one line, end at 38. */
    struct machine *m = MACHINE("gpu.lines_per_cycle=1");
    m->arguments[0] = machine_take(m, 64);
    asm_begin(&code);
    asm_put(&code, asm_SLLI(T0, A1, 0));
    asm_put(&code, asm_ADD(T0, A2, ZERO));
    asm_put(&code, asm_LD(T1, T0, 0));
    asm_put(&code, asm_ADDI(T2, T1, 1));
    asm_put(&code, ASM_RET);
    assert_int_equal(end_of(m, 64), 38);
    assert_int_equal(m->counters.line_accesses, 1);
    machine_destroy(m);
}

/* Lanes in any order: what they touch counts, not who. Lanes 0 and 2 in one line, lane 1 in
 * another, and so on: 64 lanes alternate between 2 lines. */
TEST(test_lines_out_of_order)
{
    struct machine *m = MACHINE("gpu.lines_per_cycle=1");
    m->arguments[0] = machine_take(m, 128);
    asm_begin(&code);
    asm_put(&code, asm_ANDI(T0, A1, 1));
    asm_put(&code, asm_SLLI(T0, T0, 6));
    asm_put(&code, asm_ADD(T0, T0, A2));
    asm_put(&code, asm_LD(T1, T0, 0)); /* at 14: lines at 14 and 15, done at 35 */
    asm_put(&code, asm_ADDI(T2, T1, 1));
    asm_put(&code, ASM_RET);
    assert_int_equal(end_of(m, 64), 43);
    assert_int_equal(m->counters.line_accesses, 2);
    machine_destroy(m);
}

/* The port to memory belongs to the compute unit: two wavefronts on two SIMD units issue scattered
 * loads at 10; lines of the first go out until 73, of the second from 74 to 137: done at 93 and
 * 157, end at 101 and 165. On two compute units both end at 101. */
TEST(test_shared_port)
{
    for (unsigned cus = 1; cus <= 2; cus++) {
        struct machine *m = MACHINE(cus == 1 ? "gpu.cus=1" : "gpu.cus=2");
        m->arguments[0] = machine_take(m, 64 * 64);
        asm_begin(&code);
        put_lane_address(6);
        asm_put(&code, asm_LD(T1, T0, 0));
        asm_put(&code, asm_ADDI(T2, T1, 1));
        asm_put(&code, ASM_RET);
        machine_load(m, &code);
        machine_launch(m, 0, 0, 0, 64);
        machine_launch(m, cus - 1, 0, 0, 64);
        machine_run(m);
        assert_int_equal(m->waves[0].end_cycle, 101);
        assert_int_equal(m->waves[1].end_cycle, cus == 1 ? 165 : 101);
        machine_destroy(m);
    }
}

/* Three loads of different registers at 2, 6 and 10: done at 22, 26 and 30: end at 30. When two may
 * be under way, the third waits for the first: at 22, done at 42, end at 42. */
TEST(test_memory_ops_limit)
{
    static const char *const settings[] = {"gpu.memory_ops=8", "gpu.memory_ops=3",
                                           "gpu.memory_ops=2"};
    static const uint64_t ends[] = {30, 30, 42};

    for (unsigned c = 0; c < 3; c++) {
        struct machine *m = MACHINE(settings[c]);
        m->arguments[0] = machine_take(m, 64);
        asm_begin(&code);
        asm_put(&code, asm_LD(T0, A2, 0));
        asm_put(&code, asm_LD(T1, A2, 8));
        asm_put(&code, asm_LD(T2, A2, 16));
        asm_put(&code, ASM_RET);
        assert_int_equal(end_of(m, 64), ends[c]);
        machine_destroy(m);
    }
}

/* Runs `first`, `second`, an independent addition and ret, with a2 a cache line. */
static uint64_t end_of_pair(uint32_t first, uint32_t second)
{
    struct machine *m = MACHINE("gpu.memory_ops=8");

    m->arguments[0] = machine_take(m, 64);
    asm_begin(&code);
    asm_put(&code, first);
    asm_put(&code, second);
    asm_put(&code, asm_ADDI(S2, ZERO, 1));
    asm_put(&code, ASM_RET);
    uint64_t end = end_of(m, 64);
    machine_destroy(m);
    return end;
}

/* sd at 2, done at 22. A fence issues there; addition at 26, ret at 30, end at 34. Instructions
 * that release issue at 22 and are done at 42, but hold nobody up behind them: addition at 26, ret
 * at 30, end at 42. A plain atomic issues at 6, is done at 26; end at 26. */
TEST(test_fence_and_release)
{
    uint32_t store = asm_SD(A1, A2, 0);
    uint32_t device = ASM_SCOPE(8, SL_SCOPE_DEVICE);

    assert_int_equal(end_of_pair(store, asm_FENCE()), 34);
    assert_int_equal(end_of_pair(store, asm_SL_STORE(A1, A2) | ASM_RL | device), 42);
    assert_int_equal(end_of_pair(store, asm_AMOADD_D(ZERO, A1, A2) | ASM_RL), 42);
    assert_int_equal(end_of_pair(store, asm_SL_AMOADD(ZERO, A1, A2) | device | ASM_RL), 42);
    assert_int_equal(end_of_pair(store, asm_AMOADD_D(ZERO, A1, A2)), 26);
    /* A fence waits for loads as well, and for nothing where there is nothing. */
    assert_int_equal(end_of_pair(asm_LD(T0, A2, 0), asm_FENCE()), 34);
    assert_int_equal(end_of_pair(ASM_NOP, asm_FENCE()), 18);
}

/* sl.fence, on a memory system that has no use for its scope. One that releases does so when
 * whatever is before it is done, as `fence` above. One that only acquires waits for what loads,
 * here until 22: end at 34. It waits for no store, whether that releases or not: it issues at 6,
 * addition at 10, ret at 14, and the context is held until the store is done at 22. At wavefront
 * scope none waits, since what lanes of one wavefront see of each other is in program order. */
TEST(test_scoped_fence)
{
    const uint32_t device = ASM_SCOPE(8, SL_SCOPE_DEVICE);
    const uint32_t store = asm_SD(A1, A2, 0);
    const uint32_t reads[] = {
        asm_LD(T0, A2, 0),        asm_SL_LOAD(T0, 0, A2) | device, asm_LR_D(T0, 0, A2),
        asm_AMOADD_D(T0, A1, A2), asm_AMOADD_D(ZERO, A1, A2),      asm_SL_FREDADD(0, A2) | device,
    };

    for (enum sl_scope scope = SL_SCOPE_WAVEFRONT; scope <= SL_SCOPE_SYSTEM; scope++) {
        const uint32_t acquire = asm_SL_FENCE(scope, ASM_ACQUIRES);
        const uint32_t release = asm_SL_FENCE(scope, ASM_RELEASES);
        const uint32_t both = asm_SL_FENCE(scope, ASM_ACQUIRES | ASM_RELEASES);
        const uint64_t end = scope == SL_SCOPE_WAVEFRONT ? 22 : 34;
        for (size_t i = 0; i < sizeof reads / sizeof reads[0]; i++) {
            assert_int_equal(end_of_pair(reads[i], acquire), end);
            assert_int_equal(end_of_pair(reads[i], release), end);
            assert_int_equal(end_of_pair(reads[i], both), end);
        }
        assert_int_equal(end_of_pair(store, release), end);
        assert_int_equal(end_of_pair(store, both), end);
        assert_int_equal(end_of_pair(store, acquire), 22);
        assert_int_equal(end_of_pair(asm_SL_STORE(A1, A2) | ASM_RL | device, acquire), 22);
    }
}

/* Of a load at 2 and a store at 6, done at 22 and 26, a fence that acquires waits for the load:
 * ret at 26, end at 30. With one memory instruction under way the store issues at 22 and is done
 * at 42, and the fence issues at 26: the load is done, and what has its slot is no load. */
TEST(test_fence_behind_load_and_store)
{
    static const char *const settings[] = {"gpu.memory_ops=8", "gpu.memory_ops=1"};
    static const uint64_t ends[] = {30, 42};

    for (unsigned c = 0; c < 2; c++) {
        struct machine *m = MACHINE(settings[c]);
        m->arguments[0] = machine_take(m, 64);
        asm_begin(&code);
        asm_put(&code, asm_LD(T0, A2, 0));
        asm_put(&code, asm_SD(A1, A2, 8));
        asm_put(&code, asm_SL_FENCE(SL_SCOPE_DEVICE, ASM_ACQUIRES));
        asm_put(&code, ASM_RET);
        assert_int_equal(end_of(m, 64), ends[c]);
        machine_destroy(m);
    }
}

/* Loads and stores of a scope without an order wait for nothing and hold nobody up: a store at 2,
 * the second access at 6, done at 26, which is the end. */
TEST(test_relaxed)
{
    const uint32_t store = asm_SD(A1, A2, 0);

    for (enum sl_scope scope = SL_SCOPE_WAVEFRONT; scope <= SL_SCOPE_SYSTEM; scope++) {
        assert_int_equal(end_of_pair(store, asm_SL_STORE(A1, A2) | ASM_SCOPE(8, scope)), 26);
        assert_int_equal(end_of_pair(store, asm_SL_LOAD(T0, 0, A2) | ASM_SCOPE(8, scope)), 26);
    }
}

/* Waiting for one's turn to publish: the register at 2, pauses at 6 and 106, and at 206 a store
 * that releases; the next such store has not waited. sl.pause alone is no such wait. */
TEST(test_publish_wait)
{
    for (unsigned waits = 0; waits < 2; waits++) {
        struct machine *m = MACHINE("gpu.memory_ops=8");
        const uint32_t pause = waits ? asm_SL_PAUSE_TURN(T0) : asm_SL_PAUSE(T0);
        const uint32_t store = asm_SL_STORE(A1, A2) | ASM_RL | ASM_SCOPE(8, SL_SCOPE_DEVICE);
        m->arguments[0] = machine_take(m, 64);
        asm_begin(&code);
        asm_put(&code, asm_ADDI(T0, ZERO, 100));
        asm_put(&code, pause);
        asm_put(&code, pause);
        asm_put(&code, store);
        asm_put(&code, store);
        asm_put(&code, ASM_RET);
        (void)end_of(m, 64);
        assert_int_equal(m->counters.publish_wait_cycles, waits ? 200 : 0);
        machine_destroy(m);
    }
}

/* An acquire at 2 is done at 22: whatever comes behind waits for it, even if it does not use the
 * value: no-op at 22, addition at 26, ret at 30, end at 34. Without: 6, 10, 14, end at 22. */
TEST(test_acquire)
{
    uint32_t device = ASM_SCOPE(8, SL_SCOPE_DEVICE);

    assert_int_equal(end_of_pair(asm_AMOADD_D(T0, A1, A2) | ASM_AQ, ASM_NOP), 34);
    assert_int_equal(end_of_pair(asm_LR_D(T0, 0, A2) | ASM_AQ, ASM_NOP), 34);
    assert_int_equal(end_of_pair(asm_SL_LOAD(T0, 0, A2) | ASM_AQ | device, ASM_NOP), 34);
    assert_int_equal(end_of_pair(asm_AMOADD_D(T0, A1, A2), ASM_NOP), 22);
    assert_int_equal(end_of_pair(asm_AMOADD_D(T0, A1, A2) | ASM_RL, ASM_NOP), 22);
}
