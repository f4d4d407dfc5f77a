/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Compute units whose lanes may access what a table says, and single instructions that they
 * execute, each lane at an address of its own.
 *
 * What all of it needs beside the memory that a test is about: a machine's first TRIAL_OWN bytes of
 * the heap. Lanes may read the addresses there, whatever `ranges` a test chooses. */
#ifndef SLUICE_TESTS_PROTECTION_TRIAL_H
#define SLUICE_TESTS_PROTECTION_TRIAL_H

#include "soc/common/machine.h"

#define TRIAL_OWN    8192u
#define TRIAL_CODE   24u    /* bytes of its code */
#define TRIAL_KERNEL 0x5eed /* in fault records */

struct trial {
    struct machine *m;
    uint64_t addresses; /* of the lanes, 64 double words */
    uint64_t table;
    uint64_t program;
    uint64_t code;
    uint32_t lds_bytes; /* of each wavefront */
};

struct trial trial_create(const char *const *settings);
void trial_destroy(struct trial *t);

/* Puts one instruction into a kernel that starts at `code`, an even address: its operand rs1 is t1,
 * which has the lane's address, and the others are the test's to choose. `behind`, if not 0,
 * follows it. `is_routine`: they are in the channel routines. */
void trial_load(struct trial *t, uint64_t code, uint32_t word, uint32_t behind, bool is_routine);

/* Where the instruction is. */
uint64_t trial_pc(const struct trial *t);

/* Writes a table of `ranges`, which are in ascending order, and of the trial's own, and hands it
 * over. Returns what the device makes of it. */
int trial_protect(struct trial *t, const struct sl_range *ranges, uint32_t count);

/* Executes the kernel in `lanes` lanes at their addresses. Returns the fault, or NULL. */
const struct sl_fault *trial_run(struct trial *t, const uint64_t *addresses, uint32_t lanes);

/* The same with all lanes at one address. */
const struct sl_fault *trial_run_at(struct trial *t, uint64_t address, uint32_t lanes);

#endif
