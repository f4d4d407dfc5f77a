/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The cycle stack of the cores (aggregator/cycle_stack.h), each class with cycles worked out by
 * hand. Lines of code and of data say by their place where they are found, and how long that takes:
 * line 0 in the L1, 1 in another L1, 2 in the L2, 3 in DRAM.
 *
 * Core 2way-ooo: a line of code that hits is there in cycle 2, of which one is hidden; 2 stages
 * later its instructions are renamed, in cycle 3, issued 2 later, and complete in the next cycle: 3
 * cycles of fetch, 2 of dispatch, 1 that retires. */
#include <stdio.h>
#include <string.h>

#include "aggregator/pipeline.h"
#include "common/check.h"
#include "sluice/config.h"
#include "unit/aggregator/hand_core.h"

#define CODE (SL_FIRMWARE_BASE + 0x1000)
#define LINE 16u /* instructions */

static struct sl_config config;
static enum agg_flow flow; /* of branches */
static struct agg_core *core;

static struct mem_answer answer(struct mem_system *mem, struct mem_request *request)
{
    static const uint64_t cycles[] = {4, 40, 20, 100};
    static const enum hit_level levels[] = {HIT_L1, HIT_OTHER_L1, HIT_L2, HIT_DRAM};
    const uint64_t line = request->address / SL_CACHE_LINE_BYTES % 4;

    (void)mem;
    request->hit_level = (uint8_t)(1 + levels[line]);
    const uint64_t latency = request->kind == MEM_FETCH && line == 0 ? 2 : cycles[line];
    return (struct mem_answer){.done_ps = request->time_ps + latency * HAND_CYCLE_PS};
}

static const struct mem_ops answer_ops = {.name = "answers", .access = answer};
static struct mem_system memory = {.ops = &answer_ops};

static void begin(const char *const *settings)
{
    core = hand_core(&config, &memory, settings);
}

#define BEGIN(...) begin((const char *const[]){__VA_ARGS__, NULL})
#define OOO        "agg.core=2way-ooo"

/* What has been charged: pairs of class and cycles; all others have none. */
#define HAS(...) expect((const uint64_t[]){__VA_ARGS__, SL_STACK_CLASSES})

/* The same at the end. */
#define EXPECT(...) (HAS(__VA_ARGS__), end())

static void expect(const uint64_t *pairs)
{
    static const char *const names[] = {
#define SL_AGG_STACK(ID, name, words, text) name,
#include "contract/agg_stack.def"
    };
    uint64_t wanted[SL_STACK_CLASSES] = {0};
    uint64_t all = 0;

    for (; *pairs != SL_STACK_CLASSES; pairs += 2) {
        wanted[pairs[0]] = pairs[1];
    }
    for (unsigned i = 0; i < SL_STACK_CLASSES; i++) {
        all += core->counters.stack[i];
        if (core->counters.stack[i] != wanted[i]) {
            fail_msg("%s: %d, not %d", names[i], (int)core->counters.stack[i], (int)wanted[i]);
        }
    }
    const uint64_t clock = core->time_ps / core->cycle_ps;
    assert_true(all == clock || all + 1 == clock);
}

static void end(void)
{
    core->ops->destroy(core);
}

/* Executes the instruction at a place, of which no access comes. */
static void run_alone(enum agg_class class, unsigned place, unsigned order)
{
    const struct agg_insn insn = {
        .pc = CODE + 4ull * place,
        .class = (uint8_t) class,
        .bytes = 4,
        .rd = class == AGG_STORE || class == AGG_BRANCH ? 0 : 5,
        .order = (uint8_t)order,
        .access_bytes = 8,
        .flow = (uint8_t)(class == AGG_BRANCH ? flow : AGG_FLOW_NEXT),
    };

    core->ops->instruction(core, &insn);
}

/* Executes the instruction at a place. */
static void run(enum agg_class class, unsigned place, unsigned order, uint64_t data_line,
                bool is_device)
{
    run_alone(class, place, order);
    if (class == AGG_LOAD || class == AGG_STORE || class == AGG_ATOMIC) {
        const struct agg_access access = {
            .address = SL_HEAP_BASE + data_line * SL_CACHE_LINE_BYTES,
            .is_store = class != AGG_LOAD,
            .is_device = is_device,
        };
        core->ops->access(core, &access);
    }
}

static void run_plain(enum agg_class class, unsigned place)
{
    run(class, place, 0, 0, false);
}

static void run_data(enum agg_class class, unsigned place, uint64_t line)
{
    run(class, place, 0, line, false);
}

/* ---- the front end ---- */

/* Two a cycle: renamed in 3 and 4, complete in 6 and 7. */
TEST(test_adds)
{
    BEGIN(OOO);
    for (unsigned i = 0; i < 4; i++) {
        run_plain(AGG_ALU, i);
    }
    EXPECT(SL_STACK_FRONTEND_FETCH, 3, SL_STACK_CORE_DISPATCH, 2, SL_STACK_RETIRING, 2);
}

/* The line behind is in another L1, in the L2, or in DRAM: asked for when fetch comes to it. */
TEST(test_code_misses)
{
    static const enum sl_stack_class what[] = {SL_STACK_FRONTEND_L1I_L2, SL_STACK_FRONTEND_L1I_L2,
                                               SL_STACK_FRONTEND_L1I_DRAM};
    static const uint64_t cycles[] = {40, 20, 100};

    for (unsigned line = 1; line <= 3; line++) {
        BEGIN(OOO);
        run_plain(AGG_ALU, 0);
        run_plain(AGG_ALU, line * LINE);
        /* Fetched in 1; the next line is asked for in 2, and stalls fetch up to 2 + cycles - 1. Its
         * instruction is renamed 2 later. The first one has committed in 6. */
        EXPECT(SL_STACK_FRONTEND_FETCH, 3, SL_STACK_CORE_DISPATCH, 2 + 2, SL_STACK_RETIRING, 2,
               what[line - 1], 2 + cycles[line - 1] - 1 + 2 - 6);
    }
}

/* The branch commits in 6. Fetch is redirected 7 later, and 2 stages later the next instruction is
 * renamed. */
TEST(test_misprediction)
{
    BEGIN(OOO, "core.redirect_cycles=7");
    flow = AGG_FLOW_FORWARD;
    run_plain(AGG_BRANCH, 0);
    run_plain(AGG_ALU, 8);
    EXPECT(SL_STACK_FRONTEND_FETCH, 3, SL_STACK_CORE_DISPATCH, 2 + 2, SL_STACK_RETIRING, 2,
           SL_STACK_BAD_SPECULATION, 7 + 2);
}

/* A jump that the BTB does not know: renamed in 3, and the next instruction 1 + 5 later, of which
 * the first 3 are behind the jump itself. */
TEST(test_taken_branch)
{
    BEGIN(OOO, "core.misfetch_cycles=5");
    flow = AGG_FLOW_JUMP;
    run_plain(AGG_ALU, 0);
    run_plain(AGG_BRANCH, 1);
    run_plain(AGG_ALU, 0);
    EXPECT(SL_STACK_FRONTEND_FETCH, 3, SL_STACK_CORE_DISPATCH, 2 + 2, SL_STACK_RETIRING, 2,
           SL_STACK_FRONTEND_TAKEN, 6 - 3);
}

/* ---- memory ---- */

/* Its address is there in 6, the data so many cycles later: of these, it commits in the last. */
TEST(test_loads)
{
    static const enum sl_stack_class what[] = {SL_STACK_MEMORY_LOAD_L1,
                                               SL_STACK_MEMORY_LOAD_OTHER_L1,
                                               SL_STACK_MEMORY_LOAD_L2, SL_STACK_MEMORY_LOAD_DRAM};
    static const uint64_t cycles[] = {4, 40, 20, 100};

    for (unsigned line = 0; line <= 3; line++) {
        BEGIN(OOO);
        run_data(AGG_LOAD, 0, line);
        run_data(AGG_LOAD, 1, line); /* of the same line: no cycle more */
        EXPECT(SL_STACK_FRONTEND_FETCH, 3, SL_STACK_CORE_DISPATCH, 2, SL_STACK_CORE_EXECUTE, 1,
               SL_STACK_RETIRING, 1, what[line], cycles[line] - 1);
    }
}

/* The cycle in which a store goes to the cache that has committed in 6. */
static uint64_t drained(void)
{
    return 6 + (uint64_t)config.number[SL_CFG_CORE_DRAIN_CYCLES];
}

/* The store's miss holds the only register; then the load's own access begins. */
TEST(test_mshrs)
{
    BEGIN(OOO, "core.mshrs=1");
    run_data(AGG_STORE, 0, 3);
    run_data(AGG_LOAD, 1, 7);
    EXPECT(SL_STACK_FRONTEND_FETCH, 3, SL_STACK_CORE_DISPATCH, 2, SL_STACK_RETIRING, 2,
           SL_STACK_MEMORY_MSHR, drained() + 100 - 6, SL_STACK_MEMORY_LOAD_DRAM, 100 - 1);
}

/* The data is in the store queue in 6; the load has it when it has looked it up: 2 later. */
TEST(test_forwarding)
{
    BEGIN(OOO, "core.forward_cycles=1");
    run_data(AGG_STORE, 0, 3);
    run_data(AGG_LOAD, 1, 3);
    EXPECT(SL_STACK_FRONTEND_FETCH, 3, SL_STACK_CORE_DISPATCH, 2, SL_STACK_RETIRING, 2,
           SL_STACK_MEMORY_FORWARD, 1);
}

/* Stores are done 100 after they go to the cache. The fence completes in the cycle after that. */
TEST(test_fence)
{
    BEGIN(OOO);
    run_data(AGG_STORE, 0, 3);
    run(AGG_SYSTEM, 1, AGG_ORDER_DRAIN, 0, false);
    EXPECT(SL_STACK_FRONTEND_FETCH, 3, SL_STACK_CORE_DISPATCH, 2, SL_STACK_RETIRING, 2,
           SL_STACK_MEMORY_ORDER, drained() + 100 - 6);
}

/* Its address is there one cycle after it begins. */
TEST(test_atomic)
{
    BEGIN(OOO);
    run_data(AGG_ATOMIC, 0, 3);
    EXPECT(SL_STACK_FRONTEND_FETCH, 3, SL_STACK_CORE_DISPATCH, 2, SL_STACK_CORE_EXECUTE, 1,
           SL_STACK_RETIRING, 1, SL_STACK_MEMORY_ATOMIC, 100 - 1);
}

TEST(test_device)
{
    BEGIN(OOO, "agg.device=30ns");
    run(AGG_LOAD, 0, 0, 0, true);
    EXPECT(SL_STACK_FRONTEND_FETCH, 3, SL_STACK_CORE_DISPATCH, 2, SL_STACK_CORE_EXECUTE, 1,
           SL_STACK_RETIRING, 1, SL_STACK_MEMORY_DEVICE, 60 - 1);
}

/* ---- the core ---- */

/* A second instruction of this class, for which there is no place: it is renamed when rename learns
 * that the first one's is free. The first one has committed `waits` before. */
static void expect_full(const char *setting, enum agg_class class, enum sl_stack_class what,
                        uint64_t waits)
{
    const uint64_t loads = class == AGG_LOAD ? 2 : 0;

    BEGIN(OOO, setting, "core.retire_cycles=2", "core.release_cycles=3", "core.drain_cycles=4");
    run_data(class, 0, class == AGG_STORE ? 3 : 0);
    run_data(class, 1, class == AGG_STORE ? 3 : 0);
    EXPECT(SL_STACK_FRONTEND_FETCH, 3, SL_STACK_CORE_DISPATCH, 2 + 2, SL_STACK_RETIRING, 2, what,
           waits, SL_STACK_CORE_EXECUTE, loads, SL_STACK_MEMORY_LOAD_L1, loads * (4 - 1));
}

TEST(test_full_structures)
{
    expect_full("core.rob=1", AGG_ALU, SL_STACK_CORE_ROB, 2);
    expect_full("core.physical_registers=33", AGG_ALU, SL_STACK_CORE_REGISTERS, 2);
    expect_full("core.load_queue=1", AGG_LOAD, SL_STACK_CORE_LOAD_QUEUE, 2);
    expect_full("core.store_queue=1", AGG_STORE, SL_STACK_CORE_STORE_QUEUE, 4 + 100 + 3);
    expect_full("core.issue_queue=1", AGG_LOAD, SL_STACK_CORE_ISSUE_QUEUE, 3);
}

/* One after the other in the only unit: the second one's wait belongs to the first one. */
TEST(test_divisions)
{
    BEGIN(OOO, "core.multipliers=1", "core.div_cycles=20");
    run_plain(AGG_DIV, 0);
    run_plain(AGG_DIV, 1);
    EXPECT(SL_STACK_FRONTEND_FETCH, 3, SL_STACK_CORE_DISPATCH, 2, SL_STACK_RETIRING, 2,
           SL_STACK_CORE_EXECUTE, 2 * (20 - 1));
}

/* ---- other cores ---- */

/* Issued in 3 as it is decoded; nothing is dispatched. The second waits for the load's result. */
TEST(test_5_stage)
{
    BEGIN("agg.core=5-stage");
    run_data(AGG_LOAD, 0, 0);
    run_plain(AGG_ALU, 1);
    EXPECT(SL_STACK_FRONTEND_FETCH, 3, SL_STACK_CORE_EXECUTE, 1, SL_STACK_MEMORY_LOAD_L1, 4 - 1,
           SL_STACK_RETIRING, 2);
}

/* One stage less, and it stands until each access is over. */
TEST(test_2_stage)
{
    BEGIN("agg.core=2-stage");
    run_data(AGG_STORE, 0, 3);
    EXPECT(SL_STACK_FRONTEND_FETCH, 2, SL_STACK_CORE_EXECUTE, 1, SL_STACK_MEMORY_STORE, 100 - 1,
           SL_STACK_RETIRING, 1);
}

/* Fetch, of which the last cycle is the first of execution; what follows of it; the access. */
TEST(test_simple)
{
    BEGIN("agg.core=simple", "simple.memory_cycles=1", "simple.alu_cycles=0");
    run_plain(AGG_ALU, 0);
    run_data(AGG_LOAD, LINE * 3, 2);
    run_data(AGG_ATOMIC, 1, 0);
    EXPECT(SL_STACK_FRONTEND_FETCH, 1 + 1, SL_STACK_FRONTEND_L1I_DRAM, 100 - 1, SL_STACK_RETIRING,
           3, SL_STACK_CORE_EXECUTE, 1 + 1, SL_STACK_MEMORY_LOAD_L2, 20, SL_STACK_MEMORY_ATOMIC, 4);
}

/* ---- instructions without an access ---- */

/* A store to register PHASE has none, nor has an SC that fails. When it is finished, all of it is
 * counted, and the next instruction, which commits in another cycle, adds its own cycles only. */
TEST(test_finished)
{
    BEGIN(OOO, "core.width=1");
    run_alone(AGG_STORE, 0, 0);
    HAS(SL_STACK_FRONTEND_FETCH, 3, SL_STACK_CORE_DISPATCH, 2); /* and one that is open */
    core->ops->finish(core);
    HAS(SL_STACK_FRONTEND_FETCH, 3, SL_STACK_CORE_DISPATCH, 2, SL_STACK_RETIRING, 1);
    core->ops->finish(core);
    run_plain(AGG_ALU, 1);
    EXPECT(SL_STACK_FRONTEND_FETCH, 3, SL_STACK_CORE_DISPATCH, 2, SL_STACK_RETIRING, 2);
}

TEST(test_finished_5_stage)
{
    BEGIN("agg.core=5-stage");
    run_alone(AGG_STORE, 0, 0);
    core->ops->finish(core);
    HAS(SL_STACK_FRONTEND_FETCH, 3, SL_STACK_RETIRING, 1);
    run_plain(AGG_ALU, 1);
    EXPECT(SL_STACK_FRONTEND_FETCH, 3, SL_STACK_RETIRING, 2);
}

/* The access that it is charged is of line 0. */
TEST(test_finished_simple)
{
    BEGIN("agg.core=simple", "simple.memory_cycles=0", "simple.alu_cycles=0");
    run_alone(AGG_ATOMIC, 0, 0);
    HAS(SL_STACK_FRONTEND_FETCH, 1, SL_STACK_RETIRING, 1);
    core->ops->finish(core);
    HAS(SL_STACK_FRONTEND_FETCH, 1, SL_STACK_RETIRING, 1, SL_STACK_MEMORY_ATOMIC, 4);
    run_plain(AGG_ALU, 1);
    EXPECT(SL_STACK_FRONTEND_FETCH, 2, SL_STACK_RETIRING, 2, SL_STACK_MEMORY_ATOMIC, 4);
}
