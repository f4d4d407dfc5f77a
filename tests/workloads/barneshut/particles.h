/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The particles of barneshut.c. */
#ifndef SLUICE_WORKLOADS_BARNESHUT_PARTICLES_H
#define SLUICE_WORKLOADS_BARNESHUT_PARTICLES_H

#include <stdint.h>

/* Places of n particles of a Plummer model with a radius of 1, cut off where it has 99.9 % of its
 * mass: dense in the middle, thin outside. Coordinates are as tree.h says. */
void particles_make(uint32_t n, uint32_t seed, float *x, float *y, float *z);

#endif
