/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* LDS of wavefronts that channels launch: how many fit a compute unit, that each has its own, that
 * a yield gives it up and a restart gets it anew, in which order it is given, and what never fits.
 */
#include "common/check.h"
#include "soc/common/driver.h"

#define LDS_UPPER    (SL_LDS_BASE >> 12)
#define PAUSE_CYCLES 2000
#define LOST         0xa5a5a5a5a5a5a5a5

enum { YIELDER, AWAY, PLAIN }; /* labels */

static struct asm_code code;

static uint64_t make_kernel(struct driver *d, uint32_t pc, uint64_t argument, uint32_t lds_bytes)
{
    const uint64_t kernel = driver_kernel(d, pc, argument);
    ((struct sl_kernel *)driver_at(d, kernel))->lds_bytes = lds_bytes;
    return kernel;
}

/* t0 = the address of the lane's double word in LDS, t1 = its place in an array at a2. */
static void put_places(void)
{
    asm_put(&code, asm_SL_ID(T0, SL_ID_LANE));
    asm_put(&code, asm_SLLI(T0, T0, 3));
    asm_put(&code, asm_LUI(T1, LDS_UPPER));
    asm_put(&code, asm_ADD(T0, T0, T1));
    asm_put(&code, asm_SLLI(T1, A1, 3));
    asm_put(&code, asm_ADD(T1, T1, A2));
}

static void put_pause(void)
{
    asm_put(&code, asm_ADDI(T2, ZERO, PAUSE_CYCLES));
    asm_put(&code, asm_SL_PAUSE(T2));
}

/* Stores the number of its compute unit in its place, and pauses. */
static uint64_t place_pauser(struct driver *d, uint32_t wavefronts, uint32_t lds_bytes,
                             const uint64_t **cus)
{
    const uint64_t out = driver_take(d, (uint64_t)wavefronts * 64 * 8);
    asm_begin(&code);
    put_places();
    asm_put(&code, asm_SL_ID(T3, SL_ID_CU));
    asm_put(&code, asm_SD(T3, T1, 0));
    put_pause();
    asm_put(&code, ASM_RET);
    driver_place(d, &code);
    *cus = driver_at(d, out);
    return make_kernel(d, 0, out, lds_bytes);
}

/* 64 KiB are three wavefronts of 20,000 bytes (20,224 in whole granules). Eight go to two compute
 * units in turn; the seventh waits until the first has ended, and the eighth follows it when the
 * second has, a cycle later. */
TEST(test_placement)
{
    struct driver *d = DRIVER("gpu.cus=2", "gpu.lds=64KiB");
    const uint64_t *cus;
    const uint64_t kernel = place_pauser(d, 8, 20000, &cus);
    driver_begin(d);
    driver_packet(d, kernel, 0, 8 * 64);
    driver_bell(d);
    driver_await(d, SL_REG_COMPLETION_TAIL, 1);
    for (unsigned i = 0; i < 8; i++) {
        assert_int_equal(cus[i * 64], i % 2);
    }
    const uint64_t *statistics = driver_end(d);
    assert_int_equal(statistics[SL_STAT_GPU_RESIDENT_MAX], 6);
    assert_int_equal(statistics[SL_STAT_GPU_LIMITED_BY_CONTEXTS_CYCLES], 0);
    assert_int_equal(statistics[SL_STAT_GPU_LIMITED_BY_REGISTERS_CYCLES], 0);
    const uint64_t limited = statistics[SL_STAT_GPU_LIMITED_BY_LDS_CYCLES];
    assert_true(limited > PAUSE_CYCLES - 200 && limited < PAUSE_CYCLES + 200);
    driver_destroy(d);
}

/* LDS limits before contexts do: as many as fit, on one compute unit. */
TEST(test_most)
{
    static const struct {
        uint32_t lds_bytes;
        uint32_t resident;
    } cases[] = {{0, 40}, {1, 40}, {1536, 40}, {1792, 36}, {16384, 4}, {16385, 3}, {65536, 1}};

    for (unsigned c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        struct driver *d = DRIVER("gpu.cus=1", "gpu.lds=64KiB", "gpu.contexts=40");
        const uint64_t *cus;
        const uint64_t kernel = place_pauser(d, 41, cases[c].lds_bytes, &cus);
        driver_begin(d);
        driver_packet(d, kernel, 0, 41 * 64);
        driver_bell(d);
        driver_idle_until(d, d->soc->core->time_ps + 1000000);
        assert_int_equal(driver_read(d, SL_REG_RESIDENT), cases[c].resident);
        driver_destroy(d);
    }
}

/* Wavefronts on one compute unit at the same time: each finds zero, stores its elements' numbers,
 * and finds these after the others have stored theirs. Those of the second packet find zero where
 * the first one's were. */
TEST(test_own)
{
    struct driver *d = DRIVER("gpu.cus=1");
    const uint32_t lanes = 4 * 64;
    const uint64_t out = driver_take(d, 3ull * lanes * 8);
    asm_begin(&code);
    put_places();
    asm_put(&code, asm_LD(T3, T0, 0));
    asm_put(&code, asm_SD(A1, T0, 0));
    put_pause();
    asm_put(&code, asm_LD(T4, T0, 0));
    asm_put(&code, asm_SL_ID(T5, SL_ID_LDS_BYTES));
    for (unsigned i = 0; i < 3; i++) {
        asm_put(&code, asm_SD(T3 + i, T1, 0));
        asm_put(&code, asm_ADDI(T1, T1, 1024));
        asm_put(&code, asm_ADDI(T1, T1, 1024));
    }
    asm_put(&code, ASM_RET);
    driver_place(d, &code);
    const uint64_t kernel = make_kernel(d, 0, out, 600);
    driver_begin(d);
    for (uint32_t round = 1; round <= 2; round++) {
        driver_packet(d, kernel, 0, lanes);
        driver_bell(d);
        driver_await(d, SL_REG_COMPLETION_TAIL, round);
        const uint64_t *values = driver_at(d, out);
        for (uint32_t i = 0; i < lanes; i++) {
            assert_int_equal(values[i], 0);
            assert_int_equal(values[lanes + i], i);
            assert_int_equal(values[2 * lanes + i], 600);
        }
    }
    assert_int_equal(driver_read(d, SL_REG_FAULT_TAIL), 0);
    assert_int_equal(driver_end(d)[SL_STAT_GPU_RESIDENT_MAX], 4);
    driver_destroy(d);
}

/* A kernel that stores its elements' numbers to LDS, yields, loads from there and stores what it
 * finds in its place; one that yields and is done; and one that pauses. */
static void place_kernels(struct driver *d)
{
    asm_begin(&code);
    asm_label(&code, YIELDER);
    put_places();
    asm_put(&code, asm_SD(A1, T0, 0));
    asm_put(&code, asm_SL_YIELD(A0, A1));
    asm_put(&code, asm_LD(T3, T0, 0));
    asm_put(&code, asm_SD(T3, T1, 0));
    asm_put(&code, ASM_RET);
    asm_function(&code);
    asm_label(&code, AWAY);
    asm_put(&code, asm_SL_YIELD(A0, A1));
    asm_put(&code, ASM_RET);
    asm_function(&code);
    asm_label(&code, PLAIN);
    put_pause();
    asm_put(&code, ASM_RET);
    driver_place(d, &code);
}

/* While a wavefront with three quarters of the LDS is away, another one takes them; the first comes
 * back when that has ended, and finds nothing of what it had stored. */
TEST(test_yield)
{
    struct driver *d = DRIVER("gpu.cus=1", "gpu.lds=64KiB");
    const uint64_t out = driver_take(d, 64 * 8);
    place_kernels(d);
    const uint64_t yielder = make_kernel(d, code.label[YIELDER], out, 49152);
    const uint64_t plain = make_kernel(d, code.label[PLAIN], 0, 49152);
    driver_begin_yields(d);
    driver_packet(d, yielder, 0, 64);
    driver_packet(d, plain, 0, 64);
    driver_bell(d);
    driver_await(d, SL_REG_YIELD_TAIL, 1);
    driver_await(d, SL_REG_RESIDENT, 1); /* the other one: it has got the LDS */
    driver_restart(d, driver_yield(d, 0)->block);
    driver_idle(d, 500);
    assert_int_equal(driver_read(d, SL_REG_RESIDENT), 1);
    assert_int_equal(driver_read(d, SL_REG_ACTIVE), 2);
    driver_await(d, SL_REG_COMPLETION_TAIL, 2);
    assert_int_equal(driver_completion(d, 0)->id, 1);
    assert_int_equal(driver_completion(d, 1)->id, 0);
    assert_int_equal(driver_read(d, SL_REG_FAULT_TAIL), 0);
    const uint64_t *values = driver_at(d, out);
    for (unsigned lane = 0; lane < 64; lane++) {
        assert_int_equal(values[lane], LOST);
    }
    assert_int_equal(driver_end(d)[SL_STAT_GPU_RESIDENT_MAX], 1);
    driver_destroy(d);
}

/* A wavefront with 48 KiB has yielded, and so have one with 16 KiB and a work-group's. Two with 16
 * KiB are resident when all three are wanted back, in this order: 32 KiB are free, which is too
 * little for the first. The second does not overtake it, and neither does a packet's wavefront with
 * 16 KiB; what wants no LDS does: the work-group's, and a packet's. When the two have ended, the
 * first comes, then the second; the packet with 16 KiB waits until the first has ended. */
TEST(test_order)
{
    struct driver *d = DRIVER("gpu.cus=1", "gpu.lds=64KiB");
    const uint64_t out = driver_take(d, 64 * 8);
    place_kernels(d);
    const uint64_t large = make_kernel(d, code.label[YIELDER], out, 49152);
    const uint64_t small = make_kernel(d, code.label[YIELDER], out, 16384);
    const uint64_t away = make_kernel(d, code.label[AWAY], 0, 0);
    const uint64_t none = make_kernel(d, code.label[PLAIN], 0, 0);
    const uint64_t resident = make_kernel(d, code.label[PLAIN], 0, 16384);
    driver_begin_yields(d);
    driver_packet(d, large, 0, 64);      /* 0 */
    driver_packet(d, small, 0, 64);      /* 1 */
    driver_ndrange(d, away, 1, 64, 512); /* 2 */
    driver_bell(d);
    driver_await(d, SL_REG_YIELD_TAIL, 3);
    driver_await(d, SL_REG_RESIDENT, 0);
    driver_packet(d, resident, 0, 128); /* 3 */
    driver_bell(d);
    driver_await(d, SL_REG_RESIDENT, 2);
    for (uint32_t i = 0; i < 3; i++) {
        driver_packet(d, driver_yield(d, i)->block, 0, 0)->kind = SL_DISPATCH_RESTART; /* 4 to 6 */
        assert_int_equal(driver_yield(d, i)->dispatch, i);
    }
    driver_packet(d, none, 0, 64);  /* 7 */
    driver_packet(d, small, 0, 64); /* 8 */
    driver_bell(d);
    driver_await(d, SL_REG_COMPLETION_TAIL, 2);
    assert_int_equal(driver_completion(d, 0)->id, 2);
    assert_int_equal(driver_completion(d, 1)->id, 3);
    driver_await(d, SL_REG_COMPLETION_TAIL, 5);
    assert_int_equal(driver_completion(d, 2)->id, 7);
    assert_int_equal(driver_completion(d, 3)->id, 0);
    assert_int_equal(driver_completion(d, 4)->id, 1);
    driver_await(d, SL_REG_YIELD_TAIL, 4);
    assert_int_equal(driver_yield(d, 3)->dispatch, 8);
    assert_true(driver_yield(d, 3)->time_ps > driver_completion(d, 3)->time_ps);
    assert_int_equal(driver_read(d, SL_REG_FAULT_TAIL), 0);
    driver_destroy(d);
}

/* What no compute unit holds is refused with its packet, and the next one is served. */
TEST(test_never)
{
    struct driver *d = DRIVER("gpu.cus=1", "gpu.lds=64KiB");
    place_kernels(d);
    const uint64_t kernel = make_kernel(d, code.label[PLAIN], 0, 65537);
    const uint64_t good = make_kernel(d, code.label[PLAIN], 0, 65536);
    driver_begin(d);
    driver_packet(d, kernel, 0, 64);
    driver_packet(d, good, 0, 64);
    driver_bell(d);
    driver_await(d, SL_REG_COMPLETION_TAIL, 1);
    assert_int_equal(driver_completion(d, 0)->id, 1);
    assert_int_equal(driver_read(d, SL_REG_FAULT_TAIL), 1);
    assert_int_equal(driver_fault(d, 0)->code, SL_FAULT_PACKET);
    assert_int_equal(driver_fault(d, 0)->dispatch, 0);
    assert_int_equal(driver_fault(d, 0)->kernel, kernel);
    assert_int_equal(driver_fault(d, 0)->value0, SL_REFUSE_KERNEL_LDS);
    driver_destroy(d);
}

/* The limit is the wavefront's, to the byte: of 500, lane 62 has but four at 496. */
TEST(test_limit)
{
    struct driver *d = DRIVER("gpu.cus=1");
    place_kernels(d);
    const uint64_t kernel = make_kernel(d, code.label[YIELDER], 0, 500);
    driver_begin_yields(d);
    driver_packet(d, kernel, 0, 64);
    driver_bell(d);
    driver_await(d, SL_REG_FAULT_TAIL, 1);
    const struct sl_fault *fault = driver_fault(d, 0);
    assert_int_equal(fault->code, SL_FAULT_ACCESS);
    assert_int_equal(fault->lanes, 3ull << 62);
    assert_int_equal(fault->address, SL_LDS_BASE + 496);
    assert_int_equal(fault->value0, 500);
    driver_destroy(d);
}

/* After a reset all LDS is free, whether its wavefront was there, away, or wanted back. */
TEST(test_reset)
{
    struct driver *d = DRIVER("gpu.cus=1", "gpu.lds=64KiB");
    const uint64_t out = driver_take(d, 64 * 8);
    place_kernels(d);
    const uint64_t yielder = make_kernel(d, code.label[YIELDER], out, 65536);
    const uint64_t plain = make_kernel(d, code.label[PLAIN], 0, 65536);
    for (unsigned round = 0; round < 3; round++) {
        driver_begin_yields(d);
        driver_packet(d, yielder, 0, 64);
        driver_packet(d, plain, 0, 64);
        driver_bell(d);
        driver_await(d, SL_REG_YIELD_TAIL, 1);
        driver_await(d, SL_REG_RESIDENT, 1);
        if (round > 0) {
            driver_restart(d, driver_yield(d, 0)->block);
            driver_idle(d, 200);
        }
        (void)driver_end(d);
    }
    driver_destroy(d);
}
