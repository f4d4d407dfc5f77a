/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Timing of instruction classes: issue, latency and initiation interval
 * (simt/program/latencies.def).
 *
 * Issue is how long a SIMD unit issues nothing else, latency is when the result can be used, and
 * the initiation interval is when the next instruction of the same unit can issue on this SIMD
 * unit, of whichever wavefront. Memory instructions, fences and pauses take issue alone: their
 * latency comes from memory. */
#ifndef SLUICE_SIMT_PROGRAM_LATENCIES_H
#define SLUICE_SIMT_PROGRAM_LATENCIES_H

#include <stdint.h>

#include "isa/isa.h"

struct sl_config;

enum simt_unit {
#define SIMT_UNIT(NAME, passes, cycles, interval) UNIT_##NAME,
#define SIMT_CLASS(CLASS, UNIT)
#include "simt/program/latencies.def"
#undef SIMT_UNIT
#undef SIMT_CLASS
    UNIT_MEMORY, /* loads, stores, atomics, fences, pauses: no unit of the SIMD unit's own */
    UNIT_COUNT
};

/* In CU cycles. */
struct simt_cost {
    uint16_t issue;
    uint16_t latency;
    uint16_t interval;
    uint16_t unit; /* enum simt_unit */
};

struct simt_timing {
    struct simt_cost of[SL_CLASS_COUNT]; /* by enum sl_insn_class */
};

/* `pass_cycles` is what a wavefront instruction takes to go over the lanes of a SIMD unit once. */
struct simt_timing simt_timing_of(const struct sl_config *config, uint32_t pass_cycles);

#endif
