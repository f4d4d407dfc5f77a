/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What the simulator leaves for the host to make a profile of kernels of: what each of their
 * instructions has cost, and what calls between their functions have.
 *
 * The simulator counts in here while it runs, and all is there when a run has ended; the host reads
 * then, and sets costs, counts of calls and losses to zero, as the address of a kernel may be that
 * of another one in the next run. Rows and calls stay, in the order in which they were first
 * needed. Sums are whole CU cycles and counts: those of all rows add up to the statistics of the
 * same runs (docs/do/profile.md). */
#ifndef SLUICE_RECORDINGS_KERNEL_PROFILE_H
#define SLUICE_RECORDINGS_KERNEL_PROFILE_H

#include <assert.h>
#include <stdint.h>

enum sl_stall {
#define SL_STALL(ID, name, words, text) SL_STALL_##ID,
#include "contract/stalls.def"
    SL_STALL_COUNT,
};

struct sl_kernel_cost {
    uint64_t wave_instructions;
    uint64_t lane_instructions;
    uint64_t line_accesses; /* of the L1, by loads, stores and atomics */
    uint64_t l1_misses;     /* of these, and those that the L2 did not serve either */
    uint64_t l2_misses;
    uint64_t cycles[SL_STALL_COUNT]; /* CU cycles of resident wavefronts */
};

/* An instruction, as far as one kernel executes it. */
struct sl_kernel_profile_row {
    uint64_t kernel; /* address of the struct sl_kernel */
    uint64_t pc;     /* address */
    struct sl_kernel_cost cost;
};

/* Calls from one instruction to one function, by wavefronts of one kernel. */
struct sl_kernel_profile_call {
    uint64_t kernel;
    uint64_t site;              /* address of the call */
    uint64_t callee;            /* address of the first instruction */
    uint64_t count;             /* wavefronts that came there, however many of their lanes */
    struct sl_kernel_cost cost; /* from the callee's first instruction to the last lane's return */
};

#define SL_KERNEL_PROFILE_ROWS  262144u
#define SL_KERNEL_PROFILE_CALLS 16384u

struct sl_kernel_profile {
    uint64_t row_count;
    uint64_t call_count;
    uint64_t lost_rows;  /* that found no room: sums are too small then */
    uint64_t lost_calls; /* likewise, and calls nested deeper than the simulator follows */
    uint64_t reserved[4];
    struct sl_kernel_profile_call calls[SL_KERNEL_PROFILE_CALLS];
    struct sl_kernel_profile_row rows[SL_KERNEL_PROFILE_ROWS];
};

#endif
