/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The decoder. Every instruction of hal/isa/riscv.def is assembled by the GNU assembler, which
 * knows the encodings independently, with many operands each, and decoded again; Xsluice by the
 * field positions that docs/isa.md gives. Words worked out by hand cover what must be refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "isa/isa.h"

#define VARIANTS 40 /* of operands, for each instruction */
#define WORDS    (SL_INSN_COUNT * VARIANTS)

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
        rd = rs2 = 0;
        e->rd = e->rs2 = 0;
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

/* custom-1: funct3 is {64 bits, scope}, funct7 {operation, aq, rl}. */
static void write_scoped(FILE *out, size_t entry, struct sl_insn *e)
{
    uint32_t funct3 = random_below(8);
    uint32_t order = random_below(4);
    if (e->id == SL_INSN_SL_LOAD_ACQUIRE) {
        order = 2;
    } else if (e->id == SL_INSN_SL_STORE_RELEASE) {
        order = 1;
        e->rd = 0;
    }
    if (e->id == SL_INSN_SL_LR || e->id == SL_INSN_SL_LOAD_ACQUIRE) {
        e->rs2 = 0;
    }
    e->scope = funct3 & 3;
    e->access_bytes = funct3 & 4 ? 8 : 4;
    e->acquire = order & 2;
    e->release = order & 1;
    (void)fprintf(out, ".insn r 0x2b, %u, %u, x%u, x%u, x%u\n", funct3,
                  table[entry].match >> 27 << 2 | order, e->rd, e->rs1, e->rs2);
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
                      e.id == SL_INSN_PAUSE        ? ".insn i 0x0f, 0, x0, x0, 0x010"
                      : e.id == SL_INSN_SL_BARRIER ? ".insn r 0x0b, 0, 7, x0, x0, x0"
                                                   : "fence rw, w");
    } else if (opcode == 0x0b) {
        write_cross(out, entry, &e);
    } else if (opcode == 0x2b) {
        write_scoped(out, entry, &e);
    } else if (is(entry, "AMO")) {
        write_amo(out, entry, &e);
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
        char size = name[1];
        e->access_bytes = size == 'b' ? 1 : size == 'h' ? 2 : size == 'w' ? 4 : 8;
        e->is_signed = *last != 'u';
    }
}

static uint32_t *assemble(const char *folder)
{
    char command[2048];
    char path[256];
    static uint32_t words[WORDS];
    (void)snprintf(command, sizeof command,
                   "cd %s && riscv64-unknown-elf-as -march=rv64ima -mno-arch-attr -o a.o a.s && "
                   "riscv64-unknown-elf-objcopy -O binary -j .text a.o a.bin",
                   folder);
    assert_int_equal(system(command), 0);
    (void)snprintf(path, sizeof path, "%s/a.bin", folder);
    FILE *in = fopen(path, "rb");
    assert_non_null(in);
    assert_int_equal(fread(words, 4, WORDS, in), ENTRIES * VARIANTS);
    assert_int_equal(fclose(in), 0);
    return words;
}

static void compare(const struct sl_insn *is, const struct sl_insn *e, uint32_t word)
{
    if (is->id != e->id || is->class != e->class || is->rd != e->rd || is->rs1 != e->rs1 ||
        is->rs2 != e->rs2 || is->variant != e->variant || is->immediate != e->immediate ||
        is->access_bytes != e->access_bytes || is->acquire != e->acquire ||
        is->release != e->release || is->scope != e->scope) {
        fail_msg(
            "0x%08x is %s x%u, x%u, x%u, %d, variant %u, %u bytes; should be %s x%u, x%u, x%u, "
            "%d, variant %u, %u bytes",
            word, sl_insn_mnemonic(is->id), is->rd, is->rs1, is->rs2, is->immediate, is->variant,
            is->access_bytes, sl_insn_mnemonic(e->id), e->rd, e->rs1, e->rs2, e->immediate,
            e->variant, e->access_bytes);
    }
    if (is->class == SL_CLASS_LOAD && e->scope == 0 && e->acquire == 0) {
        assert_int_equal(is->is_signed, e->is_signed);
    }
}

static void test_against_assembler(void **state)
{
    (void)state;
    static struct sl_insn expected[WORDS];
    char folder[] = "/tmp/sluice-test-isa-XXXXXX";
    char path[64];
    assert_non_null(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/a.s", folder);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    (void)fputs(".option norvc\n.option norelax\n", out);
    for (size_t i = 0; i < ENTRIES * VARIANTS; i++) {
        expected[i] = write_line(out, i / VARIANTS);
        expect_access(i / VARIANTS, &expected[i]);
    }
    assert_int_equal(fclose(out), 0);
    const uint32_t *words = assemble(folder);
    for (size_t i = 0; i < ENTRIES * VARIANTS; i++) {
        struct sl_insn decoded = sl_insn_decode(words[i]);
        compare(&decoded, &expected[i], words[i]);
        assert_int_equal(decoded.bytes, 4);
    }
    char command[128];
    (void)snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

/* No word is two instructions, but for pause, which is a fence. */
static void test_disjoint(void **state)
{
    (void)state;
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

static void test_illegal(void **state)
{
    (void)state;
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
        0x01b0000b /* sl.id: kind 27 */,
        0x0000900b /* sl.id with rs1 */,
        0x0e00008b /* sl.barrier with rd */,
        0x0e00800b /* sl.barrier with rs1 */,
        0x1000000b /* reserved: yield */,
        0x1200000b /* reserved: lock */,
        0x1400000b /* reserved: unlock */,
        0x1800000b /* reserved: FP atomic add */,
        0x1a00000b,
        0x3600002b /* sl.load with rl */,
        0x3a0000ab /* sl.store with rd */,
        0x00007007 /* flw class: F is not here yet */,
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
static void test_calls(void **state)
{
    (void)state;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_assembler),
        cmocka_unit_test(test_disjoint),
        cmocka_unit_test(test_illegal),
        cmocka_unit_test(test_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
