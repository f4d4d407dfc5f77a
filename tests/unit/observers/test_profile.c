/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The profile of a stream of instructions that is made up here: each costs what the test says, and
 * functions are where it says. Code is at places, of two bytes each. */
#include <stdlib.h>
#include <string.h>

#include "common/check.h"
#include "observers/profile_observer.h"

struct fixture {
    struct sl_profile *shared;
    struct agg_counters counters;
    struct mem_counters memory;
    struct profile *profile;
};

static int setup(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->shared = calloc(1, sizeof *f->shared);
    assert_non_null(f->shared);
    f->profile = profile_create(f->shared, &f->counters, &f->memory);
    assert_non_null(f->profile);
    profile_begin(f->profile);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;
    profile_destroy(f->profile);
    free(f->shared);
    free(f);
    return 0;
}

/* Places `first` to `last` are a function. */
static void function(struct fixture *f, uint32_t first, uint32_t last)
{
    for (uint32_t place = first; place <= last; place++) {
        f->shared->places[place].function = first + 1;
    }
}

/* An instruction of four bytes at a place, which takes so many cycles. */
static void step(struct fixture *f, uint32_t place, enum agg_flow flow, uint64_t cycles)
{
    const struct agg_insn insn = {
        .pc = SL_FIRMWARE_BASE + 2ull * place,
        .class = flow == AGG_FLOW_NEXT ? AGG_ALU : AGG_BRANCH,
        .bytes = 4,
        .flow = (uint8_t)flow,
    };
    profile_next(f->profile, &insn);
    f->counters.instructions++;
    f->counters.stack[SL_STACK_RETIRING] += cycles;
}

static uint64_t cycles_of(const struct fixture *f, uint32_t place)
{
    return sl_cost_cycles(f->shared->places[place].cost);
}

/* The calls from one place to another; an empty one where there are none. */
static struct sl_profile_call call_of(const struct fixture *f, uint32_t site, uint32_t callee)
{
    struct sl_profile_call found = {.count = 0};
    for (uint32_t i = 0; i < SL_PROFILE_CALLS; i++) {
        const struct sl_profile_call *call = &f->shared->calls[i];
        if (call->count > 0 && call->site == site && call->callee == callee) {
            assert_int_equal(found.count, 0);
            found = *call;
        }
    }
    return found;
}

static uint64_t call_cycles(const struct fixture *f, uint32_t site, uint32_t callee)
{
    const struct sl_profile_call call = call_of(f, site, callee);
    return sl_cost_cycles(call.cost);
}

static uint64_t total_cycles(const struct fixture *f)
{
    uint64_t sum = 0;
    for (uint64_t i = 0; i <= SL_PROFILE_PLACES; i++) {
        sum += sl_cost_cycles(f->shared->places[i].cost);
    }
    return sum;
}

TEST_WITH(all_costs_are_some_instructions, setup, teardown)
{
    struct fixture *f = *state;
    step(f, 10, AGG_FLOW_NEXT, 500);
    step(f, 12, AGG_FLOW_NEXT, 0); /* commits with the one before */
    step(f, 14, AGG_FLOW_BACKWARD, 1500);
    step(f, 10, AGG_FLOW_NEXT, 2500);
    step(f, 12, AGG_FLOW_NEXT, 7000);
    profile_end(f->profile);
    assert_int_equal(cycles_of(f, 10), 3000);
    assert_int_equal(cycles_of(f, 12), 7000);
    assert_int_equal(cycles_of(f, 14), 1500);
    assert_int_equal(f->shared->places[10].cost[SL_COST_INSTRUCTIONS], 2);
    assert_int_equal(f->shared->places[14].cost[SL_COST_INSTRUCTIONS], 1);
    assert_int_equal(total_cycles(f), f->counters.stack[SL_STACK_RETIRING]);
}

/* Classes by instruction and, of what is called, by call: what is counted up to the next
 * instruction is the last one's. */
TEST_WITH(classes_are_the_instructions, setup, teardown)
{
    struct fixture *f = *state;
    uint64_t *const stack = f->counters.stack;
    step(f, 10, AGG_FLOW_CALL, 1);
    stack[SL_STACK_FRONTEND_L1I_L2] += 20;
    step(f, 50, AGG_FLOW_NEXT, 1);
    stack[SL_STACK_MEMORY_LOAD_DRAM] += 100;
    stack[SL_STACK_MEMORY_MSHR] += 3;
    step(f, 52, AGG_FLOW_NEXT, 0);
    step(f, 54, AGG_FLOW_RETURN, 1);
    stack[SL_STACK_BAD_SPECULATION] += 7;
    step(f, 12, AGG_FLOW_NEXT, 1);
    stack[SL_STACK_CORE_EXECUTE] += 9;
    profile_end(f->profile);
    static const struct {
        uint32_t place;
        enum sl_stack_class class;
        uint64_t retiring;
        uint64_t cycles;
    } wanted[] = {
        {10, SL_STACK_FRONTEND_L1I_L2, 1, 20}, {50, SL_STACK_MEMORY_LOAD_DRAM, 1, 100},
        {50, SL_STACK_MEMORY_MSHR, 1, 3},      {52, SL_STACK_MEMORY_LOAD_DRAM, 0, 0},
        {54, SL_STACK_BAD_SPECULATION, 1, 7},  {12, SL_STACK_CORE_EXECUTE, 1, 9},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        const uint64_t *const cost = f->shared->places[wanted[i].place].cost;
        assert_int_equal(cost[SL_COST_STACK + SL_STACK_RETIRING], wanted[i].retiring);
        assert_int_equal(cost[SL_COST_STACK + wanted[i].class], wanted[i].cycles);
    }
    assert_int_equal(cycles_of(f, 50), 104);
    assert_int_equal(total_cycles(f), 4 + 20 + 103 + 7 + 9);
    const struct sl_profile_call call = call_of(f, 10, 50);
    assert_int_equal(call.cost[SL_COST_STACK + SL_STACK_FRONTEND_L1I_L2], 0);
    assert_int_equal(call.cost[SL_COST_STACK + SL_STACK_MEMORY_LOAD_DRAM], 100);
    assert_int_equal(call.cost[SL_COST_STACK + SL_STACK_BAD_SPECULATION], 7);
    assert_int_equal(sl_cost_cycles(call.cost), 2 + 103 + 7);
}

TEST_WITH(misses_are_what_is_not_served, setup, teardown)
{
    struct fixture *f = *state;
    step(f, 10, AGG_FLOW_NEXT, 500);
    f->memory.l1[AGG_L1I].accesses += 3;
    f->memory.l1[AGG_L1I].served[HIT_L1] += 1;
    f->memory.l1[AGG_L1I].served[HIT_DRAM] += 2;
    step(f, 12, AGG_FLOW_NEXT, 500);
    f->memory.l1[AGG_L1D].accesses += 4;
    f->memory.l1[AGG_L1D].served[HIT_L1] += 3;
    f->memory.l1[AGG_L1D].served[HIT_MERGED] += 1;
    profile_end(f->profile);
    assert_int_equal(f->shared->places[10].cost[SL_COST_L1I_MISSES], 2);
    assert_int_equal(f->shared->places[10].cost[SL_COST_L1D_MISSES], 0);
    assert_int_equal(f->shared->places[12].cost[SL_COST_L1I_MISSES], 0);
    assert_int_equal(f->shared->places[12].cost[SL_COST_L1D_MISSES], 1);
}

/* The core counts it when the instruction behind the branch comes. */
TEST_WITH(mispredictions_are_the_branches, setup, teardown)
{
    struct fixture *f = *state;
    step(f, 10, AGG_FLOW_FORWARD, 500);
    step(f, 20, AGG_FLOW_NEXT, 500);
    f->counters.mispredictions++;
    step(f, 22, AGG_FLOW_RETURN, 500);
    step(f, 30, AGG_FLOW_NEXT, 500);
    f->counters.mispredictions++;
    profile_end(f->profile);
    assert_int_equal(f->shared->places[10].cost[SL_COST_MISPREDICTIONS], 1);
    assert_int_equal(f->shared->places[20].cost[SL_COST_MISPREDICTIONS], 0);
    assert_int_equal(f->shared->places[22].cost[SL_COST_MISPREDICTIONS], 1);
}

TEST_WITH(calls_cost_what_is_below, setup, teardown)
{
    struct fixture *f = *state;
    for (unsigned i = 0; i < 2; i++) {
        step(f, 10, AGG_FLOW_CALL, 100);
        step(f, 50, AGG_FLOW_NEXT, 20);
        step(f, 52, AGG_FLOW_INDIRECT_CALL, 3);
        step(f, 80, AGG_FLOW_RETURN, 5000);
        step(f, 54, AGG_FLOW_RETURN, 7);
        step(f, 12, AGG_FLOW_NEXT, 1000);
    }
    profile_end(f->profile);
    const struct sl_profile_call outer = call_of(f, 10, 50);
    const struct sl_profile_call inner = call_of(f, 52, 80);
    assert_int_equal(outer.count, 2);
    assert_int_equal(sl_cost_cycles(outer.cost), 2 * (20 + 3 + 5000 + 7));
    assert_int_equal(outer.cost[SL_COST_INSTRUCTIONS], 2 * 4);
    assert_int_equal(inner.count, 2);
    assert_int_equal(sl_cost_cycles(inner.cost), 2 * 5000);
    assert_int_equal(f->shared->lost_calls, 0);
}

TEST_WITH(recursion_returns_level_by_level, setup, teardown)
{
    struct fixture *f = *state;
    step(f, 10, AGG_FLOW_CALL, 1);
    step(f, 50, AGG_FLOW_CALL, 10); /* calls itself twice */
    step(f, 50, AGG_FLOW_CALL, 10);
    step(f, 50, AGG_FLOW_FORWARD, 10);
    step(f, 60, AGG_FLOW_RETURN, 100);
    step(f, 52, AGG_FLOW_RETURN, 1000);
    step(f, 52, AGG_FLOW_RETURN, 1000);
    step(f, 12, AGG_FLOW_NEXT, 1);
    assert_int_equal(f->profile->depth, 0);
    profile_end(f->profile);
    assert_int_equal(call_cycles(f, 10, 50), 30 + 100 + 2000);
    /* the outer one of 10 + 10 + 100 + 1000, the inner one of 10 + 100 */
    assert_int_equal(call_of(f, 50, 50).count, 2);
    assert_int_equal(call_cycles(f, 50, 50), 1120 + 110);
}

/* A calls B, which jumps to C; C returns to A. */
TEST_WITH(jumps_to_functions_are_calls, setup, teardown)
{
    struct fixture *f = *state;
    function(f, 50, 59);
    function(f, 60, 69);
    step(f, 10, AGG_FLOW_CALL, 1);
    step(f, 50, AGG_FLOW_NEXT, 10);
    step(f, 52, AGG_FLOW_JUMP, 10);
    step(f, 60, AGG_FLOW_NEXT, 300);
    step(f, 62, AGG_FLOW_BACKWARD, 300); /* a loop from its first instruction: no call */
    step(f, 60, AGG_FLOW_NEXT, 300);
    step(f, 62, AGG_FLOW_JUMP, 300); /* into the middle of B: none either */
    step(f, 54, AGG_FLOW_RETURN, 40);
    step(f, 12, AGG_FLOW_NEXT, 1);
    assert_int_equal(f->profile->depth, 0);
    profile_end(f->profile);
    assert_int_equal(call_cycles(f, 10, 50), 20 + 1200 + 40);
    assert_int_equal(call_of(f, 52, 60).count, 1);
    assert_int_equal(call_cycles(f, 52, 60), 1200 + 40);
    assert_int_equal(call_of(f, 62, 60).count, 0);
}

/* A return to what was called before the run is none; a frame that is skipped returns too. */
TEST_WITH(returns_may_be_odd, setup, teardown)
{
    struct fixture *f = *state;
    step(f, 90, AGG_FLOW_RETURN, 1);
    step(f, 10, AGG_FLOW_CALL, 1);
    step(f, 50, AGG_FLOW_CALL, 10);
    step(f, 70, AGG_FLOW_RETURN, 20); /* to the outermost */
    step(f, 12, AGG_FLOW_NEXT, 1);
    assert_int_equal(f->profile->depth, 0);
    step(f, 14, AGG_FLOW_CALL, 1);
    step(f, 50, AGG_FLOW_NEXT, 5); /* open at the end of the run */
    profile_end(f->profile);
    assert_int_equal(call_cycles(f, 10, 50), 30);
    assert_int_equal(call_cycles(f, 50, 70), 20);
    assert_int_equal(call_cycles(f, 14, 50), 5);
}

TEST_WITH(deep_calls_are_lost_not_wrong, setup, teardown)
{
    struct fixture *f = *state;
    const uint32_t depth = PROFILE_FRAMES + 10;
    for (uint32_t i = 0; i < depth; i++) {
        step(f, 50, AGG_FLOW_CALL, 1);
    }
    profile_end(f->profile);
    assert_int_equal(f->shared->lost_calls, 9); /* the last one has no callee yet */
    assert_int_equal(call_of(f, 50, 50).count, PROFILE_FRAMES);
    assert_int_equal(total_cycles(f), f->counters.stack[SL_STACK_RETIRING]);
}

TEST_WITH(too_many_calls_are_counted, setup, teardown)
{
    struct fixture *f = *state;
    uint64_t count = 0;
    for (uint32_t site = 1000; site < 1000 + 3 * SL_PROFILE_CALLS; site += 2) {
        step(f, site, AGG_FLOW_CALL, 1);
        step(f, 100, AGG_FLOW_RETURN, 1);
    }
    profile_end(f->profile);
    for (uint32_t i = 0; i < SL_PROFILE_CALLS; i++) {
        count += f->shared->calls[i].count;
    }
    assert_true(f->shared->lost_calls > 0);
    assert_int_equal(count + f->shared->lost_calls, 3 * SL_PROFILE_CALLS / 2);
}

/* Runs add up, and each begins at time zero with an empty stack. */
TEST_WITH(runs_add_up, setup, teardown)
{
    struct fixture *f = *state;
    for (unsigned run = 0; run < 2; run++) {
        memset(&f->counters, 0, sizeof f->counters);
        profile_begin(f->profile);
        step(f, 10, AGG_FLOW_CALL, 100);
        step(f, 50, AGG_FLOW_NEXT, 200);
        profile_end(f->profile);
    }
    assert_int_equal(cycles_of(f, 10), 200);
    assert_int_equal(cycles_of(f, 50), 400);
    assert_int_equal(call_cycles(f, 10, 50), 400);
    assert_int_equal(call_of(f, 50, 10).count, 0);
}

TEST_WITH(code_elsewhere_has_a_place, setup, teardown)
{
    struct fixture *f = *state;
    const struct agg_insn insn = {.pc = SL_FLASH_BASE, .bytes = 4};
    profile_next(f->profile, &insn);
    f->counters.stack[SL_STACK_MEMORY_LOAD_DRAM] += 700;
    profile_end(f->profile);
    assert_int_equal(cycles_of(f, SL_PROFILE_PLACES), 700);
}
