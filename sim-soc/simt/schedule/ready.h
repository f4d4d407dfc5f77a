/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* When a wavefront's next instruction can issue, and which of its SIMD unit's wavefronts that is
 * for the event queue. */
#ifndef SLUICE_SIMT_SCHEDULE_READY_H
#define SLUICE_SIMT_SCHEDULE_READY_H

#include "simt/unit/unit.h"

/* The wavefront goes on with the instruction at its program counter: fetches it, and sees to it
 * that its SIMD unit looks when it is ready. */
void ready_schedule(struct wave *wave, uint64_t cycle);

/* As ready_schedule(), for the wavefront that issues: its unit looks after it anyway. */
void ready_look_ahead(struct wave *wave, uint64_t cycle);

/* Something that the wavefront waits for was not known and is now: its next instruction may be
 * ready, or its end, where it drains and nothing that memory has been handed is under way. */
void ready_wake(struct wave *wave);

/* The wavefront issues nothing more. */
void ready_stop(struct wave *wave);

/* The wavefront is now the youngest of its SIMD unit, and not the one that issued last: it was
 * launched, or stands back. */
void ready_stamp(struct wave *wave);

/* Queues the unit's event for the earliest cycle at which it can issue; `earliest` is that of its
 * wavefronts. */
void ready_requeue(struct simd *simd, uint64_t earliest);

#endif
