/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Instruction words for tests whose cycle counts are worked out by hand. */
#ifndef SLUICE_TESTS_INSTRUCTION_WORDS_H
#define SLUICE_TESTS_INSTRUCTION_WORDS_H

#include <stdint.h>

#include "isa/isa.h"

enum { X0 = 0, RA = 1, SP = 2, T0 = 5, T1 = 6, T2 = 7, A0 = 10 };

#define WORD_I(opcode, funct3, rd, rs1, immediate)                                                 \
    ((uint32_t)(immediate) << 20 | (uint32_t)(rs1) << 15 | (uint32_t)(funct3) << 12 |              \
     (uint32_t)(rd) << 7 | (opcode))
#define WORD_R(opcode, funct3, funct7, rd, rs1, rs2)                                               \
    ((uint32_t)(funct7) << 25 | (uint32_t)(rs2) << 20 | (uint32_t)(rs1) << 15 |                    \
     (uint32_t)(funct3) << 12 | (uint32_t)(rd) << 7 | (opcode))

#define ADDI(rd, rs1, immediate) WORD_I(0x13u, 0, rd, rs1, immediate)
#define ANDI(rd, rs1, immediate) WORD_I(0x13u, 7, rd, rs1, immediate)
#define SLLI(rd, rs1, count)     WORD_I(0x13u, 1, rd, rs1, count)
#define LUI(rd, upper)           ((uint32_t)(upper) << 12 | (uint32_t)(rd) << 7 | 0x37u)
#define ADD(rd, rs1, rs2)        WORD_R(0x33u, 0, 0, rd, rs1, rs2)
#define LB(rd, base, offset)     WORD_I(0x03u, 0, rd, base, offset)
#define LW(rd, base, offset)     WORD_I(0x03u, 2, rd, base, offset)
#define LD(rd, base, offset)     WORD_I(0x03u, 3, rd, base, offset)
#define SW(source, base, offset)                                                                   \
    WORD_R(0x23u, 2, (uint32_t)(offset) >> 5, (uint32_t)(offset)&31u, base, source)
#define AMOADD_W(rd, base, source) WORD_R(0x2fu, 2, 0, rd, base, source)
#define SL_FREDADD_S(base, source) WORD_R(0x0bu, 2, 13, X0, base, source)
#define FCVT_S_W(rd, rs1)          WORD_R(0x53u, 0, 0x68, rd, rs1, X0)
/* Forward, fewer than 16 instructions. */
#define BEQZ(rs1, instructions) WORD_R(0x63u, 0, 0, (instructions)*4, rs1, X0)
#define RET                     WORD_I(0x67u, 0, X0, RA, 0)
#define SL_ID(rd, kind)         WORD_R(0x0bu, 0, 0, rd, X0, kind)
#define SL_PAUSE(rs1)           WORD_R(0x0bu, 0, 16, X0, rs1, X0)
#define SL_BARRIER              WORD_R(0x0bu, 0, 7, X0, X0, X0)

#define LDS_UPPER 0x60000u /* of SL_LDS_BASE */

#endif
