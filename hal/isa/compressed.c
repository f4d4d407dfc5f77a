/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Expansion of compressed instructions (RISC-V Unprivileged ISA, chapter C): each becomes the
 * instruction word that it stands for, so that there is one decoder of operands. Reserved encodings
 * have none; hints are what they look like, instructions without effect. */
#include <stddef.h>

#include "isa/isa.h"

enum format {
    FORMAT_CIW,  /* rd', sp, immediate */
    FORMAT_CL_W, /* rd', (rs1') */
    FORMAT_CL_D,
    FORMAT_CS_W, /* rs2', (rs1') */
    FORMAT_CS_D,
    FORMAT_CI,         /* rd, rd, immediate */
    FORMAT_CI_NONZERO, /* the same; rd is not x0 */
    FORMAT_CI_LI,      /* rd, x0, immediate */
    FORMAT_CI_16SP,    /* sp, sp, immediate */
    FORMAT_CI_LUI,
    FORMAT_CI_SHIFT, /* rd, rd, shift amount */
    FORMAT_CI_WSP,   /* rd, (sp) */
    FORMAT_CI_DSP,
    FORMAT_CSS_W, /* rs2, (sp) */
    FORMAT_CSS_D,
    FORMAT_CB_SHIFT,     /* rd', rd', shift amount */
    FORMAT_CB_IMMEDIATE, /* rd', rd', immediate */
    FORMAT_CA,           /* rd', rd', rs2' */
    FORMAT_CB,           /* rs1', x0, target */
    FORMAT_CJ,
    FORMAT_CR_JUMP, /* x0, rs1 */
    FORMAT_CR_CALL, /* ra, rs1 */
    FORMAT_CR_MV,   /* rd, x0, rs2 */
    FORMAT_CR_ADD,  /* rd, rd, rs2 */
};

/* The words of riscv.def without operands. */
enum {
#define SL_INSN(ID, mnemonic, match, mask, format, class) MATCH_##ID = (int)match,
#include "isa/riscv.def"
#undef SL_INSN
};

static const struct {
    uint16_t match;
    uint16_t mask;
    enum format format;
    uint32_t target;
} table[] = {
#define SL_COMPRESSED(mnemonic, match, mask, format, TARGET)                                       \
    {match, mask, FORMAT_##format, (uint32_t)MATCH_##TARGET},
#include "isa/compressed.def"
#undef SL_COMPRESSED
};

static uint32_t bits(uint32_t value, unsigned low, unsigned count)
{
    return (value >> low) & ((1u << count) - 1);
}

/* `count` bits of the parcel from `low` on, moved to bit `to`. */
static uint32_t move(uint32_t parcel, unsigned low, unsigned count, unsigned to)
{
    return bits(parcel, low, count) << to;
}

static int32_t sign_extend(uint32_t value, unsigned count)
{
    uint32_t sign = 1u << (count - 1);
    return (int32_t)((value ^ sign) - sign);
}

/* ---- instruction words from fields ---- */

static uint32_t word_i(uint32_t target, uint32_t rd, uint32_t rs1, int32_t immediate)
{
    return target | rd << 7 | rs1 << 15 | (uint32_t)immediate << 20;
}

static uint32_t word_r(uint32_t target, uint32_t rd, uint32_t rs1, uint32_t rs2)
{
    return target | rd << 7 | rs1 << 15 | rs2 << 20;
}

static uint32_t word_s(uint32_t target, uint32_t rs2, uint32_t rs1, uint32_t immediate)
{
    return target | bits(immediate, 0, 5) << 7 | rs1 << 15 | rs2 << 20 |
           bits(immediate, 5, 7) << 25;
}

static uint32_t word_b(uint32_t target, uint32_t rs1, int32_t offset)
{
    uint32_t value = (uint32_t)offset;

    return target | bits(value, 11, 1) << 7 | bits(value, 1, 4) << 8 | rs1 << 15 |
           bits(value, 5, 6) << 25 | bits(value, 12, 1) << 31;
}

static uint32_t word_j(uint32_t target, int32_t offset)
{
    uint32_t value = (uint32_t)offset;

    return target | bits(value, 12, 8) << 12 | bits(value, 11, 1) << 20 | bits(value, 1, 10) << 21 |
           bits(value, 20, 1) << 31;
}

/* ---- immediates (table of the formats) ---- */

static int32_t immediate_ci(uint32_t p)
{
    return sign_extend(move(p, 12, 1, 5) | move(p, 2, 5, 0), 6);
}

static uint32_t shift_amount(uint32_t p)
{
    return move(p, 12, 1, 5) | move(p, 2, 5, 0);
}

static uint32_t offset_w(uint32_t p)
{
    return move(p, 10, 3, 3) | move(p, 6, 1, 2) | move(p, 5, 1, 6);
}

static uint32_t offset_d(uint32_t p)
{
    return move(p, 10, 3, 3) | move(p, 5, 2, 6);
}

static int32_t immediate_16sp(uint32_t p)
{
    return sign_extend(move(p, 12, 1, 9) | move(p, 6, 1, 4) | move(p, 5, 1, 6) | move(p, 3, 2, 7) |
                           move(p, 2, 1, 5),
                       10);
}

static int32_t offset_branch(uint32_t p)
{
    return sign_extend(move(p, 12, 1, 8) | move(p, 10, 2, 3) | move(p, 5, 2, 6) | move(p, 3, 2, 1) |
                           move(p, 2, 1, 5),
                       9);
}

static int32_t offset_jump(uint32_t p)
{
    return sign_extend(move(p, 12, 1, 11) | move(p, 11, 1, 4) | move(p, 9, 2, 8) |
                           move(p, 8, 1, 10) | move(p, 7, 1, 6) | move(p, 6, 1, 7) |
                           move(p, 3, 3, 1) | move(p, 2, 1, 5),
                       12);
}

static uint32_t expand(uint32_t p, enum format format, uint32_t target)
{
    uint32_t rd = bits(p, 7, 5);
    uint32_t rs2 = bits(p, 2, 5);
    uint32_t high = 8 + bits(p, 7, 3); /* rd', rs1' */
    uint32_t low = 8 + bits(p, 2, 3);  /* rd', rs2' */
    uint32_t value;

    switch (format) {
    case FORMAT_CIW:
        value = move(p, 11, 2, 4) | move(p, 7, 4, 6) | move(p, 6, 1, 2) | move(p, 5, 1, 3);
        return value == 0 ? 0 : word_i(target, low, 2, (int32_t)value);
    case FORMAT_CL_W:
        return word_i(target, low, high, (int32_t)offset_w(p));
    case FORMAT_CL_D:
        return word_i(target, low, high, (int32_t)offset_d(p));
    case FORMAT_CS_W:
        return word_s(target, low, high, offset_w(p));
    case FORMAT_CS_D:
        return word_s(target, low, high, offset_d(p));
    case FORMAT_CI:
        return word_i(target, rd, rd, immediate_ci(p));
    case FORMAT_CI_NONZERO:
        return rd == 0 ? 0 : word_i(target, rd, rd, immediate_ci(p));
    case FORMAT_CI_LI:
        return word_i(target, rd, 0, immediate_ci(p));
    case FORMAT_CI_16SP:
        return immediate_16sp(p) == 0 ? 0 : word_i(target, 2, 2, immediate_16sp(p));
    case FORMAT_CI_LUI:
        return immediate_ci(p) == 0 ? 0 : target | rd << 7 | (uint32_t)immediate_ci(p) << 12;
    case FORMAT_CI_SHIFT:
        return word_i(target, rd, rd, (int32_t)shift_amount(p));
    case FORMAT_CI_WSP:
        value = move(p, 12, 1, 5) | move(p, 4, 3, 2) | move(p, 2, 2, 6);
        return rd == 0 ? 0 : word_i(target, rd, 2, (int32_t)value);
    case FORMAT_CI_DSP:
        value = move(p, 12, 1, 5) | move(p, 5, 2, 3) | move(p, 2, 3, 6);
        if (rd == 0 && target == MATCH_LD) {
            return 0;
        }
        return word_i(target, rd, 2, (int32_t)value);
    case FORMAT_CSS_W:
        return word_s(target, rs2, 2, move(p, 9, 4, 2) | move(p, 7, 2, 6));
    case FORMAT_CSS_D:
        return word_s(target, rs2, 2, move(p, 10, 3, 3) | move(p, 7, 3, 6));
    case FORMAT_CB_SHIFT:
        return word_i(target, high, high, (int32_t)shift_amount(p));
    case FORMAT_CB_IMMEDIATE:
        return word_i(target, high, high, immediate_ci(p));
    case FORMAT_CA:
        return word_r(target, high, high, low);
    case FORMAT_CB:
        return word_b(target, high, offset_branch(p));
    case FORMAT_CJ:
        return word_j(target, offset_jump(p));
    case FORMAT_CR_JUMP:
        return rd == 0 ? 0 : word_i(target, 0, rd, 0);
    case FORMAT_CR_CALL: /* rs1 = x0 is c.ebreak */
        return rd == 0 ? 0 : word_i(target, 1, rd, 0);
    case FORMAT_CR_MV:
        return word_r(target, rd, 0, rs2);
    case FORMAT_CR_ADD:
        return word_r(target, rd, rd, rs2);
    }
    return 0;
}

uint32_t sl_insn_expand(uint16_t parcel)
{
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if ((parcel & table[i].mask) == table[i].match) {
            return expand(parcel, table[i].format, table[i].target);
        }
    }
    return 0;
}
