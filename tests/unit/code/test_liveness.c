/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Live registers from machine code, worked out by hand: the comment at each instruction says what
 * is live in front of it. */
#include <string.h>

#include "common/asm.h"
#include "common/check.h"
#include "host/driver/code/analysis.h"

#define BASE 0x80400000u
#define R(x) (1ull << (x))
#define F(x) (1ull << (SL_F_REGISTERS + (x)))

static struct asm_code code;
static uint64_t live[2 * ASM_WORDS];

static void analyse(void)
{
    struct sl_function functions[ASM_FUNCTIONS];

    asm_finish(&code);
    for (uint32_t i = 0; i < code.function_count; i++) {
        functions[i] =
            (struct sl_function){BASE + code.functions[i].address, code.functions[i].bytes};
    }
    const struct sl_code analysed = {.words = code.word,
                                     .word_count = code.count,
                                     .base = BASE,
                                     .functions = functions,
                                     .function_count = code.function_count};
    memset(live, 0x55, sizeof live);
    assert_int_equal(sl_liveness(&analysed, live), 0);
    for (uint32_t i = 0; i < code.count; i++) {
        assert_int_equal(live[2 * i + 1], SL_LIVE_ALL); /* no instruction begins there */
    }
}

static void expect(uint32_t word, uint64_t registers)
{
    if (live[2 * word] != registers) {
        fail_msg("in front of instruction %u 0x%016lx is live, should be 0x%016lx", word,
                 live[2 * word], registers);
    }
}

static void put(uint32_t word)
{
    asm_put(&code, word);
}

/* Reads come before the write of the same instruction, x0 is never live, and a return needs ra
 * alone: what its caller reads stands at the caller's entry of the stack. */
TEST(test_straight)
{
    asm_begin(&code);
    put(asm_ADDI(A0, A0, 1));   /* 0: a0 a2 ra */
    put(asm_ADD(A1, A0, ZERO)); /* 1: a0 a2 ra */
    put(asm_SD(A1, A2, 0));     /* 2: a1 a2 ra */
    put(asm_ADDI(A0, ZERO, 5)); /* 3: ra */
    put(ASM_RET);               /* 4: ra; a0 has the result, which the caller may want */
    analyse();
    expect(0, R(A0) | R(A2) | R(RA));
    expect(1, R(A0) | R(A2) | R(RA));
    expect(2, R(A1) | R(A2) | R(RA));
    expect(3, R(RA));
    expect(4, R(RA));
}

/* Both sides of a branch count: t0 is overwritten on one side only. */
TEST(test_branch)
{
    asm_begin(&code);
    asm_to(&code, asm_BEQ(A0, A1, 0), 0); /* 0: a0 a1 t0 t1 ra */
    put(asm_ADDI(T0, T1, 0));             /* 1: t1 ra */
    asm_label(&code, 0);
    put(asm_SD(T0, T0, 0)); /* 2: t0 ra */
    put(ASM_RET);           /* 3: ra */
    analyse();
    expect(0, R(A0) | R(A1) | R(T0) | R(T1) | R(RA));
    expect(1, R(T1) | R(RA));
    expect(2, R(T0) | R(RA));
}

/* What the next round of a loop reads is live at its end: t1 only from its own round before. */
TEST(test_loop)
{
    asm_begin(&code);
    asm_label(&code, 0);
    put(asm_LD(T0, A0, 0));                 /* 0: a0 t1 ra */
    put(asm_ADD(T1, T1, T0));               /* 1: a0 t0 t1 ra */
    asm_to(&code, asm_BNE(T0, ZERO, 0), 0); /* 2: a0 t0 t1 ra */
    put(asm_SD(T1, SP, 0));                 /* 3: t1 sp ra */
    put(ASM_RET);
    analyse();
    expect(0, R(A0) | R(T1) | R(RA) | R(SP));
    expect(1, R(A0) | R(T0) | R(T1) | R(RA) | R(SP));
    expect(2, R(A0) | R(T0) | R(T1) | R(RA) | R(SP));
    expect(3, R(T1) | R(SP) | R(RA));
}

/* The callee reads a0 and t2 and writes s0; the caller reads s1 and a0 behind the call. What the
 * callee writes does not end the life of s0, and the link register's begins with the call. */
TEST(test_call)
{
    asm_begin(&code);
    put(asm_SD(RA, SP, -8));          /* 0: ra sp s0 s1 a0 t2 */
    asm_to(&code, asm_JAL(RA, 0), 0); /* 1: sp s0 s1 a0 t2 */
    put(asm_ADD(A0, A0, S1));         /* 2: a0 s0 s1 sp */
    put(asm_SD(A0, S0, 0));           /* 3: a0 s0 sp */
    put(asm_LD(RA, SP, -8));          /* 4: sp */
    put(ASM_RET);                     /* 5: ra */
    asm_function(&code);
    asm_label(&code, 0);
    put(asm_ADD(S0, A0, T2));  /* 6: a0 t2 ra */
    put(asm_SL_YIELD(A1, S0)); /* 7: a1 s0 ra */
    put(ASM_RET);              /* 8: ra */
    analyse();
    expect(1, R(SP) | R(S0) | R(S1) | R(A0) | R(A1) | R(T2));
    expect(0, live[2] | R(RA));
    expect(2, R(A0) | R(S0) | R(S1) | R(SP));
    expect(3, R(A0) | R(S0) | R(SP));
    expect(4, R(SP));
    expect(6, R(A0) | R(A1) | R(T2) | R(RA));
    expect(7, R(A1) | R(S0) | R(RA));
    expect(8, R(RA));
}

/* An auipc in front makes a far call or jump a direct one; without it a call may go to the
 * beginning of either function, and a jump anywhere. */
TEST(test_far)
{
    asm_begin(&code);
    put(asm_AUIPC(RA, 0));          /* 0: t2 t3 s4, and sp for 3 */
    put(asm_JALR(RA, RA, 6 * 4));   /* 1: to 6 */
    put(asm_AUIPC(T1, 0));          /* 2: t2 */
    put(asm_JALR(ZERO, T1, 4 * 4)); /* 3: to 6, behind which nobody comes back here */
    put(asm_JALR(RA, S4, 0));       /* 4: s4, t2, t3 of 8, and what 5 needs: everything */
    put(asm_JALR(ZERO, A0, 0));     /* 5: everything */
    asm_function(&code);
    put(asm_SD(T2, T2, 0)); /* 6: t2 ra */
    put(ASM_RET);
    asm_function(&code);
    put(asm_JALR(RA, S4, 0));      /* 8: s4 t2, what any function needs at its beginning */
    put(asm_SL_TRAP(3, T3, ZERO)); /* 9: t3 alone: nothing goes on */
    put(asm_SD(S11, S11, 0));      /* 10: not reached, but code */
    analyse();
    expect(2, R(T2) | R(RA));
    expect(3, R(T1) | R(T2) | R(RA));
    expect(0, R(T2)); /* ra is written before anybody reads it: 3 needs what 6 needs */
    expect(1, R(RA) | R(T2));
    expect(5, SL_LIVE_ALL);
    expect(6, R(T2) | R(RA));
    expect(8, R(S4) | R(T2) | R(T3));
    expect(9, R(T3));
    expect(10, SL_LIVE_ALL); /* runs on behind the function's end, where no instruction is */
}

/* Floating-point registers, three sources; fsd reads an f register and an x register; a conversion
 * kills an x register. */
TEST(test_float)
{
    asm_begin(&code);
    put(asm_FMADD_D(1, 2, 3, 4)); /* 0: f2 f3 f4 a0 ra */
    put(asm_FSD(1, A0, 0));       /* 1: f1 a0 ra */
    put(asm_FMV_X_D(A0, 5));      /* 2: f5 ra a1 */
    put(asm_FMV_D_X(6, A0));      /* 3: a0 a1 ra */
    put(asm_FSD(6, A1, 0));       /* 4: f6 a1 ra */
    put(ASM_RET);
    analyse();
    expect(0, F(2) | F(3) | F(4) | F(5) | R(A0) | R(A1) | R(RA));
    expect(1, F(1) | F(5) | R(A0) | R(A1) | R(RA));
    expect(2, F(5) | R(A1) | R(RA));
    expect(3, R(A0) | R(A1) | R(RA));
    expect(4, F(6) | R(A1) | R(RA));
}

/* Wavefront operations and atomics: what they read and write as any other instruction. */
TEST(test_wavefront)
{
    asm_begin(&code);
    put(asm_SL_ELECT(T0));           /* 0: t1 t2 a0 ra */
    put(asm_SL_SHUFFLE(T1, T1, T2)); /* 1: t0 t1 t2 a0 ra */
    put(asm_AMOADD_D(ZERO, T1, A0)); /* 2: t0 t1 a0 ra */
    put(asm_LR_D(T3, ZERO, A0));     /* 3: t0 a0 ra */
    put(asm_SC_D(T4, T3, A0));       /* 4: t0 t3 a0 ra */
    put(asm_SD(T4, T0, 0));          /* 5: t0 t4 ra */
    put(ASM_RET);
    analyse();
    expect(0, R(T1) | R(T2) | R(A0) | R(RA));
    expect(1, R(T0) | R(T1) | R(T2) | R(A0) | R(RA));
    expect(2, R(T0) | R(T1) | R(A0) | R(RA));
    expect(3, R(T0) | R(A0) | R(RA));
    expect(4, R(T0) | R(T3) | R(A0) | R(RA));
    expect(5, R(T0) | R(T4) | R(RA));
}

/* A jump through a table: everything, and so in front of it, but for what is written in between. */
TEST(test_table)
{
    asm_begin(&code);
    put(asm_LW(T2, A0, 0));     /* 0 */
    put(asm_ADD(T2, T2, T1));   /* 1 */
    put(asm_JALR(ZERO, T2, 0)); /* 2 */
    put(asm_SD(S2, S2, 0));     /* 3: s2 ra */
    put(ASM_RET);
    analyse();
    expect(0, SL_LIVE_ALL & ~R(T2));
    expect(1, SL_LIVE_ALL);
    expect(2, SL_LIVE_ALL);
    expect(3, R(S2) | R(RA));
}

/* Code outside functions, and places where no instruction begins: everything is live, and so is
 * what goes there. Compressed: 0 c.nop; 2 jal x0, +8 (to 10, outside the function). */
TEST(test_outside)
{
    const uint16_t parcels[] = {0x0001, 0x006f, 0x0080, 0x8082, 0x0001, 0x8082};
    const struct sl_function function = {BASE, 8};
    uint32_t words[3];
    const struct sl_code outside = {words, 3, BASE, &function, 1};
    memcpy(words, parcels, sizeof parcels);
    assert_int_equal(sl_liveness(&outside, live), 0);
    assert_int_equal(live[0], SL_LIVE_ALL);
    assert_int_equal(live[1], SL_LIVE_ALL);
    assert_int_equal(live[2], SL_LIVE_ALL);
    assert_int_equal(live[3], R(RA));
    assert_int_equal(live[4], SL_LIVE_ALL);
    assert_int_equal(live[5], SL_LIVE_ALL);
}
