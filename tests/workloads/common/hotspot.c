/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Temperatures of a chip in plain C: each cell with the same operations as in kernels, step by
 * step, so that all temperatures have to be equal to the last bit. */
#include "workloads/common/hotspot.h"

#include <stdlib.h>

#include "sluice/program.h"
#include "workloads/common/floats.h"
#include "workloads/common/matrix.h"

/* A square of silicon, in metres, and what it is made of. */
#define CHIP_SIDE       0.016
#define CHIP_THICKNESS  0.0005
#define CONDUCTIVITY    100.0  /* W / (m K) */
#define HEAT_CAPACITY   1.75e6 /* J / (m^3 K) */
#define CAPACITY_FACTOR 0.5    /* of a cell, which is more than one temperature */
#define STEP_SHARE      0.2 /* of the time in which a cell's temperature would be its neighbours' */
#define POWER_MAX       100.0f /* W, of the whole chip */

void hotspot_fill_temperatures(float *temperatures, size_t cells)
{
    uint64_t random = 1;

    matrix_fill(temperatures, cells, &random);
    for (size_t i = 0; i < cells; i++) {
        temperatures[i] = AMBIENT + 10 * (1 + temperatures[i]);
    }
}

void hotspot_fill_power(float *power, size_t cells)
{
    uint64_t random = 2;

    matrix_fill(power, cells, &random);
    for (size_t i = 0; i < cells; i++) {
        power[i] = POWER_MAX / (float)cells * power[i] * power[i];
    }
}

/* A cell is a node of a network of thermal resistances, to its neighbours and to the chip's
 * surroundings, with a capacity. */
struct flow hotspot_flow(uint32_t n)
{
    const double side = CHIP_SIDE / n;
    const double capacity = CAPACITY_FACTOR * HEAT_CAPACITY * CHIP_THICKNESS * side * side;
    const double lateral_ohm = 1 / (2 * CONDUCTIVITY * CHIP_THICKNESS);
    const double up_ohm = CHIP_THICKNESS / (CONDUCTIVITY * side * side);
    const double step_s = STEP_SHARE * capacity / (4 / lateral_ohm + 1 / up_ohm);

    return (struct flow){.lateral = (float)(step_s / capacity / lateral_ohm),
                         .up = (float)(step_s / capacity / up_ohm),
                         .share = (float)(step_s / capacity)};
}

static void step_in_plain_c(const struct flow *flow, const float *power, size_t n,
                            const float *from, float *to)
{
    for (size_t row = 0; row < n; row++) {
        const float *const north = from + (row > 0 ? row - 1 : row) * n;
        const float *const here = from + row * n;
        const float *const south = from + (row + 1 < n ? row + 1 : row) * n;
        for (size_t i = 0; i < n; i++) {
            const float west = here[i > 0 ? i - 1 : i], east = here[i + 1 < n ? i + 1 : i];
            to[row * n + i] = temperature_after(flow, here[i], north[i], south[i], west, east,
                                                power[row * n + i]);
        }
    }
}

bool hotspot_is_right(uint32_t n, uint32_t steps, const float *power, const float *temperatures)
{
    const size_t cells = (size_t)n * n;
    const struct flow flow = hotspot_flow(n);
    float *const right = sl_app_memory(2 * cells, sizeof *right);
    float *const turn[2] = {right, right + cells};

    hotspot_fill_temperatures(right, cells);
    for (uint32_t step = 0; step < steps; step++) {
        step_in_plain_c(&flow, power, n, turn[step % 2], turn[(step + 1) % 2]);
    }
    const bool is_equal =
        floats_are_equal("temperature of cell", temperatures, turn[steps % 2], cells);
    free(right);
    return is_equal;
}
