/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What comes of rounds: a wavefront that goes round in a loop is watched, and where all that are
 * resident seem to wait, they are looked at. */
#include "simt/deadlock/spin_loop.h"

#include "simt/deadlock/deadlock.h"

/* Rounds of all wavefronts together after which a check gives up: somebody is not in its loop any
 * more, or the rounds are too unlike in length. */
#define DETECTOR_ROUNDS_MAX 1000000u

/* The wavefront does not spin after all. */
static void forget(struct wave *wave)
{
    detector_stop_watching(wave);
    wave->spin.spins = false;
}

static bool seems_to_wait(const struct wave *wave)
{
    return wave->state == WAVE_RUNNING &&
           (wave->spin.spins || wave->waits_at_barrier || detector_retries(wave));
}

/* Whether all that are resident seem to wait. */
static bool do_all_wait(const struct deadlock_detector *detector)
{
    for (uint32_t i = 0; i < detector->count; i++) {
        if (detector->waves[i].state != WAVE_FREE && !seems_to_wait(&detector->waves[i])) {
            return false;
        }
    }
    return true;
}

/* A round has changed nothing. */
static void go_on(struct deadlock_detector *detector)
{
    if (!detector_same_waves(detector) || !do_all_wait(detector) ||
        ++detector->rounds > DETECTOR_ROUNDS_MAX) {
        detector_stop(detector);
    } else if (!detector_have_all_passed(detector)) {
        return;
    } else if (detector->pass == DETECTOR_FIRST) {
        detector->pass = DETECTOR_SECOND;
    } else if (!detector_is_open(detector) && detector_is_deadlock(detector)) {
        detector_take_all(detector);
    } else {
        detector_stop(detector);
    }
}

/* ---- branches ---- */

/* The wavefront is at the branch again. Rounds that look at who knows what are no spinning. */
static enum monitor_verdict turn(const struct deadlock_detector *detector, const struct wave *wave)
{
    const enum monitor_verdict verdict =
        loop_monitor_iteration(wave->monitor, wave, detector->pass);

    return verdict == MONITOR_UNCHANGED && wave->monitor->is_partial ? MONITOR_CHANGES : verdict;
}

void detector_round(struct wave *wave)
{
    struct deadlock_detector *detector = wave_cu(wave)->env->detector;

    if (detector->is_search) {
        detector_search_branch(wave);
        return;
    }
    wave->spin.left = 1;
    if (wave->monitor == NULL) {
        wave->monitor = detector_monitor_of(detector, wave);
        loop_monitor_begin(wave->monitor, wave, detector->pass);
        return;
    }
    switch (turn(detector, wave)) {
    case MONITOR_UNKNOWN:
        break;
    case MONITOR_CHANGES:
        forget(wave);
        if (detector->pass != DETECTOR_NONE) {
            detector_stop(detector);
        }
        break;
    case MONITOR_UNCHANGED:
        wave->spin.spins = true;
        if (detector->pass != DETECTOR_NONE) {
            go_on(detector);
        } else {
            detector_stop_watching(wave);
            if (do_all_wait(detector) && !detector_is_open(detector)) {
                detector_start(detector);
            }
        }
        break;
    }
}

void detector_other_branch(struct wave *wave)
{
    struct deadlock_detector *detector = wave_cu(wave)->env->detector;
    const struct stack_entry *top = simt_stack_top(&wave->stack);

    wave->spin.pc = top->pc;
    wave->spin.depth = wave->stack.depth;
    wave->spin.mask = top->mask;
    if (detector->is_search) {
        detector_search_branch(wave);
        return;
    }
    if (wave->spin.spins && detector->pass != DETECTOR_NONE) {
        detector_stop(detector);
    }
    forget(wave);
}
