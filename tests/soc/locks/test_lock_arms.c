/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Lanes that part inside a section: those of one arm give their lock back and then want one that
 * lanes of the other arm, which is below them on the stack, still hold. With locks in queues, too,
 * these have to go on, although no request of theirs is answered. */
#include <stdbool.h>

#include "common/check.h"
#include "sluice/lock.h"
#include "soc/common/machine.h"

#define COUNT 8

enum { OTHER, END };

static void give_back(struct asm_code *code, bool wants_another)
{
    asm_put(code, asm_SL_UNLOCK(S0));
    if (wants_another) {
        asm_put(code, asm_SL_LOCK(S1));
        asm_put(code, asm_SL_UNLOCK(S1));
    }
}

/* Lane n takes lock n. In one arm of a branch lanes give it back and take and give back lock n ^ 1;
 * in the other arm, which is the second one or the first one, they give theirs back. */
static void make(struct asm_code *code, bool is_second)
{
    asm_begin(code);
    asm_put(code, asm_SLLI(T0, A1, 2));
    asm_put(code, asm_ADD(S0, A2, T0));
    asm_put(code, asm_XORI(T0, T0, 4));
    asm_put(code, asm_ADD(S1, A2, T0));
    asm_put(code, asm_ANDI(T1, A1, 1));
    asm_put(code, asm_SL_LOCK(S0));
    asm_to(code, asm_BEQ(T1, ZERO, 0), OTHER);
    give_back(code, is_second);
    asm_to(code, asm_JAL(ZERO, 0), END);
    asm_label(code, OTHER);
    give_back(code, !is_second);
    asm_label(code, END);
    asm_put(code, ASM_RET);
    if (code->count % 2 != 0) { /* tables are of whole double words of code */
        asm_put(code, ASM_NOP);
    }
}

static void run(const char *queue, bool is_second)
{
    struct machine *m = MACHINE("gpu.lanes=8", "gpu.simd_lanes=8", "lock.stack=join", queue);
    static struct asm_code code;

    make(&code, is_second);
    m->arguments[0] = machine_take(m, COUNT * sizeof(sl_lock_t));
    sl_lock_t *locks = machine_at(m, m->arguments[0]);
    for (unsigned i = 0; i < COUNT; i++) {
        locks[i] = sl_lock_init();
    }
    (void)machine_execute(m, &code, COUNT);
    assert_int_equal(m->faults, 0);
    assert_int_equal(m->counters.lock_acquired, COUNT + COUNT / 2);
    assert_int_equal(m->counters.lock_unlocks, COUNT + COUNT / 2);
    for (unsigned i = 0; i < COUNT; i++) {
        assert_int_equal(locks[i].holder, SL_LOCK_FREE);
    }
    machine_destroy(m);
}

TEST(test_other_arm_goes_on)
{
    run("lock.queue=off", false);
    run("lock.queue=off", true);
    run("lock.queue=on", false);
    run("lock.queue=on", true);
}
