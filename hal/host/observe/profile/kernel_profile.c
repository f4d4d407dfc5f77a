/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The file of what kernels have cost: each kernel is an object, so that functions that several of
 * them call are told apart. */
#include <inttypes.h>
#include <string.h>

#include "host/observe/profile/kernel_profile.h"

static_assert(SL_KERNEL_EVENTS <= SL_CALLGRIND_EVENTS, "a file has fewer events");

const struct sl_callgrind_event sl_kernel_event[SL_KERNEL_EVENTS] = {
    [SL_KERNEL_EVENT_RESIDENT] = {"Cycles", "Resident cycles", NULL},
    [SL_KERNEL_EVENT_WAVES] = {"Wi", "Wave instructions", NULL},
    [SL_KERNEL_EVENT_LANES] = {"Li", "Lane instructions", NULL},
    [SL_KERNEL_EVENT_LINES] = {"Lines", "L1D line accesses", NULL},
    [SL_KERNEL_EVENT_L1_MISSES] = {"L1m", "L1D misses", NULL},
    [SL_KERNEL_EVENT_L2_MISSES] = {"L2m", "L2 misses", NULL},
#define SL_STALL(ID, name, words, text)                                                            \
    [SL_KERNEL_EVENT_STALL + SL_STALL_##ID] = {name, "Cycles, " words, NULL},
#include "contract/stalls.def"
};

static void event_costs(const struct sl_kernel_cost *cost, uint64_t out[SL_KERNEL_EVENTS])
{
    out[SL_KERNEL_EVENT_RESIDENT] = sl_kernel_cost_resident(cost);
    out[SL_KERNEL_EVENT_WAVES] = cost->wave_instructions;
    out[SL_KERNEL_EVENT_LANES] = cost->lane_instructions;
    out[SL_KERNEL_EVENT_LINES] = cost->line_accesses;
    out[SL_KERNEL_EVENT_L1_MISSES] = cost->l1_misses;
    out[SL_KERNEL_EVENT_L2_MISSES] = cost->l2_misses;
    memcpy(&out[SL_KERNEL_EVENT_STALL], cost->cycles, sizeof cost->cycles);
}

static void write_call(struct sl_callgrind *callgrind, const struct sl_kernel_call *call)
{
    uint64_t cost[SL_KERNEL_EVENTS];
    event_costs(&call->cost, cost);
    sl_callgrind_call(callgrind, &(struct sl_callgrind_call){
                                     .site = call->site,
                                     .callee = call->callee,
                                     .count = call->count,
                                     .cost = cost,
                                 });
}

static void write_kernel(struct sl_callgrind *callgrind, const struct sl_kernel_lines *kernel)
{
    size_t next = 0;
    sl_callgrind_object(callgrind, kernel->name);
    for (size_t i = 0; i < kernel->row_count; i++) {
        uint64_t cost[SL_KERNEL_EVENTS];
        event_costs(&kernel->rows[i].cost, cost);
        sl_callgrind_cost(callgrind, kernel->rows[i].pc, cost);
        for (; next < kernel->call_count && kernel->calls[next].site <= kernel->rows[i].pc;
             next++) {
            write_call(callgrind, &kernel->calls[next]);
        }
    }
    for (; next < kernel->call_count; next++) {
        write_call(callgrind, &kernel->calls[next]);
    }
}

int sl_kernel_file_write(const struct sl_kernel_file *file, FILE *stream)
{
    const struct sl_kernel_costs *const costs = file->costs;
    struct sl_callgrind callgrind = {
        .stream = stream,
        .events = sl_kernel_event,
        .event_count = SL_KERNEL_EVENTS,
        .code = file->code,
        .source = file->source,
        .outer_line = file->outer_line,
    };
    char lost[128];
    (void)snprintf(lost, sizeof lost,
                   "Instructions that found no room: %" PRIu64 "; calls: %" PRIu64,
                   costs->lost_rows, costs->lost_calls);
    sl_callgrind_begin(&callgrind, file->command,
                       "GPU kernels, within the runs of graphs and launches",
                       costs->lost_rows + costs->lost_calls > 0 ? lost : NULL);
    for (size_t i = 0; i < costs->count; i++) {
        write_kernel(&callgrind, &costs->kernels[i]);
    }
    return sl_callgrind_end(&callgrind);
}
