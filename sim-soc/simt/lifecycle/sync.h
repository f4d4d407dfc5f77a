/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Synchronization of wavefronts, as memory gets to know of it. */
#ifndef SLUICE_SIMT_LIFECYCLE_SYNC_H
#define SLUICE_SIMT_LIFECYCLE_SYNC_H

#include "simt/unit/unit.h"

struct sync_kind {
    enum mem_sync sync;
    uint8_t scope; /* enum sl_scope */
    bool acquire;
    bool release;
    bool ends; /* the wavefront: its private segments are nobody's */
};

/* The wavefront synchronizes, in a cycle; one at a time. Returns the cycle in which that is over,
 * or EVENT_QUEUE_NEVER where it is not known: then `then` is called when it is, with that cycle. */
uint64_t wave_synchronize(struct wave *wave, const struct sync_kind *kind, uint64_t cycle,
                          void (*then)(struct wave *wave, uint64_t cycle));

/* Whether that is over in this very cycle; else `then` is called in the cycle in which it is. */
bool sync_is_over(struct wave *wave, const struct sync_kind *kind, uint64_t cycle,
                  void (*then)(struct wave *wave, uint64_t cycle));
void sync_over_event(struct event *event);

/* As wave_synchronize(): nothing of the wavefront issues until it is over. */
void wave_synchronize_and_stall(struct wave *wave, const struct sync_kind *kind, uint64_t cycle);

#endif
