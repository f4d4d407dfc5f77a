/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The finding about time in which the GPU waits for the aggregator: its parts, and for each part
 * that matters what shortens it. Before the first wavefront and after the last that is the work
 * that the firmware has once in a run; between them, what the firmware was doing while the GPU
 * waited. */
#include <stdbool.h>

#include "config/number.h"
#include "host/base/blocked_time.h"
#include "host/base/text.h"
#include "host/observe/report/report.h"

/* A part that is less of the blocked time needs no advice. The largest of three is more. */
#define MATTERS 0.25

/* Launches and task vectors have steps, and a phase of each step; they have no channels. */
#define STEPS_ADVICE "fewer and longer steps have less of it"

static const struct {
    const char *name;
    const char *advice; /* for graphs */
} phases[SL_PHASE_COUNT] = {
    [SL_PHASE_OTHER] = {"work outside all phases", "option --profile names its functions"},
    [SL_PHASE_POLL] = {"polling", "fewer channels make a pass over them shorter, and more work in "
                                  "flight hides it"},
    [SL_PHASE_PREDICATE] = {"predicates", "a cheaper predicate shortens it"},
    [SL_PHASE_SCHEDULE] = {"scheduling", "fewer channels, or another policy, shorten it"},
    [SL_PHASE_DISPATCH] = {"dispatching", "fuller packets are fewer"},
    [SL_PHASE_RETIRE] = {"retiring", "fewer and larger elements shorten it"},
    [SL_PHASE_YIELD] = {"yields", "wider channels yield less"},
    [SL_PHASE_MAILBOX] = {"messages of the host", "larger groups of input are fewer messages"},
};

static bool matters(double part, const struct sl_blocked_time *time)
{
    return part > 0 && part >= MATTERS * time->pct;
}

static bool has_channels(const uint64_t *statistics)
{
    return statistics[SL_STAT_GPU_WORKGROUPS] == 0;
}

static void say_before(const uint64_t *statistics, char *out, size_t bytes)
{
    sl_text_append(out, bytes,
                   " Before the first, the firmware checks and prepares what it is to run, once in "
                   "a run: %smore work in a run makes it a smaller share.",
                   has_channels(statistics) ? "fewer channels shorten it, and " : "");
}

static void say_between(const uint64_t *statistics, const struct sl_blocked_time *time, char *out,
                        size_t bytes)
{
    unsigned most = 0;
    for (unsigned phase = 1; phase < SL_PHASE_COUNT; phase++) {
        most = time->phase_pct[phase] > time->phase_pct[most] ? phase : most;
    }
    sl_text_append(out, bytes, " Between them the GPU waits most for %s, %.0f %% of the time: %s.",
                   phases[most].name, time->phase_pct[most],
                   has_channels(statistics) ? phases[most].advice : STEPS_ADVICE);
    if (most == SL_PHASE_DISPATCH) {
        sl_text_append(out, bytes, " A packet has %.1f wavefronts on average.",
                       (double)statistics[SL_STAT_GPU_WAVEFRONTS] /
                           (double)statistics[SL_STAT_GPU_DISPATCHES]);
    }
}

void sl_report_say_blocked(const uint64_t *statistics, char *out, size_t bytes)
{
    const struct sl_blocked_time time = sl_blocked_time(statistics);

    (void)sl_number_format(out, bytes,
                           "For %.0f %% of the time no wavefront is on the GPU, which waits for "
                           "the aggregator: %.0f %% before the first wavefront, %.0f %% between "
                           "the first and the last, %.0f %% after it.",
                           time.pct, time.before_pct, time.between_pct, time.after_pct);
    if (matters(time.before_pct, &time)) {
        say_before(statistics, out, bytes);
    }
    if (matters(time.between_pct, &time)) {
        say_between(statistics, &time, out, bytes);
    }
    if (matters(time.after_pct, &time)) {
        sl_text_append(out, bytes,
                       " After the last, the firmware retires what is left and ends the run, once "
                       "in a run: more work in a run makes it a smaller share.");
    }
}
