/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Lattice-Boltzmann method in three dimensions with 19 velocities (docs/know/hybrid-programs.md,
 * "hybrid_lbm"; papers/003 Table 4.2): a fluid between walls, N x N x DEPTH cells with them, flows
 * round a ball. A launch is a step, from one grid to the other. Its kernels are
 * hybrid_lbm_kernel.c.
 *
 * The plain C that checks it lets the same operations follow each other in each cell, so that all
 * distributions have to be equal to the last bit. */
#include "workloads/lbm/hybrid_lbm.h"

#include <stdlib.h>

#include "sluice/program.h"
#include "workloads/common/box.h"
#include "workloads/common/floats.h"
#include "workloads/common/hybrid.h"
#include "workloads/common/launches.h"
#include "workloads/common/matrix.h"

#define GROUP       128
#define OMEGA       1.2f
#define LINE_FLOATS (HYBRID_LINE / sizeof(float))

struct arguments {
    struct box box;
    bool is_soa;
    float *grids[2]; /* in turn, in the shared heap; the first has the input */
};

static const struct sl_argument table[] = {
    BOX_ROWS(struct arguments, box, 512),
    {"layout", 'l', SL_CHOICE, 0, 0, SL_INTO(struct arguments, is_soa),
     "Of a cell's floats: aos, an array of structures (default), or soa, a structure of arrays",
     "aos|soa"},
    {0},
};

/* Where float f of cell c is in a grid: at first + c * cell + f * next. In front of the first cell
 * and behind the last one is a margin, as what leaves the box's walls goes there. */
struct layout {
    size_t cells;
    size_t floats; /* of the whole grid */
    size_t first;
    size_t cell;
    size_t next;
    ptrdiff_t row; /* from a row of cells to the next, and from a plane, in cells */
    ptrdiff_t plane;
};

static struct layout layout_of(const struct arguments *arguments)
{
    const size_t n = arguments->box.n, plane = n * n, cells = box_cells(&arguments->box);
    const size_t margin = ((plane + n) / LINE_FLOATS + 1) * LINE_FLOATS;
    const size_t all = ((cells + 2 * margin - 1) / LINE_FLOATS + 1) * LINE_FLOATS;

    return (struct layout){.cells = cells,
                           .floats = all * LBM_FLOATS,
                           .first = arguments->is_soa ? margin : margin * LBM_FLOATS,
                           .cell = arguments->is_soa ? 1 : LBM_FLOATS,
                           .next = arguments->is_soa ? all : 1,
                           .row = (ptrdiff_t)n,
                           .plane = (ptrdiff_t)plane};
}

/* Walls all around, and a ball in the middle, of an eighth of the width. */
static float kind_of(const struct arguments *arguments, size_t cell)
{
    const int64_t n = arguments->box.n, depth = arguments->box.depth;
    const int64_t x = (int64_t)cell % n, y = (int64_t)cell / n % n, z = (int64_t)cell / (n * n);
    const int64_t from_x = 2 * x + 1 - n, from_y = 2 * y + 1 - n, from_z = 2 * z + 1 - depth;
    const bool is_wall = x == 0 || y == 0 || z == 0 || x == n - 1 || y == n - 1 || z == depth - 1;
    const bool is_ball = 16 * (from_x * from_x + from_y * from_y + from_z * from_z) < n * n;

    return is_wall || is_ball ? LBM_OBSTACLE : LBM_FLUID;
}

/* Both grids alike: random distributions, of up to a tenth more than the weight of each, and more
 * in the direction of x. */
static void fill(const struct arguments *arguments, float *grid)
{
    const struct layout layout = layout_of(arguments);
    float random[LBM_VELOCITIES];
    uint64_t seed = 1;

    for (size_t c = 0; c < layout.cells; c++) {
        float *const cell = grid + layout.first + c * layout.cell;
        matrix_fill(random, LBM_VELOCITIES, &seed);
        cell[0] = LBM_REST * (1 + 0.1f * random[0]);
#define PAIR(plus, minus, x, y, z, is_far)                                                         \
    {                                                                                              \
        const float weight = (is_far) ? LBM_NEAR / 2 : LBM_NEAR;                                   \
        cell[(plus)*layout.next] = weight * (1 + 0.1f * random[plus] + 0.1f * (x));                \
        cell[(minus)*layout.next] = weight * (1 + 0.1f * random[minus] - 0.1f * (x));              \
    }
        LBM_PAIRS(PAIR)
#undef PAIR
        cell[LBM_KIND * layout.next] = kind_of(arguments, c);
    }
}

static double mean_density(const struct arguments *arguments)
{
    const struct layout layout = layout_of(arguments);
    const float *const grid = arguments->grids[arguments->box.steps % 2] + layout.first;
    double sum = 0;

    for (size_t c = 0; c < layout.cells; c++) {
        for (size_t f = 0; f < LBM_VELOCITIES; f++) {
            sum += (double)grid[c * layout.cell + f * layout.next];
        }
    }
    return sum / (double)layout.cells;
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    const struct layout layout = layout_of(arguments);
    struct launches launches = {.soc = soc, .module = sl_app_kernels(soc)};

    for (unsigned i = 0; i < 2; i++) {
        arguments->grids[i] = sl_app_alloc(soc, layout.floats * sizeof(float), HYBRID_LINE);
        fill(arguments, arguments->grids[i]);
    }
    for (uint32_t step = 0; step < arguments->box.steps; step++) {
        const struct sl_value values[] = {
            SL_VALUE(arguments->grids[step % 2] + layout.first),
            SL_VALUE(arguments->grids[(step + 1) % 2] + layout.first),
            SL_VALUE(arguments->box.n),
            SL_VALUE(OMEGA),
            SL_VALUE(layout.next),
        };
        launches_add_values(&launches, arguments->is_soa ? "lbm_soa" : "lbm_aos",
                            (uint32_t)layout.cells, GROUP, 0, values, arguments->is_soa ? 5 : 4);
    }
    const enum sl_status status = launches_run(&launches);
    if (status == SL_OK) {
        sl_app_result("hybrid_lbm(%" PRIu32 ") = %.9g", arguments->box.n, mean_density(arguments));
    }
    return status;
}

/* A velocity and its opposite. */
struct pair {
    size_t plus;
    size_t minus;
    int x;
    int y;
    int z;
    bool is_far;
};

#define PAIR(...) {__VA_ARGS__},
static const struct pair pairs[] = {LBM_PAIRS(PAIR)};
#undef PAIR
#define PAIR_COUNT (sizeof pairs / sizeof *pairs)

static void collide_in_plain_c(float f[LBM_VELOCITIES])
{
    float density = f[0], flow[3] = {0};

    for (size_t i = 0; i < PAIR_COUNT; i++) {
        const struct pair *const pair = &pairs[i];
        const float difference = f[pair->plus] - f[pair->minus];
        density += f[pair->plus] + f[pair->minus];
        flow[0] = added(flow[0], pair->x, difference);
        flow[1] = added(flow[1], pair->y, difference);
        flow[2] = added(flow[2], pair->z, difference);
    }
    const float triple = 3 / density, kept = 1 - OMEGA;
    const float x = triple * flow[0], y = triple * flow[1], z = triple * flow[2];
    const float base = equilibrium_base(x, y, z, 1, LBM_SIXTH);
    const float near = LBM_NEAR * (OMEGA * density), far = near / 2;
    f[0] = relaxed(f[0], kept, LBM_REST / LBM_NEAR * near, base);
    for (size_t i = 0; i < PAIR_COUNT; i++) {
        const struct pair *const pair = &pairs[i];
        const float v = added(added(added(0, pair->x, x), pair->y, y), pair->z, z);
        const float both = equilibrium(v, 0.5f, base), share = pair->is_far ? far : near;
        f[pair->plus] = relaxed(f[pair->plus], kept, share, both + v);
        f[pair->minus] = relaxed(f[pair->minus], kept, share, both - v);
    }
}

static void swap(float *a, float *b)
{
    const float kept = *a;
    *a = *b;
    *b = kept;
}

static void step_in_plain_c(const struct layout *layout, const float *from, float *to)
{
    const ptrdiff_t cell = (ptrdiff_t)layout->cell, next = (ptrdiff_t)layout->next;

    for (ptrdiff_t c = 0; c < (ptrdiff_t)layout->cells; c++) {
        const float *const here = from + layout->first + c * cell;
        float *const there = to + layout->first + c * cell;
        float f[LBM_VELOCITIES];

        for (ptrdiff_t i = 0; i < LBM_VELOCITIES; i++) {
            f[i] = here[i * next];
        }
        if (here[LBM_KIND * next] == LBM_FLUID) {
            collide_in_plain_c(f);
        } else {
            for (size_t i = 0; i < PAIR_COUNT; i++) {
                swap(&f[pairs[i].plus], &f[pairs[i].minus]);
            }
        }
        there[0] = f[0];
        for (size_t i = 0; i < PAIR_COUNT; i++) {
            const struct pair *const pair = &pairs[i];
            const ptrdiff_t way =
                (pair->x + pair->y * layout->row + pair->z * layout->plane) * cell;
            there[(ptrdiff_t)pair->plus * next + way] = f[pair->plus];
            there[(ptrdiff_t)pair->minus * next - way] = f[pair->minus];
        }
    }
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;
    const struct layout layout = layout_of(arguments);
    float *const right = sl_app_memory(2 * layout.floats, sizeof *right);
    float *const turn[2] = {right, right + layout.floats};
    const uint32_t last = arguments->box.steps % 2;

    fill(arguments, turn[0]);
    fill(arguments, turn[1]);
    for (uint32_t step = 0; step < arguments->box.steps; step++) {
        step_in_plain_c(&layout, turn[step % 2], turn[(step + 1) % 2]);
    }
    const bool is_equal =
        floats_are_equal("float", arguments->grids[last], turn[last], layout.floats);
    free(right);
    return is_equal;
}

static const struct sl_app app = {
    .doc = "Let a fluid flow round a ball, in a box of N x N x DEPTH cells, by the "
           "lattice-Boltzmann method on the simulated accelerator, and check all cells.\vThe "
           "result is the mean density of all cells.",
    .table = table,
    .arguments = &(struct arguments){.box = {.n = 64, .depth = 20, .steps = 10}},
    .kernels = "hybrid_lbm.elf",
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
