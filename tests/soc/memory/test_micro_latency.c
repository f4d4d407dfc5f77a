/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Microbenchmarks of memory system `moesi` that kernels execute: latencies that a chain of loads
 * sees, and what a kernel larger than the instruction cache costs. Every duration is worked out by
 * hand, to the cycle, from docs/look-up/memory-moesi.md:
 *
 *     L1 hit 4          L2 hit 4 + 1 + 16 + 1 = 22       DRAM 4 + 1 + 16 + 30 + 1 = 52
 *     a fetch: hit 2    from the L2 2 + 1 + 16 + 1 = 20  DRAM 2 + 1 + 16 + 30 + 1 = 50
 *
 * One wavefront occupies its SIMD unit for 4 cycles per instruction; it fetches a code line when
 * the last instruction of the line before issues. */
#include <stdlib.h>

#include "common/check.h"
#include "common/fixture.h"
#include "soc/common/machine.h"

#define LINE       64u
#define LINE_WORDS (LINE / 4)

static struct asm_code code;

/* Runs one lane and returns how long it took. */
static uint64_t run(struct machine *m)
{
    const uint64_t number = m->gpu->pool.wave_count;
    const uint64_t begin = m->gpu->event_queue->now;

    machine_launch(m, 0, 0, 0, 1);
    machine_run(m);
    assert_int_equal(m->faults, 0);
    return m->waves[number].end_cycle - begin;
}

/* Pointers, one to a cache line, that lead through all lines of an array in a random order. Returns
 * the address of the first. */
static uint64_t make_ring(struct machine *m, uint32_t lines)
{
    const uint64_t base = machine_take(m, (uint64_t)lines * LINE);
    uint32_t *order = calloc(lines, sizeof *order);
    uint64_t random = 12345;

    assert_non_null(order);
    for (uint32_t i = 1; i < lines; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        const uint32_t at = (uint32_t)(random >> 33) % (i + 1);
        order[i] = order[at];
        order[at] = i;
    }
    for (uint32_t i = 0; i < lines; i++) {
        uint64_t *place = machine_at(m, base + (uint64_t)order[i] * LINE);
        *place = base + (uint64_t)order[(i + 1) % lines] * LINE;
    }
    const uint64_t first = base + (uint64_t)order[0] * LINE;
    free(order);
    return first;
}

#define STEPS 8u /* loads of one round of the loop */

/* A loop in one line of code: a2 is followed, a3 rounds are counted. */
static void put_chase(void)
{
    asm_begin(&code);
    asm_label(&code, 0);
    asm_put(&code, asm_LD(A2, A2, 0));
    asm_put(&code, asm_ADDI(A3, A3, -1));
    asm_repeat(&code, asm_LD(A2, A2, 0), STEPS - 1);
    asm_to(&code, asm_BNE(A3, ZERO, 0), 0);
    asm_put(&code, ASM_RET);
    assert_true(asm_here(&code) <= LINE);
}

/* Goes through a ring of `bytes` once, and then `passes` times, which are to take so long. Returns
 * the machine for a look at its counters, which are those of the second run alone. */
static struct machine *chase(const char *const *settings, uint32_t bytes, uint32_t passes,
                             uint64_t expected)
{
    struct machine *m = machine_create(settings);
    const uint32_t lines = bytes / LINE;

    put_chase();
    machine_load(m, &code);
    m->arguments[0] = make_ring(m, lines);
    m->arguments[1] = lines / STEPS;
    (void)run(m);
    fixture_clear_counters(m->gpu);
    m->arguments[1] = (uint64_t)passes * lines / STEPS;
    assert_int_equal(run(m), expected);
    assert_int_equal(m->mem->counters.l1[L1D].accesses, passes * lines);
    return m;
}

static const char *const paper[] = {"mem.system=moesi", NULL};

/* Longer ways: hit 6, L2 6 + 2 + 20 + 2 = 30, DRAM 30 + 40 = 70, fetch from DRAM 2 + 2 + 20 + 40 +
 * 2 = 66. */
static const char *const slower[] = {"mem.system=moesi",  "l1d.cycles=6",      "l2.cycles=20",
                                     "crossbar.cycles=2", "dram.latency=40ns", NULL};

/* 8 KiB are in the L1 cache. The code line is there after 2 cycles. A round issues ld at 0, addi at
 * 4, ld at 8, 12, ... 32, bne at 36: 40 cycles, of which addi and bne are 8 and 8 loads 4 each. The
 * ret behind the last round takes 4. With a latency of 6: ld at 0, addi at 4, ld at 8, 14, ... 44,
 * bne at 48: 52. */
TEST(test_l1)
{
    const uint64_t rounds = 5ull * 8192 / LINE / STEPS;
    struct machine *m = chase(paper, 8192, 5, 2 + 40 * rounds + 4);
    assert_int_equal(m->mem->counters.l1[L1D].served[HIT_L1], 8 * rounds);
    machine_destroy(m);
    machine_destroy(chase(slower, 8192, 5, 2 + 52 * rounds + 4));
    /* All 16 KiB, too. */
    machine_destroy(chase(paper, 16384, 5, 2 + 40 * 2 * rounds + 4));
}

/* 128 KiB are in the L2: each line was replaced in the L1 cache before its turn comes again. addi,
 * bne and ret hide behind loads, so each step costs 22 and nothing else does. */
TEST(test_l2)
{
    const uint64_t steps = 3ull * 131072 / LINE;
    struct machine *m = chase(paper, 131072, 3, 2 + 22 * steps);
    assert_int_equal(m->mem->counters.l1[L1D].served[HIT_L2], steps);
    machine_destroy(m);
    machine_destroy(chase(slower, 131072, 3, 2 + 30 * steps));
}

/* 2 MiB are in DRAM alone: each step costs 52. The first run took the code line out of the L2, so
 * it comes from DRAM, in 50. */
TEST(test_dram)
{
    const uint64_t steps = 2ull * 1048576 / LINE;
    struct machine *m = chase(paper, 2 * 1048576, 1, 50 + 52 * steps);
    assert_int_equal(m->mem->counters.l1[L1D].served[HIT_DRAM], steps);
    assert_int_equal(m->mem->counters.dram_reads, steps + 1);
    machine_destroy(m);
    machine_destroy(chase(slower, 2 * 1048576, 1, 66 + 70 * steps));
}

/* One line more than the L1 cache holds, in each of its 16 sets: what was used least recently is
 * what is wanted next, so all is missed. */
TEST(test_beyond_l1)
{
    const uint64_t steps = 4ull * 17 * 1024 / LINE;
    machine_destroy(chase(paper, 17 * 1024, 4, 2 + 22 * steps));
}

/* A loop of `lines` lines of code, all additions but its end: subtraction, branch behind the loop,
 * jump. A branch does not reach so far back. */
static void put_long_loop(uint32_t lines)
{
    asm_begin(&code);
    asm_label(&code, 0);
    asm_repeat(&code, ASM_NOP, lines * LINE_WORDS - 3);
    asm_put(&code, asm_ADDI(A3, A3, -1));
    asm_to(&code, asm_BEQ(A3, ZERO, 0), 1);
    asm_to(&code, asm_JAL(ZERO, 0), 0);
    asm_label(&code, 1);
    asm_put(&code, ASM_RET);
}

/* A line of 16 instructions takes 64 cycles; the next one's fetch begins with the last of them, so
 * that a hit costs nothing, a fetch from the L2 20 - 4 = 16 more, one from DRAM 50 - 4 = 46. The
 * first round begins with 50 and has all other lines from DRAM. The last one leaves its jump out;
 * its branch, 8 cycles before the round's end, fetches the ret behind the loop from DRAM: there 50
 * later, the end 4 after that. */
static void code_loop(uint32_t lines, uint32_t misses)
{
    const uint64_t rounds = 5;
    struct machine *m = MACHINE("mem.system=moesi");
    const struct l1_counters *l1i = &m->mem->counters.l1[L1I];

    put_long_loop(lines);
    machine_load(m, &code);
    m->arguments[1] = rounds;
    const uint64_t first = 50 + 64 + (lines - 1) * (46ull + 64);
    const uint64_t other = 64ull * lines + 16ull * misses;
    assert_int_equal(run(m), first + (rounds - 1) * other - 8 + 50 + 4);
    assert_int_equal(l1i->accesses, rounds * lines + 1);
    assert_int_equal(l1i->served[HIT_DRAM], lines + 1);
    assert_int_equal(l1i->served[HIT_L2], (rounds - 1) * misses);
    assert_int_equal(l1i->served[HIT_L1], (rounds - 1) * (lines - misses));
    machine_destroy(m);
}

/* The instruction cache has 64 sets of 8 lines. 512 lines of code, 32 KiB, fit; of 544, half of the
 * sets have 9 to hold, used in turn, and miss all of them: 288; of 576 all sets do. */
TEST(test_code)
{
    code_loop(64, 0);
    code_loop(512, 0);
    code_loop(544, 288);
    code_loop(576, 576);
}
