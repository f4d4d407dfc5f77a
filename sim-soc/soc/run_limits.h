/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The limits of a run in simulated time (docs/know/trust.md, "Watchdogs").
 *
 * gpu.cycle_limit counts from the run's first doorbell to its end. Nothing that firmware does winds
 * it up again: no doorbell, reset or pause, and no second run either, since the runs of one message
 * of the host share it. Before the first doorbell, and once it was told that a limit is reached,
 * firmware has a time in which it cannot fail to be done; else it hangs. While it has executed too
 * few instructions in that time, it has waited for memory, and has the time once more. */
#ifndef SLUICE_SOC_RUN_LIMITS_H
#define SLUICE_SOC_RUN_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

struct sl_config;

#define LIMIT_NEVER UINT64_MAX

struct limits {
    uint64_t cycles;   /* gpu.cycle_limit, */
    uint64_t span_ps;  /* the same as a time */
    uint64_t grace_ps; /* more than firmware can need */
    uint64_t limit_ps; /* where the limit is reached, or LIMIT_NEVER: before it starts, and after */
    uint64_t hang_ps;  /* where firmware hangs, or LIMIT_NEVER: while the limit runs */
    uint64_t instructions; /* of firmware in the run, when hang_ps was set first */
    uint64_t used_ps;      /* by earlier runs of the same message, */
    uint32_t message;      /* which is this one; 0: firmware has never read any */
};

void limits_init(struct limits *limits, const struct sl_config *config, uint64_t cycle_ps);

/* A run begins, at time zero; firmware has read so many messages. */
void limits_begin(struct limits *limits, uint32_t message);

/* A doorbell: the run's first one starts the limit. */
void limits_start(struct limits *limits, uint64_t now_ps);

/* A limit is reached, and firmware is told, which has executed so many instructions in the run. */
void limits_reached(struct limits *limits, uint64_t now_ps, uint64_t instructions);

/* hang_ps is reached. Returns whether firmware hangs; else it has as much time again. */
bool limits_hangs(struct limits *limits, uint64_t now_ps, uint64_t instructions);

/* The run has ended. */
void limits_end(struct limits *limits, uint64_t now_ps);

/* The next one of both times. */
static inline uint64_t limits_next(const struct limits *limits)
{
    return limits->limit_ps < limits->hang_ps ? limits->limit_ps : limits->hang_ps;
}

#endif
