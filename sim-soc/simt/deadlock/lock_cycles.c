/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Deadlocks of locks: the largest set of wavefronts that can only ask for locks, all of which are
 * held by lanes of the set. Nobody in it can go on before somebody in it gives a lock back, which
 * nobody can before going on; so it never will, whatever others do.
 *
 * The set is found as a greatest fixed point: of all that can only retry, those go that want a lock
 * which is free, or held outside, until none is left to go. */
#include "simt/deadlock/deadlock.h"
#include "simt/locks/locks.h"
#include "simt/unit/pool.h"

/* ---- the set ---- */

static bool can_only_retry(const struct wave *wave)
{
    return wave->state == WAVE_RUNNING && wave->locks.is_used && lock_only_retries(wave);
}

/* Whether all locks that a wavefront wants are held in the set. A word with the number of the lane
 * itself: it has it, but does not know yet. */
static bool is_held_up(const struct deadlock_detector *detector, const struct wave *wave)
{
    lane_vector address;
    const uint64_t lanes = lock_wanted(wave, address);

    FOR_EACH_LANE(lane, lanes)
    {
        const struct detector_lock lock = detector_lock_at(detector, wave, address[lane]);
        if (lock.holder == NULL || !detector->in_set[lock.holder - detector->waves] ||
            (lock.holder == wave && lock.lane == lane)) {
            return false;
        }
    }
    return true;
}

/* Takes out of the set those that are not held up by it. Returns whether there are any. */
static bool strike_out(struct deadlock_detector *detector)
{
    bool is_any = false;

    for (uint32_t i = 0; i < detector->count; i++) {
        if (detector->in_set[i] && !is_held_up(detector, &detector->waves[i])) {
            detector->in_set[i] = false;
            is_any = true;
        }
    }
    return is_any;
}

/* Sets `detector->in_set`. Returns whether anybody is left. */
static bool find_set(struct deadlock_detector *detector)
{
    bool is_any = false;

    for (uint32_t i = 0; i < detector->count; i++) {
        detector->in_set[i] = can_only_retry(&detector->waves[i]);
    }
    while (strike_out(detector)) {
    }
    for (uint32_t i = 0; i < detector->count; i++) {
        is_any |= detector->in_set[i];
    }
    return is_any;
}

void detector_on_lock_retries(struct wave *wave)
{
    struct deadlock_detector *detector = wave_cu(wave)->env->detector;

    if (find_set(detector)) {
        detector_report(detector);
    }
}

/* ---- queues ---- */

/* Cycles that a wavefront waits in queues until it is looked at whether it does for ever. */
#define QUEUE_CYCLES 10000u

static bool is_in_queue(const struct wave *wave)
{
    return wave->state == WAVE_RUNNING && wave->locks.is_used && wave->locks.waits_in_queue;
}

/* The cycle since which somebody has waited longest; EVENT_QUEUE_NEVER where nobody does. */
static uint64_t waits_since(const struct deadlock_detector *detector)
{
    uint64_t since = EVENT_QUEUE_NEVER;

    for (uint32_t i = 0; i < detector->count; i++) {
        const struct wave *wave = &detector->waves[i];
        if (is_in_queue(wave) && wave->locks.issue_cycle < since) {
            since = wave->locks.issue_cycle;
        }
    }
    return since;
}

void detector_on_lock_queue(struct wave *wave)
{
    const struct cu *cu = wave_cu(wave);
    struct deadlock_detector *detector = cu->env->detector;

    if (!detector->queues.queued) {
        event_queue_insert(cu->event_queue, &detector->queues, cu->event_queue->now + QUEUE_CYCLES);
    }
}

/* Looks once each QUEUE_CYCLES while somebody waits. */
void detector_lock_queue_event(struct event *event)
{
    struct deadlock_detector *detector = CONTAINER_OF(event, struct deadlock_detector, queues);
    const uint64_t since = waits_since(detector);

    if (since != EVENT_QUEUE_NEVER && since + QUEUE_CYCLES <= event->cycle && find_set(detector)) {
        detector_report(detector);
    }
    if (waits_since(detector) != EVENT_QUEUE_NEVER) {
        event_queue_insert(wave_cu(detector->waves)->event_queue, event,
                           event->cycle + QUEUE_CYCLES);
    }
}

/* ---- in a check of all wavefronts ---- */

bool detector_retries(const struct wave *wave)
{
    return can_only_retry(wave) &&
           (wave->locks.waits_in_queue || wave->locks.failed_rounds >= LOCK_LOST_OFTEN);
}
