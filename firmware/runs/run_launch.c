/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The runs of one launch and of a sequence of launches, which is a launch at a time: each step is a
 * packet, dispatched when the one before it is complete. Completion is a release and dispatch an
 * acquire at device scope, so that a step sees all that those before it wrote; so does the
 * firmware, which reads the words that say how large a grid is and whether the part that repeats
 * does so. */
#include "aggregator/device.h"
#include "aggregator/shared.h"
#include "check/launch/sequence_check.h"
#include "runs/runs.h"
#include "runs/steps.h"

/* No step yet: the next one is step 0. */
#define STEP_BEFORE UINT32_MAX

/* A launch, as it was when it was checked. */
struct taken {
    const struct sl_kernel *kernel; /* in shared memory: the device reads it, and checks it then */
    const uint32_t *word;           /* NULL: the grid is what it says */
    uint32_t grid[3];
    uint32_t group[3];
    uint32_t lds_bytes;
};

static struct taken launches[SL_SEQUENCE_LAUNCHES];

/* What runs. */
static struct {
    uint32_t count;
    uint32_t first; /* of the part that repeats */
    uint32_t last;
    const uint32_t *word; /* NULL: nothing repeats */
    uint32_t at;          /* the step that was started last, or looked at */
    uint64_t repeats;     /* times that the part has begun anew */
} steps;

static int check_launch(const struct machine *machine, uint64_t address,
                        struct sl_graph_refusal *refusal, struct sl_graph_scratch *scratch)
{
    return sl_launch_check((const struct sl_launch *)(uintptr_t)address, &machine->limits,
                           &machine->cu, refusal, scratch);
}

static int check_sequence(const struct machine *machine, uint64_t address,
                          struct sl_graph_refusal *refusal, struct sl_graph_scratch *scratch)
{
    return sl_sequence_check((const struct sl_sequence *)(uintptr_t)address, &machine->limits,
                             &machine->cu, refusal, scratch);
}

static struct taken take(const struct sl_launch *launch)
{
    return (struct taken){
        .kernel = &launch->kernel,
        .word = (const uint32_t *)(uintptr_t)launch->grid_word,
        .grid = {launch->grid[0], launch->grid[1], launch->grid[2]},
        .group = {launch->group[0], launch->group[1], launch->group[2]},
        .lds_bytes = launch->lds_bytes,
    };
}

static void begin(struct run *run, const struct sl_launch *shared, uint32_t count)
{
    steps.count = count;
    steps.word = NULL;
    steps.at = STEP_BEFORE;
    steps.repeats = 0;
    *run = (struct run){.program = shared[0].program};
    for (uint32_t i = 0; i < count; i++) {
        launches[i] = take(&shared[i]);
        run->may_yield |= (shared[i].kernel.flags & SL_KERNEL_YIELDS) != 0;
    }
}

static void begin_launch(struct run *run, const struct machine *machine, uint64_t address,
                         const struct sl_graph_scratch *scratch)
{
    (void)machine;
    (void)scratch;
    begin(run, (const struct sl_launch *)(uintptr_t)address, 1);
}

static void begin_sequence(struct run *run, const struct machine *machine, uint64_t address,
                           const struct sl_graph_scratch *scratch)
{
    const struct sl_sequence *const sequence = (const struct sl_sequence *)(uintptr_t)address;

    (void)machine;
    (void)scratch;
    begin(run, sl_sequence_launches(sequence), sequence->count);
    steps.first = sequence->first;
    steps.last = sequence->last;
    steps.word = (const uint32_t *)(uintptr_t)sequence->word;
}

/* The one after the step that was started last, which is complete. */
static uint32_t step_after(void)
{
    if (steps.at == steps.last && steps.word != NULL && shared_load32_acquire(steps.word) != 0) {
        steps.repeats++;
        return steps.first;
    }
    return steps.at + 1;
}

/* A launch without work-items is over at once. The device counts its cycle limit from the first
 * doorbell; so that one comes even where nothing is ever dispatched. */
static void skip(const struct run *run)
{
    if (run->dispatch.tail == 0) {
        agg_register_write(SL_REG_DISPATCH_TAIL, 0);
    }
}

static enum step next(struct run *run, struct sl_message_agg *answer)
{
    const uint32_t at = step_after();
    if (at == steps.count) {
        return STEP_COMPLETE;
    }
    const struct taken *const launch = &launches[at];
    const uint32_t items =
        launch->word != NULL ? shared_load32_acquire(launch->word) : launch->grid[0];

    steps.at = at;
    if (items > launch->grid[0]) {
        answer->reason = SL_FAILURE_GRID;
        answer->argument[0] = items;
        answer->argument[1] = launch->grid[0];
        answer->argument[2] = (uintptr_t)launch->word;
        return STEP_FAILED;
    }
    if (items == 0) {
        skip(run);
        return STEP_NEXT;
    }
    agg_phase(SL_PHASE_DISPATCH);
    dispatch_put_ndrange(&run->dispatch, launch->kernel,
                         (const uint32_t[3]){items, launch->grid[1], launch->grid[2]},
                         launch->group, launch->lds_bytes);
    dispatch_ring(&run->dispatch);
    return STEP_NEXT;
}

static enum sl_message_agg_type passes(struct run *run, struct sl_message_agg *answer)
{
    return steps_passes(run, next, answer);
}

static void finish(struct run *run, struct sl_message_agg *answer)
{
    (void)run;
    answer->argument[6] = steps.at;
    answer->argument[7] = steps.repeats;
}

const struct run_kind run_launch = {check_launch, begin_launch, passes, finish};
const struct run_kind run_sequence = {check_sequence, begin_sequence, passes, finish};
