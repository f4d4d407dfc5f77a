/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What synchronization does to an L1 cache that holds bytes (l1.h), and the end of a run. */
#ifndef SLUICE_MEM_SYSTEMS_NONCOHERENT_L1_INVALIDATE_H
#define SLUICE_MEM_SYSTEMS_NONCOHERENT_L1_INVALIDATE_H

#include "mem/systems/noncoherent/l1_lines.h"

/* Takes out all bytes that are clean. */
void noncoherent_l1_drop_clean(struct noncoherent_l1 *l1);

/* Sends dirty bytes down: all, or those of one wavefront. Looks at scoped.walk lines a cycle from a
 * time on, in which the cache does nothing else; *time_ps becomes the end of that. */
void noncoherent_l1_flush(struct noncoherent_l1 *l1, const uint64_t *wave, uint64_t *time_ps);

/* Dirty bytes of a range are nobody's any more. */
void noncoherent_l1_forget(struct noncoherent_l1 *l1, uint64_t address, uint64_t bytes);

/* All dirty bytes and those under way go to DRAM, in no time. */
void noncoherent_l1_settle(struct noncoherent_l1 *l1);

/* What its compute unit would see of a line, where the cache has it: bytes that are valid. */
uint64_t noncoherent_l1_peek(const struct noncoherent_l1 *l1, uint32_t line, const uint8_t **bytes);

#endif
