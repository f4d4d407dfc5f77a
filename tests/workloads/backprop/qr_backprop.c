/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Training of a neural network by back propagation (docs/know/quickrelease-programs.md,
 * "qr_backprop"): N inputs, 16 hidden units, an output. An epoch is four launches, all epochs are
 * one run. Its kernels are qr_backprop_kernel.c.
 *
 * The plain C that checks it adds up in the same order, so that all weights have to be equal to the
 * last bit. */
#include "workloads/backprop/qr_backprop.h"

#include <stdlib.h>
#include <string.h>

#include "sluice/program.h"
#include "workloads/common/floats.h"
#include "workloads/common/launches.h"
#include "workloads/common/matrix.h"

struct network {
    uint32_t inputs;
    float *input;   /* inputs + 1, of which the first is 1 */
    float *weight;  /* (inputs + 1) x PITCH, to the hidden units; column 0 is unused */
    float *change;  /* of the weights, the last time */
    float *partial; /* HIDDEN sums of each work-group */
    struct units *units;
};

struct arguments {
    uint32_t n;
    uint32_t epochs;
    struct network network; /* in the shared heap */
};

static const struct sl_argument table[] = {
    {"[N]", 0, SL_NUMBER, 1, 262144, SL_INTO(struct arguments, n)},
    {"epochs", 'e', SL_NUMBER, 1, SL_SEQUENCE_LAUNCHES / 4, SL_INTO(struct arguments, epochs),
     "How often to adjust the weights"},
    {0},
};

static uint32_t group_count(uint32_t inputs)
{
    return (inputs - 1) / HIDDEN + 1;
}

/* Random inputs, and weights that are smaller the more there are of them. */
static void fill(struct network *network)
{
    const uint32_t inputs = network->inputs;
    const size_t weights = (size_t)(inputs + 1) * PITCH;
    const float share = 4 / (float)inputs;
    uint64_t random = 1;

    matrix_fill(network->input, inputs + 1, &random);
    matrix_fill(network->weight, weights, &random);
    matrix_fill(network->units->out, PITCH, &random);
    for (size_t i = 0; i < weights; i++) {
        network->weight[i] *= share;
    }
    memset(network->change, 0, weights * sizeof *network->change);
    network->input[0] = 1;
    network->units->hidden[0] = 1;
}

static void make(struct sl_soc *soc, struct network *network, uint32_t inputs)
{
    const size_t weights = (size_t)(inputs + 1) * PITCH;

    network->inputs = inputs;
    network->input = sl_app_alloc(soc, (inputs + 1) * sizeof(float), 0);
    network->weight = sl_app_alloc(soc, weights * sizeof(float), 0);
    network->change = sl_app_alloc(soc, weights * sizeof(float), 0);
    network->partial = sl_app_alloc(soc, group_count(inputs) * HIDDEN * sizeof(float), 0);
    network->units = sl_app_alloc(soc, sizeof *network->units, 0);
    fill(network);
}

static enum sl_status train(struct launches *launches, const struct network *network,
                            uint32_t epochs)
{
    const uint32_t inputs = network->inputs, groups = group_count(inputs);
    const uint32_t side[2] = {HIDDEN, HIDDEN};
    const uint32_t grid[2] = {HIDDEN, groups * HIDDEN};
    const uint64_t input = (uintptr_t)network->input, weight = (uintptr_t)network->weight;
    const uint64_t change = (uintptr_t)network->change, partial = (uintptr_t)network->partial;
    const uint64_t units = (uintptr_t)network->units;
    const uint64_t forward[] = {input, weight, partial, inputs};
    const uint64_t hidden[] = {weight, partial, groups, units};
    const uint64_t output[] = {units};
    const uint64_t adjust[] = {input, weight, change, inputs, units};

    for (uint32_t i = 0; i < epochs; i++) {
        launches_add_plane(launches, "backprop_forward", grid, side, 0, forward, 4);
        launches_add_plane(launches, "backprop_hidden", side, side, 0, hidden, 4);
        launches_add(launches, "backprop_output", PITCH, PITCH, 0, output, 1);
        launches_add_plane(launches, "backprop_adjust", grid, side, 0, adjust, 5);
    }
    return launches_run(launches);
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    const struct network *const network = &arguments->network;
    struct launches launches = {.soc = soc, .module = sl_app_kernels(soc)};

    make(soc, &arguments->network, arguments->n);
    const enum sl_status status = train(&launches, network, arguments->epochs);
    if (status == SL_OK) {
        sl_app_result("qr_backprop(%" PRIu32 ") = %.9g", arguments->n,
                      (double)network->units->output);
    }
    return status;
}

/* The sum of HIDDEN values as a work-group adds them up. */
static float tree_sum(float *values)
{
    for (uint32_t stride = HIDDEN / 2; stride > 0; stride /= 2) {
        for (uint32_t i = 0; i < stride; i++) {
            values[i] += values[i + stride];
        }
    }
    return values[0];
}

static void forward_in_plain_c(struct network *network)
{
    const uint32_t groups = group_count(network->inputs);

    for (uint32_t unit = 1; unit <= HIDDEN; unit++) {
        float sums[HIDDEN] = {0};
        for (uint32_t group = 0; group < groups; group++) {
            float products[HIDDEN] = {0};
            for (uint32_t i = 0; i < HIDDEN && group * HIDDEN + i < network->inputs; i++) {
                const uint32_t row = group * HIDDEN + i + 1;
                products[i] = network->weight[(size_t)row * PITCH + unit] * network->input[row];
            }
            sums[group % HIDDEN] += tree_sum(products);
        }
        network->units->hidden[unit] = squash(network->weight[unit] + tree_sum(sums));
    }
}

static void adjust_in_plain_c(float *weight, float *before, float delta, float value)
{
    *before = change_of(delta, value, *before);
    *weight += *before;
}

static void backward_in_plain_c(struct network *network)
{
    struct units *const units = network->units;
    float sum = 0;

    for (uint32_t i = 0; i < PITCH; i++) {
        sum = fmaf(units->hidden[i], units->out[i], sum);
    }
    units->output = squash(sum);
    const float delta = slope(units->output) * (TARGET - units->output);
    for (uint32_t i = 0; i < PITCH; i++) {
        units->delta[i] = slope(units->hidden[i]) * (delta * units->out[i]);
        adjust_in_plain_c(&units->out[i], &units->out_change[i], delta, units->hidden[i]);
    }
    for (uint32_t row = 0; row <= network->inputs; row++) {
        for (uint32_t unit = 1; unit <= HIDDEN; unit++) {
            const size_t i = (size_t)row * PITCH + unit;
            adjust_in_plain_c(&network->weight[i], &network->change[i], units->delta[unit],
                              network->input[row]);
        }
    }
}

static bool are_equal(const char *what, const float *is, const float *wanted, size_t count)
{
    return floats_are_equal(what, is, wanted, count);
}

static bool networks_are_equal(const struct network *is, const struct network *wanted)
{
    const size_t weights = (size_t)(wanted->inputs + 1) * PITCH;

    return are_equal("weight", is->weight, wanted->weight, weights) &&
           are_equal("change of weight", is->change, wanted->change, weights) &&
           are_equal("hidden unit", is->units->hidden, wanted->units->hidden, PITCH) &&
           are_equal("weight to the output", is->units->out, wanted->units->out, PITCH) &&
           are_equal("output", &is->units->output, &wanted->units->output, 1);
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;
    const size_t weights = (size_t)(arguments->n + 1) * PITCH;
    float *const floats = sl_app_memory(2 * weights + arguments->n + 1, sizeof *floats);
    struct units units = {.output = 0};
    struct network network = {.inputs = arguments->n,
                              .weight = floats,
                              .change = floats + weights,
                              .input = floats + 2 * weights,
                              .units = &units};

    fill(&network);
    for (uint32_t i = 0; i < arguments->epochs; i++) {
        forward_in_plain_c(&network);
        backward_in_plain_c(&network);
    }
    const bool is_equal = networks_are_equal(&arguments->network, &network);
    free(floats);
    return is_equal;
}

static const struct sl_app app = {
    .doc = "Train a neural network of N inputs on the simulated accelerator, and check all "
           "weights.\vThe result is the output before the last change; it is to become 0.1.",
    .table = table,
    .arguments = &(struct arguments){.n = 8192, .epochs = 2},
    .kernels = "qr_backprop.elf",
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
