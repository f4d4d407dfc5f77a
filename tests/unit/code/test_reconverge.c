/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Reconvergence from machine code. The control-flow graph of each case is worked out in its
 * comment; instructions are numbered by words, blocks by letters. */
#include <string.h>

#include "common/check.h"
#include "host/driver/code/analysis.h"
#include "sluice/limits.h"

#define BASE  0x80400000u
#define WORDS 64
#define NONE  SL_RECONVERGE_NONE

#define NOP    0x00000013u
#define RET    0x00008067u
#define JUMP   0x00050067u /* jr a0: an indirect jump */
#define CALL_R 0x000500e7u /* jalr a0: an indirect call */
#define TRAP   0x1600000bu
#define BAD    0x00000000u

/* beq a0, a1 and jal to a word that many words further on (RISC-V ISA manual, section 2.5). */
static uint32_t beq(int words)
{
    uint32_t i = (uint32_t)(words * 4);
    return 0x00b50063u | (i >> 12 & 1) << 31 | (i >> 5 & 63) << 25 | (i >> 1 & 15) << 8 |
           (i >> 11 & 1) << 7;
}

static uint32_t jal(unsigned rd, int words)
{
    uint32_t i = (uint32_t)(words * 4);
    return 0x6fu | rd << 7 | (i >> 20 & 1) << 31 | (i >> 1 & 1023) << 21 | (i >> 11 & 1) << 20 |
           (i >> 12 & 255) << 12;
}

#define J(words)    jal(0, words)
#define CALL(words) jal(1, words)

/* Code at BASE. */
#define CODE(words, count, functions, function_count)                                              \
    (&(const struct sl_code){words, count, BASE, functions, function_count})

static uint32_t table[2 * WORDS];

static void analyse(const uint32_t *code, size_t words)
{
    struct sl_function whole = {BASE, 4 * words};
    assert_true(words <= WORDS);
    memset(table, 0x55, sizeof table);
    assert_int_equal(sl_reconverge(CODE(code, words, &whole, 1), table), 0);
    for (size_t i = 1; i < 2 * words; i += 2) {
        assert_int_equal(table[i], NONE); /* no instruction begins there */
    }
}

#define ANALYSE(code) analyse(code, sizeof(code) / sizeof((code)[0]))

static void meets(size_t branch, uint32_t word)
{
    uint32_t expected = word == NONE ? NONE : 4 * word;
    if (table[2 * branch] != expected) {
        fail_msg("instruction %zu meets at byte 0x%x, not 0x%x", branch, table[2 * branch],
                 expected);
    }
}

/* A(0) -> B(1..2), C(3); B -> D(4), C -> D */
TEST(test_if_else)
{
    const uint32_t code[] = {beq(3), NOP, J(2), NOP, RET};
    ANALYSE(code);
    meets(0, 4);
    meets(1, NONE); /* no branch */
    meets(2, NONE); /* a direct jump cannot diverge */
}

/* if without else: A(0) -> B(1), C(2); B -> C */
TEST(test_if)
{
    const uint32_t code[] = {beq(2), NOP, RET};
    ANALYSE(code);
    meets(0, 2);
}

/* Both sides return: only the function's return brings lanes together. */
TEST(test_two_returns)
{
    const uint32_t code[] = {beq(2), RET, RET};
    ANALYSE(code);
    meets(0, NONE);
}

/* An inner if-else in one side of an outer one.
 * A(0) -> B(1), F(6); B -> C(2..3), D(4); C -> E(5), D -> E; E -> G(7); F -> G */
TEST(test_nested)
{
    const uint32_t code[] = {beq(6), beq(3), NOP, J(2), NOP, J(2), NOP, RET};
    ANALYSE(code);
    meets(0, 7);
    meets(1, 5);
}

/* do { body } while: A(0..1) -> A, B(2) */
TEST(test_loop)
{
    const uint32_t code[] = {NOP, beq(-1), RET};
    ANALYSE(code);
    meets(1, 2);
}

/* A loop with a continue and a break.
 * A(0) -> B(1), E(5)       while (...)
 * B(1) -> C(2), D(4)       if (...) continue, by way of D
 * C(2) -> D'(3), E(5)      if (...) break
 * D'(3) -> D(4); D(4) -> A */
TEST(test_break_continue)
{
    const uint32_t code[] = {beq(5), beq(3), beq(3), NOP, J(-4), RET};
    ANALYSE(code);
    meets(0, 5);
    meets(1, 5); /* D would be passed by only one of C's ways */
    meets(2, 5);
}

/* Two loops, one in the other: A(0) is both headers.
 * A(0) -> A, B(1); B(1) -> A, C(2) */
TEST(test_nested_loops)
{
    const uint32_t code[] = {beq(0), beq(-1), RET};
    ANALYSE(code);
    meets(0, 1);
    meets(1, 2);
}

/* A loop with two entries (irreducible).
 * A(0) -> B(1), C(2); B(1) -> C; C(2) -> B, D(3) */
TEST(test_irreducible)
{
    const uint32_t code[] = {beq(2), NOP, beq(-1), RET};
    ANALYSE(code);
    meets(0, 2); /* all ways out go through C */
    meets(2, 3);
}

/* An endless loop with an if-else in it: A(0) -> B(1), C(3); B(1..2) -> D(4); C -> D; D(4) -> A */
TEST(test_endless)
{
    const uint32_t code[] = {beq(3), NOP, J(2), NOP, J(-4)};
    ANALYSE(code);
    meets(0, 4);
}

/* One side never comes back: lanes of the other need not wait for it.
 * A(0) -> B(1), C(3); B -> B(1); C -> D(4), E(5); D -> E */
TEST(test_endless_side)
{
    const uint32_t code[] = {beq(3), NOP, J(-1), beq(2), NOP, RET};
    ANALYSE(code);
    meets(0, 3);
    meets(3, 5);
}

/* A check that traps, inside one side of an if: it does not change where the if meets.
 * A(0) -> B(1), D(3); B -> C(2), T(5); C -> D; D -> E(4); T stops */
TEST(test_trap_side)
{
    const uint32_t code[] = {beq(3), beq(4), NOP, NOP, RET, TRAP};
    ANALYSE(code);
    meets(0, 3);
    meets(1, 2);
    const uint32_t illegal[] = {beq(3), beq(4), NOP, NOP, RET, BAD};
    ANALYSE(illegal);
    meets(0, 3);
    meets(1, 2);
}

/* All ways end in a trap, the same one: A(0) -> B(1), C(2); B -> C; C stops */
TEST(test_only_trap)
{
    const uint32_t code[] = {beq(2), NOP, TRAP};
    ANALYSE(code);
    meets(0, 2);
}

/* Calls go on behind themselves; nothing behind one is a call that does not return.
 * A(0) -> B(1), C(3); B calls, -> D(4); C calls (indirectly), -> D; D(4) -> E(5), F(6); F calls */
TEST(test_calls)
{
    const uint32_t code[] = {beq(3), CALL(20), J(2), CALL_R, beq(2), RET, CALL(20)};
    ANALYSE(code);
    meets(0, 4);
    meets(1, NONE);
    meets(3, 4); /* an indirect call's lanes meet where it returns to */
    meets(4, 5);
}

/* A jump out of the function and an indirect jump both leave it. */
TEST(test_ways_out)
{
    const uint32_t tail[] = {beq(2), J(40), RET};
    ANALYSE(tail);
    meets(0, NONE);
    const uint32_t indirect[] = {beq(2), JUMP, RET};
    ANALYSE(indirect);
    meets(0, NONE);
    meets(1, NONE);
    const uint32_t behind_end[] = {beq(2), RET, NOP};
    ANALYSE(behind_end);
    meets(0, NONE);
    const uint32_t branch_out[] = {beq(40), RET};
    ANALYSE(branch_out);
    meets(0, NONE);
}

/* Two functions, unsorted, with code that belongs to none in front, between and behind; the second
 * is named twice, once by an alias that begins inside it. */
TEST(test_functions)
{
    const uint32_t code[] = {
        beq(2), NOP,      NOP, /* 0: none's */
        beq(2), NOP,      RET, /* 3: f */
        beq(2), NOP,           /* 6: none's */
        beq(2), CALL(-6), RET, /* 8: g calls f */
        beq(1),                /* 11: none's */
    };
    struct sl_function functions[] = {{BASE + 32, 12}, {BASE + 36, 4},  {BASE + 12, 12},
                                      {BASE + 32, 8},  {BASE - 64, 12}, {BASE + 4096, 4}};
    assert_int_equal(sl_reconverge(CODE(code, 12, functions, 6), table), 0);
    meets(0, NONE);
    meets(3, 5);
    meets(6, NONE);
    meets(8, 10);
    meets(11, NONE);
    assert_int_equal(sl_reconverge(CODE(code, 0, functions, 6), table), 0);
    assert_int_equal(sl_reconverge(CODE(code, 12, functions, 0), table), 0);
    meets(3, NONE);
}

/* f(0) names a0 and calls g(2); g names s0 alone; h(4) calls indirectly; k(6) names t3, is called
 * by nobody, but an indirect call might. */
TEST(test_registers)
{
    const uint32_t code[] = {
        0x00050513, 0x008000ef, /* f: mv a0, a0; jal ra, g (+8: word 3) */
        RET,                    /* (f) */
        0x00040413, RET,        /* g: mv s0, s0; ret */
        CALL_R,     RET,        /* h: jalr a0; ret */
        0x000e0e13, RET,        /* k: mv t3, t3; ret */
        0x00000317, 0xfe830067, /* m: auipc t1, 0; jr -24(t1): a tail call of g, 6 words back */
    };
    const struct sl_function functions[] = {
        {BASE, 12}, {BASE + 12, 8}, {BASE + 20, 8}, {BASE + 28, 8}, {BASE + 36, 8}};
    const uint32_t ra = 1u << 1, t1 = 1u << 6, s0 = 1u << 8, a0 = 1u << 10, t3 = 1u << 28;
    const uint32_t expected[] = {a0 | ra | s0, s0 | ra, a0 | ra | s0 | t3 | t1, t3 | ra,
                                 t1 | s0 | ra};
    bool yields = true;
    size_t scratch[2 * 5];
    for (size_t f = 0; f < 5; f++) {
        uint64_t mask = 0;
        sl_registers_used(CODE(code, 11, functions, 5), functions[f].address, scratch, &mask,
                          &yields);
        assert_int_equal(mask, expected[f]);
    }
    uint64_t mask = 1;
    sl_registers_used(CODE(code, 11, functions, 5), BASE + 4096, scratch, &mask, &yields);
    assert_int_equal(mask, 0);
}

/* Compressed and whole instructions mixed; offsets in bytes.
 * 0 c.beqz a0, 8; 2 c.nop; 4 jal x0, 10 (+6, 4 bytes over a line of parcels); 8 c.nop; 10 c.jr ra
 */
TEST(test_compressed)
{
    const uint16_t code[] = {0xc501, 0x0001, 0x006f, 0x0060, 0x0001, 0x8082};
    uint32_t words[3];
    struct sl_function whole = {BASE, sizeof code};
    memcpy(words, code, sizeof code);
    assert_int_equal(sl_reconverge(CODE(words, 3, &whole, 1), table), 0);
    assert_int_equal(table[0], 10);
    for (size_t i = 1; i < 6; i++) {
        assert_int_equal(table[i], NONE);
    }
}

/* fmadd.s f1, f2, f3, f4 and c.fld f8, 0(a0): all four, and a base register. */
TEST(test_float_registers)
{
    const uint32_t code[] = {0x203170c3, 0x80822100};
    const struct sl_function function = {BASE, sizeof code};
    uint64_t mask = 0;
    bool yields = true;
    size_t scratch[2];
    sl_registers_used(CODE(code, 2, &function, 1), BASE, scratch, &mask, &yields);
    assert_int_equal(mask, 0x11eull << 32 | 1u << 10 | 1u << 1);
    assert_false(yields);
}
