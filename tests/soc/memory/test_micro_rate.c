/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Microbenchmarks of memory system `moesi` that kernels execute: rates. What the L1 data cache
 * delivers to wavefronts that hit is exact; what DRAM passes has bounds: never more than its 20
 * bytes per cycle of 1 ns, and at least 95 % of that where enough is under way. */
#include "common/check.h"
#include "common/fixture.h"
#include "soc/common/machine.h"

#define LINE 64u

static struct asm_code code;

/* t0 = a2 + lane << shift: where the lanes' accesses are. */
static void put_lane_address(unsigned shift)
{
    asm_put(&code, asm_SLLI(T0, A1, (int32_t)shift));
    asm_put(&code, asm_ADD(T0, T0, A2));
}

/* ---- the L1 data cache ---- */

#define LOADS 8u /* of one round of the loop */

/* a3 rounds of loads of the same 64 lines, one per lane; registers differ, so nothing waits. */
static void put_hits(void)
{
    asm_begin(&code);
    put_lane_address(6);
    asm_label(&code, 0);
    for (uint32_t i = 0; i < LOADS; i++) {
        asm_put(&code, asm_LD(S2 + i, T0, 0));
    }
    asm_put(&code, asm_ADDI(A3, A3, -1));
    asm_to(&code, asm_BNE(A3, ZERO, 0), 0);
    asm_put(&code, ASM_RET);
}

/* `waves` wavefronts, a multiple of 4, load all lines of 4 KiB, which are in the cache. Each of the
 * 4 SIMD units begins 2 cycles after the launch, with two instructions of 4 cycles for each of its
 * wavefronts in turn. From then on the port is never idle, as a load has 64 lines and takes 4
 * cycles to issue: n lines go out in n cycles, or in n / ports; the last one's data are there 4
 * later. */
static void hits(const char *ports, const char *lines_per_cycle, uint64_t rate, uint32_t waves)
{
    struct machine *m = MACHINE("mem.system=moesi", ports, lines_per_cycle);
    const uint64_t rounds = 10;
    const uint64_t lines = waves * rounds * LOADS * LANES;

    put_hits();
    machine_load(m, &code);
    m->arguments[0] = machine_take(m, LANES * LINE);
    m->arguments[1] = 1;
    machine_launch(m, 0, 0, 0, LANES); /* brings the lines */
    machine_run(m);
    fixture_clear_counters(m->gpu);
    m->arguments[1] = rounds;
    const uint64_t begin = m->gpu->event_queue->now;
    for (uint32_t i = 0; i < waves; i++) {
        machine_launch(m, 0, 0, 0, LANES);
    }
    machine_run(m);
    assert_int_equal(m->mem->counters.l1[L1D].served[HIT_L1], lines);
    assert_int_equal(m->mem->counters.l1[L1D].accesses, lines);
    assert_int_equal(m->gpu->event_queue->now - begin, 2 + 8 * (waves / 4) + lines / rate - 1 + 4);
    machine_destroy(m);
}

/* One line per cycle and no more, however many wavefronts want it; also where the compute unit
 * could send four; two with two ports. */
TEST(test_l1_rate)
{
    hits("l1d.ports=1", "gpu.lines_per_cycle=1", 1, 4);
    hits("l1d.ports=1", "gpu.lines_per_cycle=1", 1, 40);
    hits("l1d.ports=1", "gpu.lines_per_cycle=4", 1, 4);
    hits("l1d.ports=2", "gpu.lines_per_cycle=2", 2, 40);
}

/* ---- DRAM ---- */

#define CHUNK 2048u /* bytes of one round of the loop: four loads of 8 bytes and 64 lanes */

/* a4 rounds over consecutive memory at a2; with a store of what was loaded to the same place behind
 * a3, or without. */
static void put_stream(bool stores)
{
    asm_begin(&code);
    put_lane_address(3);
    asm_put(&code, asm_ADD(T1, T0, A3));
    asm_label(&code, 0);
    for (uint32_t i = 0; i < 4; i++) {
        asm_put(&code, asm_LD(S2 + i, T0, (int32_t)(512 * i)));
    }
    for (uint32_t i = 0; stores && i < 4; i++) {
        asm_put(&code, asm_SD(S2 + i, T1, (int32_t)(512 * i)));
    }
    asm_put(&code, asm_ADDI(A4, A4, -1));
    asm_put(&code, asm_ADDI(T0, T0, CHUNK / 2));
    asm_put(&code, asm_ADDI(T0, T0, CHUNK / 2));
    asm_put(&code, asm_ADDI(T1, T1, CHUNK / 2));
    asm_put(&code, asm_ADDI(T1, T1, CHUNK / 2));
    asm_to(&code, asm_BNE(A4, ZERO, 0), 0);
    asm_put(&code, ASM_RET);
}

/* As many wavefronts as there are, on all compute units, go through 1 MiB for each compute unit.
 * Returns the machine at the end. */
static struct machine *stream(const char *cus, uint32_t waves, bool stores)
{
    /* With stores, a small L2, so that what is written goes on to DRAM. */
    struct machine *m = MACHINE("mem.system=moesi", cus, stores ? "l2.size=64KiB" : "l2.size=1MiB");
    const uint64_t count = m->gpu->cu_count;
    const uint64_t each = SL_MIB(1) / waves / CHUNK * CHUNK;
    const uint64_t base = machine_take(m, 2 * each * waves * count);

    put_stream(stores);
    machine_load(m, &code);
    m->arguments[1] = each * waves * count;
    m->arguments[2] = each / CHUNK;
    for (uint32_t i = 0; i < count * waves; i++) {
        m->arguments[0] = base + i * each;
        machine_launch(m, (uint32_t)(i % count), 0, 0, LANES);
    }
    machine_run(m);
    assert_int_equal(m->faults, 0);
    const uint64_t lines = each * waves * count / LINE;
    const uint64_t code_lines = (asm_here(&code) + LINE - 1) / LINE;
    assert_true(m->mem->counters.dram_reads >= lines * (stores ? 2 : 1));
    assert_true(stores || m->mem->counters.dram_reads == lines + code_lines);
    assert_true(!stores || m->mem->counters.dram_writes >= lines - SL_MIB(1) / 16 / LINE);
    return m;
}

/* A line is 64 / 20 = 3.2 cycles of DRAM's bus. At the end, a queue of 32 writes may still have to
 * go; nobody waits for them. */
static void expect_rate(const char *cus, uint32_t waves, bool stores)
{
    struct machine *m = stream(cus, waves, stores);
    const struct mem_counters *counters = &m->mem->counters;
    const uint64_t cycles = m->gpu->event_queue->now;
    const uint64_t tenths = 32 * (counters->dram_reads + counters->dram_writes);

    assert_true(tenths <= 10 * cycles + (stores ? 32 * 32 : 0));
    assert_true(tenths >= cycles * 10 * 95 / 100);
    machine_destroy(m);
}

/* One compute unit is enough: its 32 MSHRs and 64 bytes each 52 cycles later would do for 39 bytes
 * per cycle. The first load comes after 50 cycles of code from DRAM and the latency; the rest of
 * the time the bus has work. */
TEST(test_read)
{
    expect_rate("gpu.cus=1", 16, false);
    expect_rate("gpu.cus=2", 8, false);
    expect_rate("gpu.cus=8", 2, false);
    expect_rate("gpu.cus=8", 40, false);
}

/* A line that is copied is read, its destination is read to be owned, and written back when it is
 * replaced: three transfers. */
TEST(test_copy)
{
    expect_rate("gpu.cus=1", 16, true);
    expect_rate("gpu.cus=8", 8, true);
    expect_rate("gpu.cus=8", 40, true);
}
