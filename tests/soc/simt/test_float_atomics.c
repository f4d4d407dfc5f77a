/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Floating-point atomic addition: values against the software's addition, the order of lanes and
 * wavefronts, rounding mode and flags of the lane, which mean nothing to it, and its timing. */
#include <string.h>

#include "common/check.h"
#include "simt/float/soft_float.h"
#include "soc/common/machine.h"

#define F(number) (SL_F_REGISTERS + (number))
#define BOX       0xffffffff00000000u
#define CSR_FRM   2
#define CSR_FCSR  3

static struct asm_code code;

static uint64_t *words(const struct machine *m, unsigned argument)
{
    return machine_at(m, m->arguments[argument]);
}

static uint64_t random_state = 1;

static uint64_t random64(void)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return random_state ^ random_state >> 29;
}

/* Zeros, subnormals, near 1, near the largest, infinities, and NaNs quiet and signalling. */
static uint64_t operand(unsigned bytes)
{
    static const uint32_t singles[] = {0x00000000, 0x00000001, 0x007fffff, 0x3f800000, 0x3f7fffff,
                                       0x7f7fffff, 0x7f800000, 0x7fc12345, 0x7f812345};
    const uint64_t choice = random64() >> 20;
    const uint64_t sign = choice >> 10 & 1;

    if (bytes == 4) {
        const uint32_t near_one = 0x3f000000 + (uint32_t)(random64() & 0x1ffffff);
        return (choice % 3 == 0 ? singles[choice / 3 % 9] : near_one) | sign << 31;
    }
    /* A single's bits make a double of the same kind, with more digits. */
    const uint64_t single = choice % 3 == 0 ? singles[choice / 3 % 9] : 0;
    const uint64_t exponent =
        single != 0 ? (single >> 23) + (single >> 23 >= 254 ? 1792 : 896) : 1020 + random64() % 8;
    return sign << 63 | exponent << 52 | (random64() & 0xfffffffffffffu);
}

static uint64_t right_sum(unsigned bytes, uint64_t old, uint64_t value)
{
    unsigned flags;
    if (bytes == 4) {
        return (uint32_t)soft_float(SL_INSN_FADD_S, BOX | old, BOX | value, 0,
                                    SL_ROUNDING_NEAREST_EVEN, &flags);
    }
    return soft_float(SL_INSN_FADD_D, old, value, 0, SL_ROUNDING_NEAREST_EVEN, &flags);
}

/* Each lane adds a value of its own to a place of its own, 8 bytes from the next. */
static void check_values(unsigned bytes, bool has_result)
{
    struct machine *m = MACHINE("gpu.cus=1");
    uint64_t old[64];
    uint64_t value[64];

    m->arguments[0] = machine_take(m, 512);
    m->arguments[1] = machine_take(m, 512);
    for (unsigned lane = 0; lane < 64; lane++) {
        old[lane] = operand(bytes);
        value[lane] = operand(bytes);
        words(m, 0)[lane] = bytes == 4 ? 0x5555555500000000u | old[lane] : old[lane];
        words(m, 1)[lane] = value[lane];
    }
    const uint32_t scope = ASM_SCOPE(bytes, SL_SCOPE_DEVICE);
    asm_begin(&code);
    asm_put(&code, asm_SLLI(T0, A1, 3));
    asm_put(&code, asm_ADD(T1, T0, A3));
    asm_put(&code, asm_ADD(T0, T0, A2));
    asm_put(&code, bytes == 4 ? asm_FLW(1, T1, 0) : asm_FLD(1, T1, 0));
    asm_put(&code, has_result ? asm_SL_FAMOADD(2, 1, T0) | scope : asm_SL_FREDADD(1, T0) | scope);
    asm_put(&code, ASM_RET);
    const struct machine_wave *wave = machine_execute(m, &code, 64);
    assert_int_equal(m->faults, 0);
    assert_int_equal(m->counters.atomics, 1);
    for (unsigned lane = 0; lane < 64; lane++) {
        const uint64_t sum = right_sum(bytes, old[lane], value[lane]);
        assert_int_equal(words(m, 0)[lane], bytes == 4 ? 0x5555555500000000u | sum : sum);
        const uint64_t before = bytes == 4 ? BOX | old[lane] : old[lane];
        assert_int_equal(wave->x[F(2)][lane], has_result ? before : 0);
        assert_int_equal(wave->x[F(0)][lane], 0);
    }
    machine_destroy(m);
}

TEST(test_values)
{
    for (unsigned i = 0; i < 40; i++) {
        check_values(4, i % 2);
        check_values(8, i % 2);
    }
}

/* What is not boxed counts as a NaN, which makes the canonical one. */
TEST(test_unboxed)
{
    struct machine *m = MACHINE("gpu.cus=1");

    m->arguments[0] = machine_take(m, 64);
    words(m, 0)[0] = 0x3f800000;
    asm_begin(&code);
    asm_put(&code, asm_FMV_D_X(1, ZERO));
    asm_put(&code, asm_SL_FREDADD(1, A2) | ASM_SCOPE(4, SL_SCOPE_DEVICE));
    asm_put(&code, ASM_RET);
    (void)machine_execute(m, &code, 1);
    assert_int_equal(words(m, 0)[0], 0x7fc00000);
    machine_destroy(m);
}

static float single(uint64_t bits)
{
    const uint32_t low = (uint32_t)bits;
    float value;
    memcpy(&value, &low, sizeof value);
    return value;
}

/* All lanes add to one single, which starts at 2^24: there 1 is half a unit, a tie, so that the sum
 * stays, while 2 and more go on. What each lane gets and what is left are those of plain C that
 * adds lane after lane: f1 is lane + 1. */
TEST(test_order_of_lanes)
{
    struct machine *m = MACHINE("gpu.cus=1");
    float sum = 0x1p24f;

    m->arguments[0] = machine_take(m, 64);
    words(m, 0)[0] = 0x4b800000; /* 2^24 */
    asm_begin(&code);
    asm_put(&code, asm_ADDI(T0, A1, 1));
    asm_put(&code, asm_FCVT_S_W(1, T0));
    asm_put(&code, asm_SL_FAMOADD(2, 1, A2) | ASM_SCOPE(4, SL_SCOPE_DEVICE));
    asm_put(&code, ASM_RET);
    const struct machine_wave *wave = machine_execute(m, &code, 64);
    for (unsigned lane = 0; lane < 64; lane++) {
        assert_true(single(wave->x[F(2)][lane]) == sum);
        sum += (float)(lane + 1);
    }
    assert_true(single(words(m, 0)[0]) == sum);
    assert_true(sum != 0x1p24f + 64 * 65 / 2); /* rounding did happen */
    assert_int_equal(m->counters.line_accesses, 1);
    machine_destroy(m);
}

/* Ten doubles and ten singles of 1 from each of 64 lanes of two wavefronts: none is lost. */
TEST(test_wavefronts)
{
    struct machine *m = MACHINE("gpu.cus=2");
    double sum;

    m->arguments[0] = machine_take(m, 64);
    asm_begin(&code);
    asm_put(&code, asm_ADDI(T0, ZERO, 1));
    asm_put(&code, asm_FCVT_S_W(1, T0));
    asm_put(&code, asm_FCVT_D_W(2, T0));
    asm_put(&code, asm_ADDI(T1, A2, 8));
    asm_repeat(&code, asm_SL_FREDADD(1, A2) | ASM_SCOPE(4, SL_SCOPE_DEVICE), 10);
    asm_repeat(&code, asm_SL_FREDADD(2, T1) | ASM_SCOPE(8, SL_SCOPE_DEVICE), 10);
    asm_put(&code, ASM_RET);
    machine_load(m, &code);
    machine_launch(m, 0, 0, 0, 64);
    machine_launch(m, 1, 0, 0, 64);
    machine_run(m);
    memcpy(&sum, &words(m, 0)[1], sizeof sum);
    assert_true(single(words(m, 0)[0]) == 1280.0f);
    assert_true(sum == 1280.0);
    machine_destroy(m);
}

/* 1 + 2^-30 is inexact, and rounded up it would be more than 1. The lane's mode says up, or is
 * invalid; the sum is rounded to the nearest, and the lane has no flag. */
TEST(test_rounding_and_flags)
{
    for (unsigned mode = SL_ROUNDING_NEAREST_EVEN; mode <= 6; mode++) {
        struct machine *m = MACHINE("gpu.cus=1");
        m->arguments[0] = machine_take(m, 64);
        words(m, 0)[0] = 0x3f800000;
        asm_begin(&code);
        asm_put(&code, asm_LUI(T0, 0x30800)); /* 2^-30 */
        asm_put(&code, asm_FMV_W_X(1, T0));
        asm_put(&code, asm_CSRRWI(ZERO, CSR_FRM, mode));
        asm_put(&code, asm_SL_FREDADD(1, A2) | ASM_SCOPE(4, SL_SCOPE_DEVICE));
        asm_put(&code, asm_CSRRS(T1, CSR_FCSR, ZERO));
        asm_put(&code, ASM_RET);
        const struct machine_wave *wave = machine_execute(m, &code, 64);
        assert_int_equal(m->faults, 0);
        assert_int_equal(words(m, 0)[0], 0x3f800000);
        assert_int_equal(wave->x[T1][5], mode << 5);
        machine_destroy(m);
    }
}

static uint64_t end_of_pair(uint32_t first, uint32_t second)
{
    struct machine *m = MACHINE("gpu.cus=1");
    m->arguments[0] = machine_take(m, 64);
    asm_begin(&code);
    asm_put(&code, first);
    asm_put(&code, second);
    asm_put(&code, ASM_RET);
    const uint64_t end = machine_execute(m, &code, 64)->end_cycle;
    machine_destroy(m);
    return end;
}

/* The first issues at 2 and is done at 22, as test_cu_memory_timing.c explains. A second one
 * without result issues at 6, done at 26: the end. One whose result goes to the same register waits
 * for it: 22, done at 42; to another: 6 and 26. An addition of the result issues at 22, ret at 26,
 * end at 30. */
TEST(test_timing)
{
    const uint32_t scope = ASM_SCOPE(4, SL_SCOPE_DEVICE);
    const uint32_t result = asm_SL_FAMOADD(2, 1, A2) | scope;
    const uint32_t no_result = asm_SL_FREDADD(1, A2) | scope;

    assert_int_equal(end_of_pair(no_result, no_result), 26);
    assert_int_equal(end_of_pair(result, no_result), 26);
    assert_int_equal(end_of_pair(result, result), 42);
    assert_int_equal(end_of_pair(result, asm_SL_FAMOADD(3, 1, A2) | scope), 26);
    assert_int_equal(end_of_pair(result, asm_FADD_S(4, 2, 2)), 30);
    assert_int_equal(end_of_pair(no_result, asm_FADD_S(4, 2, 2)), 22);
}

TEST(test_misaligned)
{
    for (unsigned bytes = 4; bytes <= 8; bytes += 4) {
        struct machine *m = MACHINE("gpu.misaligned=split");
        m->arguments[0] = machine_take(m, 64) + bytes / 2;
        asm_begin(&code);
        asm_put(&code, asm_SL_FREDADD(1, A2) | ASM_SCOPE(bytes, SL_SCOPE_DEVICE));
        asm_put(&code, ASM_RET);
        (void)machine_execute(m, &code, 1);
        assert_int_equal(m->faults, 1);
        assert_int_equal(m->fault[0].code, SL_FAULT_MISALIGNED);
        machine_destroy(m);
    }
}
