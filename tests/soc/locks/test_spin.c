/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Deadlocks of wavefronts that spin (sim-soc/simt/deadlock): those that are found, on each memory
 * system, and those that are none, of which no one may be taken for one. Loops are looked at after
 * 100 rounds here. */
#include "common/check.h"
#include "common/fixture.h"
#include "soc/common/machine.h"

#define SPIN_LIMIT "lock.spin_limit=100"
#define LONG       200000u /* cycles, far more than any of these deadlocks takes to be found */

static struct asm_code code;

static const char *const systems[] = {
    "mem.system=flat", "mem.system=moesi",        "mem.system=scoped", "mem.system=wt",
    "mem.system=nol1", "mem.system=quickrelease", "mem.system=hybrid",
};

#define SYSTEMS (sizeof systems / sizeof systems[0])

static struct machine *create(const char *system)
{
    return MACHINE(SPIN_LIMIT, "gpu.cus=2", system);
}

static uint32_t *word_at(const struct machine *m, uint64_t address)
{
    return machine_at(m, address);
}

/* ---- code ---- */

/* Lanes wait until the word at an offset from a2 is not zero: an atomic load, which sees what
 * others store on every memory system. Returns the offset of the load. */
static uint32_t put_wait(uint32_t label, int32_t offset)
{
    asm_put(&code, asm_ADDI(T2, A2, offset));
    asm_label(&code, label);
    const uint32_t here = asm_here(&code);
    asm_put(&code, asm_AMOADD_W(T0, ZERO, T2) | ASM_AQ);
    asm_to(&code, asm_BEQ(T0, ZERO, 0), label);
    return here;
}

static void put_set(int32_t offset, int32_t value)
{
    asm_put(&code, asm_ADDI(T2, A2, offset));
    asm_put(&code, asm_ADDI(T0, ZERO, value));
    asm_put(&code, asm_AMOSWAP_W(ZERO, T0, T2) | ASM_RL);
}

/* t5 rounds of a loop that counts. */
static void put_count(uint32_t label, int32_t rounds)
{
    asm_li(&code, T5, rounds);
    asm_label(&code, label);
    asm_put(&code, asm_ADDI(T5, T5, -1));
    asm_to(&code, asm_BNE(T5, ZERO, 0), label);
}

/* A compare-and-swap of 0 for t6 at the address t2: t0 is what was there. */
static void put_compare_and_swap(uint32_t again, uint32_t end)
{
    asm_label(&code, again);
    asm_put(&code, asm_LR_W(T0, ZERO, T2) | ASM_AQ);
    asm_to(&code, asm_BNE(T0, ZERO, 0), end);
    asm_put(&code, asm_SC_W(T1, T6, T2) | ASM_RL);
    asm_to(&code, asm_BNE(T1, ZERO, 0), again);
    asm_label(&code, end);
}

static uint32_t begin(void)
{
    asm_begin(&code);
    asm_function(&code);
    return 0;
}

/* Another function, for other wavefronts. */
static uint32_t begin_other(void)
{
    asm_put(&code, ASM_RET);
    const uint32_t entry = asm_here(&code);
    asm_function(&code);
    return entry;
}

static void load(struct machine *m)
{
    asm_put(&code, ASM_RET);
    machine_load(m, &code);
    m->arguments[0] = machine_take(m, 256);
}

static void run_to(struct machine *m, uint64_t cycle)
{
    fixture_run(m->gpu, cycle);
}

/* ---- deadlocks ---- */

/* A wavefront waits for what nobody stores. */
static void check_alone(const char *system)
{
    struct machine *m = create(system);
    begin();
    const uint32_t pc = put_wait(0, 0);
    load(m);
    machine_launch(m, 0, 0, 0, 64);
    machine_run(m);
    assert_int_equal(m->faults, 1);
    assert_int_equal(m->fault[0].code, SL_FAULT_DEADLOCK);
    assert_int_equal(m->fault[0].pc, SL_KERNEL_BASE + pc);
    assert_int_equal(m->fault[0].lanes, UINT64_MAX);
    assert_int_equal(m->fault[0].address, m->arguments[0]);
    assert_int_equal(m->fault[0].value0, 0);
    assert_int_equal(m->fault[0].holder_state, SL_HOLDER_NONE);
    machine_destroy(m);
}

TEST(test_alone)
{
    for (size_t i = 0; i < SYSTEMS; i++) {
        check_alone(systems[i]);
    }
}

/* papers/004 Example 3 in one wavefront: lane 0 has the lock and waits behind the loop for the
 * others, which want it. */
static void check_one_lock(const char *system)
{
    struct machine *m = create(system);
    begin();
    asm_put(&code, asm_ADDI(T2, A2, 0));
    asm_put(&code, asm_ADDI(T6, A1, 100));
    asm_label(&code, 0);
    const uint32_t cas = asm_here(&code);
    put_compare_and_swap(1, 2);
    asm_to(&code, asm_BNE(T0, ZERO, 0), 0);
    const uint32_t section = asm_here(&code);
    put_set(0, 0);
    load(m);
    machine_launch(m, 1, 0, 0, 8);
    machine_run(m);
    assert_int_equal(m->faults, 1);
    assert_int_equal(m->fault[0].code, SL_FAULT_DEADLOCK);
    assert_int_equal(m->fault[0].lanes, 0xfe);
    assert_int_equal(m->fault[0].pc, SL_KERNEL_BASE + cas);
    assert_int_equal(m->fault[0].address, m->arguments[0]);
    assert_int_equal(m->fault[0].value0, 100);
    assert_int_equal(m->fault[0].holder, 0);
    assert_int_equal(m->fault[0].holder_lane, 0);
    assert_int_equal(m->fault[0].holder_pc, SL_KERNEL_BASE + cas + 8);
    assert_int_equal(m->fault[0].holder_state, SL_HOLDER_LANES);
    assert_int_equal(m->fault[0].value1, SL_KERNEL_BASE + section);
    machine_destroy(m);
}

TEST(test_one_lock)
{
    for (size_t i = 0; i < SYSTEMS; i++) {
        check_one_lock(systems[i]);
    }
}

/* The same in two wavefronts, of which each has the lock that the other one's second lane wants
 * (section 3.1): lane 0 of the one takes word 0 first, of the other one word 1. */
static void check_two_locks(const char *system)
{
    struct machine *m = create(system);
    begin();
    asm_put(&code, asm_SL_ID(T3, SL_ID_WAVEFRONT));
    asm_put(&code, asm_XOR(T3, T3, A1));
    asm_put(&code, asm_SLLI(T3, T3, 2));
    asm_put(&code, asm_ADDI(T4, ZERO, 1)); /* who is not lane 0 comes later */
    asm_to(&code, asm_BNE(A1, ZERO, 0), 3);
    asm_put(&code, asm_ADDI(T4, ZERO, 0));
    asm_label(&code, 3);
    asm_put(&code, asm_ADD(T2, A2, T3));
    asm_put(&code, asm_ADDI(T6, A1, 1));
    asm_to(&code, asm_BNE(T4, ZERO, 0), 4);
    put_compare_and_swap(5, 6); /* lane 0 */
    asm_label(&code, 4);
    asm_li(&code, T5, 1000);
    asm_put(&code, asm_SL_PAUSE(T5)); /* by now both have */
    asm_to(&code, asm_BEQ(T4, ZERO, 0), 7);
    asm_label(&code, 0);
    put_compare_and_swap(1, 2);
    asm_to(&code, asm_BNE(T0, ZERO, 0), 0);
    asm_label(&code, 7);
    asm_put(&code, asm_AMOSWAP_W(ZERO, ZERO, T2) | ASM_RL);
    load(m);
    machine_launch(m, 0, 0, 0, 2);
    machine_launch(m, 1, 0, 0, 2);
    machine_run(m);
    assert_int_equal(m->faults, 2);
    for (unsigned i = 0; i < 2; i++) {
        const struct sl_fault *fault = &m->fault[i];
        assert_int_equal(fault->code, SL_FAULT_DEADLOCK);
        assert_int_equal(fault->wavefront, i);
        assert_int_equal(fault->lanes, 2);
        assert_int_equal(fault->address, m->arguments[0] + (i == 0 ? 4 : 0));
        assert_int_equal(fault->holder, 1 - i);
        assert_int_equal(fault->holder_lane, 0);
        assert_int_equal(fault->holder_state, SL_HOLDER_LANES);
    }
    machine_destroy(m);
}

TEST(test_two_locks)
{
    for (size_t i = 0; i < SYSTEMS; i++) {
        check_two_locks(systems[i]);
    }
}

/* papers/004 Example 8: a lock is taken and given back in each round, and what it guards never
 * comes. The release is under way when the round ends. */
static void check_semaphore(const char *system)
{
    struct machine *m = create(system);
    begin();
    asm_put(&code, asm_ADDI(T6, A1, 1));
    asm_put(&code, asm_ADDI(T3, A2, 4)); /* the count, which stays 0 */
    asm_put(&code, asm_ADDI(S2, ZERO, 1));
    asm_put(&code, asm_ADDI(T2, A2, 0));
    asm_label(&code, 0);
    put_compare_and_swap(1, 2);
    asm_to(&code, asm_BNE(T0, ZERO, 0), 4);
    asm_put(&code, asm_AMOADD_W(T5, ZERO, T3));
    asm_to(&code, asm_BEQ(T5, ZERO, 0), 3);
    asm_put(&code, asm_ADDI(S2, ZERO, 0));
    asm_label(&code, 3);
    asm_put(&code, asm_AMOSWAP_W(T4, ZERO, T2) | ASM_RL);
    asm_label(&code, 4);
    asm_to(&code, asm_BNE(S2, ZERO, 0), 0);
    load(m);
    machine_launch(m, 0, 0, 0, 4);
    machine_run(m);
    assert_int_equal(m->faults, 1);
    assert_int_equal(m->fault[0].code, SL_FAULT_DEADLOCK);
    assert_int_equal(m->fault[0].address, m->arguments[0] + 4);
    assert_int_equal(m->fault[0].lanes, 0xf);
    machine_destroy(m);
}

TEST(test_semaphore)
{
    for (size_t i = 0; i < SYSTEMS; i++) {
        check_semaphore(systems[i]);
    }
}

/* Pauses are no reason to wait on. */
TEST(test_pauses)
{
    struct machine *m = create(systems[0]);
    begin();
    asm_li(&code, T5, 200);
    asm_label(&code, 0);
    asm_put(&code, asm_SL_PAUSE(T5));
    asm_put(&code, asm_LW(T0, A2, 0));
    asm_to(&code, asm_BEQ(T0, ZERO, 0), 0);
    load(m);
    machine_launch(m, 0, 0, 0, 64);
    machine_launch(m, 0, 0, 0, 64);
    machine_run(m);
    assert_int_equal(m->faults, 2);
    assert_int_equal(m->fault[1].code, SL_FAULT_DEADLOCK);
    machine_destroy(m);
}

/* ---- no deadlocks ---- */

/* A loop that counts is no loop that spins, however often it goes round. */
TEST(test_counts)
{
    struct machine *m = create(systems[0]);
    begin();
    put_count(0, 5000);
    load(m);
    machine_launch(m, 0, 0, 0, 64);
    machine_run(m);
    assert_int_equal(m->faults, 0);
    assert_null(m->gpu->waves[0].monitor);
    machine_destroy(m);
}

/* The same where what counts is in memory: of 4 lanes each. */
TEST(test_counts_in_memory)
{
    struct machine *m = create(systems[0]);
    begin();
    asm_put(&code, asm_SLLI(T2, A1, 2));
    asm_put(&code, asm_ADD(T2, T2, A2));
    asm_label(&code, 0);
    asm_put(&code, asm_LW(T0, T2, 0));
    asm_put(&code, asm_ADDI(T0, T0, 1));
    asm_put(&code, asm_SW(T0, T2, 0));
    asm_put(&code, asm_SLTIU(T0, T0, 1000));
    asm_to(&code, asm_BNE(T0, ZERO, 0), 0);
    load(m);
    machine_launch(m, 0, 0, 0, 4);
    machine_run(m);
    assert_int_equal(m->faults, 0);
    assert_int_equal(word_at(m, m->arguments[0])[3], 1000);
    machine_destroy(m);
}

/* A wavefront waits for another one that takes far longer than the limit. */
static void check_waits(const char *system)
{
    struct machine *m = create(system);
    begin();
    put_wait(0, 0);
    const uint32_t other = begin_other();
    put_count(1, 20000);
    put_set(0, 1);
    load(m);
    machine_launch(m, 0, 0, 0, 64);
    machine_launch(m, 1, other, 0, 64);
    machine_run(m);
    assert_int_equal(m->faults, 0);
    machine_destroy(m);
}

TEST(test_waits)
{
    for (size_t i = 0; i < SYSTEMS; i++) {
        check_waits(systems[i]);
    }
}

/* Two hand a word to and fro, and spin in between: 300 times. */
static void check_ping_pong(const char *system)
{
    struct machine *m = create(system);
    begin();
    asm_put(&code, asm_SL_ID(T3, SL_ID_WAVEFRONT));
    asm_put(&code, asm_ADDI(T4, ZERO, 300));
    asm_put(&code, asm_ADDI(T2, A2, 0));
    asm_label(&code, 0);
    asm_label(&code, 1);
    asm_put(&code, asm_AMOADD_W(T0, ZERO, T2) | ASM_AQ);
    asm_to(&code, asm_BNE(T0, T3, 0), 1);
    asm_li(&code, T5, 2000);
    asm_put(&code, asm_SL_PAUSE(T5));
    asm_put(&code, asm_XORI(T0, T3, 1));
    asm_put(&code, asm_AMOSWAP_W(ZERO, T0, T2) | ASM_RL);
    asm_put(&code, asm_ADDI(T4, T4, -1));
    asm_to(&code, asm_BNE(T4, ZERO, 0), 0);
    load(m);
    machine_launch(m, 0, 0, 0, 1);
    machine_launch(m, 1, 0, 0, 1);
    machine_run(m);
    assert_int_equal(m->faults, 0);
    machine_destroy(m);
}

TEST(test_ping_pong)
{
    for (size_t i = 0; i < SYSTEMS; i++) {
        check_ping_pong(systems[i]);
    }
}

/* One waits for a word to be 2, the other one makes it 1 and 0 in each of its rounds: no round
 * changes anything, but what the first one sees depends on when it looks. That is no alarm; the
 * other one alone is. */
TEST(test_flickers)
{
    begin();
    asm_label(&code, 0);
    asm_put(&code, asm_LW(T0, A2, 0));
    asm_put(&code, asm_ADDI(T0, T0, -2));
    asm_to(&code, asm_BNE(T0, ZERO, 0), 0);
    const uint32_t other = begin_other();
    asm_put(&code, asm_ADDI(T1, ZERO, 1));
    asm_label(&code, 1);
    asm_put(&code, asm_AMOSWAP_W(ZERO, T1, A2));
    asm_put(&code, asm_AMOSWAP_W(ZERO, ZERO, A2));
    asm_put(&code, asm_LW(T0, A2, 64));
    asm_to(&code, asm_BEQ(T0, ZERO, 0), 1);
    struct machine *m = create(systems[0]);
    load(m);
    machine_launch(m, 1, other, 0, 1);
    machine_launch(m, 0, 0, 0, 1);
    run_to(m, LONG);
    assert_int_equal(m->faults, 0);
    assert_int_equal(m->gpu->env.activity->resident, 2);
    *word_at(m, m->arguments[0] + 64) = 1;
    run_to(m, LONG + 1000);
    assert_int_equal(m->gpu->env.activity->resident, 1);
    *word_at(m, m->arguments[0]) = 2;
    machine_run(m);
    assert_int_equal(m->faults, 0);
    machine_launch(m, 1, other, 0, 1);
    *word_at(m, m->arguments[0] + 64) = 0;
    machine_run(m);
    assert_int_equal(m->faults, 1);
    machine_destroy(m);
}

static bool is_open;

static bool may_launch(void *owner)
{
    (void)owner;
    return is_open;
}

/* Something may still be launched: no alarm until that is not so any more. */
TEST(test_launch)
{
    struct machine *m = create(systems[0]);
    begin();
    put_wait(0, 0);
    load(m);
    m->gpu->env.listener.may_launch = may_launch;
    is_open = true;
    machine_launch(m, 0, 0, 0, 64);
    run_to(m, LONG);
    assert_int_equal(m->faults, 0);
    is_open = false;
    machine_run(m);
    assert_int_equal(m->faults, 1);
    machine_destroy(m);
}

/* A wavefront has yielded: firmware may restart it. */
TEST(test_yielded)
{
    struct machine *m = create(systems[0]);
    begin();
    put_wait(0, 0);
    load(m);
    m->gpu->pool.yielded[5].is_used = true;
    machine_launch(m, 0, 0, 0, 64);
    run_to(m, LONG);
    assert_int_equal(m->faults, 0);
    m->gpu->pool.yielded[5].is_used = false;
    machine_run(m);
    assert_int_equal(m->faults, 1);
    machine_destroy(m);
}

/* Words of a channel, and of its arrays: firmware may change them. */
TEST(test_channel)
{
    for (unsigned which = 0; which < 5; which++) {
        struct machine *m = create(systems[0]);
        begin();
        put_wait(0, 0);
        load(m);
        const uint64_t graph = machine_take(m, sizeof(struct sl_graph) + sizeof(struct sl_channel));
        const uint64_t arrays = machine_take(m, 4096);
        struct sl_channel *channel = machine_at(m, graph + sizeof(struct sl_graph));
        *channel = (struct sl_channel){.data = arrays,
                                       .control = arrays + 1024,
                                       .done = arrays + 2048,
                                       .width = 64,
                                       .stride = 8};
        m->gpu->env.graph = graph;
        m->gpu->env.cas_base = graph + sizeof(struct sl_graph);
        m->gpu->env.cas_limit = m->gpu->env.cas_base + sizeof(struct sl_channel);
        const uint64_t words[] = {m->gpu->env.cas_base + 64, arrays + 8, arrays + 1024 + 508,
                                  arrays + 2048, arrays + 512};
        m->arguments[0] = words[which];
        machine_launch(m, 0, 0, 0, 64);
        run_to(m, LONG);
        const bool is_channels = which < 4; /* the last one lies behind the data */
        assert_int_equal(m->faults, !is_channels);
        *word_at(m, m->arguments[0]) = 1;
        machine_run(m);
        machine_destroy(m);
    }
}
