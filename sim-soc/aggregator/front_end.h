/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Fetch of the pipelined core models: instruction lines, fetch width, redirection by branches.
 *
 * Up to `width` instructions of one line are fetched per cycle, up to a branch that is predicted as
 * taken. The line in the fetch buffer is accessed once; another one, next in order or of a branch's
 * target, when it is fetched from. Of that access's latency, `hidden` cycles are behind the fetch
 * of what is in front of it, the rest stalls fetch. While rename stalls, fetch goes on until the
 * stages and the fetch queue are full. Wrong paths are not fetched: they cost time, but leave the
 * instruction cache and the fetch buffer alone. */
#ifndef SLUICE_AGGREGATOR_FRONT_END_H
#define SLUICE_AGGREGATOR_FRONT_END_H

#include "aggregator/branch_predictor.h"
#include "aggregator/core_counters.h"
#include "aggregator/core_insn.h"
#include "aggregator/core_port.h"
#include "aggregator/cycle_stack.h"
#include "aggregator/slots.h"

#define FRONT_END_NO_LINE UINT64_MAX

/* What the stages hold, at most, and the fetch queue. */
#define FRONT_END_HELD_MAX (8 * 64 + 256)

struct front_end {
    struct agg_port port; /* to the instruction cache */
    struct agg_counters *counters;
    struct cycle_stack *stack;
    struct branch_predictor predictor;
    struct slots slots; /* cycles in which instructions are fetched */
    uint32_t width;
    uint32_t front_cycles;
    uint32_t hidden_cycles;
    uint32_t taken_cycles;
    uint32_t misfetch_cycles;
    uint32_t redirect_cycles;
    uint32_t held; /* instructions that are fetched and not renamed, at most */
    uint32_t next; /* where the next one's cycle goes */
    uint64_t line; /* in the fetch buffer, or FRONT_END_NO_LINE */
    uint64_t renamed[FRONT_END_HELD_MAX]; /* the last ones' cycles */
};

/* Returns 0, or -1 when out of memory. */
int front_end_init(struct front_end *front, const struct sl_config *config, struct mem_system *mem,
                   struct agg_counters *counters, struct cycle_stack *stack);
void front_end_destroy(struct front_end *front);
void front_end_reset(struct front_end *front);

/* Fetches an instruction; returns the cycle in which it can be renamed or issued. */
uint64_t front_end_fetch(struct front_end *front, const struct agg_insn *insn);

/* The instruction fetched last is renamed or, in order, issued: from then on another one has its
 * place. */
static inline void front_end_renamed(struct front_end *front, uint64_t cycle)
{
    front->renamed[front->next] = cycle;
    front->next = front->next + 1 == front->held ? 0 : front->next + 1;
}

/* An instruction of class AGG_BRANCH went to next_pc, which was known in cycle `resolved`. */
void front_end_branch(struct front_end *front, const struct agg_insn *insn, uint64_t next_pc,
                      uint64_t resolved);

#endif
