/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Integer computation, branches and jumps (RISC-V Unprivileged ISA, chapters I and M): an
 * expression each, of a and b, the registers rs1 and rs2, and the immediate i. */
#include "native/execute_insn.h"

/* Arithmetic on 64 bits is unsigned, where overflow is defined; W is what *W instructions leave. */
#define W(value)    ((uint64_t)(int64_t)(int32_t)(uint32_t)(value))
#define SIGNED(a)   ((int64_t)(a))
#define SIGNED32(a) ((int32_t)(uint32_t)(a))

static uint64_t divide(int64_t a, int64_t b)
{
    return b == 0 ? UINT64_MAX : a == INT64_MIN && b == -1 ? (uint64_t)a : (uint64_t)(a / b);
}

static uint64_t remainder_of(int64_t a, int64_t b)
{
    return b == 0 ? (uint64_t)a : a == INT64_MIN && b == -1 ? 0 : (uint64_t)(a % b);
}

#define COMPUTE(NAME, expression)                                                                  \
    static bool NAME(struct hart *hart, const struct qemu_plugin_insn *insn)                       \
    {                                                                                              \
        const uint64_t a = hart->x[insn->rs1];                                                     \
        const uint64_t b = hart->x[insn->rs2];                                                     \
        const uint64_t i = (uint64_t)(int64_t)insn->immediate;                                     \
        (void)a, (void)b, (void)i;                                                                 \
        hart_write(hart, insn->rd, (uint64_t)(expression));                                        \
        return true;                                                                               \
    }

COMPUTE(LUI, i)
COMPUTE(AUIPC, insn->pc + i)
COMPUTE(ADDI, a + i)
COMPUTE(SLTI, SIGNED(a) < SIGNED(i))
COMPUTE(SLTIU, a < i)
COMPUTE(XORI, a ^ i)
COMPUTE(ORI, a | i)
COMPUTE(ANDI, a &i)
COMPUTE(SLLI, a << i)
COMPUTE(SRLI, a >> i)
COMPUTE(SRAI, SIGNED(a) >> i)
COMPUTE(ADD, a + b)
COMPUTE(SUB, a - b)
COMPUTE(SLL, a << (b & 63))
COMPUTE(SLT, SIGNED(a) < SIGNED(b))
COMPUTE(SLTU, a < b)
COMPUTE(XOR, a ^ b)
COMPUTE(SRL, a >> (b & 63))
COMPUTE(SRA, SIGNED(a) >> (b & 63))
COMPUTE(OR, a | b)
COMPUTE(AND, a &b)
COMPUTE(ADDIW, W(a + i))
COMPUTE(SLLIW, W((uint32_t)a << i))
COMPUTE(SRLIW, W((uint32_t)a >> i))
COMPUTE(SRAIW, W(SIGNED32(a) >> i))
COMPUTE(ADDW, W(a + b))
COMPUTE(SUBW, W(a - b))
COMPUTE(SLLW, W((uint32_t)a << (b & 31)))
COMPUTE(SRLW, W((uint32_t)a >> (b & 31)))
COMPUTE(SRAW, W(SIGNED32(a) >> (b & 31)))
COMPUTE(MUL, a *b)
COMPUTE(MULH, (__int128)SIGNED(a) * SIGNED(b) >> 64)
COMPUTE(MULHSU, ((__int128)SIGNED(a) * (__int128)b) >> 64)
COMPUTE(MULHU, (unsigned __int128)a *b >> 64)
COMPUTE(MULW, W(a *b))
COMPUTE(DIV, divide(SIGNED(a), SIGNED(b)))
COMPUTE(DIVU, b == 0 ? UINT64_MAX : a / b)
COMPUTE(REM, remainder_of(SIGNED(a), SIGNED(b)))
COMPUTE(REMU, b == 0 ? a : a % b)
COMPUTE(DIVW, W(divide(SIGNED32(a), SIGNED32(b))))
COMPUTE(DIVUW, W((uint32_t)b == 0 ? UINT32_MAX : (uint32_t)a / (uint32_t)b))
COMPUTE(REMW, W(remainder_of(SIGNED32(a), SIGNED32(b))))
COMPUTE(REMUW, W((uint32_t)b == 0 ? (uint32_t)a : (uint32_t)a % (uint32_t)b))

#define BRANCH(NAME, condition)                                                                    \
    static bool NAME(struct hart *hart, const struct qemu_plugin_insn *insn)                       \
    {                                                                                              \
        const uint64_t a = hart->x[insn->rs1];                                                     \
        const uint64_t b = hart->x[insn->rs2];                                                     \
        const int64_t by = (condition) ? insn->immediate : insn->bytes;                            \
        hart->pc = insn->pc + (uint64_t)by;                                                        \
        return false;                                                                              \
    }

BRANCH(BEQ, a == b)
BRANCH(BNE, a != b)
BRANCH(BLT, SIGNED(a) < SIGNED(b))
BRANCH(BGE, SIGNED(a) >= SIGNED(b))
BRANCH(BLTU, a < b)
BRANCH(BGEU, a >= b)

static bool JAL(struct hart *hart, const struct qemu_plugin_insn *insn)
{
    hart_write(hart, insn->rd, insn->pc + insn->bytes);
    hart->pc = insn->pc + (uint64_t)(int64_t)insn->immediate;
    return false;
}

static bool JALR(struct hart *hart, const struct qemu_plugin_insn *insn)
{
    const uint64_t target = hart->x[insn->rs1] + (uint64_t)(int64_t)insn->immediate;
    hart_write(hart, insn->rd, insn->pc + insn->bytes);
    hart->pc = target & ~1ull;
    return false;
}

#define ENTRY(NAME) [SL_INSN_##NAME] = (NAME)

const insn_execute_t execute_integer[SL_INSN_COUNT] = {
    ENTRY(LUI),   ENTRY(AUIPC), ENTRY(JAL),   ENTRY(JALR), ENTRY(BEQ),    ENTRY(BNE),
    ENTRY(BLT),   ENTRY(BGE),   ENTRY(BLTU),  ENTRY(BGEU), ENTRY(ADDI),   ENTRY(SLTI),
    ENTRY(SLTIU), ENTRY(XORI),  ENTRY(ORI),   ENTRY(ANDI), ENTRY(SLLI),   ENTRY(SRLI),
    ENTRY(SRAI),  ENTRY(ADD),   ENTRY(SUB),   ENTRY(SLL),  ENTRY(SLT),    ENTRY(SLTU),
    ENTRY(XOR),   ENTRY(SRL),   ENTRY(SRA),   ENTRY(OR),   ENTRY(AND),    ENTRY(ADDIW),
    ENTRY(SLLIW), ENTRY(SRLIW), ENTRY(SRAIW), ENTRY(ADDW), ENTRY(SUBW),   ENTRY(SLLW),
    ENTRY(SRLW),  ENTRY(SRAW),  ENTRY(MUL),   ENTRY(MULH), ENTRY(MULHSU), ENTRY(MULHU),
    ENTRY(MULW),  ENTRY(DIV),   ENTRY(DIVU),  ENTRY(REM),  ENTRY(REMU),   ENTRY(DIVW),
    ENTRY(DIVUW), ENTRY(REMW),  ENTRY(REMUW),
};
