/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The passes of a graph's run. Per pass: completions, yields, faults, the channels' tails,
 * retirement, restarts, predicates and scheduling, dispatch.
 *
 * Every instruction of it is simulated aggregator time, and a device register costs most. So an
 * idle pass reads one register and what the policy polls; faults, which end the graph anyway, are
 * looked for in every 16th pass and whenever nothing is in flight; the time is read when passes
 * stay idle. For the same reason the loop is compiled once for each policy, whose functions it then
 * calls without looking them up, or has in line. */
#ifndef SLUICE_FIRMWARE_GRAPH_GRAPH_LOOP_H
#define SLUICE_FIRMWARE_GRAPH_GRAPH_LOOP_H

#include <assert.h>

#include "aggregator/device.h"
#include "graph/contract.h"
#include "graph/host_input.h"
#include "graph/scheduler.h"

#define PASSES_INLINE static inline __attribute__((always_inline))

/* Takes what the device has written; returns whether there was anything. What is in flight is read
 * first: a record or an element of a wavefront that is not in flight then is visible afterwards. */
PASSES_INLINE bool collect_completions(struct run *run)
{
    const bool waits = run->yield.waiting > 0;
    const uint64_t active = waits ? agg_register_read(SL_REG_ACTIVE) : 0;
    const uint32_t completed = completion_poll(&run->completion, run->channels);
    const uint32_t yielded =
        run->may_yield ? yield_poll(&run->yield, run->channels, run->channel_count) : 0;

    run->dispatch.completed += completed;
    run->used_blocks = waits ? (uint32_t)active + run->yield.waiting : UINT32_MAX;
    run->is_drained = run_in_flight(run) == 0 || (waits && active == 0);
    run->has_yielded = yielded > 0;
    return completed + yielded > 0;
}

/* What a policy chose has its place here, and what it chose beyond the space that there was, before
 * that is found. */
#define CHOICES (32 * SL_COMPLETION_ENTRIES)

enum dispatch_result {
    DISPATCHED_NOTHING,
    DISPATCHED,
    DISPATCH_BROKEN, /* the policy broke its contract */
};

PASSES_INLINE enum dispatch_result schedule_dispatches(const struct scheduler *scheduler,
                                                       struct run *run,
                                                       struct sl_message_agg *answer)
{
    static struct choice choices[CHOICES];
    const uint32_t space = dispatch_space(&run->dispatch);
    if (space == 0) {
        return DISPATCHED_NOTHING;
    }
    if (scheduler->phase == SL_PHASE_PREDICATE) { /* a mark names a constant */
        agg_phase(SL_PHASE_PREDICATE);
    } else {
        agg_phase(SL_PHASE_SCHEDULE);
    }
    const uint32_t chosen = scheduler->choose(run, choices, space);
    if (chosen > 0) {
        agg_phase(SL_PHASE_DISPATCH);
        if (chosen > space) {
            policy_breaks(SL_CONTRACT_SPACE, choices[space].channel, chosen, space, answer);
            return DISPATCH_BROKEN;
        }
        for (uint32_t i = 0; i < chosen; i++) {
            const struct choice *choice = &choices[i];
            struct channel *channel = &run->channels[choice->channel];
            if (!policy_keeps(run, choice)) {
                policy_describe(run, choice, answer);
                return DISPATCH_BROKEN;
            }
            const uint32_t wavefronts = (choice->count + run->lanes - 1) >> run->lane_shift;
            dispatch_put(&run->dispatch, channel, choice->channel, choice->count);
            run->dispatch.wavefronts += wavefronts;
            channel->view.wavefronts += wavefronts;
            if (scheduler->dispatched != NULL) {
                scheduler->dispatched(run, channel, choice->count);
            }
        }
        dispatch_ring(&run->dispatch);
    }
    return chosen > 0 ? DISPATCHED : DISPATCHED_NOTHING;
}

/* Restarts wavefronts that wait; returns whether there were any to restart. */
PASSES_INLINE bool passes_restart(struct run *run)
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

/* Whether nothing is left, once nothing is in flight. An element that a wavefront put in is visible
 * before its completion record: what is ready then is all there will be. */
PASSES_INLINE bool passes_are_over(const struct scheduler *scheduler, struct run *run,
                                   const struct poll *poll)
{
    return !poll->is_ready && run->yield.waiting == 0 &&
           (scheduler->is_complete == NULL || scheduler->is_complete(run));
}

/* Of an open graph: takes the host's messages that it is time for, in a pass no more than the
 * device should wait for. Returns what the last one has led to that led to anything. */
PASSES_INLINE enum host_input_result passes_take_input(const struct scheduler *scheduler,
                                                       struct run *run, struct host_input *input,
                                                       bool is_idle, struct sl_message_agg *answer)
{
    enum host_input_result result = HOST_INPUT_NOTHING;

    for (uint32_t i = 0; i < HOST_INPUT_MESSAGES; i++) {
        const enum host_input_result now = host_input_take(input, run, is_idle && i == 0, answer);
        if (now == HOST_INPUT_NOTHING) {
            break;
        }
        result = now;
        if (result == HOST_INPUT_CLOSED || result == HOST_INPUT_FAILED) {
            break;
        }
        if (result == HOST_INPUT_PUBLISHED && scheduler->fed != NULL) {
            scheduler->fed(run, input->channel);
        }
    }
    return result;
}

/* Of an open graph: where channels' predicates say what goes, a partial wavefront does not go
 * merely because nothing is in flight. The host may be about to fill it. */
PASSES_INLINE void passes_hold(const struct scheduler *scheduler, struct run *run,
                               const struct host_input *input)
{
    if (run->is_drained && scheduler->phase == SL_PHASE_PREDICATE && run->yield.waiting == 0 &&
        host_input_is_expected(input)) {
        run->is_drained = false;
    }
}

/* Passes until the graph has ended; as struct run_kind says. `input`: NULL, or of an open graph,
 * whose passes go on as the policy's once it is closed. */
PASSES_INLINE enum sl_message_agg_type passes(const struct scheduler *scheduler, struct run *run,
                                              struct host_input *input,
                                              struct sl_message_agg *answer)
{
    bool is_idle = false; /* of an open graph: nothing is left to do but what the host says next */

    agg_phase(SL_PHASE_POLL);
    for (;;) {
        bool is_progress = collect_completions(run);

        if (run_has_faulted(run, answer)) {
            return SL_AGG_FAULTED;
        }
        if (input != NULL) {
            const enum host_input_result result =
                passes_take_input(scheduler, run, input, is_idle, answer);
            if (result == HOST_INPUT_CLOSED) {
                return scheduler->passes(run, answer);
            }
            if (result == HOST_INPUT_FAILED) {
                return SL_AGG_FAILED;
            }
            if (result == HOST_INPUT_NOTHING && is_idle) {
                continue;
            }
            is_progress |= result != HOST_INPUT_NOTHING;
        }
        const struct poll poll = scheduler->poll(run);
        if ((poll.is_new || input != NULL) && run_is_unbalanced(run, answer)) {
            return SL_AGG_FAILED;
        }
        if (input == NULL) {
            if (run->is_drained && passes_are_over(scheduler, run, &poll)) {
                return run_is_unbalanced(run, answer) ? SL_AGG_FAILED : SL_AGG_COMPLETE;
            }
        } else {
            is_idle = run->is_drained && !poll.is_done && passes_are_over(scheduler, run, &poll);
            if (is_idle) {
                continue;
            }
            passes_hold(scheduler, run, input);
        }
        if (poll.is_done) {
            agg_phase(SL_PHASE_RETIRE);
            scheduler->retire(run, CHANNEL_RETIRE_GROUPS);
        }
        is_progress |= poll.is_new;
        if (run->yield.waiting > 0 && (run->has_yielded || poll.is_done || run->is_drained)) {
            is_progress |= passes_restart(run);
        }
        if (poll.is_ready && (is_progress || run->is_drained || poll.is_timed)) {
            const enum dispatch_result result = schedule_dispatches(scheduler, run, answer);
            if (result == DISPATCH_BROKEN) {
                return SL_AGG_FAILED;
            }
            is_progress |= result == DISPATCHED;
        }
        is_progress |= poll.is_done;
        /* One mark for all that was done in the pass. Without progress there was only the choice of
         * a timed predicate. */
        if (is_progress) {
            run->idle_passes = 0;
            agg_phase(SL_PHASE_POLL);
        } else if (run->is_drained) {
            policy_stands_still(run, answer);
            return SL_AGG_FAILED;
        } else if (run_is_silent(run, answer)) {
            return SL_AGG_FAILED;
        } else if (poll.is_timed) {
            agg_phase(SL_PHASE_POLL);
        }
    }
}

/* Defines scheduler_<name>: the members of struct scheduler that are written behind the type of its
 * state, and passes of its own. */
#define SCHEDULER_DEFINE(name, state_type, ...)                                                    \
    static_assert(sizeof(state_type) <= SCHEDULER_STATE_BYTES, "state of policy " #name);          \
    static enum sl_message_agg_type name##_passes(struct run *run, struct sl_message_agg *answer); \
    const struct scheduler scheduler_##name = {.passes = name##_passes, __VA_ARGS__};              \
    static enum sl_message_agg_type name##_passes(struct run *run, struct sl_message_agg *answer)  \
    {                                                                                              \
        return passes(&scheduler_##name, run, NULL, answer);                                       \
    }

#endif
