/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Locks of papers/004 chapter 3, as a programmer of CPUs would write them, for deadlock.c. Lines on
 * which lanes wait for ever, or have taken what others wait for, end with a comment "deadlock:
 * NAME"; tests/suite/deadlock.sh looks them up and wants them in the message. */
#include "probes/faults/deadlock.h"

#include "sluice/wave/wave.h"

#define PAUSE 4096

static inline uint32_t item(void)
{
    return (uint32_t)sl_global_id(0);
}

/* No functions, so that messages name the line where these stand. */
#define COMPARE_AND_SWAP(lock, id)                                                                 \
    sl_atomic_compare_exchange_u32_device_acq_rel(lock, DEADLOCK_FREE, id)
#define GIVE_BACK(lock) (void)sl_atomic_exchange_u32_device_release(lock, DEADLOCK_FREE)

static inline void count(struct deadlock_shared *shared)
{
    const uint32_t counted = sl_load_acquire_u32_device(&shared->count);
    sl_store_release_u32_device(&shared->count, counted + 1);
}

/* Example 3: one lock for all. */
SL_KERNEL void deadlock_one(struct deadlock_shared *shared)
{
    while (COMPARE_AND_SWAP(&shared->lock[0], 1 + item()) != DEADLOCK_FREE) { /* deadlock: one */
    }
    count(shared);
    GIVE_BACK(&shared->lock[0]);
}

/* The same with a lock for each lane of a wavefront, and two wavefronts, of which each takes half
 * of them before the other one does. */
SL_KERNEL void deadlock_two(struct deadlock_shared *shared)
{
    const uint32_t lane = item() % DEADLOCK_LANES;
    const uint32_t wavefront = item() / DEADLOCK_LANES;
    uint32_t before = 0;

    if (lane / (DEADLOCK_LANES / 2) == wavefront) {
        before = COMPARE_AND_SWAP(&shared->lock[lane], 1 + item()); /* deadlock: taken */
    }
    sl_pause_for(PAUSE);
    while (before != DEADLOCK_FREE) {
        before = COMPARE_AND_SWAP(&shared->lock[lane], 1 + item()); /* deadlock: two */
    }
    GIVE_BACK(&shared->lock[lane]);
}

/* Example 5: who has the lock gives it back before it meets the others. */
SL_KERNEL void deadlock_right(struct deadlock_shared *shared)
{
    bool goes_on = true;

    while (goes_on) {
        if (COMPARE_AND_SWAP(&shared->lock[0], 1 + item()) == DEADLOCK_FREE) {
            count(shared);
            GIVE_BACK(&shared->lock[0]);
            goes_on = false;
        }
    }
}

/* Example 8: a counting semaphore, under the lock of Example 5. Who has a resource waits behind the
 * loop for those who want one. */
SL_KERNEL void deadlock_semaphore(struct deadlock_shared *shared)
{
    bool goes_on = true;

    while (goes_on) {
        if (COMPARE_AND_SWAP(&shared->lock[0], 1 + item()) == DEADLOCK_FREE) {
            const uint32_t left =
                sl_load_relaxed_u32_device(&shared->resources); /* deadlock: semaphore */
            if (left > 0) {
                sl_store_relaxed_u32_device(&shared->resources, left - 1);
                goes_on = false;
            }
            GIVE_BACK(&shared->lock[0]);
        }
    }
    count(shared);
    (void)sl_atomic_add_u32_device_release(&shared->resources, 1);
}

/* sl_lock() does none of this harm; but lanes that take two locks in no order still wait for each
 * other. */
SL_KERNEL void deadlock_nested(struct deadlock_shared *shared)
{
    sl_lock_t *const locks = (sl_lock_t *)shared->lock;
    const uint32_t lane = item() % DEADLOCK_LANES;

    sl_lock(&locks[lane]);     /* deadlock: first */
    sl_lock(&locks[lane ^ 1]); /* deadlock: nested */
    count(shared);
    sl_unlock(&locks[lane ^ 1]);
    sl_unlock(&locks[lane]);
}

/* Example 3 for lanes of a channel. */
SL_KERNEL void deadlock_channel(int source, int index, struct deadlock_shared *shared)
{
    const uint32_t id = 1 + (uint32_t)sl_lane_id();
    uint32_t before = 0;

    while (before != DEADLOCK_FREE) {
        before = COMPARE_AND_SWAP(&shared->lock[0], id); /* deadlock: channel */
    }
    count(shared);
    GIVE_BACK(&shared->lock[0]);
    sl_tfree(source, index);
}
