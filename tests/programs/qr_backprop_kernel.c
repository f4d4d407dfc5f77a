/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernels of qr_backprop.c. Work-groups are HIDDEN x HIDDEN: in x the hidden units, in y
 * inputs, or shares of a sum. */
#include "programs/qr_backprop.h"
#include "wave/sluice_wave.h"

static SL_LDS float tile[HIDDEN][HIDDEN];

/* Adds up the columns of the tile; the sums are in row 0. */
static inline __attribute__((always_inline)) void add_columns(uint32_t x, uint32_t y)
{
    sl_barrier();
    for (uint32_t stride = HIDDEN / 2; stride > 0; stride /= 2) {
        if (y < stride) {
            tile[y][x] += tile[y + stride][x];
        }
        sl_barrier();
    }
}

/* What a work-group's inputs, a row of weights for each, add to the hidden units. */
SL_KERNEL void backprop_forward(const struct network *network)
{
    static SL_LDS float input[HIDDEN];
    const uint32_t x = sl_local_id(0), y = sl_local_id(1);
    const uint32_t row = sl_global_id(1) + 1;
    const uint32_t inputs = network->inputs;

    if (x == 0) {
        input[y] = row <= inputs ? network->input[row] : 0;
    }
    sl_barrier();
    tile[y][x] = row <= inputs ? network->weight[row * PITCH + x + 1] * input[y] : 0;
    add_columns(x, y);
    if (y == 0) {
        network->partial[sl_group_id(1) * HIDDEN + x] = tile[0][x];
    }
}

/* The hidden units, of these sums. One work-group. */
SL_KERNEL void backprop_hidden(struct network *network, uint32_t groups)
{
    const uint32_t x = sl_local_id(0), y = sl_local_id(1);
    float sum = 0;

    for (uint32_t group = y; group < groups; group += HIDDEN) {
        sum += network->partial[group * HIDDEN + x];
    }
    tile[y][x] = sum;
    add_columns(x, y);
    if (y == 0) {
        network->hidden[x + 1] = squash(network->weight[x + 1] + tile[0][x]);
    }
}

/* The output, what it lacks, how much of that comes from each hidden unit, and the weights between
 * them. A work-item for each hidden unit, and the first one for the bias. */
SL_KERNEL void backprop_output(struct network *network)
{
    const uint32_t unit = sl_global_id(0);
    float sum = 0;

    for (uint32_t i = 0; i < PITCH; i++) {
        sum = __builtin_fmaf(network->hidden[i], network->out[i], sum);
    }
    const float output = squash(sum);
    const float delta = slope(output) * (network->target - output);
    sl_barrier(); /* all have loaded the weights */
    const float hidden = network->hidden[unit];
    network->delta[unit] = slope(hidden) * (delta * network->out[unit]);
    const float change = change_of(delta, hidden, network->out_change[unit]);
    network->out[unit] += change;
    network->out_change[unit] = change;
    if (unit == 0) {
        network->output = output;
    }
}

static inline __attribute__((always_inline)) void adjust(const struct network *network,
                                                         uint32_t row, uint32_t unit)
{
    const uint32_t i = row * PITCH + unit;
    const float change = change_of(network->delta[unit], network->input[row], network->change[i]);

    network->weight[i] += change;
    network->change[i] = change;
}

/* The weights between inputs and hidden units, and those of the bias. */
SL_KERNEL void backprop_adjust(const struct network *network)
{
    const uint32_t unit = sl_local_id(0) + 1, row = sl_global_id(1) + 1;

    if (row <= network->inputs) {
        adjust(network, row, unit);
    }
    if (row == 1) {
        adjust(network, 0, unit);
    }
}
