/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The file of the firmware's profile: places in the order of their addresses, behind each the calls
 * from it. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/cycle_stack.h"
#include "host/observe/profile/firmware_profile.h"

/* All cycles, then the costs by enum sl_cost. */
#define EVENTS      (1 + SL_COST_COUNT)
#define EVENT_STACK (1 + SL_COST_STACK)

static_assert(EVENTS <= SL_CALLGRIND_EVENTS, "a file has room for all costs");

struct columns {
    struct sl_callgrind_event events[EVENTS];
    char names[EVENTS][40]; /* of the stack's classes, '_' where the table has '.' */
    char groups[EVENTS][40];
};

static void make_columns(struct columns *columns)
{
    *columns = (struct columns){
        .events =
            {
                [0] = {"Cycles", "Aggregator cycles", NULL},
                [1 + SL_COST_INSTRUCTIONS] = {"Ir", "Instructions", NULL},
                [1 + SL_COST_L1I_MISSES] = {"I1m", "L1I misses", NULL},
                [1 + SL_COST_L1D_MISSES] = {"D1m", "L1D misses", NULL},
                [1 + SL_COST_MISPREDICTIONS] = {"Bm", "Mispredicted branches", NULL},
            },
    };
    for (size_t i = EVENT_STACK; i < EVENTS; i++) {
        struct sl_callgrind_event *const event = &columns->events[i];
        char *const name = columns->names[i];
        (void)snprintf(name, sizeof columns->names[i], "%s", sl_stack_table[i - EVENT_STACK].name);
        char *const dot = strchr(name, '.');
        if (dot != NULL) {
            (void)snprintf(columns->groups[i], sizeof columns->groups[i], "%.*s", (int)(dot - name),
                           name);
            event->group = columns->groups[i];
            *dot = '_';
        }
        event->name = name;
        event->words = sl_stack_table[i - EVENT_STACK].words;
    }
}

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

static void with_cycles(const uint64_t cost[SL_COST_COUNT], uint64_t out[EVENTS])
{
    out[0] = sl_cost_cycles(cost);
    memcpy(&out[1], cost, SL_COST_COUNT * sizeof *cost);
}

static void write_place(const struct sl_firmware_profile *firmware, struct sl_callgrind *callgrind,
                        struct calls *calls, uint64_t place)
{
    const struct sl_profile_place *const at = &firmware->profile->places[place];
    uint64_t cost[EVENTS];
    with_cycles(at->cost, cost);
    if (at->cost[SL_COST_INSTRUCTIONS] == 0 && cost[0] == 0) {
        return;
    }
    sl_callgrind_cost(callgrind, pc_of(place), cost);
    for (; calls->next < calls->count && calls->sorted[calls->next]->site <= place; calls->next++) {
        const struct sl_profile_call *const call = calls->sorted[calls->next];
        with_cycles(call->cost, cost);
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
    struct columns columns;
    struct sl_callgrind callgrind = {
        .stream = stream,
        .events = columns.events,
        .event_count = EVENTS,
        .code = firmware->code,
        .source = firmware->source,
        .outer_line = firmware->outer_line,
    };
    struct calls calls;
    char lost[64];
    if (sort_calls(firmware->profile, &calls) != 0) {
        return -1;
    }
    make_columns(&columns);
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
