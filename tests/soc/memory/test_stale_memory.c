/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The contract of memory systems that hold bytes of their own (mem/mem.h), on the one that is as
 * stale as it permits (soc/common/stale.c): with enough synchronization a program never reads old
 * bytes, under any seed; with one acquire or release left out it does, under some. Message passing
 * between compute units; what launches and ends order; stacks of wavefronts that have ended; the
 * aggregator's stores; the end of a run, and what a requester would see; reservations. Programs on
 * the whole machine, with work-groups, yields and spills: tests/suite/test_stale.sh. */
#include <stdio.h>
#include <stdlib.h>

#include "common/check.h"
#include "common/fixture.h"
#include "soc/common/machine.h"
#include "soc/common/stale.h"

#define SEEDS 100u
#define LINE  SL_CACHE_LINE_BYTES

/* Cycles after which whatever the wavefronts here do at once has taken effect, and a pause that
 * goes on for long behind that. */
#define SETTLED 2000u
#define PAUSE   4096u

static struct asm_code code;

static struct machine *create(unsigned seed)
{
    char number[16];

    (void)snprintf(number, sizeof number, "%u", seed);
    assert_int_equal(setenv("SLUICE_STALE_SEED", number, 1), 0);
    fixture_memory(&mem_stale);
    return MACHINE("gpu.cus=2", "gpu.contexts=8", "gpu.pause_cycles=1");
}

static void destroy(struct machine *m)
{
    machine_destroy(m);
    fixture_memory(NULL);
}

static uint64_t *word_at(const struct machine *m, uint64_t address)
{
    return machine_at(m, address);
}

/* ---- message passing: data at a3, flag at a4, what the reader saw of the data in s11 ---- */

/* How the two are told apart in time. */
enum way {
    OPERATIONS,   /* a store that releases, a load that acquires */
    PLAIN_FENCES, /* `fence`, and plain atomics */
    FENCES        /* sl.fence, and relaxed stores and loads */
};

struct message {
    bool releases;
    bool acquires;
    enum way way;
    enum sl_scope scope; /* of what releases and acquires, but for PLAIN_FENCES */
};

#define DEVICE ASM_SCOPE(8, SL_SCOPE_DEVICE)

/* It lives on for a while: its end would be a release. */
static void put_writer(const struct message *message)
{
    asm_li(&code, T0, 1);
    asm_put(&code, asm_SD(T0, A3, 0));
    if (message->way == OPERATIONS) {
        asm_put(&code, asm_SL_STORE(T0, A4) | (message->releases ? ASM_RL : 0) |
                           ASM_SCOPE(8, message->scope));
    } else if (message->way == PLAIN_FENCES) {
        asm_put(&code, message->releases ? asm_FENCE() : ASM_NOP);
        asm_put(&code, asm_AMOADD_D(ZERO, T0, A4));
    } else {
        asm_put(&code, message->releases ? asm_SL_FENCE(message->scope, ASM_RELEASES) : ASM_NOP);
        asm_put(&code, asm_SL_STORE(T0, A4) | DEVICE);
    }
    asm_li(&code, T0, PAUSE);
    asm_put(&code, asm_SL_PAUSE(T0));
    asm_put(&code, ASM_RET);
}

/* The data is in the cache already when the reader begins to wait for the flag. */
static void put_reader(const struct message *message)
{
    asm_put(&code, asm_LD(S10, A3, 0));
    asm_put(&code, asm_ADD(S10, S10, S10)); /* waits for it */
    asm_label(&code, 0);
    if (message->way == OPERATIONS) {
        asm_put(&code, asm_SL_LOAD(T0, ZERO, A4) | (message->acquires ? ASM_AQ : 0) |
                           ASM_SCOPE(8, message->scope));
    } else if (message->way == PLAIN_FENCES) {
        asm_put(&code, asm_AMOADD_D(T0, ZERO, A4));
    } else {
        asm_put(&code, asm_SL_LOAD(T0, ZERO, A4) | DEVICE);
    }
    asm_to(&code, asm_BEQ(T0, ZERO, 0), 0);
    if (message->way != OPERATIONS && message->acquires) {
        asm_put(&code, message->way == PLAIN_FENCES ? asm_FENCE()
                                                    : asm_SL_FENCE(message->scope, ASM_ACQUIRES));
    }
    asm_put(&code, asm_LD(S11, A3, 0));
    asm_put(&code, ASM_RET);
}

/* What the reader saw of the data after the flag. */
static uint64_t pass(const struct message *message, unsigned seed)
{
    struct machine *m = create(seed);

    asm_begin(&code);
    asm_function(&code);
    put_writer(message);
    asm_function(&code);
    const uint32_t reader = asm_here(&code);
    put_reader(message);
    machine_load(m, &code);
    m->arguments[1] = machine_take(m, LINE);
    m->arguments[2] = machine_take(m, LINE);
    machine_launch(m, 1, reader, 0, 1);
    machine_launch(m, 0, 0, 0, 1);
    machine_run(m);
    assert_int_equal(m->faults, 0);
    assert_int_equal(*word_at(m, m->arguments[1]), 1); /* the end of a run of wavefronts releases */
    const uint64_t seen = m->waves[0].x[S11][0];
    destroy(m);
    return seen;
}

static unsigned count_old(const struct message *message)
{
    unsigned old = 0;

    for (unsigned seed = 1; seed <= SEEDS; seed++) {
        old += pass(message, seed) == 0;
    }
    return old;
}

TEST(test_message_passing)
{
    for (enum way way = OPERATIONS; way <= FENCES; way++) {
        assert_int_equal(count_old(&(struct message){true, true, way, SL_SCOPE_DEVICE}), 0);
        assert_true(count_old(&(struct message){true, false, way, SL_SCOPE_DEVICE}) > 0);
        assert_true(count_old(&(struct message){false, true, way, SL_SCOPE_DEVICE}) > 0);
    }
}

/* The system's scope holds the device's; that of the work-group, and of the wavefront, is too small
 * for what is passed between compute units. */
TEST(test_scopes_of_fences)
{
    assert_int_equal(count_old(&(struct message){true, true, OPERATIONS, SL_SCOPE_SYSTEM}), 0);
    assert_int_equal(count_old(&(struct message){true, true, FENCES, SL_SCOPE_SYSTEM}), 0);
    assert_true(count_old(&(struct message){true, true, FENCES, SL_SCOPE_WORKGROUP}) > 0);
    assert_true(count_old(&(struct message){true, true, FENCES, SL_SCOPE_WAVEFRONT}) > 0);
}

/* ---- a wavefront that begins later ---- */

/* What a wavefront on compute unit 1 reads that was launched after one on compute unit 0 had stored
 * and ended: a launch acquires, the end of a packet's last wavefront releases. */
TEST(test_launch_after_end)
{
    for (unsigned seed = 1; seed <= SEEDS; seed++) {
        struct machine *m = create(seed);
        asm_begin(&code);
        asm_function(&code);
        asm_put(&code, asm_LD(S11, A3, 0));
        asm_put(&code, asm_ADDI(S11, S11, 1));
        asm_put(&code, asm_SD(S11, A3, 0)); /* under way when the wavefront ends */
        asm_put(&code, ASM_RET);
        machine_load(m, &code);
        m->arguments[1] = machine_take(m, LINE);
        for (uint32_t i = 0; i < 6; i++) {
            machine_launch(m, i % 2, 0, 0, 1);
            machine_run(m);
            assert_int_equal(m->waves[i].x[S11][0], i + 1);
        }
        destroy(m);
    }
}

/* The acquire of a packet's first wavefront is that of its others: what the compute unit had before
 * is old for none of them, also when they are launched while the acquire is under way. */
TEST(test_launch_beside_the_first)
{
    for (unsigned seed = 1; seed <= SEEDS; seed++) {
        struct machine *m = create(seed);
        asm_begin(&code);
        asm_function(&code);
        asm_put(&code, asm_LD(S11, A3, 0));
        asm_put(&code, ASM_RET);
        machine_load(m, &code);
        m->arguments[1] = machine_take(m, LINE);
        *word_at(m, m->arguments[1]) = 7;
        machine_launch(m, 0, 0, 0, 1);
        machine_run(m);
        *word_at(m, m->arguments[1]) = 8;
        for (uint32_t i = 0; i < 4; i++) {
            machine_launch(m, 0, 0, 0, 1);
        }
        machine_run(m);
        assert_int_equal(m->waves[0].x[S11][0], 7);
        for (uint32_t i = 1; i < 5; i++) {
            assert_int_equal(m->waves[i].x[S11][0], 8);
        }
        destroy(m);
    }
}

/* Stacks of wavefronts that have ended are nobody's: bytes of theirs that a cache still holds do
 * not come to what is another wavefront's meanwhile, on another compute unit. */
TEST(test_stacks_of_the_dead)
{
    for (unsigned seed = 1; seed <= SEEDS; seed++) {
        struct machine *m = create(seed);
        asm_begin(&code);
        asm_function(&code);
        for (int offset = -64; offset < 0; offset += 8) {
            asm_put(&code, asm_SD(A2, SP, offset));
        }
        asm_put(&code, asm_SL_PAUSE(A3));
        asm_put(&code, asm_FENCE());
        asm_put(&code, asm_LD(S11, SP, -64));
        asm_put(&code, ASM_RET);
        machine_load(m, &code);
        m->arguments[0] = 1000;
        m->arguments[1] = PAUSE;
        machine_launch(m, 0, 0, 0, 1); /* keeps the packet on compute unit 0 from its end */
        m->arguments[1] = 0;
        for (uint32_t i = 0; i < 8; i++) {
            m->arguments[0] = i;
            machine_launch(m, i % 2, 0, 0, 1);
            const uint64_t begin = m->gpu->event_queue->now;
            while (m->ended <= i && m->gpu->event_queue->now < begin + 100000) {
                fixture_run(m->gpu, m->gpu->event_queue->next);
            }
        }
        machine_run(m);
        for (uint32_t i = 0; i < 8; i++) {
            assert_int_equal(m->waves[i + 1].x[S11][0], i);
        }
        assert_int_equal(m->waves[0].x[S11][0], 1000);
        destroy(m);
    }
}

/* ---- the aggregator ---- */

/* What the aggregator stores is old for a wavefront that has the line, until it acquires. */
TEST(test_aggregator_stores)
{
    struct machine *m = create(1);

    asm_begin(&code);
    asm_function(&code);
    asm_put(&code, asm_LD(S9, A3, 0));
    asm_put(&code, asm_ADD(S9, S9, ZERO));
    asm_li(&code, T0, PAUSE);
    asm_put(&code, asm_SL_PAUSE(T0));
    asm_put(&code, asm_LD(S10, A3, 0));
    asm_put(&code, asm_FENCE());
    asm_put(&code, asm_LD(S11, A3, 0));
    asm_put(&code, ASM_RET);
    machine_load(m, &code);
    m->arguments[1] = machine_take(m, LINE);
    *word_at(m, m->arguments[1]) = 7;
    machine_launch(m, 0, 0, 0, 1);
    fixture_run(m->gpu, SETTLED);
    *word_at(m, m->arguments[1]) = 8;
    machine_run(m);
    assert_int_equal(m->waves[0].x[S9][0], 7);
    assert_int_equal(m->waves[0].x[S10][0], 7);
    assert_int_equal(m->waves[0].x[S11][0], 8);
    destroy(m);
}

/* Relaxed stores and loads are made where all of their scope see them: for the device and beyond at
 * DRAM, at once; up to the work-group in the compute unit's cache, which has the line. */
TEST(test_relaxed_accesses)
{
    for (enum sl_scope scope = SL_SCOPE_WAVEFRONT; scope <= SL_SCOPE_SYSTEM; scope++) {
        const bool is_wide = scope >= SL_SCOPE_DEVICE;
        struct machine *m = create(1);
        asm_begin(&code);
        asm_function(&code);
        asm_put(&code, asm_LD(S9, A3, 0));
        asm_put(&code, asm_ADD(S9, S9, ZERO));
        asm_put(&code, asm_SL_STORE(A2, A4) | ASM_SCOPE(8, scope));
        asm_li(&code, T0, PAUSE);
        asm_put(&code, asm_SL_PAUSE(T0));
        asm_put(&code, asm_SL_LOAD(S10, ZERO, A3) | ASM_SCOPE(8, scope));
        asm_put(&code, ASM_RET);
        machine_load(m, &code);
        m->arguments[0] = 42;
        m->arguments[1] = machine_take(m, LINE);
        m->arguments[2] = machine_take(m, LINE);
        *word_at(m, m->arguments[1]) = 7;
        machine_launch(m, 0, 0, 0, 1);
        fixture_run(m->gpu, SETTLED);
        assert_int_equal(*word_at(m, m->arguments[2]), is_wide ? 42 : 0);
        *word_at(m, m->arguments[1]) = 8;
        machine_run(m);
        assert_int_equal(m->waves[0].x[S9][0], 7);
        assert_int_equal(m->waves[0].x[S10][0], is_wide ? 8 : 7);
        assert_int_equal(*word_at(m, m->arguments[2]), 42);
        destroy(m);
    }
}

/* What a wavefront stores reaches DRAM with its release, not before; a requester sees what is its
 * own before that; settling brings it there in any case. */
TEST(test_settle_and_peek)
{
    for (unsigned settles = 0; settles < 2; settles++) {
        struct machine *m = create(3);
        const struct mem_requester own = {MEM_CU, 0};
        const struct mem_requester other = {MEM_CU, 1};
        uint64_t seen = 0;
        asm_begin(&code);
        asm_function(&code);
        asm_put(&code, asm_SD(A2, A3, 0));
        asm_li(&code, T0, PAUSE);
        asm_put(&code, asm_SL_PAUSE(T0));
        asm_put(&code, asm_FENCE());
        asm_put(&code, asm_SL_PAUSE(T0));
        asm_put(&code, ASM_RET);
        machine_load(m, &code);
        m->arguments[0] = 42;
        m->arguments[1] = machine_take(m, LINE);
        machine_launch(m, 0, 0, 0, 1);
        fixture_run(m->gpu, SETTLED);
        assert_int_equal(*word_at(m, m->arguments[1]), 0);
        m->mem->ops->functional_read(m->mem, own, m->arguments[1], &seen, sizeof seen);
        assert_int_equal(seen, 42);
        m->mem->ops->functional_read(m->mem, other, m->arguments[1], &seen, sizeof seen);
        assert_int_equal(seen, 0);
        if (settles != 0) {
            m->mem->ops->drain(m->mem);
        } else {
            fixture_run(m->gpu, PAUSE + 2 * SETTLED);
        }
        assert_int_equal(*word_at(m, m->arguments[1]), 42);
        if (settles == 0) {
            machine_run(m);
        }
        destroy(m);
    }
}

/* ---- reservations ---- */

/* Increments by lr and sc of two compute units with two wavefronts each: none is lost. */
TEST(test_conditional_stores)
{
    for (unsigned seed = 1; seed <= SEEDS / 4; seed++) {
        struct machine *m = create(seed);
        asm_begin(&code);
        asm_function(&code);
        asm_label(&code, 0);
        asm_put(&code, asm_LR_D(T0, ZERO, A3));
        asm_put(&code, asm_ADDI(T0, T0, 1));
        asm_put(&code, asm_SC_D(T1, T0, A3));
        asm_to(&code, asm_BNE(T1, ZERO, 0), 0);
        asm_put(&code, ASM_RET);
        machine_load(m, &code);
        m->arguments[1] = machine_take(m, LINE);
        for (uint32_t i = 0; i < 4; i++) {
            machine_launch(m, i % 2, 0, 0, 8);
        }
        machine_run(m);
        assert_int_equal(*word_at(m, m->arguments[1]), 32);
        assert_int_equal(m->mem->reservations.held, 0);
        destroy(m);
    }
}
