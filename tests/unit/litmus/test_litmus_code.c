/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The machine code of litmus tests: which instructions stand for which operations, and that it
 * fits. x is at a1, y at a4; r1 is t1, r2 t2. */
#include <stdio.h>
#include <string.h>

#include "common/asm.h"
#include "common/check.h"
#include "litmus/code.h"
#include "litmus/parse.h"

static struct litmus_test test;
static uint32_t word[LITMUS_CODE_WORDS];
static unsigned words;

static void make(const char *text)
{
    char error[LITMUS_ERROR_BYTES];

    if (!litmus_parse("f", text, &test, error)) {
        fail_msg("%s\n%s", error, text);
    }
    words = litmus_code_make(&test, word);
}

static void expect(unsigned from, const uint32_t *wanted, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        if (word[from + i] != wanted[i]) {
            fail_msg("word %u is 0x%08x, wanted 0x%08x", from + i, word[from + i], wanted[i]);
        }
    }
}

/* One address, six registers; each thread twice, with its number in front. */
#define PROLOGUE 7

TEST(test_threads)
{
    const uint32_t prologue[PROLOGUE] = {
        asm_ADD(A4, A1, A2),   asm_ADDI(T1, ZERO, 0), asm_ADDI(T2, ZERO, 0), asm_ADDI(T3, ZERO, 0),
        asm_ADDI(T4, ZERO, 0), asm_ADDI(T5, ZERO, 0), asm_ADDI(T6, ZERO, 0),
    };
    uint32_t threads[24];
    unsigned count = 0;

    make("Sluice A\n{ x=0; y=0; }\nP0 | P1 ;\nst x,1 | ld r2,y ;\nexists (x=1)");
    expect(0, prologue, PROLOGUE);
    for (int32_t copy = 0; copy < 4; copy += 2) {
        threads[count++] = asm_ADDI(T0, ZERO, copy);
        threads[count++] = asm_BNE(A0, T0, 16);
        threads[count++] = asm_ADDI(T0, ZERO, 1);
        threads[count++] = asm_SD(T0, A1, 0);
        threads[count++] = ASM_RET;
        threads[count++] = asm_ADDI(T0, ZERO, copy + 1);
        threads[count++] = asm_BNE(A0, T0, 16);
        threads[count++] = asm_LD(T2, A4, 0);
        threads[count++] = asm_SD(T2, A3, 8);
        threads[count++] = ASM_RET;
    }
    threads[count++] = ASM_RET;
    assert_int_equal(words, PROLOGUE + count);
    expect(PROLOGUE, threads, count);
}

struct operation {
    const char *text;
    unsigned count;
    uint32_t word[6];
};

/* Numbers are those of docs/look-up/isa.md: scopes 0 to 3 in bits 13 and 12, bit 14 for 64 bits, aq
 * in bit 26, rl in bit 25. */
static const struct operation operations[] = {
    {"ld r1,x", 1, {0x0005b303}},                             /* ld t1, 0(a1) */
    {"st y,r2", 1, {0x00773023}},                             /* sd t2, 0(a4) */
    {"st x,0", 1, {0x0005b023}},                              /* sd zero, 0(a1) */
    {"ld.acq.dev r1,x", 1, {0x3405e32b}},                     /* sl.load, aq, device */
    {"ld.wg r1,x", 1, {0x3005d32b}},                          /* sl.load, work-group */
    {"st.rel.sys x,1", 2, {0x00100293, 0x3a55f02b}},          /* sl.store, rl, system */
    {"st.wf x,1", 2, {0x00100293, 0x3855c02b}},               /* sl.store, wavefront */
    {"swap r1,x,1", 2, {0x00100293, 0x0855b32f}},             /* amoswap.d */
    {"add.acqrel.dev r1,x,1", 2, {0x00100293, 0x0655e32b}},   /* sl.amoadd, aq, rl, device */
    {"swap.rel.wg r1,y,r2", 1, {0x0a77532b}},                 /* sl.amoswap, rl, work-group */
    {"ld r2,y[r1]", 3, {0x00037513, 0x00e50533, 0x00053383}}, /* andi a0, t1, 0; add a4; ld */
    {"st x[r2],r1", 3, {0x0003f513, 0x00b50533, 0x00653023}}, /* andi a0, t2, 0; add a1; sd */
    {"fence", 1, {0x0330000f}},                               /* fence rw, rw */
    {"fence.acq.wg", 1, {0x2210100b}},                        /* sl.fence, 1, work-group */
    {"fence.rel.dev", 1, {0x2220200b}},                       /* sl.fence, 2, device */
    {"fence.acqrel.sys", 1, {0x2230300b}},                    /* sl.fence, 3, system */
    {"cas r1,x,1,r2",
     5,
     {0x00100893, 0x1005b32f, 0x01131663, /* li a7; lr.d; bne a7, 12 */
      0x1875b62f, 0xfe061ae3}},           /* sc.d a2; bnez a2, -12 */
    {"cas.acqrel.dev r1,x,0,r2",
     4,
     {0x1405e32b, 0x00031663,   /* sl.lr, aq; bnez 12 */
      0x1a75e62b, 0xfe061ae3}}, /* sl.sc, rl; bnez a2, -12 */
};

TEST(test_operations)
{
    for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++) {
        char text[256];
        (void)snprintf(text, sizeof text,
                       "Sluice A\n{ x=0; y=0; }\nP0 ;\nbeqz r1,E ;\n%s ;\nE: ;\nexists (x=1)",
                       operations[i].text);
        make(text);
        expect(PROLOGUE + 3, operations[i].word, operations[i].count);
        /* The branch goes behind it. */
        assert_int_equal(word[PROLOGUE + 2],
                         asm_BEQ(T1, ZERO, (int32_t)(4 * (1 + operations[i].count))));
    }
}

/* The longest test that there can be. */
TEST(test_longest)
{
    char text[4096] = "Sluice A\n{ x=0; y=0; z=0; u=0; }\nP0 | P1 | P2 | P3 ;\n";

    for (int i = 1; i <= LITMUS_OPS_MAX; i++) {
        char row[128];
        const int reg = i % LITMUS_REGISTERS + 1;
        (void)snprintf(row, sizeof row,
                       "cas r%d,x,1,2 | cas r%d,y,1,2 | cas r%d,z,1,2 | cas r%d,u,1,2 ;\n", reg,
                       reg, reg, reg);
        strcat(text, row);
    }
    strcat(text, "exists (x=1)");
    make(text);
    assert_true(words < LITMUS_CODE_WORDS);
    assert_int_equal(word[words - 1], ASM_RET);
}
