/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Stamps of a channel (SL_CHANNEL_STAMPED; docs/know/design.md, "Stamped publication").
 *
 * Control entries that were reserved together form a publication. One word, control_reserve, counts
 * publications in its upper half and entries in its lower half, whose carry the upper half
 * includes. The word's value before a publication is reserved is the publication's number. The
 * upper half of this number selects the publication's place among the stamps. The stamp is the
 * number plus the publication's entries, the word's value after the reservation. Any other stamp in
 * the place is zero, or belongs to the publication one round of the places earlier. It is far below
 * the number, so the stamp shows whether it belongs to this publication. */
#ifndef SLUICE_STAMP_H
#define SLUICE_STAMP_H

#include <stdint.h>

#include "sluice/layouts.h"

/* Stamps of a channel of this width: one per entry of its control array. */
static inline uint32_t sl_stamp_count(uint32_t width)
{
    return 2 * width;
}

/* Location of the stamp of the publication with this number. */
static inline uint64_t *sl_stamp_at(uint64_t *stamps, uint32_t width, uint64_t number)
{
    return &stamps[(number >> SL_PUBLICATION_SHIFT) & (sl_stamp_count(width) - 1)];
}

/* Entries of the publication with this number, given the stamp in its place; 0 until it is
 * published. */
static inline uint32_t sl_stamped_entries(uint64_t stamp, uint64_t number, uint32_t width)
{
    return stamp - number <= width ? (uint32_t)(stamp - number) : 0;
}

/* Number of the publication that follows the one with this stamp. */
static inline uint64_t sl_stamp_next(uint64_t stamp)
{
    return stamp + (UINT64_C(1) << SL_PUBLICATION_SHIFT);
}

#endif
