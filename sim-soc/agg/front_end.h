/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Fetch of the pipelined core models: instruction lines, fetch width, redirection by branches.
 *
 * Up to `width` instructions of one line are fetched per cycle. The line in the fetch buffer is
 * accessed once; the next one, or the target of a taken branch, anew, also in the same line. Of an
 * access's latency, `hidden` cycles are in the pipeline's stages, the rest stalls fetch. The front
 * end is rigid: where rename stalls, fetch does. Wrong paths are not fetched: they cost time, but
 * leave the instruction cache alone. */
#ifndef SLUICE_AGG_FRONT_END_H
#define SLUICE_AGG_FRONT_END_H

#include "agg/branch_predictor.h"
#include "agg/counters.h"
#include "agg/insn.h"
#include "agg/port.h"
#include "agg/slots.h"

#define FRONT_END_NO_LINE UINT64_MAX

struct front_end {
    struct agg_port port; /* to the instruction cache */
    struct agg_counters *counters;
    struct branch_predictor predictor;
    struct slots slots; /* cycles in which instructions are fetched */
    uint32_t width;
    uint32_t front_cycles;
    uint32_t hidden_cycles;
    uint32_t misfetch_cycles;
    uint64_t line; /* in the fetch buffer, or FRONT_END_NO_LINE */
};

/* Returns 0, or -1 when out of memory. */
int front_end_init(struct front_end *front, const struct sl_config *config, struct mem_system *mem,
                   struct agg_counters *counters);
void front_end_destroy(struct front_end *front);
void front_end_reset(struct front_end *front);

/* Fetches an instruction; returns the cycle in which it can be renamed or issued. */
uint64_t front_end_fetch(struct front_end *front, const struct agg_insn *insn);

/* The instruction fetched last was renamed or issued in the last one of these slots: where that is
 * later than it could have been, it has been fetched that much later. */
static inline void front_end_renamed(struct front_end *front, const struct slots *slots)
{
    uint64_t fetched = slots->cycle - front->front_cycles;

    if (fetched > front->slots.cycle) {
        front->slots = (struct slots){.cycle = fetched, .used = slots->used};
    }
}

/* An instruction of class AGG_BRANCH went to next_pc, which was known in cycle `resolved`. */
void front_end_branch(struct front_end *front, const struct agg_insn *insn, uint64_t next_pc,
                      uint64_t resolved);

#endif
