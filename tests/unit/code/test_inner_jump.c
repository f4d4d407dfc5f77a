/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Jumps through registers that stay in their function: the sequences that compilers make of a
 * `switch`, those of hand-written code, and calls and jumps to other functions, which are none. */
#include <string.h>

#include "common/asm.h"
#include "common/check.h"
#include "host/driver/code/inner_jump.h"

#define BASE 0x80400000u

/* What the last instruction of code is, whose first `skipped` ones are no part of the function. */
static enum sl_inner_jump kind_behind(const void *code, size_t bytes, size_t skipped)
{
    static uint32_t words[ASM_WORDS];
    const struct sl_function function = {BASE + skipped, bytes - skipped};
    const struct sl_code analysed = {words, (bytes + 3) / 4, BASE, &function, 1};
    struct sl_decoded decoded;
    size_t last = 0;

    assert_true(bytes <= sizeof words);
    memset(words, 0, sizeof words);
    memcpy(words, code, bytes);
    assert_int_equal(sl_decoded_open(&analysed, &decoded), 0);
    assert_int_equal(decoded.range_count, 1);
    const struct sl_code_range range = decoded.ranges[0];
    for (size_t at = range.first; at < range.end; at = sl_decoded_behind(&decoded, at)) {
        last = at;
    }
    const enum sl_inner_jump kind = sl_inner_jump_at(&decoded, range, last);
    sl_decoded_close(&decoded);
    return kind;
}

#define KIND(...)                                                                                  \
    kind_behind((const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}), 0)

#define JR(reg) asm_JALR(ZERO, reg, 0)

/* GCC, medany: offsets from the table, whose address is made in front of the load, behind it, or in
 * another block; the index is bounded anywhere. */
TEST(test_offsets)
{
    assert_int_equal(KIND(asm_BLTU(A5, A0, 32), asm_SLLI(A0, A0, 2), asm_AUIPC(A4, 1),
                          asm_ADDI(A4, A4, -12), asm_ADD(A0, A0, A4), asm_LW(A0, A0, 0),
                          asm_ADD(A0, A0, A4), JR(A0)),
                     SL_INNER_JUMP_TABLE);
    assert_int_equal(KIND(asm_LW(A0, A0, 0), asm_AUIPC(A4, 1), asm_ADDI(A4, A4, -12),
                          asm_ADD(A0, A4, A0), JR(A0)),
                     SL_INNER_JUMP_TABLE);
    assert_int_equal(KIND(asm_BLTU(A5, A0, 32), asm_LW(A3, A0, 0), asm_SLLI(A2, A2, 2),
                          asm_ADD(A3, A3, A4), asm_SD(A2, A1, 8), JR(A3)),
                     SL_INNER_JUMP_TABLE);
}

/* GCC, medlow: addresses of 32 bits; without optimization a copy is in between. */
TEST(test_addresses)
{
    assert_int_equal(KIND(asm_SLLI(A0, A0, 2), asm_ADD(A0, A0, A4), asm_LW(A0, A0, 0), JR(A0)),
                     SL_INNER_JUMP_TABLE);
    assert_int_equal(KIND(asm_LWU(A0, A0, 0), JR(A0)), SL_INNER_JUMP_TABLE);
    assert_int_equal(KIND(asm_LW(A0, A0, 0), asm_ADDIW(A3, A0, 0), asm_ADD(A5, A3, A4), JR(A5)),
                     SL_INNER_JUMP_TABLE);
}

/* c.lw a5, 0(a5); c.add a5, a4; c.jr a5, and c.ld in place of the load. */
TEST(test_compressed)
{
    const uint16_t table[] = {0x439c, 0x97ba, 0x8782};
    const uint16_t pointer[] = {0x639c, 0x97ba, 0x8782};
    const uint16_t copy[] = {0x439c, 0x833e, 0x8302}; /* c.mv t1, a5; c.jr t1 */

    assert_int_equal(kind_behind(table, sizeof table, 0), SL_INNER_JUMP_TABLE);
    assert_int_equal(kind_behind(pointer, sizeof pointer, 0), SL_INNER_JUMP_NONE);
    assert_int_equal(kind_behind(copy, sizeof copy, 0), SL_INNER_JUMP_TABLE);
}

/* Pointers: an argument, one from memory or from a table, which is also what a table of labels
 * looks like, and a copy of one; functions by name; and returns. */
TEST(test_tail_calls)
{
    assert_int_equal(KIND(JR(A0)), SL_INNER_JUMP_NONE);
    assert_int_equal(KIND(asm_LD(A5, A0, 8), JR(A5)), SL_INNER_JUMP_NONE);
    assert_int_equal(KIND(asm_SLLI(A0, A0, 3), asm_AUIPC(A4, 1), asm_ADDI(A4, A4, -12),
                          asm_ADD(A0, A0, A4), asm_LD(A5, A0, 0), asm_LW(A0, A1, 0), JR(A5)),
                     SL_INNER_JUMP_NONE);
    assert_int_equal(KIND(asm_LW(A1, A0, 0), asm_LD(A5, A0, 8), asm_ADD(T1, A5, ZERO), JR(T1)),
                     SL_INNER_JUMP_NONE);
    assert_int_equal(KIND(asm_AUIPC(T1, 1), JR(T1)), SL_INNER_JUMP_NONE);
    assert_int_equal(KIND(asm_AUIPC(A5, 1), asm_ADDI(A5, A5, 8), asm_ADD(T1, ZERO, A5), JR(T1)),
                     SL_INNER_JUMP_NONE);
    assert_int_equal(KIND(asm_LW(RA, SP, 8), ASM_RET), SL_INNER_JUMP_NONE);
}

/* A table of functions that is called through is none of a `switch`. */
TEST(test_calls)
{
    assert_int_equal(KIND(asm_LW(A0, A0, 0), asm_ADD(A0, A0, A4), asm_JALR(RA, A0, 0)),
                     SL_INNER_JUMP_NONE);
    assert_int_equal(KIND(asm_LW(A0, A0, 0), asm_JAL(RA, 8)), SL_INNER_JUMP_NONE);
}

TEST(test_offset)
{
    assert_int_equal(KIND(asm_AUIPC(T0, 0), asm_ADD(A3, A3, T0), asm_JALR(ZERO, A3, 12)),
                     SL_INNER_JUMP_OFFSET);
    assert_int_equal(KIND(asm_AUIPC(T0, 0), asm_ADD(A3, A3, T0), asm_JALR(RA, A3, 96)),
                     SL_INNER_JUMP_OFFSET);
    assert_int_equal(KIND(asm_AUIPC(T0, 0), asm_ADDI(T0, T0, 8), asm_ADDI(T0, T0, 8),
                          asm_ADD(A3, T0, A3), JR(A3)),
                     SL_INNER_JUMP_OFFSET);
    assert_int_equal(KIND(asm_ADD(A3, A3, T0), JR(A3)), SL_INNER_JUMP_NONE);
}

/* What is written since, what is behind a branch, and what another function has. */
TEST(test_unknown)
{
    const uint32_t two[] = {asm_LW(A0, A0, 0), asm_ADD(A0, A0, A4), JR(A0)};

    assert_int_equal(KIND(asm_LW(A0, A0, 0), asm_ADD(A0, A0, A4), asm_LD(A0, A1, 0), JR(A0)),
                     SL_INNER_JUMP_NONE);
    assert_int_equal(KIND(asm_LW(A0, A0, 0), asm_BEQ(A1, A2, 8), JR(A0)), SL_INNER_JUMP_NONE);
    assert_int_equal(KIND(asm_LW(A0, A0, 0), asm_JAL(RA, 64), asm_ADD(A0, A0, A4), JR(A0)),
                     SL_INNER_JUMP_NONE);
    assert_int_equal(KIND(asm_LW(A0, A0, 0), asm_SL_TRAP(3, 0, 0), JR(A0)), SL_INNER_JUMP_NONE);
    assert_int_equal(kind_behind(two, sizeof two, 0), SL_INNER_JUMP_TABLE);
    assert_int_equal(kind_behind(two, sizeof two, 4), SL_INNER_JUMP_NONE);
}
