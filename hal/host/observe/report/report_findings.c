/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What to look at first in a report: a table of rules, each with the share of the run's time that
 * what it looks for explains, at the most, and a sentence with figures. A rule that explains
 * nothing says nothing; the others are in the order of these shares. */
#include "host/observe/report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/number.h"
#include "host/base/blocked_time.h"
#include "host/base/text.h"
#include "host/base/utf8.h"
#include "sluice/codes.h"

#define TEXT_BYTES 640

struct view {
    const uint64_t *statistics;
    const struct sl_report *shared;
    const struct sl_config *config;
};

static double figure(const struct view *view, enum sl_statistic id)
{
    return sl_statistics_real(view->statistics, id);
}

static double part(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

static double ratio(const struct view *view, enum sl_statistic of, enum sl_statistic whole)
{
    return part(figure(view, of), figure(view, whole));
}

static double key(const struct view *view, enum sl_config_key key)
{
    return (double)view->config->number[key];
}

static double active(const struct view *view)
{
    return figure(view, SL_STAT_GPU_ACTIVE_PCT) / 100;
}

static double stalled(const struct view *view)
{
    return figure(view, SL_STAT_GPU_STALLED_PCT) / 100;
}

/* ---- DRAM ---- */

#define BUSY 0.8

/* The part of the time whose bins have DRAM busy. */
static double dram_busy_time(const struct view *view)
{
    const struct sl_report *const shared = view->shared;
    const uint32_t bins = sl_report_bins(shared);
    const double whole_ps = (double)shared->bin_ps * key(view, SL_CFG_DRAM_CHANNELS);
    double busy = 0;
    for (uint32_t i = 0; i < bins; i++) {
        busy += (double)shared->series[SL_REPORT_DRAM_BUSY][i] >= BUSY * whole_ps;
    }
    return part(busy, bins);
}

static double weigh_dram(const struct view *view)
{
    const double utilization = figure(view, SL_STAT_DRAM_UTILIZATION_PCT) / 100;
    const double time = dram_busy_time(view);
    return utilization >= BUSY ? utilization : time >= 0.2 ? time : 0;
}

static void say_dram(const struct view *view, char *out)
{
    const double seconds = (double)view->shared->end_ps / 1e12;
    (void)sl_number_format(
        out, TEXT_BYTES,
        "DRAM is busy %.0f %% of the time, and over %.0f %% in %.0f %% of it: %.1f GB/s "
        "of %.1f. It moves %.1f MB, of which %.0f %% is written; the run takes at least "
        "%.0f us for that.",
        figure(view, SL_STAT_DRAM_UTILIZATION_PCT), 100 * BUSY, 100 * dram_busy_time(view),
        part(figure(view, SL_STAT_DRAM_BYTES), seconds) / 1e9,
        key(view, SL_CFG_DRAM_BANDWIDTH) / 1e3, figure(view, SL_STAT_DRAM_BYTES) / 1e6,
        100 * part(figure(view, SL_STAT_DRAM_WRITES),
                   figure(view, SL_STAT_DRAM_WRITES) + figure(view, SL_STAT_DRAM_READS)),
        figure(view, SL_STAT_DRAM_BYTES) / key(view, SL_CFG_DRAM_BANDWIDTH));
}

/* ---- the aggregator ---- */

static double weigh_blocked(const struct view *view)
{
    const double blocked = figure(view, SL_STAT_GPU_BLOCKED_ON_AGG_PCT);
    return blocked >= SL_BLOCKED_MUCH_PCT ? blocked / 100 : 0;
}

static void say_blocked(const struct view *view, char *out)
{
    sl_report_say_blocked(view->statistics, out, TEXT_BYTES);
}

static double weigh_core(const struct view *view)
{
    return sl_report_weigh_core(view->statistics, view->shared);
}

static void say_core(const struct view *view, char *out)
{
    sl_report_say_core(view->statistics, view->shared, out, TEXT_BYTES);
}

/* ---- wavefronts ---- */

/* Contexts that wavefronts hold, on average of time and compute units. */
static double resident(const struct view *view)
{
    const struct sl_report *const shared = view->shared;
    double sum = 0;
    for (uint64_t cu = 0; cu < shared->cus; cu++) {
        for (uint32_t i = 0; i < SL_REPORT_BINS; i++) {
            sum += (double)shared->series[SL_REPORT_RESIDENT + cu][i];
        }
    }
    return part(sum, (double)shared->cus * (double)shared->end_ps);
}

static double weigh_few(const struct view *view)
{
    const double occupancy = resident(view) / key(view, SL_CFG_GPU_CONTEXTS);
    return occupancy < 0.15 && stalled(view) >= 0.2 ? stalled(view) * (1 - occupancy) : 0;
}

static void say_few(const struct view *view, char *out)
{
    (void)sl_number_format(
        out, TEXT_BYTES,
        "%.1f of %.0f contexts of a compute unit hold a wavefront on average, so that "
        "others seldom hide what one waits for: for %.0f %% of the time wavefronts are "
        "there and none issues.",
        resident(view), key(view, SL_CFG_GPU_CONTEXTS), figure(view, SL_STAT_GPU_STALLED_PCT));
}

static double weigh_stalled(const struct view *view)
{
    const double memory_bound = figure(view, SL_STAT_DRAM_UTILIZATION_PCT) / 100;
    return stalled(view) >= 0.3 && memory_bound < BUSY ? stalled(view) * (1 - memory_bound) : 0;
}

static void say_stalled(const struct view *view, char *out)
{
    (void)sl_number_format(
        out, TEXT_BYTES,
        "For %.0f %% of the time all wavefronts wait, though DRAM is busy only %.0f %%: "
        "latency. %.0f %% of the L1 data caches' accesses hit, and %.0f %% of those "
        "behind them find their line in the L2.",
        figure(view, SL_STAT_GPU_STALLED_PCT), figure(view, SL_STAT_DRAM_UTILIZATION_PCT),
        100 * ratio(view, SL_STAT_L1D_HITS, SL_STAT_L1D_ACCESSES),
        100 * ratio(view, SL_STAT_L2_HITS, SL_STAT_L2_ACCESSES));
}

static double weigh_lanes(const struct view *view)
{
    const double utilization = figure(view, SL_STAT_GPU_SIMD_UTILIZATION_PCT) / 100;
    return utilization < 0.5 ? active(view) * (1 - utilization) : 0;
}

static void say_lanes(const struct view *view, char *out)
{
    (void)sl_number_format(
        out, TEXT_BYTES,
        "%.1f of %.0f lanes are active in an instruction on average. %.0f %% of the "
        "branches diverge.",
        ratio(view, SL_STAT_SIMT_LANE_INSTRUCTIONS, SL_STAT_SIMT_WAVE_INSTRUCTIONS),
        key(view, SL_CFG_GPU_LANES),
        100 * ratio(view, SL_STAT_SIMT_DIVERGENT_BRANCHES, SL_STAT_SIMT_BRANCHES));
    if (figure(view, SL_STAT_GPU_ELEMENTS) > 0) {
        sl_text_append(out, TEXT_BYTES, " Wavefronts have %.1f elements at their launch.",
                       ratio(view, SL_STAT_GPU_ELEMENTS, SL_STAT_GPU_WAVEFRONTS));
    }
}

static double weigh_reconvergence(const struct view *view)
{
    const double share =
        ratio(view, SL_STAT_SIMT_UNRECONVERGED_BRANCHES, SL_STAT_SIMT_DIVERGENT_BRANCHES);
    const double idle = 1 - figure(view, SL_STAT_GPU_SIMD_UTILIZATION_PCT) / 100;
    return share >= 0.05 ? share * idle * active(view) : 0;
}

static void say_reconvergence(const struct view *view, char *out)
{
    (void)sl_number_format(
        out, TEXT_BYTES,
        "%.0f %% of the branches that diverge have no place in their function where their "
        "lanes meet again: they do when it returns. Returns and breaks in the middle of "
        "loops make them.",
        100 * ratio(view, SL_STAT_SIMT_UNRECONVERGED_BRANCHES, SL_STAT_SIMT_DIVERGENT_BRANCHES));
}

static double weigh_registers(const struct view *view)
{
    const double share = ratio(view, SL_STAT_GPU_LIMITED_BY_REGISTERS_CYCLES, SL_STAT_GPU_CYCLES);
    return share >= 0.1 ? share * stalled(view) : 0;
}

static void say_registers(const struct view *view, char *out)
{
    (void)sl_number_format(
        out, TEXT_BYTES,
        "For %.0f %% of the time work waits because contexts are free and registers are "
        "not: kernels that use fewer would have more wavefronts resident than %.1f.",
        100 * ratio(view, SL_STAT_GPU_LIMITED_BY_REGISTERS_CYCLES, SL_STAT_GPU_CYCLES),
        resident(view));
}

static double weigh_lds_space(const struct view *view)
{
    const double share = ratio(view, SL_STAT_GPU_LIMITED_BY_LDS_CYCLES, SL_STAT_GPU_CYCLES);
    return share >= 0.1 ? share * stalled(view) : 0;
}

static void say_lds_space(const struct view *view, char *out)
{
    (void)sl_number_format(
        out, TEXT_BYTES,
        "For %.0f %% of the time wavefronts wait because contexts and registers are free "
        "and LDS is not; %.1f wavefronts are resident on a compute unit.",
        100 * ratio(view, SL_STAT_GPU_LIMITED_BY_LDS_CYCLES, SL_STAT_GPU_CYCLES), resident(view));
}

/* ---- memory ---- */

/* Where nearly all accesses miss, lines are used once, and no cache would be large enough. */
static double weigh_thrash(const struct view *view)
{
    const double misses = ratio(view, SL_STAT_L2_MISSES, SL_STAT_L2_ACCESSES);
    const double evictions = ratio(view, SL_STAT_L2_EVICTIONS, SL_STAT_L2_MISSES);
    const double occupancy = resident(view) / key(view, SL_CFG_GPU_CONTEXTS);
    const bool is_full = misses >= 0.3 && misses < 0.9 && evictions >= 0.5 && occupancy >= 0.3;
    return is_full ? misses * figure(view, SL_STAT_DRAM_UTILIZATION_PCT) / 100 : 0;
}

static void say_thrash(const struct view *view, char *out)
{
    (void)sl_number_format(
        out, TEXT_BYTES,
        "%.0f %% of the L2's accesses miss, and it replaces a line for %.0f %% of the "
        "misses, with %.1f wavefronts resident on a compute unit: together they use more "
        "than it holds, and fewer at once may be faster.",
        100 * ratio(view, SL_STAT_L2_MISSES, SL_STAT_L2_ACCESSES),
        100 * ratio(view, SL_STAT_L2_EVICTIONS, SL_STAT_L2_MISSES), resident(view));
}

/* Loads, stores and atomics, those to LDS too. */
static double accesses(const struct view *view)
{
    return figure(view, SL_STAT_SIMT_LOADS) + figure(view, SL_STAT_SIMT_STORES) +
           figure(view, SL_STAT_SIMT_ATOMICS);
}

static double lines_of_access(const struct view *view)
{
    return part(figure(view, SL_STAT_SIMT_LINE_ACCESSES),
                accesses(view) - figure(view, SL_STAT_SIMT_LDS_ACCESSES));
}

/* The port to memory takes so many lines in a cycle. */
static double weigh_lines(const struct view *view)
{
    const double cycles = figure(view, SL_STAT_GPU_CYCLES) * key(view, SL_CFG_GPU_CUS) *
                          key(view, SL_CFG_GPU_LINES_PER_CYCLE);
    return lines_of_access(view) >= 8 ? part(figure(view, SL_STAT_SIMT_LINE_ACCESSES), cycles) : 0;
}

static void say_lines(const struct view *view, char *out)
{
    (void)sl_number_format(
        out, TEXT_BYTES,
        "A load, store or atomic accesses %.1f cache lines on average; %.0f %% of them have "
        "scattered addresses. Each line is an access of its own to the L1 data cache.",
        lines_of_access(view),
        100 * part(figure(view, SL_STAT_SIMT_PATTERN_SCATTERED), accesses(view)));
}

static double weigh_cas(const struct view *view)
{
    const double failures = ratio(view, SL_STAT_CHANNEL_CAS_FAILURES, SL_STAT_CHANNEL_CAS_ATTEMPTS);
    const double lines = ratio(view, SL_STAT_CHANNEL_CAS_FAILURES, SL_STAT_SIMT_LINE_ACCESSES);
    return failures >= 0.25 && lines >= 0.005 ? lines : 0;
}

static void say_cas(const struct view *view, char *out)
{
    (void)sl_number_format(
        out, TEXT_BYTES,
        "%.0f %% of the %.0f compare-and-swaps on the channels' counters fail: wavefronts "
        "contend for the same channel, and each failure is another access to a line that "
        "others have.",
        100 * ratio(view, SL_STAT_CHANNEL_CAS_FAILURES, SL_STAT_CHANNEL_CAS_ATTEMPTS),
        figure(view, SL_STAT_CHANNEL_CAS_ATTEMPTS));
}

static double weigh_yields(const struct view *view)
{
    const double share = ratio(view, SL_STAT_GPU_YIELDS, SL_STAT_GPU_WAVEFRONTS);
    const double lines = part(2 * figure(view, SL_STAT_GPU_YIELD_BYTES) / SL_CACHE_LINE_BYTES,
                              figure(view, SL_STAT_SIMT_LINE_ACCESSES));
    const double cycles = ratio(view, SL_STAT_AGG_PHASE_YIELD_CYCLES, SL_STAT_AGG_CYCLES);
    return share >= 0.1 ? (lines > cycles ? lines : cycles) : 0;
}

static void say_yields(const struct view *view, char *out)
{
    (void)sl_number_format(
        out, TEXT_BYTES,
        "%.0f wavefronts of %.0f launched give up their context because a channel is "
        "full; each time %.0f bytes are saved and read again. Wider channels yield less.",
        figure(view, SL_STAT_GPU_YIELDS), figure(view, SL_STAT_GPU_WAVEFRONTS),
        ratio(view, SL_STAT_GPU_YIELD_BYTES, SL_STAT_GPU_YIELDS));
}

static double weigh_conflicts(const struct view *view)
{
    const double share = part(figure(view, SL_STAT_SIMT_LDS_CONFLICT_CYCLES),
                              figure(view, SL_STAT_GPU_CYCLES) * key(view, SL_CFG_GPU_CUS));
    return share >= 0.05 ? share : 0;
}

static void say_conflicts(const struct view *view, char *out)
{
    (void)sl_number_format(
        out, TEXT_BYTES,
        "%.0f %% of the cycles in which LDS is occupied go to lanes that wait for each "
        "other at one bank; neighbours that are an odd number of words apart do not.",
        100 * ratio(view, SL_STAT_SIMT_LDS_CONFLICT_CYCLES, SL_STAT_SIMT_LDS_CYCLES));
}

static double weigh_barriers(const struct view *view)
{
    const double cycles =
        resident(view) * key(view, SL_CFG_GPU_CUS) * figure(view, SL_STAT_GPU_CYCLES);
    const double share = part(figure(view, SL_STAT_SIMT_BARRIER_WAIT_CYCLES), cycles);
    return share >= 0.15 ? share * stalled(view) : 0;
}

static void say_barriers(const struct view *view, char *out)
{
    (void)sl_number_format(
        out, TEXT_BYTES,
        "Wavefronts wait %.0f cycles at a barrier on average until the last one of their "
        "work-group is there, at %.0f barriers.",
        ratio(view, SL_STAT_SIMT_BARRIER_WAIT_CYCLES, SL_STAT_SIMT_BARRIERS),
        figure(view, SL_STAT_SIMT_BARRIERS));
}

/* ---- the table ---- */

#define SLOW "docs/do/speed-up-kernels.md" /* begins with a table of symptoms */

static const struct rule {
    const char *title;
    const char *page; /* of docs/, where to read on */
    double (*weigh)(const struct view *view);
    void (*say)(const struct view *view, char *out); /* TEXT_BYTES */
} rules[] = {
    {"DRAM is busy", SLOW, weigh_dram, say_dram},
    {"The GPU is blocked on the aggregator", "docs/do/profile.md", weigh_blocked, say_blocked},
    {"What the aggregator's core waits for", "docs/know/cores.md", weigh_core, say_core},
    {"Wavefronts wait for latency", SLOW, weigh_stalled, say_stalled},
    {"Few wavefronts are resident", "docs/know/scheduling.md", weigh_few, say_few},
    {"Few lanes are active", SLOW, weigh_lanes, say_lanes},
    {"Lanes that diverge do not meet again", "docs/look-up/isa.md", weigh_reconvergence,
     say_reconvergence},
    {"Registers limit what is resident", "docs/know/architecture.md", weigh_registers,
     say_registers},
    {"LDS limits what is resident", "docs/know/architecture.md", weigh_lds_space, say_lds_space},
    {"The L2 is too small for what is resident", SLOW, weigh_thrash, say_thrash},
    {"Memory instructions access many lines", SLOW, weigh_lines, say_lines},
    {"Compare-and-swaps fail", SLOW, weigh_cas, say_cas},
    {"Wavefronts yield", "docs/learn/programming.md", weigh_yields, say_yields},
    {"Lanes contend for banks of LDS", SLOW, weigh_conflicts, say_conflicts},
    {"Wavefronts wait at barriers", "docs/learn/programming.md", weigh_barriers, say_barriers},
};

#define RULES (sizeof rules / sizeof rules[0])

struct finding {
    const struct rule *rule;
    double share;
};

/* Of equal ones, the one that is first in the table. */
static int compare(const void *left, const void *right)
{
    const struct finding *const x = left;
    const struct finding *const y = right;
    if (x->share != y->share) {
        return x->share > y->share ? -1 : 1;
    }
    return x->rule < y->rule ? -1 : 1;
}

static json_t *finding_json(const struct view *view, const struct finding *finding)
{
    char text[TEXT_BYTES];
    finding->rule->say(view, text);
    return json_pack("{s:s,s:o,s:i,s:s}", "title", finding->rule->title, "text", sl_json_text(text),
                     "share_pct", (int)(100 * finding->share + 0.5), "page", finding->rule->page);
}

json_t *sl_report_findings(const struct sl_run_report *report, const struct sl_config *config)
{
    const struct view view = {report->results.statistics, report->shared, config};
    struct finding findings[RULES];
    size_t count = 0;
    for (size_t i = 0; i < RULES; i++) {
        const double share = rules[i].weigh(&view);
        if (share > 0) {
            findings[count++] = (struct finding){&rules[i], share < 1 ? share : 1};
        }
    }
    qsort(findings, count, sizeof findings[0], compare);
    json_t *const array = json_array();
    int failed = 0;
    for (size_t i = 0; i < count; i++) {
        failed |= json_array_append_new(array, finding_json(&view, &findings[i]));
    }
    if (failed != 0) {
        json_decref(array);
        return NULL;
    }
    return array;
}
