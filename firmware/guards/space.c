/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Guard space: as many elements as the other channel has space for, each of the argument's size.
 * Space comes when groups are deallocated, of which no record tells: asked in each pass. A kernel
 * that went astray may have overwritten the counters: what is no distance counts as none free. */
#include "graph/guard.h"

static uint64_t allows(const struct guard_view *view)
{
    const uint64_t taken = view->reserved - view->other->data_head;
    const uint64_t width = view->other->width;

    if (taken > width || view->promised > width - taken) {
        return 0;
    }
    return (width - taken - view->promised) / view->argument;
}

const struct guard_kind guard_space = {.allows = allows, .is_timed = true};
