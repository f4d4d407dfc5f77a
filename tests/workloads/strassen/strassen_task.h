/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What strassen.c and its kernels share: the order of elements in memory, and the element of the
 * channel stack.
 *
 * Matrices are in block-recursive order: the four sub-matrices follow each other, first row first,
 * each in the same order, down to groups of blocks. A group has, for each place in a block, row by
 * row, the element there of each of its blocks, these in the same order. With groups of one block
 * that is blocks whose elements are in rows. */
#ifndef SLUICE_WORKLOADS_STRASSEN_STRASSEN_TASK_H
#define SLUICE_WORKLOADS_STRASSEN_STRASSEN_TASK_H

#include <stdint.h>

#define STRASSEN_BLOCK 16 /* side of the base case (papers/001 section 7.1) */
#define STRASSEN_GROUP 16 /* blocks of a group, 4 x 4: a cache line has an element of each */

/* Levels of the recursion: n, n / 2, ... 16. */
static inline uint32_t strassen_levels(uint32_t n)
{
    uint32_t levels = 1;
    for (uint32_t side = n; side > STRASSEN_BLOCK; side /= 2) {
        levels++;
    }
    return levels;
}

/* From a sub-matrix of this side to the next one, in groups of so many blocks. */
static inline uint32_t strassen_step(uint32_t side, uint32_t group)
{
    const uint32_t blocks = side / STRASSEN_BLOCK * (side / STRASSEN_BLOCK);
    return blocks < group ? blocks : side * side;
}

/* Add left x right, all n x n, to the product: elements from the first one of all matrices. */
struct strassen_task {
    uint32_t left;
    uint32_t right;
    uint32_t product;
    uint32_t n;
};

#define STRASSEN_CHILDREN 8

/* One of a task's children, whose side is half of the task's: C_ij += A_ik B_kj. */
static inline struct strassen_task strassen_child(const struct strassen_task *task, uint32_t half,
                                                  uint32_t child)
{
    const uint32_t i = child >> 2, j = child >> 1 & 1, k = child & 1;
    const uint32_t step = strassen_step(half, STRASSEN_GROUP);

    return (struct strassen_task){.left = task->left + (2 * i + k) * step,
                                  .right = task->right + (2 * k + j) * step,
                                  .product = task->product + (2 * i + j) * step,
                                  .n = half};
}

#endif
