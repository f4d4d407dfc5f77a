/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Locks of wavefronts on memory system `partition`, and in queues there and on `flat`: how long
 * they take, worked out by hand, and how many requests. All clocks are 1 GHz. */
#include <string.h>

#include "common/check.h"
#include "common/fixture.h"
#include "sluice/lock.h"
#include "soc/common/machine.h"

static struct asm_code code;

#define PARTITION "mem.system=partition", "dram.clock=1GHz"

/* `sections` times: lock(a2); *a3 += 1; unlock(a2). On so many compute units a wavefront each. */
static struct machine *run(const char *const *settings, uint32_t cus, uint32_t lanes,
                           uint32_t sections)
{
    struct machine *m = machine_create(settings);

    m->arguments[0] = machine_take(m, 64);
    m->arguments[1] = machine_take(m, 64);
    *(sl_lock_t *)machine_at(m, m->arguments[0]) = sl_lock_init();
    asm_begin(&code);
    for (uint32_t i = 0; i < sections; i++) {
        asm_put(&code, asm_SL_LOCK(A2));
        asm_put(&code, asm_LW(T0, A3, 0));
        asm_put(&code, asm_ADDI(T0, T0, 1));
        asm_put(&code, asm_SW(T0, A3, 0));
        asm_put(&code, asm_SL_UNLOCK(A2));
    }
    asm_put(&code, ASM_RET);
    machine_load(m, &code);
    for (uint32_t i = 0; i < sections; i++) {
        m->gpu->env.program.ops[i * 20 / 2].reconvergence = (i + 1) * 20; /* behind the unlock */
    }
    for (uint32_t cu = 0; cu < cus; cu++) {
        machine_launch(m, cu, 0, 0, lanes);
    }
    machine_run(m);
    assert_int_equal(m->faults, 0);
    assert_int_equal(*(uint32_t *)machine_at(m, m->arguments[1]), cus * lanes * sections);
    assert_int_equal(*(int32_t *)machine_at(m, m->arguments[0]), SL_LOCK_FREE);
    assert_int_equal(m->counters.lock_acquired, cus * lanes * sections);
    assert_int_equal(m->counters.lock_unlocks, cus * lanes * sections);
    assert_int_equal(m->counters.lock_requests, m->counters.lock_acquired +
                                                    m->counters.lock_failed +
                                                    m->counters.lock_refused);
    return m;
}

#define RUN(cus, lanes, sections, ...)                                                             \
    run((const char *const[]){__VA_ARGS__, NULL}, cus, lanes, sections)

/* A lock that is free: network 1, L2 16, DRAM 40 the first time, since its only bank has the row of
 * the code open, network 1; then its line is in the L2. A queue changes nothing of that. */
TEST(test_free_lock)
{
    static const char *const queues[] = {"lock.queue=off", "lock.queue=on"};

    for (unsigned i = 0; i < 2; i++) {
        struct machine *m = RUN(1, 1, 1, PARTITION, "dram.banks=1", queues[i]);
        assert_int_equal(m->counters.lock_wait_cycles, 1 + 16 + 40 + 1);
        machine_destroy(m);
        m = RUN(1, 1, 3, PARTITION, "dram.banks=1", queues[i]);
        assert_int_equal(m->counters.lock_wait_cycles, 58 + 2 * 18);
        assert_int_equal(m->counters.lock_requests, 3);
        machine_destroy(m);
    }
}

/* Lanes of one wavefront want one lock: all that are left ask in each round, 64 + 63 + ... + 1; in
 * a queue each asks once. */
TEST(test_requests)
{
    struct machine *m = RUN(1, 64, 1, PARTITION);

    assert_int_equal(m->counters.lock_requests, 64 * 65 / 2);
    assert_int_equal(m->mem->counters.lock.records, 0);
    machine_destroy(m);
    m = RUN(1, 64, 1, PARTITION, "lock.queue=on");
    assert_int_equal(m->counters.lock_requests, 64);
    assert_int_equal(m->mem->counters.lock.records, 64);
    assert_int_equal(m->mem->counters.lock.records_max, 64);
    machine_destroy(m);
    m = RUN(1, 64, 1, "mem.system=flat", "lock.queue=on");
    assert_int_equal(m->counters.lock_requests, 64);
    machine_destroy(m);
}

/* Eight wavefronts of as many compute units, twice: nobody is told that it failed, and each request
 * has one record. */
TEST(test_queues)
{
    static const char *const systems[] = {"mem.system=partition", "mem.system=flat"};

    for (unsigned i = 0; i < 2; i++) {
        struct machine *m = RUN(8, 32, 2, systems[i], "gpu.cus=8", "lock.queue=on");
        assert_int_equal(m->counters.lock_failed, 0);
        assert_int_equal(m->counters.lock_requests, 8 * 32 * 2);
        assert_int_equal(m->mem->counters.lock.records, 8 * 32 * 2);
        assert_int_equal(m->mem->counters.lock.records_max, 8 * 32);
        machine_destroy(m);
    }
}

/* With room for few, the others are refused, and come again. Changes that take time are right, too.
 */
TEST(test_limits)
{
    static const char *const systems[] = {"mem.system=partition", "mem.system=flat"};

    for (unsigned i = 0; i < 2; i++) {
        struct machine *m =
            RUN(8, 32, 2, systems[i], "gpu.cus=8", "lock.queue=on", "lock.queue_records=3",
                "lock.queue_cycles=7", "lock.backoff=exponential");
        assert_true(m->counters.lock_refused > 0);
        assert_int_equal(m->mem->counters.lock.records, 8 * 32 * 2);
        assert_int_equal(m->mem->counters.lock.records_max, 3);
        machine_destroy(m);
    }
}
