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
    uint64_t *cycles; /* of agg_counters */
    uint64_t until;   /* all cycles before this one have been given to something */
    enum sl_stack_class
        last;     /* and this one will be to that, unless an instruction commits in it */
    bool is_open; /* which is not known */
};

static inline void cycle_stack_reset(struct cycle_stack *stack)
{
    stack->until = 0;
    stack->last = SL_STACK_RETIRING;
    stack->is_open = false;
}

/* The oldest instruction waits for this up to a cycle, which is not after its commit. */
static inline void cycle_stack_charge(struct cycle_stack *stack, uint64_t cycle,
                                      enum sl_stack_class what)
{
    if (cycle > stack->until) {
        stack->cycles[stack->last] += stack->is_open;
        stack->cycles[what] += cycle - stack->until - 1;
        stack->until = cycle;
        stack->last = what;
        stack->is_open = true;
    }
}

/* It commits in this cycle, up to which all have been charged; the one before it did in another. */
static inline void cycle_stack_commit(struct cycle_stack *stack)
{
    stack->cycles[SL_STACK_RETIRING] += stack->is_open;
    stack->is_open = false;
}

/* What an instruction waits for whose line, or data, was found there (struct mem_request). */
static inline enum sl_stack_class cycle_stack_fetch(uint8_t hit_level)
{
    static const enum sl_stack_class lines[1 + HIT_LEVELS] = {
        [0] = SL_STACK_FRONTEND_FETCH,
        [1 + HIT_L1] = SL_STACK_FRONTEND_FETCH,
        [1 + HIT_MERGED] = SL_STACK_FRONTEND_L1I_L2,
        [1 + HIT_UPGRADE] = SL_STACK_FRONTEND_L1I_L2,
        [1 + HIT_OTHER_L1] = SL_STACK_FRONTEND_L1I_L2,
        [1 + HIT_L2] = SL_STACK_FRONTEND_L1I_L2,
        [1 + HIT_DRAM] = SL_STACK_FRONTEND_L1I_DRAM,
    };
    return lines[hit_level];
}

static inline enum sl_stack_class cycle_stack_data(enum mem_kind kind, uint8_t hit_level)
{
    static const enum sl_stack_class loads[1 + HIT_LEVELS] = {
        [0] = SL_STACK_MEMORY_LOAD_L1,
        [1 + HIT_L1] = SL_STACK_MEMORY_LOAD_L1,
        [1 + HIT_MERGED] = SL_STACK_MEMORY_LOAD_L2,
        [1 + HIT_UPGRADE] = SL_STACK_MEMORY_LOAD_L2,
        [1 + HIT_OTHER_L1] = SL_STACK_MEMORY_LOAD_OTHER_L1,
        [1 + HIT_L2] = SL_STACK_MEMORY_LOAD_L2,
        [1 + HIT_DRAM] = SL_STACK_MEMORY_LOAD_DRAM,
    };
    return kind == MEM_LOAD    ? loads[hit_level]
           : kind == MEM_STORE ? SL_STACK_MEMORY_STORE
                               : SL_STACK_MEMORY_ATOMIC;
}

#endif
