/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernels of a Cilk function with two syncs, and of one without.
 *
 *     cilk void fft(from, to, n)                        fft_spawn: a task of "ffts"
 *     {
 *         if (n <= LEAF) { ...; return; }
 *         spawn fft(each 4th of from -> a quarter of to), 4 times;
 *         sync;                                         fft_quarters: an element of "quarters"
 *         spawn merge(quarters 0 and 1 of to);
 *         spawn merge(quarters 2 and 3 of to);
 *         sync;                                         fft_halves: an element of "halves"
 *         spawn merge(halves of to);
 *     }
 *     cilk void merge(to, pieces)                       fft_merge_spawn: a task of "merges"
 *     {
 *         if (one piece) { butterflies; return; }
 *         spawn merge(a part of the pieces), 8 times;
 *     } */
#include <sluice/wave/wave.h>

#include "fft.h"

/* Two points and a root of one: one point of each of two transforms becomes two of their merge. */
static inline void butterfly(struct point *even, struct point *odd, struct point root)
{
    const struct point turned = {odd->re * root.re - odd->im * root.im,
                                 odd->re * root.im + odd->im * root.re};
    const struct point sum = {even->re + turned.re, even->im + turned.im};

    *odd = (struct point){even->re - turned.re, even->im - turned.im};
    *even = sum;
}

/* The place that number i, of numbers less than n, has when its bits are in the other order. */
static inline uint32_t reversed(uint32_t i, uint32_t n)
{
    uint32_t place = 0;

    for (uint32_t bit = 1; bit < n; bit *= 2) {
        place = 2 * place + (i & 1);
        i /= 2;
    }
    return place;
}

/* A transform of up to LEAF points, in LDS: those of a lane are `lanes` apart, so that lanes which
 * are at the same point never meet in a bank. */
static inline void transform_leaf(const struct transform *all, const struct fft_task *task)
{
    const uint32_t lanes = sl_lane_count();
    struct point *const mine = (struct point *)sl_lds_dynamic() + sl_lane_id();

    for (uint32_t i = 0; i < task->n; i++) {
        mine[reversed(i, task->n) * lanes] = all->from[task->from + i * task->stride];
    }
    for (uint32_t half = 1; half < task->n; half *= 2) {
        for (uint32_t i = 0; i < task->n / 2; i++) {
            const uint32_t root = i % half;
            struct point *const even = &mine[(2 * i - root) * lanes];
            butterfly(even, even + half * lanes, all->roots[half + root]);
        }
    }
    for (uint32_t i = 0; i < task->n; i++) {
        all->to[task->to + i] = mine[i * lanes];
    }
}

SL_KERNEL void fft_spawn(int source, int index, int quarters, const struct transform *all)
{
    const struct fft_task task = *(const struct fft_task *)sl_deq(source, index);

    if (task.n <= LEAF) {
        transform_leaf(all, &task);
    } else {
        /* Points 0, 4, 8, ... and 2, 6, 10, ... are the halves of the even ones, and so on. */
        static const uint8_t offset[QUARTERS] = {0, 2, 1, 3};
        const uint32_t n = task.n / QUARTERS;
        const int level = sl_stack_beside(source, quarters);
        const int deeper = sl_stack_deeper(source);
        struct fft_join *const join = sl_talloc_or_yield(level, 1);
        struct fft_task *const children = sl_talloc_or_yield(deeper, QUARTERS);
        *join = (struct fft_join){task.to, task.n};
        for (uint32_t i = 0; i < QUARTERS; i++) {
            children[i] = (struct fft_task){.from = task.from + offset[i] * task.stride,
                                            .stride = QUARTERS * task.stride,
                                            .to = task.to + i * n,
                                            .n = n};
        }
        sl_enq(deeper, children, QUARTERS);
        sl_enq(level, join, 1);
    }
    sl_tfree(source, index);
}

SL_KERNEL void fft_quarters(int source, int index, int halves, int merges)
{
    const struct fft_join join = *(const struct fft_join *)sl_deq(source, index);
    const uint32_t n = join.n / QUARTERS;
    const int level = sl_stack_beside(source, halves);
    const int deeper = sl_stack_beside(source, merges) + 1;

    struct fft_join *const next = sl_talloc_or_yield(level, 1);
    struct fft_merge *const made = sl_talloc_or_yield(deeper, 2);
    *next = join;
    made[0] = (struct fft_merge){join.to, n, 0, fft_pieces(n)};
    made[1] = (struct fft_merge){join.to + 2 * n, n, 0, fft_pieces(n)};
    sl_enq(deeper, made, 2);
    sl_enq(level, next, 1);
    sl_tfree(source, index);
}

SL_KERNEL void fft_halves(int source, int index, int merges)
{
    const struct fft_join join = *(const struct fft_join *)sl_deq(source, index);
    const int deeper = sl_stack_beside(source, merges) + 1;

    struct fft_merge *const made = sl_talloc_or_yield(deeper, 1);
    *made = (struct fft_merge){join.to, join.n / 2, 0, fft_pieces(join.n / 2)};
    sl_enq(deeper, made, 1);
    sl_tfree(source, index);
}

SL_KERNEL void fft_merge_spawn(int source, int index, const struct transform *all)
{
    const struct fft_merge merge = *(const struct fft_merge *)sl_deq(source, index);

    if (merge.pieces == 1) {
        /* Neighbours have neighbouring butterflies, and so on from there: lanes share lines. */
        const uint32_t pieces = fft_pieces(merge.n);
        struct point *const even = &all->to[merge.to];
        for (uint32_t i = merge.first; i < merge.n; i += pieces) {
            butterfly(&even[i], &even[merge.n + i], all->roots[merge.n + i]);
        }
    } else {
        const int deeper = sl_stack_deeper(source);
        const uint32_t parts = merge.pieces < PARTS ? merge.pieces : PARTS;
        struct fft_merge *const made = sl_talloc_or_yield(deeper, (int)parts);
        for (uint32_t i = 0; i < parts; i++) {
            made[i] = merge;
            made[i].pieces = merge.pieces / parts;
            made[i].first += i * made[i].pieces;
        }
        sl_enq(deeper, made, (int)parts);
    }
    sl_tfree(source, index);
}
