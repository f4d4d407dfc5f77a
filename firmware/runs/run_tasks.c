/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The run of a task vector (papers/000 section 5.5; docs/know/trees.md): a packet for each epoch,
 * and one for its maps, each dispatched when the one before it is complete. So completion and
 * dispatch are all the synchronization that tasks have: a release and an acquire at device scope.
 */
#include "aggregator/device.h"
#include "check/tasks/task_vector_check.h"
#include "runs/epoch_stack.h"
#include "runs/runs.h"
#include "runs/steps.h"

/* A launch of the vector, as it was when it was checked. */
struct taken {
    struct sl_kernel *kernel; /* in shared memory: the device reads it, and checks what it reads */
    uint32_t group[3];
    uint32_t lds_bytes;
};

/* What runs. */
static struct trees trees;
static struct taken launches[2];
static bool has_maps;
static uint64_t delay_ps;
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
    has_maps = shared->maps > 0;
    delay_ps = shared->delay_ps;
    for (uint32_t i = SL_TREES_OF_EPOCHS; i <= (has_maps ? SL_TREES_OF_MAPS : 0u); i++) {
        struct sl_launch *const launch = &shared->launch[i];
        set_arguments(shared, &launch->kernel);
        run->may_yield |= (launch->kernel.flags & SL_KERNEL_YIELDS) != 0;
        launches[i] = (struct taken){
            .kernel = &launch->kernel,
            .group = {launch->group[0], launch->group[1], launch->group[2]},
            .lds_bytes = launch->lds_bytes,
        };
    }
    trees_init(&trees, shared);
    state = AT_START;
}

/* Runs the kernel of a launch of the vector from a slot on. */
static void put(struct run *run, const struct taken *launch, uint32_t first, uint32_t x, uint32_t y)
{
    agg_phase(SL_PHASE_DISPATCH);
    launch->kernel->argument[SL_TREES_BASE] = (uint64_t)trees.epoch.epoch * trees.functions;
    launch->kernel->argument[SL_TREES_FIRST] = first;
    dispatch_put_ndrange(&run->dispatch, launch->kernel, (const uint32_t[3]){x, y, 1},
                         launch->group, launch->lds_bytes);
    dispatch_ring(&run->dispatch);
}

/* Lets time pass, as a host CPU would take it. */
static void delay(void)
{
    if (delay_ps > 0) {
        const uint64_t since_ps = agg_register_read(SL_REG_TIME_PS);
        while (agg_register_read(SL_REG_TIME_PS) - since_ps < delay_ps) {
        }
    }
}

static enum step start_maps(struct run *run)
{
    const struct taken *const launch = &launches[SL_TREES_OF_MAPS];

    state = IN_MAPS;
    put(run, launch, trees.old_next_free, launch->group[0], trees.next_free - trees.old_next_free);
    return STEP_NEXT;
}

static enum step fail_in_doubt(struct sl_message_agg *answer)
{
    answer->reason = SL_FAILURE_TREES;
    answer->argument[0] = trees.doubt.word;
    answer->argument[1] = trees.doubt.value;
    answer->argument[2] = trees.doubt.least;
    answer->argument[3] = trees.doubt.most;
    return STEP_FAILED;
}

static enum step start_epoch(struct run *run, struct sl_message_agg *answer)
{
    const bool is_first = state == AT_START;

    if (!trees_begin_epoch(&trees)) {
        return trees.doubt.word == 0 ? STEP_COMPLETE : fail_in_doubt(answer);
    }
    if (!is_first) {
        delay();
    }
    state = IN_EPOCH;
    put(run, &launches[SL_TREES_OF_EPOCHS], trees.epoch.first, trees.epoch.end - trees.epoch.first,
        1);
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
    answer->argument[2] = trees.stack_entries;
    answer->argument[3] = trees.functions;
    return STEP_FAILED;
}

static enum step next(struct run *run, struct sl_message_agg *answer)
{
    agg_phase(SL_PHASE_SCHEDULE);
    if (state == IN_EPOCH) {
        if (!trees_end_epoch(&trees)) {
            return trees.doubt.word == 0 ? fail_at_limit(answer) : fail_in_doubt(answer);
        }
        if (trees.maps > 0) {
            return has_maps ? start_maps(run) : fail_without_maps(answer);
        }
    } else if (state == IN_MAPS) {
        trees_end_maps(&trees);
    }
    return start_epoch(run, answer);
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
