/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernels of qr_backprop.c. Work-groups are HIDDEN x HIDDEN: in x the hidden units, in y
 * inputs, or shares of a sum. */
#include "sluice/wave/wave.h"
#include "workloads/backprop/qr_backprop.h"

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
SL_KERNEL void backprop_forward(const float *inputs, const float *weights, float *partials,
                                uint32_t count)
{
    static SL_LDS float input[HIDDEN];
    const uint32_t x = sl_local_id(0), y = sl_local_id(1);
    const uint32_t row = sl_global_id(1) + 1;

    if (x == 0) {
        input[y] = row <= count ? inputs[row] : 0;
    }
    sl_barrier();
    tile[y][x] = row <= count ? weights[row * PITCH + x + 1] * input[y] : 0;
    add_columns(x, y);
    if (y == 0) {
        partials[sl_group_id(1) * HIDDEN + x] = tile[0][x];
    }
}

/* The hidden units, of these sums. One work-group. */
SL_KERNEL void backprop_hidden(const float *weights, const float *partials, uint32_t groups,
                               struct units *units)
{
    const uint32_t x = sl_local_id(0), y = sl_local_id(1);
    float sum = 0;

    for (uint32_t group = y; group < groups; group += HIDDEN) {
        sum += partials[group * HIDDEN + x];
    }
    tile[y][x] = sum;
    add_columns(x, y);
    if (y == 0) {
        units->hidden[x + 1] = squash(weights[x + 1] + tile[0][x]);
    }
}

/* The output, what it lacks, how much of that comes from each hidden unit, and the weights between
 * them. A work-item for each hidden unit, and the first one for the bias. */
SL_KERNEL void backprop_output(struct units *units)
{
    const uint32_t unit = sl_global_id(0);
    float sum = 0;

    for (uint32_t i = 0; i < PITCH; i++) {
        sum = __builtin_fmaf(units->hidden[i], units->out[i], sum);
    }
    const float output = squash(sum);
    const float delta = slope(output) * (TARGET - output);
    sl_barrier(); /* all have loaded the weights */
    const float hidden = units->hidden[unit];
    units->delta[unit] = slope(hidden) * (delta * units->out[unit]);
    const float change = change_of(delta, hidden, units->out_change[unit]);
    units->out[unit] += change;
    units->out_change[unit] = change;
    if (unit == 0) {
        units->output = output;
    }
}

static inline __attribute__((always_inline)) void adjust(float *weight, float *before, float delta,
                                                         float value)
{
    const float change = change_of(delta, value, *before);

    *weight += change;
    *before = change;
}

/* The weights between inputs and hidden units, and those of the bias. */
SL_KERNEL void backprop_adjust(const float *inputs, float *weights, float *changes, uint32_t count,
                               const struct units *units)
{
    const uint32_t unit = sl_local_id(0) + 1, row = sl_global_id(1) + 1;
    const uint32_t i = row * PITCH + unit;
    const float delta = units->delta[unit];

    if (row <= count) {
        adjust(&weights[i], &changes[i], delta, inputs[row]);
    }
    if (row == 1) {
        adjust(&weights[unit], &changes[unit], delta, inputs[0]);
    }
}
