/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The profile of the firmware: what each instruction costs, and what calls cost in all.
 *
 * Everything is a difference of the running counts before an instruction and before the next one,
 * so that any core model and memory system will do, and all costs of a run are someone's. An
 * instruction is finished before the next one is told. Where a core overlaps instructions, one is
 * charged with the cycles by which it commits after the one before it, each of a class of the cycle
 * stack. A misprediction is known with the next instruction, but charged to the branch; the cycles
 * that it costs are charged to the instruction that had to be fetched.
 *
 * Calls are followed on a stack of return addresses. A jump to the first instruction of another
 * function is a call whose return is that of the function around it. What is on the stack at the
 * end of a run returns then; a return to what was called before the run is none. */
#ifndef SLUICE_OBSERVERS_PROFILE_OBSERVER_H
#define SLUICE_OBSERVERS_PROFILE_OBSERVER_H

#include <stdbool.h>
#include <stdint.h>

#include "aggregator/core.h"
#include "events/events.h"
#include "mem/mem_counters.h"
#include "recordings/observation.h"

#define PROFILE_FRAMES 1024u

struct profile_sample {
    uint64_t cost[SL_COST_COUNT];
};

struct profile_frame {
    uint64_t return_pc; /* 0: that of the frame below */
    uint32_t site;
    uint32_t callee;
    struct profile_sample begin;
};

struct profile {
    struct observer base;
    struct sl_profile *shared;
    const struct agg_counters *counters;
    const struct mem_counters *memory;

    bool has_insn;                /* insn is of this run */
    struct agg_insn insn;         /* the last one, whose cost is not known yet */
    uint32_t place;               /* its place */
    uint32_t branch;              /* the place before it, to which mispredictions belong */
    struct profile_sample sample; /* the counts before it */
    uint32_t depth;
    struct profile_frame frames[PROFILE_FRAMES];
};

/* Makes a profile over a shared block that is zero but for what is the host's. NULL when out of
 * memory. */
struct profile *profile_create(struct sl_profile *shared, const struct agg_counters *counters,
                               const struct mem_counters *memory);
void profile_destroy(struct profile *profile);

/* A run begins: all counts are zero. */
void profile_begin(struct profile *profile);

/* This instruction comes next; the core has not seen it yet, and has finished the last one. */
void profile_next(struct profile *profile, const struct agg_insn *insn);

/* The run has ended with the last instruction. */
void profile_end(struct profile *profile);

#endif
