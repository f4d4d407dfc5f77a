/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Discrete cosine transform of an image of N x N floats in blocks of 8 x 8, and back
 * (docs/know/quickrelease-programs.md, "qr_dct"): two launches as one run. The image's last columns
 * and rows are repeated up to whole blocks. Its kernel is qr_dct_kernel.c.
 *
 * The plain C that checks it makes the same fused multiply-adds in the same order, so that all
 * coefficients and all pixels that come back have to be equal to the last bit; and pixels have to
 * be as close to the image's as rounding leaves them. Transform and inverse multiply by a table
 * four times, 8 terms each, whose factors are rounded, too: a relative error of 9 u, u = 2^-24, of
 * sums of absolute values. Each time, these grow by the largest such sum of a row or column,
 * sqrt(8) at most. So the error is at most 4 x 9 u x 8^2 x 255. */
#include "workloads/dct/qr_dct.h"

#include <math.h>
#include <stdlib.h>

#include "sluice/program.h"
#include "workloads/common/floats.h"
#include "workloads/common/launches.h"

#define SIDE      DCT_SIDE
#define BRIGHTEST 255

static const double error_bound = 4 * 9 * 0x1p-24 * 64 * BRIGHTEST;

/* Images of whole blocks, and what a block is multiplied with, and its transposed with: the
 * transform's table, or for its inverse the transposed table. */
struct images {
    uint32_t width;
    float *image;
    float *coefficients;
    float *restored;
    float *table;
    float *inverse;
};

struct arguments {
    uint32_t n;
    struct images images;
};

static const struct sl_argument table[] = {
    {"[N]", 0, SL_NUMBER, 1, 4096, SL_INTO(struct arguments, n)},
    {0},
};

/* From 0 to 255: a slope with noise on it. */
static float pixel(uint32_t x, uint32_t y)
{
    const uint32_t hash = ((x + 1) * 2654435761u ^ y * 3266489917u) * 2246822519u;
    return (float)((x + 2 * y) % 192 + (hash >> 26));
}

static void fill(const struct images *images, uint32_t n)
{
    const double pi = 3.14159265358979323846;

    for (uint32_t i = 0; i < SIDE; i++) {
        for (uint32_t k = 0; k < SIDE; k++) {
            const double scale = sqrt((i == 0 ? 1.0 : 2.0) / SIDE);
            const float factor = (float)(scale * cos((2 * k + 1) * i * pi / (2 * SIDE)));
            images->table[i * SIDE + k] = factor;
            images->inverse[k * SIDE + i] = factor;
        }
    }
    for (uint32_t y = 0; y < images->width; y++) {
        for (uint32_t x = 0; x < images->width; x++) {
            images->image[(size_t)y * images->width + x] =
                pixel(x < n ? x : n - 1, y < n ? y : n - 1);
        }
    }
}

static void make(struct sl_soc *soc, uint32_t n, struct images *images)
{
    const uint32_t width = (n + SIDE - 1) / SIDE * SIDE;
    const size_t count = (size_t)width * width;
    float *const pixels = sl_app_alloc(soc, 3 * count * sizeof *pixels, 0);
    float *const tables = sl_app_alloc(soc, 2 * (size_t)SIDE * SIDE * sizeof *tables, 0);

    *images = (struct images){.width = width,
                              .image = pixels,
                              .coefficients = pixels + count,
                              .restored = pixels + 2 * count,
                              .table = tables,
                              .inverse = tables + (size_t)SIDE * SIDE};
    fill(images, n);
}

static void note_launch(struct launches *launches, uint32_t width, const float *from, float *to,
                        const float *table)
{
    const uint32_t items[2] = {width, width};
    const uint32_t group[2] = {SIDE, SIDE};

    launches_add_plane_values(launches, "dct_kernel", items, group, 0,
                              SL_VALUES(from, to, table, width));
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    struct images *const images = &arguments->images;
    struct launches launches = {.soc = soc, .module = sl_app_kernels(soc)};

    make(soc, arguments->n, images);
    note_launch(&launches, images->width, images->image, images->coefficients, images->table);
    note_launch(&launches, images->width, images->coefficients, images->restored, images->inverse);
    const enum sl_status status = launches_run(&launches);
    if (status == SL_OK) {
        const size_t count = (size_t)images->width * images->width;
        sl_app_result("qr_dct(%" PRIu32 ") = %.9g", arguments->n,
                      floats_sum(images->coefficients, count));
    }
    return status;
}

static void block_in_plain_c(const float *from, float *to, const float *table, size_t width)
{
    float first[SIDE][SIDE] = {{0}};

    for (uint32_t y = 0; y < SIDE; y++) {
        for (uint32_t x = 0; x < SIDE; x++) {
            for (uint32_t k = 0; k < SIDE; k++) {
                first[y][x] = fmaf(table[y * SIDE + k], from[k * width + x], first[y][x]);
            }
        }
    }
    for (uint32_t y = 0; y < SIDE; y++) {
        for (uint32_t x = 0; x < SIDE; x++) {
            float sum = 0;
            for (uint32_t k = 0; k < SIDE; k++) {
                sum = fmaf(first[y][k], table[x * SIDE + k], sum);
            }
            to[y * width + x] = sum;
        }
    }
}

/* Whether `to` is what plain C makes of `from`. */
static bool is_transformed(const struct images *images, const char *what, const float *from,
                           const float *to, const float *table)
{
    const size_t width = images->width;
    float *const wanted = sl_app_memory(width * width, sizeof *wanted);

    for (size_t y = 0; y < width; y += SIDE) {
        for (size_t x = 0; x < width; x += SIDE) {
            block_in_plain_c(from + y * width + x, wanted + y * width + x, table, width);
        }
    }
    const bool is_equal = floats_are_equal(what, to, wanted, width * width);
    free(wanted);
    return is_equal;
}

static bool is_restored(const struct images *images)
{
    const size_t count = (size_t)images->width * images->width;

    for (size_t i = 0; i < count; i++) {
        const double error = fabs((double)images->restored[i] - (double)images->image[i]);
        if (!sl_app_check(error <= error_bound, "pixel %zu comes back as %.9g, was %.9g", i,
                          (double)images->restored[i], (double)images->image[i])) {
            return false;
        }
    }
    return true;
}

static bool is_right(const void *input)
{
    const struct images *const images = &((const struct arguments *)input)->images;

    return is_transformed(images, "coefficient", images->image, images->coefficients,
                          images->table) &&
           is_transformed(images, "pixel", images->coefficients, images->restored,
                          images->inverse) &&
           is_restored(images);
}

static const struct sl_app app = {
    .doc = "Transform an image of N x N floats in blocks of 8 x 8 on the simulated accelerator, "
           "transform it back, and check both.\vThe result is the sum of all coefficients.",
    .table = table,
    .arguments = &(struct arguments){.n = 384},
    .kernels = "qr_dct.elf",
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
