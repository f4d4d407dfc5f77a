/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The main loop of a graph's run. Per pass: completions, yields, faults, the channels' tails,
 * retirement, restarts, predicates and scheduling, dispatch (DESIGN section 6).
 *
 * Every instruction of it is simulated aggregator time, and a device register costs most. So an
 * idle pass reads one register and two words per channel, of a graph by level those of few channels
 * (policies/levels.h); faults, which end the graph anyway, are looked for in every 16th pass and
 * whenever nothing is in flight; the time is read when passes stay idle. */
#include "core/run.h"

#include "agg/device.h"
#include "core/scheduler.h"
#include "predicates/table.h"

#define FAULT_PASSES 16u
#define IDLE_PASSES  64u

static struct channel channels[SL_GRAPH_CHANNELS];
static struct levels levels;
static struct choice choices[SL_COMPLETION_ENTRIES];
static struct sl_graph_scratch scratch;

void run_machine_init(struct machine *machine)
{
    machine->limits = (struct sl_graph_limits){
        .heap_base = agg_register_read(SL_REG_HEAP_BASE),
        .heap_limit = agg_register_read(SL_REG_HEAP_LIMIT),
        .lanes = (uint32_t)agg_register_read(SL_REG_LANES),
        .pool_blocks = (uint32_t)agg_register_read(SL_REG_POOL_BLOCKS),
    };
    machine->cu = (struct sl_cu_shape){
        .lanes = machine->limits.lanes,
        .simds = (uint32_t)agg_register_read(SL_REG_SIMDS),
        .contexts = (uint32_t)agg_register_read(SL_REG_CONTEXTS),
        .registers = (uint32_t)agg_register_read(SL_REG_REGISTERS),
        .lds_bytes = (uint32_t)agg_register_read(SL_REG_LDS_BYTES),
    };
    if (machine->cu.contexts > machine->limits.pool_blocks) {
        machine->cu.contexts = machine->limits.pool_blocks;
    }
    machine->wait_limit_ps = agg_register_read(SL_REG_WAIT_LIMIT_PS);
}

/* Empties the device and tells it what the run is about. */
static void begin_device(struct run *run, uint64_t program, uint64_t graph_address)
{
    agg_register_write(SL_REG_RESET, 1);
    dispatch_init(&run->dispatch);
    completion_init(&run->completion);
    agg_register_write(SL_REG_PROGRAM, program);
    agg_register_write(SL_REG_GRAPH, graph_address);
}

static void begin(struct run *run, const struct machine *machine, const struct sl_graph *graph)
{
    struct sl_channel *shared = sl_graph_channels(graph);
    const struct sl_kernel *kernels = (const struct sl_kernel *)(uintptr_t)graph->kernels;

    *run = (struct run){
        .channels = channels,
        .channel_count = graph->channel_count,
        .lanes = machine->limits.lanes,
        .levels = &levels,
        .scheduler = scheduler_find(graph->scheduler),
        .is_levelized = graph->scheduler == SL_SCHEDULER_LEVELIZED,
        .lane_shift = (uint32_t)__builtin_ctz(machine->limits.lanes),
        .pool_blocks = machine->limits.pool_blocks,
        .used_blocks = UINT32_MAX,
        .wait_limit_ps = machine->wait_limit_ps,
    };
    for (uint32_t i = 0; i < graph->channel_count; i++) {
        channel_init(&channels[i], &shared[i],
                     graph->kernels + shared[i].kernel * sizeof(struct sl_kernel),
                     predicate_table[shared[i].predicate]);
        run->may_yield |= (kernels[shared[i].kernel].flags & SL_KERNEL_YIELDS) != 0;
    }
    if (run->is_levelized) {
        levels_init(&levels, channels, graph, run->lanes);
        for (uint32_t i = 0; i < graph->channel_count; i++) {
            channels[i].reserve = sl_graph_reserve(&scratch.order, &shared[i]);
        }
    }
    begin_device(run, graph->program, agg_address(graph));
    if (run->may_yield) {
        yield_init(&run->yield);
    }
    run->scheduler->begin(run);
}

static struct poll poll_channels(struct run *run)
{
    const struct channel *end = run->channels + run->channel_count;
    struct poll poll = {0};

    for (struct channel *channel = run->channels; channel < end; channel++) {
        poll.is_new |= channel_poll(channel);
        if (channel->view.control_tail != channel->view.control_head) {
            poll.is_ready = true;
            poll.is_timed |= channel->predicate_is_timed;
        }
        poll.is_done |= channel_has_done_group(channel);
    }
    return poll;
}

static void retire_channels(struct run *run, uint32_t limit)
{
    for (uint32_t i = 0; i < run->channel_count; i++) {
        (void)channel_retire(&run->channels[i], limit);
    }
}

/* Returns whether anything was dispatched. */
static bool schedule(struct run *run)
{
    const uint32_t space = dispatch_space(&run->dispatch);
    if (space == 0) {
        return false;
    }
    if (run->is_levelized) {
        agg_phase(SL_PHASE_SCHEDULE);
    } else {
        agg_phase(SL_PHASE_PREDICATE);
    }
    const uint32_t chosen = run->scheduler->choose(run, choices, space);
    if (chosen > 0) {
        agg_phase(SL_PHASE_DISPATCH);
        for (uint32_t i = 0; i < chosen; i++) {
            const struct choice *choice = &choices[i];
            struct channel *channel = &run->channels[choice->channel];
            const uint32_t wavefronts = (choice->count + run->lanes - 1) >> run->lane_shift;
            dispatch_put(&run->dispatch, channel, choice->channel, choice->count);
            run->dispatch.wavefronts += wavefronts;
            channel->view.wavefronts += wavefronts;
            if (run->is_levelized) {
                levels_dispatched(run->levels, channel, choice->count);
            }
        }
        dispatch_ring(&run->dispatch);
    }
    return chosen > 0;
}

/* Whether the device has been silent for longer than it may. */
static bool is_silent(struct run *run)
{
    run->idle_passes++;
    if (run->idle_passes % IDLE_PASSES != 0) {
        return false;
    }
    const uint64_t now_ps = agg_register_read(SL_REG_TIME_PS);
    if (run->idle_passes == IDLE_PASSES) {
        run->idle_since_ps = now_ps;
    }
    return now_ps - run->idle_since_ps > run->wait_limit_ps;
}

/* Takes what the device has written; returns whether there was anything. What is in flight is read
 * first: a record or an element of a wavefront that is not in flight then is visible afterwards. */
static bool take_records(struct run *run)
{
    const bool waits = run->yield.waiting > 0;
    const uint64_t active = waits ? agg_register_read(SL_REG_ACTIVE) : 0;
    const uint32_t completed =
        completion_poll(&run->completion, run->channel_count > 0 ? run->channels : NULL);
    uint32_t yielded = 0;

    run->dispatch.completed += completed;
    if (run->may_yield && run->channel_count > 0) {
        yielded = yield_poll(&run->yield, run->channels, run->channel_count);
    } else if (run->may_yield) {
        yielded = yield_resume(&run->yield, &run->dispatch);
        dispatch_ring(&run->dispatch);
    }
    run->used_blocks = waits ? (uint32_t)active + run->yield.waiting : UINT32_MAX;
    run->is_drained = run_in_flight(run) == 0 || (waits && active == 0);
    run->has_yielded = yielded > 0;
    return completed + yielded > 0;
}

/* Restarts wavefronts that wait; returns whether there were any to restart. */
static bool restart(struct run *run)
{
    agg_phase(SL_PHASE_YIELD);
    const uint32_t restarted =
        yield_restart(&run->yield, run->channels, &run->dispatch, run->is_drained);
    if (restarted > 0) {
        dispatch_ring(&run->dispatch);
        run->is_drained = false;
    }
    return restarted > 0;
}

static struct poll poll_all(struct run *run)
{
    return run->is_levelized ? levels_poll(run->levels, run->channels) : poll_channels(run);
}

/* Whether nothing is left, once nothing is in flight and nothing waits: what was not looked at may
 * have something only where a kernel put it that should not have. */
static bool is_complete(struct run *run, const struct poll *poll)
{
    if (poll->is_ready || run->yield.waiting > 0) {
        return false;
    }
    if (run->is_levelized) {
        levels_widen(run->levels);
        return !levels_poll(run->levels, run->channels).is_ready;
    }
    return true;
}

static void retire_some(struct run *run)
{
    agg_phase(SL_PHASE_RETIRE);
    if (run->is_levelized) {
        levels_retire(run->levels, CHANNEL_RETIRE_GROUPS);
    } else {
        retire_channels(run, CHANNEL_RETIRE_GROUPS);
    }
}

/* Passes until the graph has ended; returns how, and fills in the answer but for a complete one. */
static enum sl_message_agg_type loop(struct run *run, struct sl_message_agg *answer)
{
    for (;;) {
        bool is_progress = take_records(run);

        /* An element that a wavefront put in is visible before its completion record: what is ready
         * after nothing is in flight is all there will be. */
        if (run->is_drained || ++run->passes % FAULT_PASSES == 0) {
            const uint64_t faults = completion_faults(&answer->fault);
            if (faults > 0) {
                answer->argument[0] = faults;
                return SL_AGG_FAULTED;
            }
        }
        const struct poll poll = poll_all(run);
        if (run->is_drained && is_complete(run, &poll)) {
            return SL_AGG_COMPLETE;
        }
        if (poll.is_done) {
            retire_some(run);
        }
        is_progress |= poll.is_new;
        if (run->yield.waiting > 0 && (run->has_yielded || poll.is_done || run->is_drained)) {
            is_progress |= restart(run);
        }
        if (poll.is_ready && (is_progress || run->is_drained || poll.is_timed)) {
            is_progress |= schedule(run);
        }
        is_progress |= poll.is_done;
        /* One mark for all that was done in the pass. Without progress there was only the choice of
         * a timed predicate. */
        if (is_progress) {
            run->idle_passes = 0;
            agg_phase(SL_PHASE_POLL);
        } else if (run->is_drained) {
            answer->reason = SL_FAILURE_STUCK;
            yield_describe(&run->yield, run->channels, answer->argument);
            return SL_AGG_FAILED;
        } else if (is_silent(run)) {
            answer->reason = SL_FAILURE_DEVICE_SILENT;
            answer->argument[0] = run->wait_limit_ps;
            answer->argument[1] = agg_register_read(SL_REG_RESIDENT);
            answer->argument[2] = run_in_flight(run);
            return SL_AGG_FAILED;
        } else if (poll.is_timed) {
            agg_phase(SL_PHASE_POLL);
        }
    }
}

static void finish_complete(struct run *run, struct sl_message_agg *answer)
{
    agg_phase(SL_PHASE_RETIRE);
    retire_channels(run, UINT32_MAX);
    for (uint32_t i = 0; i < run->channel_count; i++) {
        channel_finish(&run->channels[i]);
    }
    answer->argument[0] = run->completion.elements;
    answer->argument[1] = run->completion.wavefronts;
    answer->argument[2] = run->dispatch.tail;
}

static void refuse(const struct sl_graph_refusal *refusal, struct sl_message_agg *answer)
{
    answer->type = SL_AGG_REFUSED;
    answer->reason = refusal->reason;
    answer->node = refusal->node;
    answer->argument[0] = refusal->value;
    answer->argument[1] = refusal->limit;
}

/* A run without channels: its one packet is in flight from the beginning, and when it is not any
 * more, the run has ended. */
static void begin_launch(struct run *run, const struct machine *machine,
                         const struct sl_launch *launch)
{
    *run = (struct run){
        .channels = channels,
        .may_yield = (launch->kernel.flags & SL_KERNEL_YIELDS) != 0,
        .used_blocks = UINT32_MAX,
        .wait_limit_ps = machine->wait_limit_ps,
    };
    begin_device(run, launch->program, 0);
    if (run->may_yield) {
        yield_init(&run->yield);
    }
    agg_phase(SL_PHASE_DISPATCH);
    dispatch_put_ndrange(&run->dispatch, &launch->kernel, launch->grid, launch->group,
                         launch->lds_bytes);
    dispatch_ring(&run->dispatch);
}

/* Runs what passed its check: a graph, or, without one, a launch. One function for both, so that
 * the compiler keeps what the loop works on in registers. */
static void execute(const struct machine *machine, const struct sl_graph *graph,
                    const struct sl_launch *launch, struct sl_message_agg *answer)
{
    struct run run;

    if (graph != NULL) {
        begin(&run, machine, graph);
    } else {
        begin_launch(&run, machine, launch);
    }
    agg_phase(SL_PHASE_POLL);
    answer->type = loop(&run, answer);
    if (answer->type == SL_AGG_COMPLETE) {
        finish_complete(&run, answer);
    } else {
        agg_register_write(SL_REG_RESET, 1);
    }
}

void run_graph(const struct machine *machine, uint64_t graph_address, struct sl_message_agg *answer)
{
    const struct sl_graph *graph = (const struct sl_graph *)(uintptr_t)graph_address;
    struct sl_graph_refusal refusal;

    agg_register_write(SL_REG_MARK, SL_MARK_BEGIN);
    agg_phase(SL_PHASE_OTHER);
    if (sl_graph_check(graph, &machine->limits, &refusal, &scratch) != 0) {
        refuse(&refusal, answer);
    } else {
        execute(machine, graph, NULL, answer);
    }
    agg_register_write(SL_REG_MARK, SL_MARK_END);
}

void run_launch(const struct machine *machine, uint64_t launch_address,
                struct sl_message_agg *answer)
{
    const struct sl_launch *launch = (const struct sl_launch *)(uintptr_t)launch_address;
    struct sl_graph_refusal refusal;

    agg_register_write(SL_REG_MARK, SL_MARK_BEGIN);
    agg_phase(SL_PHASE_OTHER);
    if (sl_launch_check(launch, &machine->limits, &machine->cu, &refusal, &scratch) != 0) {
        refuse(&refusal, answer);
    } else {
        execute(machine, NULL, launch, answer);
    }
    agg_register_write(SL_REG_MARK, SL_MARK_END);
}
