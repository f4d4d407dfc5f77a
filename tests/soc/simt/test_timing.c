/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Issue, latency, initiation interval and scheduling policies, with cycles worked out by hand.
 *
 * A launch at cycle 0 fetches its code line by cycle 2 (flat.cu_fetch), so that the first
 * instruction issues at 2. By default an instruction takes 4 cycles to issue; a wavefront ends when
 * its return has issued, 4 cycles after it began to. */
#include "common/check.h"
#include "soc/common/bare_machine.h"

#define RET asm_i(ASM_RET, 0, 0, 0)

/* Launches `waves` wavefronts at cycle 0 on one SIMD unit, and compares when each ends. */
static void check(const char *first, const char *second, const uint32_t *code, uint32_t words,
                  const uint64_t *ends, uint32_t waves)
{
    const char *const settings[] = {"gpu.simds=1", first, second, NULL};
    struct bare_machine *m = bare_create(settings);
    uint64_t buffer = bare_take(m, 4096, 64);
    bare_load_words(m, code, words);
    for (uint32_t i = 0; i < waves; i++) {
        bare_launch(m, 0, NULL, 64, buffer, 0);
    }
    bare_run(m, 100000);
    assert_int_equal(m->faults, 0);
    for (uint32_t i = 0; i < waves; i++) {
        assert_int_equal(m->end_cycle[i], ends[i]);
    }
    bare_destroy(m);
}

#define CHECK(first, second, code, ...)                                                            \
    do {                                                                                           \
        const uint64_t ends[] = {__VA_ARGS__};                                                     \
        check(first, second, code, sizeof(code) / sizeof((code)[0]), ends,                         \
              sizeof(ends) / sizeof(ends[0]));                                                     \
    } while (0)

static const uint32_t adds[] = {
    0x00128293, 0x00128293, 0x00128293, 0x00128293, /* addi t0, t0, 1 */
    0x00008067,
};

TEST(test_integer)
{
    /* Additions at 2, 6, 10, 14, the return at 18. */
    CHECK(NULL, NULL, adds, 22);
    /* Latency 10: additions at 2, 12, 22, 32; the return needs no result: 36. */
    CHECK("gpu.alu_cycles=10", NULL, adds, 40);
    /* Two passes of 4 cycles each: 2, 10, 18, 26, return 34 to 42. */
    CHECK("gpu.alu_passes=2", NULL, adds, 42);
    /* 32 lanes per pass, 2 cycles; the result is there after 4: 2, 6, 10, 14, return at 16 to 18.
     */
    CHECK("gpu.simd_lanes=32", NULL, adds, 18);
    /* One every 8 cycles; jumps are of the same unit: 2, 10, 18, 26, return at 34. */
    CHECK("gpu.alu_interval=8", NULL, adds, 38);
}

TEST(test_multiply)
{
    const uint32_t dependent[] = {asm_r(ASM_MUL, X_T0, X_T0, X_T0),
                                  asm_r(ASM_MUL, X_T0, X_T0, X_T0), RET};
    const uint32_t independent[] = {asm_r(ASM_MUL, X_T0, X_A1, X_A1),
                                    asm_r(ASM_MUL, X_T1, X_A1, X_A1), RET};
    /* At 2; the second has its operand at 18; the return at 22. */
    CHECK(NULL, NULL, dependent, 26);
    CHECK("gpu.mul_interval=1", NULL, dependent, 26);
    CHECK("gpu.mul_cycles=20", NULL, dependent, 30);
    /* The multiplier takes the second one at 18; pipelined at 6. */
    CHECK(NULL, NULL, independent, 26);
    CHECK("gpu.mul_interval=1", NULL, independent, 14);
    CHECK("gpu.mul_interval=9", NULL, independent, 19);
    /* Four passes: the unit issues nothing for 16 cycles: 2, 18, the return at 34. */
    CHECK("gpu.mul_interval=1", "gpu.mul_passes=4", independent, 38);
}

TEST(test_divide)
{
    const uint32_t code[] = {asm_r(ASM_DIV, X_T0, X_A1, X_A1), asm_r(ASM_MUL, X_T1, X_A1, X_A1),
                             asm_r(ASM_DIV, X_T2, X_A1, X_A1), asm_r(ASM_ADD, X_T0, X_T0, X_T1),
                             RET};
    /* Division 2, multiplication on a unit of its own 6, division 130; the sum has its operands
     * then, and follows at 134; the return at 138. */
    CHECK(NULL, NULL, code, 142);
    /* Pipelined: 2, 6, 10; the sum waits for the first quotient until 130; the return at 134. */
    CHECK("gpu.div_interval=1", NULL, code, 138);
}

/* The multiplication of wavefront 1 finds the multiplier busy until 18; wavefront 0 fills in.
 * Wavefront 0: 2, additions 6, 10, 14. At 18 both are ready, and it is wavefront 1's turn: it
 * multiplies at 18; 0 returns at 22, ends at 26; 1 adds at 26, 30, 34 and returns at 38. */
TEST(test_fill_in)
{
    const uint32_t code[] = {asm_r(ASM_MUL, X_T1, X_A1, X_A1), asm_i(ASM_ADDI, X_T0, X_T0, 1),
                             asm_i(ASM_ADDI, X_T0, X_T0, 1), asm_i(ASM_ADDI, X_T0, X_T0, 1), RET};
    CHECK(NULL, NULL, code, 26, 42);
}

/* A load's result is there 20 cycles after its line was sent. */
TEST(test_policies)
{
    const uint32_t load[] = {asm_i(ASM_LW, X_T0, X_A2, 0), asm_r(ASM_ADD, X_T1, X_T0, X_T0), RET};
    /* In turn: 0 at 2, 10, 18, 26, return 34; 1 at 6, 14, 22, 30, return 38. */
    CHECK("gpu.scheduler=round_robin", NULL, adds, 38, 42);
    /* The first to its end: 2 to 14, return 18; then the second: 22 to 34, return 38. */
    CHECK("gpu.scheduler=greedy_oldest", NULL, adds, 22, 42);
    /* Loads at 2, 6, 10; additions are ready at 22, 26, 30. In turn: 22, 26, 30, returns 34,
     * 38, 42. */
    CHECK("gpu.scheduler=round_robin", NULL, load, 38, 42, 46);
    /* Greedy: 0 adds at 22 and returns at 26; 1 adds at 30, returns at 34; 2 at 38 and 42. */
    CHECK("gpu.scheduler=greedy_oldest", NULL, load, 30, 38, 46);
}

/* pause holds back for 16 cycles. In turn: 0 pauses at 2, 1 at 6; 0 goes on at 18 with its
 * addition, 1 at 22, the returns follow at 26 and 30. Greedy: after its pause 0 is the younger one:
 * it adds at 18 and returns at 22, as it is the last to have issued; 1 adds at 26, returns at 30.
 */
TEST(test_pause)
{
    const uint32_t code[] = {ASM_PAUSE, asm_i(ASM_ADDI, X_T0, X_T0, 1), RET};
    const uint32_t twice[] = {asm_i(ASM_ADDI, X_T0, X_T0, 1), ASM_PAUSE, RET};
    CHECK("gpu.scheduler=round_robin", NULL, code, 30, 34);
    CHECK("gpu.scheduler=greedy_oldest", NULL, code, 26, 34);
    /* Held back for one cycle alone, a greedy unit still takes the other first: 0 adds at 2, pauses
     * at 6; 1 at 10 and 14; both are ready at 18, and 0 has paused longer ago: it returns at 18, 1
     * at 22. */
    CHECK("gpu.scheduler=greedy_oldest", "gpu.pause_cycles=1", twice, 22, 26);
}
