/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The trace of instructions and samples of statistics (sim-soc/observers/trace,
 * sim-soc/observers/sample.c), as records in their rings, each worked out by hand.
 *
 * A wavefront of three lanes runs, on memory flat. It issues its first instruction 2 cycles of 1 ns
 * after its launch at L (a cycle, and the fetch's), and the next one 4 later each, which is what a
 * SIMD unit of 16 lanes takes for 64:
 *
 *     0   addi t0, a1, 1     L + 2     a1 is 4, 5, 6
 *     4   slli t1, a1, 3         6
 *     8   add  t1, t1, a2       10     a2 is the array of words 0, 10, 20...
 *     c   ld   t2, 0(t1)        14     takes effect after 10, is there after 20
 *     10  addi zero, zero, 0    18
 *     14  addi t2, t2, 5        34
 *     18  beq  t2, t0, 0x20     38     45, 55, 65 against 5, 6, 7: no lane branches
 *     1c  ret                   42 */
#include <stdlib.h>
#include <string.h>

#include "common/check.h"
#include "soc/common/driver.h"

#define FIRST      4u
#define LANES_USED 3u
#define MASK       7u
#define BASE       SL_KERNEL_BASE

static struct asm_code code;

struct bench {
    struct driver *driver;
    struct sl_instructions *trace;
    struct sl_samples *samples;
    uint64_t kernel;
    uint64_t other; /* the same code, of another entry */
    uint64_t lost;  /* jumps out of the code */
    uint64_t read;  /* words of the trace's ring */
};

static void on_ring(void *owner, uint32_t *word)
{
    (void)owner;
    (void)word;
}

static void on_full(void *owner, uint32_t *word, uint32_t value)
{
    (void)owner;
    (void)word;
    (void)value;
    fail_msg("the ring is full");
}

static void place_code(struct bench *b)
{
    struct driver *d = b->driver;
    const uint64_t words = driver_take(d, 64);

    for (uint64_t i = 0; i < 8; i++) {
        ((uint64_t *)driver_at(d, words))[i] = 10 * i;
    }
    asm_begin(&code);
    asm_put(&code, asm_ADDI(T0, A1, 1));
    asm_put(&code, asm_SLLI(T1, A1, 3));
    asm_put(&code, asm_ADD(T1, T1, A2));
    asm_put(&code, asm_LD(T2, T1, 0));
    asm_put(&code, asm_ADDI(ZERO, ZERO, 0));
    asm_put(&code, asm_ADDI(T2, T2, 5));
    asm_put(&code, asm_BEQ(T2, T0, 8));
    asm_put(&code, ASM_RET);
    const uint32_t other = asm_here(&code);
    asm_put(&code, ASM_RET);
    const uint32_t lost = asm_here(&code);
    asm_put(&code, asm_JALR(ZERO, A2, 0));
    driver_place(d, &code);
    b->lost = driver_kernel(d, lost, 0x1000);
    b->kernel = driver_kernel(d, 0, words);
    b->other = driver_kernel(d, other, 0);
}

/* A machine with a trace of what `wanted` says, and samples of each interval. */
static struct bench bench_create(const struct sl_traced *wanted, uint64_t interval_cycles)
{
    struct bench b = {.driver = DRIVER("mem.system=flat", "agg.core=simple")};
    struct driver *d = b.driver;
    struct soc_blocks blocks = {0};

    d->soc->host.rings = (struct ring_host){NULL, on_ring, on_full};
    b.trace = calloc(1, sizeof *b.trace);
    b.samples = calloc(1, sizeof *b.samples);
    assert_non_null(b.trace);
    assert_non_null(b.samples);
    if (wanted != NULL) {
        b.trace->wanted = *wanted;
        blocks.instructions = b.trace;
    }
    if (interval_cycles > 0) {
        b.samples->interval_cycles = interval_cycles;
        blocks.samples = b.samples;
    }
    assert_int_equal(soc_observe(d->soc, &d->config, &blocks), 0);
    place_code(&b);
    return b;
}

static void bench_destroy(struct bench *b)
{
    driver_destroy(b->driver);
    free(b->trace);
    free(b->samples);
}

/* Runs a wavefront of each kernel; returns when the first one was launched, in ps. */
static uint64_t run(struct bench *b)
{
    struct driver *d = b->driver;

    driver_begin(d);
    driver_packet(d, b->kernel, FIRST, LANES_USED)->index_mask = 63;
    driver_bell(d);
    const uint64_t launch_ps = d->soc->core->time_ps / 1000 * 1000 + 8000;
    driver_await(d, SL_REG_COMPLETION_TAIL, 1);
    driver_packet(d, b->other, 0, 1)->index_mask = 63;
    driver_bell(d);
    driver_await(d, SL_REG_COMPLETION_TAIL, 2);
    return launch_ps;
}

static struct sl_traced all(void)
{
    return (struct sl_traced){.waves = 1, .results = 1, .to_ps = UINT64_MAX, .lines = UINT64_MAX};
}

/* ---- records ---- */

static const struct sl_traced_record *next(struct bench *b)
{
    assert_true(b->read < b->trace->ring.tail);
    const struct sl_traced_record *record = (void *)sl_ring_at(&b->trace->ring, b->read);
    b->read += record->words;
    return record;
}

static const struct sl_traced_record *expect(struct bench *b, enum sl_traced_kind kind,
                                             uint64_t time_ps, uint32_t offset)
{
    const struct sl_traced_record *record = next(b);

    assert_int_equal(record->kind, kind);
    assert_int_equal(record->time_ps, time_ps);
    assert_int_equal(record->pc, BASE + offset);
    assert_int_equal(record->lanes, MASK);
    assert_int_equal(record->entry, BASE);
    assert_int_equal(record->wave, 0);
    assert_int_equal(record->cu, 0);
    assert_int_equal(record->context, 0);
    return record;
}

static void expect_issue(struct bench *b, uint64_t time_ps, uint32_t offset)
{
    const struct sl_traced_record *record = expect(b, SL_TRACED_ISSUE, time_ps, offset);

    assert_int_equal(record->word, code.word[offset / 4]);
    assert_int_equal(record->words, SL_TRACED_WORDS);
}

/* Values of three lanes, from `first` on. */
static void expect_values(struct bench *b, enum sl_traced_kind kind, uint64_t time_ps,
                          uint32_t offset, uint32_t rd, uint64_t first, uint64_t step)
{
    const struct sl_traced_record *record = expect(b, kind, time_ps, offset);
    const uint64_t *values = (const void *)(record + 1);

    assert_int_equal(record->rd, rd);
    assert_int_equal(record->words, SL_TRACED_WORDS + LANES_USED);
    for (uint64_t i = 0; i < LANES_USED; i++) {
        assert_int_equal(values[i], first + i * step);
    }
}

static void expect_mark(struct bench *b, enum sl_traced_kind kind, uint64_t left_out)
{
    const struct sl_traced_record *record = next(b);

    assert_int_equal(record->kind, kind);
    assert_int_equal(record->wave, left_out);
}

static void expect_none(const struct bench *b)
{
    assert_int_equal(b->read, b->trace->ring.tail);
}

/* ---- tests ---- */

TEST(every_instruction_and_result)
{
    const struct sl_traced wanted = all();
    struct bench b = bench_create(&wanted, 0);
    const uint64_t at = run(&b);
    const uint64_t words = ((const struct sl_kernel *)driver_at(b.driver, b.kernel))->argument[0];

    expect_mark(&b, SL_TRACED_BEGIN, 0);
    expect_issue(&b, at + 2000, 0x0);
    expect_values(&b, SL_TRACED_RESULT, at + 2000, 0x0, T0, FIRST + 1, 1);
    expect_issue(&b, at + 6000, 0x4);
    expect_values(&b, SL_TRACED_RESULT, at + 6000, 0x4, T1, 8 * FIRST, 8);
    expect_issue(&b, at + 10000, 0x8);
    expect_values(&b, SL_TRACED_RESULT, at + 10000, 0x8, T1, words + 8 * FIRST, 8);
    expect_issue(&b, at + 14000, 0xc);
    expect_issue(&b, at + 18000, 0x10);
    expect_values(&b, SL_TRACED_LATE, at + 24000, 0xc, T2, 10 * FIRST, 10);
    expect_issue(&b, at + 34000, 0x14);
    expect_values(&b, SL_TRACED_RESULT, at + 34000, 0x14, T2, 10 * FIRST + 5, 10);
    expect_issue(&b, at + 38000, 0x18);
    expect_issue(&b, at + 42000, 0x1c);
    assert_int_equal(next(&b)->entry, BASE + 0x20); /* the other kernel's return */
    expect_none(&b);
    (void)driver_end(b.driver);
    expect_mark(&b, SL_TRACED_END, 0);
    expect_none(&b);
    bench_destroy(&b);
}

/* What is fetched outside the code is no instruction, and is not counted as one either. */
TEST(nothing_outside_the_code)
{
    const struct sl_traced wanted = all();
    struct bench b = bench_create(&wanted, 0);

    driver_begin(b.driver);
    driver_packet(b.driver, b.lost, FIRST, LANES_USED)->index_mask = 63;
    driver_bell(b.driver);
    driver_await(b.driver, SL_REG_FAULT_TAIL, 1);
    expect_mark(&b, SL_TRACED_BEGIN, 0);
    assert_int_equal(next(&b)->kind, SL_TRACED_ISSUE);
    expect_none(&b);
    assert_int_equal(driver_end(b.driver)[SL_STAT_SIMT_WAVE_INSTRUCTIONS], 1);
    bench_destroy(&b);
}

/* Runs with a filter and counts the instructions that are there. */
static unsigned count_wanted(const struct sl_traced *wanted)
{
    struct bench b = bench_create(wanted, 0);
    unsigned count = 0;

    (void)run(&b);
    while (b.read < b.trace->ring.tail) {
        count += next(&b)->kind == SL_TRACED_ISSUE;
    }
    bench_destroy(&b);
    return count;
}

static struct sl_traced_list one(uint64_t first, uint64_t last)
{
    return (struct sl_traced_list){.count = 1, .range = {{first, last}}};
}

TEST(filters)
{
    struct sl_traced wanted = all();
    struct bench b = bench_create(NULL, 0);
    const uint64_t at = run(&b);

    bench_destroy(&b);
    wanted.results = 0;
    assert_int_equal(count_wanted(&wanted), 9);
    wanted.kernels = one(BASE + 0x20, BASE + 0x20);
    assert_int_equal(count_wanted(&wanted), 1);
    wanted.kernels = one(BASE, BASE);
    assert_int_equal(count_wanted(&wanted), 8);
    wanted.pcs = one(BASE + 8, BASE + 0x13);
    assert_int_equal(count_wanted(&wanted), 3);
    wanted.from_ps = at + 14000;
    assert_int_equal(count_wanted(&wanted), 2);
    wanted.to_ps = at + 18000;
    assert_int_equal(count_wanted(&wanted), 1);
    wanted.numbers = one(1, 5);
    assert_int_equal(count_wanted(&wanted), 0);
    wanted = all();
    wanted.numbers = one(1, 1);
    assert_int_equal(count_wanted(&wanted), 1);
    wanted.cus = one(1, 63);
    assert_int_equal(count_wanted(&wanted), 0);
    wanted = all();
    wanted.waves = 0;
    assert_int_equal(count_wanted(&wanted), 0);
}

/* Results of instructions are of their line; those of loads are lines. */
TEST(lines_are_limited)
{
    struct sl_traced wanted = all();

    wanted.lines = 5;
    struct bench b = bench_create(&wanted, 0);
    (void)run(&b);
    (void)driver_end(b.driver);
    for (unsigned i = 0; i < 1 + 5 + 3; i++) {
        (void)next(&b);
    }
    expect_mark(&b, SL_TRACED_END, 5); /* the load's value and 4 instructions */
    (void)run(&b);
    (void)driver_end(b.driver);
    expect_mark(&b, SL_TRACED_BEGIN, 0);
    expect_mark(&b, SL_TRACED_END, 10);
    expect_none(&b);
    bench_destroy(&b);
}

/* One of the aggregator's is there when it takes effect: idle ones take 3 cycles of 500 ps. */
TEST(firmware)
{
    struct sl_traced wanted = all();

    wanted.waves = 0;
    wanted.firmware = 1;
    struct bench b = bench_create(&wanted, 0);
    driver_begin(b.driver);
    b.read = b.trace->ring.tail;
    const uint64_t from_ps = b.driver->soc->core->time_ps;
    driver_idle(b.driver, 3);
    for (unsigned i = 1; i <= 3; i++) {
        const struct sl_traced_record *record = next(&b);
        assert_int_equal(record->kind, SL_TRACED_FIRMWARE);
        assert_int_equal(record->pc, SL_FIRMWARE_BASE);
        assert_int_equal(record->time_ps, from_ps + i * DRIVER_IDLE_PS);
    }
    expect_none(&b);
    bench_destroy(&b);
}

/* ---- samples ---- */

#define INTERVAL 20u

static const struct sl_sample *sample(const struct bench *b, uint64_t number)
{
    return (void *)sl_ring_at(&b->samples->ring, number * SL_SAMPLE_WORDS);
}

/* One at each 20 ns, and one at the end, which has the run's statistics; whether the launched
 * wavefront is there is what the times above say. */
TEST(samples)
{
    struct bench b = bench_create(NULL, INTERVAL);
    const uint64_t at = run(&b);
    const uint64_t *statistics = driver_end(b.driver);
    const uint64_t end_ps = b.driver->soc->core->time_ps;
    const uint64_t taken = end_ps / (INTERVAL * 1000);

    assert_int_equal(b.samples->ring.tail, (taken + 2) * SL_SAMPLE_WORDS);
    assert_int_equal(sample(&b, 0)->kind, SL_SAMPLE_BEGIN);
    assert_int_equal(sample(&b, 0)->statistics[SL_STAT_AGG_INSTRUCTIONS], 0);
    for (uint64_t i = 1; i <= taken; i++) {
        const uint64_t time_ps = i * INTERVAL * 1000;
        const uint64_t issued = time_ps < at + 2000    ? 0
                                : time_ps < at + 18000 ? (time_ps - at - 2000) / 4000 + 1
                                : time_ps < at + 34000 ? 5
                                : time_ps < at + 42000 ? (time_ps - at - 34000) / 4000 + 6
                                                       : 8;
        assert_int_equal(sample(&b, i)->kind, SL_SAMPLE_TAKEN);
        assert_int_equal(sample(&b, i)->time_ps, time_ps);
        assert_int_equal(sample(&b, i)->statistics[SL_STAT_GPU_CYCLES], i * INTERVAL);
        if (time_ps < at + 42000) {
            assert_int_equal(sample(&b, i)->statistics[SL_STAT_SIMT_WAVE_INSTRUCTIONS], issued);
            assert_int_equal(sample(&b, i)->gauges[SL_GAUGE_RESIDENT], time_ps >= at);
        }
    }
    assert_int_equal(sample(&b, taken + 1)->kind, SL_SAMPLE_LAST);
    assert_int_equal(sample(&b, taken + 1)->time_ps, end_ps);
    for (unsigned i = 0; i < SL_STAT_COUNT; i++) {
        if (i != SL_STAT_SIM_WALL_S && i != SL_STAT_SIM_WAVE_INSTRUCTIONS_PER_S) {
            assert_int_equal(sample(&b, taken + 1)->statistics[i], statistics[i]);
        }
    }
    bench_destroy(&b);
}
