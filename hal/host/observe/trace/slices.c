/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Records to slices. Records of one row come in the order of their times, and so do its slices.
 * What is open at the end of a run, or where records begin to be lost, ends there. */
#include "host/observe/trace/slices.h"

#include <stdlib.h>
#include <string.h>

#include "sluice/codes.h"

#define FIRST_STEP_PS 1024u

/* ---- rows in bounded memory ---- */

/* Whether both lie in the same step: one that reaches its end is in it. */
static bool is_one(const struct sl_slices *slices, const struct sl_slice *first,
                   const struct sl_slice *second)
{
    return slices->step_ps > 0 &&
           first->begin_ps / slices->step_ps == (second->end_ps - 1) / slices->step_ps;
}

static uint64_t larger(uint64_t left, uint64_t right)
{
    return left > right ? left : right;
}

static bool is_channel(const struct sl_slices *slices, const struct sl_slice_list *row)
{
    const size_t at = (size_t)(row - slices->rows);
    return at >= SL_SLICES_CHANNELS && at < SL_SLICES_CONTEXTS;
}

/* The later one into the earlier. */
static void merge(struct sl_slice *slice, const struct sl_slice *later, bool of_channel)
{
    slice->amount =
        of_channel ? larger(slice->amount, later->amount) : slice->amount + later->amount;
    slice->ready = larger(slice->ready, later->ready);
    slice->end_ps = later->end_ps;
    slice->busy_ps += later->busy_ps;
    slice->count += later->count;
    slice->flags |= later->flags;
    if (later->longest_ps > slice->longest_ps) {
        slice->longest_ps = later->longest_ps;
        slice->name = later->name;
        slice->channel = later->channel;
        slice->wanted = later->wanted;
    }
}

static void merge_row(struct sl_slices *slices, struct sl_slice_list *row)
{
    size_t kept = 0;
    for (size_t i = 0; i < row->count; i++) {
        if (kept > 0 && is_one(slices, &row->slices[kept - 1], &row->slices[i])) {
            merge(&row->slices[kept - 1], &row->slices[i], is_channel(slices, row));
        } else {
            row->slices[kept++] = row->slices[i];
        }
    }
    slices->count -= row->count - kept;
    row->count = kept;
}

/* A step that has all runs in it leaves a slice to each row: there are no fewer then. */
static void merge_all(struct sl_slices *slices, uint64_t end_ps)
{
    while (slices->count > slices->limit && slices->step_ps <= end_ps) {
        slices->step_ps = slices->step_ps == 0 ? FIRST_STEP_PS : 2 * slices->step_ps;
        for (size_t i = 0; i < slices->row_count; i++) {
            merge_row(slices, &slices->rows[i]);
        }
    }
}

static bool has_room(struct sl_slice_list *row)
{
    if (row->count < row->capacity) {
        return true;
    }
    const size_t capacity = row->capacity == 0 ? 16 : 2 * row->capacity;
    struct sl_slice *const more = realloc(row->slices, capacity * sizeof *more);
    if (more == NULL) {
        return false;
    }
    row->slices = more;
    row->capacity = capacity;
    return true;
}

/* One of no length is none. */
static void add(struct sl_slices *slices, struct sl_slice_list *row, const struct sl_slice *open,
                uint64_t end_ps)
{
    struct sl_slice slice = *open;
    if (end_ps <= slice.begin_ps) {
        return;
    }
    slice.end_ps = end_ps;
    slice.busy_ps = end_ps - slice.begin_ps;
    slice.longest_ps = slice.busy_ps;
    slice.count = 1;
    slices->events++;
    if (row->count > 0 && is_one(slices, &row->slices[row->count - 1], &slice)) {
        merge(&row->slices[row->count - 1], &slice, is_channel(slices, row));
        return;
    }
    if (!has_room(row)) {
        slices->is_out_of_memory = true;
        return;
    }
    row->slices[row->count++] = slice;
    slices->count++;
    merge_all(slices, end_ps);
}

static void end_open(struct sl_slices *slices, struct sl_slice_list *row, uint64_t end_ps)
{
    if (row->is_open) {
        row->is_open = false;
        add(slices, row, &row->open, end_ps);
    }
}

/* Ends what is open in the row at the same time. */
static struct sl_slice *begin(struct sl_slices *slices, struct sl_slice_list *row,
                              uint64_t begin_ps)
{
    end_open(slices, row, begin_ps);
    row->open = (struct sl_slice){.begin_ps = begin_ps};
    row->is_open = true;
    return &row->open;
}

/* ---- records ---- */

/* The number of a kernel of this name, new or there already. */
static uint16_t find_kernel(struct sl_slices *slices, const char *name)
{
    for (size_t i = 0; i < slices->kernel_count; i++) {
        if (strcmp(slices->kernels[i], name) == 0) {
            return (uint16_t)i;
        }
    }
    char(*const more)[SL_SLICE_NAME] =
        realloc(slices->kernels, (slices->kernel_count + 1) * sizeof *more);
    if (more == NULL || slices->kernel_count == UINT16_MAX) {
        slices->kernels = more != NULL ? more : slices->kernels;
        slices->is_out_of_memory = true;
        return 0;
    }
    slices->kernels = more;
    memcpy(more[slices->kernel_count], name, SL_SLICE_NAME);
    return (uint16_t)slices->kernel_count++;
}

static void begin_wavefront(struct sl_slices *slices, struct sl_slice_list *row, uint64_t time_ps,
                            const struct sl_trace_record *record,
                            const struct sl_trace_names *names)
{
    char name[SL_SLICE_NAME] = "";
    names->kernel(names->owner, record->b, name, sizeof name);
    struct sl_slice *const slice = begin(slices, row, time_ps);
    slice->name = find_kernel(slices, name);
    slice->amount = record->a;
    slice->flags = record->kind == SL_TRACE_RESTART ? SL_SLICE_RESTARTED : 0;
}

static void take_of_context(struct sl_slices *slices, uint64_t time_ps,
                            const struct sl_trace_record *record,
                            const struct sl_trace_names *names)
{
    if (record->cu >= slices->cus || record->id >= slices->contexts) {
        return;
    }
    struct sl_slice_list *const row =
        &slices->rows[SL_SLICES_CONTEXTS + record->cu * slices->contexts + record->id];
    if (record->kind == SL_TRACE_END) {
        end_open(slices, row, time_ps);
    } else if (record->kind == SL_TRACE_YIELD) {
        row->open.flags |= SL_SLICE_YIELDED;
        row->open.channel = (uint32_t)record->a;
        row->open.wanted = record->b;
    } else {
        begin_wavefront(slices, row, time_ps, record, names);
    }
}

/* An empty channel has no slice. */
static void take_of_channel(struct sl_slices *slices, uint64_t time_ps,
                            const struct sl_trace_record *record)
{
    if (record->id >= SL_GRAPH_CHANNELS) {
        return;
    }
    struct sl_slice_list *const row = &slices->rows[SL_SLICES_CHANNELS + record->id];
    end_open(slices, row, time_ps);
    if (record->a > 0) {
        struct sl_slice *const slice = begin(slices, row, time_ps);
        slice->amount = record->a;
        slice->ready = record->b < record->a ? record->b : record->a;
    }
}

/* The time that the record's is in, of all runs. */
static void take_record(struct sl_slices *slices, const struct sl_trace_record *record,
                        const struct sl_trace_names *names)
{
    const uint64_t time_ps = slices->end_ps + record->time_ps;
    switch ((enum sl_trace_kind)record->kind) {
    case SL_TRACE_PHASE:
        begin(slices, &slices->rows[SL_SLICES_PHASES], time_ps)->name = (uint16_t)record->a;
        break;
    case SL_TRACE_LAUNCH:
    case SL_TRACE_RESTART:
    case SL_TRACE_END:
    case SL_TRACE_YIELD:
        take_of_context(slices, time_ps, record, names);
        break;
    case SL_TRACE_CHANNEL:
        take_of_channel(slices, time_ps, record);
        break;
    case SL_TRACE_DRAM:
        if (record->a > 0) {
            begin(slices, &slices->rows[SL_SLICES_DRAM], time_ps - record->b)->amount = record->a;
            end_open(slices, &slices->rows[SL_SLICES_DRAM], time_ps);
        }
        break;
    }
}

int sl_slices_take(struct sl_slices *slices, const struct sl_timeline *timeline,
                   const struct sl_trace_names *names)
{
    const uint64_t end_ps =
        slices->end_ps + (timeline->lost > 0 ? timeline->first_lost_ps : timeline->end_ps);
    for (uint64_t i = 0; i < timeline->count; i++) {
        take_record(slices, &timeline->records[i], names);
    }
    for (size_t i = 0; i < slices->row_count; i++) {
        end_open(slices, &slices->rows[i], end_ps);
    }
    if (timeline->lost > 0 && slices->lost == 0) {
        slices->first_lost_ps = end_ps;
    }
    slices->lost += timeline->lost;
    slices->end_ps += timeline->end_ps;
    return slices->is_out_of_memory ? -1 : 0;
}

int sl_slices_open(struct sl_slices *slices, uint32_t cus, uint32_t contexts, size_t limit)
{
    *slices = (struct sl_slices){
        .row_count = SL_SLICES_CONTEXTS + (size_t)cus * contexts,
        .cus = cus,
        .contexts = contexts,
        .limit = limit,
    };
    slices->rows = calloc(slices->row_count, sizeof *slices->rows);
    return slices->rows != NULL ? 0 : -1;
}

void sl_slices_close(struct sl_slices *slices)
{
    for (size_t i = 0; slices->rows != NULL && i < slices->row_count; i++) {
        free(slices->rows[i].slices);
    }
    free(slices->rows);
    free(slices->kernels);
    *slices = (struct sl_slices){.rows = NULL};
}
