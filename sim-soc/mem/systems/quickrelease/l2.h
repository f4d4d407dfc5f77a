/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What the files of the L2 know of each other. */
#ifndef SLUICE_MEM_SYSTEMS_QUICKRELEASE_L2_H
#define SLUICE_MEM_SYSTEMS_QUICKRELEASE_L2_H

#include "mem/systems/quickrelease/quickrelease.h"

/* Evictions of wL2, and releases that leave S-FIFO2. */
extern const struct write_cache_ops qr_wl2_ops;

static inline uint8_t *qr_l2_bytes(const struct quickrelease *qr, uint32_t index)
{
    return qr->bytes + (size_t)index * LINE_BYTES;
}

/* A line that is there leaves rL2. */
void qr_l2_release_way(struct quickrelease *qr, uint32_t index);

/* A way of rL2 for a line, whose own one has left; CACHE_NONE where all are under way. */
uint32_t qr_l2_make_way(struct quickrelease *qr, uint32_t line);

/* A message goes down its bank's link, not to be there before a time. */
void qr_l2_send(struct quickrelease *qr, struct transaction *transaction, bool has_line,
                uint64_t time_ps, uint64_t there_ps);

/* A transaction's line leaves rL2, and a broadcast at a time takes it out of all rL1 caches.
 * Returns when that is everywhere. */
uint64_t qr_l2_invalidate(struct quickrelease *qr, struct transaction *transaction,
                          uint64_t time_ps);

/* Releases whose messages have all come go on at the directory. */
void qr_l2_pass_released(struct quickrelease *qr);

#endif
