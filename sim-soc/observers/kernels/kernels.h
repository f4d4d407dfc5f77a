/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The observer for a profile of kernels (recordings/kernel_profile.h): what each instruction of
 * each kernel has cost, and what calls have.
 *
 * Rows are found by a table for each kernel, with an entry for every two bytes of the program, and
 * are themselves in the shared block, in the order of their first use, so that what a kernel
 * executes lies together. Nothing is allocated but where a kernel is launched for the first time,
 * and where a wavefront yields within a call.
 *
 * Calls follow the reconvergence stack: what a wavefront spends from the call to the return of its
 * last lane is the call's, whatever other lanes do in between. A call within a call counts for
 * both, and so does one of the function itself, as in Callgrind: what recursive calls cost adds up
 * to more than the whole. What is left out: jumps to other functions (tail calls) are no calls;
 * lines that memory serves after a call's end are the caller's. */
#ifndef SLUICE_OBSERVERS_KERNELS_H
#define SLUICE_OBSERVERS_KERNELS_H

#include "observers/observers.h"

/* A wavefront has no table: no memory for it, or it has no context. */
#define KERNELS_NO_TABLE UINT32_MAX

/* Calls within each other that are followed. */
#define KERNELS_FRAMES 64u

struct kernels_frame {
    uint64_t site;
    uint64_t callee;
    uint64_t back; /* where it returns to */
    struct sl_kernel_cost begin;
};

/* One kernel. */
struct kernels_table {
    uint64_t kernel;
    uint32_t *row;  /* by place in the program: 1 + its row, or 0: none yet */
    uint32_t *call; /* by place of the site: 1 + its latest call, or 0 */
};

/* A wavefront that holds a context. */
struct kernels_wave {
    uint32_t table; /* its kernel's */
    bool yields;    /* it leaves to come again */
    uint64_t number;
    uint64_t pc; /* of its latest instruction */
    struct sl_kernel_cost total;
    uint32_t depth;               /* frames */
    uint32_t beyond;              /* calls within these that are not followed */
    struct kernels_frame *frames; /* KERNELS_FRAMES */
};

/* One that has yielded within a call. */
struct kernels_parked {
    struct kernels_parked *next;
    struct kernels_wave wave; /* whose frames are these */
    struct kernels_frame frames[];
};

struct kernels {
    struct observer base;
    struct sl_kernel_profile *shared;
    uint64_t base_pc; /* of the program */
    uint64_t bytes;
    uint32_t contexts; /* of a compute unit */
    uint32_t wave_count;
    struct kernels_wave *waves; /* by compute unit and context */
    struct kernels_frame *frames;
    struct kernels_table *tables;
    uint32_t table_count;
    uint32_t table_capacity;
    struct kernels_parked *parked;
    struct sl_kernel_cost spare;                 /* where what has no row goes */
    uint32_t next_call[SL_KERNEL_PROFILE_CALLS]; /* 1 + the next one of the same site, or 0 */
};

static inline struct kernels_wave *kernels_wave(struct kernels *kernels, uint32_t cu,
                                                uint32_t context)
{
    return &kernels->waves[cu * kernels->contexts + context];
}

/* ---- kernel_tables.c ---- */

/* The program's code is here from now on. */
void kernels_load(struct kernels *kernels, uint64_t base, uint64_t bytes);

/* The number of a kernel's table, which is made where there is none; KERNELS_NO_TABLE when out
 * of memory. */
uint32_t kernels_find_table(struct kernels *kernels, uint64_t kernel);

/* The costs of an instruction of a kernel, where there is room for them. */
struct sl_kernel_cost *kernels_cost(struct kernels *kernels, uint32_t table, uint64_t pc);

/* A call, likewise, or NULL. */
struct sl_kernel_profile_call *kernels_call(struct kernels *kernels, uint32_t table, uint64_t site,
                                            uint64_t callee);

void kernels_destroy_tables(struct kernels *kernels);

/* ---- calls.c ---- */

void kernels_enter(struct kernels *kernels, struct kernels_wave *wave, const struct obs_call *call);

/* The last lanes of a call return to an address. */
void kernels_return(struct kernels *kernels, struct kernels_wave *wave, uint64_t back);

/* All calls of a wavefront end here. */
void kernels_end_calls(struct kernels *kernels, struct kernels_wave *wave);

/* The wavefront yields; it has a context again; none that has yielded will. */
void kernels_park(struct kernels *kernels, struct kernels_wave *wave);
void kernels_unpark(struct kernels *kernels, struct kernels_wave *wave);
void kernels_end_parked(struct kernels *kernels);

#endif
