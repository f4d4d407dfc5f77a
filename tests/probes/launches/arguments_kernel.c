/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernels of arguments.c: some that can be called, and some that nothing can call. */
#include "probes/launches/arguments.h"
#include "sluice/wave/atomics.h"
#include "sluice/wave/group.h"
#include "sluice/wave/wave.h"

SL_KERNEL void saxpy(float a, const float *x, float *y, uint32_t n)
{
    const uint32_t i = sl_global_id(0);
    if (i < n) {
        y[i] = __builtin_fmaf(a, x[i], y[i]);
    }
}

SL_KERNEL void daxpy(double a, const double *x, double *y, uint32_t n)
{
    const uint32_t i = sl_global_id(0);
    if (i < n) {
        y[i] = __builtin_fma(a, x[i], y[i]);
    }
}

/* Integers that registers have wider than they are, between floats of both kinds. */
SL_KERNEL void mix(float a, int8_t b, double c, uint16_t d, bool e, float f, uint32_t g,
                   struct mixed *out)
{
    out[sl_global_id(0)] = mixed_of(a, b, c, d, e, f, g);
}

/* An element counts down to 0, which is a task each time; the channel is narrow, so that wavefronts
 * yield with their floats. */
SL_KERNEL void count_down(int source, int index, float factor, uint64_t *sum, double offset,
                          int channel)
{
    const uint32_t left = *(const uint32_t *)sl_deq(source, index);
    sl_tfree(source, index);
    if (left > 0) {
        uint32_t *const next = sl_talloc_or_yield(channel, 1);
        *next = left - 1;
        sl_enq(channel, next, 1);
    }
    sl_atomic_add_u64(sum, weighted(left, factor, offset));
}

struct pair {
    float first, second;
};

SL_KERNEL void structure(uint32_t n, struct pair pair)
{
    (void)n;
    (void)pair;
}

SL_KERNEL void variadic(uint32_t n, ...)
{
    (void)n;
}

SL_KERNEL void float_first(float factor, int source)
{
    (void)factor;
    (void)source;
}
