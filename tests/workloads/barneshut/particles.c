/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A Plummer model: what is within a radius r of all mass is (1 + r^-2)^-1.5. */
#include "workloads/barneshut/particles.h"

#include <math.h>

#include "workloads/barneshut/tree.h"

#define MASS_MAX 0.999

/* From 0 to less than 1; the multiplier of Knuth's MMIX generator. */
static double random_number(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 9007199254740992.0;
}

static double random_coordinate(uint64_t *state)
{
    return 2 * random_number(state) - 1;
}

static float in_units(double coordinate)
{
    return (float)round(coordinate / (double)COORDINATE_UNIT) * COORDINATE_UNIT;
}

/* On a sphere: what is in the ball around 0, drawn out to the radius. */
static void place(uint64_t *state, double radius, float *x, float *y, float *z)
{
    double a, b, c, square;

    do {
        a = random_coordinate(state);
        b = random_coordinate(state);
        c = random_coordinate(state);
        square = a * a + b * b + c * c;
    } while (square > 1 || square < 1e-6);
    const double scale = radius / sqrt(square);
    *x = in_units(a * scale);
    *y = in_units(b * scale);
    *z = in_units(c * scale);
}

void particles_make(uint32_t n, uint32_t seed, float *x, float *y, float *z)
{
    uint64_t state = seed;

    for (uint32_t i = 0; i < n; i++) {
        const double mass = MASS_MAX * random_number(&state);
        const double radius = 1 / sqrt(pow(mass, -2.0 / 3) - 1);
        place(&state, radius, &x[i], &y[i], &z[i]);
    }
}
