/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The decoder. Every instruction of hal/isa/riscv.def is assembled by the GNU assembler, which
 * knows the encodings independently, with many operands each, and decoded again; Xsluice by the
 * field positions that docs/look-up/isa.md gives. Words worked out by hand cover what must be
 * refused. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/check.h"
#include "isa/isa.h"

#define VARIANTS 40 /* of operands, for each instruction */
#define WORDS    (SL_INSN_COUNT * VARIANTS)
#define F        SL_F_REGISTERS

static const struct {
    enum sl_insn_id id;
    const char *mnemonic;
    const char *format;
    enum sl_insn_class class;
    uint32_t match;
} table[] = {
#define SL_INSN(ID, mnemonic, match, mask, format, class)                                          \
    {SL_INSN_##ID, mnemonic, #format, SL_CLASS_##class, match},
#include "isa/riscv.def"
#undef SL_INSN
};

#define ENTRIES (sizeof table / sizeof table[0])

static uint64_t random_state = 1;

static uint32_t random_below(uint32_t limit)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_state >> 33) % limit;
}

static int32_t random_between(int32_t low, int32_t high)
{
    return low + (int32_t)random_below((uint32_t)(high - low + 1));
}

static bool is(size_t entry, const char *format)
{
    return strcmp(table[entry].format, format) == 0;
}

/* Base instructions with U, J, I, B, S, shift or R operands. */
static void write_base(FILE *out, size_t entry, struct sl_insn *e)
{
    const char *name = table[entry].mnemonic;
    if (is(entry, "U")) {
        uint32_t upper = random_below(1u << 20);
        e->rs1 = e->rs2 = 0;
        e->immediate = (int32_t)(upper << 12);
        (void)fprintf(out, "%s x%u, %u\n", name, e->rd, upper);
    } else if (is(entry, "J")) {
        e->rs1 = e->rs2 = 0;
        e->immediate = 4 * random_between(-262144, 262143);
        (void)fprintf(out, "%s x%u, .%+d\n", name, e->rd, e->immediate);
    } else if (is(entry, "B")) {
        e->rd = 0;
        e->immediate = 4 * random_between(-1024, 1023);
        (void)fprintf(out, "%s x%u, x%u, .%+d\n", name, e->rs1, e->rs2, e->immediate);
    } else if (is(entry, "SHIFT")) {
        e->rs2 = 0;
        e->immediate = random_between(0, name[strlen(name) - 1] == 'w' ? 31 : 63);
        (void)fprintf(out, "%s x%u, x%u, %d\n", name, e->rd, e->rs1, e->immediate);
    } else if (is(entry, "S")) {
        e->rd = 0;
        e->immediate = random_between(-2048, 2047);
        (void)fprintf(out, "%s x%u, %d(x%u)\n", name, e->rs2, e->immediate, e->rs1);
    } else if (is(entry, "I")) {
        e->rs2 = 0;
        e->immediate = random_between(-2048, 2047);
        if (e->class == SL_CLASS_ALU) {
            (void)fprintf(out, "%s x%u, x%u, %d\n", name, e->rd, e->rs1, e->immediate);
        } else {
            (void)fprintf(out, "%s x%u, %d(x%u)\n", name, e->rd, e->immediate, e->rs1);
        }
    } else {
        (void)fprintf(out, "%s x%u, x%u, x%u\n", name, e->rd, e->rs1, e->rs2);
    }
}

/* The A extension. */
static void write_amo(FILE *out, size_t entry, struct sl_insn *e)
{
    static const char *const orders[] = {"", ".rl", ".aq", ".aqrl"};
    uint32_t order = random_below(4);
    e->atomic = true;
    e->acquire = order & 2;
    e->release = order & 1;
    e->scope = SL_SCOPE_DEVICE;
    if (strncmp(table[entry].mnemonic, "lr.", 3) == 0) {
        e->rs2 = 0;
        (void)fprintf(out, "%s%s x%u, (x%u)\n", table[entry].mnemonic, orders[order], e->rd,
                      e->rs1);
    } else {
        (void)fprintf(out, "%s%s x%u, x%u, (x%u)\n", table[entry].mnemonic, orders[order], e->rd,
                      e->rs2, e->rs1);
    }
}

/* custom-0: funct7 is the operation. */
static void write_cross(FILE *out, size_t entry, struct sl_insn *e)
{
    uint32_t funct7 = table[entry].match >> 25;
    uint32_t funct3 = 0;
    uint32_t rd = e->rd;
    uint32_t rs2 = e->rs2;
    if (is(entry, "ID")) {
        rs2 = random_below(SL_ID_KIND_COUNT);
        e->variant = (uint8_t)rs2;
        e->rs1 = e->rs2 = 0;
    } else if (is(entry, "TRAP")) {
        e->variant = e->rd;
        e->rd = 0;
    } else if (is(entry, "P1")) {
        rd = 0;
        rs2 = e->id == SL_INSN_SL_PAUSE_TURN; /* a part of the operation */
        e->rd = e->rs2 = 0;
    } else if (is(entry, "P2")) {
        rd = 0;
        e->rd = 0;
    } else if (is(entry, "R1") || is(entry, "R0")) {
        rs2 = 0;
        e->rs2 = 0;
        if (e->id == SL_INSN_SL_SCAN || e->id == SL_INSN_SL_REDUCE) {
            funct3 = random_below(8);
            e->variant = (uint8_t)funct3;
        }
        if (is(entry, "R0")) {
            e->rs1 = 0;
        }
    }
    (void)fprintf(out, ".insn r 0x0b, %u, %u, x%u, x%u, x%u\n", funct3, funct7, rd, e->rs1, rs2);
}

/* custom-0: an atomic on a word at device scope, funct3 says whether it only tries. */
static void write_lock(FILE *out, size_t entry, struct sl_insn *e)
{
    if (!is(entry, "TRYLOCK")) {
        e->rd = e->rs2 = 0;
    }
    e->atomic = true;
    e->access_bytes = 4;
    e->scope = SL_SCOPE_DEVICE;
    e->acquire = !is(entry, "UNLOCK");
    e->release = is(entry, "UNLOCK");
    (void)fprintf(out, ".insn r 0x0b, %u, %u, x%u, x%u, x%u\n", table[entry].match >> 12 & 7,
                  table[entry].match >> 25, e->rd, e->rs1, e->rs2);
}

/* custom-0: funct3 is {64 bits, scope}; operands are f registers, the address is none. */
static void write_float_atomic(FILE *out, size_t entry, struct sl_insn *e)
{
    uint32_t funct3 = random_below(8);
    uint32_t rd = is(entry, "FAMO") ? e->rd : 0;
    (void)fprintf(out, ".insn r 0x0b, %u, %u, f%u, x%u, f%u\n", funct3, table[entry].match >> 25,
                  rd, e->rs1, e->rs2);
    e->atomic = true;
    e->scope = funct3 & 3;
    e->access_bytes = funct3 & 4 ? 8 : 4;
    e->rs2 = (uint8_t)(e->rs2 + F);
    e->rd = is(entry, "FAMO") ? (uint8_t)(rd + F) : 0;
}

/* Both orders at device scope, and those that the field of rs2 says at the scope in funct3. */
static void write_fence(FILE *out, struct sl_insn *e)
{
    uint32_t orders = 1 + random_below(3);
    e->rd = e->rs1 = e->rs2 = 0;
    e->scope = SL_SCOPE_DEVICE;
    e->acquire = e->release = true;
    if (e->id == SL_INSN_SL_FENCE) {
        e->scope = (uint8_t)random_below(4);
        e->acquire = orders & 1;
        e->release = orders & 2;
        (void)fprintf(out, ".insn r 0x0b, %u, 17, x0, x0, x%u\n", e->scope, orders);
    } else {
        (void)fputs(e->id == SL_INSN_FENCE_I ? "fence.i\n" : "fence rw, w\n", out);
    }
}

/* custom-1: funct3 is {64 bits, scope}, funct7 {operation, aq, rl}. */
static void write_scoped(FILE *out, size_t entry, struct sl_insn *e)
{
    uint32_t funct3 = random_below(8);
    uint32_t order = random_below(4);
    if (e->id == SL_INSN_SL_LOAD) {
        order &= 2;
    } else if (e->id == SL_INSN_SL_STORE) {
        order &= 1;
        e->rd = 0;
    }
    if (e->id == SL_INSN_SL_LR || e->id == SL_INSN_SL_LOAD) {
        e->rs2 = 0;
    }
    e->atomic = true;
    e->scope = funct3 & 3;
    e->access_bytes = funct3 & 4 ? 8 : 4;
    e->acquire = order & 2;
    e->release = order & 1;
    (void)fprintf(out, ".insn r 0x2b, %u, %u, x%u, x%u, x%u\n", funct3,
                  table[entry].match >> 27 << 2 | order, e->rd, e->rs1, e->rs2);
}

/* The F and D extensions: operands by the format's letters, rounding mode where it has one. */
static void write_float(FILE *out, size_t entry, struct sl_insn *e)
{
    static const char *const modes[] = {"rne", "rtz", "rdn", "rup", "rmm", "dyn"};
    const char *name = table[entry].mnemonic;
    const char *format = table[entry].format;
    uint32_t mode = random_below(6);
    uint32_t rd = e->rd;
    uint32_t rs1 = e->rs1;
    uint32_t rs2 = e->rs2;
    if (is(entry, "FI") || is(entry, "FS")) {
        e->immediate = random_between(-2048, 2047);
        (void)fprintf(out, "%s f%u, %d(x%u)\n", name, rd, e->immediate, rs1);
        e->rs2 = is(entry, "FS") ? (uint8_t)(rd + F) : 0;
        e->rd = is(entry, "FI") ? (uint8_t)(rd + F) : 0;
        return;
    }
    bool is_rd_x = format[0] == 'X';
    bool is_rs1_x = format[1] == 'X';
    bool has_rs2 = is(entry, "FR") || is(entry, "FRM") || is(entry, "XFF") || is(entry, "F4");
    /* The assembler takes no mode for the conversions to double that never round: it writes rne. */
    bool is_exact =
        e->id == SL_INSN_FCVT_D_W || e->id == SL_INSN_FCVT_D_WU || e->id == SL_INSN_FCVT_D_S;
    e->rd = (uint8_t)(rd + (is_rd_x ? 0 : F));
    e->rs1 = (uint8_t)(rs1 + (is_rs1_x ? 0 : F));
    e->rs2 = has_rs2 ? (uint8_t)(rs2 + F) : 0;
    (void)fprintf(out, "%s %c%u, %c%u", name, is_rd_x ? 'x' : 'f', rd, is_rs1_x ? 'x' : 'f', rs1);
    if (has_rs2) {
        (void)fprintf(out, ", f%u", rs2);
    }
    if (is(entry, "F4")) {
        e->rs3 = (uint8_t)(random_below(32) + F);
        (void)fprintf(out, ", f%d", e->rs3 - F);
    }
    if ((strchr(format, 'M') != NULL || is(entry, "F4")) && !is_exact) {
        e->rounding = mode == 5 ? SL_ROUNDING_DYNAMIC : (uint8_t)mode;
        (void)fprintf(out, ", %s", modes[mode]);
    }
    (void)fputs("\n", out);
}

static void write_csr(FILE *out, size_t entry, struct sl_insn *e)
{
    e->variant = (uint8_t)random_between(SL_CSR_FFLAGS, SL_CSR_FCSR);
    e->rs2 = 0;
    if (is(entry, "CSR")) {
        (void)fprintf(out, "%s x%u, %u, x%u\n", table[entry].mnemonic, e->rd, e->variant, e->rs1);
    } else {
        e->immediate = e->rs1;
        e->rs1 = 0;
        (void)fprintf(out, "%s x%u, %u, %d\n", table[entry].mnemonic, e->rd, e->variant,
                      e->immediate);
    }
}

/* Writes a line of assembly, and what it should decode to. */
static struct sl_insn write_line(FILE *out, size_t entry)
{
    struct sl_insn e = {
        .id = (uint16_t)table[entry].id,
        .class = (uint8_t)table[entry].class,
        .rd = (uint8_t)random_below(32),
        .rs1 = (uint8_t)random_below(32),
        .rs2 = (uint8_t)random_below(32),
    };
    uint32_t opcode = table[entry].match & 0x7f;
    if (is(entry, "NONE")) {
        e.rd = e.rs1 = e.rs2 = 0;
        (void)fprintf(out, "%s\n",
                      e.id == SL_INSN_PAUSE ? ".insn i 0x0f, 0, x0, x0, 0x010"
                                            : ".insn r 0x0b, 0, 7, x0, x0, x0");
    } else if (e.class == SL_CLASS_FENCE) {
        write_fence(out, &e);
    } else if (is(entry, "FAMO") || is(entry, "FRED")) {
        write_float_atomic(out, entry, &e);
    } else if (e.class == SL_CLASS_LOCK) {
        write_lock(out, entry, &e);
    } else if (opcode == 0x0b) {
        write_cross(out, entry, &e);
    } else if (opcode == 0x2b) {
        write_scoped(out, entry, &e);
    } else if (is(entry, "AMO")) {
        write_amo(out, entry, &e);
    } else if (opcode == 0x73) {
        write_csr(out, entry, &e);
    } else if (strchr("FX", table[entry].format[0]) != NULL) {
        write_float(out, entry, &e);
    } else {
        write_base(out, entry, &e);
    }
    return e;
}

/* The size and signedness that the mnemonic's ending says; 0 for what accesses nothing. */
static void expect_access(size_t entry, struct sl_insn *e)
{
    const char *name = table[entry].mnemonic;
    const char *last = name + strlen(name) - 1;
    if (e->class == SL_CLASS_AMO && is(entry, "AMO")) {
        e->access_bytes = *last == 'w' ? 4 : 8;
    } else if ((e->class == SL_CLASS_LOAD || e->class == SL_CLASS_STORE) && name[2] != '.') {
        char size = name[name[0] == 'f' ? 2 : 1];
        e->access_bytes = size == 'b' ? 1 : size == 'h' ? 2 : size == 'w' ? 4 : 8;
        e->is_signed = *last != 'u' && name[0] != 'f';
    }
}

/* Assembles a.s; returns the bytes of the code, which should be `count` parcels. */
static uint16_t *assemble(const char *folder, size_t count)
{
    char command[2048];
    char path[256];
    static uint16_t parcels[2 * WORDS];
    (void)snprintf(command, sizeof command,
                   "cd %s && riscv64-unknown-elf-as -march=rv64gc -mno-arch-attr -o a.o a.s && "
                   "riscv64-unknown-elf-objcopy -O binary -j .text a.o a.bin",
                   folder);
    assert_int_equal(system(command), 0);
    (void)snprintf(path, sizeof path, "%s/a.bin", folder);
    FILE *in = fopen(path, "rb");
    assert_non_null(in);
    assert_int_equal(fread(parcels, 2, 2 * WORDS, in), count);
    assert_int_equal(fclose(in), 0);
    return parcels;
}

static void compare(const struct sl_insn *is, const struct sl_insn *e, uint32_t word)
{
    if (is->id != e->id || is->class != e->class || is->rd != e->rd || is->rs1 != e->rs1 ||
        is->rs2 != e->rs2 || is->rs3 != e->rs3 || is->rounding != e->rounding ||
        is->variant != e->variant || is->immediate != e->immediate ||
        is->access_bytes != e->access_bytes || is->atomic != e->atomic ||
        is->acquire != e->acquire || is->release != e->release || is->scope != e->scope) {
        fail_msg("0x%08x is %s %u, %u, %u, %u, %d, rounding %u, variant %u, %u bytes; should be "
                 "%s %u, %u, %u, %u, %d, rounding %u, variant %u, %u bytes",
                 word, sl_insn_mnemonic(is->id), is->rd, is->rs1, is->rs2, is->rs3, is->immediate,
                 is->rounding, is->variant, is->access_bytes, sl_insn_mnemonic(e->id), e->rd,
                 e->rs1, e->rs2, e->rs3, e->immediate, e->rounding, e->variant, e->access_bytes);
    }
    if (is->class == SL_CLASS_LOAD) {
        assert_int_equal(is->is_signed, is->atomic || e->is_signed);
    }
}

/* Opens a.s in a new folder. */
static FILE *begin_source(char *folder)
{
    char path[64];
    assert_non_null(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/a.s", folder);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    return out;
}

static void remove_folder(const char *folder)
{
    char command[128];
    (void)snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

TEST(test_against_assembler)
{
    static struct sl_insn expected[WORDS];
    char folder[] = "/tmp/sluice-test-isa-XXXXXX";
    FILE *out = begin_source(folder);
    (void)fputs(".option norvc\n.option norelax\n", out);
    for (size_t i = 0; i < ENTRIES * VARIANTS; i++) {
        expected[i] = write_line(out, i / VARIANTS);
        expect_access(i / VARIANTS, &expected[i]);
    }
    assert_int_equal(fclose(out), 0);
    const uint16_t *parcels = assemble(folder, 2 * ENTRIES * VARIANTS);
    for (size_t i = 0; i < ENTRIES * VARIANTS; i++) {
        uint32_t word = (uint32_t)parcels[2 * i + 1] << 16 | parcels[2 * i];
        struct sl_insn decoded = sl_insn_decode(word);
        compare(&decoded, &expected[i], word);
        assert_int_equal(decoded.bytes, 4);
    }
    remove_folder(folder);
}

/* ---- compressed instructions ---- */

static const struct {
    const char *mnemonic;
    const char *format;
    enum sl_insn_id target;
} compressed[] = {
#define SL_COMPRESSED(mnemonic, match, mask, format, TARGET) {mnemonic, #format, SL_INSN_##TARGET},
#include "isa/compressed.def"
#undef SL_COMPRESSED
};

#define COMPRESSED_ENTRIES (sizeof compressed / sizeof compressed[0])

static int32_t random_not_zero(int32_t low, int32_t high)
{
    int32_t value = random_between(low, high);
    return value == 0 ? 1 : value;
}

/* Loads and stores: the sizes of both follow from the mnemonic. */
static void write_compressed_access(FILE *out, size_t entry, struct sl_insn *e)
{
    const char *name = compressed[entry].mnemonic;
    bool is_float = name[2] == 'f';
    bool is_sp = strstr(name, "sp") != NULL;
    bool is_store = name[is_float ? 3 : 2] == 's';
    uint32_t value = is_sp ? random_below(32) : 8 + random_below(8);
    e->access_bytes = name[is_float ? 4 : 3] == 'w' ? 4 : 8;
    e->immediate = (int32_t)(random_below(is_sp ? 64 : 32) * e->access_bytes);
    e->rs1 = is_sp ? 2 : (uint8_t)(8 + random_below(8));
    if (!is_float && !is_store && value == 0) {
        value = 1;
    }
    *(is_store ? &e->rs2 : &e->rd) = (uint8_t)(value + (is_float ? F : 0));
    e->is_signed = !is_float;
    (void)fprintf(out, "%s %c%u, %d(x%u)\n", name, is_float ? 'f' : 'x', value, e->immediate,
                  e->rs1);
}

static struct sl_insn write_compressed(FILE *out, size_t entry)
{
    const char *name = compressed[entry].mnemonic;
    const char *format = compressed[entry].format;
    struct sl_insn e = {.id = (uint16_t)compressed[entry].target};
    uint32_t any = 1 + random_below(31);
    uint32_t other = 1 + random_below(31);
    uint32_t low = 8 + random_below(8);
    uint32_t low2 = 8 + random_below(8);
    bool is_load = e.id == SL_INSN_LW || e.id == SL_INSN_LD || e.id == SL_INSN_FLD;
    bool is_store = e.id == SL_INSN_SW || e.id == SL_INSN_SD || e.id == SL_INSN_FSD;
    e.class = SL_CLASS_ALU;
    if (strncmp(format, "CIW", 3) == 0) {
        e.rd = (uint8_t)low;
        e.rs1 = 2;
        e.immediate = 4 * random_between(1, 255);
        (void)fprintf(out, "%s x%u, x2, %d\n", name, low, e.immediate);
    } else if (is_load || is_store) {
        e.class = is_load ? SL_CLASS_LOAD : SL_CLASS_STORE;
        write_compressed_access(out, entry, &e);
    } else if (strcmp(format, "CI") == 0 || strcmp(format, "CI_NONZERO") == 0 ||
               strcmp(format, "CI_LI") == 0) {
        e.rd = (uint8_t)any;
        e.rs1 = strcmp(format, "CI_LI") == 0 ? 0 : e.rd;
        e.immediate = random_not_zero(-32, 31);
        (void)fprintf(out, "%s x%u, %d\n", name, any, e.immediate);
    } else if (strcmp(format, "CI_16SP") == 0) {
        e.rd = e.rs1 = 2;
        e.immediate = 16 * random_not_zero(-32, 31);
        (void)fprintf(out, "%s x2, %d\n", name, e.immediate);
    } else if (strcmp(format, "CI_LUI") == 0) {
        e.rd = any == 2 ? 3 : (uint8_t)any;
        int32_t upper = random_not_zero(-32, 31);
        e.immediate = (int32_t)((uint32_t)upper << 12);
        (void)fprintf(out, "%s x%u, %u\n", name, e.rd, (uint32_t)upper & 0xfffff);
    } else if (strcmp(format, "CI_SHIFT") == 0 || strcmp(format, "CB_SHIFT") == 0) {
        e.rd = e.rs1 = format[1] == 'I' ? (uint8_t)any : (uint8_t)low;
        e.immediate = random_between(1, 63);
        (void)fprintf(out, "%s x%u, %d\n", name, e.rd, e.immediate);
    } else if (strcmp(format, "CB_IMMEDIATE") == 0) {
        e.rd = e.rs1 = (uint8_t)low;
        e.immediate = random_between(-32, 31);
        (void)fprintf(out, "%s x%u, %d\n", name, low, e.immediate);
    } else if (strcmp(format, "CA") == 0) {
        e.rd = e.rs1 = (uint8_t)low;
        e.rs2 = (uint8_t)low2;
        (void)fprintf(out, "%s x%u, x%u\n", name, low, low2);
    } else if (strcmp(format, "CB") == 0) {
        e.class = SL_CLASS_BRANCH;
        e.rs1 = (uint8_t)low;
        e.immediate = 2 * random_between(-128, 127);
        (void)fprintf(out, "%s x%u, .%+d\n", name, low, e.immediate);
    } else if (strcmp(format, "CJ") == 0) {
        e.class = SL_CLASS_JUMP;
        e.immediate = 2 * random_between(-1024, 1023);
        (void)fprintf(out, "%s .%+d\n", name, e.immediate);
    } else if (strcmp(format, "CR_JUMP") == 0 || strcmp(format, "CR_CALL") == 0) {
        e.class = SL_CLASS_JUMP;
        e.rd = format[3] == 'C';
        e.rs1 = (uint8_t)any;
        (void)fprintf(out, "%s x%u\n", name, any);
    } else {
        e.rd = (uint8_t)any;
        e.rs1 = strcmp(format, "CR_ADD") == 0 ? e.rd : 0;
        e.rs2 = (uint8_t)other;
        (void)fprintf(out, "%s x%u, x%u\n", name, any, other);
    }
    return e;
}

TEST(test_compressed)
{
    static struct sl_insn expected[COMPRESSED_ENTRIES * VARIANTS];
    char folder[] = "/tmp/sluice-test-isa-XXXXXX";
    FILE *out = begin_source(folder);
    for (size_t i = 0; i < COMPRESSED_ENTRIES * VARIANTS; i++) {
        expected[i] = write_compressed(out, i / VARIANTS);
    }
    assert_int_equal(fclose(out), 0);
    const uint16_t *parcels = assemble(folder, COMPRESSED_ENTRIES * VARIANTS);
    for (size_t i = 0; i < COMPRESSED_ENTRIES * VARIANTS; i++) {
        /* The parcel behind it must not matter. */
        struct sl_insn decoded = sl_insn_decode(0xffff0000u | parcels[i]);
        compare(&decoded, &expected[i], parcels[i]);
        assert_int_equal(decoded.bytes, 2);
    }
    remove_folder(folder);
}

/* Every parcel is an instruction of two bytes, or illegal; reserved encodings by hand. */
TEST(test_compressed_illegal)
{
    static const uint16_t parcels[] = {
        0x0000 /* defined illegal */,
        0x0004 /* c.addi4spn a, 0 */,
        0x8000 /* quadrant 0, funct3 4 */,
        0x2001 /* c.addiw x0 */,
        0x6001 /* c.lui x0, 0 */,
        0x6081 /* c.lui ra, 0 */,
        0x6101 /* c.addi16sp 0 */,
        0x9c41 /* c.subw's neighbours */,
        0x9c61,
        0x4002 /* c.lwsp x0 */,
        0x6002 /* c.ldsp x0 */,
        0x8002 /* c.jr x0 */,
        0x9002 /* c.ebreak */,
    };
    for (size_t i = 0; i < sizeof parcels / sizeof parcels[0]; i++) {
        struct sl_insn insn = sl_insn_decode(parcels[i]);
        if (insn.id != SL_INSN_ILLEGAL || insn.bytes != 2) {
            fail_msg("0x%04x is %s", parcels[i], sl_insn_mnemonic(insn.id));
        }
    }
    for (uint32_t parcel = 0; parcel < 65536; parcel++) {
        if ((parcel & 3) != 3) {
            assert_int_equal(sl_insn_decode(parcel).bytes, 2);
        }
    }
}

/* No word is two instructions, but for pause, which is a fence. */
TEST(test_disjoint)
{
    static const uint32_t masks[] = {
#define SL_INSN(ID, mnemonic, match, mask, format, class) mask,
#include "isa/riscv.def"
#undef SL_INSN
    };
    for (size_t a = 0; a < ENTRIES; a++) {
        assert_int_equal(table[a].match & ~masks[a], 0);
        for (size_t b = a + 1; b < ENTRIES; b++) {
            bool overlap = ((table[a].match ^ table[b].match) & masks[a] & masks[b]) == 0;
            assert_int_equal(overlap, table[a].id == SL_INSN_PAUSE && table[b].id == SL_INSN_FENCE);
        }
    }
}

TEST(test_illegal)
{
    static const uint32_t words[] = {
        0x00000000,
        0xffffffff,
        0x00000073 /* ecall */,
        0x30200073 /* mret */,
        0x00003063 /* branch, funct3 3 */,
        0x00007003 /* load, funct3 7 */,
        0x4000101b /* slliw with a bit of srai */,
        0x0200101b /* slliw by 32 */,
        0x0c00002f /* AMO, 8 bits */,
        0x1010202f /* lr.w with rs2 */,
        0x00051513 | 1u << 31 /* slli with a bit too many */,
        0x01d0000b /* sl.id: kind 29 */,
        0x0000900b /* sl.id with rs1 */,
        0x0e00008b /* sl.barrier with rd */,
        0x0e00800b /* sl.barrier with rs1 */,
        0x1000008b /* sl.yield with rd */,
        0x1200008b /* sl.lock with rd */,
        0x1210000b /* sl.lock with rs2 */,
        0x1200200b /* lock, funct3 2 */,
        0x1400008b /* sl.unlock with rd */,
        0x1410100b /* sl.tryunlock with rs2 */,
        0x1400200b /* unlock, funct3 2 */,
        0x1a00008b /* sl.fredadd with rd */,
        0x1c00000b /* no use yet */,
        0x2400000b /* no use yet */,
        0x2200000b /* sl.fence of no order */,
        0x2240000b /* sl.fence with another bit of rs2 */,
        0x2310000b /* likewise */,
        0x2230400b /* sl.fence with scope 4 */,
        0x2230800b /* sl.fence with rs1 */,
        0x2230008b /* sl.fence with rd */,
        0x3200002b /* sl.load with rl */,
        0x3600002b /* sl.load with aq and rl */,
        0x3010002b /* sl.load with rs2 */,
        0x3410002b /* likewise, with aq */,
        0x3c00002b /* sl.store with aq */,
        0x3e00002b /* sl.store with aq and rl */,
        0x380000ab /* sl.store with rd */,
        0x3a0000ab /* likewise, with rl */,
        0x00004007 /* flq */,
        0x06000053 /* fadd.q */,
        0x00005053 /* fadd.s with rounding mode 5 */,
        0x00006043 /* fmadd.s with rounding mode 6 */,
        0x5810f053 /* fsqrt.s with rs2 */,
        0x00002073 | 0xc00u << 20 /* csrrs of cycle */,
        0x00001073 | 0x000u << 20 /* csrrw of CSR 0 */,
        0x00001073 | 0x300u << 20 /* csrrw of mstatus */,
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (sl_insn_decode(words[i]).id != SL_INSN_ILLEGAL) {
            fail_msg("0x%08x is %s", words[i], sl_insn_mnemonic(sl_insn_decode(words[i]).id));
        }
    }
    assert_int_equal(sl_insn_decode(0).class, SL_CLASS_ILLEGAL);
    assert_string_equal(sl_insn_mnemonic(SL_INSN_COUNT), sl_insn_mnemonic(SL_INSN_ILLEGAL));
}

/* Calls link to ra or t0, returns go through them (ISA manual, return-address stack hints). */
TEST(test_calls)
{
    static const struct {
        uint32_t word;
        bool is_call;
        bool is_return;
    } cases[] = {
        {0x000000ef, true, false},  /* jal ra */
        {0x000002ef, true, false},  /* jal t0 */
        {0x0000006f, false, false}, /* j */
        {0x000500e7, true, false},  /* jalr a0 */
        {0x00008067, false, true},  /* ret */
        {0x00028067, false, true},  /* jr t0 */
        {0x00050067, false, false}, /* jr a0 */
        {0x000080e7, true, false},  /* jalr ra, ra */
        {0x00008013, false, false}, /* addi x0, ra */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct sl_insn insn = sl_insn_decode(cases[i].word);
        assert_int_equal(sl_insn_is_call(&insn), cases[i].is_call);
        assert_int_equal(sl_insn_is_return(&insn), cases[i].is_return);
    }
}
