/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Outcomes that the order of memory accesses forbids (docs/look-up/isa.md), looked for in many
 * timings of two wavefronts on two compute units: each pauses for a random time first, and some of
 * the lines are in some of the caches before.
 *
 * SB: each stores, with release, and loads what the other stores, with acquire; both reading the
 * old value is forbidden, since releases and acquires are sequentially consistent. CoRR: one loads
 * the same word twice, the other stores to it; a new value first and the old one then is forbidden.
 * The first of the two loads has another line, too, which is slower. */
#include <stdlib.h>

#include "common/check.h"
#include "soc/common/machine.h"

#define TIMINGS 10000u
#define BATCH   100u /* timings on one machine */
#define LINE    SL_CACHE_LINE_BYTES

/* Of 64 bits, device scope (docs/look-up/isa.md). */
#define STORE_RELEASE(rs2, rs1) (0x3a00602bu | (rs1) << 15 | (rs2) << 20)
#define LOAD_ACQUIRE(rd, rs1)   (0x3400602bu | (rs1) << 15 | (rd) << 7)

static struct asm_code code;

static uint64_t random_state;

static uint32_t random_below(uint32_t limit)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_state >> 33) % limit;
}

/* Kernels by their offset in the code; a2 the pause, other arguments from a3. */
struct kernels {
    uint32_t touch;  /* loads the word at a3 */
    uint32_t buffer; /* SB: a3 the own word, a4 the other's, a5 the result */
    uint32_t read;   /* CoRR: lanes 0 and 1 load a3 and a4, then lane 0 a3 again; results at a5 */
    uint32_t write;  /* CoRR: stores 1 to a3 */
};

static void put_sb(void)
{
    asm_put(&code, asm_SL_PAUSE(A2));
    asm_li(&code, T0, 1);
    asm_put(&code, STORE_RELEASE(T0, A3));
    asm_put(&code, LOAD_ACQUIRE(T1, A4));
    asm_put(&code, asm_SD(T1, A5, 0));
    asm_put(&code, ASM_RET);
}

/* Lane i's address is a3 + i x (a4 - a3): two lanes, two lines. */
static void put_read(void)
{
    asm_put(&code, asm_SL_ID(T0, SL_ID_LANE));
    asm_put(&code, asm_SUB(T1, A4, A3));
    asm_put(&code, asm_MUL(T1, T1, T0));
    asm_put(&code, asm_ADD(T1, T1, A3));
    asm_put(&code, asm_SLLI(T0, T0, 4));
    asm_put(&code, asm_ADD(T0, T0, A5));
    asm_put(&code, asm_SL_PAUSE(A2));
    asm_put(&code, asm_LD(T2, T1, 0));
    asm_put(&code, asm_LD(T3, A3, 0));
    asm_put(&code, asm_SD(T2, T0, 0));
    asm_put(&code, asm_SD(T3, T0, 8));
    asm_put(&code, ASM_RET);
}

static struct kernels put_kernels(void)
{
    struct kernels at;

    asm_begin(&code);
    at.touch = asm_here(&code);
    asm_function(&code);
    asm_put(&code, asm_LD(T0, A3, 0));
    asm_put(&code, ASM_RET);
    at.buffer = asm_here(&code);
    asm_function(&code);
    put_sb();
    at.read = asm_here(&code);
    asm_function(&code);
    put_read();
    at.write = asm_here(&code);
    asm_function(&code);
    asm_put(&code, asm_SL_PAUSE(A2));
    asm_li(&code, T0, 1);
    asm_put(&code, asm_SD(T0, A3, 0));
    asm_put(&code, ASM_RET);
    return at;
}

static void launch(struct machine *m, uint32_t cu, uint32_t pc, uint32_t lanes, uint64_t pause,
                   uint64_t a3, uint64_t a4, uint64_t a5)
{
    m->arguments[0] = pause;
    m->arguments[1] = a3;
    m->arguments[2] = a4;
    m->arguments[3] = a5;
    machine_launch(m, cu, pc, 0, lanes);
}

/* Brings each of some lines into some caches. */
static void warm(struct machine *m, uint32_t touch, const uint64_t *lines, uint32_t count)
{
    for (uint32_t i = 0; i < 2 * count; i++) {
        if (random_below(3) == 0) {
            launch(m, i % 2, touch, 1, 0, lines[i / 2], 0, 0);
            machine_run(m);
        }
    }
}

static uint64_t word_at(const struct machine *m, uint64_t address)
{
    return *(const uint64_t *)machine_at(m, address);
}

static struct machine *create(const char *system, struct kernels *at)
{
    struct machine *m = MACHINE(system, "gpu.cus=2", "gpu.contexts=8", "gpu.pause_cycles=1");

    *at = put_kernels();
    machine_load(m, &code);
    return m;
}

/* Returns whether both read what was there before. */
static bool one_sb(struct machine *m, const struct kernels *at)
{
    const uint64_t base = machine_take(m, 4 * LINE);
    const uint64_t words[] = {base, base + LINE};

    warm(m, at->touch, words, 2);
    for (uint32_t cu = 0; cu < 2; cu++) {
        launch(m, cu, at->buffer, 1, random_below(120), words[cu], words[1 - cu],
               base + (2 + cu) * LINE);
    }
    machine_run(m);
    return word_at(m, base + 2 * LINE) == 0 && word_at(m, base + 3 * LINE) == 0;
}

/* Returns whether the second load read an older value than the first. */
static bool one_corr(struct machine *m, const struct kernels *at)
{
    const uint64_t base = machine_take(m, 3 * LINE);
    const uint64_t words[] = {base, base + LINE};

    warm(m, at->touch, words, 2);
    launch(m, 0, at->read, 2, random_below(120), words[0], words[1], base + 2 * LINE);
    launch(m, 1, at->write, 1, random_below(160), words[0], 0, 0);
    machine_run(m);
    return word_at(m, base + 2 * LINE) == 1 && word_at(m, base + 2 * LINE + 8) == 0;
}

static unsigned count(const char *system, bool (*one)(struct machine *, const struct kernels *))
{
    unsigned forbidden = 0;

    random_state = 1;
    for (unsigned batch = 0; batch < TIMINGS / BATCH; batch++) {
        struct kernels at;
        struct machine *m = create(system, &at);
        for (unsigned i = 0; i < BATCH; i++) {
            forbidden += one(m, &at);
        }
        assert_int_equal(m->faults, 0);
        machine_destroy(m);
    }
    return forbidden;
}

TEST(test_store_buffering)
{
    assert_int_equal(count("mem.system=moesi", one_sb), 0);
    assert_int_equal(count("mem.system=flat", one_sb), 0);
}

TEST(test_coherence_of_reads)
{
    assert_int_equal(count("mem.system=moesi", one_corr), 0);
    assert_int_equal(count("mem.system=flat", one_corr), 0);
}
