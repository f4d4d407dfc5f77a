/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The numbers of the configuration that compute units need on their way. */
#ifndef SLUICE_SIMT_UNIT_SHAPE_H
#define SLUICE_SIMT_UNIT_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#include "simt/program/latencies.h"

struct sl_config;

struct cu_shape {
    uint32_t simds;
    uint32_t contexts;
    uint32_t lanes;
    uint64_t full_mask;
    uint32_t pass_cycles; /* a wavefront instruction goes over the lanes of a SIMD unit once */
    uint32_t memory_ops;
    uint32_t lines_per_cycle;
    uint32_t line_bytes; /* of the memory system */
    uint32_t line_shift;
    uint32_t pause_cycles;
    uint32_t spin_limit;
    uint32_t registers; /* of each SIMD unit */
    uint32_t lds_bytes;
    uint32_t lds_banks;
    uint32_t lds_cycles;
    uint32_t barrier_cycles;
    uint64_t cycle_ps;
    uint64_t stack_bytes;
    uint32_t stack_hardware; /* entries in hardware */
    uint32_t stack_capacity; /* and in memory */
    int64_t backoff; /* enum sl_lock_backoff: after a round of lock requests that none has won */
    uint64_t backoff_cycles;
    uint64_t backoff_limit;
    uint32_t write_buffer; /* stores; 0 is no limit */
    bool orders_private;   /* the consistency model, stacks too */
    bool splits_misaligned;
    bool saves_live; /* yields save live registers alone */
    struct simt_timing timing;
};

/* `line_bytes`: of the memory system, a power of two. */
struct cu_shape cu_shape_of(const struct sl_config *config, uint32_t line_bytes);

#endif
