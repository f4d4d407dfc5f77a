/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Loads and stores of wavefronts: sizes and extensions, what may be accessed, the private aperture,
 * and when values change. Atomics are in test_atomics.c. */
#include <string.h>

#include "common/check.h"
#include "sluice/registers.h"
#include "soc/common/machine.h"

static struct asm_code code;

/* t0 = a2 + 8 x lane. */
static void put_lane_address(void)
{
    asm_put(&code, asm_SLLI(T0, A1, 3));
    asm_put(&code, asm_ADD(T0, T0, A2));
}

/* A byte pattern whose halves, words and double words have both signs. */
static void fill_pattern(uint8_t *bytes, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        bytes[i] = (uint8_t)(i * 157 + 3);
    }
}

/* One load, at its place in each lane's double word. */
static void check_load(uint32_t word, unsigned bytes, bool is_signed, unsigned offset,
                       uint32_t lanes)
{
    struct machine *m = MACHINE("gpu.cus=1");

    m->arguments[0] = machine_take(m, 512);
    uint8_t *memory = machine_at(m, m->arguments[0]);
    fill_pattern(memory, 512);
    asm_begin(&code);
    put_lane_address();
    asm_put(&code, asm_r(word, T1, T0, 0) | offset << 20);
    asm_put(&code, ASM_RET);
    const struct machine_wave *wave = machine_execute(m, &code, lanes);
    assert_int_equal(m->faults, 0);
    for (unsigned lane = 0; lane < 64; lane++) {
        uint64_t expected = 0;
        for (unsigned b = bytes; b-- > 0;) {
            expected = expected << 8 | memory[lane * 8 + offset + b];
        }
        if (is_signed && bytes < 8 && expected >> (bytes * 8 - 1) != 0) {
            expected |= UINT64_MAX << (bytes * 8);
        }
        assert_int_equal(wave->x[T1][lane], lane < lanes ? expected : 0);
    }
    machine_destroy(m);
}

/* Every load at every place of its double word that is aligned to it, with all lanes and with one.
 */
TEST(test_loads)
{
    static const struct {
        uint32_t word;
        unsigned bytes;
        bool is_signed;
    } loads[] = {
        {0x03, 1, true},    {0x1003, 2, true},  {0x2003, 4, true},  {0x3003, 8, true},
        {0x4003, 1, false}, {0x5003, 2, false}, {0x6003, 4, false},
    };

    for (size_t i = 0; i < sizeof loads / sizeof loads[0]; i++) {
        for (unsigned offset = 0; offset < 8; offset += loads[i].bytes) {
            check_load(loads[i].word, loads[i].bytes, loads[i].is_signed, offset, 64);
            check_load(loads[i].word, loads[i].bytes, loads[i].is_signed, offset, 1);
        }
    }
}

/* One store, at its place in the double words of odd lanes. */
static void check_store(uint32_t word, unsigned bytes, unsigned offset, uint32_t lanes)
{
    struct machine *m = MACHINE("gpu.cus=1");
    uint8_t before[512];

    m->arguments[0] = machine_take(m, 512);
    m->arguments[1] = 0x8877665544332211;
    uint8_t *memory = machine_at(m, m->arguments[0]);
    fill_pattern(memory, 512);
    memcpy(before, memory, 512);
    asm_begin(&code);
    put_lane_address();
    asm_put(&code, asm_ANDI(T1, A1, 1));
    asm_to(&code, asm_BEQ(T1, ZERO, 0), 0);
    asm_put(&code, asm_s(word, T0, A3, (int32_t)offset));
    asm_label(&code, 0);
    asm_put(&code, ASM_RET);
    (void)machine_execute(m, &code, lanes);
    assert_int_equal(m->faults, 0);
    for (unsigned at = 0; at < 512; at++) {
        unsigned lane = at / 8;
        unsigned byte = at % 8 - offset;
        bool is_written = lane % 2 == 1 && lane < lanes && byte < bytes;
        assert_int_equal(memory[at], is_written ? 0x11 * (byte + 1) : before[at]);
    }
    machine_destroy(m);
}

/* Every store writes its bytes and no other, in the active lanes alone: 25 of them, and one. */
TEST(test_stores)
{
    static const uint32_t stores[] = {0x23, 0x1023, 0x2023, 0x3023};

    for (unsigned i = 0; i < 4; i++) {
        for (unsigned offset = 0; offset < 8; offset += 1u << i) {
            check_store(stores[i], 1u << i, offset, 50);
            check_store(stores[i], 1u << i, offset, 2);
        }
    }
}

/* A store takes the value that its register has when it issues: the addition behind it is another
 * matter. */
TEST(test_store_value_is_taken_at_issue)
{
    struct machine *m = MACHINE("gpu.cus=1");

    m->arguments[0] = machine_take(m, 512);
    asm_begin(&code);
    put_lane_address();
    asm_put(&code, asm_ADDI(T1, A1, 100));
    asm_put(&code, asm_SD(T1, T0, 0));
    asm_put(&code, asm_ADDI(T1, ZERO, 0));
    asm_put(&code, asm_ADDI(T0, ZERO, 0));
    asm_put(&code, ASM_RET);
    (void)machine_execute(m, &code, 64);
    const uint64_t *words = machine_at(m, m->arguments[0]);
    for (unsigned lane = 0; lane < 64; lane++) {
        assert_int_equal(words[lane], lane + 100);
    }
    machine_destroy(m);
}

/* Lanes that store to one place: the highest one's value stays. */
TEST(test_stores_of_lanes_in_order)
{
    struct machine *m = MACHINE("gpu.cus=1");

    m->arguments[0] = machine_take(m, 64);
    asm_begin(&code);
    asm_put(&code, asm_SD(A1, A2, 8));
    asm_put(&code, ASM_RET);
    (void)machine_execute(m, &code, 41);
    assert_int_equal(((const uint64_t *)machine_at(m, m->arguments[0]))[1], 40);
    machine_destroy(m);
}

/* The lanes from 10 up to `lanes` access `address` with `word`, an instruction through t1. */
static void check_fault(uint64_t address, uint32_t word, unsigned bytes, bool is_store,
                        enum sl_fault_code what, uint32_t lanes)
{
    struct machine *m = MACHINE("gpu.cus=1");

    m->arguments[0] = address;
    asm_begin(&code);
    asm_put(&code, asm_SLTI(T0, A1, 10));
    asm_to(&code, asm_BNE(T0, ZERO, 0), 0);
    asm_put(&code, asm_ADDI(T1, A2, 0));
    uint32_t pc = asm_here(&code);
    asm_put(&code, word | T1 << 15);
    asm_label(&code, 0);
    asm_put(&code, ASM_RET);
    (void)machine_execute(m, &code, lanes);
    assert_int_equal(m->faults, 1);
    const struct sl_fault *fault = &m->fault[0];
    assert_int_equal(fault->code, what);
    assert_int_equal(fault->pc, SL_KERNEL_BASE + pc);
    assert_int_equal(fault->lanes, (lanes == 64 ? ~0ull : (1ull << lanes) - 1) & ~0ull << 10);
    assert_int_equal(fault->address, address);
    assert_int_equal(fault->access_bytes, bytes);
    assert_int_equal(fault->is_store, is_store);
    assert_int_equal(fault->instruction, word | T1 << 15);
    assert_int_equal(m->counters.line_accesses, 0); /* nothing goes out */
    machine_destroy(m);
}

/* With many lanes, and with one. */
static void expect_fault(uint64_t address, uint32_t word, unsigned bytes, bool is_store,
                         enum sl_fault_code what)
{
    check_fault(address, word, bytes, is_store, what, 64);
    check_fault(address, word, bytes, is_store, what, 11);
}

/* Good and bad lanes in one instruction: the record names the bad ones, of the worst kind
 * (misaligned, then stack, then outside), with the lowest one's address. */
TEST(test_mixed_lanes)
{
    static const struct {
        uint64_t address[4];
        enum sl_fault_code what;
        uint64_t lanes;
    } cases[] = {
        {{SL_HEAP_BASE, 0, SL_HEAP_BASE, 8}, SL_FAULT_ACCESS, 0xa},
        {{SL_PRIVATE_BASE, 0, SL_PRIVATE_BASE - 8, 16}, SL_FAULT_STACK, 0x4},
        {{SL_HEAP_BASE, 0, SL_PRIVATE_BASE - 8, SL_HEAP_BASE + 4}, SL_FAULT_MISALIGNED, 0x8},
        {{SL_HEAP_BASE + 1, 0, SL_HEAP_BASE + 2, 3}, SL_FAULT_MISALIGNED, 0xd},
    };

    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        struct machine *m = MACHINE("gpu.cus=1");
        m->arguments[0] = machine_take(m, 64);
        memcpy(machine_at(m, m->arguments[0]), cases[c].address, sizeof cases[c].address);
        asm_begin(&code);
        put_lane_address();
        asm_put(&code, asm_LD(T1, T0, 0));
        asm_put(&code, asm_LD(T2, T1, 0));
        asm_put(&code, ASM_RET);
        (void)machine_execute(m, &code, 4);
        assert_int_equal(m->faults, 1);
        assert_int_equal(m->fault[0].code, cases[c].what);
        assert_int_equal(m->fault[0].lanes, cases[c].lanes);
        assert_int_equal(m->fault[0].address, cases[c].address[__builtin_ctzll(cases[c].lanes)]);
        machine_destroy(m);
    }
}

#define LD asm_LD(T2, 0, 0)
#define SD asm_SD(T2, 0, 0)

TEST(test_misaligned)
{
    const uint64_t heap = SL_HEAP_BASE + 4096;

    expect_fault(heap + 4, LD, 8, false, SL_FAULT_MISALIGNED);
    expect_fault(heap + 1, asm_LH(T2, 0, 0), 2, false, SL_FAULT_MISALIGNED);
    expect_fault(heap + 2, asm_LWU(T2, 0, 0), 4, false, SL_FAULT_MISALIGNED);
    expect_fault(heap + 1, SD, 8, true, SL_FAULT_MISALIGNED);
    expect_fault(heap + 3, asm_SH(T2, 0, 0), 2, true, SL_FAULT_MISALIGNED);
    expect_fault(heap + 4, asm_AMOADD_D(T2, T2, 0), 8, true, SL_FAULT_MISALIGNED);
    expect_fault(heap + 2, asm_LR_W(T2, 0, 0), 4, false, SL_FAULT_MISALIGNED);
    expect_fault(heap + 2, asm_SC_W(T2, T2, 0), 4, true, SL_FAULT_MISALIGNED);
    expect_fault(SL_PRIVATE_BASE + 4, LD, 8, false, SL_FAULT_MISALIGNED);
}

TEST(test_outside)
{
    struct machine *m = MACHINE("gpu.cus=1");
    uint64_t top = m->layout.top_base;
    uint64_t window = m->layout.window_base;
    uint64_t limit = m->layout.dram_limit;
    machine_destroy(m);

    expect_fault(0, LD, 8, false, SL_FAULT_ACCESS); /* page 0 */
    expect_fault(8, SD, 8, true, SL_FAULT_ACCESS);
    expect_fault(0xfff, asm_LB(T2, 0, 0), 1, false, SL_FAULT_ACCESS);
    expect_fault(SL_FIRMWARE_BASE, LD, 8, false, SL_FAULT_ACCESS);
    expect_fault(SL_MAILBOX_BASE, SD, 8, true, SL_FAULT_ACCESS);
    expect_fault(SL_MACHINE_BASE, LD, 8, false, SL_FAULT_ACCESS);
    expect_fault(SL_KERNEL_BASE - 1, asm_LBU(T2, 0, 0), 1, false, SL_FAULT_ACCESS);
    expect_fault(top, LD, 8, false, SL_FAULT_ACCESS);
    expect_fault(window, SD, 8, true, SL_FAULT_ACCESS);
    expect_fault(window + SL_REG_EXIT, asm_AMOSWAP_D(T2, T2, 0), 8, true, SL_FAULT_ACCESS);
    expect_fault(limit, LD, 8, false, SL_FAULT_ACCESS);
    expect_fault(SL_UART_BASE, asm_SB(T2, 0, 0), 1, true, SL_FAULT_ACCESS);
    expect_fault(SL_LDS_BASE, LD, 8, false, SL_FAULT_ACCESS);
    expect_fault(UINT64_MAX - 7, LD, 8, false, SL_FAULT_ACCESS);
    expect_fault(1ull << 63, asm_LR_D(T2, 0, 0), 8, false, SL_FAULT_ACCESS);
}

/* Nothing of the code can be written, by stores or atomics; it can be read, and what is behind it
 * can be written. */
TEST(test_code)
{
    struct machine *m = MACHINE("gpu.cus=1");
    asm_begin(&code);
    asm_put(&code, asm_SW(A3, A2, 0));
    asm_put(&code, ASM_RET);
    m->arguments[0] = SL_KERNEL_BASE + 8;
    m->arguments[1] = 77;
    (void)machine_execute(m, &code, 64);
    assert_int_equal(m->faults, 0);
    assert_int_equal(*(uint32_t *)machine_at(m, SL_KERNEL_BASE + 8), 77);
    machine_destroy(m);

    expect_fault(SL_KERNEL_BASE, SD, 8, true, SL_FAULT_ACCESS);
    expect_fault(SL_KERNEL_BASE + 4, asm_SW(T2, 0, 0), 4, true, SL_FAULT_ACCESS);
    expect_fault(SL_KERNEL_BASE + 3, asm_SB(T2, 0, 0), 1, true, SL_FAULT_ACCESS);
    expect_fault(SL_KERNEL_BASE, asm_AMOADD_D(T2, T2, 0), 8, true, SL_FAULT_ACCESS);
    expect_fault(SL_KERNEL_BASE, asm_SC_W(T2, T2, 0), 4, true, SL_FAULT_ACCESS);
}

/* The first and the last double word of what is allowed; what follows up to the device's own memory
 * is closed. */
TEST(test_ends_of_what_is_allowed)
{
    struct machine *m = MACHINE("gpu.cus=1");

    m->arguments[0] = SL_KERNEL_BASE;
    m->arguments[1] = m->layout.heap_limit - 8;
    *(uint64_t *)machine_at(m, m->arguments[1]) = 77;
    asm_begin(&code);
    asm_put(&code, asm_LWU(T1, A2, 0));
    asm_put(&code, asm_LD(T2, A3, 0));
    asm_put(&code, ASM_RET);
    const struct machine_wave *wave = machine_execute(m, &code, 64);
    assert_int_equal(m->faults, 0);
    assert_int_equal(wave->x[T1][5], code.word[0]);
    assert_int_equal(wave->x[T2][5], 77);
    const uint64_t pool = m->layout.pool_base;
    const uint64_t top = m->layout.top_base;
    machine_destroy(m);

    expect_fault(pool, LD, 8, false, SL_FAULT_PROTECTED);
    expect_fault(pool, SD, 8, true, SL_FAULT_PROTECTED);
    expect_fault(top - 8, LD, 8, false, SL_FAULT_PROTECTED);
}

/* The stack is 1 KiB: just below it is an overflow, up to 255 MiB down; further down, and above, an
 * ordinary bad access. */
TEST(test_stack_overflow)
{
    expect_fault(SL_PRIVATE_BASE - 8, SD, 8, true, SL_FAULT_STACK);
    expect_fault(SL_PRIVATE_BASE - 1, asm_LB(T2, 0, 0), 1, false, SL_FAULT_STACK);
    expect_fault(SL_PRIVATE_BASE - SL_MIB(255), SD, 8, true, SL_FAULT_STACK);
    expect_fault(SL_PRIVATE_BASE - SL_MIB(255) - 8, SD, 8, true, SL_FAULT_ACCESS);
    expect_fault(SL_PRIVATE_BASE + 1024, LD, 8, false, SL_FAULT_ACCESS);
}

/* The same slot of all lanes: 64 double words next to each other in the wavefront's block, 8 lines;
 * and each lane reads back its own. Bytes and halves are in the same slots. */
TEST(test_private_aperture)
{
    struct machine *m = MACHINE("gpu.cus=1");

    asm_begin(&code);
    asm_put(&code, asm_ADDI(T0, A1, 1000));
    asm_put(&code, asm_SD(T0, SP, -8));
    asm_put(&code, asm_SD(A1, SP, -16));
    asm_put(&code, asm_SB(T0, SP, -11)); /* byte 5 of the second slot */
    asm_put(&code, asm_LD(T1, SP, -8));
    asm_put(&code, asm_LD(T2, SP, -16));
    asm_put(&code, asm_LBU(S0, SP, -11));
    asm_put(&code, ASM_RET);
    machine_load(m, &code);
    machine_launch(m, 0, 0, 0, 64);
    machine_launch(m, 0, 0, 64, 64); /* the second wavefront has its own block */
    machine_run(m);
    assert_int_equal(m->faults, 0);
    assert_int_equal(m->counters.line_accesses, 2 * 6 * 8);
    for (uint64_t w = 0; w < 2; w++) {
        const uint64_t *block = machine_at(m, m->layout.pool_base + w * m->layout.pool_block_bytes +
                                                  m->layout.save_area_bytes);
        for (uint64_t lane = 0; lane < 64; lane++) {
            uint64_t number = w * 64 + lane;
            assert_int_equal(m->waves[w].x[T1][lane], number + 1000);
            assert_int_equal(m->waves[w].x[T2][lane], number | (number + 1000) % 256 << 40);
            assert_int_equal(m->waves[w].x[S0][lane], (number + 1000) % 256);
            /* Slots are counted from the aperture's base: the last one is 127 of 1 KiB. */
            assert_int_equal(block[127 * 64 + lane], number + 1000);
        }
    }
    machine_destroy(m);
}

/* Wavefronts of 32 lanes interleave at 32: 4 lines. */
TEST(test_private_aperture_of_32_lanes)
{
    struct machine *m = MACHINE("gpu.lanes=32");

    asm_begin(&code);
    asm_put(&code, asm_SD(A1, SP, -8));
    asm_put(&code, ASM_RET);
    (void)machine_execute(m, &code, 32);
    assert_int_equal(m->counters.line_accesses, 4);
    const uint64_t *block = machine_at(m, m->layout.pool_base + m->layout.save_area_bytes);
    for (unsigned lane = 0; lane < 32; lane++) {
        assert_int_equal(block[127 * 32 + lane], lane);
    }
    machine_destroy(m);
}

/* A single active lane finds the same slot as it does among others. */
TEST(test_private_aperture_of_one_lane)
{
    struct machine *m = MACHINE("gpu.cus=1");

    asm_begin(&code);
    asm_put(&code, asm_ADDI(T0, A1, -5));
    asm_put(&code, asm_ADDI(T2, A1, 100));
    asm_to(&code, asm_BNE(T0, ZERO, 0), 0);
    asm_put(&code, asm_SD(T2, SP, -8)); /* lane 5 alone */
    asm_label(&code, 0);
    asm_put(&code, asm_LD(T1, SP, -8));
    asm_put(&code, asm_LW(S0, SP, -4)); /* the upper half of the slot */
    asm_put(&code, ASM_RET);
    const struct machine_wave *wave = machine_execute(m, &code, 64);
    assert_int_equal(m->counters.line_accesses, 1 + 8 + 8);
    for (unsigned lane = 0; lane < 64; lane++) {
        assert_int_equal(wave->x[T1][lane], lane == 5 ? 105 : 0);
        assert_int_equal(wave->x[S0][lane], 0);
    }
    machine_destroy(m);
}

/* A frame that one lane writes where another lane reads: nothing is seen. Lanes go to their own
 * slot by number, so that the addresses are those that other lanes use in theirs. */
TEST(test_lanes_do_not_see_each_other)
{
    struct machine *m = MACHINE("gpu.cus=1");

    asm_begin(&code);
    asm_put(&code, asm_SLLI(T0, A1, 3));
    asm_put(&code, asm_ADDI(T0, T0, -1024));
    asm_put(&code, asm_ADD(T0, T0, SP)); /* slot of the lane's number */
    asm_put(&code, asm_ADDI(T1, A1, 1));
    asm_put(&code, asm_SD(T1, T0, 0));
    asm_put(&code, asm_ADDI(T2, SP, -1024));
    for (int slot = 0; slot < 4; slot++) { /* slots 0 to 3 of each lane */
        asm_put(&code, asm_LD(S2 + (uint32_t)slot, T2, slot * 8));
    }
    asm_put(&code, ASM_RET);
    const struct machine_wave *wave = machine_execute(m, &code, 64);
    for (unsigned lane = 0; lane < 64; lane++) {
        for (unsigned slot = 0; slot < 4; slot++) {
            assert_int_equal(wave->x[S2 + slot][lane], lane == slot ? lane + 1 : 0);
        }
    }
    machine_destroy(m);
}

/* Values change at the serialization point. Compute unit 0 issues a load of 64 lines at 10, the
 * last of which goes out at 73: it takes effect at 83. A store of compute unit 1 that issues later
 * (at 18 + pause), but takes effect before (at 28 + pause), is seen; one that takes effect after is
 * not. */
static uint64_t loaded_beside_store(int32_t pause)
{
    struct machine *m = MACHINE("gpu.cus=2");

    m->arguments[0] = machine_take(m, 4096);
    asm_begin(&code);
    asm_put(&code, asm_SLLI(T0, A1, 6));
    asm_put(&code, asm_ADD(T0, T0, A2));
    asm_put(&code, asm_LD(T1, T0, 0));
    asm_put(&code, ASM_RET);
    uint32_t storing = asm_here(&code);
    asm_function(&code);
    asm_put(&code, asm_ADDI(T0, ZERO, 55)); /* at 2 */
    asm_put(&code, asm_ADDI(T1, ZERO, pause));
    asm_put(&code, asm_SL_PAUSE(T1));      /* at 10 */
    asm_put(&code, asm_ADDI(T2, ZERO, 0)); /* at 10 + pause */
    asm_put(&code, asm_ADDI(T2, ZERO, 0));
    asm_put(&code, asm_SD(T0, A2, 0)); /* at 18 + pause */
    asm_put(&code, ASM_RET);
    machine_load(m, &code);
    machine_launch(m, 0, 0, 0, 64);
    machine_launch(m, 1, storing, 0, 1);
    machine_run(m);
    assert_int_equal(m->waves[0].x[T1][1], 0);
    uint64_t value = m->waves[0].x[T1][0];
    machine_destroy(m);
    return value;
}

TEST(test_load_sees_store_at_serialization_point)
{
    assert_int_equal(loaded_beside_store(40), 55); /* store: issued at 58, effective at 68 */
    assert_int_equal(loaded_beside_store(54), 55); /* at 82 */
    assert_int_equal(loaded_beside_store(56), 0);  /* at 84 */
}

/* A store is not there before its own: compute unit 0 stores to 64 lines at 10, effective at 83. A
 * load that takes effect at 24 + pause sees nothing before, all after. */
static uint64_t loaded_after_wide_store(int32_t pause)
{
    struct machine *m = MACHINE("gpu.cus=2");

    m->arguments[0] = machine_take(m, 4096);
    asm_begin(&code);
    asm_put(&code, asm_SLLI(T0, A1, 6));
    asm_put(&code, asm_ADD(T0, T0, A2));
    asm_put(&code, asm_SD(T0, T0, 0));
    asm_put(&code, ASM_RET);
    uint32_t loading = asm_here(&code);
    asm_function(&code);
    asm_put(&code, asm_ADDI(T1, ZERO, pause)); /* at 2 */
    asm_put(&code, asm_ADDI(T2, ZERO, 0));
    asm_put(&code, asm_SL_PAUSE(T1));      /* at 10 */
    asm_put(&code, asm_ADDI(T2, ZERO, 0)); /* at 10 + pause */
    asm_put(&code, asm_LD(T0, A2, 0));     /* at 14 + pause */
    asm_put(&code, ASM_RET);
    machine_load(m, &code);
    machine_launch(m, 0, 0, 0, 64);
    machine_launch(m, 1, loading, 0, 1);
    machine_run(m);
    uint64_t value = m->waves[1].x[T0][0];
    assert_true(value == 0 || value == m->arguments[0]);
    machine_destroy(m);
    return value;
}

TEST(test_store_takes_effect_at_serialization_point)
{
    assert_int_equal(loaded_after_wide_store(30), 0);
    assert_int_equal(loaded_after_wide_store(58), 0); /* at 82 */
    assert_true(loaded_after_wide_store(60) != 0);    /* at 84 */
}

/* A wavefront sees its own stores: the load behind a store of 64 lines is in the port behind it. */
TEST(test_own_stores)
{
    static const char *const settings[] = {"gpu.lines_per_cycle=1", "gpu.lines_per_cycle=3",
                                           "gpu.lines_per_cycle=64"};

    for (unsigned c = 0; c < 3; c++) {
        struct machine *m = MACHINE(settings[c]);
        m->arguments[0] = machine_take(m, 4096);
        asm_begin(&code);
        asm_put(&code, asm_SLLI(T0, A1, 6));
        asm_put(&code, asm_ADD(T0, T0, A2));
        asm_put(&code, asm_SD(T0, T0, 0));
        asm_put(&code, asm_LD(T1, T0, 0));
        asm_put(&code, asm_LD(T2, A2, 0));
        asm_put(&code, ASM_RET);
        const struct machine_wave *wave = machine_execute(m, &code, 64);
        for (unsigned lane = 0; lane < 64; lane++) {
            assert_int_equal(wave->x[T1][lane], m->arguments[0] + 64 * lane);
            assert_int_equal(wave->x[T2][lane], m->arguments[0]);
        }
        assert_int_equal(m->counters.loads, 2);
        assert_int_equal(m->counters.stores, 1);
        machine_destroy(m);
    }
}
