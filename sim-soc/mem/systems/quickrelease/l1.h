/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What the files of a compute unit's L1 caches know of each other. */
#ifndef SLUICE_MEM_SYSTEMS_QUICKRELEASE_L1_H
#define SLUICE_MEM_SYSTEMS_QUICKRELEASE_L1_H

#include "mem/systems/quickrelease/quickrelease.h"

/* Evictions of wL1, and releases that leave S-FIFO1. */
extern const struct write_cache_ops qr_wl1_ops;

static inline uint8_t *qr_l1_bytes(const struct qr_l1 *l1, uint32_t index)
{
    return l1->bytes + (size_t)index * LINE_BYTES;
}

static inline struct l1_counters *qr_l1_counters(struct qr_l1 *l1)
{
    return &l1->qr->base.counters.l1[L1D];
}

/* A line that is there leaves rL1. */
void qr_l1_release_way(struct qr_l1 *l1, uint32_t index);

/* A line leaves rL1; where it is under way, it is not kept. Returns whether it was there. */
bool qr_l1_invalidate(struct qr_l1 *l1, uint32_t line);

/* A way of rL1 for a line, whose own one has left; CACHE_NONE where there is none. */
uint32_t qr_l1_make_way(struct qr_l1 *l1, uint32_t line);

/* A message goes to the bank of its line, behind all that left for that bank before. */
void qr_l1_send(struct qr_l1 *l1, struct transaction *transaction, bool has_line, uint64_t time_ps);

/* Releases whose messages have all come go on at the L2. */
void qr_l1_pass_released(struct qr_l1 *l1);

#endif
