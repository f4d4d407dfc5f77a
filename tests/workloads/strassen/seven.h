/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Strassen's algorithm with seven products: elements of its channel stacks and its formulas, for
 * host and kernels.
 *
 * A task needs ten sums of sub-matrices and seven products, all of a quarter of its size. They have
 * their places in the task's scratch memory, and behind them each child has its own: nothing is
 * allocated while it runs. */
#ifndef SLUICE_WORKLOADS_STRASSEN_SEVEN_H
#define SLUICE_WORKLOADS_STRASSEN_SEVEN_H

#include <stdint.h>

#include "workloads/strassen/strassen_task.h"

#define SEVEN_PRODUCTS 7
#define SEVEN_SUMS     10
#define SEVEN_SPLIT    8 /* parts that a part becomes */

/* Of the stack of tasks, and of both stacks of continuations: product = left x right, all n x n. */
struct seven_task {
    const float *left;
    const float *right;
    float *product;
    float *scratch;
    uint32_t n;
};

/* Of the stacks of additions: those of the task at places first + i, for all i below `span` and
 * all multiples of seven_parts(n) beyond. A part with a span of 1 is not split any more: adjacent
 * lanes have adjacent places. */
struct seven_part {
    struct seven_task task;
    uint32_t first;
    uint32_t span;
};

static inline uint32_t seven_quarter(uint32_t n)
{
    return n / 2 * (n / 2);
}

/* Parts of a task's additions: 8 where it is two blocks wide, and a level of splits more for each
 * doubling, as there are levels of tasks below it. */
static inline uint32_t seven_parts(uint32_t n)
{
    const uint32_t blocks = n / STRASSEN_BLOCK;
    return blocks * blocks * blocks;
}

/* Elements of a task's scratch memory: F(n) = 17 (n/2)^2 + 7 F(n/2), F(16) = 0. */
static inline uint64_t seven_scratch(uint32_t n)
{
    uint64_t elements = 0;
    for (uint32_t side = 2 * STRASSEN_BLOCK; side <= n; side *= 2) {
        elements = (SEVEN_SUMS + SEVEN_PRODUCTS) * (uint64_t)seven_quarter(side) +
                   SEVEN_PRODUCTS * elements;
    }
    return elements;
}

/* The task of product `p`, 0 to 6. */
static inline struct seven_task seven_child(const struct seven_task *task, uint32_t p)
{
    const uint32_t quarter = seven_quarter(task->n);
    const float *const a11 = task->left, *const a22 = a11 + 3 * quarter;
    const float *const b11 = task->right, *const b22 = b11 + 3 * quarter;
    const float *const sums = task->scratch;
    const float *const left[SEVEN_PRODUCTS] = {sums,
                                               sums + 2 * quarter,
                                               a11,
                                               a22,
                                               sums + 5 * quarter,
                                               sums + 6 * quarter,
                                               sums + 8 * quarter};
    const float *const right[SEVEN_PRODUCTS] = {sums + quarter,     b11, sums + 3 * quarter,
                                                sums + 4 * quarter, b22, sums + 7 * quarter,
                                                sums + 9 * quarter};
    float *const behind = task->scratch + (SEVEN_SUMS + SEVEN_PRODUCTS) * quarter;

    return (struct seven_task){.left = left[p],
                               .right = right[p],
                               .product = task->scratch + (SEVEN_SUMS + p) * quarter,
                               .scratch = behind + p * seven_scratch(task->n / 2),
                               .n = task->n / 2};
}

/* The ten sums, at one place. */
static inline void seven_sum(const struct seven_task *task, uint32_t place)
{
    const uint32_t quarter = seven_quarter(task->n);
    const float *const a = task->left + place, *const b = task->right + place;
    const float a11 = a[0], a12 = a[quarter], a21 = a[2 * quarter], a22 = a[3 * quarter];
    const float b11 = b[0], b12 = b[quarter], b21 = b[2 * quarter], b22 = b[3 * quarter];
    float *const sum = task->scratch + place;

    sum[0] = a11 + a22;
    sum[quarter] = b11 + b22;
    sum[2 * quarter] = a21 + a22;
    sum[3 * quarter] = b12 - b22;
    sum[4 * quarter] = b21 - b11;
    sum[5 * quarter] = a11 + a12;
    sum[6 * quarter] = a21 - a11;
    sum[7 * quarter] = b11 + b12;
    sum[8 * quarter] = a12 - a22;
    sum[9 * quarter] = b21 + b22;
}

/* The four sub-matrices of the product of what the seven products have come to, at one place. */
static inline void seven_combine(const struct seven_task *task, uint32_t place)
{
    const uint32_t quarter = seven_quarter(task->n);
    const float *const p = task->scratch + SEVEN_SUMS * quarter + place;
    const float p1 = p[0], p2 = p[quarter], p3 = p[2 * quarter], p4 = p[3 * quarter];
    const float p5 = p[4 * quarter], p6 = p[5 * quarter], p7 = p[6 * quarter];
    float *const c = task->product + place;

    c[0] = p1 + p4 - p5 + p7;
    c[quarter] = p3 + p5;
    c[2 * quarter] = p2 + p4;
    c[3 * quarter] = p1 - p2 + p3 + p6;
}

#endif
