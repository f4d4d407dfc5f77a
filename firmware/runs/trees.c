/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The run of a task vector (papers/000 section 5.5; docs/trees.md): a packet for each epoch, and
 * one for its maps, each dispatched when the one before it is complete. So completion and dispatch
 * are all the synchronization that tasks have: a release and an acquire at device scope. */
#include "core/trees.h"
#include "agg/device.h"
#include "runs/kinds.h"
#include "runs/steps.h"
#include "trees/check.h"

/* What runs. */
static struct trees trees;
static enum { AT_START, IN_EPOCH, IN_MAPS } state;

static int check(const struct machine *machine, uint64_t address, struct sl_graph_refusal *refusal,
                 struct sl_graph_scratch *scratch)
{
    return sl_trees_check((const struct sl_trees *)(uintptr_t)address, &machine->limits,
                          &machine->cu, refusal, scratch);
}

static void set_arguments(struct sl_trees *shared, struct sl_kernel *kernel)
{
    kernel->argument_count = SL_TREES_CONSTANTS;
    kernel->argument[SL_TREES_SHARED] = (uintptr_t)shared;
    kernel->argument[SL_TREES_OF] = shared->functions;
    kernel->argument[SL_TREES_VECTOR] = shared->vector;
    kernel->argument[SL_TREES_CAPACITY] = shared->capacity;
    kernel->argument[SL_TREES_WORDS] = sl_trees_words(shared);
}

static void begin(struct run *run, const struct machine *machine, uint64_t address,
                  const struct sl_graph_scratch *scratch)
{
    struct sl_trees *const shared = (struct sl_trees *)(uintptr_t)address;

    (void)machine;
    (void)scratch;
    *run = (struct run){.program = shared->launch[SL_TREES_OF_EPOCHS].program};
    for (uint32_t i = SL_TREES_OF_EPOCHS; i <= (shared->maps > 0 ? SL_TREES_OF_MAPS : 0u); i++) {
        struct sl_kernel *const kernel = &shared->launch[i].kernel;
        set_arguments(shared, kernel);
        run->may_yield |= (kernel->flags & SL_KERNEL_YIELDS) != 0;
    }
    trees_init(&trees, shared);
    state = AT_START;
}

/* Runs the kernel of a launch of the vector from a slot on. */
static void put(struct run *run, struct sl_launch *launch, uint32_t first, uint32_t x, uint32_t y)
{
    agg_phase(SL_PHASE_DISPATCH);
    launch->kernel.argument[SL_TREES_BASE] = (uint64_t)trees.epoch.epoch * trees.shared->functions;
    launch->kernel.argument[SL_TREES_FIRST] = first;
    dispatch_put_ndrange(&run->dispatch, &launch->kernel, (const uint32_t[3]){x, y, 1},
                         launch->group, launch->lds_bytes);
    dispatch_ring(&run->dispatch);
}

/* Lets time pass, as a host CPU would take it. */
static void delay(void)
{
    const uint64_t delay_ps = trees.shared->delay_ps;

    if (delay_ps > 0) {
        const uint64_t since_ps = agg_register_read(SL_REG_TIME_PS);
        while (agg_register_read(SL_REG_TIME_PS) - since_ps < delay_ps) {
        }
    }
}

static enum step start_maps(struct run *run)
{
    struct sl_launch *const launch = &trees.shared->launch[SL_TREES_OF_MAPS];

    state = IN_MAPS;
    put(run, launch, trees.old_next_free, launch->group[0], trees.next_free - trees.old_next_free);
    return STEP_NEXT;
}

static enum step start_epoch(struct run *run)
{
    const bool is_first = state == AT_START;

    if (!trees_begin_epoch(&trees)) {
        return STEP_COMPLETE;
    }
    if (!is_first) {
        delay();
    }
    state = IN_EPOCH;
    put(run, &trees.shared->launch[SL_TREES_OF_EPOCHS], trees.epoch.first,
        trees.epoch.end - trees.epoch.first, 1);
    return STEP_NEXT;
}

static enum step fail_without_maps(struct sl_message_agg *answer)
{
    answer->reason = SL_FAILURE_MAPS;
    answer->argument[0] = trees.maps;
    return STEP_FAILED;
}

static enum step fail_at_limit(struct sl_message_agg *answer)
{
    answer->reason = SL_FAILURE_EPOCHS;
    answer->argument[0] = trees_next_epoch(&trees);
    answer->argument[1] = trees.depth + 1;
    answer->argument[2] = trees.shared->stack_entries;
    answer->argument[3] = trees.shared->functions;
    return STEP_FAILED;
}

static enum step next(struct run *run, struct sl_message_agg *answer)
{
    agg_phase(SL_PHASE_SCHEDULE);
    if (state == IN_EPOCH) {
        if (!trees_end_epoch(&trees)) {
            return fail_at_limit(answer);
        }
        if (trees.maps > 0) {
            return trees.shared->maps > 0 ? start_maps(run) : fail_without_maps(answer);
        }
    } else if (state == IN_MAPS) {
        trees_end_maps(&trees);
    }
    return start_epoch(run);
}

static enum sl_message_agg_type passes(struct run *run, struct sl_message_agg *answer)
{
    return steps_passes(run, next, answer);
}

static void finish(struct run *run, struct sl_message_agg *answer)
{
    (void)run;
    answer->argument[6] = trees.epoch.epoch;
    answer->argument[7] = trees.shared->epochs > 0 ? trees.shared->epochs - 1 : 0;
}

const struct run_kind run_trees = {check, begin, passes, finish};
