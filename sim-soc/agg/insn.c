/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Classification of RV64IMAC by major opcode (RISC-V Unprivileged ISA, tables of base and
 * compressed opcodes). */
#include "agg/insn.h"

enum {
    OPCODE_LOAD = 0x03,
    OPCODE_MISC_MEM = 0x0f,
    OPCODE_STORE = 0x23,
    OPCODE_AMO = 0x2f,
    OPCODE_OP = 0x33,
    OPCODE_OP_32 = 0x3b,
    OPCODE_BRANCH = 0x63,
    OPCODE_JALR = 0x67,
    OPCODE_JAL = 0x6f,
    OPCODE_SYSTEM = 0x73,
};

static enum agg_class classify_full(uint32_t word)
{
    switch (word & 0x7f) {
    case OPCODE_LOAD:
        return AGG_LOAD;
    case OPCODE_STORE:
        return AGG_STORE;
    case OPCODE_AMO:
        return AGG_ATOMIC;
    case OPCODE_BRANCH:
    case OPCODE_JAL:
    case OPCODE_JALR:
        return AGG_BRANCH;
    case OPCODE_MISC_MEM:
    case OPCODE_SYSTEM:
        return AGG_SYSTEM;
    case OPCODE_OP:
    case OPCODE_OP_32:
        if (word >> 25 == 1) { /* funct7 of the M extension */
            return word >> 14 & 1 ? AGG_DIV : AGG_MUL;
        }
        return AGG_ALU;
    default:
        return AGG_ALU;
    }
}

/* Quadrant (bits 1:0) and funct3 (bits 15:13) select the compressed instruction. */
static enum agg_class classify_compressed(uint32_t word)
{
    unsigned quadrant = word & 3;
    unsigned funct3 = word >> 13 & 7;

    if (quadrant == 0) {
        if (funct3 == 0) {
            return AGG_ALU; /* c.addi4spn */
        }
        return funct3 < 4 ? AGG_LOAD : AGG_STORE;
    }
    if (quadrant == 1) {
        return funct3 >= 5 ? AGG_BRANCH : AGG_ALU; /* c.j, c.beqz, c.bnez */
    }
    switch (funct3) {
    case 1: /* c.fldsp, c.lwsp, c.ldsp */
    case 2:
    case 3:
        return AGG_LOAD;
    case 4: {
        unsigned rs2 = word >> 2 & 31;
        unsigned rd = word >> 7 & 31;
        if (rs2 == 0 && rd != 0) {
            return AGG_BRANCH; /* c.jr, c.jalr */
        }
        return rs2 == 0 ? AGG_SYSTEM : AGG_ALU; /* c.ebreak; c.mv, c.add */
    }
    case 5: /* c.fsdsp, c.swsp, c.sdsp */
    case 6:
    case 7:
        return AGG_STORE;
    default:
        return AGG_ALU; /* c.slli */
    }
}

struct agg_insn agg_insn_decode(uint64_t pc, uint32_t word)
{
    struct agg_insn insn = {.pc = pc};

    if ((word & 3) == 3) {
        insn.bytes = 4;
        insn.class = (uint8_t)classify_full(word);
    } else {
        insn.bytes = 2;
        insn.class = (uint8_t)classify_compressed(word);
    }
    return insn;
}
