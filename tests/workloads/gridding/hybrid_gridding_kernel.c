/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernels of hybrid_gridding.c. Entries to be sorted are the cell of a sample, which is the
 * point below it in all dimensions, and above it in the higher 32 bits the sample's number. */
#include "sluice/wave/wave.h"
#include "workloads/common/float_register.h"
#include "workloads/gridding/samples.h"
#include "workloads/gridding/sort_kernel.h"

/* An entry for each sample. */
SL_KERNEL void gridding_bin(const struct sample *samples, uint64_t width, uint64_t *entries)
{
    const uint64_t i = sl_global_id(0);
    const struct sample *const sample = &samples[i];
    const uint64_t x = (uint32_t)sample->x, y = (uint32_t)sample->y, z = (uint32_t)sample->z;

    entries[i] = i << 32 | ((z * width + y) * width + x);
}

/* Samples in the order of their entries. */
SL_KERNEL void gridding_order(const struct sample *samples, const uint64_t *entries,
                              struct ordered *ordered)
{
    const uint64_t i = sl_global_id(0);
    const struct sample *const sample = &samples[entries[i] >> 32];
    const float compensation = sample->compensation;

    ordered[i] = (struct ordered){.x = sample->x,
                                  .y = sample->y,
                                  .z = sample->z,
                                  .real = compensation * sample->real,
                                  .imaginary = compensation * sample->imaginary};
}

/* Where the samples of each cell begin, and behind the last cell where all end: a work-item for
 * each sample, and one more, has the cells behind that of the sample before it. */
SL_KERNEL void gridding_begin(const uint64_t *entries, uint64_t n, uint64_t cells, uint32_t *begin)
{
    const uint64_t i = sl_global_id(0);
    uint64_t cell = i > 0 ? (uint32_t)entries[i - 1] + UINT64_C(1) : 0;
    const uint64_t last = i < n ? (uint32_t)entries[i] : cells;

    while (cell <= last) {
        begin[cell] = (uint32_t)i;
        cell++;
    }
}

struct point {
    float x;
    float y;
    float z;
    float real;
    float imaginary;
};

/* Terms of the window's power series, and how far it reaches. */
struct window {
    float term[WINDOW_TERMS];
    float one;
};

static inline struct window make_window(void)
{
    const float quarter = WINDOW_QUARTER_SQUARE;
    struct window window = {.one = float_constant(1)};
    float term = 1;

#pragma GCC unroll 8
    for (int k = 0; k < WINDOW_TERMS; k++) {
        window.term[k] = float_constant(term);
        term *= quarter / (float)((k + 1) * (k + 1));
    }
    return window;
}

/* Adds the samples from `sample` to `end`, which are the same for all lanes of a tile. */
static inline void add_samples(struct point *point, const struct ordered *sample,
                               const struct ordered *end, const struct window *window)
{
    while (sample != end) {
        const float square =
            distance_square(sample->x - point->x, sample->y - point->y, sample->z - point->z);
        if (square < window->one) {
            const float t = window->one - square;
            float weight = window->term[WINDOW_TERMS - 1];
#pragma GCC unroll 8
            for (int k = WINDOW_TERMS - 2; k >= 0; k--) {
                weight = __builtin_fmaf(weight, t, window->term[k]);
            }
            point->real = __builtin_fmaf(weight, sample->real, point->real);
            point->imaginary = __builtin_fmaf(weight, sample->imaginary, point->imaginary);
        }
        sample++;
    }
}

static inline uint64_t below(uint64_t place)
{
    return place > 0 ? place - 1 : 0;
}

static inline uint64_t at_most(uint64_t place, uint64_t most)
{
    return place < most ? place : most;
}

/* A point of the grid for each work-item, in tiles: lanes of a tile go through the cells that reach
 * any of its points, rows of cells at a time. */
SL_KERNEL void gridding_gather(const struct ordered *ordered, const uint32_t *begin, float *grid,
                               uint64_t width, uint64_t groups_y)
{
    const uint64_t item = sl_local_id(0), tile = item / TILE_ITEMS;
    const uint64_t group_y = sl_group_id(1) % groups_y, group_z = sl_group_id(1) / groups_y;
    const uint64_t tile_x = sl_group_id(0) * TILE_X;
    const uint64_t tile_y = (group_y * GROUP_TILES_Y + tile % GROUP_TILES_Y) * TILE_Y;
    const uint64_t tile_z = (group_z * GROUP_TILES_Z + tile / GROUP_TILES_Y) * TILE_Z;
    const uint64_t x = tile_x + item % TILE_X, y = tile_y + item / TILE_X % TILE_Y;
    const uint64_t z = tile_z + item / (TILE_X * TILE_Y) % TILE_Z;
    const uint64_t first_x = below(tile_x), end_x = at_most(tile_x + TILE_X, width);
    const uint64_t first_y = below(tile_y), end_y = at_most(tile_y + TILE_Y, width);
    const uint64_t end_z = at_most(tile_z + TILE_Z, width);
    const struct window window = make_window();
    struct point point = {(float)x, (float)y, (float)z, float_constant(0), float_constant(0)};

    for (uint64_t cell_z = below(tile_z); cell_z < end_z; cell_z++) {
        for (uint64_t cell_y = first_y; cell_y < end_y; cell_y++) {
            const uint32_t *const row = begin + (cell_z * width + cell_y) * width;
            add_samples(&point, ordered + row[first_x], ordered + row[end_x], &window);
        }
    }
    if (x < width && y < width && z < width) {
        float *const value = grid + 2 * ((z * width + y) * width + x);
        value[0] = point.real;
        value[1] = point.imaginary;
    }
}
