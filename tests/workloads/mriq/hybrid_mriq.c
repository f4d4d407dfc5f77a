/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The matrix Q of a magnetic resonance image of N x N x N voxels (docs/know/hybrid-programs.md,
 * "hybrid_mriq"): each voxel adds up the squared magnitudes of all samples of k-space, turned by
 * the phase that each has there. One launch computes the magnitudes, and one for each block of
 * samples adds them up. Its kernels are hybrid_mriq_kernel.c. */
#include "workloads/mriq/hybrid_mriq.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sluice/program.h"
#include "workloads/common/floats.h"
#include "workloads/common/hybrid.h"
#include "workloads/common/launches.h"
#include "workloads/common/matrix.h"

#define BLOCKS_MAX (SL_SEQUENCE_LAUNCHES - 1)
#define GROUP      256

struct arguments {
    uint32_t n;
    uint32_t samples;
    float *phase[2]; /* real and imaginary parts of each sample */
    struct mriq_block *blocks;
    struct mriq_image *image;
};

static const struct sl_argument table[] = {
    {"[N]", 0, SL_NUMBER, 1, 256, SL_INTO(struct arguments, n)},
    {"samples", 's', SL_NUMBER, 1, BLOCKS_MAX *MRIQ_BLOCK, SL_INTO(struct arguments, samples),
     "Samples of k-space"},
    {0},
};

static uint32_t voxels_of(const struct arguments *arguments)
{
    return arguments->n * arguments->n * arguments->n;
}

static uint32_t blocks_of(const struct arguments *arguments)
{
    return (arguments->samples - 1) / MRIQ_BLOCK + 1;
}

/* Places of voxels, from -1/2 to 1/2, in order of x, then y, then z. */
static void fill_places(float *const places[3], uint32_t n)
{
    uint32_t voxel = 0;

    for (uint32_t z = 0; z < n; z++) {
        for (uint32_t y = 0; y < n; y++) {
            for (uint32_t x = 0; x < n; x++, voxel++) {
                places[0][voxel] = (float)x / (float)n - 0.5f;
                places[1][voxel] = (float)y / (float)n - 0.5f;
                places[2][voxel] = (float)z / (float)n - 0.5f;
            }
        }
    }
}

static float *floats(struct sl_soc *soc, size_t count)
{
    return sl_app_alloc(soc, count * sizeof(float), HYBRID_LINE);
}

static void make_image(struct sl_soc *soc, struct arguments *arguments)
{
    const uint32_t voxels = voxels_of(arguments);
    float *const places[] = {floats(soc, voxels), floats(soc, voxels), floats(soc, voxels)};
    struct mriq_image *const image = sl_app_alloc(soc, sizeof *image, HYBRID_LINE);

    fill_places(places, arguments->n);
    *image = (struct mriq_image){places[0], places[1], places[2], floats(soc, voxels),
                                 floats(soc, voxels)};
    arguments->image = image;
}

/* Frequencies at random, up to half a turn from a voxel to the next. */
static void fill_frequencies(float frequencies[MRIQ_BLOCK], uint32_t n, uint64_t *random)
{
    matrix_fill(frequencies, MRIQ_BLOCK, random);
    for (unsigned i = 0; i < MRIQ_BLOCK; i++) {
        frequencies[i] *= (float)n / 2;
    }
}

static void make_samples(struct sl_soc *soc, struct arguments *arguments)
{
    const size_t blocks = blocks_of(arguments);
    uint64_t random = 1;

    arguments->blocks = sl_app_alloc(soc, blocks * sizeof *arguments->blocks, HYBRID_LINE);
    arguments->phase[0] = floats(soc, arguments->samples);
    arguments->phase[1] = floats(soc, arguments->samples);
    matrix_fill(arguments->phase[0], arguments->samples, &random);
    matrix_fill(arguments->phase[1], arguments->samples, &random);
    for (size_t b = 0; b < blocks; b++) {
        struct mriq_block *const block = &arguments->blocks[b];
        fill_frequencies(block->x, arguments->n, &random);
        fill_frequencies(block->y, arguments->n, &random);
        fill_frequencies(block->z, arguments->n, &random);
    }
}

static enum sl_status launch(struct sl_soc *soc, const struct arguments *arguments)
{
    struct launches launches = {.soc = soc, .module = sl_app_kernels(soc)};
    const uint64_t to_square[] = {(uintptr_t)arguments->phase[0], (uintptr_t)arguments->phase[1],
                                  (uintptr_t)arguments->blocks};

    launches_add(&launches, "mriq_magnitudes", arguments->samples, GROUP, 0, to_square, 3);
    for (uint32_t first = 0; first < arguments->samples; first += MRIQ_BLOCK) {
        const uint32_t left = arguments->samples - first;
        const uint64_t to_add[] = {(uintptr_t)&arguments->blocks[first / MRIQ_BLOCK],
                                   left < MRIQ_BLOCK ? left : MRIQ_BLOCK,
                                   (uintptr_t)arguments->image};
        launches_add(&launches, "mriq_add", voxels_of(arguments), GROUP, 0, to_add, 3);
    }
    return launches_run(&launches);
}

static double root_mean_square(const struct mriq_image *image, uint32_t voxels)
{
    double sum = 0;

    for (uint32_t i = 0; i < voxels; i++) {
        const double real = (double)image->real[i], imaginary = (double)image->imaginary[i];
        sum += real * real + imaginary * imaginary;
    }
    return sqrt(sum / voxels);
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;

    make_image(soc, arguments);
    make_samples(soc, arguments);
    const enum sl_status status = launch(soc, arguments);
    if (status == SL_OK) {
        sl_app_result("hybrid_mriq(%" PRIu32 ") = %.4g", arguments->n,
                      root_mean_square(arguments->image, voxels_of(arguments)));
    }
    return status;
}

/* In double precision, from what the kernels began with. */
static void add_sample(const struct arguments *arguments, uint32_t sample, double *real,
                       double *imaginary)
{
    const struct mriq_image *const image = arguments->image;
    const struct mriq_block *const block = &arguments->blocks[sample / MRIQ_BLOCK];
    const uint32_t at = sample % MRIQ_BLOCK, voxels = voxels_of(arguments);
    const double a = (double)arguments->phase[0][sample], b = (double)arguments->phase[1][sample];
    const double magnitude = a * a + b * b;

    for (uint32_t i = 0; i < voxels; i++) {
        const double turns = (double)block->x[at] * (double)image->x[i] +
                             (double)block->y[at] * (double)image->y[i] +
                             (double)block->z[at] * (double)image->z[i];
        real[i] += magnitude * cos(2 * M_PI * turns);
        imaginary[i] += magnitude * sin(2 * M_PI * turns);
    }
}

/* Real and imaginary parts of all voxels together. */
static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;
    const size_t voxels = voxels_of(arguments);
    double *const wanted = sl_app_memory(2 * voxels, sizeof *wanted);
    float *const is = sl_app_memory(2 * voxels, sizeof *is);

    for (uint32_t sample = 0; sample < arguments->samples; sample++) {
        add_sample(arguments, sample, wanted, wanted + voxels);
    }
    memcpy(is, arguments->image->real, voxels * sizeof *is);
    memcpy(is + voxels, arguments->image->imaginary, voxels * sizeof *is);
    const bool is_near = floats_are_near("part", is, wanted, 2 * voxels, HYBRID_TOLERANCE);
    free(wanted);
    free(is);
    return is_near;
}

static const struct sl_app app = {
    .doc = "Compute the matrix Q of a magnetic resonance image of N x N x N voxels on the "
           "simulated accelerator, and check all of it.\vThe result is the root mean square of the "
           "voxels' magnitudes.",
    .table = table,
    .arguments = &(struct arguments){.n = 60, .samples = 48},
    .kernels = "hybrid_mriq.elf",
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
