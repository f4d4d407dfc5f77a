/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Kernels that no lane could run: each is refused, where a comment says so, by the compiler driver
 * and by the loader (tests/static/check_locks.sh). One at a time, CASE says which. */
#include "sluice/wave/wave.h"

__attribute__((noinline)) void adds(sl_lock_t *lock, int *values)
{
    sl_lock(lock);
    values[0]++;
    sl_unlock(lock);
}

#if CASE == 1
SL_KERNEL void differs(sl_lock_t *lock, int *values)
{
    if (values[0] != 0) {
        sl_lock(lock);
    }
    values[1] = 3; /* here */
    sl_unlock(lock);
}
#elif CASE == 2
SL_KERNEL void missing(sl_lock_t *lock)
{
    sl_unlock(lock); /* here */
}
#elif CASE == 3
SL_KERNEL void kept(sl_lock_t *lock, int *values)
{
    sl_lock(lock);
    values[1] = 3;
} /* here */
#elif CASE == 4
SL_KERNEL void calls(sl_lock_t *lock, int *values)
{
    sl_lock(lock);
    adds(lock + 1, values); /* here */
    sl_unlock(lock);
}
#elif CASE == 5
SL_KERNEL void calls_any(sl_lock_t *lock, int (*function)(void))
{
    sl_lock(lock);
    function(); /* here */
    sl_unlock(lock);
}
#elif CASE == 6
SL_KERNEL void early(sl_lock_t *lock, int *values)
{
    sl_lock(lock);
    if (values[0] != 0) {
        return;
    }
    values[1] = 3;
    sl_unlock(lock);
} /* here */
#elif CASE == 7
SL_KERNEL void gathers(sl_lock_t *lock, int *values, int count)
{
    for (int i = 0; i < count; i++) { /* here */
        sl_lock(lock + i);
        values[i]++;
    }
}
#endif
