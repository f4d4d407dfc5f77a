/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The fault ring: what went wrong, of wavefronts, packets, and the run as a whole. What finds no
 * space in the ring is counted. */
#ifndef SLUICE_DISPATCHER_FAULT_RING_H
#define SLUICE_DISPATCHER_FAULT_RING_H

#include "dispatcher/dispatcher_state.h"

/* Writes a fault record, which counts as a fault. */
void faults_put(struct dispatcher *dispatcher, const struct sl_fault *fault);

/* A bad packet: a fault. The reason may be 0. */
void faults_put_packet(struct dispatcher *dispatcher, const struct sl_dispatch *packet,
                       uint64_t address, enum sl_refusal reason);

/* The accounting of a packet's channel does not balance: a fault. */
void faults_put_audit(struct dispatcher *dispatcher, const struct sl_dispatch *packet,
                      const struct sl_audit_finding *finding);

/* The cycle limit is reached: ends the oldest resident wavefront with a fault; without one, reports
 * the fault alone. */
void faults_put_cycle_limit(struct dispatcher *dispatcher, uint64_t limit_cycles);

/* The limit without progress is: the same. */
void faults_put_no_progress(struct dispatcher *dispatcher, uint64_t limit_cycles);

/* The same where a loop has counted for so many cycles: its wavefront faults. */
void faults_put_counting(struct dispatcher *dispatcher, uint64_t cycles);

/* For the compute units (struct cu_listener). */
void faults_of_wave(void *dispatcher, const struct wave *wave, const struct sl_fault *fault);

/* A fault record is where firmware sees it (output_rings.h). */
void faults_seen(void *dispatcher, void *tag);

#endif
