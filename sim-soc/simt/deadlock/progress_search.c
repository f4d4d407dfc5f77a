/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A search: a deadlock check of all wavefronts that begins because nothing has happened for long,
 * and not because all of them seem to wait (docs/do/debug.md, "The limit without progress").
 *
 * Each is watched from some backward branch, its *anchor*, until it is there again with the same
 * stack and registers, whatever it does on the way; where it does not come back, another branch
 * becomes its anchor, for twice as long. So a loop of any shape has rounds. A wavefront that is at
 * its anchor for ATTEMPTS times and never as it was changes something, which ends the search: there
 * is progress. Two passes in which all have had rounds that change nothing, as in any check, are a
 * deadlock where that is certain, and otherwise no progress. */
#include "simt/deadlock/deadlock.h"
#include "simt/deadlock/spin_loop.h"
#include "simt/ordering/ordering.h"

#define PATIENCE_FIRST 16u
#define ATTEMPTS       64u

#define BESIDE_SCOUT 4096u /* branches of another wavefront until it is asked again */

void detector_search(struct deadlock_detector *detector, bool has_sample)
{
    if (detector->is_search) {
        return;
    }
    if (detector->pass != DETECTOR_NONE) {
        detector_stop(detector);
    }
    detector_start(detector);
    detector->is_search = true;
    detector->sampled_wave = NULL;
    detector->awaits_sample = has_sample;
    detector->memory_changed = false;
    detector->finding = DETECTOR_UNDECIDED;
    detector->counter = NULL;
    for (uint32_t i = 0; i < detector->count; i++) {
        detector->monitors[i].judged = 0; /* by a check before */
    }
}

/* ---- rounds ---- */

static void anchor_here(const struct deadlock_detector *detector, struct wave *wave)
{
    struct monitor_anchor *anchor = &detector_monitor_of(detector, wave)->anchor;

    anchor->pc = wave->spin.pc;
    anchor->depth = wave->spin.depth;
    anchor->mask = wave->spin.mask;
    anchor->others = 0;
    anchor->attempts = 0;
    wave->monitor = detector_monitor_of(detector, wave);
    loop_monitor_begin(wave->monitor, wave, detector->pass);
}

static bool is_at_anchor(const struct wave *wave)
{
    const struct monitor_anchor *anchor = &wave->monitor->anchor;

    return anchor->pc == wave->spin.pc && anchor->depth == wave->spin.depth &&
           anchor->mask == wave->spin.mask;
}

static void decide(struct deadlock_detector *detector, enum detector_finding finding)
{
    detector_stop(detector);
    detector->finding = finding;
}

/* A round has changed nothing. */
static void go_on(struct deadlock_detector *detector)
{
    if (!detector_have_all_passed(detector)) {
        return;
    }
    if (detector->pass == DETECTOR_FIRST) {
        detector->pass = DETECTOR_SECOND;
    } else if (!detector->memory_changed && detector_same_waves(detector) &&
               !detector_is_open(detector) && detector_is_deadlock(detector)) {
        detector_take_all(detector);
    } else {
        decide(detector, DETECTOR_NO_PROGRESS);
    }
}

/* A wavefront is at its anchor and not as it was. */
static void fail(struct deadlock_detector *detector, struct wave *wave)
{
    if (++wave->monitor->anchor.attempts >= ATTEMPTS) {
        wave->spin.spins = false;
        detector->counter = wave;
        decide(detector, DETECTOR_CHANGE);
    }
}

/* The wavefront is at its anchor. Where it is not as it was, the round goes on. */
static void turn(struct deadlock_detector *detector, struct wave *wave)
{
    wave->monitor->anchor.others = 0;
    if (!loop_monitor_is_back(wave->monitor, wave)) {
        fail(detector, wave);
        return;
    }
    switch (loop_monitor_iteration(wave->monitor, wave, detector->pass)) {
    case MONITOR_UNKNOWN:
        break;
    case MONITOR_CHANGES:
        detector->memory_changed = true;
        fail(detector, wave);
        break;
    case MONITOR_UNCHANGED:
        wave->monitor->anchor.attempts = 0;
        go_on(detector);
        break;
    }
}

void detector_search_branch(struct wave *wave)
{
    struct deadlock_detector *detector = wave_cu(wave)->env->detector;

    if (detector->awaits_sample) {
        detector->sampled_wave = wave;
        detector->awaits_sample = false;
    }
    if (detector->sampled_wave != NULL && detector->sampled_wave != wave) {
        wave->spin.left = BESIDE_SCOUT;
        return;
    }
    wave->spin.left = 1;
    if (wave->monitor == NULL) {
        detector_monitor_of(detector, wave)->anchor.patience = PATIENCE_FIRST;
        anchor_here(detector, wave);
        return;
    }
    struct monitor_anchor *anchor = &wave->monitor->anchor;
    if (is_at_anchor(wave)) {
        turn(detector, wave);
    } else if (++anchor->others == anchor->patience) {
        anchor->patience *= 2;
        anchor_here(detector, wave);
    }
}

/* ---- the end ---- */

/* Whether a wavefront has done nothing since the search began. */
static bool is_at_rest(const struct deadlock_detector *detector, const struct wave *wave)
{
    return wave->state != WAVE_RUNNING ||
           (wave->monitor == NULL &&
            detector_steps_of(wave) == detector->steps[wave - detector->waves]);
}

/* Whether memory has yet to answer a wavefront, or to take its stores, its state or its code. That
 * ends, however long it takes; what has asked for locks in vain asks again. */
static bool awaits_memory(const struct wave *wave)
{
    const uint64_t now = wave_cu(wave)->event_queue->now;

    if (order_done_cycle(wave) > now || wave->order.count != 0) {
        return true;
    }
    if (wave->state != WAVE_RUNNING) {
        return wave->transfer.pending != 0 || wave->state == WAVE_RELEASING;
    }
    return !detector_retries(wave) &&
           (wave->pending_holds != 0 ||
            (wave->issue_not_before > now && wave->stall.gate != SL_STALL_PAUSE));
}

/* What a wavefront has shown by the end of a search. */
static enum detector_finding finding_of(const struct deadlock_detector *detector,
                                        const struct wave *wave)
{
    if (is_at_rest(detector, wave) && awaits_memory(wave)) {
        return DETECTOR_CHANGE;
    }
    return detector_has_passed(detector, wave) || is_at_rest(detector, wave) ? DETECTOR_NO_PROGRESS
                                                                             : DETECTOR_UNDECIDED;
}

/* What they all have: one that changes something is enough. */
static enum detector_finding finding_of_all(const struct deadlock_detector *detector)
{
    enum detector_finding finding = DETECTOR_NO_PROGRESS;

    for (uint32_t i = 0; i < detector->count && finding != DETECTOR_CHANGE; i++) {
        const struct wave *wave = &detector->waves[i];
        const enum detector_finding own =
            wave->state != WAVE_FREE ? finding_of(detector, wave) : DETECTOR_NO_PROGRESS;
        if (own != DETECTOR_NO_PROGRESS) {
            finding = own;
        }
    }
    return finding;
}

enum detector_finding detector_search_end(struct deadlock_detector *detector)
{
    if (detector->is_search) {
        decide(detector, finding_of_all(detector));
    }
    const enum detector_finding finding = detector->finding;
    detector->finding = DETECTOR_UNDECIDED;
    return finding;
}

/* ---- loops that count ---- */

void detector_mark_progress(struct deadlock_detector *detector)
{
    for (uint32_t i = 0; i < detector->count; i++) {
        detector->idle_from[i] = detector->waves[i].instructions;
    }
}

uint64_t detector_counted_instructions(const struct deadlock_detector *detector)
{
    const struct wave *wave = detector->counter;

    return wave != NULL && wave->state == WAVE_RUNNING
               ? wave->instructions - detector->idle_from[wave - detector->waves]
               : 0;
}
