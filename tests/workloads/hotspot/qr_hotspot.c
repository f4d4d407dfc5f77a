/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Temperatures of a chip's N x N cells over time (docs/know/quickrelease-programs.md, "qr_hotspot";
 * the stencil of papers/002 Figure 3): a launch makes several steps of it, all launches are one
 * run. Its kernel is qr_hotspot_kernel.c.
 *
 * The plain C that checks it computes each cell with the same operations, step by step, so that all
 * temperatures have to be equal to the last bit. */
#include "workloads/hotspot/qr_hotspot.h"

#include "sluice/program.h"
#include "workloads/common/floats.h"
#include "workloads/common/hotspot.h"
#include "workloads/common/launches.h"

struct arguments {
    uint32_t n;
    uint32_t steps;
    uint32_t at_once;
    struct flow flow;
    /* In the shared heap. */
    float *power;           /* of each cell, in watts */
    float *temperatures[2]; /* in turn */
};

static const struct sl_argument table[] = {
    {"[N]", 0, SL_NUMBER, 1, 2048, SL_INTO(struct arguments, n)},
    {"steps", 's', SL_NUMBER, 1, SL_SEQUENCE_LAUNCHES, SL_INTO(struct arguments, steps),
     "Steps in time"},
    {"at-once", 'a', SL_NUMBER, 1, STEPS_MAX, SL_INTO(struct arguments, at_once),
     "Steps of a launch"},
    {0},
};

static void add_launches(struct launches *launches, const struct arguments *arguments)
{
    const uint32_t side[2] = {BLOCK, BLOCK};
    unsigned from = 0;

    for (uint32_t left = arguments->steps; left > 0;) {
        const uint32_t steps = left < arguments->at_once ? left : arguments->at_once;
        const uint32_t groups = (arguments->n - 1) / (BLOCK - 2 * steps) + 1;
        const uint32_t grid[2] = {groups * BLOCK, groups * BLOCK};
        const struct flow *const flow = &arguments->flow;
        launches_add_plane_values(launches, "hotspot_steps", grid, side, 0,
                                  SL_VALUES(arguments->power, arguments->temperatures[from],
                                            arguments->temperatures[1 - from], arguments->n, steps,
                                            flow->lateral, flow->up, flow->share));
        from = 1 - from;
        left -= steps;
    }
}

/* Those after all steps: arrays change with each launch. */
static const float *last_temperatures(const struct arguments *arguments)
{
    const uint32_t launches = (arguments->steps - 1) / arguments->at_once + 1;
    return arguments->temperatures[launches % 2];
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    const size_t cells = (size_t)arguments->n * arguments->n;
    struct launches launches = {.soc = soc, .module = sl_app_kernels(soc)};

    arguments->flow = hotspot_flow(arguments->n);
    arguments->power = sl_app_alloc(soc, cells * sizeof(float), 0);
    arguments->temperatures[0] = sl_app_alloc(soc, cells * sizeof(float), 0);
    arguments->temperatures[1] = sl_app_alloc(soc, cells * sizeof(float), 0);
    hotspot_fill_power(arguments->power, cells);
    hotspot_fill_temperatures(arguments->temperatures[0], cells);
    add_launches(&launches, arguments);
    const enum sl_status status = launches_run(&launches);
    if (status == SL_OK) {
        sl_app_result("qr_hotspot(%" PRIu32 ") = %.6f", arguments->n,
                      floats_sum(last_temperatures(arguments), cells) / (double)cells);
    }
    return status;
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;

    return hotspot_is_right(arguments->n, arguments->steps, arguments->power,
                            last_temperatures(arguments));
}

static const struct sl_app app = {
    .doc = "Compute the temperatures of a chip of N x N cells over time on the simulated "
           "accelerator, and check all of them.\vThe result is the mean temperature in kelvins.",
    .table = table,
    .arguments = &(struct arguments){.n = 256, .steps = 8, .at_once = 2},
    .kernels = "qr_hotspot.elf",
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
