/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Core model `simple`, with times worked out by hand: 2 GHz, so 500 ps a cycle; a fetch 2 cycles,
 * an access to memory 4, to a device register 40; execution nothing on top of the fetch, but for a
 * multiplication, 2, and a division, 19.
 * The memory system is flat behind a wrapper that records the requests. */
#include <string.h>

#include "aggregator/core.h"
#include "common/check.h"
#include "common/ideal.h"
#include "mem/systems/flat/flat.h"
#include "sluice/config.h"

#define CYCLE    500ull
#define REQUESTS 16
#define CODE     (SL_DRAM_BASE + 0x100)
#define DATA     (SL_DRAM_BASE + 0x4000)

/* Words of each class. */
enum word {
    ADD = 0x00c58533,
    MUL = 0x02c58533,
    DIV = 0x02c5c533,
    BRANCH = 0x00c58463,
    LOAD = 0x0085b503,
    STORE = 0x00a5b423,
    AMO = 0x06c5a52f,
    FENCE = 0x0ff0000f,
};

struct recorder {
    struct mem_system base;
    struct mem_system *flat;
    struct mem_request request[REQUESTS];
    unsigned count;
};

struct fixture {
    struct sl_config config;
    struct recorder recorder;
    struct agg_core *core;
    uint8_t bytes[0x8000];
};

static struct mem_answer record(struct mem_system *mem, struct mem_request *request)
{
    struct recorder *recorder = (struct recorder *)mem;

    assert_true(recorder->count < REQUESTS);
    recorder->request[recorder->count++] = *request;
    return recorder->flat->ops->access(recorder->flat, request);
}

static const struct mem_ops recorder_ops = {.name = "recorder", .access = record};

static void create(struct fixture *f, const char *const *settings)
{
    struct dram dram = {.bytes = f->bytes, .size = sizeof f->bytes};
    char error[512];

    memset(f, 0, sizeof *f);
    ideal_config(&f->config);
    for (; *settings != NULL; settings++) {
        assert_int_equal(sl_config_set(&f->config, *settings, error, sizeof error), 0);
    }
    f->recorder.flat = mem_flat.create(&(struct mem_parts){.config = &f->config, .dram = &dram});
    assert_non_null(f->recorder.flat);
    f->recorder.base = (struct mem_system){.ops = &recorder_ops};
    f->core = agg_core_create(&f->config, &f->recorder.base);
    assert_non_null(f->core);
    f->core->ops->begin(f->core);
}

#define CREATE(f, ...)    create(f, (const char *const[]){__VA_ARGS__, NULL})
#define CREATE_DEFAULT(f) create(f, (const char *const[]){NULL})

static void destroy(struct fixture *f)
{
    f->core->ops->destroy(f->core);
    f->recorder.flat->ops->destroy(f->recorder.flat);
}

static uint64_t instruction(struct fixture *f, enum word word)
{
    struct agg_insn insn = agg_insn_decode(CODE, word);
    return f->core->ops->instruction(f->core, &insn);
}

static void access_memory(struct fixture *f, bool is_store)
{
    struct agg_access access = {.address = DATA, .is_store = is_store};
    f->core->ops->access(f->core, &access);
}

static void access_device(struct fixture *f, bool is_store)
{
    struct agg_access access = {.address = DATA, .is_store = is_store, .is_device = true};
    f->core->ops->access(f->core, &access);
}

/* An instruction takes effect after its fetch, and ends after its execution, which begins in the
 * last cycle of the fetch. */
TEST(test_classes)
{
    static struct fixture f;
    static const struct {
        enum word word;
        unsigned cycles; /* fetch and execution */
    } cases[] = {{ADD, 2}, {MUL, 4}, {DIV, 21}, {BRANCH, 2}, {FENCE, 2}};

    CREATE_DEFAULT(&f);
    assert_int_equal(f.core->cycle_ps, CYCLE);
    uint64_t time = 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(instruction(&f, cases[i].word), time + 2 * CYCLE);
        time += cases[i].cycles * CYCLE;
        assert_int_equal(f.core->time_ps, time);
    }
    assert_int_equal(f.core->counters.instructions, 5);
    assert_int_equal(f.core->counters.fetches, 5);
    f.core->ops->begin(f.core);
    assert_int_equal(f.core->time_ps, 0);
    destroy(&f);
}

/* add, ld, add, sd, mul: 2 + (2 + 4) + 2 + (2 + 4) + 4 = 20 cycles for 5 instructions. The stores
 * wait as the loads do. */
TEST(test_sequence)
{
    static struct fixture f;

    CREATE_DEFAULT(&f);
    (void)instruction(&f, ADD);
    assert_int_equal(instruction(&f, LOAD), 4 * CYCLE);
    access_memory(&f, false);
    assert_int_equal(f.core->time_ps, 8 * CYCLE);
    (void)instruction(&f, ADD);
    assert_int_equal(instruction(&f, STORE), 12 * CYCLE);
    access_memory(&f, true);
    (void)instruction(&f, MUL);
    assert_int_equal(f.core->time_ps, 20 * CYCLE);
    assert_int_equal(f.core->counters.loads, 1);
    assert_int_equal(f.core->counters.stores, 1);
    assert_int_equal(f.core->counters.device_accesses, 0);

    /* What memory saw: five fetches, and the accesses behind theirs, after execution. */
    static const struct {
        enum mem_kind kind;
        uint64_t address;
        unsigned cycle;
    } expected[] = {
        {MEM_FETCH, CODE, 0},  {MEM_FETCH, CODE, 2},  {MEM_LOAD, DATA, 4},   {MEM_FETCH, CODE, 8},
        {MEM_FETCH, CODE, 10}, {MEM_STORE, DATA, 12}, {MEM_FETCH, CODE, 16},
    };
    assert_int_equal(f.recorder.count, sizeof expected / sizeof expected[0]);
    for (unsigned i = 0; i < f.recorder.count; i++) {
        assert_int_equal(f.recorder.request[i].kind, expected[i].kind);
        assert_int_equal(f.recorder.request[i].address, expected[i].address);
        assert_int_equal(f.recorder.request[i].time_ps, expected[i].cycle * CYCLE);
        assert_int_equal(f.recorder.request[i].from.kind,
                         expected[i].kind == MEM_FETCH ? MEM_AGG_CODE : MEM_AGG);
    }
    destroy(&f);
}

/* A device access takes 20 ns: 2 + 40 cycles, load or store. */
TEST(test_device_access)
{
    static struct fixture f;

    CREATE_DEFAULT(&f);
    (void)instruction(&f, STORE);
    access_device(&f, true);
    assert_int_equal(f.core->time_ps, 42 * CYCLE);
    (void)instruction(&f, LOAD);
    access_device(&f, false);
    assert_int_equal(f.core->time_ps, 84 * CYCLE);
    assert_int_equal(f.core->counters.device_accesses, 2);
    assert_int_equal(f.core->counters.loads + f.core->counters.stores, 0);
    assert_int_equal(f.recorder.count, 2); /* the fetches alone */
    destroy(&f);
}

/* QEMU tells of an AMO by a load, by a store, by both or (a failed SC) not at all: 2 + 4 cycles,
 * and one access, each time. Without a callback it is charged before the next instruction. */
TEST(test_atomics)
{
    for (unsigned callbacks = 0; callbacks <= 3; callbacks++) {
        static struct fixture f;
        CREATE_DEFAULT(&f);
        assert_int_equal(instruction(&f, AMO), 2 * CYCLE);
        if (callbacks & 1) {
            access_memory(&f, false);
        }
        if (callbacks & 2) {
            access_memory(&f, true);
        }
        assert_int_equal(f.core->time_ps, (callbacks == 0 ? 2 : 6) * CYCLE);
        assert_int_equal(instruction(&f, ADD), 8 * CYCLE);
        assert_int_equal(f.core->time_ps, 8 * CYCLE);
        assert_int_equal(f.core->counters.loads, 0);
        assert_int_equal(f.core->counters.stores, 1);
        assert_int_equal(f.recorder.count, 3);
        assert_int_equal(f.recorder.request[1].kind, MEM_ATOMIC);
        assert_int_equal(f.recorder.request[1].time_ps, 2 * CYCLE);
        /* The debt is paid: a load behind it is charged as any other. */
        (void)instruction(&f, LOAD);
        access_memory(&f, false);
        assert_int_equal(f.core->time_ps, 14 * CYCLE);
        destroy(&f);
    }
}

/* Two atomics without callbacks: each is charged. */
TEST(test_atomics_in_a_row)
{
    static struct fixture f;

    CREATE_DEFAULT(&f);
    (void)instruction(&f, AMO);
    (void)instruction(&f, AMO);
    (void)instruction(&f, ADD);
    assert_int_equal(f.core->time_ps, (6 + 6 + 2) * CYCLE);
    assert_int_equal(f.core->counters.stores, 2);

    /* A run that begins anew owes nothing of the one before. */
    (void)instruction(&f, AMO);
    f.core->ops->begin(f.core);
    assert_int_equal(instruction(&f, ADD), 2 * CYCLE);
    destroy(&f);
}

TEST(test_atomic_on_a_device)
{
    static struct fixture f;

    CREATE_DEFAULT(&f);
    (void)instruction(&f, AMO);
    access_device(&f, false);
    access_device(&f, true);
    assert_int_equal(f.core->time_ps, 42 * CYCLE);
    assert_int_equal(f.core->counters.device_accesses, 1);
    destroy(&f);
}

/* 2001 ps are 5 cycles of 500 ps, 1 ps is one. At 3 GHz a cycle is 333 ps: a fetch of 1000 ps takes
 * 4 of them, an access of 2000 ps 7, a device access of 20000 ps 61. */
TEST(test_rounding)
{
    static struct fixture f;

    CREATE(&f, "flat.agg=2001ps", "flat.agg_fetch=1ps");
    (void)instruction(&f, LOAD);
    access_memory(&f, false);
    assert_int_equal(f.core->time_ps, (1 + 5) * CYCLE);
    destroy(&f);

    CREATE(&f, "agg.clock=3GHz");
    assert_int_equal(f.core->cycle_ps, 333);
    assert_int_equal(instruction(&f, LOAD), 4 * 333);
    access_memory(&f, false);
    assert_int_equal(f.core->time_ps, (4 + 7) * 333);
    (void)instruction(&f, STORE);
    access_device(&f, true);
    assert_int_equal(f.core->time_ps, (11 + 4 + 61) * 333);
    destroy(&f);
}

/* The cost table is configuration. A fetch that takes no time is one cycle all the same: no loop is
 * executed in no time. */
TEST(test_configured_costs)
{
    static struct fixture f;

    CREATE(&f, "simple.alu_cycles=2", "simple.mul_cycles=7", "simple.div_cycles=11",
           "simple.branch_cycles=13", "simple.memory_cycles=17", "simple.system_cycles=19",
           "flat.agg_fetch=0ps", "flat.agg=0ps");
    static const enum word order[] = {ADD, MUL, DIV, BRANCH, LOAD, STORE, AMO, FENCE};
    static const unsigned costs[] = {2, 7, 11, 13, 17, 17, 17, 19};
    uint64_t time = 0;
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        assert_int_equal(instruction(&f, order[i]), time + CYCLE);
        time += (1 + costs[i]) * CYCLE;
        assert_int_equal(f.core->time_ps, time);
    }
    destroy(&f);
}
