/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Deadlocks of locks (sim-soc/simt/deadlock/lock_cycles.c): circles within a wavefront and between
 * several, which the records go round; those who wait for somebody in a circle; those who wait for
 * somebody who goes on, and are no deadlock. Joins, which the compiler driver's analysis puts into
 * the table of reconvergence points, are set by hand. */
#include "common/check.h"
#include "common/fixture.h"
#include "sluice/lock.h"
#include "soc/common/machine.h"

#define LOCK_BYTES 64

static struct asm_code code;

static const char *const systems[] = {
    "mem.system=flat",         "mem.system=moesi",  "mem.system=nol1",  "mem.system=wt",
    "mem.system=quickrelease", "mem.system=scoped", "mem.system=hybrid"};
static const char *const stacks[] = {"lock.stack=join", "lock.stack=thesis"};

#define SYSTEMS (sizeof systems / sizeof systems[0])

static void set_join(const struct machine *m, uint32_t pc, uint32_t join)
{
    m->gpu->env.program.ops[pc / 2].reconvergence = join;
}

/* Free locks, one on each line, from a2 on. */
static void take_locks(struct machine *m, uint32_t count)
{
    m->arguments[0] = machine_take(m, (uint64_t)count * LOCK_BYTES);
    for (uint32_t i = 0; i < count; i++) {
        *(sl_lock_t *)machine_at(m, m->arguments[0] + (uint64_t)i * LOCK_BYTES) = sl_lock_init();
    }
}

/* t2 = the lock with number t0. */
static void put_address(void)
{
    asm_put(&code, asm_SLLI(T2, T0, 6));
    asm_put(&code, asm_ADD(T2, T2, A2));
}

/* Lanes lock (a1 ^ first), wait, lock (a1 ^ first ^ 1), and give both back. Returns the offsets of
 * the two locks. */
struct nested {
    uint32_t outer;
    uint32_t inner;
    uint32_t join;
};

static struct nested put_nested(int32_t first)
{
    struct nested nested;

    asm_put(&code, asm_XORI(T0, A1, first));
    put_address();
    asm_put(&code, asm_ADDI(S2, T2, 0));
    asm_put(&code, asm_XORI(T0, A1, first ^ 1));
    put_address();
    asm_li(&code, T5, 1000);
    nested.outer = asm_here(&code);
    asm_put(&code, asm_SL_LOCK(S2));
    asm_put(&code, asm_SL_PAUSE(T5));
    nested.inner = asm_here(&code);
    asm_put(&code, asm_SL_LOCK(T2));
    asm_put(&code, asm_SL_UNLOCK(T2));
    asm_put(&code, asm_SL_UNLOCK(S2));
    nested.join = asm_here(&code);
    asm_put(&code, ASM_RET);
    return nested;
}

static void join_nested(const struct machine *m, const struct nested *nested)
{
    set_join(m, nested->outer, nested->join);
    set_join(m, nested->inner, nested->join);
}

/* What the record says is so: the word names the lane that the record names. */
static void check_record(const struct machine *m, const struct sl_fault *fault)
{
    const struct wave *waves = m->gpu->waves;
    uint32_t block = UINT32_MAX;

    assert_int_equal(fault->code, SL_FAULT_DEADLOCK);
    for (uint32_t i = 0; i < m->gpu->detector.count; i++) {
        if (waves[i].number == fault->holder && waves[i].simd->cu != NULL &&
            waves[i].launch.kernel != 0) {
            block = waves[i].block;
        }
    }
    assert_int_equal(fault->value0, block * m->gpu->cus[0].shape.lanes + fault->holder_lane);
}

/* Two lanes of a wavefront, each of which has what the other one wants. */
static void check_lanes(const char *system, const char *stack, const char *queue)
{
    struct machine *m = MACHINE(system, stack, queue);
    take_locks(m, 2);
    asm_begin(&code);
    asm_function(&code);
    const struct nested nested = put_nested(0);
    machine_load(m, &code);
    join_nested(m, &nested);
    machine_launch(m, 0, 0, 0, 2);
    machine_run(m);
    assert_int_equal(m->faults, 1);
    check_record(m, &m->fault[0]);
    assert_int_equal(m->fault[0].lanes, 3);
    assert_int_equal(m->fault[0].pc, SL_KERNEL_BASE + nested.inner);
    assert_int_equal(m->fault[0].instruction, asm_SL_LOCK(T2));
    assert_int_equal(m->fault[0].address, m->arguments[0] + LOCK_BYTES);
    assert_int_equal(m->fault[0].holder, 0);
    assert_int_equal(m->fault[0].holder_lane, 1);
    assert_int_equal(m->fault[0].holder_pc, SL_KERNEL_BASE + nested.outer);
    assert_int_equal(m->fault[0].holder_state, SL_HOLDER_LOCK);
    assert_int_equal(m->fault[0].value1, SL_KERNEL_BASE + nested.inner);
    machine_destroy(m);
}

TEST(test_lanes)
{
    for (size_t i = 0; i < SYSTEMS; i++) {
        check_lanes(systems[i], stacks[0], "lock.queue=off");
        check_lanes(systems[i], stacks[1], "lock.queue=off");
    }
    check_lanes(systems[0], stacks[0], "lock.queue=on");
}

/* Wavefronts 0 and 1 want each other's lock, wavefront 2 one of them, and wavefront 3 one that is
 * free now and then: that one ends. */
static void check_wavefronts(const char *system, const char *stack)
{
    struct machine *m = MACHINE(system, stack, "gpu.cus=2");
    take_locks(m, 3);
    asm_begin(&code);
    asm_function(&code);
    const struct nested up = put_nested(0);
    asm_function(&code);
    const uint32_t single = asm_here(&code);
    asm_li(&code, T5, 500);
    asm_put(&code, asm_SL_PAUSE(T5));
    asm_put(&code, asm_ADDI(T0, A1, 0));
    put_address();
    const uint32_t lock = asm_here(&code);
    asm_put(&code, asm_SL_LOCK(T2));
    asm_put(&code, asm_SL_UNLOCK(T2));
    const uint32_t behind = asm_here(&code);
    asm_put(&code, ASM_RET);
    machine_load(m, &code);
    join_nested(m, &up);
    set_join(m, lock, behind);
    machine_launch(m, 0, 0, 0, 1);
    machine_launch(m, 1, 0, 1, 1);
    machine_launch(m, 0, single, 1, 1);
    machine_launch(m, 1, single, 2, 1);
    machine_run(m);
    assert_int_equal(m->faults, 3);
    for (unsigned i = 0; i < 3; i++) {
        check_record(m, &m->fault[i]);
        assert_int_equal(m->fault[i].wavefront, i);
        assert_int_equal(m->fault[i].lanes, 1);
        assert_int_equal(m->fault[i].holder, i == 0 ? 1 : i == 1 ? 0 : 1);
        assert_int_equal(m->fault[i].holder_state, SL_HOLDER_LOCK);
    }
    machine_destroy(m);
}

TEST(test_wavefronts)
{
    for (size_t i = 0; i < SYSTEMS; i++) {
        check_wavefronts(systems[i], stacks[i % 2]);
    }
}

/* Two wait long for a third, which has the lock and goes on in the end. */
static void check_outside(const char *system, const char *stack)
{
    struct machine *m = MACHINE(system, stack, "gpu.cus=2", "lock.spin_limit=100");
    take_locks(m, 1);
    asm_begin(&code);
    asm_function(&code);
    asm_put(&code, asm_SL_LOCK(A2));
    asm_li(&code, T5, 20000);
    asm_label(&code, 0);
    asm_put(&code, asm_ADDI(T5, T5, -1));
    asm_to(&code, asm_BNE(T5, ZERO, 0), 0);
    asm_put(&code, asm_SL_UNLOCK(A2));
    const uint32_t behind = asm_here(&code);
    asm_put(&code, ASM_RET);
    machine_load(m, &code);
    set_join(m, 0, behind);
    machine_launch(m, 0, 0, 0, 2);
    machine_launch(m, 1, 0, 0, 1);
    machine_launch(m, 1, 0, 0, 1);
    machine_run(m);
    assert_int_equal(m->faults, 0);
    assert_int_equal(m->counters.lock_acquired, 4);
    assert_true(m->counters.lock_failed > 4 * LOCK_LOST_OFTEN);
    machine_destroy(m);
}

TEST(test_outside)
{
    for (size_t i = 0; i < SYSTEMS; i++) {
        check_outside(systems[i], stacks[i % 2]);
    }
}

/* A lock whose holder has ended without giving it back is one that nobody has: no set. Lanes that
 * wait for what the host has taken, likewise. */
TEST(test_nobody)
{
    struct machine *m = MACHINE("lock.spin_limit=100");
    take_locks(m, 1);
    *(uint32_t *)machine_at(m, m->arguments[0]) = 12345;
    asm_begin(&code);
    asm_function(&code);
    asm_put(&code, asm_SL_LOCK(A2));
    asm_put(&code, asm_SL_UNLOCK(A2));
    const uint32_t behind = asm_here(&code);
    asm_put(&code, ASM_RET);
    machine_load(m, &code);
    set_join(m, 0, behind);
    machine_launch(m, 0, 0, 0, 1);
    fixture_run(m->gpu, 50000);
    assert_int_equal(m->faults, 0);
    *(sl_lock_t *)machine_at(m, m->arguments[0]) = sl_lock_init();
    machine_run(m);
    assert_int_equal(m->faults, 0);
    machine_destroy(m);
}

/* Wavefront 0 has the lock and spins for a word that wavefront 1 would store under it. */
static void check_mixed(const char *system, bool goes_on)
{
    struct machine *m = MACHINE(system, "gpu.cus=2", "lock.spin_limit=100");
    take_locks(m, 2);
    asm_begin(&code);
    asm_function(&code);
    asm_put(&code, asm_SL_LOCK(A2));
    asm_put(&code, asm_ADDI(T2, A2, LOCK_BYTES));
    asm_label(&code, 0);
    asm_put(&code, asm_AMOADD_W(T0, ZERO, T2) | ASM_AQ);
    asm_to(&code, asm_BLT(T0, ZERO, 0), 0);
    asm_put(&code, asm_SL_UNLOCK(A2));
    const uint32_t behind = asm_here(&code);
    asm_put(&code, ASM_RET);
    asm_function(&code);
    const uint32_t other = asm_here(&code);
    asm_li(&code, T5, 1000);
    asm_put(&code, asm_SL_PAUSE(T5));
    const uint32_t lock = asm_here(&code);
    asm_put(&code, asm_SL_LOCK(A2));
    asm_put(&code, asm_SL_UNLOCK(A2));
    const uint32_t behind_other = asm_here(&code);
    asm_put(&code, ASM_RET);
    asm_function(&code);
    const uint32_t third = asm_here(&code);
    asm_li(&code, T5, 30000);
    asm_label(&code, 1);
    asm_put(&code, asm_ADDI(T5, T5, -1));
    asm_to(&code, asm_BNE(T5, ZERO, 0), 1);
    asm_put(&code, asm_ADDI(T2, A2, LOCK_BYTES));
    asm_put(&code, asm_AMOSWAP_W(ZERO, ZERO, T2) | ASM_RL);
    asm_put(&code, ASM_RET);
    machine_load(m, &code);
    set_join(m, 0, behind);
    set_join(m, lock, behind_other);
    machine_launch(m, 0, 0, 0, 1);
    machine_launch(m, 1, other, 0, 1);
    if (goes_on) {
        machine_launch(m, 1, third, 0, 1);
    }
    machine_run(m);
    assert_int_equal(m->faults, goes_on ? 0 : 2);
    if (!goes_on) {
        assert_int_equal(m->fault[0].address, m->arguments[0] + LOCK_BYTES);
        assert_int_equal(m->fault[0].wavefront, 0);
        check_record(m, &m->fault[1]);
        assert_int_equal(m->fault[1].address, m->arguments[0]);
        assert_int_equal(m->fault[1].holder, 0);
        assert_int_equal(m->fault[1].holder_state, SL_HOLDER_LOOPS);
    }
    machine_destroy(m);
}

TEST(test_mixed)
{
    for (size_t i = 0; i < SYSTEMS; i++) {
        check_mixed(systems[i], false);
        check_mixed(systems[i], true);
    }
}
