/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Loops that take a lock, or look as if they did. test_lock_forms.sh compares the lines that are
 * marked `told` with those that `sluice cc` warns of: lanes that have the lock wait there for the
 * others. Only compiled. */
#include <sluice/wave/group.h>
#include <sluice/wave/wave.h>

struct shared {
    uint32_t *lock;
    uint32_t own;
    uint32_t locks[4];
};

static bool attempt(uint32_t *lock)
{
    return sl_atomic_compare_exchange_u32_device_acq_rel(lock, 0, 1) == 0;
}

static void lock(uint32_t *lock)
{
    while (!attempt(lock)) { /* told */
    }
}

static void unlock(uint32_t *lock)
{
    sl_store_release_u32_device(lock, 0);
}

static __attribute__((noinline)) void lock_far(uint32_t *lock)
{
    while (!attempt(lock)) { /* told */
    }
}

static __attribute__((noinline)) void unlock_far(uint32_t *lock)
{
    unlock(lock);
}

/* The same, told in none of its callers. */
static void lock_alone(uint32_t *lock)
{
    while (!attempt(lock)) {
    }
}

/* ---- the section is behind the loop ---- */

SL_KERNEL void inlined(uint32_t *p, uint32_t *count)
{
    lock(p);
    ++*count;
    unlock(p);
}

SL_KERNEL void called(struct shared *shared, uint32_t *count)
{
    lock_far(&shared->locks[sl_global_id(0) % 4]);
    ++*count;
    unlock_far(&shared->locks[sl_global_id(0) % 4]);
}

SL_KERNEL void exchange(uint32_t *p, uint32_t *count)
{
    while (sl_atomic_exchange_u32_device_acquire(p, 1) != 0) { /* told */
        sl_pause();
    }
    ++*count;
    unlock_far(p);
}

SL_KERNEL void exchange_twice(struct shared *shared, uint32_t *count)
{
    do {
    } while (sl_atomic_exchange_u32_workgroup_acq_rel(&shared->own, 1)); /* told */
    ++*count;
    sl_atomic_exchange_u32_workgroup_release(&shared->own, 0);
}

SL_KERNEL void bit(struct shared *shared, uint32_t *count)
{
    while (sl_atomic_or_u32_device_acquire(&shared->own, 4) & 4) { /* told */
    }
    ++*count;
    sl_atomic_and_u32_device_release(&shared->own, ~4u);
}

SL_KERNEL void builtins(struct shared *shared, uint32_t *count)
{
    while (__atomic_exchange_n(&shared->own, 1, __ATOMIC_ACQUIRE)) { /* told */
    }
    ++*count;
    __atomic_store_n(&shared->own, 0, __ATOMIC_RELEASE);
}

SL_KERNEL void plain_store(struct shared *shared, uint32_t *count)
{
    while (!attempt(&shared->own)) { /* told */
    }
    ++*count;
    sl_fence();
    *(volatile uint32_t *)&shared->own = 0;
}

SL_KERNEL void through_memory(struct shared *shared, uint32_t *count)
{
    while (!attempt(shared->lock)) { /* told */
    }
    ++*count;
    unlock(shared->lock);
}

SL_KERNEL void flag(struct shared *shared, uint32_t *count)
{
    bool done = false;
    while (!done) { /* told */
        if (attempt(shared->lock)) {
            done = true;
        }
    }
    ++*count;
    unlock(shared->lock);
}

SL_KERNEL void tested_first(struct shared *shared, uint32_t *count)
{
    while (sl_load_relaxed_u32_device(&shared->own) != 0 || !attempt(&shared->own)) { /* told */
    }
    ++*count;
    unlock(&shared->own);
}

SL_KERNEL void inner_test(struct shared *shared, uint32_t *count)
{
    for (;;) {
        while (sl_load_relaxed_u32_device(&shared->own) != 0) {
        }
        if (attempt(&shared->own)) { /* told */
            break;
        }
    }
    ++*count;
    unlock(&shared->own);
}

SL_KERNEL void each(struct shared *shared, uint32_t *count)
{
    for (int i = 0; i < 4; i++) {
        while (!attempt(&shared->locks[i])) { /* told */
        }
        ++*count;
        unlock(&shared->locks[i]);
    }
}

/* ---- no lock, or none that lanes of one wavefront wait for ---- */

SL_KERNEL void update(uint32_t *p)
{
    uint32_t old;
    uint32_t wanted;
    do {
        old = sl_load_relaxed_u32_device(p);
        wanted = old * 3;
    } while (sl_atomic_compare_exchange_u32_device_acq_rel(p, old, wanted) != old);
    unlock(p);
}

SL_KERNEL void mailbox(uint32_t *p, uint32_t *count)
{
    uint32_t value;
    while ((value = sl_atomic_exchange_u32_device_acquire(p, 0)) == 0) {
    }
    ++*count;
    sl_store_release_u32_device(p, value + 1);
}

SL_KERNEL void first_item(uint32_t *p, uint32_t *count)
{
    if (sl_local_id(0) == 0) {
        lock_alone(p);
        ++*count;
        unlock(p);
    }
}

SL_KERNEL void other_items_leave(uint32_t *p, uint32_t *count)
{
    if (sl_lane_id() != 0) {
        return;
    }
    lock_alone(p);
    ++*count;
    unlock(p);
}

SL_KERNEL void elected(uint32_t *p, uint32_t *count)
{
    if (sl_elect() && *count != 0) {
        lock_alone(p);
        ++*count;
        unlock_far(p);
    } else {
        *count = 1;
    }
    sl_barrier();
}

SL_KERNEL void gives_up(uint32_t *p, uint32_t *count)
{
    int tries = 0;
    while (tries < 10 && !attempt(p)) {
        tries++;
    }
    if (tries < 10) {
        ++*count;
        unlock(p);
    }
}

SL_KERNEL void released_in_the_loop_too(uint32_t *p, uint32_t *count)
{
    bool done = false;
    while (!done) {
        if (attempt(p)) {
            ++*count;
            unlock_far(p);
            done = true;
        }
    }
    unlock(p);
}

SL_KERNEL void never_released(uint32_t *p, uint32_t *count)
{
    lock_alone(p);
    ++*count;
}
