/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The trace of instructions (docs/do/trace.md): which ones the host wants to see, and the records
 * of them, in the order in which they happen. */
#ifndef SLUICE_RECORDINGS_INSTRUCTIONS_H
#define SLUICE_RECORDINGS_INSTRUCTIONS_H

#include <assert.h>
#include <stdint.h>

#include "recordings/ring.h"

/* ---- what is wanted ---- */

#define SL_TRACED_RANGES 256u

struct sl_traced_range {
    uint64_t first;
    uint64_t last; /* it included */
};

/* A list of which nothing is in stands for all. */
struct sl_traced_list {
    uint64_t count;
    struct sl_traced_range range[SL_TRACED_RANGES];
};

struct sl_traced {
    uint64_t waves;                /* whether those of wavefronts are wanted, */
    uint64_t firmware;             /* and those of the firmware */
    uint64_t results;              /* with what they write to registers */
    uint64_t from_ps;              /* in the time of a run: from here on, */
    uint64_t to_ps;                /* and before this */
    uint64_t lines;                /* at most so many, of all runs; UINT64_MAX: all */
    struct sl_traced_list kernels; /* entries of kernels; of wavefronts alone, as the next two */
    struct sl_traced_list numbers; /* of wavefronts */
    struct sl_traced_list cus;
    struct sl_traced_list pcs;
};

/* ---- records ---- */

enum sl_traced_kind {
    SL_TRACED_BEGIN,    /* of a run */
    SL_TRACED_END,      /* of a run: time; wave: lines left out */
    SL_TRACED_FIRMWARE, /* the aggregator's instruction takes effect: time, pc */
    SL_TRACED_ISSUE,    /* a wavefront's issues */
    SL_TRACED_RESULT,   /* what it computed: values */
    SL_TRACED_LATE,     /* a memory instruction or lock has got what it asked for: values */
};

/* In front of values: one, where all lanes have the same, or one for each of `lanes`. */
struct sl_traced_record {
    uint16_t words;
    uint8_t kind; /* enum sl_traced_kind */
    uint8_t context;
    uint32_t word; /* of the instruction */
    uint64_t time_ps;
    uint64_t pc;
    uint64_t lanes;
    uint64_t entry; /* of the wavefront's kernel */
    uint64_t wave;  /* its number */
    uint32_t cu;
    uint32_t rd; /* of values: the register, as in struct sl_insn */
};

#define SL_TRACED_WORDS 7u

static_assert(sizeof(struct sl_traced_record) == 8 * SL_TRACED_WORDS, "whole words");

struct sl_instructions {
    struct sl_traced wanted; /* the host's, while no run is on */
    struct sl_ring ring;
};

#endif
