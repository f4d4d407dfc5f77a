/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Which instructions a trace is to have (recordings/instructions.h). */
#ifndef SLUICE_OBSERVERS_TRACE_FILTER_H
#define SLUICE_OBSERVERS_TRACE_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#include "events/events.h"
#include "mem/dram.h"
#include "recordings/instructions.h"

struct trace_filter {
    const struct sl_traced *wanted;
    struct dram dram;
    uint64_t kernel; /* address of the one that was asked for last, 0: none */
    uint64_t entry;  /* of it */
    bool passes;     /* it */
};

/* A run begins. */
void trace_filter_begin(struct trace_filter *filter);

/* Whether a wavefront's instruction is wanted; sets `entry`. */
bool trace_filter_wave(struct trace_filter *filter, const struct obs_wave *wave, uint64_t time_ps,
                       uint64_t pc);

/* Whether the firmware's is. */
bool trace_filter_firmware(const struct trace_filter *filter, uint64_t time_ps, uint64_t pc);

#endif
