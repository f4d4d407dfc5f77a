/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Timelines of runs behind each other in bounded memory, for a page that shows them: rows of
 * slices. A slice is a phase, a wavefront in a context, a time in which a channel holds the same
 * elements, or an interval with DRAM traffic. Rows are those of the timeline's file (timeline.h).
 *
 * Where slices outgrow their limit, time is divided into steps of one length, and those of a row
 * that lie within the same step become one, which counts them. Steps double until the slices fit,
 * so what is longer than a step always stays as it was. */
#ifndef SLUICE_HOST_OBSERVE_TRACE_SLICES_H
#define SLUICE_HOST_OBSERVE_TRACE_SLICES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/observe/trace/timeline.h"
#include "recordings/observation.h"

#define SL_SLICES_MOST 100000u
#define SL_SLICE_NAME  160

/* Rows by number: phases, DRAM, channels, then the contexts of each compute unit. */
enum sl_slice_row {
    SL_SLICES_PHASES,
    SL_SLICES_DRAM,
    SL_SLICES_CHANNELS,
    SL_SLICES_CONTEXTS = SL_SLICES_CHANNELS + SL_GRAPH_CHANNELS,
};

enum sl_slice_flag {
    SL_SLICE_RESTARTED = 1,
    SL_SLICE_YIELDED = 2,
};

/* Of several slices that are one: name, channel and wanted are the longest one's; bytes, and a
 * wavefront's elements, are sums; a channel's elements are the most; flags are those of any. */
struct sl_slice {
    uint64_t begin_ps; /* in the time of all runs */
    uint64_t end_ps;
    uint64_t busy_ps;    /* less than from begin to end where there are gaps between several */
    uint64_t longest_ps; /* of them */
    uint64_t count;
    uint64_t amount;  /* DRAM: bytes; channel: elements held; context: elements */
    uint64_t ready;   /* channel: ready elements of these */
    uint64_t wanted;  /* context, yielded: elements that it waits for */
    uint32_t channel; /* context, yielded: of this channel */
    uint16_t name;    /* phase: enum sl_phase; context: number of the kernel */
    uint16_t flags;   /* enum sl_slice_flag */
};

struct sl_slice_list {
    struct sl_slice *slices;
    size_t count;
    size_t capacity;
    bool is_open;         /* `open` has begun, and not ended */
    struct sl_slice open; /* its end is not known yet */
};

struct sl_slices {
    struct sl_slice_list *rows; /* NULL: none are wanted */
    size_t row_count;
    uint32_t cus;
    uint32_t contexts;
    char (*kernels)[SL_SLICE_NAME];
    size_t kernel_count;
    size_t limit;     /* of slices, in all rows */
    size_t count;     /* of slices, in all rows */
    uint64_t events;  /* that they stand for */
    uint64_t step_ps; /* 0: none had to become one */
    uint64_t end_ps;  /* of the runs so far */
    uint64_t lost;    /* records that the simulator had no room for */
    uint64_t first_lost_ps;
    bool is_out_of_memory;
};

/* For a machine of so many compute units and contexts in each. Returns 0, or -1 when out of
 * memory. */
int sl_slices_open(struct sl_slices *slices, uint32_t cus, uint32_t contexts, size_t limit);

/* Allowed on a zeroed object. */
void sl_slices_close(struct sl_slices *slices);

/* Takes a run, whose kernels have these names. Returns 0, or -1 when out of memory. */
int sl_slices_take(struct sl_slices *slices, const struct sl_timeline *timeline,
                   const struct sl_trace_names *names);

#endif
