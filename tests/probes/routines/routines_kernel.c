/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Kernels for tests/soc/simt/test_routines.c: the channel routines with any subset of lanes, any
 * counts and channels that differ between lanes; and the lane operations of the header. */
#include "sluice/wave/wave.h"

#include "soc/simt/routine_tasks.h"

/* Passes an element on as its task says. */
SL_KERNEL void routines_pass(int source, int index, struct routines_log *log)
{
    const struct routines_task *task = sl_deq(source, index);
    struct routines_log *entry = &log[task->number];
    entry->wavefront = sl_wavefront_id();
    entry->active = 0;
    if (task->is_active) {
        uint32_t *elements = sl_talloc(task->channel, task->count);
        entry->elements = elements;
        entry->active = sl_ballot(1);
        if (elements != NULL) {
            const struct sl_channel *to = sl_wave_channel(task->channel);
            for (int i = 0; i < task->count; i++) {
                elements[(size_t)i * (to->stride / 4)] = routines_value(task->number, i);
            }
            sl_enq(task->channel, elements, task->count);
        }
    }
    sl_tfree(source, index);
}

/* The same on channels that may be full: all lanes get their elements in the end. */
SL_KERNEL void routines_yield(int source, int index, struct routines_log *log)
{
    const struct routines_task *task = sl_deq(source, index);
    struct routines_log *entry = &log[task->number];
    if (task->is_active) {
        uint32_t *elements = sl_talloc_or_yield(task->channel, task->count);
        entry->elements = elements;
        const struct sl_channel *to = sl_wave_channel(task->channel);
        for (int i = 0; i < task->count; i++) {
            elements[(size_t)i * (to->stride / 4)] = routines_value(task->number, i);
        }
        sl_enq(task->channel, elements, task->count);
    }
    sl_tfree(source, index);
}

/* What a graph that never yields does. */
SL_KERNEL void routines_trap(int source, int index)
{
    const struct routines_task *task = sl_deq(source, index);
    uint32_t *elements = sl_talloc_or_trap(task->channel, task->count);
    int to = task->channel;
    char *from = (char *)elements + task->wrong_bytes;
    if (task->enq_channel != 0) {
        to = task->enq_channel;
        from = (char *)(uintptr_t)sl_wave_channel(to)->data;
    }
    sl_enq(to, from, task->count + task->wrong_count);
    sl_tfree(source, index);
}

/* Every lane operation, over the lanes whose number `mask` has. */
SL_KERNEL void routines_lanes(int source, int index, uint64_t mask, struct routines_lanes *out)
{
    (void)source;
    (void)index;
    unsigned lane = sl_lane_id();
    struct routines_lanes *mine = &out[lane];
    uint64_t value = routines_lane_value(lane);
    if (mask >> lane & 1) {
        mine->lanes = sl_lane_count();
        mine->cus = sl_cu_count();
        mine->ballot = sl_ballot(value & 1);
        mine->elected = sl_elect();
        mine->first = sl_first(value);
        mine->shuffle = sl_shuffle(value, lane + 1);
        mine->scan[0] = sl_scan_add(value);
        mine->scan[1] = (uint64_t)sl_scan_min((int64_t)value);
        mine->scan[2] = (uint64_t)sl_scan_max((int64_t)value);
        mine->scan[3] = sl_scan_minu(value);
        mine->scan[4] = sl_scan_maxu(value);
        mine->scan[5] = sl_scan_and(value);
        mine->scan[6] = sl_scan_or(value);
        mine->scan[7] = sl_scan_xor(value);
        mine->reduce[0] = sl_reduce_add(value);
        mine->reduce[1] = (uint64_t)sl_reduce_min((int64_t)value);
        mine->reduce[2] = (uint64_t)sl_reduce_max((int64_t)value);
        mine->reduce[3] = sl_reduce_minu(value);
        mine->reduce[4] = sl_reduce_maxu(value);
        mine->reduce[5] = sl_reduce_and(value);
        mine->reduce[6] = sl_reduce_or(value);
        mine->reduce[7] = sl_reduce_xor(value);
        sl_pause();
        sl_pause_for(lane);
        sl_store_release_u32_device(&mine->stored, (uint32_t)value);
        mine->loaded = sl_load_acquire_u32_device(&mine->stored);
        mine->added = sl_atomic_add_u64_device_acq_rel(&out[0].sum, value);
        sl_atomic_add_u32(&out[0].count, 1);
    }
}
