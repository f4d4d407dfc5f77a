/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Memory as lanes see it: patterns and cache lines of loads and stores, misaligned accesses, the
 * private aperture and its guard. Counts are worked out by hand in each test. */
#include <string.h>

#include "common/check.h"
#include "soc/common/bare_machine.h"

static const char *const splitting[] = {"gpu.misaligned=split", NULL};

/* Each lane's address is a2 + (lane << shift); `access` uses it as t0. */
static struct bare_machine *run_shifted(const char *const *settings, int shift, uint32_t access,
                                        uint64_t offset, uint32_t lanes)
{
    struct bare_machine *m = bare_create(settings);
    const uint32_t code[] = {
        asm_i(ASM_SLLI, X_T0, X_A1, shift),
        asm_r(ASM_ADD, X_T0, X_T0, X_A2),
        access,
        asm_i(ASM_RET, 0, 0, 0),
    };
    uint64_t buffer = bare_take(m, 1 << 16, 4096);
    uint8_t *bytes = bare_at(m, buffer);
    for (unsigned i = 0; i < 1 << 16; i++) {
        bytes[i] = (uint8_t)(i * 7 + (i >> 8));
    }
    bare_load_words(m, code, 4);
    bare_launch(m, 0, NULL, lanes, buffer + offset, 0);
    bare_run(m, 10000);
    return m;
}

static void check(struct bare_machine *m, enum memory_pattern pattern, uint64_t lines)
{
    assert_int_equal(m->faults, 0);
    for (unsigned i = 0; i < MEMORY_PATTERN_COUNT; i++) {
        assert_int_equal(m->counters.pattern[i], i == (unsigned)pattern);
    }
    assert_int_equal(m->counters.loads + m->counters.stores + m->counters.atomics, 1);
    assert_int_equal(m->counters.line_accesses, lines);
    bare_destroy(m);
}

TEST(test_patterns)
{
    const uint32_t lw = asm_i(ASM_LW, X_T1, X_T0, 0);
    const uint32_t ld = asm_i(ASM_LD, X_T1, X_T0, 0);
    const uint32_t lb = asm_i(ASM_LBU, X_T1, X_T0, 0);
    /* 64 lanes x 4 bytes from a line's start: 256 bytes, 4 lines; from its middle: 5. */
    check(run_shifted(NULL, 2, lw, 0, 64), PATTERN_UNIT_STRIDE, 4);
    check(run_shifted(NULL, 2, lw, 32, 64), PATTERN_UNIT_STRIDE, 5);
    check(run_shifted(NULL, 3, ld, 0, 64), PATTERN_UNIT_STRIDE, 8);
    check(run_shifted(NULL, 0, lb, 0, 64), PATTERN_UNIT_STRIDE, 1);
    check(run_shifted(NULL, 2, asm_s(ASM_SW, X_A1, X_T0, 0), 0, 64), PATTERN_UNIT_STRIDE, 4);
    check(run_shifted(NULL, 2, asm_r(ASM_AMOADD_W, X_T1, X_T0, X_A1), 0, 64), PATTERN_UNIT_STRIDE,
          4);
    /* Words 8 bytes apart: 512 bytes, 8 lines; 64 bytes apart: a line each; 512 apart too. */
    check(run_shifted(NULL, 3, lw, 0, 64), PATTERN_STRIDED, 8);
    check(run_shifted(NULL, 6, lw, 0, 64), PATTERN_STRIDED, 64);
    check(run_shifted(NULL, 9, lw, 0, 64), PATTERN_STRIDED, 64);
    /* Bytes 4 apart: the same 4 lines as words would need. */
    check(run_shifted(NULL, 2, lb, 0, 64), PATTERN_STRIDED, 4);
    /* One address, in all lanes or in the only one. Two lanes always have a stride. */
    check(run_shifted(NULL, 0, asm_i(ASM_LW, X_T1, X_A2, 0), 0, 64), PATTERN_BROADCAST, 1);
    check(run_shifted(NULL, 9, lw, 512, 1), PATTERN_BROADCAST, 1);
    check(run_shifted(NULL, 9, lw, 512, 2), PATTERN_STRIDED, 2);
}

/* Squares of the lane's number: 0, 4, 16, ... 4 x 63 x 63 = 15876 bytes. Lines: floor(i x i / 16)
 * for i from 0 to 63. Squares below 8 x 8 are less than 16 words apart: i = 0..7 are in lines 0, 0,
 * 0, 0, 1, 1, 2, 3, that is 4 lines; from 8 on each is at least 16 words after the one before, its
 * own line: 56. */
TEST(test_scattered)
{
    struct bare_machine *m = bare_create(NULL);
    const uint32_t code[] = {
        asm_r(ASM_MUL, X_T0, X_A1, X_A1), asm_i(ASM_SLLI, X_T0, X_T0, 2),
        asm_r(ASM_ADD, X_T0, X_T0, X_A2), asm_i(ASM_LW, X_T1, X_T0, 0),
        asm_i(ASM_RET, 0, 0, 0),
    };
    bare_load_words(m, code, 5);
    bare_launch(m, 0, NULL, 64, bare_take(m, 1 << 16, 4096), 0);
    bare_run(m, 10000);
    check(m, PATTERN_SCATTERED, 60);
}

/* The same slot of every lane's stack is consecutive in memory: 64 lanes x 8 bytes, 8 lines, also
 * where only 4 of the 8 bytes are used. */
TEST(test_private)
{
    check(run_shifted(NULL, 0, asm_s(ASM_SD, X_A1, X_SP, -8), 0, 64), PATTERN_UNIT_STRIDE, 8);
    check(run_shifted(NULL, 0, asm_s(ASM_SW, X_A1, X_SP, -4), 0, 64), PATTERN_UNIT_STRIDE, 8);
    check(run_shifted(NULL, 0, asm_s(ASM_SD, X_A1, X_SP, -8), 0, 1), PATTERN_BROADCAST, 1);
}

static void check_fault(struct bare_machine *m, enum sl_fault_code code, uint64_t lanes)
{
    assert_int_equal(m->faults, 1);
    assert_int_equal(m->fault.code, code);
    assert_int_equal(m->fault.lanes, lanes);
    assert_int_equal(m->counters.line_accesses, 0);
    bare_destroy(m);
}

TEST(test_misaligned_fault)
{
    const uint32_t lr_w = 0x1000202fu;
    const uint32_t sl_load_d = 0x3000002bu | 6u << 12; /* device scope */
    const uint32_t acquire = 1u << 26;
    check_fault(run_shifted(NULL, 2, asm_i(ASM_LW, X_T1, X_T0, 0), 2, 64), SL_FAULT_MISALIGNED,
                UINT64_MAX);
    /* Lanes 4 bytes apart and doublewords: every second one is misaligned. */
    check_fault(run_shifted(NULL, 2, asm_s(ASM_SD, X_A1, X_T0, 0), 0, 64), SL_FAULT_MISALIGNED,
                0xaaaaaaaaaaaaaaaa);
    /* Atomics fault in any case, loads of a scope among them. */
    check_fault(run_shifted(splitting, 2, asm_r(ASM_AMOADD_W, X_T1, X_T0, X_A1), 2, 64),
                SL_FAULT_MISALIGNED, UINT64_MAX);
    check_fault(run_shifted(splitting, 2, asm_r(lr_w, X_T1, X_T0, 0), 2, 64), SL_FAULT_MISALIGNED,
                UINT64_MAX);
    check_fault(run_shifted(splitting, 3, asm_r(sl_load_d, X_T1, X_T0, 0), 4, 64),
                SL_FAULT_MISALIGNED, UINT64_MAX);
    check_fault(run_shifted(splitting, 3, asm_r(sl_load_d | acquire, X_T1, X_T0, 0), 4, 64),
                SL_FAULT_MISALIGNED, UINT64_MAX);
}

/* Words at buffer + 62 + 4 x lane: bytes 62 to 317, lines 0 to 4. Lanes 0, 16, 32 and 48 start at
 * byte 62 of a line and cross into the next: 4 lanes split. */
TEST(test_split_load)
{
    struct bare_machine *m = run_shifted(splitting, 2, asm_i(ASM_LW, X_T1, X_T0, 0), 62, 64);
    const uint8_t *bytes = bare_at(m, m->gpu->waves[0].x[X_A2][0]);
    for (unsigned lane = 0; lane < 64; lane++) {
        int32_t expected;
        memcpy(&expected, bytes + 4 * (size_t)lane, 4);
        assert_int_equal(m->gpu->waves[0].x[X_T1][lane], (uint64_t)(int64_t)expected);
    }
    assert_int_equal(m->counters.misaligned, 1);
    assert_int_equal(m->counters.split_lanes, 4);
    check(m, PATTERN_UNIT_STRIDE, 5);
}

/* Doublewords at buffer + 60 + 64 x lane: each lane crosses from its line into the next lane's: 65
 * lines, not 128. The second halves lie where nobody else writes. */
TEST(test_split_store)
{
    struct bare_machine *m = run_shifted(splitting, 6, asm_s(ASM_SD, X_T0, X_T0, 0), 60, 64);
    for (uint64_t lane = 0; lane < 64; lane++) {
        uint64_t address = m->gpu->waves[0].x[X_A2][0] + 64 * lane;
        uint64_t value;
        memcpy(&value, bare_at(m, address), 8);
        assert_int_equal(value, address);
    }
    assert_int_equal(m->counters.misaligned, 1);
    assert_int_equal(m->counters.split_lanes, 64);
    check(m, PATTERN_STRIDED, 65);
}

/* On the stack a doubleword at sp - 12 takes half of the slot at sp - 16 and half of that at sp -
 * 8: each is 512 bytes in memory, 8 lines. What a lane reads back is its own. */
TEST(test_split_private)
{
    struct bare_machine *m = bare_create(splitting);
    const uint32_t code[] = {
        asm_r(ASM_MUL, X_T0, X_A2, X_A1),
        asm_s(ASM_SD, X_T0, X_SP, -12),
        asm_i(ASM_LD, X_T1, X_SP, -12),
        asm_i(ASM_LH, X_T2, X_SP, -9), /* bytes 3 and 4, in two slots */
        asm_i(ASM_RET, 0, 0, 0),
    };
    bare_load_words(m, code, 5);
    bare_launch(m, 0, NULL, 64, 0x123456789abcdef, 0);
    bare_run(m, 10000);
    assert_int_equal(m->faults, 0);
    for (uint64_t lane = 0; lane < 64; lane++) {
        uint64_t value = 0x123456789abcdef * lane;
        assert_int_equal(m->gpu->waves[0].x[X_T1][lane], value);
        assert_int_equal(m->gpu->waves[0].x[X_T2][lane], (uint64_t)(int64_t)(int16_t)(value >> 24));
    }
    assert_int_equal(m->counters.misaligned, 3);
    assert_int_equal(m->counters.split_lanes, 3 * 64);
    assert_int_equal(m->counters.line_accesses, 3 * 16);
    bare_destroy(m);
}

/* At the ends of what is open, and of what is mapped: the last byte counts. */
TEST(test_split_bounds)
{
    struct bare_machine *m = bare_create(splitting);
    const uint32_t code[] = {asm_i(ASM_LW, X_T1, X_A2, 0), asm_i(ASM_RET, 0, 0, 0)};
    uint64_t limit = m->layout.heap_limit;
    uint64_t top = m->layout.top_base;
    bare_load_words(m, code, 2);
    bare_launch(m, 0, NULL, 1, limit - 4, 0);
    bare_run(m, 10000);
    assert_int_equal(m->faults, 0);
    bare_launch(m, 0, NULL, 1, limit - 3, 0);
    bare_run(m, 10000);
    assert_int_equal(m->faults, 1);
    assert_int_equal(m->fault.code, SL_FAULT_PROTECTED);
    assert_int_equal(m->fault.address, limit - 3);
    m->faults = 0;
    bare_launch(m, 0, NULL, 1, top - 3, 0);
    bare_run(m, 10000);
    assert_int_equal(m->faults, 1);
    assert_int_equal(m->fault.code, SL_FAULT_ACCESS);
    assert_int_equal(m->fault.address, top - 3);
    bare_destroy(m);
}

/* A frame of `bytes`, a multiple of 4 KiB, whose lowest word is stored to. */
static enum sl_fault_code frame_fault(uint32_t bytes)
{
    struct bare_machine *m = bare_create(NULL);
    const uint32_t code[] = {
        ASM_LUI | X_T0 << 7 | (0u - bytes),
        asm_r(ASM_ADD, X_SP, X_SP, X_T0),
        asm_s(ASM_SD, X_A1, X_SP, 0),
        asm_i(ASM_RET, 0, 0, 0),
    };
    bare_load_words(m, code, 4);
    bare_launch(m, 0, NULL, 64, 0, 0);
    bare_run(m, 10000);
    assert_int_equal(m->faults, 1);
    enum sl_fault_code fault = m->fault.code;
    bare_destroy(m);
    return fault;
}

TEST(test_big_frames)
{
    assert_int_equal(frame_fault(4096), SL_FAULT_STACK);
    assert_int_equal(frame_fault(2u << 20), SL_FAULT_STACK);
    assert_int_equal(frame_fault(255u << 20), SL_FAULT_STACK);
    assert_int_equal(frame_fault(300u << 20), SL_FAULT_ACCESS); /* documented: beyond the guard */
    assert_int_equal(frame_fault(1u << 30), SL_FAULT_ACCESS);
}
