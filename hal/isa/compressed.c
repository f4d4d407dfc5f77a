/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Expansion of compressed instructions (RISC-V Unprivileged ISA, chapter C): each becomes the
 * instruction word that it stands for, so that there is one decoder of operands. Reserved encodings
 * have none; hints are what they look like, instructions without effect. */
#include "isa/compressed.h"

#include <stdbool.h>
#include <stddef.h>

#include "isa/immediate.h"

/* Where a register's number comes from. */
enum source {
    ZERO, /* x0, and where the word has no such register */
    RA,
    SP,
    RD,   /* rd and rs1, 5 bits */
    RS2,  /* 5 bits */
    HIGH, /* rd' and rs1', 3 bits: x8 and up */
    LOW,  /* rd' and rs2', likewise */
};

/* What is reserved. */
enum reserved {
    NOTHING,
    NO_RD,     /* x0 */
    NO_RD_X,   /* likewise, of loads into x registers */
    NO_NUMBER, /* an immediate of 0 */
};

/* Immediates of a parcel. */
static const struct sl_immediate ci = {6, {{12, 1, 5}, {2, 5, 0}}};
static const struct sl_immediate ci_shift = {0, {{12, 1, 5}, {2, 5, 0}}};
static const struct sl_immediate ci_lui = {18, {{12, 1, 17}, {2, 5, 12}}};
static const struct sl_immediate ci_16sp = {
    10, {{12, 1, 9}, {6, 1, 4}, {5, 1, 6}, {3, 2, 7}, {2, 1, 5}}};
static const struct sl_immediate ci_wsp = {0, {{12, 1, 5}, {4, 3, 2}, {2, 2, 6}}};
static const struct sl_immediate ci_dsp = {0, {{12, 1, 5}, {5, 2, 3}, {2, 3, 6}}};
static const struct sl_immediate ciw = {0, {{11, 2, 4}, {7, 4, 6}, {6, 1, 2}, {5, 1, 3}}};
static const struct sl_immediate css_w = {0, {{9, 4, 2}, {7, 2, 6}}};
static const struct sl_immediate css_d = {0, {{10, 3, 3}, {7, 3, 6}}};
static const struct sl_immediate offset_w = {0, {{10, 3, 3}, {6, 1, 2}, {5, 1, 6}}};
static const struct sl_immediate offset_d = {0, {{10, 3, 3}, {5, 2, 6}}};
static const struct sl_immediate cb = {9,
                                       {{12, 1, 8}, {10, 2, 3}, {5, 2, 6}, {3, 2, 1}, {2, 1, 5}}};
static const struct sl_immediate cj = {
    12,
    {{12, 1, 11}, {11, 1, 4}, {9, 2, 8}, {8, 1, 10}, {7, 1, 6}, {6, 1, 7}, {3, 3, 1}, {2, 1, 5}}};
static const struct sl_immediate none;

/* The formats of compressed.def: registers and immediate of the word that a parcel becomes. */
struct format {
    enum source rd;
    enum source rs1;
    enum source rs2;
    const struct sl_immediate *from;
    enum sl_immediate_kind to;
    enum reserved reserved;
};

#define FORMAT(name, rd, rs1, rs2, from, to, reserved)                                             \
    static const struct format format_##name = {rd, rs1, rs2, &(from), SL_IMMEDIATE_##to, reserved};
FORMAT(CIW, LOW, SP, ZERO, ciw, I, NO_NUMBER)
FORMAT(CL_W, LOW, HIGH, ZERO, offset_w, I, NOTHING)
FORMAT(CL_D, LOW, HIGH, ZERO, offset_d, I, NOTHING)
FORMAT(CS_W, ZERO, HIGH, LOW, offset_w, S, NOTHING)
FORMAT(CS_D, ZERO, HIGH, LOW, offset_d, S, NOTHING)
FORMAT(CI, RD, RD, ZERO, ci, I, NOTHING)
FORMAT(CI_NONZERO, RD, RD, ZERO, ci, I, NO_RD)
FORMAT(CI_LI, RD, ZERO, ZERO, ci, I, NOTHING)
FORMAT(CI_16SP, SP, SP, ZERO, ci_16sp, I, NO_NUMBER)
FORMAT(CI_LUI, RD, ZERO, ZERO, ci_lui, U, NO_NUMBER)
FORMAT(CI_SHIFT, RD, RD, ZERO, ci_shift, I, NOTHING)
FORMAT(CI_WSP, RD, SP, ZERO, ci_wsp, I, NO_RD_X)
FORMAT(CI_DSP, RD, SP, ZERO, ci_dsp, I, NO_RD_X)
FORMAT(CSS_W, ZERO, SP, RS2, css_w, S, NOTHING)
FORMAT(CSS_D, ZERO, SP, RS2, css_d, S, NOTHING)
FORMAT(CB_SHIFT, HIGH, HIGH, ZERO, ci_shift, I, NOTHING)
FORMAT(CB_IMMEDIATE, HIGH, HIGH, ZERO, ci, I, NOTHING)
FORMAT(CA, HIGH, HIGH, LOW, none, NONE, NOTHING)
FORMAT(CB, ZERO, HIGH, ZERO, cb, B, NOTHING)
FORMAT(CJ, ZERO, ZERO, ZERO, cj, J, NOTHING)
FORMAT(CR_JUMP, ZERO, RD, ZERO, none, NONE, NO_RD)
FORMAT(CR_CALL, RA, RD, ZERO, none, NONE, NO_RD) /* rs1 = x0 is c.ebreak */
FORMAT(CR_MV, RD, ZERO, RS2, none, NONE, NOTHING)
FORMAT(CR_ADD, RD, RD, RS2, none, NONE, NOTHING)

/* The words of riscv.def without operands. */
enum {
#define SL_INSN(ID, mnemonic, match, mask, format, class) MATCH_##ID = (int)match,
#include "isa/riscv.def"
#undef SL_INSN
};

static const struct {
    uint16_t match;
    uint16_t mask;
    const struct format *format;
    uint32_t target;
} table[] = {
#define SL_COMPRESSED(mnemonic, match, mask, format, TARGET)                                       \
    {match, mask, &format_##format, (uint32_t)MATCH_##TARGET},
#include "isa/compressed.def"
#undef SL_COMPRESSED
};

static uint32_t number_of(enum source source, uint32_t parcel)
{
    switch (source) {
    case RA:
        return 1;
    case SP:
        return 2;
    case RD:
        return sl_bits(parcel, 7, 5);
    case RS2:
        return sl_bits(parcel, 2, 5);
    case HIGH:
        return 8 + sl_bits(parcel, 7, 3);
    case LOW:
        return 8 + sl_bits(parcel, 2, 3);
    default:
        return 0;
    }
}

static bool is_reserved(const struct format *format, uint32_t parcel, uint32_t target)
{
    const bool has_no_rd = sl_bits(parcel, 7, 5) == 0;
    switch (format->reserved) {
    case NO_RD:
        return has_no_rd;
    case NO_RD_X:
        return has_no_rd && target != MATCH_FLD;
    case NO_NUMBER:
        return sl_immediate_gather(format->from, parcel) == 0;
    default:
        return false;
    }
}

static uint32_t expand(uint32_t parcel, const struct format *format, uint32_t target)
{
    const int32_t number = sl_immediate_gather(format->from, parcel);
    if (is_reserved(format, parcel, target)) {
        return 0;
    }
    return target | number_of(format->rd, parcel) << 7 | number_of(format->rs1, parcel) << 15 |
           number_of(format->rs2, parcel) << 20 |
           sl_immediate_scatter(&sl_immediates[format->to], number);
}

#define ENTRIES (sizeof table / sizeof table[0])

unsigned sl_insn_compressed(uint16_t parcel)
{
    unsigned entry = 0;
    while (entry < ENTRIES && (parcel & table[entry].mask) != table[entry].match) {
        entry++;
    }
    return entry;
}

uint32_t sl_insn_expand(uint16_t parcel)
{
    const unsigned entry = sl_insn_compressed(parcel);
    return entry < ENTRIES ? expand(parcel, table[entry].format, table[entry].target) : 0;
}
