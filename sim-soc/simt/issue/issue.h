/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Issue: which wavefront of a SIMD unit executes when, and what an instruction does. */
#ifndef SLUICE_SIMT_ISSUE_ISSUE_H
#define SLUICE_SIMT_ISSUE_ISSUE_H

#include "simt/unit/unit.h"

/* A SIMD unit looks for an instruction to issue. */
void issue_event(struct event *event);

/* execute.c: executes the instruction at the wavefront's program counter. */
void execute(struct wave *wave, const struct simt_op *op, uint64_t cycle);

/* cross.c: operations over the lanes of a wavefront. */
void cross_execute(struct wave *wave, const struct simt_op *op);

/* identity.c: identities in an NDRange. */
void identity_execute(struct wave *wave, const struct simt_op *op);

#endif
