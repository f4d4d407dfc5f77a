/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Locks as a deadlock check finds them. */
#include "simt/deadlock/deadlock.h"
#include "sluice/lock.h"

/* The word of a lock where locks take effect: what a coherent system has, and in any other one what
 * the front end sees, which has no cache. */
static int32_t word_at(const struct deadlock_detector *detector, const struct wave *wave,
                       uint64_t address)
{
    static const struct mem_requester front = {MEM_FRONT, 0};

    return (int32_t)detector_peek(detector, wave_cu(wave)->mem, front, address);
}

struct detector_lock detector_lock_at(const struct deadlock_detector *detector,
                                      const struct wave *asking, uint64_t address)
{
    struct detector_lock lock = {.address = address, .word = word_at(detector, asking, address)};
    const uint32_t lanes = wave_cu(asking)->shape.lanes;

    if (lock.word == SL_LOCK_FREE) {
        return lock;
    }
    lock.lane = (uint32_t)lock.word % lanes;
    for (uint32_t i = 0; i < detector->count; i++) {
        struct wave *wave = &detector->waves[i];
        if (wave->state != WAVE_FREE && wave->block == (uint32_t)lock.word / lanes) {
            lock.holder = wave;
        }
    }
    return lock;
}
