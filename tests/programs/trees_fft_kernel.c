/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel of trees_fft.c: decimation in time, radix 2, as a recursion. A transform forks those
 * of the even and of the odd points, and then combines them; the butterflies of that are divided
 * until a task has `grain` of them. No maps, as in papers/000 section 5.6.3. */
#include "programs/common/point.h"
#include "wave/trees.h"

SL_TASKS(trees_fft, transform, combine, share)

/* Tasks that the butterflies of one are divided among. */
#define PARTS 8u

/* `count` butterflies, `step` apart, of two neighbouring blocks of `half` points. The twiddle
 * factors of blocks of that size are in the table from there on. */
static void butterflies(struct point *points, const struct point *twiddles, uint32_t half,
                        uint32_t first, uint32_t count, uint32_t step)
{
    for (uint32_t i = first; i < first + count * step; i += step) {
        point_butterfly(&points[i], &points[half + i], twiddles[half + i]);
    }
}

SL_TASK(share, struct point *, points, const struct point *, twiddles, uint32_t, half, uint32_t,
        first, uint32_t, count, uint32_t, step)
{
    butterflies(points, twiddles, half, first, count, step);
}

/* Tasks in neighbouring slots for parts of butterflies that are `apart`: in neighbouring lanes. */
static void divide(unsigned function, struct point *points, const struct point *twiddles,
                   uint32_t half, uint32_t first, uint32_t apart, uint32_t parts, uint32_t count,
                   uint32_t last)
{
    const unsigned slot = sl_fork(function, parts);

    for (uint32_t i = 0; i < parts; i++) {
        sl_task_set_u64(slot + i, 0, (uintptr_t)points);
        sl_task_set_u64(slot + i, 2, (uintptr_t)twiddles);
        sl_task_set_u32(slot + i, 4, half);
        sl_task_set_u32(slot + i, 5, first + i * apart);
        sl_task_set_u32(slot + i, 6, count);
        sl_task_set_u32(slot + i, 7, last);
    }
}

/* The last tasks are interleaved, so that neighbouring lanes use neighbouring points. */
SL_TASK(combine, struct point *, points, const struct point *, twiddles, uint32_t, half, uint32_t,
        first, uint32_t, count, uint32_t, grain)
{
    const uint32_t grains = count / grain;

    if (grains > PARTS) {
        const uint32_t part = count / PARTS;
        divide(sl_task_combine, points, twiddles, half, first, part, PARTS, part, grain);
    } else if (grains > 1) {
        divide(sl_task_share, points, twiddles, half, first, 1, grains, grain, grains);
    } else {
        butterflies(points, twiddles, half, first, count, 1);
    }
}

/* All of a small transform. */
static void transform_alone(const struct point *from, struct point *to,
                            const struct point *twiddles, uint32_t stride, uint32_t n)
{
    const uint32_t bits = (uint32_t)__builtin_ctz(n);

    for (uint32_t i = 0; i < n; i++) {
        to[i] = from[point_reversed(i, bits) * stride];
    }
    for (uint32_t half = 1; half < n; half *= 2) {
        for (uint32_t first = 0; first < n; first += 2 * half) {
            butterflies(to + first, twiddles, half, 0, half, 1);
        }
    }
}

/* Of the n points, two or more, that are `stride` apart. */
SL_TASK(transform, const struct point *, from, struct point *, to, const struct point *, twiddles,
        uint32_t, stride, uint32_t, n, uint32_t, grain)
{
    const uint32_t half = n / 2;

    if (half > grain) {
        sl_fork_transform(from, to, twiddles, 2 * stride, half, grain);
        sl_fork_transform(from + stride, to + half, twiddles, 2 * stride, half, grain);
        sl_join_combine(to, twiddles, half, 0, half, grain);
    } else {
        transform_alone(from, to, twiddles, stride, n);
    }
}
