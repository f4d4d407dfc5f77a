/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Atomics of wavefronts: the operations against plain C, the order of lanes, load-reserved and
 * store-conditional, and the statistics of compare-and-swaps. */
#include <stdlib.h>
#include <string.h>

#include "common/check.h"
#include "common/fixture.h"
#include "soc/common/machine.h"

static struct asm_code code;

static uint64_t *words(const struct machine *m, unsigned argument)
{
    return machine_at(m, m->arguments[argument]);
}

/* t0 = a2 + lane << shift. */
static void put_lane_address(int32_t shift)
{
    asm_put(&code, asm_SLLI(T0, A1, shift));
    asm_put(&code, asm_ADD(T0, T0, A2));
}

/* All lanes swap their number into one word: each gets that of the lane before, the first what was
 * there; the last one's stays. All in one cache-line access. */
TEST(test_swap_chain)
{
    struct machine *m = MACHINE("gpu.cus=1");

    m->arguments[0] = machine_take(m, 64);
    words(m, 0)[0] = 4711;
    asm_begin(&code);
    asm_put(&code, asm_AMOSWAP_D(T1, A1, A2));
    asm_put(&code, ASM_RET);
    const struct machine_wave *wave = machine_execute(m, &code, 64);
    assert_int_equal(wave->x[T1][0], 4711);
    for (unsigned lane = 1; lane < 64; lane++) {
        assert_int_equal(wave->x[T1][lane], lane - 1);
    }
    assert_int_equal(words(m, 0)[0], 63);
    assert_int_equal(m->counters.atomics, 1);
    assert_int_equal(m->counters.line_accesses, 1);
    machine_destroy(m);
}

/* The operations in 32 and 64 bits, by the A extension's encodings and by Xsluice's. */
enum operation { SWAP, ADD, XOR, AND, OR, MIN, MAX, MINU, MAXU, OPERATIONS };

static const uint32_t funct5[OPERATIONS] = {1, 0, 4, 12, 8, 16, 20, 24, 28};

static uint64_t plain64(enum operation operation, uint64_t old, uint64_t value)
{
    switch (operation) {
    case SWAP:
        return value;
    case ADD:
        return old + value;
    case XOR:
        return old ^ value;
    case AND:
        return old & value;
    case OR:
        return old | value;
    case MIN:
        return (int64_t)value < (int64_t)old ? value : old;
    case MAX:
        return (int64_t)value > (int64_t)old ? value : old;
    case MINU:
        return value < old ? value : old;
    default:
        return value > old ? value : old;
    }
}

static uint32_t plain32(enum operation operation, uint32_t old, uint32_t value)
{
    switch (operation) {
    case MIN:
        return (int32_t)value < (int32_t)old ? value : old;
    case MAX:
        return (int32_t)value > (int32_t)old ? value : old;
    case MINU:
        return value < old ? value : old;
    case MAXU:
        return value > old ? value : old;
    default:
        return (uint32_t)plain64(operation, old, value);
    }
}

static uint64_t edge(uint64_t seed)
{
    static const uint64_t edges[] = {
        0,         1,          UINT64_MAX, INT64_MAX,         (uint64_t)INT64_MIN,
        INT32_MAX, 0x80000000, UINT32_MAX, 0x123456789abcdef0};
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return edges[(seed >> 33) % (sizeof edges / sizeof edges[0])] + (seed >> 40) % 3;
}

static void check_operation(enum operation operation, unsigned bytes, bool is_scoped)
{
    struct machine *m = MACHINE("gpu.cus=1");

    m->arguments[0] = machine_take(m, 512);
    m->arguments[1] = machine_take(m, 512);
    for (unsigned lane = 0; lane < 64; lane++) {
        words(m, 0)[lane] = edge(lane);
        words(m, 1)[lane] = edge(lane * 31 + operation + 1000);
    }
    uint32_t word =
        funct5[operation] << 27 | (is_scoped ? 0x2bu | ASM_SCOPE(bytes, SL_SCOPE_WORKGROUP)
                                             : 0x2fu | (bytes == 8 ? 3u : 2u) << 12);
    asm_begin(&code);
    put_lane_address(3);
    asm_put(&code, asm_SLLI(T1, A1, 3));
    asm_put(&code, asm_ADD(T1, T1, A3));
    asm_put(&code, asm_LD(T1, T1, 0));
    asm_put(&code, asm_r(word, T2, T0, T1));
    asm_put(&code, ASM_RET);
    const struct machine_wave *wave = machine_execute(m, &code, 64);
    assert_int_equal(m->faults, 0);
    for (unsigned lane = 0; lane < 64; lane++) {
        uint64_t old = edge(lane);
        uint64_t value = words(m, 1)[lane];
        uint64_t expected = plain64(operation, old, value);
        uint64_t loaded = old;
        if (bytes == 4) { /* the upper half stays, the result is sign-extended */
            expected = (old & ~0xffffffffull) | plain32(operation, (uint32_t)old, (uint32_t)value);
            loaded = (uint64_t)(int64_t)(int32_t)old;
        }
        assert_int_equal(words(m, 0)[lane], expected);
        assert_int_equal(wave->x[T2][lane], loaded);
    }
    machine_destroy(m);
}

TEST(test_operations)
{
    for (enum operation operation = SWAP; operation < OPERATIONS; operation++) {
        for (unsigned bytes = 4; bytes <= 8; bytes += 4) {
            check_operation(operation, bytes, false);
            check_operation(operation, bytes, true);
        }
    }
}

/* Atomics without a result, from two wavefronts of 64 lanes, to one counter: all of them count. */
TEST(test_atomic_add_to_one_word)
{
    struct machine *m = MACHINE("gpu.cus=2");

    m->arguments[0] = machine_take(m, 64);
    asm_begin(&code);
    asm_put(&code, asm_ADDI(T0, ZERO, 1));
    asm_repeat(&code, asm_AMOADD_D(ZERO, T0, A2), 10);
    asm_put(&code, ASM_RET);
    machine_load(m, &code);
    machine_launch(m, 0, 0, 0, 64);
    machine_launch(m, 1, 0, 0, 64);
    machine_run(m);
    assert_int_equal(words(m, 0)[0], 2 * 10 * 64);
    assert_int_equal(m->waves[0].x[ZERO][0], 0);
    machine_destroy(m);
}

/* Load-reserved and store-conditional of a1 + 1, results in t1 and t2. */
static void put_lr_sc(uint32_t address)
{
    asm_put(&code, asm_LR_D(T1, 0, address));
    asm_put(&code, asm_ADDI(S0, A1, 1));
    asm_put(&code, asm_SC_D(T2, S0, address));
}

TEST(test_sc_without_lr)
{
    struct machine *m = MACHINE("gpu.cus=1");

    m->arguments[0] = machine_take(m, 64);
    words(m, 0)[0] = 5;
    asm_begin(&code);
    asm_put(&code, asm_SC_D(T2, A1, A2));
    asm_put(&code, ASM_RET);
    const struct machine_wave *wave = machine_execute(m, &code, 64);
    assert_int_equal(words(m, 0)[0], 5);
    for (unsigned lane = 0; lane < 64; lane++) {
        assert_int_equal(wave->x[T2][lane], 1);
    }
    machine_destroy(m);
}

/* Each lane to its own line: all succeed. All to one word, or to words of one line: the first
 * lane's store breaks the reservations of the others. */
TEST(test_lr_sc_of_all_lanes)
{
    static const struct {
        int32_t shift;
        bool is_one_word;
        bool all_succeed;
    } cases[] = {{6, false, true}, {0, true, false}, {3, false, false}};

    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        struct machine *m = MACHINE("gpu.cus=1");
        m->arguments[0] = machine_take(m, 4096);
        asm_begin(&code);
        put_lane_address(cases[c].shift);
        put_lr_sc(cases[c].is_one_word ? A2 : T0);
        asm_put(&code, ASM_RET);
        /* 8 lanes at 8 bytes are one line. */
        uint32_t lanes = cases[c].shift == 3 ? 8 : 64;
        const struct machine_wave *wave = machine_execute(m, &code, lanes);
        for (unsigned lane = 0; lane < lanes; lane++) {
            assert_int_equal(wave->x[T2][lane], !(cases[c].all_succeed || lane == 0));
        }
        assert_int_equal(words(m, 0)[0], 1);
        assert_int_equal(m->gpu->mem->reservations.held, 0);
        machine_destroy(m);
    }
}

/* A reservation serves one store-conditional, to its own address, in either size. */
TEST(test_reservation_is_used_up)
{
    struct machine *m = MACHINE("gpu.cus=1");

    m->arguments[0] = machine_take(m, 128);
    asm_begin(&code);
    put_lr_sc(A2);
    asm_put(&code, asm_SC_D(S2, A1, A2)); /* again */
    asm_put(&code, asm_LR_D(T1, 0, A2));
    asm_put(&code, asm_ADDI(T0, A2, 8));
    asm_put(&code, asm_SC_D(S3, S0, T0)); /* elsewhere */
    asm_put(&code, asm_SC_D(S4, S0, A2)); /* a failed one uses it up as well */
    asm_put(&code, asm_LR_W(T1, 0, A2));
    asm_put(&code, asm_SC_W(S5, S0, A2));
    asm_put(&code, ASM_RET);
    const struct machine_wave *wave = machine_execute(m, &code, 1);
    assert_int_equal(wave->x[T2][0], 0);
    assert_int_equal(wave->x[S2][0], 1);
    assert_int_equal(wave->x[S3][0], 1);
    assert_int_equal(wave->x[S4][0], 1);
    assert_int_equal(wave->x[S5][0], 0);
    assert_int_equal(words(m, 0)[1], 0);
    machine_destroy(m);
}

/* A wavefront that ends or faults with reservations gives them back. */
TEST(test_reservation_of_an_ended_wavefront)
{
    for (unsigned fault = 0; fault < 2; fault++) {
        struct machine *m = MACHINE("gpu.cus=1");
        m->arguments[0] = machine_take(m, 64);
        asm_begin(&code);
        asm_put(&code, asm_LR_D(T1, 0, A2));
        asm_put(&code, asm_ADDI(T2, T1, 0));
        asm_put(&code, fault ? ASM_WILD : ASM_RET);
        (void)machine_execute(m, &code, 64);
        assert_int_equal(m->faults, fault);
        assert_int_equal(m->gpu->mem->reservations.held, 0);
        machine_destroy(m);
    }
}

/* lr at 2 takes effect at 12. What is written to the line between that and the sc makes it fail: a
 * store of another wavefront (at 2, its line a cycle later: effective at 13), an AMO, the
 * aggregator's store, told by reservation_write(). What is written to another line does not. */
static uint64_t sc_result(uint32_t other, uint64_t other_offset, bool aggregator)
{
    struct machine *m = MACHINE("gpu.simds=4");

    m->arguments[0] = machine_take(m, 256);
    m->arguments[1] = m->arguments[0] + other_offset;
    asm_begin(&code);
    put_lr_sc(A2);
    asm_put(&code, ASM_RET);
    asm_function(&code);
    uint32_t second = asm_here(&code);
    asm_put(&code, other);
    asm_put(&code, ASM_RET);
    machine_load(m, &code);
    machine_launch(m, 0, 0, 0, 1);
    machine_launch(m, 0, second, 0, 1);
    fixture_run(m->gpu, 15);
    if (aggregator) {
        reservation_write(&m->gpu->mem->reservations, m->arguments[1]);
    }
    machine_run(m);
    uint64_t result = m->waves[0].x[T2][0];
    machine_destroy(m);
    return result;
}

/* Two lines that share an epoch: what is written to one that nobody reserves breaks nothing, or an
 * sc could fail for ever beside somebody who keeps storing there. */
TEST(test_lines_that_share_an_epoch)
{
    struct reservations *reservations = calloc(1, sizeof(*reservations));
    assert_non_null(reservations);
    const uint64_t one = SL_DRAM_BASE;
    const uint64_t other = one ^ 0x1001 * SL_CACHE_LINE_BYTES;
    assert_ptr_equal(reservation_slot(reservations, one), reservation_slot(reservations, other));

    const uint32_t epoch = reservation_take(reservations, one);
    reservation_write(reservations, other);
    assert_int_equal(reservation_epoch(reservations, one), epoch);
    reservation_write(reservations, one);
    assert_int_not_equal(reservation_epoch(reservations, one), epoch);

    /* With both reserved, a write to either breaks both. */
    const uint32_t second = reservation_take(reservations, other);
    reservation_write(reservations, one);
    assert_int_not_equal(reservation_epoch(reservations, other), second);
    const uint32_t third = reservation_epoch(reservations, other);
    reservation_write(reservations, other);
    assert_int_not_equal(reservation_epoch(reservations, one), third);

    /* When none is held, the lines are forgotten. */
    reservations->held = 0;
    const uint32_t fourth = reservation_take(reservations, one);
    reservation_write(reservations, other);
    assert_int_equal(reservation_epoch(reservations, one), fourth);
    free(reservations);
}

TEST(test_writes_between_lr_and_sc)
{
    uint32_t store = asm_SD(A1, A3, 0);

    assert_int_equal(sc_result(ASM_NOP, 0, false), 0);
    assert_int_equal(sc_result(asm_LD(T0, A3, 0), 0, false), 0); /* a load is no write */
    assert_int_equal(sc_result(store, 0, false), 1);
    assert_int_equal(sc_result(store, 56, false), 1); /* the same line */
    assert_int_equal(sc_result(asm_AMOADD_D(T0, ZERO, A3), 0, false), 1);
    assert_int_equal(sc_result(store, 64, false), 0); /* another line */
    assert_int_equal(sc_result(ASM_NOP, 0, true), 1);
    assert_int_equal(sc_result(ASM_NOP, 60, true), 1);
    assert_int_equal(sc_result(ASM_NOP, 64, true), 0);
}

/* The store that counts is one that takes effect in between, not one that issues there: a wavefront
 * stores to 64 lines at 10 (the first is the word): effective at 83. lr and sc of another compute
 * unit from 2 on are over by then: the sc succeeds, and the store comes on top. */
TEST(test_sc_before_a_store_that_issued_earlier)
{
    struct machine *m = MACHINE("gpu.cus=2");

    m->arguments[0] = machine_take(m, 4096);
    asm_begin(&code);
    put_lane_address(6);
    asm_put(&code, asm_SD(T0, T0, 0));
    asm_put(&code, ASM_RET);
    asm_function(&code);
    uint32_t second = asm_here(&code);
    put_lr_sc(A2);
    asm_put(&code, ASM_RET);
    machine_load(m, &code);
    machine_launch(m, 0, 0, 0, 64);
    machine_launch(m, 1, second, 0, 1);
    machine_run(m);
    assert_int_equal(m->waves[1].x[T2][0], 0);
    assert_int_equal(words(m, 0)[0], m->arguments[0]);
    machine_destroy(m);
}

/* Two wavefronts that race for a word, one try each, both having read the same value: one wins. */
TEST(test_race_has_one_winner)
{
    struct machine *m = MACHINE("gpu.simds=4");

    m->arguments[0] = machine_take(m, 64);
    asm_begin(&code);
    put_lr_sc(A2);
    asm_put(&code, ASM_RET);
    machine_load(m, &code);
    machine_launch(m, 0, 0, 10, 1);
    machine_launch(m, 0, 0, 20, 1);
    machine_run(m);
    assert_int_equal(m->waves[0].x[T1][0], 0);
    assert_int_equal(m->waves[1].x[T1][0], 0);
    assert_int_equal(m->waves[0].x[T2][0] + m->waves[1].x[T2][0], 1);
    assert_int_equal(words(m, 0)[0], m->waves[0].x[T2][0] == 0 ? 11 : 21);
    machine_destroy(m);
}

/* Compare-and-swap loops: every lane of three wavefronts adds 1, 5 times, to one counter. Each
 * success is one addition, so that attempts less failures is the sum; the statistics count those
 * inside the channels' range. */
TEST(test_loops_and_statistics)
{
    for (unsigned inside = 0; inside < 2; inside++) {
        struct machine *m = MACHINE("gpu.cus=2");
        m->arguments[0] = machine_take(m, 512);
        m->gpu->env.cas_base = m->arguments[0] + (inside ? 0 : 64);
        m->gpu->env.cas_limit = m->arguments[0] + 512;
        asm_begin(&code);
        asm_put(&code, asm_ADDI(S1, ZERO, 5));
        asm_label(&code, 0);
        asm_put(&code, asm_LR_D(T0, 0, A2));
        asm_put(&code, asm_ADDI(T0, T0, 1));
        asm_put(&code, asm_SC_D(T1, T0, A2));
        asm_put(&code, asm_ADD(S3, S3, T1));
        asm_to(&code, asm_BNE(T1, ZERO, 0), 0);
        asm_put(&code, asm_ADDI(S1, S1, -1));
        asm_to(&code, asm_BNE(S1, ZERO, 0), 0);
        asm_put(&code, ASM_RET);
        machine_load(m, &code);
        for (unsigned i = 0; i < 3; i++) {
            machine_launch(m, i % 2, 0, 0, 16);
        }
        machine_run(m);
        uint64_t failures = 0;
        for (unsigned i = 0; i < 3; i++) {
            for (unsigned lane = 0; lane < 16; lane++) {
                failures += m->waves[i].x[S3][lane];
            }
        }
        assert_int_equal(words(m, 0)[0], 3 * 16 * 5);
        assert_true(failures > 0);
        assert_int_equal(m->counters.cas_failures, inside ? failures : 0);
        assert_int_equal(m->counters.cas_attempts, inside ? 3 * 16 * 5 + failures : 0);
        machine_destroy(m);
    }
}
