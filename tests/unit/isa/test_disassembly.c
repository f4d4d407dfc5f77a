/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Text of instructions. GNU objdump, which knows them independently, disassembles random words, all
 * parcels of compressed instructions, and the code of our firmware and kernels: each text has to be
 * the same, but for what is listed in may_differ(). Xsluice, which it does not know, is compared
 * with texts written by hand. */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/check.h"
#include "isa/disassembly.h"
#include "isa/isa.h"

#define OBJDUMP "riscv64-unknown-elf-objdump"
#define WORDS   60000

static uint64_t random_state = 1;

static uint32_t random_word(void)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_state >> 32);
}

/* ---- by hand ---- */

static void expect(uint32_t word, uint64_t pc, const char *text)
{
    char out[SL_DISASSEMBLY_BYTES];

    assert_int_equal(sl_disassemble(word, pc, out, sizeof out), strlen(text));
    assert_string_equal(out, text);
}

/* Fields as in docs/look-up/isa.md. */
static uint32_t cross(uint32_t funct7, uint32_t rs2, uint32_t rs1, uint32_t funct3, uint32_t rd)
{
    return funct7 << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | 0x0b;
}

static uint32_t scoped(uint32_t funct5, uint32_t order, uint32_t funct3)
{
    return funct5 << 27 | order << 25 | 11u << 20 | 10u << 15 | funct3 << 12 | 5u << 7 | 0x2b;
}

TEST(test_xsluice)
{
    expect(cross(0, 4, 0, 0, 10), 0, "sl.id a0,4");
    expect(cross(1, 0, 11, 0, 10), 0, "sl.ballot a0,a1");
    expect(cross(2, 0, 0, 0, 5), 0, "sl.elect t0");
    expect(cross(4, 12, 11, 0, 10), 0, "sl.shuffle a0,a1,a2");
    expect(cross(5, 0, 11, 0, 6), 0, "sl.scan.add t1,a1");
    expect(cross(6, 0, 11, 4, 6), 0, "sl.reduce.maxu t1,a1");
    expect(cross(7, 0, 0, 0, 0), 0, "sl.barrier");
    expect(cross(8, 11, 10, 0, 0), 0, "sl.yield a0,a1");
    expect(cross(9, 0, 10, 0, 0), 0, "sl.lock a0");
    expect(cross(9, 11, 10, 1, 12), 0, "sl.trylock a2,a0,a1");
    expect(cross(10, 0, 10, 0, 0), 0, "sl.unlock a0");
    expect(cross(11, 11, 10, 0, 17), 0, "sl.trap 17,a0,a1");
    expect(cross(12, 11, 10, 6, 12), 0, "sl.famoadd.d.device fa2,fa1,(a0)");
    expect(cross(13, 11, 10, 1, 0), 0, "sl.fredadd.w.workgroup fa1,(a0)");
    expect(cross(16, 0, 10, 0, 0), 0, "sl.pause a0");
    expect(cross(16, 1, 10, 0, 0), 0, "sl.pause.turn a0");
    expect(cross(17, 3, 0, 3, 0), 0, "sl.fence.system.aqrl");
    expect(scoped(0x00, 0, 2), 0, "sl.amoadd.w.device t0,a1,(a0)");
    expect(scoped(0x01, 3, 7), 0, "sl.amoswap.d.system.aqrl t0,a1,(a0)");
    expect(scoped(0x03, 1, 6), 0, "sl.sc.d.device.rl t0,a1,(a0)");
    expect((scoped(0x06, 2, 6) & ~(31u << 20)), 0, "sl.load.d.device.aq t0,(a0)");
    expect((scoped(0x07, 1, 4) & ~(31u << 7)), 0, "sl.store.d.wavefront.rl a1,(a0)");
    expect(cross(127, 0, 0, 0, 0), 0, ".4byte 0xfe00000b");
}

TEST(test_room)
{
    char out[6] = "?????";

    assert_int_equal(sl_disassemble(0x00150513, 0, out, sizeof out), strlen("addi a0,a0,1"));
    assert_string_equal(out, "addi ");
    assert_int_equal(sl_disassemble(0x00150513, 0, NULL, 0), strlen("addi a0,a0,1"));
}

TEST(test_registers)
{
    assert_string_equal(sl_register_name(0), "zero");
    assert_string_equal(sl_register_name(8), "s0");
    assert_string_equal(sl_register_name(31), "t6");
    assert_string_equal(sl_register_name(SL_F_REGISTERS), "ft0");
    assert_string_equal(sl_register_name(SL_F_REGISTERS + 31), "ft11");
    assert_string_equal(sl_register_name(64), "?");
}

/* ---- objdump ---- */

/* What differs for a reason:
 *
 * - what the decoder takes as Xsluice, and objdump does not know;
 * - fences whose reserved fields are not zero, which are ordinary fences by the manual;
 * - roundings that are reserved (`unknown`), which the decoder refuses, and those of exact
 *   conversions, which it does not look at;
 * - CSRs of supervisors, hypervisors and RV32, which have no names here, and what is neither RV64GC
 *   nor of machine mode (objdump knows all extensions);
 * - pause, which objdump names where the file says Zihintpause;
 * - floating point in firmware, which has none: strings between its code;
 * - zeroes in code that has no compressed instructions, and c.addi16sp of 0, which is reserved. */
static bool may_differ(uint32_t word, const char *ours, const char *theirs)
{
    const bool is_word = (word & 3) == 3;
    const bool is_unknown = strncmp(ours, ".4byte", 6) == 0;

    return strncmp(ours, "sl.", 3) == 0 || (is_unknown && strstr(theirs, ",unknown") != NULL) ||
           (strncmp(ours, "csrr", 4) == 0 && strncmp(ours, theirs, 5) == 0 &&
            strstr(ours, ",0x") != NULL) ||
           (is_word && is_unknown && (word & 0x7f) == 0x73) || word == 0 || word == 0x6101 ||
           strcmp(ours, "pause") == 0 ||
           ((ours[0] == 'f' || strncmp(ours, "c.f", 3) == 0) && theirs[0] == '.');
}

/* Cuts off "<symbol>" and "# comment", and makes the tab a space. */
static void tidy(char *text)
{
    char *cut = strpbrk(text, "<#\n");
    char *tab = strchr(text, '\t');

    if (cut != NULL) {
        *cut = '\0';
    }
    if (tab != NULL) {
        *tab = ' ';
    }
    for (size_t length = strlen(text); length > 0 && strchr(" \t", text[length - 1]) != NULL;) {
        text[--length] = '\0';
    }
}

/* Addresses of raw binaries have a prefix. */
static bool is_same(const char *ours, const char *theirs)
{
    const char *prefix = strstr(theirs, "0x");
    const size_t before = prefix != NULL ? (size_t)(prefix - theirs) : 0;

    return strcmp(ours, theirs) == 0 || (prefix != NULL && strncmp(ours, theirs, before) == 0 &&
                                         strcmp(ours + before, prefix + 2) == 0);
}

struct comparison {
    unsigned instructions;
    unsigned different; /* for a reason */
};

/* Compares one line of objdump's; one of data has several words. */
static void compare(char *line, struct comparison *comparison)
{
    char ours[SL_DISASSEMBLY_BYTES];
    unsigned long long pc = 0;
    unsigned word = 0;
    int text = 0;

    if (sscanf(line, " %llx:\t%x%*[ ]%n", &pc, &word, &text) != 2 || line[text] != '\t') {
        return;
    }
    text++;
    tidy(line + text);
    (void)sl_disassemble(word, pc, ours, sizeof ours);
    comparison->instructions++;
    if (is_same(ours, line + text)) {
        return;
    }
    if (!may_differ(word, ours, line + text)) {
        fail_msg("%llx: 0x%x is '%s' here, and '%s' by objdump", pc, word, ours, line + text);
    }
    comparison->different++;
}

static struct comparison compare_all(const char *command)
{
    struct comparison comparison = {0};
    char line[512];
    FILE *pipe = popen(command, "r");

    assert_non_null(pipe);
    while (fgets(line, sizeof line, pipe) != NULL) {
        compare(line, &comparison);
    }
    assert_int_equal(pclose(pipe), 0);
    return comparison;
}

static struct comparison compare_words(const uint32_t *words, size_t count)
{
    char path[] = "/tmp/sluice-disassembly-XXXXXX";
    char command[256];
    const int fd = mkstemp(path);

    assert_true(fd >= 0);
    assert_int_equal(write(fd, words, count * sizeof *words), (ssize_t)(count * sizeof *words));
    assert_int_equal(close(fd), 0);
    (void)snprintf(command, sizeof command,
                   OBJDUMP " -D -z -b binary -m riscv:rv64 -M no-aliases %s", path);
    const struct comparison comparison = compare_all(command);
    assert_int_equal(unlink(path), 0);
    return comparison;
}

/* Half of them have a major opcode of RV64G, one in eight is an atomic; none is longer than 32
 * bits. */
TEST(test_random_words)
{
    static const uint8_t opcodes[] = {0x03, 0x07, 0x0f, 0x13, 0x17, 0x1b, 0x23, 0x27, 0x33, 0x37,
                                      0x3b, 0x43, 0x47, 0x4b, 0x4f, 0x53, 0x63, 0x67, 0x6f, 0x73};
    uint32_t *words = calloc(WORDS, sizeof *words);

    assert_non_null(words);
    for (size_t i = 0; i < WORDS; i++) {
        uint32_t word = random_word();
        if (i % 2 == 0) {
            word = (word & ~0x7fu) | opcodes[random_word() % sizeof opcodes];
        } else if (i % 8 == 1) {
            word = (word & 0xf8ff8f80u) | 0x2f | (2 + (word >> 30 & 1)) << 12;
        } else {
            word |= 3;
        }
        words[i] = (word & 0x1f) == 0x1f ? word & ~0x10u : word;
    }
    const struct comparison comparison = compare_words(words, WORDS);
    assert_int_equal(comparison.instructions, WORDS);
    assert_true(comparison.different < WORDS / 10);
    free(words);
}

/* Each parcel is followed by c.nop. */
TEST(test_all_parcels)
{
    uint32_t *words = calloc(0x10000, sizeof *words);
    size_t count = 0;

    assert_non_null(words);
    for (uint32_t parcel = 0; parcel < 0x10000; parcel++) {
        if ((parcel & 3) != 3) {
            words[count++] = 0x00010000 | parcel;
        }
    }
    const struct comparison comparison = compare_words(words, count);
    assert_int_equal(comparison.instructions, 2 * count);
    assert_int_equal(comparison.different, 1);
    free(words);
}

static struct comparison compare_file(const char *path)
{
    char command[1024];

    (void)snprintf(command, sizeof command, OBJDUMP " -d -z -M no-aliases %s", path);
    return compare_all(command);
}

TEST(test_our_code)
{
    const char *build = getenv("SLUICE_BUILD");
    char pattern[512];
    glob_t files;

    (void)snprintf(pattern, sizeof pattern, "%s/kernels/*.elf", build == NULL ? "build" : build);
    assert_int_equal(glob(pattern, 0, NULL, &files), 0);
    assert_true(files.gl_pathc > 50);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        assert_true(compare_file(files.gl_pathv[i]).instructions > 10);
    }
    globfree(&files);
    (void)snprintf(pattern, sizeof pattern, "%s/firmware/sluice.elf",
                   build == NULL ? "build" : build);
    assert_true(compare_file(pattern).instructions > 5000);
}
