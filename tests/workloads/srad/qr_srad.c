/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Speckle reducing anisotropic diffusion of an N x N image (docs/know/quickrelease-programs.md,
 * "qr_srad"): four launches for each iteration, all of them one run. Its kernels are
 * qr_srad_kernel.c.
 *
 * The plain C that checks it computes each pixel with the same operations, and adds up in the same
 * order, so that all pixels have to be equal to the last bit. */
#include "workloads/srad/qr_srad.h"

#include <math.h>
#include <stdlib.h>

#include "sluice/program.h"
#include "workloads/common/floats.h"
#include "workloads/common/launches.h"
#include "workloads/common/matrix.h"

#define ARRAYS (2 + SIDES)

/* An image and what is computed of it: n x n floats in each array. */
struct srad {
    uint32_t n;
    float *image;
    float *coefficient;       /* of diffusion, 0 to 1 */
    float *difference[SIDES]; /* of the neighbour to a pixel */
    struct noise *noise;
};

struct arguments {
    uint32_t n;
    uint32_t iterations;
    struct srad srad; /* in the shared heap */
};

static const struct sl_argument table[] = {
    /* A single pixel has no noise; an iteration is four launches. */
    {"[N]", 0, SL_NUMBER, 2, 2048, SL_INTO(struct arguments, n)},
    {"iterations", 'i', SL_NUMBER, 1, SL_SEQUENCE_LAUNCHES / 4,
     SL_INTO(struct arguments, iterations), "Iterations"},
    {0},
};

/* A bright square in the middle of a dark one, and noise that is a factor. */
static void fill(float *image, uint32_t n)
{
    uint64_t random = 1;

    matrix_fill(image, (size_t)n * n, &random);
    for (uint32_t row = 0; row < n; row++) {
        for (uint32_t column = 0; column < n; column++) {
            const bool is_bright =
                row > n / 4 && row < n - n / 4 && column > n / 4 && column < n - n / 4;
            float *const pixel = &image[(size_t)row * n + column];
            *pixel = (is_bright ? 2.0f : 1.0f) * (1 + *pixel / 4);
        }
    }
}

/* `floats` are the arrays. */
static void place(struct srad *srad, uint32_t n, float *floats, struct noise *noise)
{
    const size_t pixels = (size_t)n * n;

    srad->n = n;
    srad->noise = noise;
    srad->image = floats;
    srad->coefficient = floats + pixels;
    for (size_t side = 0; side < SIDES; side++) {
        srad->difference[side] = floats + (2 + side) * pixels;
    }
    fill(srad->image, n);
}

static enum sl_status diffuse(struct launches *launches, const struct srad *srad,
                              uint32_t iterations)
{
    const uint32_t pixels = srad->n * srad->n;
    const uint64_t image = (uintptr_t)srad->image, coefficient = (uintptr_t)srad->coefficient;
    const uint64_t north = (uintptr_t)srad->difference[NORTH];
    const uint64_t south = (uintptr_t)srad->difference[SOUTH];
    const uint64_t west = (uintptr_t)srad->difference[WEST];
    const uint64_t east = (uintptr_t)srad->difference[EAST];
    const uint64_t noise = (uintptr_t)srad->noise;
    const uint64_t sums[] = {image, noise, pixels};
    const uint64_t speckle[] = {noise, pixels};
    const uint64_t change[] = {image, coefficient, north, south, west, east, noise, srad->n};
    const uint64_t update[] = {image, coefficient, north, south, west, east, srad->n};

    for (uint32_t i = 0; i < iterations; i++) {
        launches_add(launches, "srad_sums", SUM_GROUPS * GROUP, GROUP, 0, sums, 3);
        launches_add(launches, "srad_speckle", SUM_GROUPS, SUM_GROUPS, 0, speckle, 2);
        launches_add(launches, "srad_coefficients", pixels, GROUP, 0, change, 8);
        launches_add(launches, "srad_update", pixels, GROUP, 0, update, 7);
    }
    return launches_run(launches);
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    const size_t pixels = (size_t)arguments->n * arguments->n;
    struct launches launches = {.soc = soc, .module = sl_app_kernels(soc)};

    struct noise *const noise = sl_app_alloc(soc, sizeof *noise, 0);
    float *const floats = sl_app_alloc(soc, ARRAYS * pixels * sizeof *floats, 0);
    place(&arguments->srad, arguments->n, floats, noise);
    const enum sl_status status = diffuse(&launches, &arguments->srad, arguments->iterations);
    if (status == SL_OK) {
        sl_app_result("qr_srad(%" PRIu32 ") = %.9g", arguments->n, (double)noise->speckle);
    }
    return status;
}

/* Of as many values as a power of two says, as a work-group adds them up. */
static float tree_sum(float *values, uint32_t count)
{
    for (uint32_t stride = count / 2; stride > 0; stride /= 2) {
        for (uint32_t i = 0; i < stride; i++) {
            values[i] += values[i + stride];
        }
    }
    return values[0];
}

static float speckle_in_plain_c(struct srad *srad)
{
    const uint32_t pixels = srad->n * srad->n;

    for (uint32_t group = 0; group < SUM_GROUPS; group++) {
        float sum[GROUP] = {0}, squares[GROUP] = {0};
        for (uint32_t item = 0; item < GROUP; item++) {
            for (uint32_t i = group * GROUP + item; i < pixels; i += SUM_GROUPS * GROUP) {
                sum[item] += srad->image[i];
                squares[item] = fmaf(srad->image[i], srad->image[i], squares[item]);
            }
        }
        srad->noise->sum[group] = tree_sum(sum, GROUP);
        srad->noise->squares[group] = tree_sum(squares, GROUP);
    }
    return speckle_of(tree_sum(srad->noise->sum, SUM_GROUPS),
                      tree_sum(srad->noise->squares, SUM_GROUPS), pixels);
}

static void iterate_in_plain_c(struct srad *srad)
{
    const size_t n = srad->n;
    const float speckle = speckle_in_plain_c(srad);

    for (size_t i = 0; i < n * n; i++) {
        const float *const pixel = &srad->image[i];
        const float north = i >= n ? *(pixel - n) - *pixel : 0;
        const float south = i + n < n * n ? *(pixel + n) - *pixel : 0;
        const float west = i % n > 0 ? *(pixel - 1) - *pixel : 0;
        const float east = (i + 1) % n > 0 ? *(pixel + 1) - *pixel : 0;
        srad->difference[NORTH][i] = north;
        srad->difference[SOUTH][i] = south;
        srad->difference[WEST][i] = west;
        srad->difference[EAST][i] = east;
        srad->coefficient[i] = coefficient_of(*pixel, north, south, west, east, speckle);
    }
    for (size_t i = 0; i < n * n; i++) {
        const float *const own = &srad->coefficient[i];
        const float difference[SIDES] = {srad->difference[NORTH][i], srad->difference[SOUTH][i],
                                         srad->difference[WEST][i], srad->difference[EAST][i]};
        srad->image[i] =
            pixel_after(srad->image[i], difference, *own, i + n < n * n ? *(own + n) : *own,
                        (i + 1) % n > 0 ? *(own + 1) : *own);
    }
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;
    const size_t pixels = (size_t)arguments->n * arguments->n;
    float *const floats = sl_app_memory(ARRAYS * pixels, sizeof *floats);
    struct noise noise;
    struct srad right;

    place(&right, arguments->n, floats, &noise);
    for (uint32_t i = 0; i < arguments->iterations; i++) {
        iterate_in_plain_c(&right);
    }
    const bool is_equal = floats_are_equal("pixel", arguments->srad.image, right.image, pixels);
    free(floats);
    return is_equal;
}

static const struct sl_app app = {
    .doc = "Remove speckles from an N x N image on the simulated accelerator, and check all "
           "pixels.\vThe result is how much noise there was before the last iteration: the square "
           "of the relative deviation.",
    .table = table,
    .arguments = &(struct arguments){.n = 256, .iterations = 4},
    .kernels = "qr_srad.elf",
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
