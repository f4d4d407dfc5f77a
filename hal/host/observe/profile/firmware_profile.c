/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The file of the firmware's profile: places in the order of their addresses, behind each the calls
 * from it. */
#include <inttypes.h>
#include <stdlib.h>

#include "host/observe/profile/firmware_profile.h"

/* By enum sl_cost. */
static const struct sl_callgrind_event events[SL_COST_COUNT] = {
    [SL_COST_PS] = {"Cycles", "Aggregator cycles"},
    [SL_COST_INSTRUCTIONS] = {"Ir", "Instructions"},
    [SL_COST_L1I_MISSES] = {"I1m", "L1I misses"},
    [SL_COST_L1D_MISSES] = {"D1m", "L1D misses"},
    [SL_COST_MISPREDICTIONS] = {"Bm", "Mispredicted branches"},
};

struct calls {
    const struct sl_profile_call **sorted; /* by site, then callee */
    size_t count;
    size_t next;
};

static uint64_t pc_of(uint64_t place)
{
    return SL_FIRMWARE_BASE + 2 * place;
}

static int compare_calls(const void *left, const void *right)
{
    const struct sl_profile_call *const x = *(const struct sl_profile_call *const *)left;
    const struct sl_profile_call *const y = *(const struct sl_profile_call *const *)right;
    if (x->site != y->site) {
        return x->site < y->site ? -1 : 1;
    }
    return x->callee < y->callee ? -1 : x->callee > y->callee;
}

static int sort_calls(const struct sl_profile *profile, struct calls *calls)
{
    *calls = (struct calls){malloc(SL_PROFILE_CALLS * sizeof *calls->sorted), 0, 0};
    if (calls->sorted == NULL) {
        return -1;
    }
    for (size_t i = 0; i < SL_PROFILE_CALLS; i++) {
        if (profile->calls[i].count > 0) {
            calls->sorted[calls->count++] = &profile->calls[i];
        }
    }
    qsort(calls->sorted, calls->count, sizeof *calls->sorted, compare_calls);
    return 0;
}

/* Times become cycles. */
static void in_units(const struct sl_firmware_profile *firmware, const uint64_t *cost,
                     uint64_t out[SL_COST_COUNT])
{
    for (unsigned i = 0; i < SL_COST_COUNT; i++) {
        out[i] = cost[i] / (i == SL_COST_PS ? firmware->cycle_ps : 1);
    }
}

static void write_place(const struct sl_firmware_profile *firmware, struct sl_callgrind *callgrind,
                        struct calls *calls, uint64_t place)
{
    const struct sl_profile_place *const at = &firmware->profile->places[place];
    uint64_t cost[SL_COST_COUNT];
    if (at->cost[SL_COST_INSTRUCTIONS] == 0 && at->cost[SL_COST_PS] == 0) {
        return;
    }
    in_units(firmware, at->cost, cost);
    sl_callgrind_cost(callgrind, pc_of(place), cost);
    for (; calls->next < calls->count && calls->sorted[calls->next]->site <= place; calls->next++) {
        const struct sl_profile_call *const call = calls->sorted[calls->next];
        in_units(firmware, call->cost, cost);
        sl_callgrind_call(callgrind, &(struct sl_callgrind_call){
                                         .site = pc_of(call->site),
                                         .callee = pc_of(call->callee),
                                         .count = call->count,
                                         .cost = cost,
                                     });
    }
}

int sl_firmware_profile_write(const struct sl_firmware_profile *firmware, FILE *stream)
{
    const uint64_t lost_calls = firmware->profile->lost_calls;
    struct sl_callgrind callgrind = {
        .stream = stream,
        .events = events,
        .event_count = SL_COST_COUNT,
        .code = firmware->code,
        .source = firmware->source,
        .outer_line = firmware->outer_line,
    };
    struct calls calls;
    char lost[64];
    if (sort_calls(firmware->profile, &calls) != 0) {
        return -1;
    }
    (void)snprintf(lost, sizeof lost, "Calls that found no room: %" PRIu64, lost_calls);
    sl_callgrind_begin(&callgrind, firmware->command,
                       "Aggregator firmware, within the runs of graphs and launches",
                       lost_calls > 0 ? lost : NULL);
    for (uint64_t place = 0; place < firmware->places; place++) {
        write_place(firmware, &callgrind, &calls, place);
    }
    write_place(firmware, &callgrind, &calls, SL_PROFILE_PLACES);
    free(calls.sorted);
    return sl_callgrind_end(&callgrind);
}
