/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The runs of a channel-flow graph (papers/001 section 4.2), and of one that the host keeps open
 * (section 3.1): takes its channels over, leaves the passes to its scheduling policy
 * (graph/graph_loop.h), and gives the channels back. */
#include "check/graph/channels.h"
#include "check/graph/policy_check.h"
#include "graph/all_channels.h"
#include "graph/guard.h"
#include "graph/open_graph.h"
#include "guards/guards.h"
#include "policies/policies.h"
#include "predicates/predicates.h"
#include "queues/throttle.h"
#include "runs/runs.h"

static struct channel channels[SL_GRAPH_CHANNELS];
static struct throttle throttles[SL_GRAPH_KERNELS]; /* by kernel */
static _Alignas(16) uint8_t policy_state[SCHEDULER_STATE_BYTES];
static struct host_input input;

static int check(const struct machine *machine, uint64_t address, struct sl_graph_refusal *refusal,
                 struct sl_graph_scratch *scratch)
{
    return sl_graph_check((const struct sl_graph *)(uintptr_t)address, &machine->limits, refusal,
                          scratch);
}

/* A kernel's own bound is not searched for. */
static void take_kernels(const struct sl_graph *graph, const struct machine *machine)
{
    const struct sl_kernel *const kernels = (const struct sl_kernel *)(uintptr_t)graph->kernels;
    const bool is_searched = (graph->policy_flags & SL_POLICY_THROTTLE) != 0;
    struct throttle *other = NULL;

    for (uint32_t i = 0; i < graph->kernel_count; i++) {
        const uint32_t resident = kernels[i].resident;
        throttle_init(&throttles[i], resident != 0 ? resident : THROTTLE_NONE);
        if (is_searched && resident == 0) {
            throttle_search(&throttles[i], i, machine->contexts, other);
            other = &throttles[i];
        }
    }
}

/* Returns whether some kernel may yield. */
static bool take_channels(const struct sl_graph *graph, const struct sl_graph_order *order)
{
    struct sl_channel *const shared = sl_graph_channels(graph);
    const struct sl_kernel *const kernels = (const struct sl_kernel *)(uintptr_t)graph->kernels;
    bool may_yield = false;

    channel_books.channel = NULL;
    for (uint32_t i = 0; i < graph->channel_count; i++) {
        const struct sl_kernel *const kernel = &kernels[shared[i].kernel];
        channel_init(&channels[i], &shared[i], (uintptr_t)kernel,
                     predicate_table[shared[i].predicate]);
        channels[i].throttle = &throttles[shared[i].kernel];
        may_yield |= (kernel->flags & SL_KERNEL_YIELDS) != 0;
        if (order != NULL) {
            channels[i].reserve = sl_graph_reserve(order, &shared[i]);
        }
    }
    return may_yield;
}

static void begin(struct run *run, const struct machine *machine, uint64_t address,
                  const struct sl_graph_scratch *scratch)
{
    const struct sl_graph *const graph = (const struct sl_graph *)(uintptr_t)address;
    const bool has_levels = sl_policy_has_levels(graph->scheduler);

    take_kernels(graph, machine);
    *run = (struct run){
        .may_yield = take_channels(graph, has_levels ? &scratch->order : NULL),
        .program = graph->program,
        .graph = address,
        .scheduler = policy_table[graph->scheduler],
        .state = policy_state,
        .channels = channels,
        .channel_count = graph->channel_count,
        .lanes = machine->limits.lanes,
        .lane_shift = (uint32_t)__builtin_ctz(machine->limits.lanes),
        .pool_blocks = machine->limits.pool_blocks,
        .used_blocks = UINT32_MAX,
    };
    guard_init(run, graph, guard_table);
    run->scheduler->begin(run, graph);
}

static enum sl_message_agg_type passes(struct run *run, struct sl_message_agg *answer)
{
    return run->scheduler->passes(run, answer);
}

static void finish(struct run *run, struct sl_message_agg *answer)
{
    if (answer->type != SL_AGG_COMPLETE) {
        return;
    }
    agg_phase(SL_PHASE_RETIRE);
    all_channels_retire(run, UINT32_MAX);
    for (uint32_t i = 0; i < run->channel_count; i++) {
        channel_finish(&run->channels[i]);
    }
}

static void begin_open(struct run *run, const struct machine *machine, uint64_t address,
                       const struct sl_graph_scratch *scratch)
{
    begin(run, machine, address, scratch);
    host_input_init(&input, machine->mailbox, &machine->limits);
}

static enum sl_message_agg_type passes_open(struct run *run, struct sl_message_agg *answer)
{
    return open_passes(run, &input, answer);
}

const struct run_kind run_graph = {check, begin, passes, finish};
const struct run_kind run_open = {check, begin_open, passes_open, finish};
