/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A recursive Fourier transform as a Cilk program on channel stacks: finds a tone in noise, and
 * checks the transform against one in plain C. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>

#include <sluice/program.h>

#include "fft.h"

#define WIDTH     4096 /* of each channel */
#define PI        3.14159265358979323846
#define TOLERANCE 1e-5 /* relative to the largest value */

struct fft {
    uint32_t n;
    uint32_t seed;
    struct transform transform; /* its points are in shared memory */
};

static const struct sl_argument table[] = {
    {"[POINTS]", 0, SL_POWER_OF_TWO, 2 * LEAF, 1u << 20, SL_INTO(struct fft, n)},
    {"seed", 'r', SL_SEED, 0, 0, SL_INTO(struct fft, seed), "Which tone and noise"},
    {0},
};

/* A number at random, less than 1. */
static double random_real(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 32) * 0x1p-32;
}

/* Noise of up to 1, and a tone of a tenth of that. */
static void sound(struct point *points, uint32_t n, uint32_t seed)
{
    uint64_t state = seed;
    const double tone = floor((0.1 + 0.3 * random_real(&state)) * n);

    for (uint32_t i = 0; i < n; i++) {
        const double noise = 2 * random_real(&state) - 1;
        points[i] = (struct point){(float)(noise + 0.1 * cos(2 * PI * tone / n * i)), 0};
    }
}

static void prepare(struct sl_soc *soc, struct fft *fft)
{
    const uint32_t n = fft->n;
    struct point *const from = sl_app_alloc(soc, n * sizeof *from, 0);
    struct point *const to = sl_app_alloc(soc, n * sizeof *to, 0);
    struct point *const roots = sl_app_alloc(soc, n * sizeof *roots, 0);

    sound(from, n, fft->seed);
    for (uint32_t half = 1; half < n; half *= 2) {
        for (uint32_t i = 0; i < half; i++) {
            roots[half + i] = (struct point){(float)cos(PI * i / half), (float)-sin(PI * i / half)};
        }
    }
    fft->transform = (struct transform){from, to, roots};
}

/* How deep the recursion is: a transform of n points spawns others of a quarter, and merges, which
 * begin one level below it. */
static void count_levels(uint32_t n, uint32_t *ffts, uint32_t *merges)
{
    *ffts = 1;
    *merges = 0;
    for (; n > LEAF; n /= QUARTERS) {
        uint32_t depth = *ffts + 1;
        for (uint32_t pieces = fft_pieces(n / 2); pieces > 1;
             pieces = (pieces + PARTS - 1) / PARTS) {
            depth++;
        }
        *merges = depth > *merges ? depth : *merges;
        ++*ffts;
    }
}

static int add_stack(struct sl_graph_builder *graph, enum sl_channel_role role, const char *name,
                     size_t element_bytes, uint32_t levels, int kernel)
{
    const struct sl_channel_options options = {.name = name};
    const int stack = sl_graph_stack(graph, role, element_bytes, WIDTH, levels, &options);

    sl_graph_connect_stack(graph, stack, kernel);
    return stack;
}

/* Returns the stack of transforms. */
static int build(struct sl_graph_builder *graph, uint32_t n, const struct transform *shared,
                 uint32_t lanes)
{
    uint32_t fft_levels;
    uint32_t merge_levels;
    count_levels(n, &fft_levels, &merge_levels);

    const int spawn = sl_graph_kernel(graph, "fft_spawn");
    const int quarters_kernel = sl_graph_kernel(graph, "fft_quarters");
    const int halves_kernel = sl_graph_kernel(graph, "fft_halves");
    const int merge_spawn = sl_graph_kernel(graph, "fft_merge_spawn");
    const int ffts =
        add_stack(graph, SL_ROLE_PRE_SPAWN, "ffts", sizeof(struct fft_task), fft_levels, spawn);
    const int quarters = add_stack(graph, SL_ROLE_POST_SYNC, "quarters", sizeof(struct fft_join),
                                   fft_levels - 1, quarters_kernel);
    const int halves = add_stack(graph, SL_ROLE_POST_SYNC, "halves", sizeof(struct fft_join),
                                 fft_levels - 1, halves_kernel);
    const int merges = add_stack(graph, SL_ROLE_PRE_SPAWN, "merges", sizeof(struct fft_merge),
                                 merge_levels, merge_spawn);

    sl_graph_lds(graph, spawn, LEAF * lanes * sizeof(struct point));
    sl_graph_argument(graph, spawn, 2, (uint64_t)quarters);
    sl_graph_argument(graph, spawn, 3, (uintptr_t)shared);
    sl_graph_output_stack(graph, spawn, ffts, QUARTERS, 1);
    sl_graph_output_stack(graph, spawn, quarters, 1, 0);

    sl_graph_argument(graph, quarters_kernel, 2, (uint64_t)halves);
    sl_graph_argument(graph, quarters_kernel, 3, (uint64_t)merges);
    sl_graph_output_stack(graph, quarters_kernel, halves, 1, 0);
    sl_graph_output_stack(graph, quarters_kernel, merges, 2, 1);

    sl_graph_argument(graph, halves_kernel, 2, (uint64_t)merges);
    sl_graph_output_stack(graph, halves_kernel, merges, 1, 1);

    sl_graph_argument(graph, merge_spawn, 2, (uintptr_t)shared);
    sl_graph_output_stack(graph, merge_spawn, merges, PARTS, 1);
    return ffts;
}

/* The strongest frequency. */
static uint32_t strongest(const struct point *points, uint32_t n)
{
    uint32_t best = 1;

    for (uint32_t i = 1; i < n / 2; i++) {
        if (hypotf(points[i].re, points[i].im) > hypotf(points[best].re, points[best].im)) {
            best = i;
        }
    }
    return best;
}

static enum sl_status run(struct sl_soc *soc, void *arguments)
{
    struct fft *const fft = arguments;
    struct sl_graph_builder *const graph = sl_app_graph(soc);

    prepare(soc, fft);
    struct transform *const shared = sl_app_alloc(soc, sizeof *shared, 0);
    *shared = fft->transform;
    const int ffts =
        build(graph, fft->n, shared, (uint32_t)sl_soc_config(soc)->number[SL_CFG_GPU_LANES]);
    struct fft_task *const root = sl_app_put(graph, ffts, 1);
    *root = (struct fft_task){.from = 0, .stride = 1, .to = 0, .n = fft->n};
    const enum sl_status status = sl_app_execute(graph);
    if (status == SL_OK) {
        sl_app_result("fft(%" PRIu32 ") = %" PRIu32, fft->n, strongest(shared->to, fft->n));
    }
    return status;
}

/* The transform in plain C, by the book. */
static void in_plain_c(const struct point *from, uint32_t stride, double complex *to, uint32_t n)
{
    if (n == 1) {
        *to = from->re + from->im * I;
        return;
    }
    in_plain_c(from, 2 * stride, to, n / 2);
    in_plain_c(from + stride, 2 * stride, to + n / 2, n / 2);
    for (uint32_t i = 0; i < n / 2; i++) {
        const double complex even = to[i];
        const double complex odd = cexp(-2 * PI * I * i / n) * to[n / 2 + i];
        to[i] = even + odd;
        to[n / 2 + i] = even - odd;
    }
}

static bool is_right(const void *arguments)
{
    const struct fft *const fft = arguments;
    double complex *const right = sl_app_memory(fft->n, sizeof *right);
    double largest = 0;
    double error = 0;

    in_plain_c(fft->transform.from, 1, right, fft->n);
    for (uint32_t i = 0; i < fft->n; i++) {
        const struct point ours = fft->transform.to[i];
        largest = fmax(largest, cabs(right[i]));
        error = fmax(error, cabs(ours.re + ours.im * I - right[i]));
    }
    free(right);
    return sl_app_check(error <= TOLERANCE * largest, "off by %g, where the largest value is %g",
                        error, largest);
}

static const struct sl_app app = {
    .doc = "Find a tone in noise by a Fourier transform of POINTS, and check it.",
    .table = table,
    .arguments = &(struct fft){.n = 65536, .seed = 1},
    .kernels = "fft.elf",
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
