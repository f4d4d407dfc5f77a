/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Yield and restart with lanes below that still ask for a lock, with lock.stack = join and thesis:
 * the stack's entries come back with their kinds and levels, and so do the lanes' unlock counters;
 * all of them in hardware, and most of them spilled to memory. */
#include <stdbool.h>
#include <string.h>

#include "common/check.h"
#include "sluice/lock.h"
#include "sluice/stack_entry.h"
#include "soc/common/driver.h"

#define LOCK_BYTES 64
#define LOCKS      3
#define LANES_USED 3
#define DEPTH_MAX  32
#define CALLS      8 /* one in the other, which is more than the hardware has entries */

enum { OTHER, END, CALLEE, YIELD, OUT }; /* labels */

static struct asm_code code;

/* Lanes 0 and 2 want lock 0, lane 1 wants lock 1; 0 and 1 get theirs. At the branch lane 1 goes
 * first, and gives its lock back; then lane 0 does so, takes and gives back lock 2, and yields so
 * many calls deeper. Lane 2 is further down with its retry entry all the time. Each writes out that
 * it has come to the end.
 *
 * With lock.stack = thesis lane 0 finds two LRs on the stack as it gives back lock 2, the only one
 * that it holds: from then on its unlock counter is 1. */
static void put_locks(void)
{
    asm_put(&code, asm_ADDI(SP, SP, -16));
    asm_put(&code, asm_SD(RA, SP, 0));
    asm_put(&code, asm_SL_ID(S1, SL_ID_LANE));
    asm_put(&code, asm_ANDI(T1, S1, 1));
    asm_put(&code, asm_SLLI(T1, T1, 6));
    asm_put(&code, asm_ADD(S2, A2, T1));
    asm_put(&code, asm_ADDI(S3, A2, 2 * LOCK_BYTES));
    asm_put(&code, asm_SL_LOCK(S2));
    asm_to(&code, asm_BEQ(S1, ZERO, 0), OTHER);
    asm_put(&code, asm_SL_UNLOCK(S2));
    asm_to(&code, asm_JAL(ZERO, 0), END);
    asm_label(&code, OTHER);
    asm_put(&code, asm_SL_UNLOCK(S2));
    asm_put(&code, asm_SL_LOCK(S3));
    asm_put(&code, asm_SL_UNLOCK(S3));
}

static void put_rest(uint32_t calls)
{
    asm_put(&code, asm_ADDI(S4, ZERO, (int32_t)calls));
    asm_to(&code, asm_JAL(RA, 0), CALLEE);
    asm_label(&code, END);
    asm_put(&code, asm_SLLI(T1, S1, 2));
    asm_put(&code, asm_ADD(T1, T1, A2));
    asm_put(&code, asm_ADDI(T2, S1, 1));
    asm_put(&code, asm_SW(T2, T1, LOCKS * LOCK_BYTES));
    asm_put(&code, asm_LD(RA, SP, 0));
    asm_put(&code, asm_ADDI(SP, SP, 16));
    asm_put(&code, ASM_RET);
}

static void put_callee(void)
{
    asm_function(&code);
    asm_label(&code, CALLEE);
    asm_put(&code, asm_ADDI(SP, SP, -16));
    asm_put(&code, asm_SD(RA, SP, 0));
    asm_to(&code, asm_BEQ(S4, ZERO, 0), YIELD);
    asm_put(&code, asm_ADDI(S4, S4, -1));
    asm_to(&code, asm_JAL(RA, 0), CALLEE);
    asm_to(&code, asm_JAL(ZERO, 0), OUT);
    asm_label(&code, YIELD);
    asm_put(&code, asm_SL_YIELD(A0, A1));
    asm_label(&code, OUT);
    asm_put(&code, asm_LD(RA, SP, 0));
    asm_put(&code, asm_ADDI(SP, SP, 16));
    asm_put(&code, ASM_RET);
    if (code.count % 2 != 0) { /* tables are of whole double words of code */
        asm_put(&code, ASM_NOP);
    }
}

/* What comes back of a wavefront, as far as locks go. */
struct kept {
    uint32_t depth;
    struct stack_entry entries[DEPTH_MAX];
    uint16_t unlocks[LANES];
};

static struct kept keep(const struct wave *wave)
{
    struct kept kept = {.depth = wave->stack.depth};

    assert_in_range(kept.depth, 1, DEPTH_MAX);
    memcpy(kept.entries, wave->stack.entries, kept.depth * sizeof kept.entries[0]);
    memcpy(kept.unlocks, wave->locks.unlocks, sizeof kept.unlocks);
    return kept;
}

static void expect_equal(const struct kept *is, const struct kept *should)
{
    assert_int_equal(is->depth, should->depth);
    for (uint32_t i = 0; i < is->depth; i++) {
        assert_int_equal(is->entries[i].mask, should->entries[i].mask);
        assert_int_equal(is->entries[i].pc, should->entries[i].pc);
        assert_int_equal(is->entries[i].reconvergence, should->entries[i].reconvergence);
        assert_int_equal(is->entries[i].kind, should->entries[i].kind);
        assert_int_equal(is->entries[i].level, should->entries[i].level);
    }
    assert_memory_equal(is->unlocks, should->unlocks, sizeof is->unlocks);
}

/* The same in the save area, as far as it is there: what is spilled is in memory already. */
static void expect_saved(const struct sl_wave_state *state, const struct kept *kept)
{
    assert_int_equal(state->stack_depth, kept->depth);
    for (uint32_t i = 0; i < state->stack_stored; i++) {
        const struct stack_entry *entry = &kept->entries[kept->depth - 1 - i];
        assert_int_equal(state->stack[i].mask, entry->mask);
        assert_int_equal(sl_stack_kind(&state->stack[i]), entry->kind);
        assert_int_equal(sl_stack_level(&state->stack[i]), entry->level);
    }
    assert_int_equal(state->unlocks[0] & 1, kept->unlocks[0]);
}

/* The retry entry of lane 2. */
static uint32_t find_retry(const struct kept *kept)
{
    uint32_t at = 0;

    while (at < kept->depth &&
           (kept->entries[at].kind != STACK_RETRY || (kept->entries[at].mask & 4) == 0)) {
        at++;
    }
    return at;
}

/* Whoever has the context meanwhile leaves nothing as it was. */
static void spoil(struct wave *wave)
{
    memset(wave->stack.entries, 0x5a, wave->stack.capacity * sizeof wave->stack.entries[0]);
    memset(wave->locks.unlocks, 0x5a, sizeof wave->locks.unlocks);
    wave->stack.depth = 1;
}

static uint64_t place(struct driver *d, uint32_t calls)
{
    const uint64_t memory = driver_take(d, (LOCKS + 1) * LOCK_BYTES);

    for (uint32_t i = 0; i < LOCKS; i++) {
        *(sl_lock_t *)driver_at(d, memory + (uint64_t)i * LOCK_BYTES) = sl_lock_init();
    }
    asm_begin(&code);
    asm_function(&code);
    put_locks();
    put_rest(calls);
    put_callee();
    driver_place(d, &code);
    return memory;
}

static void expect_ended(const struct driver *d, uint64_t memory)
{
    const uint32_t *out = driver_at(d, memory + (uint64_t)LOCKS * LOCK_BYTES);

    assert_int_equal(driver_read(d, SL_REG_FAULT_TAIL), 0);
    for (uint32_t lane = 0; lane < LANES_USED; lane++) {
        assert_int_equal(out[lane], lane + 1);
    }
    for (uint32_t i = 0; i < LOCKS; i++) {
        const sl_lock_t *lock = driver_at(d, memory + (uint64_t)i * LOCK_BYTES);
        assert_int_equal(lock->holder, SL_LOCK_FREE);
    }
}

static void check(const char *stack, const char *saves, bool is_spilled)
{
    struct driver *d = DRIVER(stack, saves, "gpu.divergence_spill=64",
                              is_spilled ? "gpu.divergence_depth=4" : "gpu.divergence_depth=32");
    const bool is_thesis = strcmp(stack, "lock.stack=thesis") == 0;
    const uint64_t memory = place(d, is_spilled ? CALLS : 0);
    const uint64_t kernel = driver_kernel(d, 0, memory);
    struct wave *wave = &d->soc->gpu->waves[0];

    driver_begin_yields(d);
    driver_packet(d, kernel, 0, LANES_USED);
    driver_bell(d);
    driver_await(d, SL_REG_YIELD_TAIL, 1);
    const struct kept before = keep(wave);
    assert_true(find_retry(&before) + 1 < before.depth);
    assert_int_equal(find_retry(&before) < wave->stack.spilled, is_spilled);
    assert_int_equal(before.unlocks[0], is_thesis ? 1 : 0);
    const struct sl_wave_state *state = driver_at(d, driver_yield(d, 0)->block);
    assert_int_equal(state->stack_stored, before.depth - wave->stack.spilled);
    expect_saved(state, &before);
    spoil(wave);
    driver_restart(d, driver_yield(d, 0)->block);
    driver_await(d, SL_REG_RESIDENT, 1);
    const struct kept after = keep(wave);
    expect_equal(&after, &before);
    driver_await(d, SL_REG_COMPLETION_TAIL, 1);
    expect_ended(d, memory);
    driver_destroy(d);
}

static void test_yield(void **state)
{
    static const char *const stacks[] = {"lock.stack=join", "lock.stack=thesis"};
    const bool is_spilled = *state != NULL;

    for (unsigned k = 0; k < 2; k++) {
        check(stacks[k], "gpu.yield_saves=used", is_spilled);
        check(stacks[k], "gpu.yield_saves=live", is_spilled);
    }
}

TEST_CASE(test_yield, "test_yield (in hardware)", NULL);
TEST_CASE(test_yield, "test_yield (spilled)", "spilled");
