/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Memory that the channels of a graph take, and what they would take without wavefront yield.
 *
 * The scheduling of channel stacks is help-first: breadth first (papers/001 section 5.3). Without
 * yield a talloc may never fail, and a level of tasks is complete before the next one runs, while
 * the continuations of all levels wait for the deepest. As channels are allocated up front (section
 * 5.2), each of them would have to hold all elements that ever come into it. */
#ifndef SLUICE_HOST_FOOTPRINT_H
#define SLUICE_HOST_FOOTPRINT_H

#include <stdint.h>

#include "sluice/layouts.h"

/* Sizes in bytes of a channel's arrays (docs/design.md, "Channels"; papers/001 section 3.2). */
struct sl_channel_arrays {
    uint64_t data;
    uint64_t control;
    uint64_t done;
};

/* Those of a channel of this description, but of `width` elements, a power of two and no less than
 * its done-count group. */
struct sl_channel_arrays sl_channel_arrays(const struct sl_channel *channel, uint64_t width);

/* The width that a channel needs without yield: `elements`, which is how many a run puts into it,
 * rounded up to a power of two; no less than SL_CHANNEL_WIDTH_MIN and a done-count group. */
uint64_t sl_help_first_width(const struct sl_channel *channel, uint64_t elements);

struct sl_footprint {
    uint64_t channel_bytes;    /* of the arrays of all channels */
    uint64_t help_first_bytes; /* the same, had the stacks' channels the widths that they need
                                  without yield; 0 where no channel is of a stack */
};

/* Of `count` channels; elements[i] came into channel i. */
struct sl_footprint sl_footprint(const struct sl_channel *channels, uint32_t count,
                                 const uint64_t *elements);

#endif
