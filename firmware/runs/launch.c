/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The run of one launch: a single packet, and when it is not in flight any more, the run has ended.
 */
#include "agg/device.h"
#include "launch/check.h"
#include "runs/kinds.h"
#include "runs/steps.h"

static int check(const struct machine *machine, uint64_t address, struct sl_graph_refusal *refusal,
                 struct sl_graph_scratch *scratch)
{
    return sl_launch_check((const struct sl_launch *)(uintptr_t)address, &machine->limits,
                           &machine->cu, refusal, scratch);
}

static void begin(struct run *run, const struct machine *machine, uint64_t address,
                  const struct sl_graph_scratch *scratch)
{
    const struct sl_launch *const launch = (const struct sl_launch *)(uintptr_t)address;

    (void)scratch;
    *run = (struct run){.may_yield = (launch->kernel.flags & SL_KERNEL_YIELDS) != 0};
    run_begin(run, machine, launch->program, 0);
    agg_phase(SL_PHASE_DISPATCH);
    dispatch_put_ndrange(&run->dispatch, &launch->kernel, launch->grid, launch->group,
                         launch->lds_bytes);
    dispatch_ring(&run->dispatch);
}

static enum step next(struct run *run, struct sl_message_agg *answer)
{
    (void)run;
    (void)answer;
    return STEP_COMPLETE;
}

static enum sl_message_agg_type passes(struct run *run, struct sl_message_agg *answer)
{
    return steps_passes(run, next, answer);
}

const struct run_kind run_launch = {.check = check, .begin = begin, .passes = passes};
