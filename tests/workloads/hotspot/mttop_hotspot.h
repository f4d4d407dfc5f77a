/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What host program and kernel of mttop_hotspot.c share. */
#ifndef SLUICE_WORKLOADS_HOTSPOT_MTTOP_HOTSPOT_H
#define SLUICE_WORKLOADS_HOTSPOT_MTTOP_HOTSPOT_H

#include <stdint.h>

#include "workloads/common/hotspot_cell.h"

struct chip {
    struct flow flow;
    uint32_t n; /* cells of a row, and rows */
    uint32_t steps;
    float *power;           /* of each cell, in watts */
    float *temperatures[2]; /* in turn */
};

#endif
