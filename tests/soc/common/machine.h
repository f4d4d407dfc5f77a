/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Compute units without front end, for tests: launches wavefronts directly and keeps what became of
 * each.
 *
 * DRAM is 64 MiB of sparse memory at any address of the process. The clock starts at cycle 0, and
 * machine_launch() launches at the current cycle. With the default configuration (1 GHz, flat
 * memory) a wavefront that is launched at cycle c issues its first instruction at c + 2: its code
 * line takes 2 cycles. */
#ifndef SLUICE_TESTS_MACHINE_H
#define SLUICE_TESTS_MACHINE_H

#include <stdint.h>

#include "common/asm.h"
#include "simt/gpu.h"
#include "sluice/config.h"

#define MACHINE_WAVES  64 /* whose ends are kept */
#define MACHINE_FAULTS 16

/* A wavefront that has ended, by its number. */
struct machine_wave {
    bool has_ended;
    uint64_t end_cycle; /* its context is free */
    uint32_t cu;
    uint32_t context;
    lane_vector x[WAVE_REGISTERS];
};

struct machine {
    struct sl_config config;
    struct sl_layout layout;
    struct dram dram;
    struct cu_counters counters;
    struct gpu *gpu;
    struct mem_system *mem;                  /* the gpu's */
    uint64_t next;                           /* free memory in the heap */
    uint64_t arguments[SL_KERNEL_ARGUMENTS]; /* of wavefronts that are launched: a2 and up */
    struct machine_wave waves[MACHINE_WAVES];
    uint32_t ended;
    struct sl_fault fault[MACHINE_FAULTS];
    uint32_t faults;
};

/* Sets a configuration for tests: 64 MiB of DRAM, one compute unit, and what `settings` (up to
 * NULL) say. */
void machine_configure(struct sl_config *config, const char *const *settings);

/* Bytes of what is computed from code when it is loaded. */
uint64_t machine_table_bytes(const struct asm_code *code);

/* Copies finished code to SL_KERNEL_BASE and computes its tables (reconvergence, as lock.stack
 * wants it, and live registers) into memory at `table`, a multiple of 8. Returns what struct
 * sl_program has to say about it. */
struct sl_program machine_place(const struct sl_config *config, const struct dram *dram,
                                struct asm_code *code, uint64_t table);

struct machine *machine_create(const char *const *settings);
void machine_destroy(struct machine *m);

/* machine_create() of settings as arguments. */
#define MACHINE(...) machine_create((const char *const[]){__VA_ARGS__, NULL})

/* Loads code, which may then be taken apart. */
void machine_load(struct machine *m, struct asm_code *code);

/* Zeroed memory in the heap, in whole cache lines, and where it is in this process. */
uint64_t machine_take(struct machine *m, uint64_t bytes);
void *machine_at(const struct machine *m, uint64_t address);

/* Launches a wavefront now: `count` lanes at code offset `pc`, whose a1 count from `first`. */
void machine_launch(struct machine *m, uint32_t cu, uint32_t pc, uint32_t first, uint32_t count);

/* Runs until every wavefront has ended. Fails the test when that takes more than ten million
 * cycles. */
void machine_run(struct machine *m);

/* Loads code, launches one wavefront of `count` lanes and runs it. Returns its end. */
const struct machine_wave *machine_execute(struct machine *m, struct asm_code *code,
                                           uint32_t count);

#endif
