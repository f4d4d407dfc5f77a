/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Control flow of wavefronts: branches, jumps, calls and returns on the reconvergence stack, and
 * the barrier of a work-group. */
#ifndef SLUICE_SIMT_CONTROL_CONTROL_H
#define SLUICE_SIMT_CONTROL_CONTROL_H

#include "simt/unit/unit.h"

void control_branch(struct wave *wave, const struct simt_op *op);
void control_jal(struct wave *wave, const struct simt_op *op);
void control_jalr(struct wave *wave, const struct simt_op *op, uint64_t cycle);

/* A wavefront comes to a barrier. */
void barrier_execute(struct wave *wave, const struct simt_op *op, uint64_t cycle);

#endif
