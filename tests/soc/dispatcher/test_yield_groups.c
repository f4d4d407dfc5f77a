/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Wavefronts of work-groups that yield (papers/001 section 6): LDS is not saved and stays theirs,
 * the others of the group wait for them at barriers, and they come back to the same compute unit.
 */
#include "common/check.h"
#include "soc/common/driver.h"

#define ITEMS     128u
#define LDS_UPPER (SL_LDS_BASE >> 12)

enum { CALLEE, MEET, INTRUDER };                        /* labels */
enum { OTHERS, OWN, LOCAL, WAVEFRONT, FLOAT, OUTPUTS }; /* what a work-item writes out */

static struct asm_code code;

/* t1 = the address of this work-item's double word in LDS, t0 its number. */
static void put_slot(void)
{
    asm_put(&code, asm_SL_ID(T0, SL_ID_LOCAL));
    asm_put(&code, asm_LUI(T1, LDS_UPPER));
    asm_put(&code, asm_SLLI(T2, T0, 3));
    asm_put(&code, asm_ADD(T1, T1, T2));
}

/* A group of two wavefronts: each work-item puts its number + 1000 into LDS; in wavefront 0 the odd
 * ones call a function that yields; all meet at a barrier and read what work-items of the other
 * wavefront have put in. f7 is 64 - number all the time. */
static void put_group(void)
{
    put_slot();
    asm_put(&code, asm_ADDI(T3, T0, 1000));
    asm_put(&code, asm_SD(T3, T1, 0));
    asm_put(&code, asm_ADDI(T4, ZERO, 64));
    asm_put(&code, asm_SUB(T4, T4, T0));
    asm_put(&code, asm_FMV_D_X(7, T4));
    asm_put(&code, asm_ADDI(S0, RA, 0));
    asm_put(&code, asm_SL_ID(T5, SL_ID_GROUP_WAVEFRONT));
    asm_to(&code, asm_BNE(T5, ZERO, 0), MEET);
    asm_put(&code, asm_ANDI(T4, T0, 1));
    asm_to(&code, asm_BEQ(T4, ZERO, 0), MEET);
    asm_to(&code, asm_JAL(RA, 0), CALLEE);
    asm_label(&code, MEET);
    asm_put(&code, asm_SL_BARRIER());
    asm_put(&code, asm_ADDI(RA, S0, 0));
    asm_put(&code, asm_XORI(T4, T1, 64 * 8));
    asm_put(&code, asm_LD(S2, T4, 0));
    asm_put(&code, asm_LD(S3, T1, 0));
    asm_put(&code, asm_SL_ID(S4, SL_ID_LOCAL));
    asm_put(&code, asm_SL_ID(S5, SL_ID_GROUP_WAVEFRONT));
    asm_put(&code, asm_FMV_X_D(S6, 7));
    asm_put(&code, asm_SLLI(T2, T0, 3));
    asm_put(&code, asm_ADD(T2, T2, A0));
    for (unsigned i = 0; i < OUTPUTS; i++) {
        asm_put(&code, asm_SD(S2 + i, T2, 0));
        asm_put(&code, asm_ADDI(T2, T2, ITEMS * 8));
    }
    asm_put(&code, ASM_RET);
    asm_function(&code);
    asm_label(&code, CALLEE);
    asm_put(&code, asm_SL_YIELD(T0, T3));
    asm_put(&code, ASM_RET);
}

/* Overwrites its registers, and its LDS. */
static void put_intruder(void)
{
    asm_function(&code);
    asm_label(&code, INTRUDER);
    put_slot();
    asm_put(&code, asm_ADDI(T3, ZERO, -1));
    asm_put(&code, asm_SD(T3, T1, 0));
    for (unsigned r = 0; r < 32; r++) {
        asm_put(&code, asm_FMV_D_X(r, T3));
        if (r > T0) {
            asm_put(&code, asm_ADDI(r, ZERO, -1));
        }
    }
    asm_put(&code, ASM_RET);
}

/* One compute unit with two contexts: while wavefront 0 is away, wavefront 1 waits at the barrier,
 * and the intruder, a work-group with LDS of its own, can only be in wavefront 0's context. */
static void test_group(void **state)
{
    struct driver *d = DRIVER("gpu.cus=1", "gpu.simds=1", "gpu.contexts=2", "pool.blocks=4",
                              *state != NULL ? "gpu.yield_saves=live" : "gpu.yield_saves=used");
    asm_begin(&code);
    put_group();
    put_intruder();
    driver_place(d, &code);
    const uint64_t out = driver_take(d, (uint64_t)OUTPUTS * ITEMS * 8);
    const uint64_t kernel = driver_kernel(d, 0, out);
    const uint64_t intruder = driver_kernel(d, code.label[INTRUDER], 0);
    driver_begin_yields(d);
    driver_ndrange(d, kernel, 1, ITEMS, ITEMS * 8);
    driver_bell(d);
    driver_await(d, SL_REG_YIELD_TAIL, 1);
    assert_int_equal(driver_yield(d, 0)->resource, 1); /* of the first lane that yields */
    assert_int_equal(driver_yield(d, 0)->demand, 1001);
    const struct sl_wave_state *saved = driver_at(d, driver_yield(d, 0)->block);
    assert_int_equal(saved->group_waves, 2);
    assert_int_equal(saved->group_wave, 0);
    driver_ndrange(d, intruder, 1, 64, 64 * 8);
    driver_bell(d);
    driver_await(d, SL_REG_COMPLETION_TAIL, 1);
    assert_int_equal(driver_completion(d, 0)->id, 1);
    assert_int_equal(d->soc->gpu->waves[0].x[S6][5], UINT64_MAX); /* it was that context */
    driver_idle(d, 10000);
    assert_int_equal(driver_read(d, SL_REG_RESIDENT), 1); /* wavefront 1, at the barrier */
    driver_restart(d, driver_yield(d, 0)->block);
    driver_await(d, SL_REG_COMPLETION_TAIL, 2);
    assert_int_equal(driver_read(d, SL_REG_FAULT_TAIL), 0);
    const uint64_t *values = driver_at(d, out);
    for (unsigned item = 0; item < ITEMS; item++) {
        assert_int_equal(values[OTHERS * ITEMS + item], (item ^ 64) + 1000);
        assert_int_equal(values[OWN * ITEMS + item], item + 1000);
        assert_int_equal(values[LOCAL * ITEMS + item], item);
        assert_int_equal(values[WAVEFRONT * ITEMS + item], item / 64);
        assert_int_equal((int64_t)values[FLOAT * ITEMS + item], 64 - (int64_t)item);
    }
    driver_destroy(d);
}

TEST_CASE(test_group, "test_group (used)", NULL);
TEST_CASE(test_group, "test_group (live)", "live");

/* Work-groups of one wavefront that yields. */
static uint64_t place_yield(struct driver *d)
{
    asm_begin(&code);
    asm_put(&code, asm_SL_YIELD(A0, A1));
    asm_put(&code, ASM_RET);
    driver_place(d, &code);
    return driver_kernel(d, 0, 0);
}

/* Two of three quarters of the LDS each: the second one is placed when the first one has ended, not
 * when it has yielded. */
TEST(test_lds_stays)
{
    struct driver *d = DRIVER("gpu.cus=1", "gpu.lds=64KiB");
    const uint64_t kernel = place_yield(d);
    driver_begin_yields(d);
    driver_ndrange(d, kernel, 2, 64, 49152);
    driver_bell(d);
    driver_await(d, SL_REG_YIELD_TAIL, 1);
    driver_idle(d, 10000);
    assert_int_equal(driver_read(d, SL_REG_RESIDENT), 0);
    assert_int_equal(driver_read(d, SL_REG_YIELD_TAIL), 1);
    driver_restart(d, driver_yield(d, 0)->block);
    driver_await(d, SL_REG_YIELD_TAIL, 2);
    driver_restart(d, driver_yield(d, 1)->block);
    driver_await(d, SL_REG_COMPLETION_TAIL, 1);
    assert_int_equal(driver_completion(d, 0)->elements, 2);
    assert_true(driver_end(d)[SL_STAT_GPU_LIMITED_BY_LDS_CYCLES] > 0);
    driver_destroy(d);
}

/* A compute unit keeps track of as many groups as it has contexts, those that are away included;
 * wavefronts of channels need no entry. */
TEST(test_entries)
{
    struct driver *d = DRIVER("gpu.cus=1", "gpu.simds=1", "gpu.contexts=2", "pool.blocks=8");
    const uint64_t kernel = place_yield(d);
    driver_begin_yields(d);
    driver_packet(d, kernel, 0, 64);
    driver_ndrange(d, kernel, 5, 64, 0);
    driver_bell(d);
    driver_await(d, SL_REG_YIELD_TAIL, 3);
    driver_idle(d, 10000);
    assert_int_equal(driver_read(d, SL_REG_YIELD_TAIL), 3);
    assert_int_equal(driver_read(d, SL_REG_RESIDENT), 0);
    for (uint32_t i = 0; i < 6; i++) {
        driver_await(d, SL_REG_RESIDENT, 0);
        driver_restart(d, driver_yield(d, i)->block);
        driver_idle(d, 2000);
    }
    driver_await(d, SL_REG_COMPLETION_TAIL, 2);
    assert_int_equal(driver_end(d)[SL_STAT_GPU_YIELDS], 6);
    driver_destroy(d);
}

/* After a reset the LDS and the entries of groups that were away are free. */
TEST(test_reset)
{
    struct driver *d = DRIVER("gpu.cus=1", "gpu.contexts=1", "gpu.simds=1", "gpu.lds=64KiB");
    const uint64_t kernel = place_yield(d);
    for (unsigned round = 0; round < 3; round++) {
        driver_begin_yields(d);
        driver_ndrange(d, kernel, 1, 64, 65536);
        driver_bell(d);
        driver_await(d, SL_REG_YIELD_TAIL, 1);
        (void)driver_end(d);
    }
    driver_destroy(d);
}

/* Also of groups whose wavefronts' contexts others have had since. */
TEST(test_reset_of_all)
{
    struct driver *d = DRIVER("gpu.cus=1", "gpu.simds=1", "gpu.contexts=2", "pool.blocks=8");
    const uint64_t kernel = place_yield(d);
    for (unsigned round = 0; round < 3; round++) {
        driver_begin_yields(d);
        driver_packet(d, kernel, 0, 64);
        driver_ndrange(d, kernel, 5, 64, 0);
        driver_bell(d);
        driver_await(d, SL_REG_YIELD_TAIL, 3);
        (void)driver_end(d);
    }
    driver_destroy(d);
}

/* Without a ring for restart contexts a yield could never end. */
TEST(test_no_ring)
{
    struct driver *d = DRIVER("gpu.cus=1");
    const uint64_t kernel = place_yield(d);
    driver_begin(d);
    driver_ndrange(d, kernel, 1, 64, 0);
    driver_bell(d);
    driver_await(d, SL_REG_FAULT_TAIL, 1);
    assert_int_equal(driver_fault(d, 0)->code, SL_FAULT_YIELD);
    driver_await(d, SL_REG_COMPLETION_TAIL, 1);
    driver_destroy(d);
}
