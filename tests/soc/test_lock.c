/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Locks of lanes (docs/locks.md): what they do on each memory system, to the cycle and to the
 * values that they protect; what they count; and what they fault with. Joins, which the compiler
 * driver's analysis puts into the table of reconvergence points, are set by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "common/fixture.h"
#include "sluice/lock.h"
#include "soc/machine.h"

static struct asm_code code;

static const char *const systems[] = {
    "mem.system=flat",         "mem.system=moesi",  "mem.system=nol1",     "mem.system=wt",
    "mem.system=quickrelease", "mem.system=scoped", "mem.system=partition"};

#define SYSTEMS (sizeof systems / sizeof systems[0])

/* The lock at code offset `pc` joins at `join`. */
static void set_join(const struct machine *m, uint32_t pc, uint32_t join)
{
    m->gpu->env.program.ops[pc / 2].reconvergence = join;
}

/* What memory has at an address, wherever the system keeps it. */
static uint32_t word_at(const struct machine *m, uint64_t address)
{
    if (m->mem->ops->settle != NULL) {
        m->mem->ops->settle(m->mem);
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

static void test_exclusion(void **state)
{
    static const char *const stacks[] = {"lock.stack=join", "lock.stack=thesis"};
    (void)state;

    for (size_t s = 0; s < SYSTEMS; s++) {
        for (unsigned k = 0; k < 2; k++) {
            check_exclusion(systems[s], stacks[k], 4, 8, 8);
            check_exclusion(systems[s], stacks[k], 1, 2, 32);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exclusion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
