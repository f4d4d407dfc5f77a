/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Kernels for tests/soc/simt/test_atomics.c: atomics of many lanes on few addresses, and waits of
 * one wavefront for another. */
#include "sluice/wave/wave.h"

#define LINE_WORDS 8 /* 64-bit words of a cache line */

SL_KERNEL void atomics_add(int source, int index, uint64_t *sum, uint64_t *before)
{
    (void)source;
    before[index] = sl_atomic_add_u64(sum, (uint64_t)index + 1);
}

SL_KERNEL void atomics_swap(int source, int index, uint64_t *place, uint64_t *before)
{
    (void)source;
    before[index] = __atomic_exchange_n(place, (uint64_t)index + 1, __ATOMIC_RELAXED);
}

/* Only odd lanes take part. */
SL_KERNEL void atomics_odd(int source, int index, uint32_t *sum, uint64_t *before)
{
    (void)source;
    if (index % 2 != 0) {
        before[index] = sl_atomic_add_u32(sum, (uint32_t)index);
    }
}

/* Each lane adds its number to a double and to the single behind it, twice: without a result, and
 * with one. Stores the sum of both results. */
SL_KERNEL void atomics_float(int source, int index, double *sum, double *before)
{
    (void)source;
    float *const single = (float *)(sum + 1);
    sl_atomic_accumulate_f64(sum, index);
    sl_atomic_accumulate_f32(single, (float)index);
    before[index] = sl_atomic_add_f64(sum, index);
    before[index] += (double)sl_atomic_add_f32(single, (float)index);
}

static void increment(uint64_t *counter)
{
    uint64_t value;
    uint64_t failed;
    do {
        __asm__ volatile("lr.d %0, (%2)\n\taddi %0, %0, 1\n\tsc.d %1, %0, (%2)"
                         : "=&r"(value), "=&r"(failed)
                         : "r"(counter)
                         : "memory");
    } while (failed != 0);
}

/* `shape`: counters in the low 16 bits, increments of each lane above. Counters have cache lines of
 * their own, or, where bit 63 is set, share them. */
SL_KERNEL void atomics_reserve(int source, int index, uint64_t *counters, uint64_t shape)
{
    (void)source;
    const unsigned count = shape & 0xffff;
    const unsigned times = (unsigned)(shape >> 16 & 0xffff);
    const unsigned stride = shape >> 63 ? 1 : LINE_WORDS;
    uint64_t *const counter = &counters[(unsigned)index % count * stride];
    for (unsigned i = 0; i < times; i++) {
        increment(counter);
    }
}

/* `flag` is set by the wavefront that gets `work`, after so many rounds; the others wait. */
SL_KERNEL void atomics_wait(int source, int index, uint32_t *flag, uint64_t work)
{
    (void)source;
    (void)index;
    if (work != 0) {
        for (volatile uint64_t i = 0; i < work; i++) {
        }
        sl_store_release_u32_device(flag, 1);
    } else {
        while (sl_load_acquire_u32_device(flag) == 0) {
            sl_pause();
        }
    }
}
