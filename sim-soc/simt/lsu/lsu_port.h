/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The port of a compute unit to memory: gpu.lines_per_cycle lines a cycle (papers/001 Table 2),
 * whatever they are of. */
#ifndef SLUICE_SIMT_LSU_LSU_PORT_H
#define SLUICE_SIMT_LSU_LSU_PORT_H

#include "engine/clock.h"
#include "simt/unit/unit.h"

/* Takes the next free slot from a cycle on; returns its time, in ps. */
static inline uint64_t port_take(struct cu *cu, uint64_t cycle)
{
    const uint64_t per_cycle = cu->shape.lines_per_cycle;
    const uint64_t slot = later(cycle * per_cycle, cu->port_slot);

    cu->port_slot = slot + 1;
    return (per_cycle == 1 ? slot : slot / per_cycle) * cu->shape.cycle_ps;
}

#endif
