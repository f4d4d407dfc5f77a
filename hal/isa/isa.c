/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Decoder: a linear search of the table, then the fields of the format. Code is decoded once, when
 * it is loaded, so that speed does not matter here. */
#include "isa/isa.h"

#include <stddef.h>

enum format {
    FORMAT_U,
    FORMAT_J,
    FORMAT_I,
    FORMAT_B,
    FORMAT_S,
    FORMAT_SHIFT,
    FORMAT_R,
    FORMAT_R1, /* no rs2 */
    FORMAT_R0, /* neither rs1 nor rs2 */
    FORMAT_NONE,
    FORMAT_AMO,
    FORMAT_SCOPED,
    FORMAT_SCOPED_STORE,
    FORMAT_ID,
    FORMAT_P1, /* rs1 alone */
    FORMAT_P2, /* rs1 and rs2 */
    FORMAT_TRAP,
    FORMAT_FAMO, /* f register rd, x register rs1, f register rs2 */
    FORMAT_FRED, /* the same without rd */
    /* Floating point: F stands for an f register, X for an x register, in the order rd, rs1, rs2;
     * M for a rounding mode. */
    FORMAT_FI, /* load */
    FORMAT_FS, /* store */
    FORMAT_FR, /* three f registers */
    FORMAT_FRM,
    FORMAT_F4, /* rs3 too; rounds */
    FORMAT_F1M,
    FORMAT_XFF,
    FORMAT_XF,
    FORMAT_XFM,
    FORMAT_FX,
    FORMAT_FXM,
    FORMAT_CSR,
    FORMAT_CSRI,
};

static const struct {
    const char *mnemonic;
    uint32_t match;
    uint32_t mask;
    enum format format;
    enum sl_insn_class class;
} table[SL_INSN_COUNT] = {
    [SL_INSN_ILLEGAL] = {"illegal", 0, 0, FORMAT_NONE, SL_CLASS_ILLEGAL},
#define SL_INSN(ID, mnemonic, match, mask, format, class)                                          \
    [SL_INSN_##ID] = {mnemonic, match, mask, FORMAT_##format, SL_CLASS_##class},
#include "isa/riscv.def"
#undef SL_INSN
};

static uint32_t bits(uint32_t word, unsigned low, unsigned count)
{
    return (word >> low) & ((1u << count) - 1);
}

/* The low `count` bits of a value as a signed number. */
static int32_t sign_extend(uint32_t value, unsigned count)
{
    uint32_t sign = 1u << (count - 1);
    return (int32_t)((value ^ sign) - sign);
}

static int32_t immediate_b(uint32_t word)
{
    uint32_t value = bits(word, 31, 1) << 12 | bits(word, 7, 1) << 11 | bits(word, 25, 6) << 5 |
                     bits(word, 8, 4) << 1;
    return sign_extend(value, 13);
}

static int32_t immediate_j(uint32_t word)
{
    uint32_t value = bits(word, 31, 1) << 20 | bits(word, 12, 8) << 12 | bits(word, 20, 1) << 11 |
                     bits(word, 21, 10) << 1;
    return sign_extend(value, 21);
}

static void decode_atomic(struct sl_insn *insn, uint32_t word)
{
    insn->rs1 = (uint8_t)bits(word, 15, 5);
    insn->acquire = bits(word, 26, 1);
    insn->release = bits(word, 25, 1);
    insn->is_signed = true;
}

static void decode_scope(struct sl_insn *insn, uint32_t word)
{
    insn->scope = (uint8_t)bits(word, 12, 2);
    insn->access_bytes = bits(word, 14, 1) ? 8 : 4;
}

/* Operands of the F and D extensions. */
static void decode_float(struct sl_insn *insn, uint32_t word, enum format format)
{
    bool is_rd_x = format == FORMAT_XFF || format == FORMAT_XF || format == FORMAT_XFM;
    bool is_rs1_x = format == FORMAT_FX || format == FORMAT_FXM;
    bool has_rs2 =
        format == FORMAT_FR || format == FORMAT_FRM || format == FORMAT_F4 || format == FORMAT_XFF;
    bool has_rounding = format == FORMAT_FRM || format == FORMAT_F4 || format == FORMAT_F1M ||
                        format == FORMAT_XFM || format == FORMAT_FXM;

    insn->rd = (uint8_t)(bits(word, 7, 5) + (is_rd_x ? 0 : SL_F_REGISTERS));
    insn->rs1 = (uint8_t)(bits(word, 15, 5) + (is_rs1_x ? 0 : SL_F_REGISTERS));
    if (has_rs2) {
        insn->rs2 = (uint8_t)(bits(word, 20, 5) + SL_F_REGISTERS);
    }
    if (format == FORMAT_F4) {
        insn->rs3 = (uint8_t)(bits(word, 27, 5) + SL_F_REGISTERS);
    }
    insn->rounds = has_rounding;
    if (has_rounding) {
        insn->rounding = (uint8_t)bits(word, 12, 3);
    }
}

static void decode_operands(struct sl_insn *insn, uint32_t word, enum format format)
{
    uint8_t rd = (uint8_t)bits(word, 7, 5);
    uint8_t rs1 = (uint8_t)bits(word, 15, 5);
    uint8_t rs2 = (uint8_t)bits(word, 20, 5);

    switch (format) {
    case FORMAT_U:
        insn->rd = rd;
        insn->immediate = (int32_t)(word & 0xfffff000u);
        break;
    case FORMAT_J:
        insn->rd = rd;
        insn->immediate = immediate_j(word);
        break;
    case FORMAT_I:
        insn->rd = rd;
        insn->rs1 = rs1;
        insn->immediate = sign_extend(bits(word, 20, 12), 12);
        break;
    case FORMAT_SHIFT:
        insn->rd = rd;
        insn->rs1 = rs1;
        insn->immediate = (int32_t)bits(word, 20, 6);
        break;
    case FORMAT_B:
        insn->rs1 = rs1;
        insn->rs2 = rs2;
        insn->immediate = immediate_b(word);
        break;
    case FORMAT_S:
        insn->rs1 = rs1;
        insn->rs2 = rs2;
        insn->immediate = sign_extend(bits(word, 25, 7) << 5 | bits(word, 7, 5), 12);
        break;
    case FORMAT_R:
        insn->rd = rd;
        insn->rs1 = rs1;
        insn->rs2 = rs2;
        break;
    case FORMAT_R1:
        insn->rd = rd;
        insn->rs1 = rs1;
        insn->variant = (uint8_t)bits(word, 12, 3);
        break;
    case FORMAT_P1:
        insn->rs1 = rs1;
        break;
    case FORMAT_P2:
        insn->rs1 = rs1;
        insn->rs2 = rs2;
        break;
    case FORMAT_R0:
        insn->rd = rd;
        break;
    case FORMAT_NONE:
        break;
    case FORMAT_AMO:
        decode_atomic(insn, word);
        insn->rd = rd;
        insn->rs2 = rs2;
        insn->access_bytes = (uint8_t)(1u << bits(word, 12, 3));
        insn->scope = SL_SCOPE_DEVICE;
        break;
    case FORMAT_SCOPED:
        decode_atomic(insn, word);
        decode_scope(insn, word);
        insn->rd = rd;
        insn->rs2 = rs2;
        break;
    case FORMAT_SCOPED_STORE:
        decode_atomic(insn, word);
        decode_scope(insn, word);
        insn->rs2 = rs2;
        break;
    case FORMAT_ID:
        insn->rd = rd;
        insn->variant = rs2;
        break;
    case FORMAT_TRAP:
        insn->rs1 = rs1;
        insn->rs2 = rs2;
        insn->variant = rd;
        break;
    case FORMAT_FAMO:
        insn->rd = (uint8_t)(rd + SL_F_REGISTERS);
        /* fall through */
    case FORMAT_FRED:
        decode_scope(insn, word);
        insn->rs1 = rs1;
        insn->rs2 = (uint8_t)(rs2 + SL_F_REGISTERS);
        break;
    case FORMAT_FI:
        insn->rd = (uint8_t)(rd + SL_F_REGISTERS);
        insn->rs1 = rs1;
        insn->immediate = sign_extend(bits(word, 20, 12), 12);
        break;
    case FORMAT_FS:
        insn->rs1 = rs1;
        insn->rs2 = (uint8_t)(rs2 + SL_F_REGISTERS);
        insn->immediate = sign_extend(bits(word, 25, 7) << 5 | bits(word, 7, 5), 12);
        break;
    case FORMAT_FR:
    case FORMAT_FRM:
    case FORMAT_F4:
    case FORMAT_F1M:
    case FORMAT_XFF:
    case FORMAT_XF:
    case FORMAT_XFM:
    case FORMAT_FX:
    case FORMAT_FXM:
        decode_float(insn, word, format);
        break;
    case FORMAT_CSR:
    case FORMAT_CSRI:
        insn->rd = rd;
        insn->variant = (uint8_t)(bits(word, 20, 12) <= SL_CSR_FCSR ? bits(word, 20, 12) : 0);
        if (format == FORMAT_CSR) {
            insn->rs1 = rs1;
        } else {
            insn->immediate = rs1;
        }
        break;
    }
}

/* Loads and stores of the base instruction set, and those of F and D, say their size in funct3. */
static void decode_access(struct sl_insn *insn, uint32_t word, enum format format)
{
    if (format == FORMAT_FI || format == FORMAT_FS) {
        insn->access_bytes = (uint8_t)(1u << bits(word, 12, 2));
    } else if (format == FORMAT_I || format == FORMAT_S) {
        insn->access_bytes = (uint8_t)(1u << bits(word, 12, 2));
        insn->is_signed = !bits(word, 14, 1);
    }
}

/* Whether a value that the mask leaves open is reserved. */
static bool is_reserved(const struct sl_insn *insn)
{
    return (insn->id == SL_INSN_SL_ID && insn->variant >= SL_ID_KIND_COUNT) ||
           (insn->class == SL_CLASS_CSR && insn->variant == 0) ||
           (insn->rounding >= SL_ROUNDING_COUNT && insn->rounding != SL_ROUNDING_DYNAMIC);
}

static struct sl_insn decode_full(uint32_t word)
{
    for (unsigned id = SL_INSN_ILLEGAL + 1; id < SL_INSN_COUNT; id++) {
        if ((word & table[id].mask) != table[id].match) {
            continue;
        }
        struct sl_insn insn = {.id = (uint16_t)id, .class = (uint8_t)table[id].class, .bytes = 4};
        decode_operands(&insn, word, table[id].format);
        if (insn.class == SL_CLASS_LOAD || insn.class == SL_CLASS_STORE) {
            decode_access(&insn, word, table[id].format);
        }
        if (is_reserved(&insn)) {
            break;
        }
        return insn;
    }
    return (struct sl_insn){.id = SL_INSN_ILLEGAL, .class = SL_CLASS_ILLEGAL, .bytes = 4};
}

struct sl_insn sl_insn_decode(uint32_t word)
{
    if ((word & 3) == 3) {
        return decode_full(word);
    }
    struct sl_insn insn = decode_full(sl_insn_expand((uint16_t)word));
    insn.bytes = 2;
    return insn;
}

const char *sl_insn_mnemonic(enum sl_insn_id id)
{
    return (unsigned)id < SL_INSN_COUNT ? table[id].mnemonic : table[SL_INSN_ILLEGAL].mnemonic;
}
