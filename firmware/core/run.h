/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The run of one graph, or of one launch: from the host's message to the answer (DESIGN section 6).
 */
#ifndef SLUICE_FIRMWARE_RUN_H
#define SLUICE_FIRMWARE_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "core/channel.h"
#include "core/completion.h"
#include "core/dispatch.h"
#include "core/yield.h"
#include "graph/check.h"
#include "launch/check.h"
#include "policies/levels.h"

/* What the device said of itself at boot. */
struct machine {
    struct sl_graph_limits limits;
    struct sl_cu_shape cu;
    uint64_t wait_limit_ps;
};

struct run {
    struct channel *channels;
    uint32_t channel_count;
    uint32_t lanes;
    const struct scheduler *scheduler;
    struct dispatch dispatch;
    struct completion completion;
    struct yield yield;
    struct levels *levels; /* of runs that are scheduled by level */
    bool is_levelized;
    bool may_yield;       /* some kernel of the graph */
    bool is_drained;      /* nothing is in flight */
    bool has_yielded;     /* some wavefront, as this pass found */
    uint32_t lane_shift;  /* logarithm of lanes */
    uint32_t pool_blocks; /* of the wavefront state pool */
    uint32_t used_blocks; /* of them, at most; known while wavefronts wait that have yielded */
    uint32_t passes;
    uint32_t idle_passes; /* passes without any progress in a row */
    uint64_t idle_since_ps;
    uint64_t wait_limit_ps;
};

/* Packets that are with the device. */
static inline uint32_t run_in_flight(const struct run *run)
{
    return dispatch_outstanding(&run->dispatch);
}

/* Free blocks of the wavefront state pool, at least; of runs that are scheduled by level. Both
 * counts of used ones may exceed the pool: one has wavefronts that have ended in packets that have
 * not, the other wavefronts twice that have yielded since the device was asked. */
static inline uint32_t run_free_blocks(const struct run *run)
{
    const uint64_t launched = run->dispatch.wavefronts - run->completion.wavefronts;
    const uint64_t used = run->used_blocks < launched ? run->used_blocks : launched;
    return used < run->pool_blocks ? run->pool_blocks - (uint32_t)used : 0;
}

void run_machine_init(struct machine *machine);

/* Runs the graph at an address that the host gave, and fills in the answer: complete, refused,
 * faulted or failed. After each of them the next graph can run. */
void run_graph(const struct machine *machine, uint64_t graph_address,
               struct sl_message_agg *answer);

/* The same for the launch of a kernel over an NDRange (struct sl_launch). */
void run_launch(const struct machine *machine, uint64_t launch_address,
                struct sl_message_agg *answer);

#endif
