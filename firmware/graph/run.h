/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A run: what lies between the marks BEGIN and END, from the host's message to the answer. Graphs,
 * launches, sequences of launches and task vectors are kinds of run (firmware/runs). This is what
 * all kinds share: check, begin, passes, finish; faults, and a device that stays silent. */
#ifndef SLUICE_FIRMWARE_GRAPH_RUN_H
#define SLUICE_FIRMWARE_GRAPH_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "check/graph/graph_check.h"
#include "check/launch/group_occupancy.h"
#include "queues/channel.h"
#include "queues/completion.h"
#include "queues/dispatch.h"
#include "queues/yield.h"

/* What the device said of itself at boot. */
struct machine {
    struct sl_graph_limits limits;
    struct sl_cu_shape cu;
    uint32_t contexts; /* of all compute units; no more than the pool has blocks */
    uint64_t wait_limit_ps;
    struct mailbox *mailbox; /* from which open graphs are fed */
};

struct run {
    struct dispatch dispatch;
    struct completion completion;
    struct yield yield;
    bool may_yield;  /* some kernel of the run */
    bool is_drained; /* nothing is in flight */
    uint32_t passes;
    uint32_t idle_passes; /* passes without any progress in a row */
    uint64_t idle_since_ps;
    uint64_t wait_limit_ps;
    uint64_t program; /* address of the struct sl_program */

    /* Of graphs. */
    uint64_t graph; /* address of the struct sl_graph */
    const struct scheduler *scheduler;
    void *state; /* the policy's own (struct scheduler) */
    struct channel *channels;
    uint32_t channel_count;
    uint32_t guard_count; /* graph/guard.h */
    uint32_t lanes;
    uint32_t lane_shift;  /* logarithm of lanes */
    uint32_t pool_blocks; /* of the wavefront state pool */
    uint32_t used_blocks; /* of them, at most; known while wavefronts wait that have yielded */
    bool has_yielded;     /* some wavefront, as this pass found */
};

/* A kind of run: a file of firmware/runs and a line in the table there. */
struct run_kind {
    /* Checks what the host gave the address of, which may be anything. Returns 0; or -1 with
     * *refusal filled. */
    int (*check)(const struct machine *machine, uint64_t address, struct sl_graph_refusal *refusal,
                 struct sl_graph_scratch *scratch);
    /* Fills in a run of what passed the check; it begins on the device behind that. The scratch
     * memory is as the check left it. */
    void (*begin)(struct run *run, const struct machine *machine, uint64_t address,
                  const struct sl_graph_scratch *scratch);
    /* Passes until the run has ended; returns how, and fills in the answer's reason and arguments
     * where it failed, its fault where it faulted. */
    enum sl_message_agg_type (*passes)(struct run *run, struct sl_message_agg *answer);
    /* The run has ended as the answer's type says: leaves memory as the host expects it, and adds
     * what the answer is to say of this kind of run. */
    void (*finish)(struct run *run, struct sl_message_agg *answer);
};

/* Passes between two looks at the fault ring while something is in flight. */
#define RUN_FAULT_PASSES 16u
/* Idle passes between two looks at the time. */
#define RUN_IDLE_PASSES 64u

void run_machine_init(struct machine *machine);

/* Runs what is at an address that the host gave, and fills in the answer: complete, refused,
 * faulted or failed. After each of them the next run can begin. `protection` is the address of the
 * struct sl_protection that says what lanes may access, which may be anything, too; 0: there is
 * none. */
void run_execute(const struct run_kind *kind, const struct machine *machine, uint64_t address,
                 uint64_t protection, struct sl_message_agg *answer);

/* Packets that are with the device. */
static inline uint32_t run_in_flight(const struct run *run)
{
    return dispatch_outstanding(&run->dispatch);
}

/* Free blocks of the wavefront state pool, at least; of graphs. Both counts of used ones may exceed
 * the pool: one has wavefronts that have ended in packets that have not, the other wavefronts twice
 * that have yielded since the device was asked. */
static inline uint32_t run_free_blocks(const struct run *run)
{
    const uint64_t launched = run->dispatch.wavefronts - run->completion.wavefronts;
    const uint64_t used = run->used_blocks < launched ? run->used_blocks : launched;
    return used < run->pool_blocks ? run->pool_blocks - (uint32_t)used : 0;
}

/* For each pass, once it is known whether anything is in flight: looks for faults, if it is time
 * to. Returns whether there are any, and then fills in the answer. They end the run anyway, so that
 * a look every few passes is enough. */
static inline bool run_has_faulted(struct run *run, struct sl_message_agg *answer)
{
    if (!run->is_drained && ++run->passes % RUN_FAULT_PASSES != 0) {
        return false;
    }
    answer->argument[0] = completion_faults(&answer->fault);
    return answer->argument[0] > 0;
}

/* Whether the device has been silent for longer than it may; fills in the answer then. */
bool run_has_waited(struct run *run, struct sl_message_agg *answer);

/* What the run's channels have shown that cannot be (channel_books), for the answer. */
void run_describe_books(const struct run *run, struct sl_message_agg *answer);

/* Whether they have shown anything; fills in the answer then. */
static inline bool run_is_unbalanced(const struct run *run, struct sl_message_agg *answer)
{
    if (channel_books.channel == NULL) {
        return false;
    }
    run_describe_books(run, answer);
    return true;
}

/* For each pass without any progress: as run_has_waited(), at the price of a count in most passes.
 */
static inline bool run_is_silent(struct run *run, struct sl_message_agg *answer)
{
    return ++run->idle_passes % RUN_IDLE_PASSES == 0 && run_has_waited(run, answer);
}

#endif
