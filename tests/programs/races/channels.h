/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The base on channels: one lane makes goods, all of a channel at once and in each round where those
 * of the round before were; others take them. Either by the routines of the library, or by routines
 * for one lane that do the same with operations of the form (wave/channel.S). */
#ifndef SLUICE_PROGRAMS_RACES_CHANNELS_H
#define SLUICE_PROGRAMS_RACES_CHANNELS_H

#include "programs/races/ops.h"

/* Cycles between two looks at the head; and those for which takers live on when they have given
 * back what they took: their ends would be releases, and come too late for the maker. */
#define RACES_HEAD_POLL 200
#define RACES_LINGER    4000
#define RACES_LINGERS   4

enum races_misuse {
    NO_MISUSE,
    LATE_GOODS, /* made behind enq */
    LATE_TAKE   /* taken behind tfree */
};

struct races_form_channel {
    bool is_library;
    enum races_misuse misuse;
    enum races_order head; /* of talloc's load */
    enum races_order tail; /* of enq's store */
    enum races_order done; /* of tfree's addition */
};

/* sl_talloc() of one lane that is the only one to put elements in. */
static inline __attribute__((always_inline)) struct races_good *
races_talloc(int goods, const struct races_form_channel form)
{
    struct sl_channel *const channel = (struct sl_channel *)sl_wave_channel(goods);
    const uint64_t tail = sl_load_relaxed_u64_device(&channel->data_tail);
    const uint64_t head = form.head == ACQUIRE ? sl_load_acquire_u64_device(&channel->data_head)
                                               : sl_load_relaxed_u64_device(&channel->data_head);

    if (tail + RACES_GOODS - head > channel->width) {
        return NULL;
    }
    sl_store_relaxed_u64_device(&channel->data_tail, tail + RACES_GOODS);
    return (struct races_good *)(uintptr_t)(channel->data +
                                            (tail & (channel->width - 1)) * channel->stride);
}

/* sl_enq() likewise. */
static inline __attribute__((always_inline)) void
races_enq(int goods, const struct races_good *made, const struct races_form_channel form)
{
    struct sl_channel *const channel = (struct sl_channel *)sl_wave_channel(goods);
    uint32_t *const control = (uint32_t *)(uintptr_t)channel->control;
    const uint64_t first = ((uintptr_t)made - channel->data) / channel->stride;
    const uint64_t start = sl_load_relaxed_u64_device(&channel->control_reserve);

    sl_store_relaxed_u64_device(&channel->control_reserve, start + RACES_GOODS);
    for (uint64_t i = 0; i < RACES_GOODS; i++) {
        control[(start + i) & (2 * (uint64_t)channel->width - 1)] = (uint32_t)(first + i);
    }
    if (form.tail == RELEASE) {
        sl_store_release_u64_device(&channel->control_tail, start + RACES_GOODS);
    } else {
        sl_store_relaxed_u64_device(&channel->control_tail, start + RACES_GOODS);
    }
}

/* sl_tfree() likewise. */
static inline __attribute__((always_inline)) void
races_tfree(int source, int index, const struct races_form_channel form)
{
    const struct sl_channel *const channel = sl_wave_channel(source);
    const uint32_t element = ((const uint32_t *)(uintptr_t)channel->control)[index];
    uint32_t *const done = (uint32_t *)(uintptr_t)channel->done +
                           ((element & (channel->width - 1)) >> channel->done_shift);

    if (form.done == RELEASE) {
        (void)sl_atomic_add_u32_device_release(done, 1);
    } else {
        (void)sl_atomic_add_u32_device(done, 1);
    }
}

RACES_BASE races_base_channel_make(int source, int index, int goods,
                                   const struct races_form_channel form)
{
    for (uint64_t round = 1; round <= RACES_ROUNDS; round++) {
        struct races_good *made;
        while ((made = form.is_library ? sl_talloc(goods, RACES_GOODS)
                                       : races_talloc(goods, form)) == NULL) {
            sl_pause_for(RACES_HEAD_POLL);
        }
        for (uint32_t i = 0; i < RACES_GOODS; i++) {
            if (form.misuse != LATE_GOODS) {
                ORDINARY(made[i].value) = round; /* race: channel.make */
            }
        }
        if (form.is_library) {
            sl_enq(goods, made, RACES_GOODS);
        } else {
            races_enq(goods, made, form);
        }
        if (form.misuse == LATE_GOODS) {
            ORDINARY(made[0].value) = round; /* race: channel.late_make */
        }
    }
    sl_tfree(source, index);
}

RACES_BASE races_base_channel_take(int source, int index, struct races_data *data,
                                   const struct races_form_channel form)
{
    const struct races_good *const good = sl_deq(source, index);

    if (form.misuse != LATE_TAKE) {
        sl_atomic_add_u32(&data->seen[0], (uint32_t)ORDINARY(good->value)); /* race: channel.take */
    }
    if (form.is_library) {
        sl_tfree(source, index);
    } else {
        races_tfree(source, index, form);
    }
    if (form.misuse == LATE_TAKE) {
        sl_atomic_add_u32(&data->seen[0], (uint32_t)ORDINARY(good->value)); /* race: channel.late */
    }
    for (unsigned i = 0; i < RACES_LINGERS; i++) {
        sl_pause_for(RACES_LINGER);
    }
}

#endif
