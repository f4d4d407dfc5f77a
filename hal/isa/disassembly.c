/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Text of instructions: a pattern of operands for each format of the tables, in which a letter
 * stands for an operand and anything else for itself:
 *
 *     d s t r   rd, rs1, rs2, rs3            v   what else the word says (sl_insn.variant)
 *     j x       immediate, decimal or hex    p q what a fence orders before and behind it
 *     u         upper immediate              m   rounding mode, unless it is that of frm
 *     a         address that it jumps to
 *
 * Instructions on CSRs and those of the firmware alone have none (put_system()). */
#include "isa/disassembly.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "isa/compressed.h"
#include "isa/immediate.h"
#include "isa/isa.h"

/* ---- names ---- */

const char *sl_register_name(unsigned number)
{
    static const char names[2 * SL_F_REGISTERS][5] = {
        "zero", "ra",  "sp",  "gp",   "tp",   "t0",  "t1",  "t2",   "s0",  "s1",  "a0",
        "a1",   "a2",  "a3",  "a4",   "a5",   "a6",  "a7",  "s2",   "s3",  "s4",  "s5",
        "s6",   "s7",  "s8",  "s9",   "s10",  "s11", "t3",  "t4",   "t5",  "t6",  "ft0",
        "ft1",  "ft2", "ft3", "ft4",  "ft5",  "ft6", "ft7", "fs0",  "fs1", "fa0", "fa1",
        "fa2",  "fa3", "fa4", "fa5",  "fa6",  "fa7", "fs2", "fs3",  "fs4", "fs5", "fs6",
        "fs7",  "fs8", "fs9", "fs10", "fs11", "ft8", "ft9", "ft10", "ft11"};

    return number < 2 * SL_F_REGISTERS ? names[number] : "?";
}

static const char *const scopes[] = {"wavefront", "workgroup", "device", "system"};
static const char *const cross_ops[] = {"add", "min", "max", "minu", "maxu", "and", "or", "xor"};

static const struct {
    uint16_t number;
    uint16_t count; /* 0: the name has no number */
    uint16_t first;
    const char *name;
} csrs[] = {
#define SL_CSR(number, name)                {number, 0, 0, name},
#define SL_CSRS(number, count, name, first) {number, count, first, name},
#include "isa/csrs.def"
#undef SL_CSRS
#undef SL_CSR
};

/* ---- what is written ---- */

struct text {
    char *out;
    size_t bytes;
    size_t length; /* of all, whether there is room or not */
};

__attribute__((format(printf, 2, 3))) static void put(struct text *text, const char *format, ...)
{
    const bool has_room = text->length < text->bytes;
    va_list arguments;

    va_start(arguments, format);
    const int length = vsnprintf(has_room ? text->out + text->length : NULL,
                                 has_room ? text->bytes - text->length : 0, format, arguments);
    va_end(arguments);
    text->length += length > 0 ? (size_t)length : 0;
}

static void put_csr(struct text *text, uint32_t number)
{
    for (size_t i = 0; i < sizeof csrs / sizeof csrs[0]; i++) {
        const uint32_t offset = number - csrs[i].number;
        if (offset == 0 && csrs[i].count == 0) {
            put(text, "%s", csrs[i].name);
            return;
        }
        if (offset < csrs[i].count) {
            put(text, "%s%u", csrs[i].name, csrs[i].first + offset);
            return;
        }
    }
    put(text, "0x%x", number);
}

/* Bits 3 to 0: i, o, r, w. */
static void put_fence_set(struct text *text, uint32_t set)
{
    if (set == 0) {
        put(text, "unknown");
        return;
    }
    put(text, "%s%s%s%s", set & 8 ? "i" : "", set & 4 ? "o" : "", set & 2 ? "r" : "",
        set & 1 ? "w" : "");
}

static void put_rounding(struct text *text, const struct sl_insn *insn)
{
    static const char *const modes[SL_ROUNDING_COUNT] = {"rne", "rtz", "rdn", "rup", "rmm"};
    /* Exact whatever they say, and assemblers leave it zero. */
    const bool is_exact = insn->id == SL_INSN_FCVT_D_W || insn->id == SL_INSN_FCVT_D_WU ||
                          insn->id == SL_INSN_FCVT_D_S;

    if (!is_exact && insn->rounding < SL_ROUNDING_COUNT) {
        put(text, ",%s", modes[insn->rounding]);
    }
}

/* ---- operands ---- */

struct source {
    uint32_t word;
    uint64_t pc;
    struct sl_insn insn;
};

static void put_operand(struct text *text, const struct source *source, char letter)
{
    const struct sl_insn *insn = &source->insn;

    switch (letter) {
    case 'd':
        put(text, "%s", sl_register_name(insn->rd));
        break;
    case 's':
        put(text, "%s", sl_register_name(insn->rs1));
        break;
    case 't':
        put(text, "%s", sl_register_name(insn->rs2));
        break;
    case 'r':
        put(text, "%s", sl_register_name(insn->rs3));
        break;
    case 'j':
        put(text, "%d", insn->immediate);
        break;
    case 'x':
        put(text, "0x%x", (unsigned)insn->immediate);
        break;
    case 'u':
        put(text, "0x%x", (unsigned)insn->immediate >> 12);
        break;
    case 'a':
        put(text, "%llx", (unsigned long long)(source->pc + (uint64_t)(int64_t)insn->immediate));
        break;
    case 'v':
        put(text, "%u", insn->variant);
        break;
    case 'p':
        put_fence_set(text, sl_bits(source->word, 24, 4));
        break;
    case 'q':
        put_fence_set(text, sl_bits(source->word, 20, 4));
        break;
    case 'm':
        put_rounding(text, insn);
        break;
    default:
        put(text, "%c", letter);
        break;
    }
}

static void put_operands(struct text *text, const struct source *source, const char *pattern)
{
    if (pattern[0] != '\0') {
        put(text, " ");
    }
    for (; *pattern != '\0'; pattern++) {
        put_operand(text, source, *pattern);
    }
}

/* ---- whole words ---- */

/* By the formats of riscv.def. */
#define PATTERN_U            "d,u"
#define PATTERN_J            "d,a"
#define PATTERN_I            "d,s,j"
#define PATTERN_B            "s,t,a"
#define PATTERN_S            "t,j(s)"
#define PATTERN_SHIFT        "d,s,x"
#define PATTERN_R            "d,s,t"
#define PATTERN_R1           "d,s"
#define PATTERN_R0           "d"
#define PATTERN_P1           "s"
#define PATTERN_P2           "s,t"
#define PATTERN_LOCK         "s"
#define PATTERN_TRYLOCK      "d,s,t"
#define PATTERN_UNLOCK       "s"
#define PATTERN_NONE         ""
#define PATTERN_FENCE        "p,q"
#define PATTERN_SCOPED_FENCE ""
#define PATTERN_ID           "d,v"
#define PATTERN_TRAP         "v,s,t"
#define PATTERN_CSR          "" /* put_system() */
#define PATTERN_CSRI         ""
#define PATTERN_AMO          "d,t,(s)"
#define PATTERN_SCOPED       "d,t,(s)"
#define PATTERN_SCOPED_STORE "t,(s)"
#define PATTERN_FAMO         "d,t,(s)"
#define PATTERN_FRED         "t,(s)"
#define PATTERN_FI           "d,j(s)"
#define PATTERN_FS           "t,j(s)"
#define PATTERN_FR           "d,s,t"
#define PATTERN_FRM          "d,s,tm"
#define PATTERN_F4           "d,s,t,rm"
#define PATTERN_F1M          "d,sm"
#define PATTERN_XFF          "d,s,t"
#define PATTERN_XF           "d,s"
#define PATTERN_XFM          "d,sm"
#define PATTERN_FX           "d,s"
#define PATTERN_FXM          "d,sm"

static const char *const patterns[SL_INSN_COUNT] = {
#define SL_INSN(ID, mnemonic, match, mask, format, class) [SL_INSN_##ID] = PATTERN_##format,
#include "isa/riscv.def"
#undef SL_INSN
};

/* Formats alone do not say all. */
static const char *pattern_of(const struct sl_insn *insn)
{
    switch (insn->id) {
    case SL_INSN_LR_W:
    case SL_INSN_LR_D:
    case SL_INSN_SL_LR:
    case SL_INSN_SL_LOAD:
        return "d,(s)";
    case SL_INSN_JALR:
        return "d,j(s)";
    case SL_INSN_FENCE_I:
        return "";
    default:
        return insn->class == SL_CLASS_LOAD ? "d,j(s)" : patterns[insn->id];
    }
}

/* What Xsluice's mnemonics go on with: an operation, or size and scope. */
static void put_variety(struct text *text, const struct sl_insn *insn)
{
    const bool is_lock = insn->class == SL_CLASS_LOCK;
    const bool has_scope = insn->id >= SL_INSN_SL_FAMOADD;

    if (insn->id == SL_INSN_SL_SCAN || insn->id == SL_INSN_SL_REDUCE) {
        put(text, ".%s", cross_ops[insn->variant]);
    } else if (insn->id == SL_INSN_SL_FENCE) {
        put(text, ".%s", scopes[insn->scope]);
    } else if (has_scope) {
        put(text, ".%s.%s", insn->access_bytes == 8 ? "d" : "w", scopes[insn->scope]);
    }
    if ((insn->atomic && !is_lock) || insn->id == SL_INSN_SL_FENCE) {
        put(text, "%s%s%s", insn->acquire || insn->release ? "." : "", insn->acquire ? "aq" : "",
            insn->release ? "rl" : "");
    }
}

/* What the firmware may execute and compute units may not, and what both may do to CSRs, of which
 * the tables know three. Returns whether it is that. */
static bool put_system(struct text *text, const struct source *source)
{
    static const struct {
        uint32_t word;
        const char *name;
    } words[] = {
        {0x00000073, "ecall"}, {0x00100073, "ebreak"},    {0x30200073, "mret"},
        {0x10200073, "sret"},  {0x8330000f, "fence.tso"}, {0x10500073, "wfi"},
    };
    static const char *const csr_names[8] = {NULL, "csrrw",  "csrrs",  "csrrc",
                                             NULL, "csrrwi", "csrrsi", "csrrci"};
    const uint32_t function = sl_bits(source->word, 12, 3);

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (source->word == words[i].word) {
            put(text, "%s", words[i].name);
            return true;
        }
    }
    if (sl_bits(source->word, 0, 7) != 0x73 || csr_names[function] == NULL) {
        return false;
    }
    put(text, "%s %s,", csr_names[function], sl_register_name(sl_bits(source->word, 7, 5)));
    put_csr(text, sl_bits(source->word, 20, 12));
    if (function < 4) {
        put(text, ",%s", sl_register_name(sl_bits(source->word, 15, 5)));
    } else {
        put(text, ",%u", sl_bits(source->word, 15, 5));
    }
    return true;
}

static void put_word(struct text *text, const struct source *source)
{
    if (put_system(text, source)) {
        return;
    }
    if (source->insn.id == SL_INSN_ILLEGAL) {
        put(text, ".4byte 0x%x", source->word);
        return;
    }
    put(text, "%s", sl_insn_mnemonic((enum sl_insn_id)source->insn.id));
    put_variety(text, &source->insn);
    put_operands(text, source, pattern_of(&source->insn));
}

/* ---- compressed ones ---- */

/* By the formats of compressed.def, in the operands of what they stand for. */
#define PATTERN_CIW          "d,s,j"
#define PATTERN_CL_W         "d,j(s)"
#define PATTERN_CL_D         "d,j(s)"
#define PATTERN_CS_W         "t,j(s)"
#define PATTERN_CS_D         "t,j(s)"
#define PATTERN_CI           "d,j"
#define PATTERN_CI_NONZERO   "d,j"
#define PATTERN_CI_LI        "d,j"
#define PATTERN_CI_16SP      "d,j"
#define PATTERN_CI_LUI       "d,u"
#define PATTERN_CI_SHIFT     "d,x"
#define PATTERN_CI_WSP       "d,j(s)"
#define PATTERN_CI_DSP       "d,j(s)"
#define PATTERN_CSS_W        "t,j(s)"
#define PATTERN_CSS_D        "t,j(s)"
#define PATTERN_CB_SHIFT     "d,x"
#define PATTERN_CB_IMMEDIATE "d,j"
#define PATTERN_CA           "d,t"
#define PATTERN_CB           "s,a"
#define PATTERN_CJ           "a"
#define PATTERN_CR_JUMP      "s"
#define PATTERN_CR_CALL      "s"
#define PATTERN_CR_MV        "d,t"
#define PATTERN_CR_ADD       "d,t"

static const struct {
    const char *mnemonic;
    const char *pattern;
} compressed[] = {
#define SL_COMPRESSED(mnemonic, match, mask, format, TARGET) {mnemonic, PATTERN_##format},
#include "isa/compressed.def"
#undef SL_COMPRESSED
};

/* Returns whether a parcel is one of those that have a name of their own. */
static bool put_named(struct text *text, uint32_t parcel)
{
    static const struct {
        uint16_t parcel;
        const char *name;
    } named[] = {{0x0000, "c.unimp"}, {0x9002, "c.ebreak"}};

    for (size_t i = 0; i < sizeof named / sizeof named[0]; i++) {
        if (parcel == named[i].parcel) {
            put(text, "%s", named[i].name);
            return true;
        }
    }
    return false;
}

static void put_parcel(struct text *text, const struct source *source)
{
    const uint16_t parcel = (uint16_t)source->word;

    if (put_named(text, parcel)) {
        return;
    }
    if (source->insn.id == SL_INSN_ILLEGAL) {
        put(text, ".2byte 0x%x", parcel);
        return;
    }
    const unsigned entry = sl_insn_compressed(parcel);
    const char *const pattern = compressed[entry].pattern;
    put(text, "%s", compressed[entry].mnemonic);
    if (strcmp(pattern, "d,x") == 0 && source->insn.immediate == 0) {
        put(text, "64"); /* on RV128 a shift by 64, here a hint */
        put_operands(text, source, "d");
        return;
    }
    put_operands(text, source, pattern);
}

size_t sl_disassemble(uint32_t word, uint64_t pc, char *out, size_t bytes)
{
    const struct source source = {word, pc, sl_insn_decode(word)};
    struct text text = {out, bytes, 0};

    if ((word & 3) == 3) {
        put_word(&text, &source);
    } else {
        put_parcel(&text, &source);
    }
    return text.length;
}
