/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Sequences keep to what both sides define: memory accesses go to the lane's own scratch memory,
 * are aligned, and find their address in x2 or x8, which nothing else writes; x1 and x3 belong to
 * the frame around the sequence; frm stays valid; lr comes with an sc, without stores between. */
#include "fuzz/generate.h"

#include <assert.h>
#include <string.h>

#include "isa/isa.h"

#define SP      2u /* scratch memory begins at it */
#define POINTER 8u /* and this is behind its first quarter */

#define POINTER_OFFSET (8 * EXCHANGE_SCRATCH / 4)

struct entry {
    const char *mnemonic;
    const char *format;
    uint32_t match;
    enum sl_insn_class class;
    enum sl_insn_id id;
};

static const struct entry base[] = {
#define SL_INSN(ID, mnemonic, match, mask, format, class)                                          \
    {mnemonic, #format, match, SL_CLASS_##class, SL_INSN_##ID},
#include "isa/riscv.def"
#undef SL_INSN
};

static const struct {
    const char *mnemonic;
    const char *format;
    uint16_t match;
} compressed[] = {
#define SL_COMPRESSED(mnemonic, match, mask, format, target) {mnemonic, #format, match},
#include "isa/compressed.def"
#undef SL_COMPRESSED
};

#define BASE_COUNT       (sizeof base / sizeof base[0])
#define COMPRESSED_COUNT (sizeof compressed / sizeof compressed[0])

/* Lane executions, per process. */
static uint64_t base_executed[BASE_COUNT];
static uint64_t compressed_executed[COMPRESSED_COUNT];

static bool is_xsluice(const struct entry *entry)
{
    return (entry->match & 0x7f) == 0x0b || (entry->match & 0x7f) == 0x2b;
}

const char *generate_coverage(size_t index, uint64_t *lanes)
{
    for (size_t i = 0; i < BASE_COUNT; i++) {
        if (!is_xsluice(&base[i]) && index-- == 0) {
            *lanes = base_executed[i];
            return base[i].mnemonic;
        }
    }
    if (index < COMPRESSED_COUNT) {
        *lanes = compressed_executed[index];
        return compressed[index].mnemonic;
    }
    return NULL;
}

/* ---- random choices ---- */

uint64_t generate_random(struct generator *g)
{
    /* splitmix64 */
    uint64_t z = g->state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static uint32_t below(struct generator *g, uint32_t limit)
{
    return (uint32_t)(generate_random(g) >> 33) % limit;
}

static bool is_reserved(uint32_t number)
{
    return number == 1 || number == SP || number == 3 || number == POINTER;
}

/* A register to write; x0 among them. */
static uint32_t x_to(struct generator *g)
{
    uint32_t number;
    do {
        number = below(g, 32);
    } while (is_reserved(number));
    return number;
}

/* The same, but not x0, and not x5, by which jumps would be calls. */
static uint32_t x_plain(struct generator *g)
{
    uint32_t number;
    do {
        number = x_to(g);
    } while (number == 0 || number == 5);
    return number;
}

static uint32_t x_from(struct generator *g)
{
    uint32_t number;
    do {
        number = below(g, 32);
    } while (number == 1 || number == 3);
    return number;
}

/* x9 to x15: the registers of compressed instructions without x8. */
static uint32_t x_low(struct generator *g)
{
    return 9 + below(g, 7);
}

/* ---- emission ---- */

static void put16(struct generator *g, uint32_t parcel)
{
    assert(g->parcels < g->capacity);
    g->code[g->parcels++] = (uint16_t)parcel;
}

static void put32(struct generator *g, uint32_t word)
{
    put16(g, word);
    put16(g, word >> 16);
}

static void count_base(struct generator *g, enum sl_insn_id id)
{
    if (g->is_counted) {
        base_executed[id - SL_INSN_ILLEGAL - 1] += g->lanes;
    }
}

static uint32_t match_of(enum sl_insn_id id)
{
    return base[id - SL_INSN_ILLEGAL - 1].match;
}

static void put_r(struct generator *g, enum sl_insn_id id, uint32_t rd, uint32_t rs1, uint32_t rs2)
{
    count_base(g, id);
    put32(g, match_of(id) | rd << 7 | rs1 << 15 | rs2 << 20);
}

static void put_i(struct generator *g, enum sl_insn_id id, uint32_t rd, uint32_t rs1, int32_t value)
{
    count_base(g, id);
    put32(g, match_of(id) | rd << 7 | rs1 << 15 | (uint32_t)value << 20);
}

static void put_s(struct generator *g, enum sl_insn_id id, uint32_t rs2, uint32_t rs1,
                  int32_t value)
{
    uint32_t bits = (uint32_t)value;
    count_base(g, id);
    put32(g, match_of(id) | (bits & 31) << 7 | rs1 << 15 | rs2 << 20 | (bits >> 5 & 127) << 25);
}

static void put_b(struct generator *g, enum sl_insn_id id, uint32_t rs1, uint32_t rs2,
                  int32_t value)
{
    uint32_t bits = (uint32_t)value;
    count_base(g, id);
    put32(g, match_of(id) | (bits >> 11 & 1) << 7 | (bits >> 1 & 15) << 8 | rs1 << 15 | rs2 << 20 |
                 (bits >> 5 & 63) << 25 | (bits >> 12 & 1) << 31);
}

static void put_jal(struct generator *g, uint32_t rd, int32_t value)
{
    uint32_t bits = (uint32_t)value;
    count_base(g, SL_INSN_JAL);
    put32(g, match_of(SL_INSN_JAL) | rd << 7 | (bits >> 12 & 255) << 12 | (bits >> 11 & 1) << 20 |
                 (bits >> 1 & 1023) << 21 | (bits >> 20 & 1) << 31);
}

static void emit(struct generator *g, bool is_simple);

/* An instruction that some lanes do not execute; returns its bytes. */
static int32_t emit_skipped(struct generator *g)
{
    bool was_counted = g->is_counted;
    size_t from = g->parcels;

    g->is_counted = false;
    emit(g, true);
    g->is_counted = was_counted;
    return (int32_t)(2 * (g->parcels - from));
}

/* What stands at `from` so far moves up, to make place for `parcels` in front of it. */
static void make_place(struct generator *g, size_t from, size_t parcels)
{
    assert(g->parcels + parcels <= g->capacity);
    memmove(&g->code[from + parcels], &g->code[from], (g->parcels - from) * sizeof *g->code);
    g->parcels = from;
}

/* Emits an instruction to be skipped, and leaves place for a jump of `parcels` in front of it,
 * where emission goes on. Returns its bytes; resume() goes behind it. */
static int32_t begin_skip(struct generator *g, size_t parcels)
{
    size_t from = g->parcels;
    int32_t bytes = emit_skipped(g);
    make_place(g, from, parcels);
    return bytes;
}

static void resume(struct generator *g, int32_t bytes)
{
    g->parcels += (size_t)bytes / 2;
}

/* Scratch offset for an access of this many bytes, from SP or POINTER. */
static int32_t scratch_offset(struct generator *g, uint32_t base_register, uint32_t bytes)
{
    int32_t offset = (int32_t)(below(g, 8 * EXCHANGE_SCRATCH / bytes) * bytes);
    return base_register == SP ? offset : offset - POINTER_OFFSET;
}

static uint32_t any_base(struct generator *g)
{
    return below(g, 2) ? SP : POINTER;
}

static void emit_memory(struct generator *g, const struct entry *entry)
{
    struct sl_insn insn = sl_insn_decode(entry->match);
    uint32_t base_register = any_base(g);
    int32_t offset = scratch_offset(g, base_register, insn.access_bytes);
    bool is_float = entry->format[0] == 'F';

    if (entry->class == SL_CLASS_LOAD) {
        put_i(g, entry->id, is_float ? below(g, 32) : x_to(g), base_register, offset);
    } else {
        put_s(g, entry->id, is_float ? below(g, 32) : x_from(g), base_register, offset);
    }
}

/* A register that has the address of an aligned word of the scratch memory. */
static uint32_t emit_address(struct generator *g)
{
    uint32_t to = x_plain(g);

    if (below(g, 2)) {
        return any_base(g);
    }
    put_i(g, SL_INSN_ADDI, to, SP, scratch_offset(g, SP, 8));
    return to;
}

static uint32_t order_bits(struct generator *g)
{
    return below(g, 4) << 25;
}

static void emit_amo(struct generator *g, const struct entry *entry)
{
    bool is_double = (entry->match >> 12 & 7) == 3;
    uint32_t address = emit_address(g);

    if (entry->id != SL_INSN_LR_W && entry->id != SL_INSN_LR_D) {
        count_base(g, entry->id);
        put32(g, entry->match | x_to(g) << 7 | address << 15 | x_from(g) << 20 | order_bits(g));
        return;
    }
    /* lr and sc to the same address, rarely to another one. */
    uint32_t to;
    do {
        to = x_to(g);
    } while (to == address);
    count_base(g, entry->id);
    put32(g, entry->match | to << 7 | address << 15 | order_bits(g));
    uint32_t other = below(g, 4) == 0 ? any_base(g) : address;
    put_r(g, is_double ? SL_INSN_SC_D : SL_INSN_SC_W, x_to(g), other, x_from(g));
}

/* Values for frm and fcsr come from an addi right before, so that frm stays one of the five modes.
 */
static void emit_csr(struct generator *g, const struct entry *entry)
{
    uint32_t csr = 1 + below(g, 3);
    uint32_t operand = below(g, 32); /* of the immediate forms; all of it flags in fcsr */
    bool is_set = entry->id == SL_INSN_CSRRS || entry->id == SL_INSN_CSRRSI;

    if (csr == SL_CSR_FRM) {
        operand = below(g, SL_ROUNDING_COUNT);
        if (is_set) {
            put_i(g, SL_INSN_CSRRWI, x_to(g), 0, SL_CSR_FRM);
        }
    }
    if (entry->format[3] == 'I') {
        put_i(g, entry->id, x_to(g), operand, (int32_t)csr);
        return;
    }
    uint32_t from = x_from(g);
    if (csr != SL_CSR_FFLAGS) {
        from = x_plain(g);
        if (csr == SL_CSR_FCSR && !is_set) {
            operand |= below(g, SL_ROUNDING_COUNT) << 5;
        }
        put_i(g, SL_INSN_ADDI, from, 0, (int32_t)operand);
    }
    put_i(g, entry->id, x_to(g), from, (int32_t)csr);
}

static void emit_float(struct generator *g, const struct entry *entry)
{
    static const uint32_t modes[] = {0, 1, 2, 3, 4, 7, 7, 7};
    struct sl_insn insn = sl_insn_decode(entry->match);
    uint32_t word = entry->match;

    word |= (insn.rd >= SL_F_REGISTERS ? below(g, 32) : x_to(g)) << 7;
    word |= (insn.rs1 >= SL_F_REGISTERS ? below(g, 32) : x_from(g)) << 15;
    if (insn.rs2 >= SL_F_REGISTERS) {
        word |= below(g, 32) << 20;
    }
    if (insn.rs3 >= SL_F_REGISTERS) {
        word |= below(g, 32) << 27;
    }
    if (insn.rounds) {
        word |= modes[below(g, 8)] << 12;
    }
    count_base(g, entry->id);
    put32(g, word);
}

/* jalr over one instruction, its target from auipc. */
static void emit_jalr(struct generator *g)
{
    uint32_t to = x_plain(g);
    uint32_t link = below(g, 2) ? 0 : x_plain(g);

    put_r(g, SL_INSN_AUIPC, to, 0, 0);
    int32_t bytes = begin_skip(g, 2);
    put_i(g, SL_INSN_JALR, link, to, 8 + bytes);
    resume(g, bytes);
}

/* A call of a function of one instruction right behind, which the way back jumps over. */
static void emit_call(struct generator *g)
{
    put_jal(g, 1, 8);
    size_t jump = g->parcels;
    g->parcels += 2;
    emit(g, true);
    put_i(g, SL_INSN_JALR, 0, 1, 0);
    size_t end = g->parcels;
    g->parcels = jump;
    put_jal(g, 0, (int32_t)(2 * (end - jump)));
    g->parcels = end;
}

static bool is(const char *format, const char *name)
{
    return strcmp(format, name) == 0;
}

static void emit_base(struct generator *g, const struct entry *entry)
{
    const char *format = entry->format;

    if (entry->class == SL_CLASS_CSR) {
        emit_csr(g, entry);
    } else if (entry->class == SL_CLASS_LOAD || entry->class == SL_CLASS_STORE) {
        emit_memory(g, entry);
    } else if (entry->class == SL_CLASS_AMO) {
        emit_amo(g, entry);
    } else if (format[0] == 'F' || format[0] == 'X') {
        emit_float(g, entry);
    } else if (entry->class == SL_CLASS_FENCE || entry->class == SL_CLASS_PAUSE) {
        count_base(g, entry->id);
        put32(g,
              entry->id == SL_INSN_FENCE ? entry->match | (1 + below(g, 255)) << 20 : entry->match);
    } else if (is(format, "U")) {
        count_base(g, entry->id);
        put32(g, entry->match | x_to(g) << 7 | (uint32_t)generate_random(g) << 12);
    } else if (is(format, "SHIFT")) {
        bool is_word = (entry->match & 0x7f) == 0x1b;
        put_i(g, entry->id, x_to(g), x_from(g), (int32_t)below(g, is_word ? 32 : 64));
    } else if (is(format, "B")) {
        int32_t bytes = begin_skip(g, 2);
        put_b(g, entry->id, x_from(g), x_from(g), 4 + bytes);
        resume(g, bytes);
    } else if (entry->id == SL_INSN_JAL) {
        if (below(g, 2)) {
            emit_call(g);
            return;
        }
        int32_t bytes = begin_skip(g, 2);
        put_jal(g, below(g, 2) ? 0 : x_plain(g), 4 + bytes);
        resume(g, bytes);
    } else if (entry->id == SL_INSN_JALR) {
        emit_jalr(g);
    } else if (is(format, "I")) {
        put_i(g, entry->id, x_to(g), x_from(g), (int32_t)below(g, 4096));
    } else {
        assert(is(format, "R"));
        put_r(g, entry->id, x_to(g), x_from(g), x_from(g));
    }
}

/* ---- compressed ---- */

static uint32_t field(uint32_t value, unsigned from, unsigned count, unsigned to)
{
    return (value >> from & ((1u << count) - 1)) << to;
}

/* Six bits as CI has them. */
static uint32_t bits_ci(uint32_t value)
{
    return field(value, 5, 1, 12) | field(value, 0, 5, 2);
}

static uint32_t not_zero(struct generator *g, uint32_t limit)
{
    return 1 + below(g, limit - 1);
}

static uint32_t x_to_not_zero(struct generator *g)
{
    uint32_t number;
    do {
        number = x_to(g);
    } while (number == 0);
    return number;
}

static uint32_t x_from_not_zero(struct generator *g)
{
    uint32_t number;
    do {
        number = x_from(g);
    } while (number == 0);
    return number;
}

/* Accesses relative to sp, or to x8; the offset fields as in the tables of the formats. */
static uint32_t compressed_access(struct generator *g, size_t i)
{
    const char *format = compressed[i].format;
    const char *name = compressed[i].mnemonic;
    bool is_float = name[2] == 'f';
    bool is_word = strstr(format, "W") != NULL;
    bool is_sp = strstr(name, "sp") != NULL;
    bool is_store = strncmp(format, "CS", 2) == 0;
    uint32_t size = is_word ? 4 : 8;
    uint32_t offset = below(g, (is_sp ? 8 * EXCHANGE_SCRATCH : is_word ? 128 : 192) / size) * size;
    uint32_t reg = is_float   ? below(g, is_sp ? 32 : 8)
                   : !is_sp   ? x_low(g) - 8
                   : is_store ? x_from(g)
                              : x_to_not_zero(g);
    if (!is_sp) {
        uint32_t low =
            is_word ? field(offset, 2, 1, 6) | field(offset, 6, 1, 5) : field(offset, 6, 2, 5);
        return reg << 2 | field(offset, 3, 3, 10) | low;
    }
    if (is_store) {
        return reg << 2 | (is_word ? field(offset, 2, 4, 9) | field(offset, 6, 2, 7)
                                   : field(offset, 3, 3, 10) | field(offset, 6, 3, 7));
    }
    return reg << 7 | field(offset, 5, 1, 12) |
           (is_word ? field(offset, 2, 3, 4) | field(offset, 6, 2, 2)
                    : field(offset, 3, 2, 5) | field(offset, 6, 3, 2));
}

static void put_compressed(struct generator *g, size_t i, uint32_t operands)
{
    if (g->is_counted) {
        compressed_executed[i] += g->lanes;
    }
    put16(g, compressed[i].match | operands);
}

/* c.beqz and c.bnez, c.j, over one instruction. */
static void emit_compressed_skip(struct generator *g, size_t i)
{
    int32_t bytes = begin_skip(g, 1);
    uint32_t offset = (uint32_t)(2 + bytes);

    if (is(compressed[i].format, "CB")) {
        put_compressed(
            g, i, (8 + below(g, 8) - 8) << 7 | field(offset, 1, 2, 3) | field(offset, 3, 2, 10));
    } else {
        put_compressed(g, i, field(offset, 1, 3, 3) | field(offset, 4, 1, 11));
    }
    resume(g, bytes);
}

/* c.jr over one instruction; c.jalr as emit_call(). The address comes from auipc and addi. */
static void emit_compressed_jump(struct generator *g, size_t i)
{
    uint32_t to = x_plain(g);
    bool is_call = is(compressed[i].format, "CR_CALL");

    put_r(g, SL_INSN_AUIPC, to, 0, 0);
    if (!is_call) {
        int32_t bytes = begin_skip(g, 3);
        put_i(g, SL_INSN_ADDI, to, to, 4 + 4 + 2 + bytes);
        put_compressed(g, i, to << 7);
        resume(g, bytes);
        return;
    }
    put_i(g, SL_INSN_ADDI, to, to, 4 + 4 + 2 + 4);
    put_compressed(g, i, to << 7);
    size_t jump = g->parcels;
    g->parcels += 2;
    emit(g, true);
    put16(g, 0x8082); /* c.jr ra */
    size_t end = g->parcels;
    g->parcels = jump;
    put_jal(g, 0, (int32_t)(2 * (end - jump)));
    g->parcels = end;
}

static void emit_compressed(struct generator *g, size_t i)
{
    const char *format = compressed[i].format;

    if (is(format, "CIW")) {
        uint32_t value = 4 * not_zero(g, 256);
        put_compressed(g, i,
                       (x_low(g) - 8) << 2 | field(value, 4, 2, 11) | field(value, 6, 4, 7) |
                           field(value, 2, 1, 6) | field(value, 3, 1, 5));
    } else if (strncmp(format, "CL", 2) == 0 || strncmp(format, "CS", 2) == 0 ||
               is(format, "CI_WSP") || is(format, "CI_DSP")) {
        put_compressed(g, i, compressed_access(g, i));
    } else if (is(format, "CI")) {
        put_compressed(g, i, x_to(g) << 7 | bits_ci(below(g, 64)));
    } else if (is(format, "CI_NONZERO") || is(format, "CI_LI")) {
        put_compressed(g, i, x_to_not_zero(g) << 7 | bits_ci(below(g, 64)));
    } else if (is(format, "CI_16SP")) {
        /* There and back. */
        uint32_t step = not_zero(g, 32);
        for (int back = 0; back < 2; back++) {
            uint32_t value = 16 * (back ? 64 - step : step);
            put_compressed(g, i,
                           field(value, 9, 1, 12) | field(value, 4, 1, 6) | field(value, 6, 1, 5) |
                               field(value, 7, 2, 3) | field(value, 5, 1, 2));
        }
    } else if (is(format, "CI_LUI")) {
        put_compressed(g, i, x_to_not_zero(g) << 7 | bits_ci(not_zero(g, 64)));
    } else if (is(format, "CI_SHIFT")) {
        put_compressed(g, i, x_to_not_zero(g) << 7 | bits_ci(not_zero(g, 64)));
    } else if (is(format, "CB_SHIFT") || is(format, "CB_IMMEDIATE")) {
        put_compressed(g, i, (x_low(g) - 8) << 7 | bits_ci(not_zero(g, 64)));
    } else if (is(format, "CA")) {
        put_compressed(g, i, (x_low(g) - 8) << 7 | below(g, 8) << 2);
    } else if (is(format, "CB") || is(format, "CJ")) {
        emit_compressed_skip(g, i);
    } else if (is(format, "CR_JUMP") || is(format, "CR_CALL")) {
        emit_compressed_jump(g, i);
    } else {
        assert(is(format, "CR_MV") || is(format, "CR_ADD"));
        put_compressed(g, i, x_to_not_zero(g) << 7 | x_from_not_zero(g) << 2);
    }
}

/* ---- sequences ---- */

/* One instruction alone, without memory, control flow or CSRs. */
static bool is_simple_base(const struct entry *entry)
{
    return entry->class == SL_CLASS_ALU || entry->class == SL_CLASS_MUL ||
           entry->class == SL_CLASS_DIV ||
           (entry->class >= SL_CLASS_FP32 && entry->class <= SL_CLASS_FPSQRT);
}

static bool is_simple_compressed(size_t i)
{
    return strcmp(compressed[i].format, "CA") == 0 || strcmp(compressed[i].format, "CR_ADD") == 0 ||
           strcmp(compressed[i].format, "CI_LI") == 0;
}

static void emit(struct generator *g, bool is_simple)
{
    for (;;) {
        uint32_t i = below(g, BASE_COUNT + COMPRESSED_COUNT);
        if (i >= BASE_COUNT) {
            i -= BASE_COUNT;
            if (!is_simple || is_simple_compressed(i)) {
                emit_compressed(g, i);
                return;
            }
        } else if (!is_xsluice(&base[i]) && (!is_simple || is_simple_base(&base[i]))) {
            emit_base(g, &base[i]);
            return;
        }
    }
}

void generate_sequence(struct generator *g, unsigned length, uint64_t lanes)
{
    g->lanes = lanes;
    g->is_counted = true;
    for (unsigned i = 0; i < length; i++) {
        emit(g, false);
    }
    put_i(g, SL_INSN_LD, 1, 3, 0);
    put_i(g, SL_INSN_JALR, 0, 1, 0);
    if (g->parcels % 2 != 0) {
        put16(g, 1); /* c.nop */
    }
}

/* ---- operands ---- */

static uint64_t random_integer(struct generator *g)
{
    static const uint64_t edges[] = {
        0,
        1,
        UINT64_MAX,
        2,
        INT64_MAX,
        (uint64_t)INT64_MIN,
        INT32_MAX,
        (uint64_t)(int64_t)INT32_MIN,
        UINT32_MAX,
        0x80000000u,
        0x100000000u,
        0xfffffffffffffbff, /* rounds to 2^64 in double */
        0x7ffffffffffffe00,
        0x0020000000000001, /* 2^53 + 1 */
        0x01000001,         /* 2^24 + 1 */
        63,
        32,
    };
    uint64_t value = generate_random(g);
    switch (below(g, 4)) {
    case 0:
        return edges[below(g, sizeof edges / sizeof edges[0])];
    case 1:
        return value >> below(g, 64);
    case 2:
        return (uint64_t)((int64_t)value >> below(g, 64));
    default:
        return value;
    }
}

/* Fields of `fraction` bits below `exponent` bits; near 1, near integers' limits, at all the edges.
 */
static uint64_t random_float(struct generator *g, unsigned fraction, unsigned exponent)
{
    uint64_t fraction_mask = (1ull << fraction) - 1;
    uint64_t exponent_mask = (1ull << exponent) - 1;
    uint64_t bias = exponent_mask >> 1;
    uint64_t f = generate_random(g) & fraction_mask;
    uint64_t e = generate_random(g) & exponent_mask;

    switch (below(g, 8)) {
    case 0: /* the ends of the range, and the middle */
        switch (below(g, 4)) {
        case 0:
            e = 0;
            break;
        case 1:
            e = exponent_mask;
            break;
        case 2:
            e = exponent_mask - 1;
            break;
        default:
            e = 1;
            break;
        }
        break;
    case 1:
    case 2: /* near 1 and the integers */
        e = bias - 2 + below(g, 68);
        break;
    case 3:
        e = bias - below(g, 4);
        break;
    default:
        break;
    }
    switch (below(g, 6)) {
    case 0:
        f = 0;
        break;
    case 1:
        f = fraction_mask - below(g, 2);
        break;
    case 2:
        f = 1ull << below(g, fraction);
        break;
    case 3:
        f &= ~(fraction_mask >> below(g, fraction)); /* few bits: exact results */
        break;
    default:
        break;
    }
    return (generate_random(g) & 1) << (fraction + exponent) | (e & exponent_mask) << fraction | f;
}

static uint64_t random_register(struct generator *g)
{
    uint64_t box = below(g, 16) == 0 ? generate_random(g) << 32 : 0xffffffff00000000u;

    return below(g, 2) ? random_float(g, 52, 11) : box | random_float(g, 23, 8);
}

void generate_lane(struct generator *g, struct exchange_lane *lane, uint64_t scratch_address,
                   bool is_nearest)
{
    for (unsigned i = 0; i < 32; i++) {
        lane->x[i] = i == 0 ? 0 : random_integer(g);
        lane->f[i] = random_register(g);
    }
    lane->x[SP] = scratch_address;
    lane->x[POINTER] = scratch_address + POINTER_OFFSET;
    lane->fcsr = below(g, 3) == 0 ? below(g, 32) : 0;
    if (!is_nearest) {
        lane->fcsr |= below(g, SL_ROUNDING_COUNT) << 5;
    }
    lane->scratch_address = scratch_address;
    for (unsigned i = 0; i < EXCHANGE_SCRATCH; i++) {
        lane->scratch[i] = below(g, 2) ? random_integer(g) : random_register(g);
    }
}
