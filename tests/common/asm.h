/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A small assembler for the tests of the accelerator: one function per instruction of
 * hal/isa/riscv.def, asm_ADD(T0, T1, T2) and so on, and code with labels.
 *
 * Operands come in the order of assembly language, but immediates always last: asm_LD(rd, rs1,
 * offset), asm_SD(rs2, rs1, offset), asm_BEQ(rs1, rs2, offset), asm_AMOADD_D(rd, rs2, rs1). The
 * encodings themselves are checked against the GNU assembler by tests/unit/isa/test_isa.c. */
#ifndef SLUICE_TESTS_ASM_H
#define SLUICE_TESTS_ASM_H

#include <assert.h>
#include <stdint.h>

#include "host/driver/code/analysis.h"
#include "isa/isa.h"

/* clang-format off */
enum {
    ZERO, RA, SP, GP, TP, T0, T1, T2, S0, S1, A0, A1, A2, A3, A4, A5,
    A6, A7, S2, S3, S4, S5, S6, S7, S8, S9, S10, S11, T3, T4, T5, T6
};
/* clang-format on */

/* Ordering bits of atomics, to be ORed to the word. */
#define ASM_AQ (1u << 26)
#define ASM_RL (1u << 25)

/* What asm_SL_FENCE() does. */
#define ASM_ACQUIRES 1u
#define ASM_RELEASES 2u

/* Size and scope of Xsluice's scoped atomics, to be ORed to the word. */
#define ASM_SCOPE(bytes, scope) (((bytes) == 8 ? 4u << 12 : 0) | (uint32_t)(scope) << 12)

static inline uint32_t asm_r(uint32_t match, uint32_t rd, uint32_t rs1, uint32_t rs2)
{
    return match | rd << 7 | rs1 << 15 | rs2 << 20;
}

static inline uint32_t asm_s(uint32_t match, uint32_t rs1, uint32_t rs2, int32_t offset)
{
    uint32_t value = (uint32_t)offset;
    return match | (value & 31) << 7 | rs1 << 15 | rs2 << 20 | (value >> 5 & 127) << 25;
}

static inline uint32_t asm_b(uint32_t match, uint32_t rs1, uint32_t rs2, int32_t offset)
{
    uint32_t value = (uint32_t)offset;
    return match | rs1 << 15 | rs2 << 20 | (value >> 11 & 1) << 7 | (value >> 1 & 15) << 8 |
           (value >> 5 & 63) << 25 | (value >> 12 & 1) << 31;
}

static inline uint32_t asm_j(uint32_t match, uint32_t rd, int32_t offset)
{
    uint32_t value = (uint32_t)offset;
    return match | rd << 7 | (value & 0xff000u) | (value >> 11 & 1) << 20 |
           (value >> 1 & 1023) << 21 | (value >> 20 & 1) << 31;
}

#define ASM_FORMAT_U(match)                                                                        \
    (uint32_t rd, uint32_t upper)                                                                  \
    {                                                                                              \
        return (match) | rd << 7 | upper << 12;                                                    \
    }
#define ASM_FORMAT_J(match)                                                                        \
    (uint32_t rd, int32_t offset)                                                                  \
    {                                                                                              \
        return asm_j(match, rd, offset);                                                           \
    }
#define ASM_FORMAT_I(match)                                                                        \
    (uint32_t rd, uint32_t rs1, int32_t immediate)                                                 \
    {                                                                                              \
        return asm_r(match, rd, rs1, 0) | (uint32_t)immediate << 20;                               \
    }
#define ASM_FORMAT_SHIFT(match) ASM_FORMAT_I(match)
#define ASM_FORMAT_B(match)                                                                        \
    (uint32_t rs1, uint32_t rs2, int32_t offset)                                                   \
    {                                                                                              \
        return asm_b(match, rs1, rs2, offset);                                                     \
    }
#define ASM_FORMAT_S(match)                                                                        \
    (uint32_t rs2, uint32_t rs1, int32_t offset)                                                   \
    {                                                                                              \
        return asm_s(match, rs1, rs2, offset);                                                     \
    }
#define ASM_FORMAT_R(match)                                                                        \
    (uint32_t rd, uint32_t rs1, uint32_t rs2)                                                      \
    {                                                                                              \
        return asm_r(match, rd, rs1, rs2);                                                         \
    }
#define ASM_FORMAT_R1(match)                                                                       \
    (uint32_t rd, uint32_t rs1)                                                                    \
    {                                                                                              \
        return asm_r(match, rd, rs1, 0);                                                           \
    }
#define ASM_FORMAT_R0(match)                                                                       \
    (uint32_t rd)                                                                                  \
    {                                                                                              \
        return asm_r(match, rd, 0, 0);                                                             \
    }
#define ASM_FORMAT_P1(match)                                                                       \
    (uint32_t rs1)                                                                                 \
    {                                                                                              \
        return asm_r(match, 0, rs1, 0);                                                            \
    }
#define ASM_FORMAT_LOCK(match)    ASM_FORMAT_P1(match)
#define ASM_FORMAT_UNLOCK(match)  ASM_FORMAT_P1(match)
#define ASM_FORMAT_TRYLOCK(match) ASM_FORMAT_R(match)
#define ASM_FORMAT_P2(match)                                                                       \
    (uint32_t rs1, uint32_t rs2)                                                                   \
    {                                                                                              \
        return asm_r(match, 0, rs1, rs2);                                                          \
    }
#define ASM_FORMAT_NONE(match)                                                                     \
    (void)                                                                                         \
    {                                                                                              \
        return match;                                                                              \
    }
#define ASM_FORMAT_FENCE(match) ASM_FORMAT_NONE(match)
#define ASM_FORMAT_SCOPED_FENCE(match)                                                             \
    (enum sl_scope scope, uint32_t orders)                                                         \
    {                                                                                              \
        return asm_r(match, 0, 0, orders) | (uint32_t)scope << 12;                                 \
    }
#define ASM_FORMAT_AMO(match)                                                                      \
    (uint32_t rd, uint32_t rs2, uint32_t rs1)                                                      \
    {                                                                                              \
        return asm_r(match, rd, rs1, rs2);                                                         \
    }
#define ASM_FORMAT_SCOPED(match) ASM_FORMAT_AMO(match)
#define ASM_FORMAT_SCOPED_STORE(match)                                                             \
    (uint32_t rs2, uint32_t rs1)                                                                   \
    {                                                                                              \
        return asm_r(match, 0, rs1, rs2);                                                          \
    }
#define ASM_FORMAT_ID(match)                                                                       \
    (uint32_t rd, uint32_t kind)                                                                   \
    {                                                                                              \
        return asm_r(match, rd, 0, kind);                                                          \
    }
#define ASM_FORMAT_TRAP(match)                                                                     \
    (uint32_t trap, uint32_t rs1, uint32_t rs2)                                                    \
    {                                                                                              \
        return asm_r(match, trap, rs1, rs2);                                                       \
    }

/* f registers by their number, 0 to 31. */
#define ASM_FORMAT_FAMO(match) ASM_FORMAT_AMO(match)
#define ASM_FORMAT_FRED(match) ASM_FORMAT_SCOPED_STORE(match)

/* Floating point: f registers by their number, 0 to 31. ASM_RM(mode) is ORed to what rounds, which
 * else rounds to nearest, ties to even. */
#define ASM_RM(mode)          ((uint32_t)(mode) << 12)
#define ASM_FORMAT_FI(match)  ASM_FORMAT_I(match)
#define ASM_FORMAT_FS(match)  ASM_FORMAT_S(match)
#define ASM_FORMAT_FR(match)  ASM_FORMAT_R(match)
#define ASM_FORMAT_FRM(match) ASM_FORMAT_R(match)
#define ASM_FORMAT_F4(match)                                                                       \
    (uint32_t rd, uint32_t rs1, uint32_t rs2, uint32_t rs3)                                        \
    {                                                                                              \
        return asm_r(match, rd, rs1, rs2) | rs3 << 27;                                             \
    }
#define ASM_FORMAT_F1M(match) ASM_FORMAT_R1(match)
#define ASM_FORMAT_XFF(match) ASM_FORMAT_R(match)
#define ASM_FORMAT_XF(match)  ASM_FORMAT_R1(match)
#define ASM_FORMAT_XFM(match) ASM_FORMAT_R1(match)
#define ASM_FORMAT_FX(match)  ASM_FORMAT_R1(match)
#define ASM_FORMAT_FXM(match) ASM_FORMAT_R1(match)
#define ASM_FORMAT_CSR(match)                                                                      \
    (uint32_t rd, uint32_t csr, uint32_t rs1)                                                      \
    {                                                                                              \
        return asm_r(match, rd, rs1, 0) | csr << 20;                                               \
    }
#define ASM_FORMAT_CSRI(match) ASM_FORMAT_CSR(match)

#define SL_INSN(ID, mnemonic, match, mask, format, class)                                          \
    static inline uint32_t asm_##ID ASM_FORMAT_##format((uint32_t)(match))
#include "isa/riscv.def"
#undef SL_INSN

#define ASM_RET  asm_JALR(ZERO, RA, 0)
#define ASM_NOP  asm_ADDI(ZERO, ZERO, 0)
#define ASM_WILD 0xffffffffu /* no instruction */

#define ASM_WORDS     12288 /* more code than an instruction cache holds */
#define ASM_LABELS    256
#define ASM_FUNCTIONS 8

/* Code under construction. Labels are numbers below ASM_LABELS. Begin with asm_begin(). */
struct asm_code {
    uint32_t word[ASM_WORDS];
    uint32_t count;
    uint32_t label[ASM_LABELS]; /* offset in bytes */
    uint32_t wanted[ASM_WORDS]; /* 1 + label that the branch or jump goes to, or 0 */
    struct sl_function functions[ASM_FUNCTIONS]; /* address: offset in bytes */
    uint32_t function_count;
};

static inline void asm_begin(struct asm_code *code)
{
    *code = (struct asm_code){.function_count = 1};
}

/* Offset of the next instruction. */
static inline uint32_t asm_here(const struct asm_code *code)
{
    return code->count * 4;
}

static inline void asm_put(struct asm_code *code, uint32_t word)
{
    assert(code->count < ASM_WORDS);
    code->word[code->count++] = word;
}

static inline void asm_repeat(struct asm_code *code, uint32_t word, unsigned times)
{
    for (unsigned i = 0; i < times; i++) {
        asm_put(code, word);
    }
}

static inline void asm_label(struct asm_code *code, uint32_t label)
{
    code->label[label] = asm_here(code);
}

/* A branch or jal to a label, which may come later; the offset in `word` is zero. */
static inline void asm_to(struct asm_code *code, uint32_t word, uint32_t label)
{
    code->wanted[code->count] = 1 + label;
    asm_put(code, word);
}

/* rd = value, for values of 32 bits and fewer, sign-extended. Two instructions. */
static inline void asm_li(struct asm_code *code, uint32_t rd, int32_t value)
{
    asm_put(code, asm_LUI(rd, ((uint32_t)value + 0x800) >> 12));
    asm_put(code, asm_ADDIW(rd, rd, value));
}

/* The next instruction begins another function: reconvergence is computed for each by itself. */
static inline void asm_function(struct asm_code *code)
{
    assert(code->function_count < ASM_FUNCTIONS);
    code->functions[code->function_count++].address = asm_here(code);
}

/* Fills in the offsets of branches and jumps, and the sizes of functions. */
static inline void asm_finish(struct asm_code *code)
{
    for (uint32_t i = 0; i < code->count; i++) {
        if (code->wanted[i] != 0) {
            int32_t offset = (int32_t)(code->label[code->wanted[i] - 1] - i * 4);
            code->word[i] |=
                (code->word[i] & 0x7f) == 0x6f ? asm_j(0, 0, offset) : asm_b(0, 0, 0, offset);
            code->wanted[i] = 0;
        }
    }
    for (uint32_t i = 0; i < code->function_count; i++) {
        uint64_t end =
            i + 1 < code->function_count ? code->functions[i + 1].address : asm_here(code);
        code->functions[i].bytes = end - code->functions[i].address;
    }
}

#endif
