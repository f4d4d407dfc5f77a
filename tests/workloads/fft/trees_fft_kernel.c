/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel of trees_fft.c: decimation in time, radix 2, as a recursion. A transform forks those
 * of the even and of the odd points, and then combines them, by tasks with `grain` butterflies
 * each. No maps, as in papers/000 section 5.6.3. */
#include "sluice/wave/trees.h"
#include "workloads/common/point.h"
#include "workloads/fft/trees_fft.h"

SL_TASKS(trees_fft, transform, combine)

/* Joins two neighbouring blocks of `half` points: `count` tasks of it, from number `first` on, of
 * `tasks` in all, which fork each other. Each has butterflies that are so far apart, so that
 * neighbouring lanes use neighbouring points. The twiddle factors of blocks of that size are in the
 * table from there on. */
SL_TASK(combine, struct point *, points, const struct point *, twiddles, uint32_t, half, uint32_t,
        tasks, uint32_t, first, uint32_t, count)
{
    if (count == 1) {
        for (uint32_t i = first; i < half; i += tasks) {
            point_butterfly(&points[i], &points[half + i], twiddles[half + i]);
        }
        return;
    }
    const uint32_t parts = count < FFT_PARTS ? count : FFT_PARTS;
    const uint32_t part = count / parts;
    const unsigned slot = sl_fork(sl_task_combine, parts);
    for (uint32_t i = 0; i < parts; i++) {
        sl_task_set_u64(slot + i, 0, (uintptr_t)points);
        sl_task_set_u64(slot + i, 2, (uintptr_t)twiddles);
        sl_task_set_u32(slot + i, 4, half);
        sl_task_set_u32(slot + i, 5, tasks);
        sl_task_set_u32(slot + i, 6, first + i * part);
        sl_task_set_u32(slot + i, 7, part);
    }
}

/* ---- a transform of 8 points, in registers: all indices are constants ---- */

#define FFT_INLINE static inline __attribute__((always_inline))

/* As point_butterfly() with twiddle factor 1. */
FFT_INLINE void turn_0(struct point *low, struct point *high)
{
    const struct point a = *low, b = *high;
    *low = (struct point){a.real + b.real, a.imaginary + b.imaginary};
    *high = (struct point){a.real - b.real, a.imaginary - b.imaginary};
}

/* With -i: a quarter of a turn. */
FFT_INLINE void turn_90(struct point *low, struct point *high)
{
    *high = (struct point){high->imaginary, -high->real};
    turn_0(low, high);
}

FFT_INLINE void transform_4(struct point *p)
{
    turn_0(&p[0], &p[1]);
    turn_0(&p[2], &p[3]);
    turn_0(&p[0], &p[2]);
    turn_90(&p[1], &p[3]);
}

FFT_INLINE void transform_8(const struct point *from, struct point *to, uint32_t stride)
{
    const float root = 0.70710678f; /* of one half */
    struct point p[FFT_BASE] = {from[0],          from[4 * stride], from[2 * stride],
                                from[6 * stride], from[1 * stride], from[5 * stride],
                                from[3 * stride], from[7 * stride]};

    transform_4(p);
    transform_4(p + 4);
    turn_0(&p[0], &p[4]);
    point_butterfly(&p[1], &p[5], (struct point){root, -root});
    turn_90(&p[2], &p[6]);
    point_butterfly(&p[3], &p[7], (struct point){-root, -root});
    to[0] = p[0];
    to[1] = p[1];
    to[2] = p[2];
    to[3] = p[3];
    to[4] = p[4];
    to[5] = p[5];
    to[6] = p[6];
    to[7] = p[7];
}

/* ---- the recursion ---- */

/* Of the n points, 8 or more, that are `stride` apart. */
SL_TASK(transform, const struct point *, from, struct point *, to, const struct point *, twiddles,
        uint32_t, stride, uint32_t, n, uint32_t, grain)
{
    const uint32_t half = n / 2;

    if (n > FFT_BASE) {
        const uint32_t tasks = fft_tasks(half, grain);
        sl_fork_transform(from, to, twiddles, 2 * stride, half, grain);
        sl_fork_transform(from + stride, to + half, twiddles, 2 * stride, half, grain);
        sl_join_combine(to, twiddles, half, tasks, 0, tasks);
    } else {
        transform_8(from, to, stride);
    }
}
