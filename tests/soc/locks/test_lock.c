/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Locks of lanes (docs/know/locks.md): what they do on each memory system, to the cycle and to the
 * values that they protect; what they count; and what they fault with. Joins, which the compiler
 * driver's analysis puts into the table of reconvergence points, are set by hand. */
#include <string.h>

#include "common/check.h"
#include "common/fixture.h"
#include "sluice/lock.h"
#include "soc/common/machine.h"

static struct asm_code code;

static const char *const systems[] = {
    "mem.system=flat",         "mem.system=moesi",  "mem.system=nol1",      "mem.system=wt",
    "mem.system=quickrelease", "mem.system=scoped", "mem.system=partition", "mem.system=hybrid"};

#define SYSTEMS (sizeof systems / sizeof systems[0])

/* The lock at code offset `pc` joins at `join`. */
static void set_join(const struct machine *m, uint32_t pc, uint32_t join)
{
    m->gpu->env.program.ops[pc / 2].reconvergence = join;
}

/* What memory has at an address, wherever the system keeps it. */
static uint32_t word_at(const struct machine *m, uint64_t address)
{
    if (m->mem->ops->drain != NULL) {
        m->mem->ops->drain(m->mem);
    }
    return *(const uint32_t *)machine_at(m, address);
}

static uint64_t take_lock(struct machine *m)
{
    const uint64_t address = machine_take(m, 64);
    *(sl_lock_t *)machine_at(m, address) = sl_lock_init();
    return address;
}

static void check_laws(const struct machine *m)
{
    const struct cu_counters *counters = &m->counters;

    assert_int_equal(counters->lock_requests,
                     counters->lock_acquired + counters->lock_failed + counters->lock_refused);
    assert_int_equal(counters->lock_acquired, counters->lock_unlocks);
}

/* lock(a2); *a3 += 1; unlock(a2); return */
static struct machine *count_under_lock(const char *const *settings, uint32_t cus, uint32_t waves,
                                        uint32_t lanes)
{
    struct machine *m = machine_create(settings);

    m->arguments[0] = take_lock(m);
    m->arguments[1] = machine_take(m, 64);
    asm_begin(&code);
    asm_put(&code, asm_SL_LOCK(A2));
    asm_put(&code, asm_LW(T0, A3, 0));
    asm_put(&code, asm_ADDI(T0, T0, 1));
    asm_put(&code, asm_SW(T0, A3, 0));
    asm_put(&code, asm_SL_UNLOCK(A2));
    const uint32_t join = asm_here(&code);
    asm_put(&code, ASM_RET);
    machine_load(m, &code);
    set_join(m, 0, join);
    for (uint32_t i = 0; i < waves; i++) {
        machine_launch(m, i % cus, 0, 0, lanes);
    }
    machine_run(m);
    return m;
}

/* Eight wavefronts on four compute units, and one alone: the section is the lanes' own, one after
 * the other. */
static void check_exclusion(const char *system, const char *stack, uint32_t cus, uint32_t waves,
                            uint32_t lanes)
{
    const char *const settings[] = {system, stack, "gpu.cus=4", NULL};
    struct machine *m = count_under_lock(settings, cus, waves, lanes);

    assert_int_equal(m->faults, 0);
    assert_int_equal(word_at(m, m->arguments[1]), waves * lanes);
    assert_int_equal(word_at(m, m->arguments[0]), (uint32_t)SL_LOCK_FREE);
    assert_int_equal(m->counters.lock_acquired, waves * lanes);
    check_laws(m);
    machine_destroy(m);
}

TEST(test_exclusion)
{
    static const char *const stacks[] = {"lock.stack=join", "lock.stack=thesis"};

    for (size_t s = 0; s < SYSTEMS; s++) {
        for (unsigned k = 0; k < 2; k++) {
            check_exclusion(systems[s], stacks[k], 4, 8, 8);
            check_exclusion(systems[s], stacks[k], 1, 2, 32);
        }
    }
}

/* ---- to the cycle ---- */

/* One lane, a lock that nobody has. On flat memory, where an access takes 20 cycles: launched at 0,
 * the lock issues at 2, is answered at 22, the unlock at 42; the return issues then and ends the
 * wavefront at 46. On the others the first line of code takes 50 (L2 tags and data 16, DRAM 30, a
 * cache of code 2, crossbar 1 each way); a lock that misses in all caches 52: L1 4, crossbar 1, L2
 * 16, DRAM 30, crossbar 1 (soc/memory/test_held_timing.c). The unlock is a hit of 4 where the L1
 * has the line then (moesi), else one of the L2, 22, behind a release that takes no time where
 * nothing was written: 50 + 52 + 4 + 4 and 50 + 52 + 22 + 4. In scoped acquire and release look at
 * all 256 tags of the L1, 16 a cycle each: 32 more. In hybrid both go by the sharing tracker, 4 + 1
 * more, and the unlock finds the line in the atomic buffer: 50 + 57 + 27 + 4. In quickrelease with
 * the latencies of papers/000 Table 4.1 a lock is done at the directory in 48
 * (soc/memory/test_quickrelease_timing.c). */
TEST(test_free_lock)
{
    static const struct {
        const char *settings[6];
        uint64_t wait;
        uint64_t end; /* 0: not worked out */
    } cases[] = {
        {{"mem.system=flat"}, 20, 46},
        {{"mem.system=moesi"}, 52, 110},
        {{"mem.system=nol1"}, 52, 128},
        {{"mem.system=wt"}, 52, 128},
        {{"mem.system=scoped"}, 52, 160},
        {{"mem.system=hybrid"}, 57, 138},
        {{"mem.system=quickrelease", "l1d.tag_cycles=1", "l1d.cycles=5", "l2.tag_cycles=4",
          "l2.cycles=20"},
         48,
         0},
    };

    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        struct machine *m = machine_create(cases[c].settings);
        const uint64_t lock = take_lock(m);
        m->arguments[0] = lock;
        asm_begin(&code);
        asm_put(&code, asm_SL_LOCK(A2));
        asm_put(&code, asm_SL_UNLOCK(A2));
        asm_put(&code, ASM_RET);
        machine_load(m, &code);
        set_join(m, 0, 8);
        machine_launch(m, 0, 0, 0, 1);
        machine_run(m);
        assert_int_equal(m->counters.lock_wait_cycles, cases[c].wait);
        if (cases[c].end != 0) {
            assert_int_equal(m->waves[0].end_cycle, cases[c].end);
        }
        assert_int_equal(m->counters.lock_rounds, 1);
        assert_int_equal(word_at(m, lock), (uint32_t)SL_LOCK_FREE);
        machine_destroy(m);
    }
}

/* 64 lanes, one lock: 64 + 63 + ... + 1 requests in as many rounds, without queue; with one, each
 * lane asks once, and no answer says that it failed. */
TEST(test_one_lock)
{
    struct machine *m = count_under_lock((const char *const[]){NULL}, 1, 1, 64);
    assert_int_equal(m->counters.lock_requests, 2080);
    assert_int_equal(m->counters.lock_rounds, 64);
    assert_int_equal(m->counters.lock_failed, 2080 - 64);
    assert_int_equal(m->counters.lock_rotations, 0);
    assert_int_equal(m->counters.line_accesses, 2080 + 3 * 64);
    check_laws(m);
    machine_destroy(m);

    m = count_under_lock((const char *const[]){"lock.queue=on", NULL}, 1, 1, 64);
    assert_int_equal(word_at(m, m->arguments[1]), 64);
    assert_int_equal(m->counters.lock_requests, 64);
    assert_int_equal(m->counters.lock_rounds, 1);
    assert_int_equal(m->mem->counters.lock.records_max, 64);
    check_laws(m);
    machine_destroy(m);
}

/* When a lane ends that tries so many times for a lock that somebody has who is not there. */
static uint64_t end_of_tries(const char *backoff, const char *limit, uint32_t attempts)
{
    const char *const settings[] = {backoff, "lock.backoff_cycles=10", limit, NULL};
    struct machine *m = machine_create(settings);

    m->arguments[0] = take_lock(m);
    *(int32_t *)machine_at(m, m->arguments[0]) = 4711;
    asm_begin(&code);
    asm_put(&code, asm_SL_TRYLOCK(T0, A2, A3));
    asm_put(&code, ASM_RET);
    machine_load(m, &code);
    m->arguments[1] = attempts;
    machine_launch(m, 0, 0, 0, 1);
    machine_run(m);
    assert_int_equal(m->faults, 0);
    assert_int_equal(m->waves[0].x[T0][0], 0);
    assert_int_equal(m->counters.lock_failed, attempts);
    const uint64_t end = m->waves[0].end_cycle;
    machine_destroy(m);
    return end;
}

/* Five attempts of 20 cycles each, the first at 2, and what lies between them: nothing, 10 each,
 * 10 + 20 + 30 + 40, 10 + 20 + 40 + 80, the same with 35 as the most. The return ends it. */
TEST(test_backoff)
{
    const uint64_t base = 2 + 5 * 20 + 4;

    assert_int_equal(end_of_tries("lock.backoff=none", "lock.backoff_limit=4096", 5), base);
    assert_int_equal(end_of_tries("lock.backoff=constant", "lock.backoff_limit=4096", 5),
                     base + 40);
    assert_int_equal(end_of_tries("lock.backoff=linear", "lock.backoff_limit=4096", 5), base + 100);
    assert_int_equal(end_of_tries("lock.backoff=exponential", "lock.backoff_limit=4096", 5),
                     base + 150);
    assert_int_equal(end_of_tries("lock.backoff=exponential", "lock.backoff_limit=35", 5),
                     base + 10 + 20 + 35 + 35);
}

/* ---- what waits its turn ---- */

/* lock(a2 + 64 lane) A; if (lane == 0) { lock(a2 + 64) B; unlock } unlock: lane 0 wants what lane 1
 * holds, which waits at the branch's reconvergence point (papers/004 Example 13). Joined behind all
 * of it, lane 1 gets its turn. */
TEST(test_rotation)
{
    for (size_t s = 0; s < SYSTEMS; s++) {
        struct machine *m = machine_create((const char *const[]){systems[s], NULL});
        m->arguments[0] = take_lock(m);
        *(sl_lock_t *)machine_at(m, take_lock(m)) = sl_lock_init();
        asm_begin(&code);
        asm_put(&code, asm_SLLI(T0, A1, 6));
        asm_put(&code, asm_ADD(T0, T0, A2));
        asm_put(&code, asm_ADDI(T1, A2, 64));
        const uint32_t outer = asm_here(&code);
        asm_put(&code, asm_SL_LOCK(T0));
        const uint32_t branch = asm_here(&code);
        asm_put(&code, asm_BNE(A1, ZERO, 12));
        const uint32_t inner = asm_here(&code);
        asm_put(&code, asm_SL_LOCK(T1));
        asm_put(&code, asm_SL_UNLOCK(T1));
        asm_put(&code, asm_SL_UNLOCK(T0));
        const uint32_t join = asm_here(&code);
        asm_put(&code, ASM_RET);
        machine_load(m, &code);
        set_join(m, outer, join);
        set_join(m, branch, join);
        set_join(m, inner, join);
        machine_launch(m, 0, 0, 0, 2);
        machine_run(m);
        assert_int_equal(m->faults, 0);
        assert_int_equal(m->counters.lock_rotations, 1);
        assert_int_equal(m->counters.lock_failed, 1);
        check_laws(m);
        machine_destroy(m);
    }
}

/* ---- stacks ---- */

/* A call in a call, six deep, around a section of 16 lanes that all branch in it: entries of calls,
 * of the lanes that wait and of those inside go to the save area and come back as they were. */
TEST(test_spilled)
{
    static const char *const stacks[] = {"lock.stack=join", "lock.stack=thesis"};

    for (unsigned k = 0; k < 2; k++) {
        struct machine *m =
            machine_create((const char *const[]){stacks[k], "gpu.divergence_depth=4", NULL});
        m->arguments[0] = take_lock(m);
        m->arguments[1] = machine_take(m, 64);
        asm_begin(&code);
        for (unsigned call = 0; call < 6; call++) {
            asm_put(&code, asm_ADDI(SP, SP, -16));
            asm_put(&code, asm_SD(RA, SP, 0));
            asm_put(&code, asm_JAL(RA, 16)); /* the next one */
            asm_put(&code, asm_LD(RA, SP, 0));
            asm_put(&code, asm_ADDI(SP, SP, 16));
            asm_put(&code, ASM_RET);
        }
        const uint32_t lock = asm_here(&code);
        asm_put(&code, asm_SL_LOCK(A2));
        asm_put(&code, asm_LW(T0, A3, 0));
        asm_put(&code, asm_ANDI(T1, A1, 1));
        asm_put(&code, asm_BEQ(T1, ZERO, 8)); /* odd lanes add one more */
        asm_put(&code, asm_ADDI(T0, T0, 1));
        asm_put(&code, asm_ADDI(T0, T0, 1));
        asm_put(&code, asm_SW(T0, A3, 0));
        asm_put(&code, asm_SL_UNLOCK(A2));
        const uint32_t join = asm_here(&code);
        asm_put(&code, ASM_RET);
        machine_load(m, &code);
        set_join(m, lock, join);
        machine_launch(m, 0, 0, 0, 16);
        machine_run(m);
        assert_int_equal(m->faults, 0);
        assert_int_equal(word_at(m, m->arguments[1]), 8 + 2 * 8);
        assert_true(m->counters.stack_spills > 0 && m->counters.stack_fills > 0);
        check_laws(m);
        machine_destroy(m);
    }
}

/* ---- sl.trylock ---- */

/* All lanes of two wavefronts try for one lock, the first lane's count of times; who has got it
 * counts and gives it back. None that is asked for 0 times is got, nor asked for. */
TEST(test_try)
{
    for (size_t s = 0; s < SYSTEMS; s++) {
        for (uint32_t attempts = 0; attempts < 4; attempts++) {
            struct machine *m =
                machine_create((const char *const[]){systems[s], "gpu.cus=2", NULL});
            m->arguments[0] = take_lock(m);
            m->arguments[1] = machine_take(m, 64);
            m->arguments[2] = attempts;
            asm_begin(&code);
            asm_put(&code, asm_SL_TRYLOCK(T0, A2, A4));
            asm_put(&code, asm_BEQ(T0, ZERO, 20));
            asm_put(&code, asm_LW(T1, A3, 0));
            asm_put(&code, asm_ADDI(T1, T1, 1));
            asm_put(&code, asm_SW(T1, A3, 0));
            asm_put(&code, asm_SL_TRYUNLOCK(A2));
            asm_put(&code, ASM_RET);
            machine_load(m, &code);
            machine_launch(m, 0, 0, 0, 64);
            machine_launch(m, 1, 0, 0, 64);
            machine_run(m);
            assert_int_equal(m->faults, 0);
            uint32_t taken = 0;
            for (unsigned lane = 0; lane < 64; lane++) {
                taken += m->waves[0].x[T0][lane] + m->waves[1].x[T0][lane];
            }
            assert_int_equal(word_at(m, m->arguments[1]), taken);
            assert_int_equal(m->counters.lock_acquired, taken);
            assert_true(attempts == 0 ? taken == 0 : taken >= 1 && taken <= 2);
            assert_true(m->counters.lock_requests <= attempts * 128);
            assert_int_equal(word_at(m, m->arguments[0]), (uint32_t)SL_LOCK_FREE);
            check_laws(m);
            machine_destroy(m);
        }
    }
}

/* ---- queues ---- */

/* Wavefronts of two compute units; also with room for three records, where others are refused. */
TEST(test_queues)
{
    static const char *const settings[][5] = {
        {"lock.queue=on", "gpu.cus=2"},
        {"lock.queue=on", "gpu.cus=2", "lock.stack=thesis"},
        {"lock.queue=on", "gpu.cus=2", "lock.queue_records=3"},
        {"lock.queue=on", "gpu.cus=2", "lock.queue_records=3", "lock.backoff=linear"},
    };

    for (size_t c = 0; c < sizeof settings / sizeof settings[0]; c++) {
        struct machine *m = count_under_lock(settings[c], 2, 4, 32);
        assert_int_equal(m->faults, 0);
        assert_int_equal(word_at(m, m->arguments[1]), 4 * 32);
        assert_int_equal(m->counters.lock_failed, 0);
        assert_int_equal(m->counters.lock_acquired, 4 * 32);
        assert_true((m->counters.lock_refused != 0) == (c >= 2));
        check_laws(m);
        machine_destroy(m);
    }
}

/* lock(a2 + 64 (lane & 1)); unlock; if (first time) lock the other one; unlock. Joined at the end,
 * a lane that has been through asks for its second lock while its neighbours' first requests are in
 * queues: they are granted what it waits for, and get their turn. */
TEST(test_grants_of_other_ways)
{
    struct machine *m = machine_create((const char *const[]){"lock.queue=on", NULL});

    m->arguments[0] = take_lock(m);
    (void)take_lock(m);
    asm_begin(&code);
    asm_put(&code, asm_ANDI(T0, A1, 1));
    asm_put(&code, asm_SLLI(T0, T0, 6));
    asm_put(&code, asm_ADD(T1, T0, A2));
    asm_put(&code, asm_XORI(T0, T0, 64));
    asm_put(&code, asm_ADD(T2, T0, A2));
    const uint32_t first = asm_here(&code);
    asm_put(&code, asm_SL_LOCK(T1));
    asm_put(&code, asm_SL_UNLOCK(T1));
    const uint32_t second = asm_here(&code);
    asm_put(&code, asm_SL_LOCK(T2));
    asm_put(&code, asm_SL_UNLOCK(T2));
    const uint32_t join = asm_here(&code);
    asm_put(&code, ASM_RET);
    machine_load(m, &code);
    set_join(m, first, join);
    set_join(m, second, join);
    machine_launch(m, 0, 0, 0, 64);
    machine_run(m);
    assert_int_equal(m->faults, 0);
    assert_int_equal(m->counters.lock_requests, 128);
    assert_int_equal(m->counters.lock_rotations, 0); /* at once, whatever else there is */
    check_laws(m);
    machine_destroy(m);
}

/* ---- faults ---- */

/* A lane executes these words with a2 the address of a lock, a3 its neighbour, and faults at one of
 * them. */
static void check_fault(const uint32_t *words, unsigned at, enum sl_fault_code fault,
                        const char *setting)
{
    struct machine *m = machine_create((const char *const[]){setting, NULL});

    m->arguments[0] = take_lock(m);
    m->arguments[1] = take_lock(m);
    asm_begin(&code);
    for (unsigned i = 0; words[i] != 0; i++) {
        asm_put(&code, words[i]);
    }
    machine_load(m, &code);
    machine_launch(m, 0, 0, 0, 1);
    machine_run(m);
    assert_int_equal(m->faults, 1);
    assert_int_equal(m->fault[0].code, fault);
    assert_int_equal(m->fault[0].pc, SL_KERNEL_BASE + 4 * at);
    assert_int_equal(m->fault[0].lanes, 1);
    if (fault == SL_FAULT_LOCK_OWNER || fault == SL_FAULT_LOCK_AGAIN) {
        assert_int_equal(m->fault[0].address, m->arguments[0]);
        assert_int_equal(m->fault[0].value1, 0);
    }
    if (fault == SL_FAULT_LOCK_HELD) {
        assert_int_equal(m->fault[0].address, m->arguments[0]);
        assert_int_equal(m->fault[0].value0, 1);
    }
    if (fault == SL_FAULT_LOCK_NESTED) {
        assert_int_equal(m->fault[0].address, m->arguments[1]);
        assert_int_equal(m->fault[0].value0, m->arguments[0]);
    }
    machine_destroy(m);
}

TEST(test_faults)
{
    const uint32_t lock = asm_SL_LOCK(A2);
    const uint32_t unlock = asm_SL_UNLOCK(A2);
    const uint32_t try = asm_SL_TRYLOCK(T0, A2, A2); /* many times */
    const struct {
        uint32_t words[6];
        unsigned at;
        enum sl_fault_code fault;
    } cases[] = {
        {{unlock, ASM_RET}, 0, SL_FAULT_LOCK_OWNER},
        {{lock, unlock, unlock, ASM_RET}, 2, SL_FAULT_LOCK_OWNER},
        {{asm_SW(ZERO, A2, 0), asm_ADDI(T0, ZERO, 77), asm_SW(T0, A2, 0), unlock, ASM_RET},
         3,
         SL_FAULT_LOCK_OWNER},
        {{lock, asm_SL_TRYUNLOCK(A2), ASM_RET}, 1, SL_FAULT_LOCK_OWNER},
        {{try, unlock, ASM_RET}, 1, SL_FAULT_LOCK_OWNER},
        {{lock, lock, ASM_RET}, 1, SL_FAULT_LOCK_AGAIN},
        {{try, try, ASM_RET}, 1, SL_FAULT_LOCK_AGAIN},
        {{lock, ASM_RET}, 1, SL_FAULT_LOCK_HELD},
        {{try, ASM_RET}, 1, SL_FAULT_LOCK_HELD},
        {{lock, asm_SL_BARRIER(), unlock, ASM_RET}, 1, SL_FAULT_LOCK_HELD},
        {{lock, asm_SL_YIELD(ZERO, ZERO), unlock, ASM_RET}, 1, SL_FAULT_LOCK_HELD},
        {{try, asm_SL_LOCK(A3), ASM_RET}, 1, SL_FAULT_LOCK_NESTED},
        {{asm_ADDI(A2, A2, 2), lock, ASM_RET}, 1, SL_FAULT_MISALIGNED},
        {{asm_ADDI(A2, SP, -8), lock, ASM_RET}, 1, SL_FAULT_ACCESS},
        {{asm_AUIPC(A2, 0), lock, ASM_RET}, 1, SL_FAULT_ACCESS}, /* code */
        {{asm_AUIPC(A2, 0), unlock, ASM_RET}, 1, SL_FAULT_ACCESS},
    };

    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        for (size_t s = 0; s < SYSTEMS; s++) {
            check_fault(cases[c].words, cases[c].at, cases[c].fault, systems[s]);
        }
        check_fault(cases[c].words, cases[c].at, cases[c].fault, "lock.stack=thesis");
        check_fault(cases[c].words, cases[c].at, cases[c].fault, "lock.queue=on");
    }
}
