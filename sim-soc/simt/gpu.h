/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The compute units as a whole, and what they have in common. */
#ifndef SLUICE_SIMT_GPU_H
#define SLUICE_SIMT_GPU_H

#include "check/launch/group_occupancy.h"
#include "simt/context/context.h"
#include "simt/deadlock/deadlock.h"
#include "simt/lifecycle/lifecycle.h"
#include "simt/unit/pool.h"
#include "simt/unit/unit.h"

struct sl_config;
struct sl_layout;

/* Wavefronts that were written to their blocks of the pool (struct sl_wave_state). */
struct gpu_dump {
    int64_t on_fault; /* enum sl_debug_dump */
    bool has_registers;
    uint64_t first;
    uint32_t wavefronts;
};

struct gpu {
    struct cu_environment env;
    struct mem_system *mem;
    struct event_queue *event_queue;
    struct pool pool;
    struct deadlock_detector detector;
    struct gpu_dump dump;
    uint32_t cu_count;
    struct cu *cus;
    struct wave *waves;         /* of all, by compute unit */
    struct stack_entry *stacks; /* their reconvergence stacks */
};

/* What it is made of; the parts are the caller's. */
struct gpu_parts {
    const struct sl_config *config;
    const struct sl_layout *layout;
    const struct dram *dram;
    struct mem_system *mem;
    struct event_queue *event_queue;
    struct activity *activity;
    const struct stream *stream;
};

/* Makes the compute units of a configuration; their listener (env.listener) is the caller's to set.
 * NULL when out of memory. */
struct gpu *gpu_create(const struct gpu_parts *parts);
void gpu_destroy(struct gpu *gpu);

/* Ends all wavefronts without further effect, and opens kernel memory and the shared heap to lanes;
 * the caller empties the event queue. */
void gpu_reset(struct gpu *gpu);

/* A run begins at cycle zero; nothing may be resident. */
void gpu_begin(struct gpu *gpu);

/* Nothing issues any more: tells observers what wavefronts wait for up to now, and that they stop.
 */
void gpu_stop(const struct gpu *gpu);

/* Takes the table of what lanes may access at an address (struct sl_protection); 0: they may access
 * kernel memory and the shared heap. Returns 0, or -1 where it is none, and then they may access
 * nothing there but the code. */
int gpu_protect(struct gpu *gpu, uint64_t address);

/* Takes the program that a descriptor describes. Returns 0, or -1 where it is bad or wavefronts are
 * resident. */
int gpu_load_program(struct gpu *gpu, uint64_t descriptor);

/* Whether some compute unit has a free context and the pool a free block. */
bool gpu_has_context(const struct gpu *gpu);

/* The shape of each compute unit. */
struct sl_cu_shape gpu_cu_shape(const struct gpu *gpu);

/* The counters of all compute units together. */
struct cu_counters gpu_counters(const struct gpu *gpu);

/* The oldest wavefront that runs, or NULL. */
struct wave *gpu_oldest_wave(struct gpu *gpu);

/* ---- dump.c: the wavefront inspector ---- */

/* Writes the state of all resident wavefronts to their blocks of the wavefront state pool, and
 * notes in gpu->dump where. Changes nothing that the wavefronts or firmware could notice. */
void gpu_dump_all(struct gpu *gpu, bool with_registers);

/* What debug.dump wants of the wavefronts when one faults, before it ends. */
void gpu_dump_fault(struct gpu *gpu, const struct wave *wave, enum sl_fault_code code);

#endif
