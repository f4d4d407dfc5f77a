/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel of qr_nw.c: a work-group, with a work-item for each column, computes a block of scores
 * in LDS, diagonal by diagonal. Its row, column and corner before it are those of blocks of earlier
 * launches. */
#include "sluice/wave/wave.h"
#include "workloads/nw/qr_nw.h"

static SL_LDS int32_t scores[BLOCK + 1][BLOCK + 1];
static SL_LDS int32_t references[BLOCK][BLOCK];

static inline int32_t larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

/* Blocks of the `diagonal`th of their diagonals. */
SL_KERNEL void nw_diagonal(int32_t *score, const int32_t *reference, uint32_t blocks,
                           uint32_t diagonal, int32_t penalty)
{
    const uint32_t item = sl_local_id(0);
    const uint32_t first = diagonal < blocks ? 0 : diagonal - (blocks - 1);
    const uint64_t column = (uint64_t)(first + sl_group_id(0)) * BLOCK;
    const uint64_t row = (uint64_t)diagonal * BLOCK - column;
    const uint64_t pitch = score_pitch(blocks), reference_pitch = blocks * (uint64_t)BLOCK;

    score += score_place(blocks, row, column); /* the corner */
    reference += row * reference_pitch + column + item;
    for (uint32_t y = 0; y < BLOCK; y++) {
        references[y][item] = reference[y * reference_pitch];
    }
    if (item == 0) {
        scores[0][0] = score[0];
    }
    scores[0][item + 1] = score[item + 1];
    scores[item + 1][0] = score[(item + 1) * pitch];
    sl_barrier();
    for (uint32_t step = 0; step < 2 * BLOCK - 1; step++) {
        const uint32_t y = step - item;
        if (y < BLOCK) { /* not before row 0 either */
            const int32_t both = scores[y][item] + references[y][item];
            const int32_t one = larger(scores[y][item + 1], scores[y + 1][item]) - penalty;
            scores[y + 1][item + 1] = larger(both, one);
        }
        sl_barrier();
    }
    for (uint32_t y = 1; y <= BLOCK; y++) {
        score[y * pitch + item + 1] = scores[y][item + 1];
    }
}
