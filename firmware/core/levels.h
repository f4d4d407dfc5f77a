/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The channels of a graph by level, for graphs of channel stacks (core paper, section 5.2): only
 * levels at which something is outstanding, and the one below them, are looked at in each pass.
 * Kernels put elements into their own level and the one below it, so that nothing can be anywhere
 * else; before a graph's end all levels are looked at once more. */
#ifndef SLUICE_FIRMWARE_LEVELS_H
#define SLUICE_FIRMWARE_LEVELS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/channel.h"

/* What polling channels found. */
struct poll {
    bool is_new;   /* elements became ready */
    bool is_ready; /* elements are ready */
    bool is_timed; /* some of them wait for a timed predicate */
    bool is_done;  /* a group can be deallocated */
};

struct levels {
    uint32_t count; /* of levels */
    uint32_t first; /* outstanding elements are at levels from here */
    uint32_t limit; /* to the one before this; nowhere where first is not below it */
    uint16_t start[SL_STACK_LEVELS + 1]; /* of each level in the next array */
    uint16_t channel[SL_GRAPH_CHANNELS]; /* numbers, by level */
};

/* Sorts the channels; a plain one counts as of level 0. All levels are looked at next. */
void levels_init(struct levels *levels, const struct channel *channels, uint32_t channel_count);

/* The levels after the last that a pass looks at. */
static inline uint32_t levels_polled(const struct levels *levels)
{
    return levels->limit < levels->count ? levels->limit + 1 : levels->count;
}

/* Looks at all levels next. */
static inline void levels_widen(struct levels *levels)
{
    levels->first = 0;
    levels->limit = levels->count;
}

/* Polls the channels and finds out where something is outstanding. */
struct poll levels_poll(struct levels *levels, struct channel *channels);

/* Deallocates up to `limit` groups of each channel that a pass looks at. */
void levels_retire(const struct levels *levels, struct channel *channels, uint32_t limit);

#endif
