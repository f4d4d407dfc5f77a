/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What tests do that run code on the compute units without QEMU: a configuration, memory, the
 * compute units on it, and the tables of the code. Each test has its own machine of these parts.
 * Whatever fails, fails the test. With SLUICE_TEST_LAWS in the environment what runs is profiled,
 * too, and has to keep the laws of tests/common/kernel_laws.h. */
#ifndef SLUICE_TESTS_COMMON_FIXTURE_H
#define SLUICE_TESTS_COMMON_FIXTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/driver/code/analysis.h"
#include "simt/gpu.h"
#include "sluice/config.h"
#include "sluice/layouts.h"

/* The machine of tests/common/ideal.h with 64 MiB of DRAM, and with what both lists of settings say
 * (like "gpu.cus=1", NULL behind the last; NULL for no list), the second one winning. */
void fixture_configure(struct sl_config *config, const char *const *base,
                       const char *const *settings);

/* Sparse memory for DRAM anywhere in the process, all zero. */
struct dram fixture_dram_create(uint64_t bytes);
void fixture_dram_destroy(const struct dram *dram);

/* The layout of this configuration, DRAM, a memory system on it (the gpu's `mem`), and compute
 * units, whose listener is the caller's to set. fixture_destroy() gives all of it back. */
struct gpu *fixture_create(const struct sl_config *config, struct sl_layout *layout,
                           struct dram *dram);
void fixture_destroy(struct gpu *gpu);

/* Machines that are made from here on have this memory system, whatever mem.system says; NULL: what
 * it says. */
void fixture_memory(const struct mem_ops *ops);

/* A run begins at cycle zero. */
void fixture_begin(struct gpu *gpu);

/* Runs all events up to and including a cycle. */
void fixture_run(struct gpu *gpu, uint64_t cycle);

/* As register RESET does it: nothing is resident or under way. */
void fixture_reset(struct gpu *gpu);

/* A variant of the lane operations for all compute units. */
void fixture_set_lanes(struct gpu *gpu, const struct lanes_ops *lanes);

/* Nothing is counted yet, by compute units or memory; no wavefront may be resident. */
void fixture_clear_counters(struct gpu *gpu);

/* Bytes of the tables (reconvergence, live registers) of so many bytes of code. */
uint64_t fixture_table_bytes(uint64_t code_bytes);

/* Code in DRAM, in whole words, and what is known of it. */
struct fixture_code {
    uint64_t address;
    uint64_t bytes;
    const struct sl_function *functions;
    size_t function_count;
    bool has_no_joins; /* branches and locks stay as they are: lock.stack = thesis */
};

/* Computes the tables of code into memory at `table`, a multiple of 8. Returns what the device has
 * to be told of the program, but for its global pointer. */
struct sl_program fixture_analyse(const struct dram *dram, const struct fixture_code *code,
                                  uint64_t table);

#endif
