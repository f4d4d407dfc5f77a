/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Depth: how many locks a lane has taken and not given back since it entered a function, at each of
 * the function's instructions. What lanes that wait for locks rest on, and those that they make
 * wait (docs/look-up/isa.md, "Locks").
 *
 * A lock is a branch whose ways are rounds: whoever gets it goes on, the others try again later.
 * Rounds join where no lock is held: at the lock's nearest post-dominator of depth 0. Lanes that
 * part at a branch reconverge at its nearest post-dominator that is no deeper than it is: one that
 * is deeper would stand inside a region of which lanes would wait for each other. Where the branch
 * is itself inside a region, and a lock may execute before that point, they do so at its nearest
 * post-dominator of depth 0 (the remedy of papers/004 section 4.5), since of two lanes that hold
 * locks one must not wait for the other at a place where it holds them.
 *
 * So regions nest: whatever parts between a branch or lock b and the point R where it reconverges
 * or joins comes together again at R or before. Let c be such an instruction. R post-dominates it,
 * since a way from c that misses R would be one from b. Points are the nearest post-dominator that
 * meets a condition, and post-dominators of c are a chain; so it has to be shown that R meets the
 * condition of c. If R has depth 0, it meets all. Otherwise b is a branch of a depth of at least
 * R's, and no lock executes between b and R, or R would have depth 0; hence none between c and R: c
 * is no lock, and is at least as deep as R, which is therefore no deeper; and c's own nearest such
 * point M is R or before R, so that no lock executes before M either: c needs no remedy. (Ways that
 * end in a trap or never, which post-dominators leave out, come to no R.) */
#ifndef SLUICE_HOST_DRIVER_CODE_LOCK_REGIONS_H
#define SLUICE_HOST_DRIVER_CODE_LOCK_REGIONS_H

#include <stdbool.h>

#include "host/driver/code/basic_blocks.h"

#define SL_DEPTH_NONE UINT32_MAX /* nothing leads there from the function's entry */

struct sl_lock_regions {
    struct sl_blocks blocks;
    uint32_t *depth; /* in front of each block */
};

/* Whether a function takes locks, or gives them back; all others have depth 0 throughout. */
bool sl_lock_regions_any(const struct sl_decoded *decoded, struct sl_code_range range);

/* Finds the depths of a function. Where ways that meet differ, one of them counts, and an unlock at
 * depth 0 leaves that at 0: lock_check.c refuses such code. Returns 0, or -1 when out of memory;
 * the result is to be closed in any case. */
int sl_lock_regions_open(const struct sl_decoded *decoded, struct sl_code_range range,
                         struct sl_lock_regions *regions);

void sl_lock_regions_close(struct sl_lock_regions *regions);

/* The depth behind a block that has one. */
uint32_t sl_lock_regions_behind(const struct sl_lock_regions *regions, uint32_t block);

#endif
