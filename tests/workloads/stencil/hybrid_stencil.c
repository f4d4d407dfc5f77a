/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Stencil of seven points over N x N x DEPTH of them (docs/know/hybrid-programs.md,
 * "hybrid_stencil"; papers/003 Table 4.2): a launch for each step, from one grid to the other. Its
 * kernel is hybrid_stencil_kernel.c.
 *
 * The plain C that checks it computes each point with the same operations, step by step, so that
 * all points have to be equal to the last bit. */
#include "workloads/stencil/hybrid_stencil.h"

#include <stdlib.h>
#include <string.h>

#include "sluice/program.h"
#include "workloads/common/box.h"
#include "workloads/common/floats.h"
#include "workloads/common/hybrid.h"
#include "workloads/common/launches.h"
#include "workloads/common/matrix.h"

static const struct weights stencil_weights = {1.0f / 6, 1.0f / 36};

struct arguments {
    struct box box;
    float *grids[2]; /* in turn, in the shared heap; the first grid has the input */
};

static const struct sl_argument table[] = {
    BOX_ROWS(struct arguments, box, 1024),
    {0},
};

/* Both grids begin alike: points at the border are never computed. */
static void fill(float *first, float *second, size_t points)
{
    uint64_t random = 1;

    matrix_fill(first, points, &random);
    memcpy(second, first, points * sizeof *first);
}

static void add_launches(struct launches *launches, const struct arguments *arguments)
{
    const uint32_t n = arguments->box.n;
    const uint32_t group[2] = {STENCIL_COLUMNS, STENCIL_ROWS};
    const uint32_t items[2] = {((n - 1) / STENCIL_COLUMNS + 1) * STENCIL_COLUMNS,
                               ((n - 1) / STENCIL_ROWS + 1) * STENCIL_ROWS};

    for (uint32_t step = 0; step < arguments->box.steps; step++) {
        launches_add_plane_values(
            launches, "stencil_step", items, group, 0,
            SL_VALUES(arguments->grids[step % 2], arguments->grids[(step + 1) % 2], n,
                      arguments->box.depth, stencil_weights.here, stencil_weights.neighbour));
    }
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    const size_t points = box_cells(&arguments->box);
    struct launches launches = {.soc = soc, .module = sl_app_kernels(soc)};

    for (unsigned i = 0; i < 2; i++) {
        arguments->grids[i] = sl_app_alloc(soc, points * sizeof(float), HYBRID_LINE);
    }
    fill(arguments->grids[0], arguments->grids[1], points);
    add_launches(&launches, arguments);
    const enum sl_status status = launches_run(&launches);
    if (status == SL_OK) {
        const float *const last = arguments->grids[arguments->box.steps % 2];
        sl_app_result("hybrid_stencil(%" PRIu32 ") = %.9g", arguments->box.n,
                      floats_sum(last, points) / (double)points);
    }
    return status;
}

static void step_in_plain_c(const float *from, float *to, size_t n, size_t depth)
{
    const size_t plane = n * n;

    for (size_t z = 1; z + 1 < depth; z++) {
        for (size_t y = 1; y + 1 < n; y++) {
            for (size_t i = z * plane + y * n + 1; i < z * plane + (y + 1) * n - 1; i++) {
                to[i] = point_after(stencil_weights, from[i], from[i - plane], from[i + plane],
                                    from[i - n], from[i + n], from[i - 1], from[i + 1]);
            }
        }
    }
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;
    const size_t points = box_cells(&arguments->box);
    float *const right = sl_app_memory(2 * points, sizeof *right);
    float *const turn[2] = {right, right + points};
    const uint32_t last = arguments->box.steps % 2;

    fill(turn[0], turn[1], points);
    for (uint32_t step = 0; step < arguments->box.steps; step++) {
        step_in_plain_c(turn[step % 2], turn[(step + 1) % 2], arguments->box.n,
                        arguments->box.depth);
    }
    const bool is_equal = floats_are_equal("point", arguments->grids[last], turn[last], points);
    free(right);
    return is_equal;
}

static const struct sl_app app = {
    .doc = "Apply a stencil of seven points to a grid of N x N x DEPTH floats, step by step, on "
           "the simulated accelerator, and check all points.\vThe result is the mean of all "
           "points.",
    .table = table,
    .arguments = &(struct arguments){.box = {.n = 256, .depth = 32, .steps = 6}},
    .kernels = "hybrid_stencil.elf",
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
