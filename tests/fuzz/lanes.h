/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Executes the same machine code with the same inputs on the compute units' model, 64 lanes at a
 * time, and in qemu-riscv64, one lane after the other. */
#ifndef SLUICE_TESTS_FUZZ_LANES_H
#define SLUICE_TESTS_FUZZ_LANES_H

#include <stddef.h>
#include <stdint.h>

#include "fuzz/exchange.h"
#include "host/driver/code/analysis.h"

#define FUZZ_LANES 64

/* Lanes may have memory of their own from here on. */
#define FUZZ_SCRATCH_BASE  0x81000000u
#define FUZZ_SCRATCH_BYTES 0x00800000u

struct fuzz_segment {
    uint64_t address;
    uint64_t bytes;
    const void *data;
    uint64_t data_bytes;
};

struct fuzz_wave {
    uint64_t pc;
    uint64_t mask; /* the lanes that execute */
};

/* Code, which is segment 0 and whole words, and the wavefronts that execute it. */
struct fuzz_batch {
    const struct fuzz_segment *segments;
    size_t segment_count;
    const struct sl_function *functions;
    size_t function_count;
    const struct fuzz_wave *waves;
    size_t wave_count;

    /* Where not 0, registers that are dead are overwritten every so many cycles, but for `kept`
     * (bit i for xi, bit 32 + i for fi), in which waves have results when they have ended. */
    uint64_t overwrite_cycles;
    uint64_t kept;
};

struct fuzz_machine;

/* `settings` are NULL-terminated, as for sl_config_set(). Fails the test where one is wrong. */
struct fuzz_machine *fuzz_machine_create(const char *const *settings);
void fuzz_machine_destroy(struct fuzz_machine *machine);

/* Both execute lanes[wave * FUZZ_LANES + lane] of all waves in place. A fault, a wait without end
 * or a program that QEMU stops fails the test. */
void fuzz_run_on_model(struct fuzz_machine *machine, unsigned variant,
                       const struct fuzz_batch *batch, struct exchange_lane *lanes);
void fuzz_run_in_qemu(const struct fuzz_batch *batch, struct exchange_lane *lanes);

/* Lane instructions that the model has executed so far. */
uint64_t fuzz_lane_instructions(const struct fuzz_machine *machine);

/* Registers of wavefronts that were overwritten so far. */
uint64_t fuzz_overwritten(const struct fuzz_machine *machine);

/* Number of variants of the lane operations that this host executes, and their names. */
unsigned fuzz_variants(void);
const char *fuzz_variant_name(unsigned variant);

#endif
