/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Stamps of a channel (SL_CHANNEL_STAMPED; docs/know/design.md, "Stamped publication").
 *
 * Control entries that were reserved together are a publication. One word, control_reserve, counts
 * publications in its upper half and entries in its lower one, whose carry it takes along. Its
 * value when a publication is reserved is the publication's number; its place among the stamps is
 * the count of publications in that. The stamp is the number and the publication's entries, added
 * up: what the word was afterwards. Other stamps in that place are of publications as many before
 * as there are places, or zero: far below the number, so that the stamp says whether it is this
 * publication's. */
#ifndef SLUICE_STAMP_H
#define SLUICE_STAMP_H

#include <stdint.h>

#include "sluice/layouts.h"

/* Stamps that a channel of this width has: as many as its control array has entries. */
static inline uint32_t sl_stamp_count(uint32_t width)
{
    return 2 * width;
}

/* Where the stamp of the publication of this number is. */
static inline uint64_t *sl_stamp_at(uint64_t *stamps, uint32_t width, uint64_t number)
{
    return &stamps[(number >> SL_PUBLICATION_SHIFT) & (sl_stamp_count(width) - 1)];
}

/* Entries of the publication of this number, of which its place has this stamp; 0 while it is not
 * published. */
static inline uint32_t sl_stamped_entries(uint64_t stamp, uint64_t number, uint32_t width)
{
    return stamp - number <= width ? (uint32_t)(stamp - number) : 0;
}

/* The number of the publication behind one with this stamp. */
static inline uint64_t sl_stamp_next(uint64_t stamp)
{
    return stamp + (UINT64_C(1) << SL_PUBLICATION_SHIFT);
}

#endif
