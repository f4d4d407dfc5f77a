/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What a report keeps of wavefronts: how many are resident, and what they did for their kernel and
 * their channel. */
#include "observers/report_observer.h"

#include <string.h>

/* The kernel's place in the shared block, or SL_REPORT_KERNELS. */
static uint32_t find_kernel(struct sl_report *shared, uint64_t kernel)
{
    for (uint32_t i = 0; i < shared->kernel_count; i++) {
        if (shared->kernels[i].kernel == kernel) {
            return i;
        }
    }
    if (shared->kernel_count < SL_REPORT_KERNELS) {
        shared->kernels[shared->kernel_count] = (struct sl_report_kernel){.kernel = kernel};
        return (uint32_t)shared->kernel_count++;
    }
    return SL_REPORT_KERNELS;
}

static struct report_context *context_of(struct report *report, const struct obs_wave *wave)
{
    return &report->cus[wave->cu].contexts[wave->context];
}

static struct sl_report_kernel *kernel_of(struct report *report,
                                          const struct report_context *context)
{
    return context->kernel < SL_REPORT_KERNELS ? &report->shared->kernels[context->kernel] : NULL;
}

/* A class that has fewer cycles than before has given one to retiring (cycle_stack_commit()): the
 * last one that it got. */
void report_count_stack(struct report *report)
{
    const uint64_t *now = report->core->counters.stack;

    for (unsigned i = 0; i < SL_STACK_CLASSES; i++) {
        struct report_counted *counted = &report->counted_stack[i];
        const uint64_t cycles = now[i] - counted->cycles;
        if (now[i] > counted->cycles) {
            counted->phase = report->phase;
            counted->is_blocked = report->resident == 0;
        }
        report->stack.all[counted->phase][i] += cycles;
        report->stack.blocked[counted->phase][i] += counted->is_blocked ? cycles : 0;
        counted->cycles = now[i];
    }
}

void report_set_resident(struct report *report, uint32_t cu, uint64_t time_ps, uint64_t resident)
{
    struct report_cu *unit = &report->cus[cu];
    const uint64_t all = report->resident - unit->resident + resident;

    if ((report->resident == 0) != (all == 0)) {
        report_count_stack(report);
    }
    report->resident = all;
    report_hold(report, SL_REPORT_RESIDENT + cu, unit->resident, unit->since_ps, time_ps);
    unit->resident = resident;
    unit->since_ps = time_ps;
}

void report_enter(struct report *report, const struct obs_event *event)
{
    const struct obs_wave *wave = &event->wave;
    struct report_context *context = context_of(report, wave);

    *context = (struct report_context){
        .kernel = find_kernel(report->shared, wave->kernel),
        .channel = wave->channel,
        .lanes = event->life.lanes,
        .is_held = true,
        .since_ps = event->time_ps,
    };
    struct sl_report_kernel *kernel = kernel_of(report, context);
    if (kernel != NULL && event->kind == OBS_LAUNCH) {
        kernel->wavefronts++;
        kernel->elements += event->life.lanes;
    } else if (kernel != NULL) {
        kernel->restarts++;
    }
    if (event->kind == OBS_LAUNCH && wave->channel < report->channel_count) {
        report->passages[wave->channel].launched += event->life.lanes;
    }
    report_set_resident(report, wave->cu, event->time_ps, report->cus[wave->cu].resident + 1);
}

void report_yield(struct report *report, const struct obs_event *event)
{
    struct report_context *context = context_of(report, &event->wave);
    struct sl_report_kernel *kernel = kernel_of(report, context);

    context->has_yielded = true;
    if (kernel != NULL) {
        kernel->yields++;
    }
}

void report_let_go(struct report *report, struct report_context *context, uint64_t time_ps)
{
    struct sl_report_kernel *kernel = kernel_of(report, context);

    context->is_held = false;
    if (kernel != NULL) {
        kernel->resident_ps += time_ps - context->since_ps;
    }
}

void report_leave(struct report *report, const struct obs_event *event)
{
    const struct obs_wave *wave = &event->wave;
    struct report_context *context = context_of(report, wave);

    struct sl_report_kernel *kernel = kernel_of(report, context);
    if (kernel != NULL) {
        kernel->wave_instructions += event->leave.instructions;
        kernel->lane_instructions += event->leave.lane_instructions;
    }
    report_let_go(report, context, event->time_ps);
    if (!context->has_yielded && context->channel < report->channel_count) {
        report->passages[context->channel].ended += context->lanes;
    }
    report_set_resident(report, wave->cu, event->time_ps, report->cus[wave->cu].resident - 1);
}
