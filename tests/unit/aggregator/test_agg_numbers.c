/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The numbers of an out-of-order core's table, one at a time, with cycles worked out by hand: a few
 * instructions of 4 bytes, a line is there 2 cycles after it is asked for, data after 4. */
#include <stdio.h>

#include "aggregator/ooo.h"
#include "common/check.h"
#include "sluice/config.h"
#include "unit/aggregator/hand_core.h"

#define CODE    (SL_FIRMWARE_BASE + 0x1000)
#define LINE    16u /* instructions */
#define FETCHES 8

static struct sl_config config;
static struct agg_core *core;
static unsigned fetches;
static uint64_t fetched[FETCHES]; /* cycles in which lines were asked for */

static struct mem_answer answer(struct mem_system *mem, struct mem_request *request)
{
    (void)mem;
    uint64_t cycles = 4;
    if (request->kind == MEM_FETCH) {
        cycles = 2;
        assert_true(fetches < FETCHES);
        fetched[fetches++] = request->time_ps / HAND_CYCLE_PS;
    }
    return (struct mem_answer){.done_ps = request->time_ps + cycles * HAND_CYCLE_PS};
}

static const struct mem_ops answer_ops = {.name = "answers", .access = answer};
static struct mem_system memory = {.ops = &answer_ops};

static void begin(const char *const *settings)
{
    core = hand_core(&config, &memory, settings);
    fetches = 0;
}

#define BEGIN(...) begin((const char *const[]){"agg.core=2way-ooo", __VA_ARGS__, NULL})

static void end(void)
{
    core->ops->destroy(core);
}

/* Executes the instruction at a place, which needs no operand. */
static struct pipeline_times run(enum agg_class class, enum agg_flow flow, unsigned place)
{
    const struct agg_insn insn = {
        .pc = CODE + 4ull * place,
        .class = (uint8_t) class,
        .bytes = 4,
        .rd = class == AGG_STORE || class == AGG_BRANCH ? 0 : 5,
        .flow = (uint8_t)flow,
        .access_bytes = 8,
    };

    core->ops->instruction(core, &insn);
    if (class == AGG_LOAD || class == AGG_STORE) {
        const struct agg_access access = {.address = SL_HEAP_BASE, .is_store = class == AGG_STORE};
        core->ops->access(core, &access);
    }
    return ((const struct pipeline *)core)->times;
}

static struct pipeline_times run_plain(enum agg_class class, unsigned place)
{
    return run(class, AGG_FLOW_NEXT, place);
}

/* The first line is there in cycle 2, of which one is hidden: fetched in 1, renamed in 3, 2 a
 * cycle. The next line begins with a cycle of its own, 8 later, and costs what is not hidden. */
TEST(test_lines)
{
    for (unsigned hidden = 0; hidden <= 2; hidden++) {
        char setting[32];
        (void)snprintf(setting, sizeof setting, "core.fetch_cycles=%u", hidden);
        BEGIN(setting);
        uint64_t stall = 2 - hidden;
        for (unsigned i = 0; i < 2 * LINE; i++) {
            uint64_t expected = 2 + stall + i / 2 + (i >= LINE ? stall : 0);
            assert_int_equal(run_plain(AGG_ALU, i).rename, expected);
        }
        assert_int_equal(fetches, 2);
        end();
    }
}

/* A loop of an add and a jump, which is in the fetch buffer: the BTB does not know it the first
 * time. Then the next add is renamed in the next cycle, or later by what a taken branch costs. */
TEST(test_taken)
{
    static const char *const settings[] = {"core.taken_cycles=0", "core.taken_cycles=1",
                                           "core.taken_cycles=3"};
    static const uint64_t costs[] = {0, 1, 3};

    for (size_t i = 0; i < sizeof costs / sizeof costs[0]; i++) {
        BEGIN(settings[i], "core.misfetch_cycles=5");
        for (unsigned round = 0; round < 3; round++) {
            (void)run_plain(AGG_ALU, 0);
            uint64_t jump = run(AGG_BRANCH, AGG_FLOW_JUMP, 1).rename;
            uint64_t next = run_plain(AGG_ALU, 0).rename;
            assert_int_equal(next, jump + 1 + (round == 0 ? 5 : costs[i]));
            jump = run(AGG_BRANCH, AGG_FLOW_JUMP, 1).rename;
            next = run_plain(AGG_ALU, 0).rename;
            assert_int_equal(next, jump + 1 + costs[i]);
            (void)run(AGG_BRANCH, AGG_FLOW_JUMP, 1);
        }
        assert_int_equal(fetches, 1);
        end();
    }
}

/* A branch that is taken for the first time, within the line: issued 2 cycles behind its renaming,
 * executed in one; then what the way to fetch takes, and 2 stages. To another line: that one, of
 * which a cycle is not hidden. */
TEST(test_redirection)
{
    for (unsigned target = 8; target <= LINE; target += 8) {
        BEGIN("core.redirect_cycles=7");
        struct pipeline_times branch = run(AGG_BRANCH, AGG_FLOW_FORWARD, 0);
        assert_int_equal(branch.issue, branch.rename + 2);
        assert_int_equal(run_plain(AGG_ALU, target).rename,
                         branch.rename + 2 + 1 + 7 + 2 + (target == LINE));
        assert_int_equal(core->counters.mispredictions, 1);
        end();
    }
}

/* A reorder buffer of one entry, which each instruction holds for 6 cycles. The stages hold 4
 * instructions: the last one of the first line is fetched when the one 4 before it is renamed, and
 * the next line is asked for in the cycle behind that. With a queue of 6 that is 6 sooner. */
TEST(test_fetch_queue)
{
    static const char *const settings[] = {"core.fetch_queue=0", "core.fetch_queue=6"};

    for (unsigned i = 0; i < 2; i++) {
        uint64_t renamed[LINE + 1];
        BEGIN(settings[i], "core.rob=1");
        for (unsigned place = 0; place <= LINE; place++) {
            renamed[place] = run_plain(AGG_ALU, place).rename;
            assert_int_equal(renamed[place], 3 + 6 * place);
        }
        assert_int_equal(fetched[1], renamed[LINE - 1 - 4 - 6 * i] + 1);
        end();
    }
}

/* How far apart instructions are renamed with one entry of something. */
static void expect_apart(enum agg_class class, uint64_t expected)
{
    uint64_t last = run_plain(class, 0).rename;

    for (unsigned i = 1; i < 8; i++) {
        uint64_t renamed = run_plain(class, i).rename;
        assert_int_equal(renamed - last, expected);
        last = renamed;
    }
    end();
}

/* Issue queue: to issue, and back to rename; of memory instructions until they are complete, which
 * is a cycle for the address, and 4 for a load. Reorder buffer: to issue, 1 to execute, and back.
 * Store queue: to issue, 1 for the address, to the cache, 4 there, and back. */
TEST(test_entries)
{
    BEGIN("core.issue_queue=1");
    expect_apart(AGG_ALU, 2 + 1);
    BEGIN("core.issue_queue=1", "core.dispatch_cycles=4", "core.release_cycles=3");
    expect_apart(AGG_ALU, 4 + 3);
    BEGIN("core.issue_queue=1");
    expect_apart(AGG_STORE, 2 + 1 + 1);
    BEGIN("core.issue_queue=1");
    expect_apart(AGG_LOAD, 2 + 1 + 4 + 1);
    BEGIN("core.rob=1", "core.retire_cycles=5");
    expect_apart(AGG_ALU, 2 + 1 + 5);
    BEGIN("core.load_queue=1");
    expect_apart(AGG_LOAD, 2 + 1 + 4 + 3);
    BEGIN("core.physical_registers=33");
    expect_apart(AGG_ALU, 2 + 1 + 3);
    BEGIN("core.store_queue=1", "core.drain_cycles=6", "core.release_cycles=2");
    expect_apart(AGG_STORE, 2 + 1 + 6 + 4 + 2);
}

/* Four instructions that are renamed together on 4way-ooo and could be issued together: in which
 * cycle each is, from the first one's. */
static void expect_issued(enum agg_class class, const char *setting, const uint64_t expected[4])
{
    BEGIN("agg.core=4way-ooo", setting);
    uint64_t first = 0;
    for (unsigned i = 0; i < 4; i++) {
        uint64_t issued = run_plain(class, i).issue;
        first = i == 0 ? issued : first;
        assert_int_equal(issued - first, expected[i]);
    }
    end();
}

/* As many as there are units; a division has its unit for 20 cycles. */
TEST(test_units)
{
    expect_issued(AGG_MUL, "core.multipliers=1", (uint64_t[]){0, 1, 2, 3});
    expect_issued(AGG_MUL, "core.multipliers=2", (uint64_t[]){0, 0, 1, 1});
    expect_issued(AGG_MUL, "core.multipliers=3", (uint64_t[]){0, 0, 0, 1});
    expect_issued(AGG_DIV, "core.multipliers=1", (uint64_t[]){0, 20, 40, 60});
    expect_issued(AGG_DIV, "core.multipliers=3", (uint64_t[]){0, 0, 0, 20});
    expect_issued(AGG_ALU, "core.alus=2", (uint64_t[]){0, 0, 1, 1});
    expect_issued(AGG_LOAD, "core.load_ports=3", (uint64_t[]){0, 0, 0, 1});
    expect_issued(AGG_STORE, "core.store_ports=1", (uint64_t[]){0, 1, 2, 3});
}

/* Branches are executed by the integer units: an add and a branch that is not taken, with one. */
TEST(test_branches_take_units)
{
    BEGIN("core.alus=1");
    uint64_t issued = run_plain(AGG_ALU, 0).issue;
    assert_int_equal(run(AGG_BRANCH, AGG_FLOW_FORWARD, 1).issue, issued + 1);
    end();
}
