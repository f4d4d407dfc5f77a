/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The filter of a trace. */
#include "observers/trace/filter.h"

#include "sluice/layouts.h"

static bool has(const struct sl_traced_list *list, uint64_t number)
{
    bool is_in = list->count == 0;

    for (uint64_t i = 0; i < list->count && i < SL_TRACED_RANGES && !is_in; i++) {
        is_in = number >= list->range[i].first && number <= list->range[i].last;
    }
    return is_in;
}

static bool is_in_time(const struct sl_traced *wanted, uint64_t time_ps)
{
    return time_ps >= wanted->from_ps && time_ps < wanted->to_ps;
}

void trace_filter_begin(struct trace_filter *filter)
{
    filter->kernel = 0;
}

/* Kernels stay where they are while a run is on. */
static void look_up(struct trace_filter *filter, uint64_t address)
{
    const bool is_there = dram_holds(&filter->dram, address, sizeof(struct sl_kernel));

    filter->kernel = address;
    filter->entry =
        is_there ? ((const struct sl_kernel *)dram_at(&filter->dram, address))->entry : 0;
    filter->passes = has(&filter->wanted->kernels, filter->entry);
}

bool trace_filter_wave(struct trace_filter *filter, const struct obs_wave *wave, uint64_t time_ps,
                       uint64_t pc)
{
    const struct sl_traced *wanted = filter->wanted;

    if (wave->kernel != filter->kernel) {
        look_up(filter, wave->kernel);
    }
    return filter->passes && is_in_time(wanted, time_ps) && has(&wanted->cus, wave->cu) &&
           has(&wanted->numbers, wave->number) && has(&wanted->pcs, pc);
}

bool trace_filter_firmware(const struct trace_filter *filter, uint64_t time_ps, uint64_t pc)
{
    return is_in_time(filter->wanted, time_ps) && has(&filter->wanted->pcs, pc);
}
