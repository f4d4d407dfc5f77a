/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Wavefront yield and restart through the rings: times worked out by hand, the state that comes
 * back, the ring that runs full, and what is refused.
 *
 * What holds where a test says nothing else: a doorbell arrives at cycle N, the wavefront is
 * launched at L = N + 8 and issues its first instruction at L + 2. A compute unit moves a line a
 * cycle, which is done after 20. */
#include <string.h>

#include "common/check.h"
#include "soc/common/driver.h"

#define LANES_OUT 64

static struct asm_code code;

static uint64_t bell_cycle(const struct driver *d)
{
    return d->soc->core->time_ps / 1000;
}

/* A kernel that yields on channel a0 for a1 elements and returns; it uses these two and ra. */
static uint64_t place_yield(struct driver *d)
{
    asm_begin(&code);
    asm_put(&code, asm_SL_YIELD(A0, A1));
    asm_put(&code, ASM_RET);
    driver_place(d, &code);
    const uint64_t kernel = driver_kernel(d, 0, 0);
    ((struct sl_kernel *)driver_at(d, kernel))->register_mask = 1u << A0 | 1u << A1 | 1u << RA;
    return kernel;
}

/* The yield issues at L + 2 and occupies the SIMD unit until L + 6, where saving begins: 4 lines of
 * header, one of the stack's single entry, and 3 registers of 64 lanes with 8 lines each, 29 in
 * all. The last one goes at L + 34 and is there at L + 54. A restart whose bell is at M is at R = M
 * + 8; its lines go from R + 1 to R + 29, the last one is there at R + 49, where the ret issues;
 * the wavefront has ended 4 cycles later. */
TEST(test_times)
{
    struct driver *d = DRIVER("gpu.packet_cycles=8");
    const uint64_t kernel = place_yield(d);
    driver_begin_yields(d);
    driver_packet(d, kernel, 5, 64);
    driver_bell(d);
    const uint64_t launch = bell_cycle(d) + 8;
    assert_int_equal(driver_read(d, SL_REG_ACTIVE), 1);
    driver_await(d, SL_REG_YIELD_TAIL, 1);
    assert_int_equal(driver_yield(d, 0)->time_ps, (launch + 54) * 1000);
    assert_int_equal(driver_yield(d, 0)->bytes, 29 * 64);
    assert_int_equal(driver_yield(d, 0)->resource, 3);
    assert_int_equal(driver_yield(d, 0)->demand, 5);
    assert_int_equal(driver_yield(d, 0)->channel, 3);
    assert_int_equal(driver_yield(d, 0)->dispatch, 0);
    assert_int_equal(driver_yield(d, 0)->wavefront, 0);
    assert_int_equal(driver_read(d, SL_REG_RESIDENT), 0);
    assert_int_equal(driver_read(d, SL_REG_ACTIVE), 0);
    assert_int_equal(driver_read(d, SL_REG_COMPLETION_TAIL), 0);

    driver_idle(d, 100);
    driver_restart(d, driver_yield(d, 0)->block);
    const uint64_t restart = bell_cycle(d) + 8;
    assert_int_equal(driver_read(d, SL_REG_ACTIVE), 1);
    driver_await(d, SL_REG_COMPLETION_TAIL, 1);
    assert_int_equal(driver_completion(d, 0)->time_ps, (restart + 49 + 4) * 1000);
    assert_int_equal(driver_completion(d, 0)->wavefronts, 1);
    assert_int_equal(driver_read(d, SL_REG_ACTIVE), 0);
    const uint64_t *statistics = driver_end(d);
    assert_int_equal(statistics[SL_STAT_GPU_WAVEFRONTS], 1);
    assert_int_equal(statistics[SL_STAT_GPU_DISPATCHES], 1);
    assert_int_equal(statistics[SL_STAT_GPU_YIELDS], 1);
    assert_int_equal(statistics[SL_STAT_GPU_RESTARTS], 1);
    assert_int_equal(statistics[SL_STAT_GPU_YIELD_BYTES], 29 * 64);
    driver_destroy(d);
}

/* With live registers alone: of the three only ra is read behind the yield. The table is looked at
 * for the stack's single entry, from L + 6 to L + 26, where saving begins: 4 lines of header, one
 * of the stack and 8 of ra, the last one from L + 38 to L + 58. Restored from R + 1 on, the last
 * line is there at R + 33, and the wavefront has ended 4 cycles after that. */
TEST(test_times_live)
{
    struct driver *d = DRIVER("gpu.packet_cycles=8", "gpu.yield_saves=live");
    const uint64_t kernel = place_yield(d);
    driver_begin_yields(d);
    driver_packet(d, kernel, 5, 64);
    driver_bell(d);
    const uint64_t launch = bell_cycle(d) + 8;
    driver_await(d, SL_REG_YIELD_TAIL, 1);
    assert_int_equal(driver_yield(d, 0)->time_ps, (launch + 58) * 1000);
    assert_int_equal(driver_yield(d, 0)->bytes, 13 * 64);
    const struct sl_wave_state *saved = driver_at(d, driver_yield(d, 0)->block);
    assert_int_equal(saved->saved, 1u << RA);
    driver_restart(d, driver_yield(d, 0)->block);
    const uint64_t restart = bell_cycle(d) + 8;
    driver_await(d, SL_REG_COMPLETION_TAIL, 1);
    assert_int_equal(driver_completion(d, 0)->time_ps, (restart + 33 + 4) * 1000);
    assert_int_equal(driver_end(d)[SL_STAT_GPU_YIELD_BYTES], 13 * 64);
    driver_destroy(d);
}

/* The yield waits for the wavefront's memory instructions: a load from the stack issues at L + 2,
 * has 8 lines and is done at L + 29; the yield issues then, and saving begins at L + 33. A quotient
 * that is begun in front of it, at L + 2, is there at L + 130: the yield issues at L + 6 and waits
 * for it with saving. */
TEST(test_times_behind)
{
    static const uint64_t begins[] = {33, 130};

    for (unsigned c = 0; c < 2; c++) {
        struct driver *d = DRIVER("gpu.packet_cycles=8");
        asm_begin(&code);
        asm_put(&code, c == 0 ? asm_LD(T0, SP, -8) : asm_DIV(T0, A1, A0));
        asm_put(&code, asm_SL_YIELD(A0, A1));
        asm_put(&code, ASM_RET);
        driver_place(d, &code);
        const uint64_t kernel = driver_kernel(d, 0, 0);
        ((struct sl_kernel *)driver_at(d, kernel))->register_mask = 1u << T0;
        driver_begin_yields(d);
        driver_packet(d, kernel, 0, 64);
        driver_bell(d);
        const uint64_t launch = bell_cycle(d) + 8;
        driver_await(d, SL_REG_YIELD_TAIL, 1);
        /* 4 + 1 + 8 lines: the last one 12 cycles after the first, done 20 later. */
        assert_int_equal(driver_yield(d, 0)->time_ps, (launch + begins[c] + 12 + 20) * 1000);
        driver_destroy(d);
    }
}

/* ---- what comes back ---- */

#define CLOBBER 0 /* labels */
#define CALLEE  1
#define SKIP    2

static bool is_filled(unsigned r)
{
    return r > TP && r != T5 && r != T6;
}

/* Every register that is not in the way gets lane x 1000 + its number, f registers 500 more; fcsr
 * lane modulo 128; the top slot of the stack the lane. Odd lanes yield in a function, where the
 * others have gone another way, and add 7 to s11 afterwards. All write everything out. */
static void put_main(void)
{
    asm_put(&code, asm_ADDI(TP, A2, 0));
    asm_put(&code, asm_SL_ID(T6, SL_ID_LANE));
    asm_put(&code, asm_CSRRW(ZERO, 3, T6));
    asm_put(&code, asm_SD(T6, SP, -8));
    asm_put(&code, asm_SD(RA, SP, -16));
    asm_put(&code, asm_ADDI(T5, ZERO, 1000));
    asm_put(&code, asm_MUL(T5, T5, T6));
    for (unsigned r = 0; r < 32; r++) {
        if (is_filled(r)) {
            asm_put(&code, asm_ADDI(r, T5, (int32_t)r));
        }
        asm_put(&code, asm_ADDI(T6, T5, 500 + (int32_t)r));
        asm_put(&code, asm_FMV_D_X(r, T6));
    }
    asm_put(&code, asm_SL_ID(T6, SL_ID_LANE));
    asm_put(&code, asm_ANDI(T6, T6, 1));
    asm_to(&code, asm_JAL(RA, 0), CALLEE);
    asm_put(&code, asm_LD(RA, SP, -16));
    asm_put(&code, asm_SL_ID(T5, SL_ID_LANE));
    asm_put(&code, asm_SLLI(T5, T5, 3));
    asm_put(&code, asm_ADD(T5, T5, TP));
    for (unsigned r = 0; r < 64; r++) {
        asm_put(&code, r < 32 ? asm_SD(r, T5, 0) : asm_FSD(r - 32, T5, 0));
        asm_put(&code, asm_ADDI(T5, T5, LANES_OUT * 8));
    }
    asm_put(&code, asm_CSRRS(T6, 3, ZERO));
    asm_put(&code, asm_SD(T6, T5, 0));
    asm_put(&code, asm_LD(T6, SP, -8));
    asm_put(&code, asm_SD(T6, T5, LANES_OUT * 8));
    asm_put(&code, asm_ADDI(T5, T5, 2 * LANES_OUT * 8));
    asm_put(&code, asm_SL_ID(T6, SL_ID_CU));
    asm_put(&code, asm_SD(T6, T5, 0));
    asm_put(&code, ASM_RET);
    asm_function(&code);
    asm_label(&code, CALLEE);
    asm_to(&code, asm_BEQ(T6, ZERO, 0), SKIP);
    asm_put(&code, asm_SL_YIELD(A0, A1));
    asm_put(&code, asm_ADDI(S11, S11, 7));
    asm_label(&code, SKIP);
    asm_put(&code, ASM_RET);
}

/* Overwrites all registers of its context, and its own stack. */
static void put_clobber(void)
{
    asm_function(&code);
    asm_label(&code, CLOBBER);
    asm_put(&code, asm_ADDI(T6, ZERO, -1));
    asm_put(&code, asm_SD(T6, SP, -8));
    asm_put(&code, asm_CSRRW(ZERO, 3, T6));
    for (unsigned r = 0; r < 32; r++) {
        if (r > SP) {
            asm_put(&code, asm_ADDI(r, ZERO, -1));
        }
        asm_put(&code, asm_FMV_D_X(r, T6));
    }
    asm_put(&code, ASM_RET);
}

static uint64_t expected(unsigned r, unsigned lane)
{
    return lane * 1000u + r + (r == S11 && lane % 2 == 1 ? 7 : 0);
}

/* One context for each of two compute units; the second wavefront is launched while the first one
 * has yielded, and uses its context: the first compute unit's is next in turn only after that of
 * the second, so three more of them are launched. */
static void test_state(void **state)
{
    const bool is_live = *state != NULL;
    struct driver *d = DRIVER("gpu.cus=2", "gpu.simds=1", "gpu.contexts=1",
                              is_live ? "gpu.yield_saves=live" : "gpu.yield_saves=used");
    const struct simt_stack *stack = &d->soc->gpu->waves[0].stack;
    struct stack_entry entries[3];
    asm_begin(&code);
    put_main();
    put_clobber();
    driver_place(d, &code);
    const uint64_t out = driver_take(d, (64 + 3) * LANES_OUT * 8);
    const uint64_t kernel = driver_kernel(d, 0, out);
    const uint64_t clobber = driver_kernel(d, code.label[CLOBBER], 0);
    driver_begin_yields(d);
    driver_packet(d, kernel, 0, 64);
    driver_bell(d);
    driver_await(d, SL_REG_YIELD_TAIL, 1);
    assert_int_equal(driver_yield(d, 0)->resource, expected(A0, 1)); /* of the first active lane */
    assert_int_equal(driver_yield(d, 0)->demand, expected(A1, 1));
    assert_int_equal(driver_yield(d, 0)->cu, 0);
    /* The only dead one is t5, which is written before everything is written out. */
    assert_int_equal(driver_yield(d, 0)->bytes, (4 + 1 + (is_live ? 62 : 63) * 8) * 64);
    /* Behind the call the kernel's entry; the function's own, for those that return; the odd lanes.
     */
    assert_int_equal(stack->depth, 3);
    assert_int_equal(stack->entries[2].mask, 0xaaaaaaaaaaaaaaaa);
    memcpy(entries, stack->entries, sizeof entries);
    driver_packet(d, clobber, 0, 3 * 64);
    driver_bell(d);
    driver_await(d, SL_REG_COMPLETION_TAIL, 1);
    assert_int_equal(driver_completion(d, 0)->id, 1);
    assert_int_equal(d->soc->gpu->waves[0].x[S11][5], UINT64_MAX); /* it was that context */
    driver_restart(d, driver_yield(d, 0)->block);
    driver_await(d, SL_REG_RESIDENT, 1);
    assert_int_equal(stack->depth, 3);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(stack->entries[i].mask, entries[i].mask);
        assert_int_equal(stack->entries[i].pc, entries[i].pc);
        assert_int_equal(stack->entries[i].reconvergence, entries[i].reconvergence);
        assert_int_equal(stack->entries[i].kind, entries[i].kind);
        assert_int_equal(stack->entries[i].level, entries[i].level);
    }
    driver_await(d, SL_REG_COMPLETION_TAIL, 2);
    assert_int_equal(driver_completion(d, 1)->id, 0);
    assert_int_equal(driver_read(d, SL_REG_FAULT_TAIL), 0);
    const uint64_t *values = driver_at(d, out);
    for (unsigned lane = 0; lane < 64; lane++) {
        for (unsigned r = 0; r < 32; r++) {
            if (is_filled(r)) {
                assert_int_equal(values[r * LANES_OUT + lane], expected(r, lane));
            }
            assert_int_equal(values[(32 + r) * LANES_OUT + lane], lane * 1000 + 500 + r);
        }
        assert_int_equal(values[GP * LANES_OUT + lane], 0x1234);
        assert_int_equal(values[64 * LANES_OUT + lane], lane);
        assert_int_equal(values[65 * LANES_OUT + lane], lane);
        assert_int_equal(values[66 * LANES_OUT + lane], 0); /* the same compute unit */
    }
    driver_destroy(d);
}

TEST_CASE(test_state, "test_state (used)", NULL);
TEST_CASE(test_state, "test_state (live)", "live");

/* Stacks of which a part is in memory come back, too: depth 4 in hardware, and 9 nested calls in
 * front of the yield, 10 entries with the kernel's own; two lines of 4 have been spilled. */
static void test_spilled(void **state)
{
    struct driver *d = DRIVER("gpu.divergence_depth=4", "gpu.divergence_spill=64",
                              *state != NULL ? "gpu.yield_saves=live" : "gpu.yield_saves=used");
    const uint64_t out = driver_take(d, 64 * 8);
    asm_begin(&code);
    asm_put(&code, asm_SD(RA, SP, -8));
    asm_put(&code, asm_ADDI(T1, ZERO, 8));
    asm_to(&code, asm_JAL(RA, 0), CALLEE);
    asm_put(&code, asm_LD(RA, SP, -8));
    asm_put(&code, asm_SLLI(T0, A1, 3));
    asm_put(&code, asm_ADD(T0, T0, A2));
    asm_put(&code, asm_SD(T2, T0, 0));
    asm_put(&code, ASM_RET);
    asm_function(&code);
    asm_label(&code, CALLEE);
    asm_put(&code, asm_ADDI(SP, SP, -16));
    asm_put(&code, asm_SD(RA, SP, 0));
    asm_to(&code, asm_BEQ(T1, ZERO, 0), SKIP);
    asm_put(&code, asm_ADDI(T1, T1, -1));
    asm_to(&code, asm_JAL(RA, 0), CALLEE);
    asm_put(&code, asm_ADDI(T2, T2, 1));
    asm_put(&code, asm_LD(RA, SP, 0));
    asm_put(&code, asm_ADDI(SP, SP, 16));
    asm_put(&code, ASM_RET);
    asm_label(&code, SKIP);
    asm_put(&code, asm_SL_YIELD(A0, A1));
    asm_put(&code, asm_ADDI(SP, SP, 16));
    asm_put(&code, ASM_RET);
    driver_place(d, &code);
    const uint64_t kernel = driver_kernel(d, 0, out);
    driver_begin_yields(d);
    driver_packet(d, kernel, 0, 64);
    driver_bell(d);
    driver_await(d, SL_REG_YIELD_TAIL, 1);
    driver_restart(d, driver_yield(d, 0)->block);
    driver_await(d, SL_REG_COMPLETION_TAIL, 1);
    const uint64_t *values = driver_at(d, out);
    for (unsigned lane = 0; lane < 64; lane++) {
        assert_int_equal(values[lane], 8);
    }
    driver_destroy(d);
}

TEST_CASE(test_spilled, "test_spilled (used)", NULL);
TEST_CASE(test_spilled, "test_spilled (live)", "live");

/* ---- the rings ---- */

/* While the ring is full, wavefronts that yield keep their contexts. `first` records were in it
 * before. */
static void check_ring_full(uint64_t first)
{
    struct driver *d = DRIVER("pool.blocks=300", "gpu.contexts=40");
    const uint64_t kernel = place_yield(d);
    driver_begin_yields(d);
    driver_count_from(d, first);
    driver_packet(d, kernel, 0, 300 * 64);
    driver_bell(d);
    driver_await(d, SL_REG_YIELD_TAIL, first + SL_YIELD_ENTRIES);
    driver_await(d, SL_REG_RESIDENT, 40);
    driver_idle(d, 20000);
    assert_int_equal(driver_read(d, SL_REG_YIELD_TAIL), first + SL_YIELD_ENTRIES);
    assert_int_equal(driver_read(d, SL_REG_RESIDENT), 40);
    assert_int_equal(driver_read(d, SL_REG_ACTIVE), 300 - SL_YIELD_ENTRIES);
    driver_store(d, SL_REG_YIELD_HEAD, first + 100);
    driver_await(d, SL_REG_YIELD_TAIL, first + 300);
    assert_int_equal(driver_read(d, SL_REG_ACTIVE), 0);
    driver_destroy(d);
}

TEST(test_ring_full)
{
    check_ring_full(0);
    check_ring_full((1ull << 32) - 32);
}

/* Wavefronts that wait for a context of their compute unit are restarted in order, before anything
 * new is launched there. */
TEST(test_order)
{
    struct driver *d = DRIVER("gpu.simds=1", "gpu.contexts=1", "pool.blocks=4");
    const uint64_t kernel = place_yield(d);
    driver_begin_yields(d);
    driver_packet(d, kernel, 0, 64);
    driver_packet(d, kernel, 64, 64);
    driver_bell(d);
    driver_await(d, SL_REG_YIELD_TAIL, 2);
    driver_packet(d, driver_yield(d, 1)->block, 0, 0)->kind = SL_DISPATCH_RESTART;
    driver_packet(d, driver_yield(d, 0)->block, 0, 0)->kind = SL_DISPATCH_RESTART;
    driver_packet(d, kernel, 128, 64);
    driver_bell(d);
    assert_int_equal(driver_read(d, SL_REG_ACTIVE), 3);
    driver_await(d, SL_REG_YIELD_TAIL, 3);
    assert_int_equal(driver_read(d, SL_REG_COMPLETION_TAIL), 2);
    assert_int_equal(driver_completion(d, 0)->id, 1);
    assert_int_equal(driver_completion(d, 1)->id, 0);
    driver_destroy(d);
}

static void expect_refused(struct driver *d, uint64_t block, uint32_t faults)
{
    driver_restart(d, block);
    driver_await(d, SL_REG_FAULT_TAIL, faults);
    assert_int_equal(driver_fault(d, faults - 1)->code, SL_FAULT_PACKET);
    assert_int_equal(driver_fault(d, faults - 1)->address, block);
}

TEST(test_refused)
{
    struct driver *d = DRIVER("gpu.packet_cycles=8");
    const uint64_t kernel = place_yield(d);
    driver_begin_yields(d);
    driver_packet(d, kernel, 0, 64);
    driver_bell(d);
    driver_await(d, SL_REG_YIELD_TAIL, 1);
    const uint64_t block = driver_yield(d, 0)->block;
    expect_refused(d, 0, 1);
    expect_refused(d, block + 64, 2);
    expect_refused(d, block + d->layout.pool_block_bytes, 3); /* nobody has yielded there */
    expect_refused(d, d->layout.top_base, 4);
    driver_restart(d, block);
    expect_refused(d, block, 5); /* twice */
    driver_await(d, SL_REG_COMPLETION_TAIL, 1);
    expect_refused(d, block, 6); /* has ended */
    driver_destroy(d);
}

/* A reset drops wavefronts that have yielded, and their blocks are free again. */
TEST(test_reset)
{
    struct driver *d = DRIVER("pool.blocks=1");
    const uint64_t kernel = place_yield(d);
    for (unsigned round = 0; round < 3; round++) {
        driver_begin_yields(d);
        driver_packet(d, kernel, 0, 64);
        driver_bell(d);
        driver_await(d, SL_REG_YIELD_TAIL, 1);
        const uint64_t block = driver_yield(d, 0)->block;
        if (round == 1) {
            driver_restart(d, block); /* dropped while it is queued */
        }
        driver_store(d, SL_REG_RESET, 1);
        assert_int_equal(driver_read(d, SL_REG_ACTIVE), 0);
        assert_int_equal(driver_read(d, SL_REG_YIELD_TAIL), 0);
        d->tail = 0;
        expect_refused(d, block, 1);
        (void)driver_end(d);
    }
    driver_destroy(d);
}
