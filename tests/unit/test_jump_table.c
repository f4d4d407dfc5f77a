/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Jump tables: the sequences that compilers make, and those that are no table. The fuzzer
 * (tests/fuzz/test_divergence.c) has random ones; here are shapes from real code. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "host/analysis/jump_table.h"

#define BASE  0x80400000u
#define WORDS 32
#define TABLE 0x80401000u

/* The table's entries are words 8 to 10 as offsets from the table; the function has 16 words. */
static int32_t offsets[5];
static uint64_t addresses[3];

static struct sl_jumps jumps;

static void find(const uint32_t *code, size_t words, const void *table, size_t bytes)
{
    static struct sl_insn insns[2 * WORDS];
    const struct sl_read_only constants = {TABLE, bytes, table};
    const struct sl_code function = {.base = BASE, .constants = &constants, .constant_count = 1};
    const struct sl_decoded decoded = {&function, insns, 2 * words, NULL, 0};

    memset(insns, 0, sizeof insns);
    for (size_t i = 0; i < words; i++) {
        insns[2 * i] = sl_insn_decode(code[i]);
    }
    for (int i = 0; i < 3; i++) {
        offsets[i] = (int32_t)(BASE + 4 * (8 + (uint32_t)i) - TABLE);
        addresses[i] = BASE + 4 * (8 + (uint64_t)i);
    }
    sl_jumps_free(&jumps);
    assert_int_equal(sl_jumps_find(&decoded, (struct sl_code_range){0, 2 * words}, &jumps), 0);
}

#define FIND(code, table) find(code, sizeof(code) / sizeof((code)[0]), table, sizeof(table))

static void is_table(size_t at)
{
    const struct sl_jump *jump = sl_jumps_at(&jumps, 2 * at);
    assert_non_null(jump);
    assert_int_equal(jump->target_count, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(jumps.targets[jump->target_first + i], 2 * (8 + i));
    }
    assert_false(jump->leaves);
}

#define NOP     0x00000013u
#define RET     0x00008067u
#define TAIL    NOP, NOP, NOP, RET
#define LI_A5   0x00200793u                         /* li a5, 2 */
#define BGTU    0x02a7e063u                         /* bltu a5, a0, +32 */
#define AUIPC   0x00001717u                         /* auipc a4, 1 */
#define SLLI2   0x00251513u                         /* slli a0, a0, 2 */
#define ADD     0x00e50533u                         /* add a0, a0, a4 */
#define LW      0x00052503u                         /* lw a0, 0(a0) */
#define LD      0x00053503u                         /* ld a0, 0(a0) */
#define JR      0x00050067u                         /* jr a0 */
#define ADDI(i) (0x00070713u | (uint32_t)(i) << 20) /* addi a4, a4, i */

/* li a5, 2; bgtu a0, a5, default; the table of offsets. */
static void test_offsets(void **state)
{
    (void)state;
    const uint32_t code[] = {LI_A5, BGTU, SLLI2, AUIPC, ADDI(0xff4), ADD,
                             LW,    ADD,  JR,    NOP,   NOP,         TAIL};
    /* word 3: auipc gives BASE + 12 + 0x1000; -12 makes the table. Targets 8 to 10: the jump
     * itself is word 8. */
    FIND(code, offsets);
    is_table(8);
}

/* The same with addresses: slli 3, ld, jr. */
static void test_addresses(void **state)
{
    (void)state;
    const uint32_t code[] = {
        LI_A5, BGTU, 0x00351513u /* slli a0, a0, 3 */, AUIPC, ADDI(0xff4), ADD, LD, JR, NOP, NOP,
        NOP,   TAIL};
    FIND(code, addresses);
    is_table(7);
}

/* An index that a mask bounds: andi a0, a0, 3; the fourth entry is outside the function. */
static void test_mask(void **state)
{
    (void)state;
    const uint32_t code[] = {NOP, 0x00357513u, SLLI2, AUIPC, ADDI(0xff4), ADD,
                             LW,  ADD,         JR,    NOP,   NOP,         TAIL};
    offsets[3] = 0x4000;
    FIND(code, offsets);
    const struct sl_jump *jump = sl_jumps_at(&jumps, 2 * 8);
    assert_non_null(jump);
    assert_int_equal(jump->target_count, 3);
    assert_true(jump->leaves);
}

/* No bound, a bound that was lost in a call, a table that is cut short, one that is not read-only,
 * and a plain tail call: not known. */
static void test_unknown(void **state)
{
    (void)state;
    const uint32_t unbounded[] = {NOP, NOP, SLLI2, AUIPC, ADDI(0xff4), ADD,
                                  LW,  ADD, JR,    NOP,   NOP,         TAIL};
    FIND(unbounded, offsets);
    assert_int_equal(jumps.count, 0);
    const uint32_t call[] = {
        LI_A5, BGTU, 0x000000efu /* jal ra, 0 */, SLLI2, AUIPC, ADDI(0xff0), ADD, LW, ADD, JR,
        NOP,   TAIL};
    FIND(call, offsets);
    assert_int_equal(jumps.count, 0);
    const uint32_t table[] = {LI_A5, BGTU, SLLI2, AUIPC, ADDI(0xff4), ADD,
                              LW,    ADD,  JR,    NOP,   NOP,         TAIL};
    find(table, 15, offsets, 8);
    assert_int_equal(jumps.count, 0);
    find(table, 15, offsets, 0);
    assert_int_equal(jumps.count, 0);
    const uint32_t tail[] = {JR, TAIL};
    FIND(tail, offsets);
    assert_int_equal(jumps.count, 0);
    sl_jumps_free(&jumps);
}

#define LW_A0  0x0085a503u /* lw a0, 8(a1) */
#define LWU_A0 0x0085e503u /* lwu a0, 8(a1) */

/* An index that is loaded, compared, and loaded once more; `any` is in between. The table's entries
 * are words 12 to 14, behind the jump. Returns the number of tables found. */
static size_t tables_of(uint32_t any, uint32_t again)
{
    const uint32_t code[] = {LI_A5, LW_A0,       0x02a7e863u /* bltu a5, a0, +48 */,
                             any,   again,       SLLI2,
                             AUIPC, ADDI(0xfe8), ADD,
                             LW,    ADD,         JR,
                             NOP,   NOP,         RET};
    int32_t behind[3];

    for (uint32_t i = 0; i < 3; i++) {
        behind[i] = (int32_t)(BASE + 4 * (12 + i) - TABLE);
    }
    FIND(code, behind);
    return jumps.count;
}

static void test_loaded_twice(void **state)
{
    (void)state;
    assert_int_equal(tables_of(NOP, LWU_A0), 1);
    assert_int_equal(jumps.targets[0], 2 * 12);
    assert_int_equal(jumps.target_count, 3);
    assert_int_equal(tables_of(NOP, LW_A0), 1);
    assert_int_equal(tables_of(0x0006a603u /* lw a2, 0(a3) */, LWU_A0), 0); /* one is kept */
    assert_int_equal(tables_of(0x00c5a423u /* sw a2, 8(a1) */, LWU_A0), 0);
    assert_int_equal(tables_of(0x00458593u /* addi a1, a1, 4 */, LWU_A0), 0);
    assert_int_equal(tables_of(0x000000efu /* jal ra, 0 */, LWU_A0), 0);
    assert_int_equal(tables_of(0x1205000bu /* sl.lock a0 */, LWU_A0), 0);
    assert_int_equal(tables_of(NOP, 0x00c5e503u /* lwu a0, 12(a1) */), 0);
    assert_int_equal(tables_of(NOP, 0x0085b503u /* ld a0, 8(a1) */), 0);
    assert_int_equal(tables_of(NOP, 0x00866503u /* lwu a0, 8(a2) */), 0);
    sl_jumps_free(&jumps);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_offsets),      cmocka_unit_test(test_addresses),
        cmocka_unit_test(test_mask),         cmocka_unit_test(test_unknown),
        cmocka_unit_test(test_loaded_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
