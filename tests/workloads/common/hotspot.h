/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A chip of n x n cells, whose temperatures change over time: what programs begin with, and what
 * they have to end with. */
#ifndef SLUICE_WORKLOADS_COMMON_HOTSPOT_H
#define SLUICE_WORKLOADS_COMMON_HOTSPOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "workloads/common/hotspot_cell.h"

/* What a step makes of a cell on a chip of n x n of them. */
struct flow hotspot_flow(uint32_t n);

/* Temperatures of so many cells at the beginning, in kelvins. */
void hotspot_fill_temperatures(float *temperatures, size_t cells);

/* The power of each, in watts. */
void hotspot_fill_power(float *power, size_t cells);

/* Whether temperatures are those that plain C computes for this chip after so many steps, to the
 * last bit; says on standard error which is the first that is not. */
bool hotspot_is_right(uint32_t n, uint32_t steps, const float *power, const float *temperatures);

#endif
