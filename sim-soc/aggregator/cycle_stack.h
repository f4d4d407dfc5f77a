/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The cycle stack of the pipelined core models: what each cycle goes to, exactly, as it is known.
 *
 * A cycle in which an instruction commits retires. All others belong to the oldest instruction that
 * has not committed: all before it have, so that it waits for nothing but its own fetch, place,
 * unit, execution and access, one after the other. The model computes these times in that order,
 * and none is later than its commit. Each is told to cycle_stack_charge(), which gives the cycles
 * that no older time has taken to what was waited for: O(1), and nothing is looked at twice.
 *
 * That the oldest instruction is charged, and after a misprediction the first one behind the branch
 * for redirecting and filling the front end, is the rule of Gottschall, Eeckhout and Jahre, "TIP:
 * Time-Proportional Instruction Profiling", MICRO 2021, section 3; stacks at commit are those of
 * Eyerman, Heirman, Du Bois and Eeckhout, "Multi-Stage CPI Stacks", IEEE Computer Architecture
 * Letters 17(1), 2018. */
#ifndef SLUICE_AGGREGATOR_CYCLE_STACK_H
#define SLUICE_AGGREGATOR_CYCLE_STACK_H

#include "aggregator/core_counters.h"
#include "mem/mem.h"

struct cycle_stack {
    uint64_t *cycles;    /* of agg_counters */
    uint64_t until;      /* all cycles up to this one have been given to something */
    enum agg_stack last; /* this one to that */
};

static inline void cycle_stack_reset(struct cycle_stack *stack)
{
    stack->until = 0;
    stack->last = AGG_STACK_RETIRING;
}

/* The oldest instruction waits for this up to a cycle, which is not after its commit. */
static inline void cycle_stack_charge(struct cycle_stack *stack, uint64_t cycle,
                                      enum agg_stack what)
{
    if (cycle > stack->until) {
        stack->cycles[what] += cycle - stack->until;
        stack->until = cycle;
        stack->last = what;
    }
}

/* It commits in this cycle, up to which all have been charged; the one before it did in another. */
static inline void cycle_stack_commit(struct cycle_stack *stack)
{
    stack->cycles[stack->last]--;
    stack->cycles[AGG_STACK_RETIRING]++;
    stack->last = AGG_STACK_RETIRING;
}

/* What an instruction waits for whose line, or data, was found there (struct mem_request). */
static inline enum agg_stack cycle_stack_fetch(uint8_t hit_level)
{
    static const enum agg_stack lines[1 + HIT_LEVELS] = {
        [0] = AGG_STACK_FRONTEND_FETCH,
        [1 + HIT_L1] = AGG_STACK_FRONTEND_FETCH,
        [1 + HIT_MERGED] = AGG_STACK_FRONTEND_L1I_L2,
        [1 + HIT_UPGRADE] = AGG_STACK_FRONTEND_L1I_L2,
        [1 + HIT_OTHER_L1] = AGG_STACK_FRONTEND_L1I_L2,
        [1 + HIT_L2] = AGG_STACK_FRONTEND_L1I_L2,
        [1 + HIT_DRAM] = AGG_STACK_FRONTEND_L1I_DRAM,
    };
    return lines[hit_level];
}

static inline enum agg_stack cycle_stack_data(enum mem_kind kind, uint8_t hit_level)
{
    static const enum agg_stack loads[1 + HIT_LEVELS] = {
        [0] = AGG_STACK_MEMORY_LOAD_L1,
        [1 + HIT_L1] = AGG_STACK_MEMORY_LOAD_L1,
        [1 + HIT_MERGED] = AGG_STACK_MEMORY_LOAD_L2,
        [1 + HIT_UPGRADE] = AGG_STACK_MEMORY_LOAD_L2,
        [1 + HIT_OTHER_L1] = AGG_STACK_MEMORY_LOAD_OTHER_L1,
        [1 + HIT_L2] = AGG_STACK_MEMORY_LOAD_L2,
        [1 + HIT_DRAM] = AGG_STACK_MEMORY_LOAD_DRAM,
    };
    return kind == MEM_LOAD    ? loads[hit_level]
           : kind == MEM_STORE ? AGG_STACK_MEMORY_STORE
                               : AGG_STACK_MEMORY_ATOMIC;
}

#endif
