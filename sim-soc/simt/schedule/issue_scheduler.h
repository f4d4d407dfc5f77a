/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Scheduling policies of a SIMD unit: which of the wavefronts that could issue does.
 *
 * One call for each issued wavefront instruction. A policy has a file of its own, and is listed in
 * issue_scheduler.c by its choice of gpu.scheduler. All a policy may look at is `turn`,
 * `last` and `stamp` of the SIMD unit, so that runs stay repeatable. Every policy has to let a
 * wavefront that pauses stand behind the others: `stamp` is renewed by a pause, and `last` is then
 * no slot. */
#ifndef SLUICE_SIMT_SCHEDULE_ISSUE_SCHEDULER_H
#define SLUICE_SIMT_SCHEDULE_ISSUE_SCHEDULER_H

#include <stdint.h>

struct sl_config;

struct simd;

struct simt_scheduler {
    const char *name;
    /* A slot out of `ready`, one bit each, which is not zero. */
    uint32_t (*choose)(const struct simd *simd, uint64_t ready);
};

extern const struct simt_scheduler simt_round_robin;
extern const struct simt_scheduler simt_greedy_oldest;

/* The policy that the configuration names (gpu.scheduler). */
const struct simt_scheduler *simt_scheduler_of(const struct sl_config *config);

#endif
