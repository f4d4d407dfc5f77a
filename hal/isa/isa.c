/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Decoder: a linear search of the table, then the fields of the format. Code is decoded once, when
 * it is loaded, so that speed does not matter here. */
#include "isa/isa.h"

#include "isa/compressed.h"
#include "isa/immediate.h"

/* The register that a field has. */
enum operand { NO, X, F };

/* Where the variant comes from (struct sl_insn). */
enum variant { NO_VARIANT, FUNCT3, RS2_FIELD, RD_FIELD, CSR };

/* What else the word says. */
enum extra {
    ROUNDS = 1,      /* a rounding mode */
    ORDERED = 2,     /* acquire and release */
    SIZED = 4,       /* of an atomic of the A extension, at device scope */
    SCOPED = 8,      /* of a scoped atomic: size and scope */
    LOAD_STORE = 16, /* of a load or a store: size */
    SIGNED = 32,     /* likewise, and whether what is loaded is sign-extended */
    FULL = 64,       /* of a fence: acquires and releases, at device scope */
    SYNC = 128,      /* of a fence: scope, and in the field of rs2 whether it acquires, releases */
    LOCKS = 256,     /* of a lock's word, at device scope; acquires */
    UNLOCKS = 512,   /* likewise; releases */
};

/* The formats of riscv.def: where operands are. In the names of those of floating point F stands
 * for an f register, X for an x register, in the order rd, rs1, rs2; M for a rounding mode. */
struct format {
    enum operand rd;
    enum operand rs1;
    enum operand rs2;
    enum operand rs3;
    enum sl_immediate_kind immediate;
    enum variant variant;
    unsigned extra; /* enum extra */
};

#define FORMAT(name, rd, rs1, rs2, rs3, immediate, variant, extra)                                 \
    static const struct format format_##name = {rd,      rs1,  rs2, rs3, SL_IMMEDIATE_##immediate, \
                                                variant, extra};
FORMAT(U, X, NO, NO, NO, U, NO_VARIANT, 0)
FORMAT(J, X, NO, NO, NO, J, NO_VARIANT, 0)
FORMAT(I, X, X, NO, NO, I, NO_VARIANT, LOAD_STORE | SIGNED)
FORMAT(B, NO, X, X, NO, B, NO_VARIANT, 0)
FORMAT(S, NO, X, X, NO, S, NO_VARIANT, LOAD_STORE | SIGNED)
FORMAT(SHIFT, X, X, NO, NO, SHIFT, NO_VARIANT, 0)
FORMAT(R, X, X, X, NO, NONE, NO_VARIANT, 0)
FORMAT(R1, X, X, NO, NO, NONE, FUNCT3, 0)
FORMAT(R0, X, NO, NO, NO, NONE, NO_VARIANT, 0)
FORMAT(P1, NO, X, NO, NO, NONE, NO_VARIANT, 0)
FORMAT(P2, NO, X, X, NO, NONE, NO_VARIANT, 0)
FORMAT(LOCK, NO, X, NO, NO, NONE, NO_VARIANT, LOCKS)
FORMAT(TRYLOCK, X, X, X, NO, NONE, NO_VARIANT, LOCKS)
FORMAT(UNLOCK, NO, X, NO, NO, NONE, NO_VARIANT, UNLOCKS)
FORMAT(NONE, NO, NO, NO, NO, NONE, NO_VARIANT, 0)
FORMAT(FENCE, NO, NO, NO, NO, NONE, NO_VARIANT, FULL)
FORMAT(SCOPED_FENCE, NO, NO, NO, NO, NONE, NO_VARIANT, SYNC)
FORMAT(ID, X, NO, NO, NO, NONE, RS2_FIELD, 0)
FORMAT(TRAP, NO, X, X, NO, NONE, RD_FIELD, 0)
FORMAT(CSR, X, X, NO, NO, NONE, CSR, 0)
FORMAT(CSRI, X, NO, NO, NO, CSR, CSR, 0)
FORMAT(AMO, X, X, X, NO, NONE, NO_VARIANT, ORDERED | SIZED)
FORMAT(SCOPED, X, X, X, NO, NONE, NO_VARIANT, ORDERED | SCOPED)
FORMAT(SCOPED_STORE, NO, X, X, NO, NONE, NO_VARIANT, ORDERED | SCOPED)
FORMAT(FAMO, F, X, F, NO, NONE, NO_VARIANT, SCOPED)
FORMAT(FRED, NO, X, F, NO, NONE, NO_VARIANT, SCOPED)
FORMAT(FI, F, X, NO, NO, I, NO_VARIANT, LOAD_STORE)
FORMAT(FS, NO, X, F, NO, S, NO_VARIANT, LOAD_STORE)
FORMAT(FR, F, F, F, NO, NONE, NO_VARIANT, 0)
FORMAT(FRM, F, F, F, NO, NONE, NO_VARIANT, ROUNDS)
FORMAT(F4, F, F, F, F, NONE, NO_VARIANT, ROUNDS)
FORMAT(F1M, F, F, NO, NO, NONE, NO_VARIANT, ROUNDS)
FORMAT(XFF, X, F, F, NO, NONE, NO_VARIANT, 0)
FORMAT(XF, X, F, NO, NO, NONE, NO_VARIANT, 0)
FORMAT(XFM, X, F, NO, NO, NONE, NO_VARIANT, ROUNDS)
FORMAT(FX, F, X, NO, NO, NONE, NO_VARIANT, 0)
FORMAT(FXM, F, X, NO, NO, NONE, NO_VARIANT, ROUNDS)

static const struct {
    const char *mnemonic;
    uint32_t match;
    uint32_t mask;
    const struct format *format;
    enum sl_insn_class class;
} table[SL_INSN_COUNT] = {
    [SL_INSN_ILLEGAL] = {"illegal", 0, 0, &format_NONE, SL_CLASS_ILLEGAL},
#define SL_INSN(ID, mnemonic, match, mask, format, class)                                          \
    [SL_INSN_##ID] = {mnemonic, match, mask, &format_##format, SL_CLASS_##class},
#include "isa/riscv.def"
#undef SL_INSN
};

static uint8_t operand(uint32_t word, unsigned low, enum operand kind)
{
    return kind == NO ? 0 : (uint8_t)(sl_bits(word, low, 5) + (kind == F ? SL_F_REGISTERS : 0));
}

static uint8_t variant(uint32_t word, enum variant from)
{
    switch (from) {
    case FUNCT3:
        return (uint8_t)sl_bits(word, 12, 3);
    case RS2_FIELD:
        return (uint8_t)sl_bits(word, 20, 5);
    case RD_FIELD:
        return (uint8_t)sl_bits(word, 7, 5);
    case CSR:
        return (uint8_t)(sl_bits(word, 20, 12) <= SL_CSR_FCSR ? sl_bits(word, 20, 12) : 0);
    default:
        return 0;
    }
}

static void decode_extra(struct sl_insn *insn, uint32_t word, unsigned extra)
{
    const bool is_access = insn->class == SL_CLASS_LOAD || insn->class == SL_CLASS_STORE;

    insn->atomic = (extra & (SIZED | SCOPED | LOCKS | UNLOCKS)) != 0;
    if (extra & ROUNDS) {
        insn->rounds = true;
        insn->rounding = (uint8_t)sl_bits(word, 12, 3);
    }
    if (extra & ORDERED) {
        insn->acquire = sl_bits(word, 26, 1);
        insn->release = sl_bits(word, 25, 1);
        insn->is_signed = true;
    }
    if (extra & SIZED) {
        insn->access_bytes = (uint8_t)(1u << sl_bits(word, 12, 3));
        insn->scope = SL_SCOPE_DEVICE;
    }
    if (extra & SCOPED) {
        insn->access_bytes = sl_bits(word, 14, 1) ? 8 : 4;
        insn->scope = (uint8_t)sl_bits(word, 12, 2);
    }
    if (extra & (LOCKS | UNLOCKS)) {
        insn->access_bytes = 4;
        insn->acquire = (extra & LOCKS) != 0;
        insn->release = (extra & UNLOCKS) != 0;
        insn->scope = SL_SCOPE_DEVICE;
    }
    if (extra & FULL) {
        insn->acquire = true;
        insn->release = true;
        insn->scope = SL_SCOPE_DEVICE;
    }
    if (extra & SYNC) {
        insn->acquire = sl_bits(word, 20, 1);
        insn->release = sl_bits(word, 21, 1);
        insn->scope = (uint8_t)sl_bits(word, 12, 2);
    }
    if ((extra & LOAD_STORE) && is_access) {
        insn->access_bytes = (uint8_t)(1u << sl_bits(word, 12, 2));
        insn->is_signed = (extra & SIGNED) && !sl_bits(word, 14, 1);
    }
}

static void decode_operands(struct sl_insn *insn, uint32_t word, const struct format *format)
{
    insn->rd = operand(word, 7, format->rd);
    insn->rs1 = operand(word, 15, format->rs1);
    insn->rs2 = operand(word, 20, format->rs2);
    insn->rs3 = operand(word, 27, format->rs3);
    insn->immediate = sl_immediate_gather(&sl_immediates[format->immediate], word);
    insn->variant = variant(word, format->variant);
    decode_extra(insn, word, format->extra);
}

/* Whether a value that the mask leaves open is reserved. */
static bool is_reserved(const struct sl_insn *insn)
{
    return (insn->id == SL_INSN_SL_ID && insn->variant >= SL_ID_KIND_COUNT) ||
           (insn->id == SL_INSN_SL_FENCE && !insn->acquire && !insn->release) ||
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
