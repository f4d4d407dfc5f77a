/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The cycle stack of the aggregator's core in a report: its data, and the finding about what the
 * core waits for while the GPU waits for it. What it waits for while wavefronts execute costs the
 * GPU nothing: a run that polls has most of its accesses to device registers then. */
#include <stdbool.h>

#include "config/number.h"
#include "host/base/cycle_stack.h"
#include "host/base/run_statistics.h"
#include "host/base/text.h"
#include "host/observe/report/report.h"

/* Less blocked time is not the core's matter. */
#define BLOCKED_PCT 25

/* So much of what the core waits for lies outside the phases of its work: the finding says so. */
#define ONCE 0.5

/* So much of the lines that DRAM serves were replaced in the inclusive L2, or in the L1. */
#define REPLACED 0.25

/* What the core waits for: of one or several classes. */
enum cause {
    NONE,
    SPECULATION,
    FETCH,
    CODE,
    HITS,
    DIRTY,
    L2,
    DRAM,
    FORWARD,
    MSHRS,
    STORES,
    FENCES,
    ATOMICS,
    DEVICE,
    WINDOW,
    STORE_QUEUE,
    DISPATCH,
    EXECUTION,
    CAUSES
};

static const enum cause cause_of[SL_STACK_CLASSES] = {
    [SL_STACK_RETIRING] = NONE,           [SL_STACK_BAD_SPECULATION] = SPECULATION,
    [SL_STACK_FRONTEND_FETCH] = FETCH,    [SL_STACK_FRONTEND_TAKEN] = FETCH,
    [SL_STACK_FRONTEND_L1I_L2] = CODE,    [SL_STACK_FRONTEND_L1I_DRAM] = CODE,
    [SL_STACK_MEMORY_LOAD_L1] = HITS,     [SL_STACK_MEMORY_LOAD_OTHER_L1] = DIRTY,
    [SL_STACK_MEMORY_LOAD_L2] = L2,       [SL_STACK_MEMORY_LOAD_DRAM] = DRAM,
    [SL_STACK_MEMORY_FORWARD] = FORWARD,  [SL_STACK_MEMORY_MSHR] = MSHRS,
    [SL_STACK_MEMORY_STORE] = STORES,     [SL_STACK_MEMORY_ORDER] = FENCES,
    [SL_STACK_MEMORY_ATOMIC] = ATOMICS,   [SL_STACK_MEMORY_DEVICE] = DEVICE,
    [SL_STACK_CORE_ROB] = WINDOW,         [SL_STACK_CORE_REGISTERS] = WINDOW,
    [SL_STACK_CORE_LOAD_QUEUE] = WINDOW,  [SL_STACK_CORE_STORE_QUEUE] = STORE_QUEUE,
    [SL_STACK_CORE_ISSUE_QUEUE] = WINDOW, [SL_STACK_CORE_DISPATCH] = DISPATCH,
    [SL_STACK_CORE_EXECUTE] = EXECUTION,
};

static const struct {
    const char *what;
    const char *advice;       /* NULL: of misses, see below */
    const char *graph_advice; /* where there are channels, before the other; or NULL */
} causes[CAUSES] = {
    [SPECULATION] = {"mispredicted branches",
                     "core.predictor and core.predictor_entries change their number", NULL},
    [FETCH] = {"fetch", "a pipelined or wider core hides it (agg.core, core.width)", NULL},
    [CODE] = {"code that misses in its L1I", NULL, NULL},
    [HITS] = {"loads that hit its L1D",
              "an out-of-order core hides them (agg.core), agg_l1d.cycles is their latency", NULL},
    [DIRTY] = {"lines dirty in compute units", "l2.cycles is most of their latency",
               "fuller packets and fewer channels have fewer of them"},
    [L2] = {"loads that the L2 serves",
            "a larger agg_l1d.size keeps their lines, l2.cycles is most of their latency", NULL},
    [DRAM] = {"loads that DRAM serves", NULL, NULL},
    [FORWARD] = {"its own stores to the same bytes", "core.forward_cycles is the latency", NULL},
    [MSHRS] = {"a free MSHR", "core.mshrs is their number", NULL},
    [STORES] = {"stores", "a core with a store queue hides them (agg.core)", NULL},
    [FENCES] = {"fences", "they order accesses to device registers",
                "fuller packets have fewer of them"},
    [ATOMICS] = {"atomics", "l2.cycles is most of the latency of a miss",
                 "fuller packets and fewer channels have fewer of them"},
    [DEVICE] = {"device registers", "agg.device is the latency of each access",
                "fuller packets have fewer accesses"},
    [WINDOW] = {"entries of its window",
                "core.rob, core.issue_queue, core.load_queue and core.physical_registers have them",
                NULL},
    [STORE_QUEUE] = {"a free entry of its store queue",
                     "core.store_queue has them, core.drain_ports empties it", NULL},
    [DISPATCH] = {"rename and dispatch", "core.width and core.dispatch_cycles change it", NULL},
    [EXECUTION] = {"execution",
                   "core.memory_cycles, core.mul_cycles and core.div_cycles are its "
                   "latencies",
                   NULL},
};

/* While the GPU is blocked: parts of the cycles, by cause. */
struct waits {
    double part[CAUSES];
    enum cause most; /* NONE where nothing is waited for */
    double once;     /* of `most`, the part in the phase of what runs have once: start and end */
};

uint64_t sl_report_blocked_cycles(const struct sl_report *shared, enum sl_stack_class what)
{
    uint64_t cycles = 0;

    for (unsigned phase = 0; phase < SL_PHASE_COUNT; phase++) {
        cycles += shared->stack.blocked[phase][what];
    }
    return cycles;
}

/* Of what a cause has while the GPU is blocked. */
static double part_of_phase(const struct sl_report *shared, enum cause cause, unsigned phase)
{
    double part = 0;
    double whole = 0;

    for (unsigned i = 0; i < SL_STACK_CLASSES; i++) {
        if (cause_of[i] == cause) {
            part += (double)shared->stack.blocked[phase][i];
            whole += (double)sl_report_blocked_cycles(shared, (enum sl_stack_class)i);
        }
    }
    return part / whole;
}

static struct waits waits_of(const struct sl_report *shared)
{
    struct waits waits = {.most = NONE};
    double whole = 0;

    for (unsigned i = 0; i < SL_STACK_CLASSES; i++) {
        const double cycles = (double)sl_report_blocked_cycles(shared, (enum sl_stack_class)i);
        waits.part[cause_of[i]] += cycles;
        whole += cycles;
    }
    for (unsigned i = 0; whole > 0 && i < CAUSES; i++) {
        waits.part[i] /= whole;
    }
    double longest = 0;
    for (unsigned i = NONE + 1; i < CAUSES; i++) {
        if (waits.part[i] > longest) {
            longest = waits.part[i];
            waits.most = (enum cause)i;
        }
    }
    waits.once = longest > 0 ? part_of_phase(shared, waits.most, SL_PHASE_OTHER) : 0;
    return waits;
}

/* Lines that a cache lost, of those that DRAM gave it. */
static bool is_replaced(const uint64_t *statistics, enum sl_statistic lost,
                        enum sl_statistic from_dram)
{
    return statistics[lost] > 0 &&
           (double)statistics[lost] >= REPLACED * (double)statistics[from_dram];
}

static const char *advice_of_misses(const uint64_t *statistics, bool is_code)
{
    const enum sl_statistic from_dram =
        is_code ? SL_STAT_AGG_L1I_FROM_DRAM : SL_STAT_AGG_L1D_FROM_DRAM;

    if (is_replaced(statistics, is_code ? SL_STAT_AGG_L1I_RECALLS : SL_STAT_AGG_L1D_RECALLS,
                    from_dram)) {
        return "the L2 replaces their lines, which a larger l2.size keeps";
    }
    if (is_code && is_replaced(statistics, SL_STAT_AGG_L1I_EVICTIONS, from_dram)) {
        return "a larger agg_l1i.size keeps its lines";
    }
    return "most lines are read for the first time, which more work in a run makes a smaller "
           "share";
}

double sl_report_weigh_core(const uint64_t *statistics, const struct sl_report *shared)
{
    const double blocked = sl_statistics_real(statistics, SL_STAT_GPU_BLOCKED_ON_AGG_PCT);
    const struct waits waits = waits_of(shared);

    return blocked >= BLOCKED_PCT && waits.most != NONE ? blocked / 100 * waits.part[waits.most]
                                                        : 0;
}

void sl_report_say_core(const uint64_t *statistics, const struct sl_report *shared, char *out,
                        size_t bytes)
{
    const struct waits waits = waits_of(shared);
    const bool has_channels = statistics[SL_STAT_GPU_WORKGROUPS] == 0;
    const char *const advice = causes[waits.most].advice;
    const char *const of_graphs = has_channels ? causes[waits.most].graph_advice : NULL;

    (void)sl_number_format(
        out, bytes,
        "While the GPU waits for it, the aggregator's core commits instructions "
        "in %.0f %% of its cycles, and waits most for %s, %.0f %%%s: %s%s%s.",
        100 * waits.part[NONE], causes[waits.most].what, 100 * waits.part[waits.most],
        waits.once >= ONCE ? ", most of it when the run begins and ends" : "",
        of_graphs != NULL ? of_graphs : "", of_graphs != NULL ? ", " : "",
        advice != NULL ? advice : advice_of_misses(statistics, waits.most == CODE));
}

/* Cycles of a class by phase; NULL when out of memory. */
static json_t *by_phase(const uint64_t cycles[SL_PHASE_COUNT][SL_STACK_CLASSES],
                        enum sl_stack_class what)
{
    json_t *const object = json_object();
    int failed = 0;

    for (unsigned phase = 0; phase < SL_PHASE_COUNT; phase++) {
        failed |= json_object_set_new(object, sl_trace_phase_name(phase),
                                      json_integer((json_int_t)cycles[phase][what]));
    }
    if (failed == 0) {
        return object;
    }
    json_decref(object);
    return NULL;
}

int sl_report_put_stack(json_t *data, const struct sl_run_report *report)
{
    const struct sl_report *const shared = report->shared;
    json_t *const array = json_array();
    int failed = 0;

    for (unsigned i = 0; i < SL_STACK_CLASSES; i++) {
        const enum sl_stack_class what = (enum sl_stack_class)i;
        const struct sl_stack_row *const row = &sl_stack_table[i];
        failed |= json_array_append_new(
            array,
            json_pack("{s:s,s:s,s:s,s:I,s:o,s:o}", "statistic", sl_statistic_table[row->id].name,
                      "group", sl_stack_groups[sl_stack_group_of(what)], "words", row->words,
                      "blocked_cycles", (json_int_t)sl_report_blocked_cycles(shared, what),
                      "phases", by_phase(shared->stack.all, what), "blocked_phases",
                      by_phase(shared->stack.blocked, what)));
    }
    return json_object_set_new(data, "stack", array) | failed;
}
