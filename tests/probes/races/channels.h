/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The base on channels: one lane makes goods, all of a channel at once and in each round where
 * those of the round before were; others take them. By the routines of the library, or one of them
 * by its copy that orders nothing (routines.S). */
#ifndef SLUICE_PROBES_RACES_CHANNELS_H
#define SLUICE_PROBES_RACES_CHANNELS_H

#include "probes/races/ops.h"

/* Cycles between two looks at the head; and those for which takers live on when they have given
 * back what they took: their ends would be releases, and come too late for the maker. */
#define RACES_HEAD_POLL 200
#define RACES_LINGER    4000
#define RACES_LINGERS   4

enum races_misuse {
    NO_MISUSE,
    LATE_GOODS,   /* made behind enq */
    LATE_TAKE,    /* taken behind tfree */
    RELAXED_HEAD, /* a talloc that does not acquire */
    RELAXED_TAIL, /* an enq that does not release */
    RELAXED_DONE  /* a tfree that does not */
};

struct races_form_channel {
    enum races_misuse misuse;
};

#define RACES_TALLOC(form, channel, count)                                                         \
    ((form).misuse == RELAXED_HEAD ? SL_WAVE_TALLOC(races_talloc, channel, count)                  \
                                   : sl_talloc(channel, count))

RACES_BASE races_base_channel_make(int source, int index, int goods,
                                   const struct races_form_channel form)
{
    for (uint64_t round = 1; round <= RACES_ROUNDS; round++) {
        struct races_good *made;
        while ((made = RACES_TALLOC(form, goods, RACES_GOODS)) == NULL) {
            sl_pause_for(RACES_HEAD_POLL);
        }
        for (uint32_t i = 0; i < RACES_GOODS; i++) {
            if (form.misuse != LATE_GOODS) {
                ORDINARY(made[i].value) = round; /* race: channel.make */
            }
        }
        if (form.misuse == RELAXED_TAIL) {
            SL_WAVE_ENQ(races_enq, goods, made, RACES_GOODS);
        } else {
            sl_enq(goods, made, RACES_GOODS);
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
    const struct races_good *const good = sl_deq(source, index); /* race: channel.deq */

    if (form.misuse != LATE_TAKE) {
        sl_atomic_add_u32(&data->seen[0], (uint32_t)ORDINARY(good->value)); /* race: channel.take */
    }
    if (form.misuse == RELAXED_DONE) {
        SL_WAVE_TFREE(races_tfree, source, index);
    } else {
        sl_tfree(source, index);
    }
    if (form.misuse == LATE_TAKE) {
        sl_atomic_add_u32(&data->seen[0], (uint32_t)ORDINARY(good->value)); /* race: channel.late */
    }
    for (unsigned i = 0; i < RACES_LINGERS; i++) {
        sl_pause_for(RACES_LINGER);
    }
}

#endif
