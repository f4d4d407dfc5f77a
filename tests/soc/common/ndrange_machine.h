/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Dispatcher and compute units with memory and rings, but without aggregator: the test writes
 * packets itself. Programs are words that the test gives, or an ELF file of kernels. */
#ifndef SLUICE_TESTS_NDRANGE_MACHINE_H
#define SLUICE_TESTS_NDRANGE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dispatcher/dispatcher.h"
#include "host/driver/code/elf.h"
#include "sluice/config.h"

struct ndrange_machine {
    struct sl_config config;
    struct sl_layout layout;
    struct dram dram;
    struct cu_counters counters;
    struct window window;
    struct gpu *gpu;
    struct dispatcher dispatcher;
    struct sl_elf elf; /* of ndrange_load() */
    bool has_elf;
    uint64_t next; /* free memory in the heap */
    struct sl_dispatch *dispatches;
    struct sl_completion *completions;
    struct sl_fault *faults;
    uint32_t tail;
};

/* With settings as of --set, NULL behind the last. Fails the test where one is bad. */
struct ndrange_machine *ndrange_create(const char *const *settings);
void ndrange_destroy(struct ndrange_machine *machine);

/* Zeroed memory of the heap, and where an address is in this process. */
uint64_t ndrange_take(struct ndrange_machine *machine, uint64_t bytes);
void *ndrange_at(const struct ndrange_machine *machine, uint64_t address);

/* Loads a program of these words at SL_KERNEL_BASE; lanes that diverge at the branch with index
 * `branch` (or none: SIZE_MAX) meet at the word with index `meet`. */
void ndrange_assemble(struct ndrange_machine *machine, const uint32_t *words, size_t count,
                      size_t branch, size_t meet);

/* Loads build/kernels/`file`. */
void ndrange_load(struct ndrange_machine *machine, const char *file);

/* The address of a function of the ELF file. */
uint64_t ndrange_function(const struct ndrange_machine *machine, const char *name);

/* What the next packets have in common. */
struct ndrange_kernel {
    uint64_t entry;
    uint32_t registers;
    uint32_t argument_count;
    uint32_t float_arguments;
    uint64_t argument[SL_LAUNCH_ARGUMENTS];
};

/* Writes an NDRange packet and rings the doorbell. Its id is the number of packets before it. */
void ndrange_dispatch(struct ndrange_machine *machine, const struct ndrange_kernel *kernel,
                      const uint32_t grid[3], const uint32_t group[3], uint32_t lds_bytes);

/* Runs until nothing happens any more, or a cycle; returns the cycle of the last event. */
uint64_t ndrange_run(struct ndrange_machine *machine);

uint32_t ndrange_completions(const struct ndrange_machine *machine);
uint32_t ndrange_faults(const struct ndrange_machine *machine);

#endif
